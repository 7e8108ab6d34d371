"""A real room, a real server process, a real browser.

Tests wait for what they want to see (`Page.until`), never for time to pass.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser.install_browser import find_browser
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

PATIENCE = 60_000  # ms; how long anything may take on a busy machine before a test gives up
SIZE = (640, 360)  # pixels of the page
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--autoplay-policy=no-user-gesture-required",
)
READY = (
    "() => window.robotix && window.robotix.connection.state === 'open'"
    " && window.robotix.room.nodes.length > 0 && window.robotix.room.tick > 0"
    " && window.robotix.stage.frames > 1"
)


@dataclass
class Served:
    """A running `robotix run`."""

    process: subprocess.Popen[str]
    address: str  # with the token
    scene: Path
    lines: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return self.address.split("/login")[0]

    @property
    def token(self) -> str:
        """What lets a page in."""
        return self.address.split("t=")[1]

    def stop(self) -> None:
        """End it, the polite way first."""
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class Opened:
    """A page that shows a room; `app` is `window.robotix`."""

    page: Page
    errors: list[str]

    def ask(self, expression: str, argument: Any = None) -> Any:
        """Return the value of a JavaScript expression in which `app` and `arg` are known."""
        return self.page.evaluate(
            f"(arg) => {{ const app = window.robotix; return {expression} }}", argument
        )

    def until(self, expression: str, argument: Any = None) -> None:
        """Wait until an expression is true."""
        self.page.wait_for_function(
            f"(arg) => {{ const app = window.robotix; return {expression} }}",
            arg=argument,
            timeout=PATIENCE,
        )

    def frames(self, count: int = 2) -> None:
        """Wait until so many more pictures were drawn."""
        self.until("app.stage.frames >= arg", self.ask("app.stage.frames") + count)

    def ticks(self, count: int) -> None:
        """Wait until the room went on by so many ticks, as far as the page knows."""
        self.until("app.room.tick >= arg", self.ask("app.room.tick") + count)

    def tip(self, robot: str = "arm") -> list[float]:
        """Return where the page says that a robot's end-effector is."""
        tip: list[float] = self.ask("app.room.states.get(arg).tip", robot)
        return tip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    program = find_browser()
    assert program is not None, "no browser: run `make test`, which installs one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(BROWSER_FLAGS))
        yield browser
        browser.close()


ServeRoom = Callable[..., Served]
OpenPage = Callable[..., Opened]


@pytest.fixture(scope="module")
def serve_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeRoom]:
    """Serve rooms that all tests of a module share."""
    with _serving(tmp_path_factory.mktemp("rooms")) as serve:
        yield serve


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[ServeRoom]:
    """Serve rooms for one test: `serve(text_of_a_scene, "--rate", "60")`."""
    with _serving(tmp_path) as serve:
        yield serve


class _serving:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.served: list[Served] = []

    def __enter__(self) -> ServeRoom:
        return self.start

    def __exit__(self, *_: object) -> None:
        for each in self.served:
            each.stop()

    def start(self, scene: str, *options: str, token: str = "") -> Served:
        """Serve a room from the text of a scene; empty text is the default room."""
        command = [sys.executable, "-u", "-m", "robotix", "run"]
        file = self.folder / f"room{len(self.served)}.yaml"
        if scene:
            file.write_text(scene)
            command.append(str(file))
        if "--port" not in options:
            command += ["--port", "0"]
        path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
        environment = os.environ | {"PYTHONPATH": path, "XDG_STATE_HOME": str(self.folder)}
        process = subprocess.Popen(
            [*command, "--no-open", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        served = Served(process, "", file)
        self.served.append(served)
        assert process.stdout is not None
        for line in process.stdout:
            served.lines.append(line)
            if line.startswith("open http"):
                served.address = line.split()[1]
                break
        else:
            raise AssertionError("the server did not start:\n" + "".join(served.lines))
        threading.Thread(target=_drain, args=(served,), daemon=True).start()
        return served


def _drain(served: Served) -> None:
    assert served.process.stdout is not None
    served.lines.extend(served.process.stdout)
    served.process.stdout.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open pages: `open_page(served, size=(1280, 720), query="emulate=quest3", init=script)`.

    A page that reported an error fails the test, unless `allow_errors`.
    """
    opened: list[tuple[BrowserContext, Opened, bool]] = []

    def open_one(
        served: Served,
        *,
        size: tuple[int, int] = SIZE,
        query: str = "",
        init: str = "",
        scheme: str = "dark",
        has_touch: bool = False,
        sharpness: float = 0.5,
        allow_errors: bool = False,
    ) -> Opened:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            has_touch=has_touch,
            device_scale_factor=sharpness,  # a software renderer draws every pixel
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        if init:
            context.add_init_script(init)
        page = context.new_page()
        one = Opened(page, [])
        page.on("pageerror", lambda error: one.errors.append(str(error)))
        page.on(
            "console",
            lambda message: one.errors.append(message.text) if message.type == "error" else None,
        )
        page.goto(served.address)
        if query:
            page.goto(f"{served.origin}/?{query}")
        page.wait_for_function(READY, timeout=PATIENCE)
        opened.append((context, one, allow_errors))
        return one

    yield open_one
    for context, _, _ in opened:
        context.close()
    for _, one, allow_errors in opened:
        assert allow_errors or one.errors == []
