"""A room with an arm that is driven, by hands that may be slow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from browser.conftest import SIZE, Keeper, Opened, OpenPage, Served
from browser.driving.patience import patient_devices

MIDDLE_SIZE = (800, 500)  # pixels: wide enough for the page to be laid out as on a desk
PHONE = (390, 844)
SPEED = 0.25  # m/s at full deflection, see robotix.scene.robots.tracking
START = "(0, 30, 0, -70, 0, 50, 0)"  # degrees
SCENE = """\
robotix: 1
name: Driving
devices: {right_glove: hand}
robots:
  arm: {model: kuka_lwr, at: [0, 0, 0.4], q_deg: [0, 30, 0, -70, 0, 50, 0]}
objects:
  box: {box: [0.15, 0.15, 0.15], at: [0.2, 0.6, 0.8], material: {colour: blue}}
  wall: {box: [3, 0.1, 2.4], at: [0, 30, 1.2]}
  drawer: {box: [0.3, 0.3, 0.15], at: [0.2, -0.7, 0.8], material: {colour: red}}
  knob: {sphere: 0.03, at: [0.18, 0, 0], on: drawer}
rules:
  - when: {button: [right_glove, pinch]}
    mode: reflect
    do: {slide: {node: drawer, hand: right_glove, axis: [1, 0, 0], upper: 0.3, reach: 0.1}}
  - {when: {key: J}, mode: reflect, do: {step: {by_deg: [0.5, 0, 0, 0, 0, 0, 0]}}}
"""
# Keeps the tip of the arm at every word about it.
KEEP_TIPS = """() => {
  if (window.tips) return
  window.tips = []
  window.robotix.connection.on('robots', (message) => {
    const arm = message.robots.find((robot) => robot.name === 'arm')
    window.tips.push([message.time, ...arm.tip])
  })
}"""
AS_AT_FIRST = """async () => {
  const { control, selection, stage } = window.robotix
  for (const button of document.querySelectorAll('.rail [aria-expanded=true]')) button.click()
  document.querySelector('[data-id=greeting] button:last-child')?.click()
  document.querySelector('.drive-button[aria-pressed=true]')?.click()
  navigator.getGamepads = () => []
  selection.choose('')
  document.activeElement?.blur()
  if (!control.isMine) await control.ask(true)
}"""


@pytest.fixture(scope="session")
def patient(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the mapping of devices is that bears a slow machine."""
    return str(patient_devices(tmp_path_factory.mktemp("devices")))


@pytest.fixture(scope="module")
def room(keeper: Keeper, patient: str) -> Served:
    """One room for all tests here."""
    return keeper.room(SCENE, "--devices", patient)


Drive = Callable[..., Opened]


@pytest.fixture
def drive(room: Served, keeper: Keeper, open_page: OpenPage) -> Iterator[Drive]:
    """Give a page in control, the arm in its first posture.

    It is the page that all share, unless it must be a new one or on a phone.
    """
    kept: list[Opened] = []

    def give(*, drives: bool = True, is_new: bool = False, **options: Any) -> Opened:
        size = options.pop("size", SIZE)
        if is_new:
            page = open_page(room, size=size, is_drawn=False, **options)
        else:
            page = keeper.page(room, is_drawn=False, **options)
            kept.append(page)
        page.resize(size)
        page.page.evaluate(AS_AT_FIRST)
        page.until("app.control.isMine")
        page.page.evaluate(KEEP_TIPS)
        back_to_start(page)
        if drives:
            page.page.click(".drive-button")
        page.until("app.room.nodes.every((n) => n.object.children.length >= n.info.visuals.length)")
        page.ask("app.stage.focus('arm')")
        page.still()
        return page

    yield give
    for page in kept:
        assert page.errors == []


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
    page.ask("app.connection.command('track_exit')")  # a device that was lost may still be bound
    command(page, f"move @30;{START}")
    page.ticks(40)
    page.until("app.room.states.get('arm').is_moving === false")
    page.ticks(10)  # words about the way there have come by now
    page.page.evaluate("() => { window.tips.length = 0 }")
