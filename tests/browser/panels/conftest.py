"""A room with two arms, and a page whose panels are used."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest
from browser.conftest import Keeper, Opened, Served
from playwright.sync_api import Locator

SCENE = """\
robotix: 1
name: Panels
robots:
  arm: {model: kuka_lwr, q_deg: [0, 30, 0, -70, 0, 50, 0]}
  toy: {model: planar_3r, at: [0, 2, 0]}
objects:
  table: {box: [0.6, 0.6, 0.3], at: [0.9, 0.8, 0.15], material: {colour: blue}}
  ball: {sphere: 0.06, at: [0.55, 0.3, 0.9]}
rules:
  - {when: {key: J}, mode: reflect, do: {step: {by_deg: [0.5, 0, 0, 0, 0, 0, 0]}}}
"""
START = [0, 30, 0, -70, 0, 50, 0]  # degrees
START_DEG = ", ".join(map(str, START))
BIG = (1280, 720)
PHONE = (390, 844)
NO_PICTURE = """() => {  // panels alone are tested, and pictures are slow without a graphics card
  const renderer = window.robotix.stage.renderer
  window.draw ??= renderer.render
  renderer.render = () => {}
}"""
KEEP_LINES = """() => {
  window.lines = []
  window.send ??= window.robotix.connection.command // the page may be that of another test
  window.robotix.connection.command = (line) => {
    window.lines.push([performance.now(), line])
    return window.send(line)
  }
}"""

TAUGHT = [[0, 30, 0, -70, 0, 50, 0], [25, 20, 0, -60, 0, 40, 0], [-15, 40, 10, -80, 0, 30, 0]]
# Knows whether the arm has passed a posture, within four degrees, after the one asked before.
WATCH_POSTURES = """() => {
  const postures = []
  window.robotix.connection.on('robots', ({robots}) =>
    postures.push(robots.find((robot) => robot.name === 'arm').q.map((v) => v * 180 / Math.PI)))
  window.passed = (wanted) => {
    const at = postures.findIndex((q) => q.every((v, i) => Math.abs(v - wanted[i]) < 4))
    if (at < 0) return false
    postures.splice(0, at)
    return true
  }
}"""


@pytest.fixture(scope="module")
def room(keeper: Keeper) -> Served:
    """Serve one room for all tests."""
    return keeper.room(SCENE)


@pytest.fixture
def shared(room: Served, keeper: Keeper) -> Opened:
    """Open one page for all tests: panels can be opened and closed, pages take their time."""
    one = keeper.page(room, size=BIG)
    one.page.evaluate(NO_PICTURE)
    return one


OpenPanel = Callable[[str], Opened]


@pytest.fixture
def open_panel(shared: Opened) -> Iterator[OpenPanel]:
    """Open a panel of a page that is in control, the arm where it started."""

    def open_one(panel: str) -> Opened:
        if not shared.ask("app.control.isMine"):
            shared.ask("app.control.ask(true)")
        shared.until("app.control.isMine")
        shared.ask("app.connection.send({kind: 'pace', action: 'resume'})")
        for line in ("stop", "set_robot arm", "set_step 20", f"move ({START_DEG})"):
            shared.ask("app.connection.command(arg)", line)
        shared.until(f"app.room.active === 'arm' && arg.every({NEAR})", START)
        shared.ask("app.shell.open(arg, true)", panel)
        return shared

    yield open_one
    assert shared.errors == []


NEAR = "(v, i) => Math.abs(app.room.states.get('arm').q[i] * 180 / Math.PI - v) < 0.05"


def at(one: Opened, name: str) -> Locator:
    """Return the element that tests know by a name."""
    return one.page.locator(f"[data-id='{name}']").first


def degrees(one: Opened) -> list[float]:
    """Return the joints of the arm as the page has heard of them."""
    return [math.degrees(value) for value in one.ask("app.room.states.get('arm').q")]


def unfold(one: Opened, section: str) -> None:
    """Open a section that is folded."""
    one.page.evaluate(f"document.querySelector(\"details[data-id='{section}']\").open = true")
