"""How the room fares with a crowd of viewers: `python benchmarks/server.py`.

Fifty viewers look at a room at 60 Hz, five of them stop reading, while the room lives at 120 Hz and
one page drives. Measured are

- the loop: how long ticks take, and how far they begin from when they should;
- the way of an input: from a line that is sent to the frame in which a page sees what it did;
- the age of frames when they arrive, how many arrive a second, and the memory of the process;
- the time from the command `robotix run` to the first frame at a page, and to the first picture
  that a real browser has drawn (see `start_up.py`);
- how many pictures a second that browser draws (see `frame_rate.py`).

Without a browser the last two are left out, and it says so.

Viewers live in a process of their own, and so does the page that drives. Run it on an idle machine
with two cores or more.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from frame_rate import tell_frame_rates
from start_up import find_browser, tell_starts
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from robotix.devices import Controls, default_device_map, fit_to_scene
from robotix.geometry import Box, Pose
from robotix.model import Visual
from robotix.model.robots import load
from robotix.scene.console.console import install_console
from robotix.scene.loop import Loop, LoopReport
from robotix.scene.scene import Scene
from robotix.server import Access, Hosting, RoomService
from robotix.server.http.sessions import Sessions
from robotix.server.live.frames import HEADER

TOKEN = "a-token-for-benchmarks-only"
VIEWERS, STALLED = 50, 5
CONFIRM = 0.04  # s between two words of a page about what it has drawn
MARK = "mark"  # the node whose way is timed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="to look on")
    parser.add_argument("--viewers", type=int, default=VIEWERS)
    parser.add_argument("--stalled", type=int, default=STALLED, help="of the viewers")
    parser.add_argument("--start-only", action="store_true", help="only the start and the pictures")
    parser.add_argument("--rounds", type=int, default=5, help="of starts with a browser")
    parser.add_argument("--frame-seconds", type=float, default=10.0, help="to count pictures")
    for part in ("--look", "--drive"):
        parser.add_argument(part, metavar="PORT:COOKIE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.look or options.drive:
        print(json.dumps(asyncio.run(_look_on(options) if options.look else _drive(options))))
        return
    if not options.start_only:
        crowd(options)
    start()
    tell_starts(options.rounds)
    if find_browser() is not None:
        tell_frame_rates(options.frame_seconds)


# -- the room -------------------------------------------------------------------------------


def crowded_room() -> Scene:
    """Return a room of 300 things, of which 40 move, and three arms on their way."""
    scene = Scene()
    box = Box(np.full(3, 0.1))
    names = [f"box {i}" for i in range(300)]
    for i, name in enumerate(names):
        place = Pose.at(i % 20, i // 20, 0)
        scene.graph.add(name, solids=[box], visuals=[Visual(box)], pose=place)
    scene.graph.add(MARK, solids=[box], visuals=[Visual(box)])
    arms = [scene.add_robot(f"arm {i}", load("kuka_lwr"), pose=Pose.at(i, -2, 0)) for i in range(3)]
    moving = [scene.graph[name] for name in names[:40]]

    def stir(dt: float) -> None:
        for i, node in enumerate(moving):
            node.pose = Pose.at(i % 20, i // 20, np.sin(scene.time + i))
        for arm in arms:
            if arm.drive is None:
                arm.move((np.sin(scene.time + np.arange(7)) * 0.5).tolist(), ticks=120)

    scene.add_hook("stir", stir)
    install_console(scene)
    return scene


def crowd(options: argparse.Namespace) -> None:
    """Let a crowd look on."""
    scene, service, begun = crowded_room(), RoomService(), []
    with Hosting(service, Access.of(TOKEN)) as hosting:
        service.open(scene, Controls(fit_to_scene(default_device_map(), {})))

        def note_time(scene: Scene) -> None:
            begun.append(time.perf_counter())

        loop = Loop(scene, source=service.source, on_tick=[note_time, *service.on_tick])
        service.attach(loop)
        loop.run(ticks=60)  # all is loaded
        door = str(hosting.port)
        sizes = [f"--{name}={getattr(options, name)}" for name in ("seconds", "viewers", "stalled")]
        visitors = _Visitors([("--look", door, *sizes), ("--drive", door, *sizes)])
        memory = [_memory()]
        threading.Thread(target=visitors.until_gone, args=(loop,)).start()
        begun.clear()
        busy = -time.process_time()
        report = loop.run()
        busy += time.process_time()
        memory.append(_memory())
    _tell(report, begun, visitors.told, memory, dt=scene.dt)
    print(f"loop and server together used {busy / (begun[-1] - begun[0]):.0%} of a core")


class _Visitors:
    """Those who look on and the one who drives, each a process of its own."""

    def __init__(self, arguments: Iterable[tuple[str, ...]]) -> None:
        self.told: dict[str, list[float]] = {}
        self._processes = [
            subprocess.Popen([sys.executable, __file__, *each], stdout=subprocess.PIPE, text=True)
            for each in arguments
        ]

    def until_gone(self, loop: Loop) -> None:
        """Listen to them until all are gone, then stop the loop."""
        for process in self._processes:
            told, _ = process.communicate()
            self.told |= json.loads(told)
        loop.stop()


def _memory() -> float:
    """Return the memory of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _tell(
    report: LoopReport, begun: list[float], seen: dict[str, Any], memory: list[float], *, dt: float
) -> None:
    late = abs(np.diff(begun) - dt)
    print(f"{'':<34}{'median':>10}{'p99':>10}{'worst':>10}")
    _row("tick", np.array([report.median, report.p99, report.worst]))
    _row("tick begins early or late by", _quantiles(late))
    _row("input to state to frame", _quantiles(seen["ways"]))
    _row("age of a frame that arrives", _quantiles(seen["ages"]))
    rates = np.array(seen["rates"])
    print(f"frames a second and viewer: {rates.min():.1f} to {rates.max():.1f}")
    print(f"overruns {report.overruns} of {report.ticks} ticks, lost {report.lost:.3f} s")
    print(f"memory {memory[0]:.0f} MB before, {memory[1]:.0f} MB after")


def _row(name: str, values: np.ndarray[Any, Any]) -> None:
    print(f"{name:<34}" + "".join(f"{value * 1e3:>7.2f} ms" for value in values))


def _quantiles(values: Any) -> np.ndarray[Any, Any]:
    return np.array([np.median(values), np.quantile(values, 0.99), np.max(values)])


# -- the viewers ----------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def _viewer(port: str) -> AsyncIterator[ClientConnection]:
    sessions = Sessions(TOKEN, int(port))
    async with connect(
        f"ws://127.0.0.1:{port}/live",
        origin=Origin(f"http://127.0.0.1:{port}"),
        additional_headers={"Cookie": f"{sessions.cookie_name}={sessions.cookie()}"},
        compression=None,
        max_size=None,
        max_queue=4,
    ) as socket:
        hello = {"kind": "hello", "version": 1, "name": "viewer", "key": sessions.key()}
        await socket.send(json.dumps(hello))
        yield socket


async def _look_on(options: argparse.Namespace) -> dict[str, list[float]]:
    port = options.look
    end = time.perf_counter() + options.seconds
    seen: dict[str, list[float]] = {"ages": [], "rates": []}
    async with asyncio.TaskGroup() as tasks:
        for _ in range(options.stalled):
            tasks.create_task(_stall(port, end))
        for _ in range(options.viewers - options.stalled):
            tasks.create_task(_look(port, end, seen))
    return seen


async def _stall(port: str, end: float) -> None:
    async with _viewer(port) as socket:
        await socket.recv()
        await asyncio.sleep(end - time.perf_counter())
        socket.transport.abort()


async def _look(port: str, end: float, seen: dict[str, list[float]]) -> None:
    count, start = 0, time.perf_counter()
    confirmed = start
    async with _viewer(port) as socket:
        while (now := time.perf_counter()) < end:
            data = await socket.recv()
            if isinstance(data, bytes):
                _, _, tick, _, _, sent = HEADER.unpack_from(data)
                seen["ages"].append(time.perf_counter() - sent)
                count += 1
                if now - confirmed >= CONFIRM:
                    confirmed = now
                    await socket.send(f'{{"kind": "moved", "tick": {tick}}}')
    seen["rates"].append(count / (now - start))


async def _drive(options: argparse.Namespace) -> dict[str, list[float]]:
    """Put a thing elsewhere, again and again, and wait until it is seen there."""
    port = options.drive
    end = time.perf_counter() + options.seconds
    ways, place = list[float](), 0
    async with _viewer(port) as socket:
        await socket.send('{"kind": "ask_control", "take": true}')
        mark = await _row_of_mark(socket)
        while time.perf_counter() < end:
            place += 1
            sent = time.perf_counter()
            line = f"place {MARK}; ({place % 1000}, 0, 5)"
            await socket.send(json.dumps({"kind": "command", "id": place, "line": line}))
            while not _shows(await socket.recv(), mark, place % 1000):
                pass
            ways.append(time.perf_counter() - sent)
            await asyncio.sleep(0.02 + 0.01 * (place % 3) / 3)  # at any moment of a tick
    return {"ways": ways}


async def _row_of_mark(socket: ClientConnection) -> int:
    while True:
        data = await socket.recv()
        message = json.loads(data) if isinstance(data, str) else {}
        if message.get("kind") == "room":
            return [node["name"] for node in message["nodes"]].index(MARK)


def _shows(data: str | bytes, row: int, place: int) -> bool:
    if isinstance(data, str):
        return False
    count = HEADER.unpack_from(data)[3]
    rows = np.frombuffer(data, "<u4", count, HEADER.size)
    (found,) = np.nonzero(rows == row)
    places = np.frombuffer(data, "<f4", count * 8, HEADER.size + 4 * count).reshape(-1, 8)
    return bool(len(found)) and abs(float(places[found[0], 0]) - place) < 0.5


# -- the start ------------------------------------------------------------------------------


def start() -> None:
    """Time the way from the command to the first frame."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "robotix", "run", "--no-open", "--port", "0"]
    environment = os.environ | {"ROBOTIX_TOKEN": TOKEN}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        port = line.split(":")[2].split("/")[0]
        served = time.perf_counter() - begun
        try:
            room, frame = asyncio.run(_first_frame(port, begun))
        finally:
            process.terminate()
            process.communicate()
    print(f"command to page {served:.2f} s, to room {room:.2f} s, to first frame {frame:.2f} s")


async def _first_frame(port: str, begun: float) -> tuple[float, float]:
    room = 0.0
    async with _viewer(port) as socket:
        while True:
            data = await socket.recv()
            now = time.perf_counter() - begun
            if isinstance(data, bytes):
                return room, now
            if not room and json.loads(data)["kind"] == "room":
                room = now


if __name__ == "__main__":
    main()
