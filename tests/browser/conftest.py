"""A real room, a real server process, a real browser.

Tests wait for what they want to see (`Opened.until`), never for time to pass. Rooms and pages take
their time to start, so tests share them where they can (`Keeper`), and put back what they changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser.install_browser import find_browser
from playwright.sync_api import Browser, Page, sync_playwright

PATIENCE = 180_000  # ms; how long anything may take on a busy machine before a test gives up
SIZE = (640, 360)  # pixels of the page
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--autoplay-policy=no-user-gesture-required",
)
# What draws without a graphics card, fastest first: Mesa where it is installed, else the browser.
RENDERERS = (
    ("--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"),
    ("--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
)
CAN_DRAW = "() => document.createElement('canvas').getContext('webgl2') !== null"
# Lets tests break a connection, and know what was sent: lines, and kinds of what else there is.
KEEP_SOCKETS = """
window.sockets = []
window.sent = []
window.WebSocket = class extends WebSocket {
  constructor(...args) { super(...args); window.sockets.push(this) }
  send(data) {
    const { kind, line } = JSON.parse(data)
    window.sent.push(line ?? kind)
    super.send(data)
  }
}
"""
# Lets tests know where sounds come from.
KEEP_PANNERS = """
window.panners = []
window.PannerNode = class extends PannerNode {
  constructor(...args) { super(...args); window.panners.push(this) }
}
"""
# Nothing of the room is drawn: without a graphics card pictures are what takes longest. All else is
# as ever, places and picking too.
HIDE_ROOM = """
let hidden
Object.defineProperty(window, 'robotix', {
  get: () => hidden,
  set(app) {
    app.room.root.visible = false
    hidden = app
  },
})
"""
# Whether the camera has been at one place for three pictures.
STANDS = """(() => {
  const { camera, frames } = app.stage
  app.stage.redraw()
  const place = camera.matrixWorld.elements.map((value) => value.toFixed(4)).join()
  if (window.stood?.place !== place) window.stood = { place, frames }
  return frames > window.stood.frames + 2 && app.stage.isSettled
})()"""
READY = (
    "() => window.robotix && window.robotix.connection.state === 'open'"
    " && window.robotix.room.nodes.length > 0 && window.robotix.room.tick > 0"
    " && window.robotix.stage.frames > 1 && !document.querySelector('.loading')"
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
    patience: float = PATIENCE  # ms

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
            timeout=self.patience,
        )

    def frames(self, count: int = 2) -> None:
        """Wait until so many more pictures were drawn."""
        wanted = self.ask("app.stage.frames") + count
        # Where nothing happens pictures are few: ask for more.
        self.until("(app.stage.redraw(), app.stage.frames >= arg)", wanted)

    def still(self) -> None:
        """Wait until the camera stands, and walls have faded."""
        self.ask("void (window.stood = undefined)")
        self.until(STANDS)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the page another size."""
        if self.page.viewport_size != {"width": size[0], "height": size[1]}:
            self.page.set_viewport_size({"width": size[0], "height": size[1]})

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
        for renderer in RENDERERS:
            flags = [*BROWSER_FLAGS, *renderer]
            browser = playwright.chromium.launch(executable_path=program, args=flags)
            if _can_draw(browser):
                break
            browser.close()
        yield browser
        browser.close()


def _can_draw(browser: Browser) -> bool:
    page = browser.new_page()
    can: bool = page.evaluate(CAN_DRAW)
    page.close()
    return can


ServeRoom = Callable[..., Served]
OpenPage = Callable[..., Opened]


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

    def start(self, scene: str, *options: str, beside: Mapping[str, bytes] | None = None) -> Served:
        """Serve a room from the text of a scene, and files beside it; empty is the default room."""
        command = [sys.executable, "-u", "-m", "robotix", "run"]
        file = self.folder / f"room{len(self.served)}.yaml"
        for name, data in (beside or {}).items():
            (self.folder / name).write_bytes(data)
        if scene:
            file.write_text(scene)
            command.append(str(file))
        if "--port" not in options:
            command += ["--port", "0"]
        return self.launch([*command, "--no-open", *options], file)

    def launch(self, command: list[str], file: Path) -> Served:
        """Start a command that prints the address of a page; `file` is what it shows."""
        path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
        environment = os.environ | {"PYTHONPATH": path, "XDG_STATE_HOME": str(self.folder)}
        process = subprocess.Popen(
            command,
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


def open_room(
    browser: Browser,
    served: Served,
    *,
    size: tuple[int, int] = SIZE,
    query: str = "",
    init: str = "",
    scheme: str = "dark",
    has_touch: bool = False,
    is_drawn: bool = True,
    sharpness: float | None = None,
    until: str = READY,
) -> Opened:
    """Open a page that shows a room; `init` is a script that runs before the page's own.

    Return when `until`, a function in JavaScript, is true.
    """
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,  # type: ignore[arg-type]
        has_touch=has_touch,
        device_scale_factor=sharpness or (0.5 if is_drawn else 0.25),  # every pixel takes time
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    for script in (KEEP_SOCKETS, KEEP_PANNERS, *([] if is_drawn else [HIDE_ROOM]), init):
        context.add_init_script(script)
    page = context.new_page()
    one = Opened(page, [])
    page.on("pageerror", lambda error: one.errors.append(str(error)))
    page.on(
        "console",
        lambda message: one.errors.append(message.text) if message.type == "error" else None,
    )
    address = served.address
    if query:  # the address itself has no room for it: log in first
        login = context.request.get(address, max_redirects=0)
        address = f"{served.origin}/?{query}{login.headers['location'].removeprefix('/')}"
    page.goto(address)
    page.wait_for_function(until, timeout=PATIENCE)
    return one


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open pages: `open_page(served, size=(1280, 720), query="emulate=quest3", init=script)`.

    A page that reported an error fails the test, unless `allow_errors`.
    """
    opened: list[tuple[Opened, bool]] = []

    def open_one(served: Served, *, allow_errors: bool = False, **options: Any) -> Opened:
        one = open_room(browser, served, **options)
        opened.append((one, allow_errors))
        return one

    yield open_one
    for one, _ in opened:
        one.page.context.close()
    for one, allow_errors in opened:
        assert allow_errors or one.errors == []


class Keeper:
    """Keeps one room, and one page of it, for all who ask for the same; else it starts anew."""

    def __init__(self, browser: Browser, new_folder: Callable[[], Path]) -> None:
        self._browser = browser
        self._new_folder = new_folder
        self._rooms: dict[Any, _serving] = {}
        self._pages: dict[Any, Opened] = {}

    def room(self, scene: str, *options: str, beside: Mapping[str, bytes] | None = None) -> Served:
        """Serve a room, or hand out the one that is served."""
        key = (scene, *options)
        if key not in self._rooms:
            self.close()
            self._rooms[key] = _serving(self._new_folder())
            self._rooms[key].start(scene, *options, beside=beside)
        return self._rooms[key].served[0]

    def page(self, served: Served, **options: Any) -> Opened:
        """Open a page, or hand out the one that is open; what it said before is forgotten."""
        key = (served.address, repr(options))
        if key not in self._pages or self._pages[key].page.is_closed():
            self.close_page()
            self._pages[key] = open_room(self._browser, served, **options)
        self._pages[key].errors.clear()
        return self._pages[key]

    def close_page(self) -> None:
        """Close the page."""
        for one in self._pages.values():
            one.page.context.close()
        self._pages.clear()

    def close(self) -> None:
        """Close page and room."""
        self.close_page()
        for each in self._rooms.values():
            each.__exit__()
        self._rooms.clear()


@pytest.fixture(scope="session")
def keeper(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeper]:
    """Share a room and a page with the tests before and after."""
    keeper = Keeper(browser, lambda: tmp_path_factory.mktemp("rooms"))
    yield keeper
    keeper.close()
