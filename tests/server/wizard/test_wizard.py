"""From the wizard's description to a robot: what is built, what is refused, what is written."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import robotix as rx
from robotix.authoring import load_scene
from robotix.errors import BadModel
from robotix.model.user_robots import user_robots_folder
from robotix.scene.console.console import run_command
from robotix.scene.scene import Scene
from robotix.server import Access, RoomService
from robotix.server.http.access import KEY_HEADER
from robotix.server.http.app import make_app
from robotix.server.wire.protocol import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    FileShape,
    SphereShape,
    WizardJoint,
    WizardPart,
    WizardPoint,
    WizardRobot,
    WizardSaved,
    WizardSolid,
)
from robotix.server.wizard.api import WizardApi
from robotix.server.wizard.files import read_mesh, save_robot, wizard_folder
from robotix.server.wizard.wizard import make_model

HEIGHTS = (0.1, 0.4, 0.7, 0.9)
Y = (0.0, 1.0, 0.0)


def _link(i: int, **changes: Any) -> WizardPart:
    """Return a link that stands on the one below, and turns about z or y."""
    low, high = HEIGHTS[i], (*HEIGHTS, 1.0)[i + 1]
    held = WizardJoint(
        parent=f"link{i}" if i else "base",
        joint=f"joint{i + 1}",
        point=(0.0, 0.0, low),
        axis=Y if i else (0.0, 0.0, 1.0),
        lower=-2.0,
        upper=2.0,
    )
    shape = CapsuleShape(0.03, high - low)
    middle = WizardSolid(shape, position=(0.0, 0.0, (low + high) / 2))
    return WizardPart(f"link{i + 1}", [middle], msgspec.structs.replace(held, **changes))


def _arm(**changes: Any) -> WizardRobot:
    base = WizardPart("base", [WizardSolid(CylinderShape(0.1, 0.1), position=(0.0, 0.0, 0.05))])
    parts = [base, *(_link(i) for i in range(4))]
    arm = WizardRobot("my_arm", parts, WizardPoint("link4", (0.0, 0.0, 1.0)))
    return msgspec.structs.replace(arm, **changes)


def _stl(*corners: tuple[float, float, float]) -> bytes:
    """Return a binary STL file whose triangles fan out from the first corner."""
    fans = [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
    body = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(v for corner in fan for v in corner), 0) for fan in fans
    )
    return bytes(80) + struct.pack("<I", len(fans)) + body


PLATE = _stl((0, 0, 0), (100, 0, 0), (100, 50, 0), (0, 50, 20))


def test_bodies_stand_where_they_were_drawn() -> None:
    posture = rx.Posture(make_model(_arm()), [0.0, 0.0, 0.0, 0.0])
    for i, height in enumerate(HEIGHTS):
        np.testing.assert_allclose(posture.position(f"link{i + 1}"), [0, 0, height], atol=1e-12)
    np.testing.assert_allclose(posture.position(), [0, 0, 1.0], atol=1e-12)


def test_joints_turn_about_the_axes_that_were_clicked() -> None:
    model = make_model(_arm())
    # The elbow at 0.4 m bends what is above it, 0.6 m long, forwards about y.
    posture = rx.Posture(model, [0.0, math.pi / 2, 0.0, 0.0])
    np.testing.assert_allclose(posture.position(), [0.6, 0, 0.4], atol=1e-12)
    turned = rx.Posture(model, [math.pi / 2, math.pi / 2, 0.0, 0.0])
    np.testing.assert_allclose(turned.position(), [0, 0.6, 0.4], atol=1e-12)
    assert model.upper.tolist() == [2.0] * 4


@given(
    point=st.tuples(*[st.floats(-1, 1)] * 3),
    axis=st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: math.hypot(*axis) > 0.1),
    angle=st.floats(-3, 3),
)
def test_a_point_on_the_axis_stays_and_others_keep_their_distance(
    point: tuple[float, float, float], axis: tuple[float, float, float], angle: float
) -> None:
    hold = WizardJoint("base", "hinge", point=point, axis=axis)
    parts = [WizardPart("base"), WizardPart("door", held=hold)]
    on_axis = tuple(p + 0.5 * a for p, a in zip(point, axis, strict=True))
    away = tuple(p + d for p, d in zip(point, (0.3, -0.2, 0.1), strict=True))
    for target, stays in ((on_axis, True), (away, False)):
        robot = WizardRobot("gate", parts, WizardPoint("door", target))  # type: ignore[arg-type]
        place = rx.Posture(make_model(robot), [angle]).position()
        assert math.isclose(
            math.dist(place, point), math.dist(target, point), rel_tol=1e-9, abs_tol=1e-9
        )
        if stays:
            np.testing.assert_allclose(place, target, atol=1e-9)


def test_a_slide_moves_along_its_axis() -> None:
    hold = WizardJoint("base", "lift", "prismatic", axis=(0, 0, 2), lower=0.0, upper=0.5)
    model = make_model(WizardRobot("lift", [WizardPart("base"), WizardPart("table", held=hold)]))
    np.testing.assert_allclose(rx.Posture(model, [0.3]).position(), [0, 0, 0.3], atol=1e-12)


def test_without_an_end_effector_the_farthest_part_is_it() -> None:
    model = make_model(_arm(tip=None))
    assert model.tip == "link4"


@dataclass(frozen=True)
class Wrong:
    """A robot that cannot be, and words that its refusal must hold."""

    robot: WizardRobot
    words: str


def _with(part: WizardPart) -> WizardRobot:
    return _arm(parts=[*_arm().parts[:-1], part], tip=None)


def _solid(**changes: Any) -> WizardRobot:
    solid = msgspec.structs.replace(WizardSolid(SphereShape(0.1)), **changes)
    return _with(msgspec.structs.replace(_link(3), solids=[solid]))


WRONG = {
    "name out of the folder": Wrong(_arm(name="../arm"), "rename"),
    "no name": Wrong(_arm(name=""), "rename"),
    "no parts": Wrong(_arm(parts=[]), "0 parts"),
    "too many parts": Wrong(_arm(parts=[WizardPart("a")] * 101), "101 parts"),
    "no base": Wrong(_arm(parts=[_link(0, parent="link1")]), "one part without a joint"),
    "two bases": Wrong(_arm(parts=[WizardPart("a"), WizardPart("b")]), "a, b"),
    "the same name twice": Wrong(_arm(parts=[*_arm().parts, _link(3)]), "used twice"),
    "unknown parent": Wrong(_with(_link(3, parent="nobody")), "unknown parent 'nobody'"),
    "a loop": Wrong(_with(_link(3, parent="link4")), "loop"),
    "a joint twice": Wrong(_with(_link(3, joint="joint1")), "twice"),
    "range the wrong way round": Wrong(
        _with(_link(3, lower=1.0, upper=-1.0)), "less than the upper"
    ),
    "endless slide": Wrong(_with(_link(3, type="prismatic", lower=None)), "both limits"),
    "no axis": Wrong(_with(_link(3, axis=(0.0, 0.0, 0.0))), "no direction"),
    "no speed": Wrong(_with(_link(3, velocity=0.0)), "velocity 0"),
    "far away": Wrong(_with(_link(3, point=(0.0, 0.0, 1e6))), "within 1000 m"),
    "no radius": Wrong(_solid(shape=SphereShape(0.0)), "length 0"),
    "flat box": Wrong(_solid(shape=BoxShape((0.1, 0.1, 0.0))), "positive"),
    "no turn": Wrong(_solid(quaternion=(0.0, 0.0, 0.0, 0.0)), "quaternion"),
    "no colour": Wrong(_solid(colour=(2.0, 0.0, 0.0)), "colour"),
    "mesh left behind": Wrong(_solid(shape=FileShape("a.stl")), "is missing"),
    "unknown tip": Wrong(_arm(tip=WizardPoint("nobody", (0.0, 0.0, 0.0))), "end-effector"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_refused_in_words(wrong: Wrong) -> None:
    with pytest.raises(BadModel, match=wrong.words):
        make_model(wrong.robot)


# -- files ------------------------------------------------------------------------------------


def test_a_saved_robot_loads_as_it_was_made(tmp_path: Path) -> None:
    saved = save_robot(_arm(), tmp_path)
    assert (saved.file, saved.n_joints) == ("my_arm.urdf", 4)
    model, made, q = rx.load(saved.path), make_model(_arm()), [0.3, -0.7, 0.9, 0.2]
    there, wanted = (rx.Posture(each, q).position() for each in (model, made))
    np.testing.assert_allclose(there, wanted, atol=1e-9)
    assert model.dof_names == made.dof_names
    assert [path.name for path in tmp_path.iterdir()] == ["my_arm.urdf"]
    text = Path(saved.path).read_text()
    assert text.count("<inertial>") >= 4 and "1e9" not in text  # as other simulators need


def test_a_robot_is_replaced_only_on_request(tmp_path: Path) -> None:
    save_robot(_arm(), tmp_path)
    with pytest.raises(FileExistsError, match=r"my_arm\.urdf already exists"):
        save_robot(_arm(), tmp_path)
    two = _arm(parts=_arm().parts[:3], tip=None)
    assert save_robot(two, tmp_path, replace=True).n_joints == 2
    assert rx.load(str(tmp_path / "my_arm.urdf")).n_dof == 2


def test_what_is_there_is_kept_and_a_folder_counts(tmp_path: Path) -> None:
    meshes, target = tmp_path / "my_arm_meshes", tmp_path / "my_arm.urdf"
    meshes.mkdir()
    (meshes / "my_scan.stl").write_bytes(b"precious")
    with pytest.raises(FileExistsError, match="_meshes already exists"):
        save_robot(_arm(), tmp_path)
    target.write_text("by hand")
    save_robot(_arm(), tmp_path, replace=True)
    assert (tmp_path / "my_arm_meshes.bak" / "my_scan.stl").read_bytes() == b"precious"
    assert target.with_name("my_arm.urdf.bak").read_text() == "by hand"


def test_meshes_come_along_scaled_with_a_box_to_touch(tmp_path: Path) -> None:
    solid = WizardSolid(FileShape("plate.stl", 0.001), position=(0.0, 0.0, 0.9))
    last = msgspec.structs.replace(_link(3), solids=[solid])
    saved = save_robot(msgspec.structs.replace(_with(last), files={"plate.stl": PLATE}), tmp_path)
    body = rx.load(saved.path).body("link4")
    (visual,), (box,) = body.visuals, body.collision
    assert (tmp_path / visual.shape.uri).read_bytes() == PLATE  # type: ignore[union-attr]
    np.testing.assert_allclose(box.size, [0.1, 0.05, 0.02], atol=1e-9)  # type: ignore[union-attr]
    np.testing.assert_allclose(box.pose.translation, [0.05, 0.025, 0.01], atol=1e-9)
    save_robot(_arm(), tmp_path, replace=True)
    assert not (tmp_path / "my_arm_meshes").exists()


def test_a_robot_that_is_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="within 1000 m"):
        save_robot(WRONG["far away"].robot, tmp_path / "robots")
    assert not (tmp_path / "robots").exists()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("../plate.stl", PLATE, "rename"),
        ("plate.exe", PLATE, "rename"),
        ("plate.stl", PLATE[:-3], "cut short"),
        ("plate.obj", b"v 1 2\n", "plate.obj|corner|three|expected"),
        ("plate.glb", b"glTF", "mesh 'plate.glb'"),
        ("empty.stl", b"", "empty"),
    ],
)
def test_wrong_meshes_are_refused_in_words(name: str, data: bytes, words: str) -> None:
    with pytest.raises(BadModel, match=words) as caught:
        read_mesh(name, data)
    assert "robotix-" not in str(caught.value)  # nobody knows the folder that it was read in


def test_packaged_scenes_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOTIX_ROBOTS", str(tmp_path / "mine"))
    packaged = Path(rx.__file__).parent / "authoring" / "flat.yaml"
    assert wizard_folder(packaged) == wizard_folder(None) == tmp_path / "mine"
    assert wizard_folder(tmp_path / "room.yaml") == tmp_path
    monkeypatch.delenv("ROBOTIX_ROBOTS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert user_robots_folder() == tmp_path / "robotix" / "robots"


def test_a_room_finds_the_robots_that_the_user_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOTIX_ROBOTS", str(tmp_path / "mine"))
    save_robot(_arm(), wizard_folder(None))
    room = tmp_path / "room.yaml"
    room.write_text("robotix: 1\n")
    scene = load_scene(room)
    assert run_command(scene, "init my_arm.urdf") == ""
    assert scene.robots["my_arm"].model.n_dof == 4
    assert "no such file" in run_command(scene, "init other.urdf")


# -- over HTTP --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """Sends requests to a server whose scene is in a folder."""

    folder: Path
    who: str = "program"  # with the token; or a page, which "drives" or "watches"

    def post(self, path: str, content: bytes, **query: str) -> tuple[int, bytes]:
        """Return the status and what came back."""
        service, token = RoomService(), "a token of the test"
        service.scene = Scene(name="room")
        service.scene.files.source = self.folder / "room.yaml"
        app = make_app(service, Access.of(token), folder=self.folder)
        sent = iter((content[:1000], content[1000:]))
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": path,
            "headers": [(b"host", b"localhost"), *self._credentials(service, token)],
            "root_path": "",
        }
        scope["query_string"] = urlencode(query).encode()
        status, body = 0, b""

        async def receive() -> dict[str, Any]:
            part = next(sent)
            return {"type": "http.request", "body": part, "more_body": len(part) == 1000}

        async def send(message: Any) -> None:
            nonlocal status, body
            status = message.get("status", status)
            body += message.get("body", b"")

        asyncio.run(app(scope, receive, send))
        return status, body

    def _credentials(self, service: RoomService, token: str) -> list[tuple[bytes, bytes]]:
        if self.who == "program":
            return [(b"authorization", f"Bearer {token}".encode())]
        driver, watcher = service.hub.add(), service.hub.add()
        service.lease.request(driver.name)
        sessions = Access.of(token).sessions
        return [
            (b"cookie", f"{sessions.cookie_name}={sessions.cookie()}".encode()),
            (KEY_HEADER.encode(), sessions.key("drive").encode()),
            (b"origin", b"http://localhost"),
            (b"x-robotix-page", (driver if self.who == "drives" else watcher).key.encode()),
        ]


@pytest.fixture
def page(tmp_path: Path) -> Page:
    """Return a page that saves into the test's folder."""
    return Page(tmp_path)


def _post(page: Page, robot: WizardRobot, **query: str) -> tuple[int, dict[str, Any]]:
    status, body = page.post("/api/wizard", msgspec.json.encode(robot), **query)
    return status, json.loads(body)


def test_a_page_saves_a_robot_with_its_mesh(page: Page, tmp_path: Path) -> None:
    last = msgspec.structs.replace(_link(3), solids=[WizardSolid(FileShape("plate.stl", 0.001))])
    robot = msgspec.structs.replace(_with(last), files={"plate.stl": PLATE})
    assert base64.b64encode(PLATE) in msgspec.json.encode(robot)
    status, saved = _post(page, robot)
    assert (status, saved["n_joints"], saved["path"]) == (200, 4, str(tmp_path / "my_arm.urdf"))
    status, refused = _post(page, robot)
    assert (status, "already exists" in refused["error"]) == (409, True)
    assert _post(page, robot, replace="1")[0] == 200


@pytest.mark.parametrize(("who", "status"), [("drives", 200), ("watches", 403)])
def test_only_the_page_in_control_saves(tmp_path: Path, who: str, status: int) -> None:
    assert _post(Page(tmp_path, who), _arm(), replace="1")[0] == status
    assert (tmp_path / "my_arm.urdf").exists() == (who == "drives")


def test_a_page_is_told_what_is_wrong(page: Page) -> None:
    status, refused = _post(page, WRONG["no axis"].robot)
    assert (status, "no direction" in refused["error"]) == (422, True)
    assert json.loads(page.post("/api/wizard", b"{")[1]) == {"error": "invalid JSON"}
    status, body = page.post("/api/wizard", b'{"name": "a", "parts": [{"name": 3}]}')
    words = "Expected `str`, got `int` (parts[0].name)"
    assert (status, json.loads(body)) == (422, {"error": words})


def test_a_page_gets_the_triangles_of_a_mesh(page: Page) -> None:
    data = page.post("/api/wizard/mesh", PLATE, name="plate.stl")[1]
    n, m = struct.unpack("<2I", data[:8])
    positions = np.frombuffer(data, "<f4", 3 * n, offset=8).reshape(-1, 3)
    assert (m, len(data)) == (2, 8 + 12 * n + 12 * m)
    np.testing.assert_allclose(positions.max(axis=0), [100, 50, 20])
    assert page.post("/api/wizard/mesh", PLATE, name="a.exe")[0] == 422
    assert page.post("/api/wizard/mesh", bytes((32 << 20) + 1), name="a.stl")[0] == 413


def test_robots_are_worked_one_at_a_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    begun, may_end = threading.Semaphore(0), threading.Event()

    def work(robot: WizardRobot, folder: Path, *, replace: bool) -> WizardSaved:
        begun.release()
        assert may_end.wait(30)
        return WizardSaved(robot.name, "a.urdf", "a.urdf", 0)

    monkeypatch.setattr("robotix.server.wizard.api.save_robot", work)

    async def ask_twice() -> None:
        api, body = WizardApi(), msgspec.json.encode(_arm())
        asked = [asyncio.create_task(api.save(body, tmp_path, replace=False)) for _ in range(2)]
        assert await asyncio.to_thread(begun.acquire)
        assert not await asyncio.to_thread(begun.acquire, timeout=0.1)  # the other one waits
        may_end.set()
        assert [answer.status_code for answer in await asyncio.gather(*asked)] == [200, 200]

    asyncio.run(ask_twice())
