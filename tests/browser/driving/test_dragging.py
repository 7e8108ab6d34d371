"""The arm and things are dragged, by mouse and by finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.conftest import Opened
from browser.driving.conftest import (
    MIDDLE_SIZE,
    SPEED,
    back_to_start,
    check_rest,
    command,
    speed_of,
    travel,
)

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
    now = page.ask("app.stage.camera.matrixWorld.elements")
    assert now == pytest.approx(camera, abs=1e-4)  # it may still have been settling
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
