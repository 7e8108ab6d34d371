from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.manual_rooms import ManualRooms

from robotix.experiments.session import LabSession, NotNow
from robotix.experiments.store.store import StudyStore
from robotix.experiments.trial import TrialOutcome

STUDY = """robotix: 1
study: Small
factors: {arm: {levels: [a, b], order: fixed}}
tasks: [shelf]
task_order: fixed
breaks: {every: 1, seconds: 1}
training: {before: study, axes: {passes: 2, max_errors: 1, attempts: 3}}
questionnaires: [{form: sus, after: trial}]
briefing: Welcome.
consent: I agree.
"""
GOOD = TrialOutcome("finished", 5.0, 0)
BAD = TrialOutcome("finished", 5.0, 9)


@pytest.fixture
def rooms() -> ManualRooms:
    return ManualRooms()


@pytest.fixture
def session(tmp_path: Path, rooms: ManualRooms) -> Iterator[LabSession]:
    (tmp_path / "study.yaml").write_text(STUDY)
    with StudyStore(tmp_path) as store:
        yield LabSession(store, rooms)


def step(session: LabSession, name: str = "P001") -> int:
    return int(session.view(name)["step"])


def start(session: LabSession, name: str = "P001") -> None:
    """Go to the first training of a new participant."""
    assert session.add_participant() == name
    session.go_on(name, step(session, name))
    session.consent(name, step(session, name))


def run(session: LabSession, rooms: ManualRooms, outcome: TrialOutcome = GOOD) -> None:
    session.begin("P001", step(session))
    rooms.finish(outcome)


def test_a_whole_session(session: LabSession, rooms: ManualRooms) -> None:
    start(session)
    kinds = []
    while (view := session.view("P001"))["step"]:
        kinds.append(view["kind"])
        if view["kind"] in ("training", "trial"):
            run(session, rooms)
        elif view["kind"] == "form":
            answers = {item["name"]: 3 for item in view["form"]["items"]}
            session.answer("P001", view["step"], answers)
        else:
            session.go_on("P001", view["step"])
    assert kinds == [
        "training", "training", "training", "trial", "form", "break", "trial", "form", "end",
    ]  # fmt: skip
    assert [a.task for a in session.store.answers()][:1] == ["shelf"]
    assert session.overview()["participants"][0]["next"] is None


def test_training_needs_good_runs_in_a_row(session: LabSession, rooms: ManualRooms) -> None:
    start(session)
    first = step(session)
    run(session, rooms)
    run(session, rooms, BAD)
    assert step(session) == first
    run(session, rooms)
    assert session.view("P001")["is_waiting"]  # three attempts, never two good ones in a row
    with pytest.raises(NotNow, match="experimenter"):
        session.begin("P001", first)
    session.next("P001", first)
    assert step(session) == first + 1


def test_only_the_present_step_can_be_done(session: LabSession, rooms: ManualRooms) -> None:
    session.add_participant()
    with pytest.raises(NotNow, match="present"):
        session.consent("P001", 1)  # the briefing comes first
    session.go_on("P001", 1)
    with pytest.raises(NotNow):
        session.go_on("P001", 1)  # twice
    with pytest.raises(NotNow):
        session.begin("P001", 2)  # that is the consent


def test_one_trial_runs_at_a_time(session: LabSession, rooms: ManualRooms) -> None:
    start(session)
    start(session, "P002")
    session.begin("P001", step(session))
    with pytest.raises(NotNow, match="already"):
        session.begin("P002", step(session, "P002"))
    assert session.drive_address("P001").endswith("drive")
    with pytest.raises(NotNow, match="no trial of this participant"):
        session.drive_address("P002")
    assert "instruction" in session.view("P001")
    assert "instruction" not in session.view("P002")


def test_the_experimenter_stops_aborts_and_repeats(session: LabSession, rooms: ManualRooms) -> None:
    start(session)
    for _ in range(3):
        run(session, rooms)
    trial = step(session)
    with pytest.raises(NotNow, match="no trial is running"):
        session.stop()
    session.begin("P001", trial)
    session.stop()
    running = session.overview()["running"]
    assert running["is_stopped"] and running["task"] == "shelf" and running["watch"]
    session.resume()
    session.abort()
    assert session.store.trials()[-1].status == "aborted"
    assert step(session) == trial + 1
    session.repeat("P001")
    assert step(session) == trial
    session.begin("P001", trial)
    rooms.finish(GOOD)
    assert [t.is_discarded for t in session.store.trials()[-2:]] == [True, False]


def test_notes_are_kept(session: LabSession) -> None:
    session.add_participant()
    session.add_note("looks tired", "P001")
    assert session.overview()["notes"][0]["text"] == "looks tired"


def test_a_room_that_does_not_open_leaves_no_running_trial(
    session: LabSession, rooms: ManualRooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(session)

    def fail(plan: object, on_done: object) -> None:
        raise ValueError("no such arm")

    monkeypatch.setattr(rooms, "start", fail)
    with pytest.raises(ValueError, match="no such arm"):
        session.begin("P001", step(session))
    assert session.store.trials()[-1].status == "interrupted"
    assert session.overview()["running"] is None


def test_a_room_that_opens_slowly_holds_nobody_up(
    session: LabSession, rooms: ManualRooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(session)
    session.begin("P001", step(session))
    is_open, is_asked = threading.Event(), threading.Event()

    def wait() -> str:
        is_asked.set()
        is_open.wait(60)
        return "address"

    monkeypatch.setattr(rooms, "drive_address", wait)
    with ThreadPoolExecutor(2) as pool:
        address = pool.submit(session.drive_address, "P001")
        assert is_asked.wait(30)
        try:
            assert pool.submit(session.overview).result(10)["running"] is not None
        finally:
            is_open.set()
        assert address.result(30) == "address"
