"""How long a room takes to be seen: from the command `robotix run` to a picture that is drawn.

A browser that runs already, as people's do, is sent to the page as soon as the command has printed
its address. The first picture of the room counts when the graphics are done with it. Processor time
of the command is told besides: on a busy machine it says more than the clock.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = [
    "NO_BROWSER",
    "PATIENCE",
    "Start",
    "browser_page",
    "find_browser",
    "served_flat",
    "tell_starts",
    "time_starts",
]

TOKEN = "a-token-for-benchmarks-only"
PATIENCE = 60_000  # ms
REST = 1_500  # ms for the browser to clear up after a room, before the next one
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
NO_BROWSER = (
    "no browser: neither first picture nor frame rate are measured. Install Chromium (`make test` "
    "does it), or name one: ROBOTIX_BROWSER=/path/to/chromium"
)
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    *("--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"),  # a card, or Mesa
)
# Notes when the page ran, when it had a room, and when the first picture of it was done: to read
# a pixel, one has to wait for the graphics.
WATCH = """
(() => {
  const marks = (window.marks = {})
  const now = () => (performance.timeOrigin + performance.now()) / 1000
  let before = 0
  const look = () => {
    const app = window.robotix
    if (app && !marks.page) marks.page = now()
    if (!marks.room) {
      if (app?.room.nodes.length && app.room.hasPlaces) {
        marks.room = now()
        before = app.stage.frames
      }
    } else if (app.stage.frames > before) {
      const gl = app.stage.renderer.getContext()
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
      marks.picture = now()
      return
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()
"""


@dataclass(frozen=True)
class Start:
    """One start; all in s from the command on."""

    served: float  # the address is printed
    page: float  # the page runs
    room: float  # the page has the room, and where everything is
    picture: float
    busy: float  # processor time of the command, until it was ended right after the picture


def time_starts(rounds: int) -> list[Start]:
    """Start the room again and again; the first time, which fills the caches, does not count."""
    with browser_page() as page, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        return [_time_start(page, port) for _ in range(rounds + 1)][1:]


@contextlib.contextmanager
def served_flat(port: int = 0) -> Iterator[str]:
    """Run `robotix run`, and give the address of its page."""
    command = [sys.executable, "-m", "robotix", "run", "--no-open", "--port", str(port)]
    environment = os.environ | {"ROBOTIX_TOKEN": TOKEN}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[1]
        finally:
            process.terminate()
            process.communicate()


def _time_start(page: Page, port: int) -> Start:
    busy, begun = _busy(), time.time()
    with served_flat(port) as address:
        served = time.time() - begun
        page.goto(address)
        page.wait_for_function("() => window.marks?.picture", timeout=PATIENCE)
        marks: dict[str, Any] = page.evaluate("() => window.marks")
        page.goto("about:blank")
    page.wait_for_timeout(REST)
    since = {name: at - begun for name, at in marks.items()}
    return Start(served, since["page"], since["room"], since["picture"], _busy() - busy)


def _busy() -> float:
    """Return the processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def find_browser() -> str | None:
    """Return the program of a browser; None if none is installed, or nothing to drive it with."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:  # it belongs to the tests
        return None
    named = os.environ.get("ROBOTIX_BROWSER")
    program = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is not None:
        return program if shutil.which(program) else None
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


@contextlib.contextmanager
def browser_page() -> Iterator[Page]:
    """Open an empty page in a browser, which notes when it first drew a room."""
    from playwright.sync_api import sync_playwright

    program = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.add_init_script(WATCH)
        yield page
        browser.close()


def tell_starts(rounds: int) -> None:
    """Time starts, and print the medians; without a browser, say so."""
    if find_browser() is None:
        print(NO_BROWSER)
        return
    starts = time_starts(rounds)

    def median(name: str) -> float:
        return float(statistics.median(getattr(start, name) for start in starts))

    print(f"from the command, median of {rounds} starts:")
    print(f"  address printed {median('served'):.2f} s, page runs {median('page'):.2f} s")
    print(f"  page has the room {median('room'):.2f} s")
    best = min(start.picture for start in starts)
    print(f"  to first drawn picture {median('picture'):.2f} s, at best {best:.2f} s")
    print(f"  processor time of the command {median('busy'):.2f} s")


if __name__ == "__main__":
    tell_starts(5)
