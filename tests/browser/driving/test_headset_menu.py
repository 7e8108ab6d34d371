"""In an emulated headset: the menu at the wrist, panels, settings, what hands feel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from browser.conftest import Keeper, Opened, OpenPage, Served
from browser.driving.conftest import check_rest
from browser.driving.worn import (
    POINT_AT,
    REST,
    SET_BUTTON,
    buttons,
    point_at_button,
    press_button,
    pull,
    words,
)

JOINT = "app.room.states.get('arm').q[0]"
STICK = "([side, x, y]) => window.xrDevice.controllers[side].updateAxes('thumbstick', x, y)"
# Counts the pulses that a controller gives.
KEEP_PULSES = """() => {
  window.pulses = 0
  for (const side of ['left', 'right']) {
    const [actuator] = window.xrDevice.controllers[side].inputSource.gamepad.hapticActuators
    actuator.pulse = () => { window.pulses += 1; return Promise.resolve(true) }
  }
}"""


@pytest.fixture
def worn(room: Served, keeper: Keeper) -> Iterator[Opened]:
    """A page in control, with the headset on and settings as they come."""
    page = keeper.page(room, query="emulate=quest3", is_drawn=False)
    page.until("document.querySelector('#tool-immersive-vr')")
    page.page.evaluate("() => localStorage.removeItem('robotix.headset')")
    page.page.evaluate(REST)
    if not page.ask("app.control.isMine"):
        assert page.ask("app.control.ask(true)")
    page.page.evaluate("() => document.querySelector('#tool-immersive-vr').click()")
    page.until("app.stage.renderer.xr.isPresenting")
    page.frames(3)
    yield page
    page.page.evaluate("() => window.xrDevice.activeSession?.end()")
    page.until("!app.stage.renderer.xr.isPresenting")
    assert page.errors == []


def receive(page: Opened, message: dict[str, Any]) -> None:
    """Let the page hear something from the room."""
    page.ask(
        "window.sockets.at(-1).dispatchEvent(new MessageEvent('message', {data: arg}))",
        json.dumps(message),
    )


def test_an_action_of_the_room_lasts_as_long_as_the_trigger(worn: Opened) -> None:
    page = worn
    press_button(page, "Actions")
    (does,) = page.ask("app.room.keys.map((hint) => hint.does)")
    assert does in buttons(page)
    start = page.ask(JOINT)
    point_at_button(page, does)
    page.page.evaluate(SET_BUTTON, ["right", "trigger", 1])
    page.until(f"{JOINT} - arg > 0.05", start)
    page.page.evaluate(SET_BUTTON, ["right", "trigger", 0])
    check_rest(page)


def test_what_the_room_says_is_read_at_the_wrist_and_before_the_eyes(worn: Opened) -> None:
    page = worn
    assert "Grip at a thing" in words(page)
    receive(page, {"kind": "said", "text": "Mind the step.", "problem": ""})
    page.until(
        "app.stage.rig.getObjectByName('menu').userData.content.words.includes('Mind the step')"
    )
    page.until("app.stage.rig.getObjectByName('notice').userData.text.includes('Mind the step')")


def test_a_panel_stands_in_the_room_and_its_sliders_move_the_arm(worn: Opened) -> None:
    page = worn
    press_button(page, "Panels")
    press_button(page, "Teach")
    page.until("app.stage.scene.getObjectByName('panel-teach')")
    before = page.ask(JOINT)
    x, y, width, height = page.ask(
        """(() => {
          const panel = document.querySelector('#panel-teach')
          const slider = panel.querySelector('input[type=range]')
          const box = slider.getBoundingClientRect()
          const whole = panel.getBoundingClientRect()
          return [box.left + 0.75 * box.width - whole.left,
                  box.top + box.height / 2 - whole.top, whole.width, whole.height]
        })()"""
    )
    size = page.ask("app.stage.scene.getObjectByName('panel-teach').geometry.parameters")
    at = (x / width - 0.5) * size["width"], (0.5 - y / height) * size["height"]
    page.page.evaluate(POINT_AT, ["panel-teach", *at, "right"])
    page.frames(3)
    pull(page)
    page.until(f"Math.abs({JOINT} - arg) > 0.3", before)
    check_rest(page)
    place = page.ask("app.stage.scene.getObjectByName('panel-teach').position.toArray()")
    page.page.evaluate(SET_BUTTON, ["right", "squeeze", 1])
    page.frames(3)
    page.page.evaluate("() => { window.xrDevice.controllers.right.position.x += 0.3 }")
    page.frames(3)
    page.page.evaluate(SET_BUTTON, ["right", "squeeze", 0])
    moved = page.ask("app.stage.scene.getObjectByName('panel-teach').position.toArray()")
    assert sum((a - b) ** 2 for a, b in zip(moved, place, strict=True)) ** 0.5 == pytest.approx(
        0.3, abs=1e-3
    )
    press_button(page, "Teach")
    page.until("!app.stage.scene.getObjectByName('panel-teach')")
    assert page.ask("document.querySelector('.dock #panel-teach') !== null")


def test_turning_and_going_smoothly_darkens_the_rim(worn: Opened) -> None:
    page = worn
    press_button(page, "Settings")
    for text in ("Turn: 30° steps", "Turn: 45° steps", "Go: teleport"):
        press_button(page, text)
    yaw = page.ask("app.stage.rig.rotation.y")
    page.page.evaluate(STICK, ["right", 1, 0])
    page.until("app.stage.rig.rotation.y < arg - 0.2", yaw)
    page.until("app.stage.rig.getObjectByName('veil').visible")
    start = page.ask("app.stage.rig.position.toArray()")
    page.page.evaluate(STICK, ["right", 0, -1])
    page.until(
        "Math.hypot(app.stage.rig.position.x - arg[0], app.stage.rig.position.z - arg[2]) > 0.1",
        start,
    )
    page.page.evaluate(STICK, ["right", 0, 0])
    page.until("!app.stage.rig.getObjectByName('veil').visible")


def test_a_left_handed_person_drives_with_the_left_hand(worn: Opened) -> None:
    page = worn
    press_button(page, "Settings")
    press_button(page, "Right-handed")
    page.frames(3)
    yaw = page.ask("app.stage.rig.rotation.y")
    page.page.evaluate(STICK, ["left", -1, 0])
    page.until("Math.abs(app.stage.rig.rotation.y - arg - 0.5236) < 1e-3", yaw)
    page.page.evaluate(STICK, ["left", 0, 0])
    page.page.evaluate(REST)
    page.frames(3)
    press_button(page, "Left-handed", "left")  # the menu is at the right wrist now
    assert "Right-handed" in buttons(page)


def test_who_says_that_they_sit_is_lifted_at_once(worn: Opened) -> None:
    page = worn
    height, eyes = page.ask("[app.stage.rig.position.y, window.xrDevice.position.y]")
    press_button(page, "Settings")
    page.page.evaluate("() => { window.xrDevice.position.y = 1.2 }")
    page.frames(3)  # the menu turns to the eyes
    try:
        press_button(page, "I stand")
        page.until("Math.abs(app.stage.rig.position.y - arg - 0.42) < 1e-6", height)
        press_button(page, "I sit")
        page.until("Math.abs(app.stage.rig.position.y - arg) < 1e-6", height)
    finally:
        page.page.evaluate("(eyes) => { window.xrDevice.position.y = eyes }", eyes)


def test_one_is_lifted_and_contacts_are_felt(worn: Opened) -> None:
    page = worn
    height = page.ask("app.stage.rig.position.y")
    press_button(page, "Settings")
    press_button(page, "Higher (+0 cm)")
    page.until("Math.abs(app.stage.rig.position.y - arg - 0.05) < 1e-6", height)
    page.page.evaluate(KEEP_PULSES)
    names = ["arm", "box"]
    receive(page, {"kind": "happened", "what": "collision", "names": names, "state": True})
    page.until("window.pulses > 0")


# Where the headset says that its eyes are, and where they look, in three's world.
EYES = """(() => {
  const { rig, camera } = app.stage
  const { position: p, quaternion: q } = window.xrDevice
  const turn = camera.quaternion.clone().set(q.x, q.y, q.z, q.w)
  const head = camera.position.clone().set(p.x, p.y, p.z).applyMatrix4(rig.matrixWorld)
  const ahead = head.clone().set(0, 0, -1).applyQuaternion(turn)
  return [...head.toArray(), ...ahead.transformDirection(rig.matrixWorld).toArray()]
})()"""
SHOWN = """(() => {
  const m = app.stage.camera.matrixWorld.elements
  return [m[12], m[13], m[14], -m[8], -m[9], -m[10]]
})()"""
MAX_LOOKS = 60
# What is mirrored is what an eye sees, some 32 mm beside the middle of the head.
NEAR = (0.035, 0.035, 0.035, 0.005, 0.005, 0.005)  # m, and of a direction


def test_a_spectator_sees_what_the_headset_sees(
    worn: Opened, room: Served, open_page: OpenPage
) -> None:
    page = worn
    desk = open_page(room, query="role=spectator", is_drawn=False)
    desk.until("app.stage.followed !== undefined")
    page.page.evaluate("""() => {
      const { position, quaternion } = window.xrDevice
      window.before = [position.x, position.z]
      position.x += 0.3
      position.z -= 0.2
      quaternion.set(0, Math.sin(0.3), 0, Math.cos(0.3))
    }""")
    page.frames(3)
    for _ in range(MAX_LOOKS):  # the picture glides to where the headset looks from
        desk.frames(2)
        seen, shown = np.array(page.ask(EYES)), np.array(desk.ask(SHOWN))
        if np.all(np.abs(seen - shown) < NEAR):
            break
    assert np.all(np.abs(seen - shown) < NEAR), (seen, shown)
    page.page.evaluate("""() => {
      const { position, quaternion } = window.xrDevice
      ;[position.x, position.z] = window.before
      quaternion.set(0, 0, 0, 1)
    }""")


def test_labels_stand_in_the_room_and_bare_hands_have_fingers(worn: Opened) -> None:
    page = worn
    signs = """app.stage.scene.children.filter((one) => one.visible && one.userData.text).map(
      (one) => one.userData.text)"""
    page.ask("app.overlays.get('names').toggle(true)")
    page.until(f"{signs}.includes('box')")
    page.ask("app.overlays.get('names').toggle(false)")
    page.until(f"!{signs}.includes('box')")
    fingers = """(() => {
      let seen = 0
      app.stage.rig.traverseVisible((one) => { if (one.isInstancedMesh) seen += one.count })
      return seen
    })()"""
    assert page.ask(fingers) == 0  # a controller
    page.page.evaluate("() => { window.xrDevice.primaryInputMode = 'hand' }")
    page.until(f"{fingers} >= 2 * 25")  # joints of both hands


def test_the_menu_is_drawn_over_everything_and_jumps_fade(worn: Opened) -> None:
    page = worn
    assert page.ask("app.stage.rig.getObjectByName('menu').material.depthTest") is False
    page.ask(
        """(() => {
          const fade = app.stage.rig.getObjectByName('veil').material.uniforms.fade
          window.darkest = 0
          window.watching = app.stage.onFrame(() => {
            window.darkest = Math.max(window.darkest, fade.value)
          })
        })()"""
    )
    press_button(page, "Reset view")
    page.until("window.darkest > 0.5")
    page.until("!app.stage.rig.getObjectByName('veil').visible")
    page.ask("window.watching()")
