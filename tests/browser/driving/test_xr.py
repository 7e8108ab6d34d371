"""The room in a headset, which is emulated: controllers and hands take hold of links."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from browser.conftest import Keeper, Opened, Served
from browser.driving.conftest import START, check_rest
from browser.driving.worn import REST, press_button

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


@pytest.fixture
def worn(room: Served, keeper: Keeper) -> Iterator[Opened]:
    """A page in control, with the headset on and the arm in its first posture."""
    page = keeper.page(room, query="emulate=quest3", is_drawn=False)
    page.until("document.querySelector('#tool-immersive-vr')")
    page.page.evaluate(REST)
    if not page.ask("app.control.isMine"):
        assert page.ask("app.control.ask(true)")
    for line in (f"move @30;{START}", "place box; (0.2, 0.6, 0.8)"):
        page.ask("app.connection.command(arg)", line)
    page.ticks(40)
    page.until("app.room.states.get('arm').is_moving === false")
    page.until("app.room.nodes.every((n) => n.object.children.length >= n.info.visuals.length)")
    page.page.evaluate("() => document.querySelector('#tool-immersive-vr').click()")
    page.until("app.stage.renderer.xr.isPresenting")
    page.frames(3)
    yield page
    page.page.evaluate("() => window.xrDevice.activeSession?.end()")
    page.until("!app.stage.renderer.xr.isPresenting")
    assert page.errors == []


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


def test_a_controller_grabs_a_link_and_drags_it(worn: Opened) -> None:
    page = worn
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


def test_a_ray_from_afar_drags_a_link(worn: Opened) -> None:
    page = worn
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


def test_a_pinch_of_a_hand_drags_a_link(worn: Opened) -> None:
    page = worn
    page.page.evaluate("() => { window.xrDevice.primaryInputMode = 'hand' }")
    page.until("document.querySelector('[data-device=right_tracked_hand].is-live')")
    link = page.ask("app.room.robots.get('arm').joints[4].body")
    assert any(drags_by_pinch(page, link) for _ in range(4))
    page.page.evaluate("() => window.xrDevice.hands.right.updatePinchValue(0)")
    page.until("app.room.states.get('arm').drive === ''")  # it may stand while it is still led
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


def follows_by_grip(page: Opened, high: list[float]) -> bool:
    """Close the grip in free air and move the hand aside; say whether the arm came along.

    As with a pinch: a hand that leaps is let go of.
    """
    squeeze(page, 0)
    page.until("app.room.states.get('arm').tracked_by === ''")
    place(page, "controllers", high)
    page.frames(8)
    squeeze(page, 1)
    page.until("app.room.states.get('arm').tracked_by === 'mover'")
    start = page.tip()
    carry(page, "controllers", high, (0.0, 0.1, 0.0), 8)
    page.ticks(90)
    return page.tip()[1] > start[1] + 0.07


def test_the_grip_in_free_air_is_a_clutch(worn: Opened) -> None:
    page = worn
    high = [page.tip()[0], page.tip()[1], 2.2]  # where nothing is
    page.page.evaluate(
        "() => window.xrDevice.controllers.right.quaternion.set(0.7071, 0, 0, 0.7071)"
    )
    assert any(follows_by_grip(page, high) for _ in range(5))
    squeeze(page, 0)
    page.until("app.room.states.get('arm').tracked_by === ''")
    stopped = page.tip()
    carry(page, "controllers", [high[0], high[1] + 0.1, high[2]], (0.0, 0.1, 0.0), 5)
    assert page.tip() == pytest.approx(stopped, abs=0.01)


def test_an_object_is_carried(worn: Opened) -> None:
    page = worn
    start = page.ask("app.room.node('box').object.position.toArray()")
    place(page, "controllers", start)
    settled(page)
    squeeze(page, 1)
    carry(page, "controllers", start, (0.0, 0.2, 0.0), 10)
    page.until("app.room.node('box').object.position.y > arg + 0.15", start[1])
    squeeze(page, 0)
    page.until("app.room.canUndo")


def test_the_stick_teleports_and_turns(worn: Opened) -> None:
    page = worn
    before = page.ask("app.stage.rig.position.toArray()")
    push(page, 0, -1)
    after = page.ask("app.stage.rig.position.toArray()")
    assert abs(after[0] - before[0]) + abs(after[2] - before[2]) > 0.5
    yaw = page.ask("app.stage.rig.rotation.y")
    push(page, 1, 0)
    assert page.ask("app.stage.rig.rotation.y") == pytest.approx(yaw - 0.5236, abs=1e-3)


def test_leaving_the_headset_stops_the_arm(worn: Opened) -> None:
    page = worn
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


def test_a_wall_bars_the_way(worn: Opened) -> None:
    page = worn
    ahead = page.page.evaluate(BEFORE_THE_HAND, 1.0)
    answer = page.ask("app.connection.command(arg)", f"place wall; {wall_at(ahead)}")
    assert answer["ok"], answer["text"]
    page.until(
        "Math.hypot(app.room.node('wall').object.position.x - arg[0],"
        " app.room.node('wall').object.position.y - arg[1]) < 1e-3",
        ahead,
    )
    before = page.ask("app.stage.rig.position.toArray()")
    push(page, 0, -1)
    assert page.ask("app.stage.rig.position.toArray()") == before
    page.ask("app.connection.command('undo')")
    page.until("app.room.node('wall').object.position.y > 20")
    push(page, 0, -1)
    after = page.ask("app.stage.rig.position.toArray()")
    assert abs(after[0] - before[0]) + abs(after[2] - before[2]) > 0.5


# A place of the room so far before the right hand, and which way the hand points there.
BEFORE_THE_HAND = """(away) => {
  const { room, stage } = window.robotix
  const { position } = window.xrDevice.controllers.right
  const point = stage.camera.position.clone().set(position.x, position.y, position.z - away)
  const [x, y] = room.root.worldToLocal(stage.rig.localToWorld(point)).toArray()
  return [x, y, stage.rig.rotation.y]
}"""


def wall_at(ahead: list[float]) -> str:
    """Return the place of a wall across the way: unturned, it lies across the room's y."""
    x, y, yaw = ahead
    half = yaw / 2
    return f"({x:.4f}, {y:.4f}, 1.2); ({math.cos(half):.5f}, 0, 0, {math.sin(half):.5f})"


def push(page: Opened, x: float, y: float) -> None:
    """Push the right stick, and let it go."""
    stick = "([x, y]) => window.xrDevice.controllers.right.updateAxes('thumbstick', x, y)"
    page.page.evaluate(stick, [x, y])
    page.frames(4)
    page.page.evaluate(stick, [0, 0])
    page.frames(3)


def test_buttons_of_the_menu_are_pressed(worn: Opened) -> None:
    page = worn
    assert page.ask("app.control.isMine")
    press_button(page, "Give control")
    page.until("!app.control.isMine")
    press_button(page, "Take control")
    page.until("app.control.isMine")
    page.ask("app.connection.command('move @2000;(60, *, *, *, *, *, *)')")
    page.until("app.room.states.get('arm').is_moving")
    press_button(page, "Stop")
    check_rest(page)
    assert "stop all" in page.ask("window.sent")
