"""Whatever is at hand drives the arm: keys, gamepad, joystick, SpaceMouse, mouse and finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.conftest import Opened, OpenPage, Served, ServeRoom
from browser.patience import patient_devices

MIDDLE_SIZE = (800, 500)  # pixels: wide enough for the page to be laid out as on a desk
SPEED = 0.25  # m/s at full deflection, see robotix.scene.tracking
START = "(0, 30, 0, -70, 0, 50, 0)"  # degrees
SCENE = """\
robotix: 1
name: Input
robots:
  arm: {model: kuka_lwr, q_deg: [0, 30, 0, -70, 0, 50, 0]}
objects:
  box: {box: [0.2, 0.2, 0.2], at: [0.1, 0.55, 0.1], material: {colour: blue}}
rules:
  - {when: {key: J}, mode: reflect, do: {step: {by_deg: [0.5, 0, 0, 0, 0, 0, 0]}}}
"""
# Keeps the tip of the arm at every word about it.
KEEP_TIPS = """() => {
  window.tips = []
  window.robotix.connection.on('robots', (message) => {
    const arm = message.robots.find((robot) => robot.name === 'arm')
    window.tips.push([message.time, ...arm.tip])
  })
}"""
CLOSE_PANELS = """() => {
  for (const button of document.querySelectorAll('.rail [aria-expanded=true]')) button.click()
  document.querySelector('[data-id=greeting] button')?.click()
}"""
GAMEPAD = """
window.pad = {
  id: 'Test pad (STANDARD GAMEPAD)', index: 0, connected: true, mapping: 'standard', timestamp: 0,
  axes: [0, 0, 0, 0], buttons: Array.from({length: 17}, () => ({value: 0, pressed: false})),
}
navigator.getGamepads = () => [window.pad]
"""
JOYSTICK = """
window.pad = {
  id: 'Test stick', index: 0, connected: true, mapping: '', timestamp: 0,
  axes: [0, 0, 0, 0.8], buttons: Array.from({length: 8}, () => ({value: 0, pressed: false})),
}
navigator.getGamepads = () => [window.pad]
"""
# One that tells all six axes in one report, and one that tells them by threes, to other ends.
SPACE_MOUSE = """
const axis = (usages, full) => ({
  usages: usages.map((usage) => 0x10000 + usage), reportSize: 16, reportCount: usages.length,
  logicalMinimum: -full, logicalMaximum: full, isConstant: false, isRange: false,
})
const button = {
  isRange: true, usageMinimum: 0x90001, usageMaximum: 0x90002, reportSize: 1, reportCount: 2,
  logicalMinimum: 0, logicalMaximum: 1,
}
const [shifts, turns] = [[0x30, 0x31, 0x32], [0x33, 0x34, 0x35]]
const layouts = [
  [{reportId: 1, items: [axis([...shifts, ...turns], 350)]}],
  [{reportId: 1, items: [axis(shifts, 500)]}, {reportId: 2, items: [axis(turns, 500)]}],
]
class Mouse extends EventTarget {
  opened = false
  vendorId = 0x256f
  productId = 0xc635
  productName = 'Test mouse'
  constructor(reports) {
    super()
    const inputReports = [...reports, {reportId: 3, items: [button]}]
    this.collections = [{usagePage: 1, usage: 8, inputReports}]
  }
  async open() { this.opened = true }
  async close() { this.opened = false }
  say(reportId, values) {
    const data = new DataView(new Int16Array(values).buffer)
    this.dispatchEvent(Object.assign(new Event('inputreport'), {reportId, device: this, data}))
  }
}
window.mice = layouts.map((reports) => new Mouse(reports))
class Hid extends EventTarget {
  async getDevices() { return [window.mice[0]] }
  async requestDevice() { return [window.mice[0]] }
}
Object.defineProperty(navigator, 'hid', {value: new Hid()})
window.swap = () => {
  const [first, second] = window.mice
  navigator.hid.dispatchEvent(Object.assign(new Event('disconnect'), {device: first}))
  navigator.hid.dispatchEvent(Object.assign(new Event('connect'), {device: second}))
}
"""
SOCKETS = """
window.sockets = []
window.WebSocket = class extends window.WebSocket {
  constructor(...args) { super(...args); window.sockets.push(this) }
}
"""


@pytest.fixture(scope="module")
def room(serve_module: ServeRoom, tmp_path_factory: pytest.TempPathFactory) -> Served:
    """One room for all tests here."""
    devices = patient_devices(tmp_path_factory.mktemp("devices"))
    return serve_module(SCENE, "--devices", str(devices))


@pytest.fixture
def drive(room: Served, open_page: OpenPage) -> Callable[..., Opened]:
    """Open a page in control, the arm in its first posture."""

    def open_one(*, drives: bool = True, **options: Any) -> Opened:
        page = open_page(room, **options)
        page.until("app.control.isMine")
        page.page.evaluate(CLOSE_PANELS)
        page.page.evaluate(KEEP_TIPS)
        back_to_start(page)
        if drives:
            page.page.click(".drive-button")
        page.until("app.room.nodes.every((n) => n.object.children.length >= n.info.visuals.length)")
        page.ask("app.stage.focus()")
        page.frames(3)  # by now the camera is where it will stay
        return page

    return open_one


def command(page: Opened, line: str) -> None:
    """Send a line, and see that it worked."""
    answer = page.ask("app.connection.command(arg)", line)
    assert answer["ok"], answer["text"]


def travel(page: Opened, metres: float) -> np.ndarray[Any, Any]:
    """Wait until the tip went so far; return times and places on the way."""
    page.until(
        "window.tips.length > 3 && Math.hypot(...[1, 2, 3].map("
        " (i) => window.tips.at(-1)[i] - window.tips[0][i])) > arg",
        metres,
    )
    return np.array(page.ask("window.tips"))


def speed_of(tips: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the usual velocity of a way, without the times when it stood."""
    steps = np.diff(tips, axis=0)
    velocities = steps[:, 1:] / steps[:, :1]
    moving = velocities[np.linalg.norm(velocities, axis=1) > 0.01]
    median: np.ndarray[Any, Any] = np.median(moving, axis=0)
    return median


def check_rest(page: Opened) -> None:
    """Wait until the arm stands, and see that it stays."""
    page.until("app.room.states.get('arm').is_moving === false")
    q = page.ask("app.room.states.get('arm').q")
    page.ticks(30)
    np.testing.assert_allclose(page.ask("app.room.states.get('arm').q"), q, atol=1e-9)


def back_to_start(page: Opened) -> None:
    """Go to the first posture, and forget the way so far."""
    command(page, f"move @30;{START}")
    page.ticks(40)
    page.until("app.room.states.get('arm').is_moving === false")
    page.ticks(10)  # words about the way there have come by now
    page.page.evaluate("() => { window.tips.length = 0 }")


def test_keys_move_the_tip_their_way_until_the_page_is_left(drive: Callable[..., Opened]) -> None:
    page = drive()
    for key, direction in {"ArrowRight": (0, -1, 0), "PageDown": (0, 0, -1)}.items():
        page.page.keyboard.down(key)
        velocity = speed_of(travel(page, 0.05))
        page.page.keyboard.up(key)
        np.testing.assert_allclose(velocity, SPEED * np.array(direction), atol=0.04)
        check_rest(page)
        back_to_start(page)
    page.page.keyboard.down("ArrowUp")
    np.testing.assert_allclose(speed_of(travel(page, 0.05)), (SPEED, 0, 0), atol=0.04)
    page.page.evaluate("() => window.dispatchEvent(new FocusEvent('blur'))")
    check_rest(page)  # though the key is still down


def test_keys_of_rules_work_but_not_while_typing(drive: Callable[..., Opened]) -> None:
    page = drive(drives=False)
    page.page.keyboard.down("j")
    page.until("app.room.states.get('arm').q[0] > 0.1")
    page.page.keyboard.up("j")
    check_rest(page)
    q = page.ask("app.room.states.get('arm').q[0]")
    page.page.evaluate(
        "() => { const field = document.createElement('input'); field.id = 'field';"
        " document.body.append(field); field.focus() }"
    )
    page.page.keyboard.down("j")
    page.ticks(30)
    page.page.keyboard.up("j")
    assert page.ask("document.getElementById('field').value").startswith("j")
    assert page.ask("app.room.states.get('arm').q[0]") == pytest.approx(q, abs=1e-9)


def test_a_gamepad_moves_the_tip_as_far_as_it_is_pushed(drive: Callable[..., Opened]) -> None:
    page = drive(init=GAMEPAD)
    page.until("document.querySelector('[data-device=gamepad].is-live')")
    page.page.evaluate("() => { window.pad.axes = [0, -1, 0, 0] }")
    fast = speed_of(travel(page, 0.06))
    np.testing.assert_allclose(fast, (SPEED, 0, 0), atol=0.04)
    half = 0.12 + 0.88 * 0.6  # beyond the dead zone; the curve is a square
    page.page.evaluate("(half) => { window.pad.axes = [half, 0, 0, 0] }", half)
    page.page.evaluate("() => { window.tips.length = 0 }")
    slow = speed_of(travel(page, 0.06))
    np.testing.assert_allclose(slow, (0, -SPEED * 0.36, 0), atol=0.03)
    page.page.evaluate("() => { window.pad.axes = [0, 0, 0, 0] }")
    check_rest(page)


def test_a_joystick_moves_the_tip_wherever_its_throttle_is(drive: Callable[..., Opened]) -> None:
    page = drive(init=JOYSTICK)
    page.until("document.querySelector('[data-device=joystick].is-live')")
    page.page.evaluate("() => { window.pad.axes = [-1, 0, 0, 0.8] }")
    np.testing.assert_allclose(speed_of(travel(page, 0.06)), (0, SPEED, 0), atol=0.04)
    page.page.evaluate("() => { window.pad.connected = false }")  # unplugged while pushed
    check_rest(page)


def test_space_mice_move_the_tip_however_they_pack_their_reports(
    drive: Callable[..., Opened],
) -> None:
    page = drive(init=SPACE_MOUSE)
    live = "document.querySelector('[data-device=space_mouse].is-live')"
    page.until(live)
    page.page.evaluate("() => window.mice[0].say(1, [0, 0, -350, 0, 0, 0])")
    velocity = speed_of(travel(page, 0.05))  # the device is silent while it is held like this
    np.testing.assert_allclose(velocity, (0, 0, SPEED), atol=0.04)
    page.page.evaluate("() => window.swap()")  # unplugged while pushed, and another one comes
    check_rest(page)
    back_to_start(page)
    page.until(live)
    page.page.evaluate("() => window.mice[1].say(2, [0, 0, 0])")
    page.page.evaluate("() => window.mice[1].say(1, [500, 0, 0])")
    np.testing.assert_allclose(speed_of(travel(page, 0.05)), (0, -SPEED, 0), atol=0.04)
    page.page.evaluate("() => window.mice[1].say(1, [0, 0, 0])")
    check_rest(page)


def test_a_lost_connection_stops_the_arm_and_needs_a_new_push(
    drive: Callable[..., Opened],
) -> None:
    page = drive(init=SOCKETS, allow_errors=True)
    page.page.keyboard.down("ArrowUp")
    travel(page, 0.04)
    page.page.evaluate("() => window.sockets.at(-1).close()")
    page.until("app.connection.state !== 'open'")
    page.until("app.connection.state === 'open' && app.control.isMine")
    page.until("app.room.states.size > 0")
    check_rest(page)  # though the key is still down
    page.page.keyboard.up("ArrowUp")


def test_who_watches_sends_nothing_and_sees_the_arm_stop_with_its_driver(
    drive: Callable[..., Opened], room: Served, open_page: OpenPage
) -> None:
    page = drive()
    watcher = open_page(room, init=SOCKETS)
    assert not watcher.ask("app.control.isMine")
    watcher.page.evaluate(
        "() => { const socket = window.sockets.at(-1); const send = socket.send.bind(socket);"
        " window.sent = []; socket.send = (text) => { window.sent.push(JSON.parse(text).kind);"
        " send(text) } }"
    )
    watcher.page.keyboard.down("ArrowUp")
    watcher.ticks(40)
    watcher.page.keyboard.up("ArrowUp")
    assert "device" not in watcher.ask("window.sent")
    assert not watcher.ask("document.querySelector('.device-list .is-live')")
    check_rest(page)
    page.page.keyboard.down("ArrowUp")
    travel(page, 0.04)
    page.page.close()
    watcher.until("app.control.holder === ''")
    check_rest(watcher)


# A place on a node that the mouse can press: a pixel, and the point of the room that is there.
FIND = """(name) => {
  const app = window.robotix
  const box = app.stage.canvas.getBoundingClientRect()
  for (const part of app.room.node(name).object.children) {
    if (!part.isMesh) continue
    part.geometry.computeBoundingBox()
    part.updateWorldMatrix(true, false)
    const middle = part.geometry.boundingBox.getCenter(part.position.clone())
    const seen = part.localToWorld(middle).project(app.stage.camera)
    for (const dx of [0, -8, 8, -16, 16]) for (const dy of [0, -8, 8, -16, 16]) {
      const x = Math.round((seen.x + 1) / 2 * box.width + dx)
      const y = Math.round((1 - seen.y) / 2 * box.height + dy)
      if (document.elementFromPoint(x, y) !== app.stage.canvas) continue
      const picked = app.stage.pick({clientX: x, clientY: y})
      if (picked?.node.info.name === name) return {x, y, at: picked.point.toArray()}
    }
  }
}"""
# Where a point of a link, given as it was at first, is on the screen now.
HOLD = """([name, at]) => {
  const app = window.robotix
  const { object } = app.room.node(name)
  object.updateWorldMatrix(true, false)
  const point = object.position.clone().fromArray(at)
  window.held = {object, local: object.worldToLocal(app.room.root.localToWorld(point))}
}"""
SCREEN = """() => {
  const { stage } = window.robotix
  const { object, local } = window.held
  object.updateWorldMatrix(true, false)
  stage.camera.updateMatrixWorld(true)
  const seen = object.localToWorld(local.clone()).project(stage.camera)
  const box = stage.canvas.getBoundingClientRect()
  return [(seen.x + 1) / 2 * box.width, (1 - seen.y) / 2 * box.height]
}"""


def find(page: Opened, node: str) -> dict[str, Any]:
    """Return a place on a node that the mouse can press, once it is drawn."""
    page.until(f"({FIND})(arg)", node)
    found: dict[str, Any] = page.page.evaluate(FIND, node)
    return found


def test_a_link_that_is_dragged_comes_to_the_mouse(drive: Callable[..., Opened]) -> None:
    page = drive(drives=False, size=MIDDLE_SIZE)
    link = "arm/link6"
    found = find(page, link)
    page.page.evaluate(HOLD, [link, found["at"]])
    camera = page.ask("app.stage.camera.matrixWorld.elements")
    x, y = found["x"], found["y"]
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + 12, y - 10, steps=4)
    page.page.mouse.move(x + 30, y - 24, steps=6)
    page.until(f"Math.hypot(...(({SCREEN})()).map((v, i) => v - arg[i])) < 4", [x + 30, y - 24])
    page.page.mouse.up()
    check_rest(page)
    assert page.ask("app.stage.camera.matrixWorld.elements") == camera
    assert page.ask("app.stage.cameraIsFree")
    q = page.ask("app.room.states.get('arm').q")
    found = find(page, "arm/link4")  # and a click chooses, but moves nothing
    page.page.mouse.click(found["x"], found["y"])
    page.until("app.selection.node?.info.name === 'arm/link4'")
    assert page.ask("app.room.states.get('arm').q") == q


def test_the_ball_follows_the_mouse_and_the_handle_one_axis(drive: Callable[..., Opened]) -> None:
    page = drive(drives=False, size=MIDDLE_SIZE)
    page.ask("app.stage.focus('arm/flange')")
    page.frames(3)
    page.page.evaluate(HOLD, ["arm/flange", page.tip()])
    x, y = page.page.evaluate(SCREEN)
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x - 20, y + 30, steps=8)
    page.until("app.room.states.get('arm').drive !== ''")
    page.until(f"Math.hypot(...(({SCREEN})()).map((v, i) => v - arg[i])) < 4", [x - 20, y + 30])
    page.page.mouse.up()
    check_rest(page)
    back_to_start(page)
    page.ask("app.selection.choose('arm/flange')")
    page.until("!document.querySelector('.gizmo-bar').hidden")
    page.frames(3)
    start = np.array(page.tip())
    # The upright arrow: from the tip, up the screen.
    x, y = page.page.evaluate(
        """() => {
          const { stage, room } = window.robotix
          const node = room.node(room.robots.get('arm').tip).object
          const seen = node.getWorldPosition(node.position.clone()).project(stage.camera)
          const box = stage.canvas.getBoundingClientRect()
          return [(seen.x + 1) / 2 * box.width, (1 - seen.y) / 2 * box.height]
        }"""
    )
    page.page.mouse.move(x, y - 40)
    page.frames(2)
    page.page.mouse.down()
    page.page.mouse.move(x, y - 80, steps=6)
    page.until("Math.abs(app.room.states.get('arm').tip[2] - arg) > 0.02", start[2])
    page.page.mouse.up()
    check_rest(page)
    shift = np.array(page.tip()) - start
    assert shift[2] > 0.02
    np.testing.assert_allclose(shift[:2], 0, atol=0.01)


def test_an_object_is_moved_only_when_chosen_and_back_by_undo(
    drive: Callable[..., Opened],
) -> None:
    page = drive(drives=False, size=MIDDLE_SIZE)
    start = page.ask("app.room.node('box').object.position.toArray()")
    page.ask("app.selection.choose('box')")
    page.frames(3)
    found = find(page, "box")
    page.page.mouse.move(found["x"], found["y"])
    page.page.mouse.down()
    page.page.mouse.move(found["x"] + 40, found["y"] - 6, steps=6)
    page.page.mouse.up()
    page.until(
        "Math.hypot(...app.room.node('box').object.position.toArray().map((v, i) => v - arg[i]))"
        " > 0.02 && app.room.canUndo",
        start,
    )
    command(page, "undo")
    page.until(
        "Math.hypot(...app.room.node('box').object.position.toArray().map((v, i) => v - arg[i]))"
        " < 1e-4",
        start,
    )


def test_fingers_drive_the_arm_by_a_stick_on_the_screen_or_by_a_link(
    drive: Callable[..., Opened],
) -> None:
    page = drive(drives=False, size=(390, 844), has_touch=True)
    page.page.click(".stick-button")
    box = page.page.locator(".touch-stick-pad").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x, y - 60, steps=3)
    np.testing.assert_allclose(speed_of(travel(page, 0.06)), (SPEED, 0, 0), atol=0.04)
    page.page.mouse.up()
    check_rest(page)
    page.page.click(".stick-button")
    back_to_start(page)
    page.frames(2)
    link = "arm/link4"
    found = find(page, link)
    page.page.evaluate(HOLD, [link, found["at"]])
    session = page.page.context.new_cdp_session(page.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    x, y = found["x"], found["y"]
    touch("touchStart", (x, y))
    for step in range(1, 7):
        touch("touchMove", (x + 5 * step, y - 2 * step))
    page.until(f"Math.hypot(...(({SCREEN})()).map((v, i) => v - arg[i])) < 5", [x + 30, y - 12])
    touch("touchEnd")
    check_rest(page)
