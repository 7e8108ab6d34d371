"""Whatever is at hand drives the arm: keys, gamepad, joystick, SpaceMouse."""

from __future__ import annotations

import numpy as np
import pytest
from browser.driving.conftest import (
    SPEED,
    Drive,
    back_to_start,
    check_rest,
    speed_of,
    travel,
)

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


def test_keys_move_the_tip_their_way_until_the_page_is_left(drive: Drive) -> None:
    page = drive()
    for key, direction in {"ArrowRight": (0, -1, 0), "PageDown": (0, 0, -1)}.items():
        page.page.keyboard.down(key)
        velocity = speed_of(travel(page, 0.12))
        page.page.keyboard.up(key)
        np.testing.assert_allclose(velocity, SPEED * np.array(direction), atol=0.04)
        check_rest(page)
        back_to_start(page)
    page.page.keyboard.down("ArrowUp")
    np.testing.assert_allclose(speed_of(travel(page, 0.12)), (SPEED, 0, 0), atol=0.04)
    page.page.evaluate("() => window.dispatchEvent(new FocusEvent('blur'))")
    check_rest(page)  # though the key is still down
    page.page.keyboard.up("ArrowUp")


def test_keys_of_rules_work_but_not_while_typing(drive: Drive) -> None:
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
    page.ask("void (window.sent.length = 0)")
    page.page.keyboard.press("Control+z")  # undoes what was typed, not what was moved
    page.until("document.getElementById('field').value === ''")
    assert "undo" not in page.ask("window.sent")


def test_a_gamepad_moves_the_tip_as_far_as_it_is_pushed(drive: Drive) -> None:
    page = drive()
    page.page.evaluate(GAMEPAD)
    page.until("document.querySelector('[data-device=gamepad].is-live')")
    page.page.evaluate("() => { window.pad.axes = [0, -1, 0, 0] }")
    fast = speed_of(travel(page, 0.12))
    np.testing.assert_allclose(fast, (SPEED, 0, 0), atol=0.04)
    half = 0.12 + 0.88 * 0.6  # beyond the dead zone; the curve is a square
    page.page.evaluate("(half) => { window.pad.axes = [half, 0, 0, 0] }", half)
    page.page.evaluate("() => { window.tips.length = 0 }")
    slow = speed_of(travel(page, 0.12))
    np.testing.assert_allclose(slow, (0, -SPEED * 0.36, 0), atol=0.03)
    page.page.evaluate("() => { window.pad.axes = [0, 0, 0, 0] }")
    check_rest(page)


def test_a_joystick_moves_the_tip_wherever_its_throttle_is(drive: Drive) -> None:
    page = drive()
    page.page.evaluate(JOYSTICK)
    page.until("document.querySelector('[data-device=joystick].is-live')")
    page.page.evaluate("() => { window.pad.axes = [-1, 0, 0, 0.8] }")
    np.testing.assert_allclose(speed_of(travel(page, 0.12)), (0, SPEED, 0), atol=0.04)
    page.page.evaluate("() => { window.pad.connected = false }")  # unplugged while pushed
    check_rest(page)


def test_space_mice_move_the_tip_however_they_pack_their_reports(
    drive: Drive,
) -> None:
    page = drive(is_new=True, init=SPACE_MOUSE)
    live = "document.querySelector('[data-device=space_mouse].is-live')"
    page.until(live)
    page.page.evaluate("() => window.mice[0].say(1, [0, 0, -350, 0, 0, 0])")
    velocity = speed_of(travel(page, 0.12))  # the device is silent while it is held like this
    np.testing.assert_allclose(velocity, (0, 0, SPEED), atol=0.04)
    page.page.evaluate("() => window.swap()")  # unplugged while pushed, and another one comes
    check_rest(page)
    back_to_start(page)
    page.until(live)
    page.page.evaluate("() => window.mice[1].say(2, [0, 0, 0])")
    page.page.evaluate("() => window.mice[1].say(1, [500, 0, 0])")
    np.testing.assert_allclose(speed_of(travel(page, 0.12)), (0, -SPEED, 0), atol=0.04)
    page.page.evaluate("() => window.mice[1].say(1, [0, 0, 0])")
    check_rest(page)


def test_a_lost_connection_stops_the_arm_and_needs_a_new_push(
    drive: Drive,
) -> None:
    page = drive()
    page.page.keyboard.down("ArrowUp")
    travel(page, 0.04)
    page.page.evaluate("() => window.sockets.at(-1).close()")
    page.until("app.connection.state !== 'open'")
    page.until("app.connection.state === 'open' && app.control.isMine")
    page.until("app.room.states.size > 0")
    check_rest(page)  # though the key is still down
    page.page.keyboard.up("ArrowUp")


def test_who_watches_sends_nothing_and_sees_the_arm_stop_with_its_driver(
    drive: Drive,
) -> None:
    watcher = drive(drives=False)
    page = drive(is_new=True)
    watcher.until("!app.control.isMine")
    watcher.ask("void (window.sent.length = 0)")
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
