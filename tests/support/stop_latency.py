"""Stops measured where they are sent: server, flood and stopper are processes of their own.

All three read the same clock (`time.monotonic`), so what a page waited for can be compared with the
ticks of the loop. With cold kernels, the server starts with an empty cache and without any warm-up:
what the flood makes the robots do is compiled while it runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from support.served_room import PATIENCE, Page, ServedRoom, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

import robotix as rx
from robotix.scene.console.console import install_console
from robotix.scene.scene import Scene
from robotix.server.wire.protocol import VERSION

COMPILE_PATIENCE = 600.0  # s; without kernels the first tick compiles some
STOPS = ("stop", "stop all", "stop arm")
# What the flood asks for: every line of the first kind needs kernels that are not compiled yet.
COLD_LINES = (
    "move_xyz (0.3, 0.1, 0.2)",
    "set_method qp",
    "move_xyz (0.2, 0.3, 0.1)",
    "display_ellipsoid",
    "set_method nested",
    "move_xyz (0.4, 0.1, 0.3)",
    "set_method strict",
    "move_xyz (0.3, 0.3, 0.2)",
)
FLOOD_LINE = "move @300;(60, 60, 60)"
BURST = 200  # lines


@dataclass(frozen=True)
class Latencies:
    """What the stopper measured, in s, one value per stop."""

    waited: np.ndarray  # from sending to the answer
    beyond: np.ndarray  # of that, after the end of the tick that ran when it was sent, or the next
    longest_tick: float  # that was made while it stopped
    n_lines: int  # that the server had received from the flood
    n_compiled: int  # kernels that were compiled within ticks, in all
    n_compiled_late: int  # of these, while the stopper was at work


def measure(folder: Path, *, stops: int, is_cold: bool) -> Latencies:
    """Let one process stop so many times what another one moves."""
    cache = {"NUMBA_CACHE_DIR": str(folder)} if is_cold else {}
    with _process("server", os.environ | cache) as server:
        address = _line(server)
        with _process("flood", os.environ, address) as flood:
            assert _line(flood) == "flooding"
            with _process("stopper", os.environ, address, str(stops)) as stopper:
                stopped = json.loads(_line(stopper))
            assert flood.stdin is not None
            flood.stdin.close()
            n_lines = int(_line(flood))
        assert server.stdin is not None
        server.stdin.close()
        made = json.loads(_line(server))
    return _compare(stopped, made, n_lines)


def _compare(stopped: dict[str, Any], made: dict[str, Any], n_lines: int) -> Latencies:
    sent, answered = np.array(stopped["sent"]), np.array(stopped["answered"])
    begins, ends = np.array(made["begins"]), np.array(made["ends"])
    # A stop is obeyed in the tick that runs or, if none does, at the beginning of the next one; it
    # is answered when that tick is over.
    number = np.clip(np.searchsorted(ends, sent), 0, len(ends) - 1)
    free_from = np.where(begins[number] < answered, ends[number], sent)
    during = (ends > sent[0]) & (begins < answered[-1])
    compiled = np.array(made["compiled"])
    return Latencies(
        waited=answered - sent,
        beyond=answered - np.minimum(free_from, answered),
        longest_tick=float((ends - begins)[during].max()),
        n_lines=n_lines,
        n_compiled=len(compiled),
        n_compiled_late=int((compiled > sent[0]).sum()),
    )


@contextmanager
def _process(role: str, environment: Any, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    process = subprocess.Popen(
        [sys.executable, "-m", "support.stop_latency", role, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**environment, "PYTHONPATH": path},
    )
    try:
        yield process
    finally:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.stdout.close()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, f"{process.args!r} ended without a word"
    return line.strip()


def _say(value: str) -> None:
    sys.stdout.write(f"{value}\n")
    sys.stdout.flush()


# -- the three processes --------------------------------------------------------------------------


def _serve() -> None:
    from numba.core import event

    scene = Scene()
    for name in ("arm", "other"):
        scene.add_robot(name, rx.load("planar_3r"))
    install_console(scene)
    compiled = list[float]()

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            compiled.append(time.monotonic())

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()), served(scene) as room:
        begins, ends = _time_ticks(room)
        _say(json.dumps([room.hosting.port, room.cookie, room.key]))
        sys.stdin.read()
    _say(json.dumps({"begins": begins[: len(ends)], "ends": ends, "compiled": compiled}))


def _time_ticks(room: ServedRoom) -> tuple[list[float], list[float]]:
    begins, ends = list[float](), list[float]()
    tick: Callable[[float], None] = room.loop._tick

    def timed(now: float) -> None:
        begins.append(time.monotonic())
        tick(now)
        ends.append(time.monotonic())

    room.loop._tick = timed  # type: ignore[method-assign]
    return begins, ends


@contextmanager
def _page(address: str, name: str) -> Iterator[Page]:
    port, cookie, key = json.loads(address)
    with connect(
        f"ws://127.0.0.1:{port}/live",
        origin=Origin(f"http://127.0.0.1:{port}"),
        additional_headers={"Cookie": cookie},
        compression=None,
        max_size=None,
        ping_interval=None,
        open_timeout=PATIENCE,
    ) as socket:
        page = Page(socket)
        page.send("hello", version=VERSION, name=name, key=key)
        page.name = page.until("welcome")["client"]
        yield page


def _flood(address: str) -> None:
    """Send lines as fast as they are taken; when cut off, for reading too slowly, come again."""
    is_over = threading.Event()
    count = 0

    def wait() -> None:
        sys.stdin.read()
        is_over.set()

    threading.Thread(target=wait, daemon=True).start()
    while not is_over.is_set():
        with suppress(ConnectionClosed), _page(address, "flood") as page:
            page.take_control(by_force=True)
            threading.Thread(target=_read_all, args=(page,), daemon=True).start()
            line = json.dumps({"kind": "command", "id": 1, "line": FLOOD_LINE})
            while not is_over.is_set():
                for _ in range(BURST):
                    page.socket.send(line)
                page.send("command", id=2, line=COLD_LINES[count // BURST % len(COLD_LINES)])
                count += BURST
                if count == 5 * BURST:
                    _say("flooding")
    _say(str(count))


def _read_all(page: Page) -> None:
    """Read answers, and throw them away."""
    with suppress(ConnectionClosed):
        while True:
            page.socket.recv()


def _stop(address: str, stops: int) -> None:
    sent, answered = list[float](), list[float]()
    with _page(address, "stopper") as page:
        for number in range(stops):
            line = STOPS[number % len(STOPS)]
            sent.append(time.monotonic())
            page.send("command", id=number, line=line)
            assert _answer(page, number)["ok"]
            answered.append(time.monotonic())
    _say(json.dumps({"sent": sent, "answered": answered}))


def _answer(page: Page, number: int) -> dict[str, Any]:
    while True:
        data = page.socket.recv(timeout=COMPILE_PATIENCE)
        if isinstance(data, str) and '"answer"' in data:
            message: dict[str, Any] = json.loads(data)
            if message["kind"] == "answer" and message["id"] == number:
                return message


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["server"]:
            _serve()
        case ["flood", address]:
            _flood(address)
        case ["stopper", address, stops]:
            _stop(address, int(stops))
