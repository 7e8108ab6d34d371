"""The pages of the laboratory, as an attacker would try them."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.manual_rooms import ManualRooms

from robotix.experiments.session import LabSession
from robotix.experiments.store.store import StudyStore
from robotix.experiments.trial import TrialOutcome
from robotix.server import Secure
from robotix.server.http.certificate import machine_certificate
from robotix.server.lab.access import EXPERIMENTER, LabAccess
from robotix.server.lab.hosting import LabHosting

STUDY = """robotix: 1
study: Small
factors: {arm: {levels: [a]}}
tasks: [shelf]
questionnaires: [{form: sus, after: study}]
consent: I agree.
"""


@dataclass
class Visitor:
    """A browser: sends its cookie and its origin."""

    port: int
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    path: str = ""  # of the cookie that was set last
    host: str = "127.0.0.1"
    trust: ssl.SSLContext | None = None  # by HTTPS
    policy: str = ""  # of the answer before

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection: http.client.HTTPConnection
        if self.trust is None:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        else:
            connection = http.client.HTTPSConnection(
                self.host, self.port, timeout=30, context=self.trust
            )
        sent = {"Cookie": self.cookie, **self.headers, **headers}
        if method == "POST":
            scheme = "http" if self.trust is None else "https"
            sent.setdefault("Origin", f"{scheme}://{self.host}:{self.port}")
        try:
            connection.request(
                method, path, json.dumps(body or {}) if method == "POST" else None, sent
            )
            answer = connection.getresponse()
            data = answer.read()
            self.policy = answer.getheader("content-security-policy") or ""
            if found := answer.getheader("set-cookie"):
                self.cookie = found.split(";")[0]
                self.path = found.split("Path=")[1].split(";")[0]
            is_json = "json" in (answer.getheader("content-type") or "")
            return answer.status, json.loads(data) if is_json else data
        finally:
            connection.close()

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("GET", path)

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        return self.ask("POST", path, body, **headers)


@dataclass
class Lab:
    hosting: LabHosting
    session: LabSession
    rooms: ManualRooms
    experimenter: Visitor
    folder: Path

    @property
    def port(self) -> int:
        return self.experimenter.port

    def participant(self) -> tuple[str, Visitor]:
        name = self.experimenter.post("/experimenter/add")[1]["participant"]
        address = self.experimenter.post("/experimenter/invite", {"participant": name})[1][
            "address"
        ]
        visitor = Visitor(self.port)
        assert visitor.get(address)[0] == 303
        return name, visitor


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    (tmp_path / "study.yaml").write_text(STUDY)
    rooms = ManualRooms()
    with StudyStore(tmp_path) as store:
        session = LabSession(store, rooms)
        with LabHosting(session, tmp_path) as hosting:
            port = int(hosting.origin.rsplit(":", 1)[1])
            experimenter = Visitor(port)
            address = hosting.experimenter_address().removeprefix(hosting.origin)
            assert experimenter.get(address)[0] == 303
            yield Lab(hosting, session, rooms, experimenter, tmp_path)


EXPERIMENTERS = [
    ("GET", "/experimenter"), ("GET", "/experimenter/state"), ("POST", "/experimenter/add"),
    ("POST", "/experimenter/invite"), ("POST", "/experimenter/note"),
    ("POST", "/experimenter/next"),
    ("POST", "/experimenter/repeat"), ("POST", "/experimenter/abort"),
    ("POST", "/experimenter/stop"), ("POST", "/experimenter/resume"),
    ("POST", "/experimenter/try"), ("POST", "/experimenter/tried"),
]  # fmt: skip


def test_a_study_runs_from_consent_to_the_end(lab: Lab) -> None:
    name, person = lab.participant()
    assert person.get("/participant")[0] == 200
    view = person.get("/participant/state")[1]
    assert (view["kind"], view["text"]) == ("consent", "I agree.")
    assert person.post("/participant/consent", {"step": view["step"]})[0] == 200
    step = person.get("/participant/state")[1]["step"]
    assert person.post("/participant/begin", {"step": step})[0] == 200
    running = lab.experimenter.get("/experimenter/state")[1]["running"]
    assert (running["participant"], running["task"]) == (name, "shelf")
    assert person.post("/participant/room")[1]["address"].endswith("drive")
    lab.rooms.finish(TrialOutcome("finished", 3.0))
    view = person.get("/participant/state")[1]
    answers = {item["name"]: 3 for item in view["form"]["items"]}
    assert person.post("/participant/answer", {"step": view["step"], "answers": answers})[0] == 200
    assert person.get("/participant/state")[1]["kind"] == "end"


@pytest.mark.parametrize(("method", "path"), EXPERIMENTERS)
def test_a_participant_reaches_nothing_of_the_experimenter(
    lab: Lab, method: str, path: str
) -> None:
    name, person = lab.participant()
    body = {"participant": name, "step": 1, "text": "hello"}
    assert person.ask(method, path, body)[0] == 403
    assert lab.session.store.notes() == [] and len(lab.session.store.participants()) == 1
    assert Visitor(lab.port).ask(method, path, body)[0] == 401


def test_a_participant_reaches_nothing_of_another(lab: Lab) -> None:
    (first, one), (second, other) = lab.participant(), lab.participant()
    step = one.get("/participant/state")[1]["step"]
    one.post("/participant/consent", {"step": step, "participant": second})
    assert lab.session.store.has_consent(first) and not lab.session.store.has_consent(second)
    begun = one.get("/participant/state")[1]["step"]
    assert one.post("/participant/begin", {"step": begun})[0] == 200
    status, answer = other.post("/participant/room")
    assert status == 409 and "address" not in answer
    text = json.dumps(other.get("/participant/state")[1])
    assert first not in text and "instruction" not in text
    for path in (f"/participant/{first}", f"/participant/state?participant={first}"):
        status, answer = other.get(path)
        assert status == 404 or answer["participant"] == second


def test_a_view_holds_only_what_a_participant_may_see(lab: Lab) -> None:
    _, person = lab.participant()
    assert set(person.get("/participant/state")[1]) == {
        "participant", "study", "step", "steps", "kind", "text",
    }  # fmt: skip


@pytest.mark.parametrize("who", [EXPERIMENTER, "P002"])
def test_cookies_cannot_be_forged_or_changed(lab: Lab, who: str) -> None:
    _, person = lab.participant()
    lab.experimenter.post("/experimenter/add")
    name, value = person.cookie.split("=", 1)
    _, end, code = value.split(".")
    forged = LabAccess("another secret, just as long as it is", port=lab.port).cookie(who)
    other_port = LabAccess((lab.folder / ".lab_secret").read_text(), port=1).cookie(who)
    for cookie in (f"{who}.{end}.{code}", forged, other_port, f"{who}.{end}.", "..", ""):
        attacker = Visitor(lab.port, f"{name}={cookie}")
        assert attacker.get("/experimenter/state")[0] == 401
        assert attacker.get("/participant/state")[0] == 401


def test_codes_work_once(lab: Lab) -> None:
    name = lab.experimenter.post("/experimenter/add")[1]["participant"]
    address = lab.experimenter.post("/experimenter/invite", {"participant": name})[1]["address"]
    assert Visitor(lab.port).get(address)[0] == 303
    assert Visitor(lab.port).get(address)[0] == 401
    assert Visitor(lab.port).get("/login?c=")[0] == 401


def test_other_sites_cannot_act_for_a_page(lab: Lab) -> None:
    _, person = lab.participant()
    step = person.get("/participant/state")[1]["step"]
    for origin in ("http://evil.example", f"http://127.0.0.1:{lab.port + 1}", "null", ""):
        status, _ = person.post("/participant/consent", {"step": step}, Origin=origin)
        assert status == 403
    assert person.ask("GET", "/participant/state", Host="evil.example")[0] == 421


@pytest.mark.parametrize(
    "path",
    [
        "/files/../access.py", "/files/%2e%2e/access.py", "/files/.lab_secret", "/study.sqlite",
        "/recordings", "/live", "/mesh/1",
    ],
)  # fmt: skip
def test_no_other_files_are_served(lab: Lab, path: str) -> None:
    _, person = lab.participant()
    assert person.get(path)[0] == 404


def test_bad_requests_are_refused_with_a_reason(lab: Lab) -> None:
    _, person = lab.participant()
    assert person.post("/participant/consent", {})[0] == 422
    assert person.post("/participant/consent", {"step": 99})[0] == 409
    assert person.post("/participant/answer", {"step": 1, "answers": {"a": True}})[0] == 422
    assert lab.experimenter.post("/experimenter/note", {"text": ""})[0] == 422
    assert lab.experimenter.post("/experimenter/invite", {"participant": "P999"})[0] == 422


def test_a_cookie_outlives_the_server(lab: Lab) -> None:
    _, person = lab.participant()
    secret = (lab.folder / ".lab_secret").read_text()
    assert LabAccess(secret, port=lab.port).who(person.cookie.split("=", 1)[1]) is not None
    assert (lab.folder / ".lab_secret").stat().st_mode & 0o077 == 0


def test_one_browser_holds_both_pages(lab: Lab) -> None:
    _, person = lab.participant()
    assert (lab.experimenter.path, person.path) == ("/experimenter", "/participant")
    status, page = Visitor(lab.port).get("/")
    assert status == 401 and b"/experimenter" in page and b"/participant" in page


def test_people_read_why_there_is_no_page(lab: Lab) -> None:
    for path in ("/participant", "/login?c=wrong"):
        status, page = Visitor(lab.port).get(path)
        assert status == 401 and b"new" in page and b"<main>" in page


def test_the_experimenter_tries_a_room_and_nothing_is_stored(lab: Lab) -> None:
    _, person = lab.participant()
    post = lab.experimenter.post
    menu = lab.experimenter.get("/experimenter/state")[1]["menu"]
    assert {"chess", "one_bench"} <= set(menu["task"]) and "ur5" in menu["arm"]
    levels = {"arm": "ur5", "mounting": "rail"}
    assert post("/experimenter/try", {"task": "chess", "levels": levels})[0] == 200
    assert lab.rooms.plan is not None and dict(lab.rooms.plan.levels) == levels
    assert post("/experimenter/tried")[1]["address"].endswith("drive")
    assert post("/experimenter/try", {"task": "chess", "levels": levels})[0] == 409
    for act in ("consent", "begin"):
        step = person.get("/participant/state")[1]["step"]
        status, _ = person.post(f"/participant/{act}", {"step": step})
    assert status == 409 and person.post("/participant/room")[0] == 409  # it is not theirs
    assert post("/experimenter/abort")[0] == 200
    assert lab.experimenter.get("/experimenter/state")[1]["running"] is None
    assert lab.session.store.trials() == [] and post("/experimenter/tried")[0] == 409
    for task, words in (("checkers", "no task"), ("chess", "no robot")):
        status, answer = post("/experimenter/try", {"task": task, "levels": {"arm": "foo"}})
        assert status == 422 and words in answer["error"]


ELSEWHERE = "127.0.0.2"  # stands for an address of the network


def test_a_participant_on_another_machine_comes_in_by_https(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY)
    files = machine_certificate([ELSEWHERE], folder=tmp_path / "certificate")
    trust = ssl.create_default_context(cafile=files.certificate)
    secure = Secure([ELSEWHERE], files)
    with StudyStore(tmp_path) as store:
        session = LabSession(store, ManualRooms())
        with LabHosting(session, tmp_path, secure=secure, names=[ELSEWHERE]) as hosting:
            experimenter = Visitor(int(hosting.origin.rsplit(":", 1)[1]))
            experimenter.get(hosting.experimenter_address().removeprefix(hosting.origin))
            name = experimenter.post("/experimenter/add")[1]["participant"]
            invitation = experimenter.post("/experimenter/invite", {"participant": name})[1]
            (address,) = invitation["others"]
            assert address.startswith(f"https://{ELSEWHERE}:{experimenter.port}/login?c=")
            assert {len(row) for row in invitation["squares"]} == {len(invitation["squares"])}
            person = Visitor(experimenter.port, host=ELSEWHERE, trust=trust)
            assert person.get(address.removeprefix(hosting.other_origins[0]))[0] == 303
            assert person.get("/participant")[0] == 200
            assert f"frame-src http://127.0.0.1:* https://{ELSEWHERE}:*;" in person.policy
            for act in ("consent", "begin"):
                step = person.get("/participant/state")[1]["step"]
                assert person.post(f"/participant/{act}", {"step": step})[0] == 200
            room = person.post("/participant/room")[1]["address"]
            assert room == f"https://{ELSEWHERE}:1/login?c=drive"  # where this machine finds it
            assert person.get("/experimenter/state")[0] == 403
            assert person.post("/participant/room", Origin=hosting.origin)[0] == 403
            stranger = Visitor(experimenter.port, host=ELSEWHERE, trust=trust)
            assert stranger.get("/experimenter/state")[0] == 401
