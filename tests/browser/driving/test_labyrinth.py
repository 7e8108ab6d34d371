"""The labyrinth, played from start to goal by a gamepad that rumbles."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.conftest import OpenPage, Served, _serving

from robotix.haptics.labyrinth.plan import LABYRINTH

PAD = """
window.bumps = []
window.pad = {
  id: 'Test pad (STANDARD GAMEPAD)', index: 0, connected: true, mapping: 'standard', timestamp: 0,
  axes: [0, 0, 0, 0], buttons: Array.from({length: 17}, () => ({value: 0, pressed: false})),
  vibrationActuator: { playEffect: async (kind, how) => { window.bumps.push([kind, how]) } },
}
navigator.getGamepads = () => [window.pad]
"""
# A player who sees the ball and pushes towards the next corner, no harder than it is far.
SEE = """
window.ball = () => {
  const { object } = window.robotix.room.node('ball')
  const at = object.getWorldPosition(object.position.clone())
  return [at.x, -at.z] // in the picture, y is up
}
"""
PLAY = """(corners) => {
  const { connection } = window.robotix
  window.said = []
  connection.on('said', ({ text }) => window.said.push(text))
  const axis = (gap) => {
    const force = Math.min(Math.abs(25 * gap), 5) / 10
    return force < 1e-3 ? 0 : Math.sign(gap) * (0.12 + 0.88 * Math.sqrt(force))
  }
  let next = 0
  window.player = setInterval(() => {
    const [x, y] = window.ball()
    const near = Math.hypot(corners[next][0] - x, corners[next][1] - y) < 0.025
    if (near && next + 1 < corners.length) next += 1
    window.pad.axes = [-axis(corners[next][1] - y), -axis(corners[next][0] - x), 0, 0]
  }, 20)
}"""


@pytest.fixture(scope="module")
def labyrinth(tmp_path_factory: pytest.TempPathFactory, patient: str) -> Iterator[Served]:
    """The room of the labyrinth."""
    folder: Path = tmp_path_factory.mktemp("labyrinth")
    command = [sys.executable, "-u", "-m", "robotix", "haptics", "play", "--no-open"]
    with _serving(folder) as start:
        serving = start.__self__  # type: ignore[attr-defined]
        yield serving.launch([*command, "--port", "0", "--devices", patient], folder)


def test_a_gamepad_leads_the_ball_to_its_goal(labyrinth: Served, open_page: OpenPage) -> None:
    page = open_page(labyrinth, is_drawn=False, init=PAD + SEE)
    page.page.evaluate("async () => { await window.robotix.control.ask(true) }")
    page.until("app.control.isMine")
    page.until("document.querySelector('[data-device=gamepad].is-live')")
    page.page.evaluate(PLAY, [list(corner) for corner in LABYRINTH.waypoints])
    page.until("window.said.some((text) => text.startsWith('Goal!'))")
    assert "points" in page.ask("window.said.find((text) => text.startsWith('Goal!'))")
    page.page.evaluate("() => { clearInterval(window.player); window.pad.axes = [0, 0, 0, 0] }")


def test_walls_rumble_and_the_game_starts_again(labyrinth: Served, open_page: OpenPage) -> None:
    page = open_page(labyrinth, is_drawn=False, init=PAD + SEE)
    page.page.evaluate("async () => { await window.robotix.control.ask(true) }")
    page.until("app.control.isMine")
    page.page.keyboard.press("r")
    page.until(
        "Math.hypot(window.ball()[0] - arg[0], window.ball()[1] - arg[1]) < 0.01",
        list(LABYRINTH.start),
    )
    page.page.evaluate("() => { window.pad.axes = [-1, 0, 0, 0] }")  # to the left wall
    page.until("window.bumps.length > 0")
    kind, how = page.ask("window.bumps[0]")
    assert kind == "dual-rumble"
    assert how["strongMagnitude"] > 0
    page.page.evaluate("() => { window.pad.axes = [0, 0, 0, 0] }")
