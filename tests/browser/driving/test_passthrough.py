"""In an emulated headset that sees through: the robot on the real table, the room matched."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from browser.conftest import Keeper, Opened, Served
from browser.driving.worn import REST, buttons, press_button, pull, words
from numpy.typing import NDArray

Array = NDArray[np.float64]
LANDMARKS = ("box", "drawer", "knob", "arm")
# Where a controller takes hold and where it points, in the person's own room, as WebXR says.
HAND = """() => new Promise((resolve) => {
  const { xr } = window.robotix.stage.renderer
  xr.getSession().requestAnimationFrame((time, frame) => {
    const source = [...frame.session.inputSources].find((one) => one.handedness === 'right')
    const space = xr.getReferenceSpace()
    const grip = frame.getPose(source.gripSpace, space).transform
    const ray = frame.getPose(source.targetRaySpace, space).transform
    const p = grip.position
    resolve({ at: [p.x, p.y, p.z], matrix: [...ray.matrix] })
  })
})"""
MOVE = """([x, y, z, yaw]) => {
  const { position, quaternion } = window.xrDevice.controllers.right
  position.set(x, y, z)
  quaternion.set(0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2))
}"""
# A node as the person has it: its place, and where its x axis points, in the real room.
SEEN = """(() => {
  const { rig } = app.stage
  rig.updateMatrixWorld(true)
  const node = app.room.node(arg).object
  node.updateWorldMatrix(true, false)
  const pose = rig.matrixWorld.clone().invert().multiply(node.matrixWorld).elements
  return { at: [...pose.slice(12, 15)], ahead: [...pose.slice(0, 3)] }
})()"""
SHOWN = "(app.room.node(arg).object.visible)"


@pytest.fixture(params=["immersive-ar"])
def worn(request: pytest.FixtureRequest, room: Served, keeper: Keeper) -> Iterator[Opened]:
    """A page in control, with the headset on."""
    query = f"emulate=quest3&landmarks={','.join(LANDMARKS)}"
    page = keeper.page(room, query=query, is_drawn=False)
    tool = f"document.querySelector('#tool-{request.param}')"
    page.until(tool)
    page.page.evaluate("() => localStorage.removeItem('robotix.headset')")
    page.page.evaluate(REST)
    if not page.ask("app.control.isMine"):
        assert page.ask("app.control.ask(true)")
    page.ask(f"{tool}.click()")
    page.until("app.stage.renderer.xr.isPresenting")
    page.frames(3)
    yield page
    page.page.evaluate("() => window.xrDevice.activeSession?.end()")
    page.until("!app.stage.renderer.xr.isPresenting")
    assert page.errors == []


def move_hand(page: Opened, at: Array, yaw: float = 0.0) -> dict[str, Any]:
    """Move the right controller; return where it is then, as the headset says."""
    page.page.evaluate(MOVE, [*map(float, at), yaw])
    page.frames(3)
    hand: dict[str, Any] = page.page.evaluate(HAND)
    return hand


def test_the_robot_comes_along_with_the_hand_until_it_is_left_on_the_table(worn: Opened) -> None:
    page = worn
    assert not page.ask(SHOWN, "wall") and page.ask(SHOWN, "box")  # the person's own walls count
    press_button(page, "Robot to my hand")
    assert "bring it to your table" in words(page)
    for at, yaw in (([0.3, 0.9, -0.6], 0.0), ([-0.1, 0.75, -0.5], 0.6)):
        hand = move_hand(page, np.array(at), yaw)
        foot = page.ask(SEEN, "arm")
        np.testing.assert_allclose(foot["at"], hand["at"], atol=1e-6)
        pointed = -np.array(hand["matrix"][8:11])
        flat = np.array([pointed[0], 0, pointed[2]]) / math.hypot(pointed[0], pointed[2])
        np.testing.assert_allclose(foot["ahead"], flat, atol=1e-6)  # it looks where the hand does
    pull(page)
    assert "Robot to my hand" in buttons(page)
    move_hand(page, np.array([0.5, 1.4, -0.2]), -0.4)
    np.testing.assert_allclose(page.ask(SEEN, "arm")["at"], foot["at"], atol=1e-9)
    press_button(page, "Whole room")
    page.until(SHOWN, "wall")


def place_of(page: Opened, name: str) -> Array:
    """Return where a node is in three's world."""
    at: list[float] = page.ask(
        "app.room.node(arg).object.getWorldPosition(app.stage.rig.position.clone()).toArray()", name
    )
    return np.array(at)


@pytest.mark.parametrize("worn", ["immersive-vr", "immersive-ar"], indirect=True)
def test_the_room_is_matched_with_points_that_the_hand_shows(worn: Opened) -> None:
    page = worn
    yaw, shift = 0.5, np.array([0.4, 0.03, -0.7])  # where the real room lies in ours
    rotation = np.array(
        [[math.cos(yaw), 0, math.sin(yaw)], [0, 1, 0], [-math.sin(yaw), 0, math.cos(yaw)]]
    )
    press_button(page, "Match real points")
    page.page.evaluate(REST)
    held = move_hand(page, np.zeros(3))["at"]  # how the hand lies in the controller
    for count, name in enumerate(LANDMARKS, start=1):
        assert f"the real {name}" in words(page) and f"{count} of {len(LANDMARKS)}" in words(page)
        real = rotation.T @ (place_of(page, name) - shift)
        move_hand(page, real - held)
        pull(page)
    assert "Matched: 0 mm off, at most 0 mm." in words(page)
    np.testing.assert_allclose(page.ask("app.stage.rig.position.toArray()"), shift, atol=1e-5)
    assert page.ask("app.stage.rig.rotation.y") == pytest.approx(yaw, abs=1e-5)
    press_button(page, "Settings")
    press_button(page, "I stand")  # what is matched is not lifted
    page.frames(3)
    np.testing.assert_allclose(page.ask("app.stage.rig.position.toArray()"), shift, atol=1e-5)
