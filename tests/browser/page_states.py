"""Takes a picture of every state of the page at four sizes and in a headset, to be looked at.

    python tests/browser/page_states.py FOLDER [SIZE ...] [--states NAME ...]

Sizes are desk, wide, tablet, phone and headset, whose states are others: what one wears is drawn
for both eyes, side by side. Of the browser and the room the tests' own are used.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.conftest import (
    BROWSER_FLAGS,
    READY,
    RENDERERS,
    Opened,
    Served,
    ServeRoom,
    _can_draw,
    _serving,
    open_room,
)
from browser.driving.worn import REST, SET_BUTTON, press_button
from browser.install_browser import find_browser
from browser.replay.conftest import GOALS, record
from browser.replay.conftest import READY as REPLAY_READY
from browser.test_wizard import DIALOG, POINTS, at, click, next_step, start_wizard

SIZES = {
    "desk": (1280, 720),
    "wide": (1920, 1080),
    "tablet": (820, 1180),
    "phone": (390, 844),
    "headset": (1600, 800),  # both eyes
}
TOUCHED = ("tablet", "phone")
MAX_PATIENCE = 400_000.0  # ms
CLOSE_HINT = "document.querySelector('[data-id=greeting] button:last-child')?.click()"
PANELS = ("teach", "figures", "view", "body", "tree", "messages", "share")


def _panel(name: str) -> Callable[[Opened], None]:
    def show(page: Opened) -> None:
        page.ask("app.shell.open(arg, true)", name)

    return show


def _click(*selectors: str) -> Callable[[Opened], None]:
    def show(page: Opened) -> None:
        for selector in selectors:
            page.page.click(selector)

    return show


def _seat(page: Opened) -> None:
    page.ask("app.stage.goTo('seat')")


def _near(page: Opened) -> None:
    page.ask("app.stage.focus('arm')")


def _overlays(page: Opened) -> None:
    page.ask("app.stage.focus('arm')")
    for name in ("ellipsoid", "acceleration", "frames"):
        page.ask("app.overlays.get(arg).toggle(true)", name)


def _tour(skips: int) -> Callable[[Opened], None]:
    def show(page: Opened) -> None:
        page.page.click("[data-id=start-tour]")
        for _ in range(skips):
            page.page.click(".p-tour button >> nth=0")

    return show


def _actions(page: Opened) -> None:
    if page.page.locator(".action-bar").is_hidden():
        page.page.click(".action-toggle")


def _chosen(page: Opened) -> None:
    page.ask("app.shell.open('tree', true)")
    page.ask("app.selection.choose('glass_1')")
    page.until("app.selection.node?.info.name === 'glass_1'")


def _wizard(steps: int) -> Callable[[Opened], None]:
    def show(page: Opened) -> None:
        start_wizard(page)
        at(page, "wizard-name").fill("my_arm")
        at(page, "start-points").click()
        if steps == 0:
            return
        for count, point in enumerate(POINTS, start=1):
            click(page, point)
            page.until(f"{DIALOG}.bench.draft.parts.length === arg", count)
        for step in ("joints", "try", "save")[: steps - 1]:
            next_step(page, step)

    return show


STATES: dict[str, Callable[[Opened], None]] = {
    "first": lambda page: None,
    "tour": _tour(0),
    "tour_move": _tour(1),
    "tour_act": _tour(2),
    "tour_stop": _tour(3),
    "tour_end": _tour(4),
    "actions": _actions,
    "chosen": _chosen,
    "reset": _click("#tool-reset"),
    "wizard_name": start_wizard,
    "wizard_points": _wizard(1),
    "wizard_joints": _wizard(2),
    "wizard_try": _wizard(3),
    "wizard_save": _wizard(4),
    "sticks": _click(".stick-button"),
    "near": _near,
    "seat": _seat,
    "overlays": _overlays,
    **{name: _panel(name) for name in PANELS},
    "help": _click("#tool-help"),
}


ERROR, REPLAY, WATCHER, LOST = "error", "replay", "watcher", "lost"
ELSEWHERE = (ERROR, REPLAY, WATCHER, LOST)  # states that need more than one page of the room
BAD_ROOM = """\
robotix: 1
name: A kitchen
objects:
  box: {bxo: [0.2, 0.2, 0.2], at: [0, 0, 0.1]}
"""


def _grip(page: Opened) -> None:
    page.page.evaluate(SET_BUTTON, ["right", "squeeze", 1])
    page.frames(3)


def _menu(*buttons: str) -> Callable[[Opened], None]:
    def show(page: Opened) -> None:
        for button in buttons:
            press_button(page, button)
        page.page.evaluate(REST)
        page.frames(3)

    return show


WORN: dict[str, Callable[[Opened], None]] = {
    "first": _menu(),
    "actions": _menu("Actions"),
    "settings": _menu("Settings"),
    "panels": _menu("Panels"),
    "teach": _menu("Panels", "Teach"),
    "body": _menu("Panels", "Body"),
    "messages": _menu("Panels", "Messages"),
    "help": _menu("Help"),
    "grip": _grip,
}


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sizes", nargs="*", default=list(SIZES), choices=list(SIZES))
    names = sorted({*STATES, *WORN, *ELSEWHERE})
    parser.add_argument("--states", nargs="*", default=names, choices=names)
    parser.add_argument("--scene", type=Path, help="instead of the flat")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    text = options.scene.read_text() if options.scene else ""
    with tempfile.TemporaryDirectory() as folder, _serving(Path(folder)) as serve:
        served = serve(text)
        with sync_playwright() as playwright:
            browser = _launch(playwright.chromium)
            for size in options.sizes:
                known = WORN if size == "headset" else STATES
                states = [name for name in known if name in options.states]
                (wear if size == "headset" else take)(browser, served, size, states, options.folder)
            for state in (name for name in ELSEWHERE if name in options.states):  # LOST is last
                with tempfile.TemporaryDirectory() as own, _serving(Path(own)) as start:
                    shown = _serve_state(state, start, Path(own)) or served
                    for size in (size for size in options.sizes if size != "headset"):
                        take_elsewhere(browser, shown, size, state, options.folder)
            browser.close()


def _launch(chromium: object) -> Browser:
    for renderer in RENDERERS:
        flags = [*BROWSER_FLAGS, *renderer]
        browser: Browser = chromium.launch(executable_path=find_browser(), args=flags)  # type: ignore[attr-defined]
        if _can_draw(browser):
            return browser
        browser.close()
    raise SystemExit("this browser cannot draw: it has no WebGL 2")


def _serve_state(state: str, start: ServeRoom, folder: Path) -> Served | None:
    """Serve what a state shows, if it is not the room that is served."""
    if state == ERROR:
        served = start(BAD_ROOM.replace("bxo", "box"), "--watch")
        served.scene.write_text(BAD_ROOM)
        return served
    if state == REPLAY:
        first, second = (record(folder, name) for name in GOALS)
        command = [sys.executable, "-u", "-m", "robotix", "replay", str(first), "--show"]
        command += ["--compare", str(second), "--port", "0", "--no-open"]
        replayed: Served = start.__self__.launch(command, first)  # type: ignore[attr-defined]
        return replayed
    return None


def take_elsewhere(browser: Browser, served: Served, size: str, state: str, folder: Path) -> None:
    """Take the picture of a mistake, a recording, a watcher, or a lost connection."""
    until = {
        ERROR: "() => document.querySelector('#banner-failed')",
        REPLAY: REPLAY_READY,
    }.get(state, READY)
    options = {"size": SIZES[size], "sharpness": 1, "scheme": "light", "until": until}
    has_touch = size in TOUCHED
    driver = open_room(browser, served, is_drawn=False) if state == WATCHER else None
    page = open_room(browser, served, has_touch=has_touch, **options)  # type: ignore[arg-type]
    page.patience = MAX_PATIENCE
    page.page.evaluate(CLOSE_HINT)
    if state == REPLAY:
        plot_joints_and_distance(page)
    if state == WATCHER:
        page.page.keyboard.press("ArrowUp")
    if state == LOST:
        page.page.evaluate("() => { WebSocket = class { constructor() { throw Error() } } }")
        page.page.evaluate("() => { for (const socket of sockets) socket.close() }")
        page.until("document.querySelector('#banner-connection')")
    page.page.wait_for_timeout(3000)  # until all is drawn finely
    page.page.screenshot(path=folder / f"{size}_{state}.png")
    for each in (page, driver):
        if each is not None:
            each.page.context.close()
    sys.stdout.write(f"{size}_{state}.png\n")
    sys.stdout.flush()


def plot_joints_and_distance(page: Opened) -> None:
    """Show two curves of a recording: joints of the arm, and its distance from the table."""
    page.page.click("[data-id=replay-plot]")
    page.page.fill("[data-id=channel-search]", "arm joints")
    page.page.click(".replay-channels button >> nth=0")
    page.page.click("[data-id=replay-plot]")
    page.page.select_option("[data-id=distance-from]", "arm")
    page.page.select_option("[data-id=distance-to]", "table")
    page.page.click("[data-id=add-distance]")
    page.until("document.querySelectorAll('.replay-plot').length === 2")
    page.until("!document.querySelector('.replay-plots').textContent.includes('Reading')")
    page.page.keyboard.press("End")
    page.still()


def take(browser: Browser, served: Served, size: str, states: list[str], folder: Path) -> None:
    """Take the pictures of one size; each state begins with a new page."""
    for state in states:
        page = open_room(
            browser,
            served,
            size=SIZES[size],
            sharpness=1,
            scheme="light",
            has_touch=size in TOUCHED,
        )
        page.patience = MAX_PATIENCE
        if state != "first" and not state.startswith("tour"):
            page.page.evaluate(CLOSE_HINT)
        STATES[state](page)
        page.until("app.room.skins.length > 0 || app.room.robots.size < 2")
        page.still()
        page.until("app.stage.stats.pixelRatio === 1")  # it is coarse while something moves
        page.page.screenshot(path=folder / f"{size}_{state}.png")
        page.page.context.close()
        sys.stdout.write(f"{size}_{state}.png\n")
        sys.stdout.flush()


def wear(browser: Browser, served: Served, size: str, states: list[str], folder: Path) -> None:
    """Take the pictures of what somebody sees who wears a headset."""
    for state in states:
        page = open_room(
            browser, served, size=SIZES[size], sharpness=1, query="emulate=quest3", scheme="light"
        )
        page.patience = MAX_PATIENCE
        page.until("app.room.skins.length > 0 || app.room.robots.size < 2")
        page.until("document.querySelector('#tool-immersive-vr')")
        page.page.evaluate(REST)
        page.page.evaluate("() => document.querySelector('#tool-immersive-vr').click()")
        page.until("app.stage.renderer.xr.isPresenting")
        page.frames(3)
        WORN[state](page)
        page.frames(5)
        page.page.screenshot(path=folder / f"{size}_{state}.png")
        page.page.context.close()
        sys.stdout.write(f"{size}_{state}.png\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
