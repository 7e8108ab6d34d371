"""Two recordings of one arm, shown in a real browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser.conftest import Opened, Served, _serving, open_room
from playwright.sync_api import Browser

from robotix.app.session import RecordTo, open_session
from robotix.authoring import load_scene

SCENE = """\
robotix: 1
name: Takes
robots:
  arm: {model: kuka_lwr, q_deg: [0, 30, 0, -70, 0, 50, 0]}
objects:
  table: {box: [0.6, 0.6, 0.3], at: [0.9, 0.8, 0.15], material: {colour: blue}}
  ball: {sphere: 0.06, at: [0.55, 0.3, 0.9]}
rules:
  - {when: {key: J}, do: {say: {text: hello}}}
"""
GOALS = {"first": [0.8, 0.2, 0.0, -1.2, 0.0, 0.5, 0.0], "second": [-0.6, 0.9, 0.3, -1.6, 0, 0.5, 0]}
TICKS = 240
SAID_AT = 120  # tick
BIG, PHONE = (1280, 720), (390, 844)
READY = (
    "() => window.robotix && window.robotix.connection.state === 'open'"
    " && document.querySelector('#replay') && window.robotix.stage.frames > 1"
    " && window.robotix.control.isMine && !document.querySelector('.loading')"
)


def record(folder: Path, name: str) -> Path:
    """Record an arm that moves to a goal; return the file."""
    file = folder / "takes.yaml"
    file.write_text(SCENE)
    scene, path = load_scene(file), folder / f"{name}.mcap"

    def speak(scene_now: object) -> None:
        if scene.tick == SAID_AT:
            scene.say("halfway")

    scene.add_hook("speak", lambda dt: speak(scene))
    with open_session(scene, record=RecordTo(path), is_paced=False) as loop:
        scene.robots["arm"].move(GOALS[name], ticks=200)
        loop.run(ticks=TICKS)
    return path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Two recordings, laid over each other."""
    folder = tmp_path_factory.mktemp("takes")
    first, second = (record(folder, name) for name in GOALS)
    command = [sys.executable, "-u", "-m", "robotix", "replay", str(first), "--show"]
    server = _serving(folder)
    with server:
        options = ["--compare", str(second), "--port", "0", "--no-open"]
        yield server.launch([*command, *options], first)


OpenTakes = Callable[..., Opened]


@pytest.fixture
def open_takes(browser: Browser, served: Served) -> Iterator[OpenTakes]:
    """Open pages of the recordings; one that reported an error fails the test."""
    opened: list[Opened] = []

    def open_one(**options: object) -> Opened:
        one = open_room(browser, served, until=READY, **options)  # type: ignore[arg-type]
        opened.append(one)
        return one

    yield open_one
    for one in opened:
        one.page.context.close()
    for one in opened:
        assert one.errors == []
