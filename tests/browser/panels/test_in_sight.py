"""What must be seen is seen: Stop and the robot on a phone, and what is below the hand."""

from __future__ import annotations

import pytest
from browser.conftest import SIZE, Keeper, Opened, Served
from browser.panels.conftest import PHONE

# Whether nothing covers the middle of Stop: that of the page, or in Teach its own.
STOP_IS_FREE = """[...document.querySelectorAll('button')].some((stop) => {
  if (stop.textContent.trim().toLowerCase() !== 'stop') return false
  const { left, top, width, height } = stop.getBoundingClientRect()
  const met = document.elementFromPoint(left + width / 2, top + height / 2)
  return width > 40 && height > 28 && stop.contains(met)
})"""
# Where the foot and the hand of the arm are on the screen, in pixels.
ARM = """(() => {
  const { camera, canvas } = app.stage
  camera.updateMatrixWorld()
  const robot = app.room.robots.get('arm')
  return [app.room.nodes[robot.row].info.name, robot.tip].map((name) => {
    const at = app.room.node(name).object.getWorldPosition(camera.position.clone()).project(camera)
    return [(at.x + 1) / 2 * canvas.clientWidth, (1 - at.y) / 2 * canvas.clientHeight]
  })
})()"""
RING = """(() => {
  const ring = app.room.root.children.find((one) => one.geometry?.type === 'RingGeometry')
  return ring.visible ? ring.position.toArray() : undefined
})()"""


@pytest.fixture
def page(room: Served, keeper: Keeper) -> Opened:
    """A page in control."""
    one = keeper.page(room, is_drawn=False)
    if not one.ask("app.control.isMine"):
        one.ask("app.control.ask(true)")
    one.until("app.control.isMine")
    return one


def test_stop_and_the_robot_are_seen_beside_every_sheet_of_a_phone(page: Opened) -> None:
    page.resize(PHONE)
    try:
        for panel in ("teach", "figures", "view", "tree", "messages", "share"):
            page.ask("app.shell.open(arg, true)", panel)
            page.ask("app.stage.focus('arm')")
            page.still()
            sheet = page.page.locator(f"#panel-{panel}").bounding_box()
            assert sheet is not None
            for x, y in page.ask(ARM):
                assert 0 < x < PHONE[0] and 0 < y < sheet["y"], panel
            assert page.ask(STOP_IS_FREE), panel
            page.ask("app.shell.open(arg, false)", panel)
    finally:
        page.resize(SIZE)


def test_a_ring_marks_what_the_hand_is_above(page: Opened) -> None:
    x, y, height = page.ask("app.room.states.get('arm').tip")
    assert height > 0.35
    try:
        assert page.ask("app.connection.command(arg)", f"place table; ({x}, {y}, 0.15)")["ok"]
        page.until(f"{RING}?.every((value, k) => Math.abs(value - arg[k]) < 2e-3)", [x, y, 0.3])
    finally:
        page.ask("app.connection.command('place table; (0.9, 0.8, 0.15)')")
