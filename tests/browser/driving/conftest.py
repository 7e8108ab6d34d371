"""A room with an arm that is driven, by hands that may be slow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.conftest import Opened, OpenPage, Served, ServeRoom
from browser.driving.patience import patient_devices

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
