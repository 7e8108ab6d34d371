"""The arm and things are dragged, by mouse and by finger."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from browser.conftest import Opened
from browser.driving.conftest import (
    MIDDLE_SIZE,
    PHONE,
    SPEED,
    Drive,
    back_to_start,
    check_rest,
    command,
    speed_of,
    travel,
)

MIDDLE_ON_SCREEN = """(name) => {
  const { stage, room } = window.robotix
  const { object } = room.node(name)
  const seen = object.getWorldPosition(object.position.clone()).project(stage.camera)
  const box = stage.canvas.getBoundingClientRect()
  return [(seen.x + 1) / 2 * box.width, (1 - seen.y) / 2 * box.height]
}"""
# Where a point is on the screen that lies so far ahead (along x) of another.
AHEAD_ON_SCREEN = """([[x, y, z], far]) => {
  const { stage, room } = window.robotix
  const at = room.root.position.clone().set(x + far, y, z)
  const seen = room.root.localToWorld(at).project(stage.camera)
  const box = stage.canvas.getBoundingClientRect()
  return [(seen.x + 1) / 2 * box.width, (1 - seen.y) / 2 * box.height]
}"""
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


def test_a_link_that_is_dragged_comes_to_the_mouse(drive: Drive) -> None:
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
    now = page.ask("app.stage.camera.matrixWorld.elements")
    assert now == pytest.approx(camera, abs=1e-4)  # it may still have been settling
    assert page.ask("app.stage.cameraIsFree")
    q = page.ask("app.room.states.get('arm').q")
    found = find(page, "arm/link4")  # and a click chooses, but moves nothing
    page.page.mouse.click(found["x"], found["y"])
    page.until("app.selection.node?.info.name === 'arm/link4'")
    assert page.ask("app.room.states.get('arm').q") == q


def test_the_ball_follows_the_mouse_and_the_handle_one_axis(drive: Drive) -> None:
    page = drive(drives=False, size=MIDDLE_SIZE)
    page.ask("app.stage.focus('arm/flange')")
    page.still()
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
    x, y = page.page.evaluate(MIDDLE_ON_SCREEN, page.ask("app.room.robots.get('arm').tip"))
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
    drive: Drive,
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


def test_a_drawer_is_pulled_the_way_it_goes_and_shut_by_undo(drive: Drive) -> None:
    page = drive(drives=False, size=MIDDLE_SIZE)
    place = "app.room.node('drawer').object.position.toArray()"
    start = page.ask(place)
    page.ask("app.stage.focus('drawer')")
    page.still()
    found = find(page, "drawer")
    x, y = page.page.evaluate(AHEAD_ON_SCREEN, [found["at"], 0.2])
    page.page.mouse.move(found["x"], found["y"])
    page.page.mouse.down()
    page.page.mouse.move(x, y, steps=6)
    page.until(f"Math.abs({place}[0] - arg - 0.2) < 0.02", start[0])  # it stays below the mouse
    page.page.mouse.up()
    page.until("app.room.canUndo")
    pulled = np.array(page.ask(place)) - start
    np.testing.assert_allclose(pulled[1:], 0, atol=1e-6)
    assert pulled[0] <= 0.3 + 1e-6
    command(page, "undo")
    page.until(f"Math.abs({place}[0] - arg) < 1e-4", start[0])


def test_fingers_drive_the_arm_by_a_stick_on_the_screen_or_by_a_link(
    drive: Drive,
) -> None:
    page = drive(drives=False, size=PHONE, has_touch=True)
    page.page.click(".stick-button")
    box = page.page.locator(".touch-stick-pad").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x, y - 60, steps=3)
    np.testing.assert_allclose(speed_of(travel(page, 0.12)), (SPEED, 0, 0), atol=0.04)
    page.page.mouse.up()
    check_rest(page)
    page.page.click(".stick-button")
    back_to_start(page)
    page.frames(2)
    link = "arm/link4"
    found = find(page, link)
    page.page.evaluate(HOLD, [link, found["at"]])
    x, y = found["x"], found["y"]
    fingers = Fingers(page)
    fingers.put("touchStart", (x, y))
    for step in range(1, 7):
        fingers.put("touchMove", (x + 5 * step, y - 2 * step))
    page.until(f"Math.hypot(...(({SCREEN})()).map((v, i) => v - arg[i])) < 5", [x + 30, y - 12])
    fingers.put("touchEnd")
    check_rest(page)


def test_two_fingers_zoom_and_move_the_view_and_no_arm(drive: Drive) -> None:
    page = drive(drives=False, size=PHONE, has_touch=True)
    found = find(page, "arm/link4")  # one of them is on a link
    x, y, q = found["x"], found["y"], page.ask("app.room.states.get('arm').q")
    away = """(() => {
      const eye = app.stage.camera.position
      return eye.distanceTo(app.room.node('arm/link4').object.getWorldPosition(eye.clone()))
    })()"""
    before = page.ask(away)
    fingers = Fingers(page)
    fingers.put("touchStart", (x, y))
    fingers.put("touchStart", (x, y), (x, y - 80))
    for step in range(1, 7):
        fingers.put("touchMove", (x, y), (x, y - 80 - 10 * step))
    page.until(f"{away} < 0.8 * arg", before)
    page.still()
    place = page.ask("app.stage.camera.position.toArray()")
    turn = page.ask("app.stage.camera.quaternion.toArray()")
    for step in range(1, 7):
        fingers.put("touchMove", (x + 10 * step, y), (x + 10 * step, y - 140))
    page.until(
        "app.stage.camera.position.toArray().some((v, k) => Math.abs(v - arg[k]) > 0.01)", place
    )
    fingers.put("touchEnd")
    assert page.ask("app.stage.camera.quaternion.toArray()") == pytest.approx(turn, abs=1e-3)
    assert page.ask("app.room.states.get('arm').q") == pytest.approx(q, abs=1e-9)


class Fingers:
    """What touches the screen; as many as there are places."""

    def __init__(self, page: Opened) -> None:
        self._session = page.page.context.new_cdp_session(page.page)

    def put(self, kind: str, *points: tuple[float, float]) -> None:
        """Say where all of them are now."""
        places = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})


def test_a_ring_of_the_handle_turns_an_object_about_its_middle(drive: Drive) -> None:
    page = drive(drives=False, size=MIDDLE_SIZE)
    page.ask("app.stage.focus('box')")
    page.still()
    page.ask("app.selection.choose('box')")
    page.page.locator(".gizmo-bar").get_by_role("button", name="Turn").click()
    page.frames(3)
    axis = "app.stage.scene.children.find((child) => child.isTransformControlsRoot).controls.axis"
    x, y = page.page.evaluate(MIDDLE_ON_SCREEN, "box")
    for reach in range(16, 120, 3):  # outwards, until the mouse is on a ring
        page.page.mouse.move(x + reach, y)
        if page.ask(axis) in ("X", "Y", "Z"):
            break
    start = page.ask("app.room.node('box').object.position.toArray()")
    page.page.mouse.down()
    page.page.mouse.move(x + reach, y - 40, steps=6)
    page.page.mouse.move(x + reach - 20, y - 80, steps=6)
    page.page.mouse.up()
    turned = "Math.abs(app.room.node('box').object.quaternion.w) < 0.98"
    page.until(f"{turned} && app.room.canUndo")
    now = page.ask("app.room.node('box').object.position.toArray()")
    assert now == pytest.approx(start, abs=1e-3)
    command(page, "undo")
    page.until(f"!({turned})")
    page.page.locator(".gizmo-bar").get_by_role("button", name="Move").click()
