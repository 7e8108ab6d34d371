"""Every key that the flat shows does what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.newcomer.newcomer import HEADING, IN_CHAIR, Newcomer

STATE = f"""(() => {{
  const hand = ((arg) => {IN_CHAIR})('grip_point')
  const state = app.room.states.get('arm')
  return {{
    hand, tip: state.tip, q: state.q, tracked: state.tracked_by, moves: state.is_moving,
    turn: app.room.node('grip_point').object.quaternion.toArray(),
    chair: app.room.node('wheelchair').object.position.toArray(), heading: {HEADING},
    lamp: app.room.node('floor_lamp_light').object.visible,
    ball: app.room.node('toy_ball').object.position.z,
    heard: window.heard.length,
  }}
}})()"""
MOVES = {
    "Up": "now.hand[0] - was.hand[0] > 0.02",
    "Down": "was.hand[0] - now.hand[0] > 0.02",
    "Left": "now.hand[1] - was.hand[1] > 0.02",
    "Right": "was.hand[1] - now.hand[1] > 0.02",
    "PageUp": "now.hand[2] - was.hand[2] > 0.02",
    "PageDown": "was.hand[2] - now.hand[2] > 0.02",
    "W": "now.chair[0] - was.chair[0] > 0.02",
    "S": "was.chair[0] - now.chair[0] > 0.02",
    "A": "now.heading - was.heading > 0.05",
    "D": "was.heading - now.heading > 0.05",
}
TURNED = "Math.abs(now.turn.reduce((sum, v, k) => sum + v * was.turn[k], 0)) < 0.995"  # 0.2 rad
TURNS = dict.fromkeys(("E", "Q", "F", "R", "Z", "C"), TURNED)
ACTS = {
    "T": "now.tracked !== was.tracked",
    "G": "window.heard.at(-1)?.includes('nothing between the fingers')",
    "2": "now.moves",
    "X": "!now.moves",
    "1": "now.moves",
    "3": "now.moves",
    "L": "now.lamp",
    "K": "!now.lamp",
    "B": "now.ball > 0.5",
    "M": "app.room.nodes.some((n) => n.info.visuals.some((v) => v.shape.kind === 'ellipsoid'))",
    "4": "now.q[0] > 2.1",
}
SAME_NAMES = {"Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight"}


@pytest.mark.soak
def test_every_key_that_the_flat_shows_does_what_it_says(
    arrive: Callable[[str], Newcomer],
) -> None:
    page = arrive("keys").page
    shown = page.ask("[...app.room.keys, ...app.room.deviceKeys].map((hint) => hint.key)")
    assert set(shown) == {*MOVES, *TURNS, *ACTS}
    for key, seen in MOVES.items():
        _hold(page, key, seen)
    page.page.locator(".drive-mode").select_option("turn")
    for key, seen in TURNS.items():
        before = page.ask(STATE)
        _hold(page, key, seen)
        np.testing.assert_allclose(page.ask(STATE)["tip"], before["tip"], atol=0.01)  # m
    page.page.locator(".drive-mode").select_option("both")
    for key in ("Up", "Down"):
        _hold(page, key, MOVES[key])
    for key in ("Z", "C"):
        _hold(page, key, TURNS[key])
    page.page.click(".drive-button")
    page.until("!app.room.states.get('arm').tracked_by")  # the page has heard that it is let go
    for key, seen in ACTS.items():
        _hold(page, key, seen)
        if key in "134":
            page.until("!app.room.states.get('arm').is_moving")


def _hold(page: Any, key: str, seen: str) -> None:
    """Hold a key until something is seen."""
    name = SAME_NAMES.get(key, key.lower() if len(key) == 1 else key)
    before = page.ask(STATE)
    page.page.keyboard.down(name)
    try:
        page.until(f"((was, now) => {seen})(arg, {STATE})", before)
    except Exception as error:
        raise AssertionError(f"{key} does not do what is said: {seen}") from error
    page.page.keyboard.up(name)
    page.ticks(40)
