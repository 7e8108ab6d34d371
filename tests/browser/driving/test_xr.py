"""The room in a headset, which is emulated: controllers and hands take hold of links."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser.conftest import Opened, OpenPage, Served, ServeRoom
from browser.driving.patience import patient_devices

START = "(0, 30, 0, -70, 0, 50, 0)"  # degrees
SCENE = """\
robotix: 1
name: Headset
robots:
  arm: {model: kuka_lwr, at: [0, 0, 0.4], q_deg: [0, 30, 0, -70, 0, 50, 0]}
objects:
  box: {box: [0.15, 0.15, 0.15], at: [0.2, 0.6, 0.8], material: {colour: blue}}
"""
# Puts the right hand at a place of the room, given as three numbers, pointing as it does. A bare
# hand takes hold between the tips of thumb and index, the joints 4 and 9 of its model.
PLACE = """([kind, x, y, z]) => {
  const { room, stage } = window.robotix
  const point = stage.camera.position.clone().set(x, y, z)
  stage.rig.worldToLocal(room.root.localToWorld(point))
  const hand = window.xrDevice[kind].right
  if (kind === 'hands' && !window.pinch) {
    const balls = []
    stage.rig.traverse((part) => {
      if (part.isInstancedMesh && part.count === 25) balls.push(part)
    })
    const [tip, thumb] = [point.clone(), point.clone()]
    const matrix = stage.rig.matrix.clone()
    balls[1].getMatrixAt(9, matrix)
    tip.setFromMatrixPosition(matrix)
    balls[1].getMatrixAt(4, matrix)
    thumb.setFromMatrixPosition(matrix)
    window.pinch = tip.add(thumb).multiplyScalar(0.5).sub(hand.position)
  }
  if (kind === 'hands') point.sub(window.pinch)
  hand.position.set(point.x, point.y, point.z)
}"""
# Where the link is that is held: the middle of its box, in the room.
MIDDLE = """(name) => {
  const { room } = window.robotix
  const [mesh] = room.node(name).object.children.filter((part) => part.isMesh)
  mesh.geometry.computeBoundingBox()
  mesh.updateWorldMatrix(true, false)
  const point = mesh.geometry.boundingBox.getCenter(mesh.position.clone())
  return room.root.worldToLocal(mesh.localToWorld(point)).toArray()
}"""


@pytest.fixture(scope="module")
def room(serve_module: ServeRoom, tmp_path_factory: pytest.TempPathFactory) -> Served:
    """One room for all tests here."""
    devices = patient_devices(tmp_path_factory.mktemp("devices"))
    return serve_module(SCENE, "--devices", str(devices))


@pytest.fixture
def enter(room: Served, open_page: OpenPage) -> Callable[[], Opened]:
    """Open a page and put the headset on."""

    def enter() -> Opened:
        page = open_page(room, query="emulate=quest3")
        page.until("app.control.isMine && document.querySelector('#tool-immersive-vr')")
        answer = page.ask("app.connection.command(arg)", f"move @30;{START}")
        assert answer["ok"], answer["text"]
        page.ticks(40)
        page.until("app.room.states.get('arm').is_moving === false")
        page.until("app.room.nodes.every((n) => n.object.children.length >= n.info.visuals.length)")
        page.page.evaluate("() => document.querySelector('#tool-immersive-vr').click()")
        page.until("app.stage.renderer.xr.isPresenting")
        page.frames(3)
        return page

    return enter


def place(page: Opened, kind: str, at: list[float]) -> None:
    """Put the right controller or hand somewhere in the room."""
    page.page.evaluate(PLACE, [kind, *at])
    page.frames(2)


def carry(page: Opened, kind: str, start: list[float], way: tuple[float, ...], steps: int) -> None:
    """Move the hand evenly, as a hand does."""
    for step in range(1, steps + 1):
        place(page, kind, [a + b * step / steps for a, b in zip(start, way, strict=True)])


def squeeze(page: Opened, value: float) -> None:
    """Close the right controller."""
    page.page.evaluate(
        "(value) => window.xrDevice.controllers.right.updateButtonValue('squeeze', value)", value
    )
    page.frames(3)


def pinch(page: Opened) -> None:
    """Close the right hand, as evenly as a hand does: one that leaps is not believed."""
    for step in range(1, 11):
        page.page.evaluate("(v) => window.xrDevice.hands.right.updatePinchValue(v)", step / 10)
        page.frames(2)


def settled(page: Opened) -> None:
    """Hold the hand still until the room trusts it: a quarter of a second."""
    page.ticks(60)


def check_rest(page: Opened) -> None:
    """Wait until the arm stands, and see that it stays."""
    page.until("app.room.states.get('arm').is_moving === false")
    q = page.ask("app.room.states.get('arm').q")
    page.ticks(30)
    assert page.ask("app.room.states.get('arm').q") == pytest.approx(q, abs=1e-9)


def test_a_controller_grabs_a_link_and_drags_it(enter: Callable[[], Opened]) -> None:
    page = enter()
    link = page.ask("app.room.robots.get('arm').joints[4].body")
    start = page.page.evaluate(MIDDLE, link)
    place(page, "controllers", start)
    page.until("document.querySelector('[data-device=right_controller].is-live')")
    settled(page)
    tip = page.tip()
    squeeze(page, 1)
    page.until("app.room.states.get('arm').drive !== ''")
    carry(page, "controllers", start, (0.0, 0.15, 0.0), 10)
    page.until("app.room.states.get('arm').tip[1] > arg + 0.1", tip[1])
    squeeze(page, 0)
    check_rest(page)


def test_a_ray_from_afar_drags_a_link(enter: Callable[[], Opened]) -> None:
    page = enter()
    link = page.ask("app.room.robots.get('arm').joints[3].body")
    start = page.page.evaluate(MIDDLE, link)
    # Half a metre before it, looking at it: a controller that is not turned points along -z.
    page.page.evaluate("() => window.xrDevice.controllers.right.quaternion.set(0, 0, 0, 1)")
    back = page.page.evaluate(
        """(at) => {
          const { room, stage } = window.robotix
          const point = stage.camera.position.clone().fromArray(at)
          stage.rig.worldToLocal(room.root.localToWorld(point))
          point.z += 0.6
          return room.root.worldToLocal(stage.rig.localToWorld(point)).toArray()
        }""",
        start,
    )
    place(page, "controllers", back)
    page.frames(8)
    squeeze(page, 1)
    page.until("app.room.states.get('arm').drive !== ''")
    carry(page, "controllers", back, (0.0, 0.1, 0.0), 8)
    page.until(f"({MIDDLE})(arg[0])[1] > arg[1] + 0.05", [link, start[1]])
    squeeze(page, 0)
    check_rest(page)


def test_a_pinch_of_a_hand_drags_a_link(enter: Callable[[], Opened]) -> None:
    page = enter()
    page.page.evaluate("() => { window.xrDevice.primaryInputMode = 'hand' }")
    page.until("document.querySelector('[data-device=right_tracked_hand].is-live')")
    link = page.ask("app.room.robots.get('arm').joints[4].body")
    assert any(drags_by_pinch(page, link) for _ in range(4))
    page.page.evaluate("() => window.xrDevice.hands.right.updatePinchValue(0)")
    check_rest(page)


def drags_by_pinch(page: Opened, link: str) -> bool:
    """Take hold of a link and draw it aside; say whether it came.

    On a slow machine a hand leaps, and then it is let go of, as it should be: one tries again.
    """
    page.page.evaluate("() => window.xrDevice.hands.right.updatePinchValue(0)")
    start = page.page.evaluate(MIDDLE, link)
    place(page, "hands", start)
    settled(page)
    tip = page.tip()
    pinch(page)
    page.ticks(20)
    if not page.ask("app.room.states.get('arm').drive"):
        return False
    carry(page, "hands", start, (0.0, -0.12, 0.0), 10)
    page.ticks(90)
    return page.tip()[1] < tip[1] - 0.05


def test_the_grip_in_free_air_is_a_clutch(enter: Callable[[], Opened]) -> None:
    page = enter()
    high = [page.tip()[0], page.tip()[1], 2.2]  # where nothing is
    page.page.evaluate(
        "() => window.xrDevice.controllers.right.quaternion.set(0.7071, 0, 0, 0.7071)"
    )
    place(page, "controllers", high)
    page.frames(8)
    squeeze(page, 1)
    page.until("app.room.states.get('arm').tracked_by === 'mover'")
    start = page.tip()
    carry(page, "controllers", high, (0.0, 0.1, 0.0), 8)
    page.until("app.room.states.get('arm').tip[1] > arg + 0.07", start[1])
    squeeze(page, 0)
    page.until("app.room.states.get('arm').tracked_by === ''")
    stopped = page.tip()
    carry(page, "controllers", [high[0], high[1] + 0.1, high[2]], (0.0, 0.1, 0.0), 5)
    assert page.tip() == pytest.approx(stopped, abs=0.01)


def test_an_object_is_carried(enter: Callable[[], Opened]) -> None:
    page = enter()
    start = page.ask("app.room.node('box').object.position.toArray()")
    place(page, "controllers", start)
    settled(page)
    squeeze(page, 1)
    carry(page, "controllers", start, (0.0, 0.2, 0.0), 10)
    page.until("app.room.node('box').object.position.y > arg + 0.15", start[1])
    squeeze(page, 0)
    page.until("app.room.canUndo")


def test_the_stick_teleports_and_turns(enter: Callable[[], Opened]) -> None:
    page = enter()
    before = page.ask("app.stage.rig.position.toArray()")
    stick = "([x, y]) => window.xrDevice.controllers.right.updateAxes('thumbstick', x, y)"
    page.page.evaluate(stick, [0, -1])
    page.frames(4)
    page.page.evaluate(stick, [0, 0])
    page.frames(3)
    after = page.ask("app.stage.rig.position.toArray()")
    assert abs(after[0] - before[0]) + abs(after[2] - before[2]) > 0.5
    yaw = page.ask("app.stage.rig.rotation.y")
    page.page.evaluate(stick, [1, 0])
    page.frames(4)
    page.page.evaluate(stick, [0, 0])
    assert page.ask("app.stage.rig.rotation.y") == pytest.approx(yaw - 0.5236, abs=1e-3)


def test_leaving_the_headset_stops_the_arm(enter: Callable[[], Opened]) -> None:
    page = enter()
    link = page.ask("app.room.robots.get('arm').joints[4].body")
    start = page.page.evaluate(MIDDLE, link)
    place(page, "controllers", start)
    settled(page)
    squeeze(page, 1)
    page.until("app.room.states.get('arm').drive !== ''")
    carry(page, "controllers", start, (0.0, 0.1, 0.0), 5)
    page.page.evaluate("() => window.xrDevice.activeSession.end()")
    page.until("!app.stage.renderer.xr.isPresenting")
    check_rest(page)
    page.until("!document.querySelector('[data-device=right_controller]')")
    assert page.ask("app.stage.rig.position.toArray()") == [0, 0, 0]
