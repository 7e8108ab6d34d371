"""Viewers that read nothing cost the scene nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import Figures
from support.served_room import ServedRoom, served

import robotix as rx
from robotix.scene.scene import Scene
from robotix.server.wire.protocol import VERSION

# Viewers in a process of their own: some read what comes, the others nothing.
VIEWERS = """
import asyncio, json, sys
from websockets.asyncio.client import connect

async def view(wanted, stalls):
    headers = {"Cookie": wanted["cookie"]}
    async with connect(
        wanted["url"], origin=wanted["origin"], additional_headers=headers, compression=None,
        max_size=None, max_queue=1, ping_interval=None,
    ) as socket:
        await socket.send(wanted["hello"])
        try:
            if stalls:
                await asyncio.sleep(wanted["seconds"])
                return
            async with asyncio.timeout(wanted["seconds"]):
                while True:
                    data = await socket.recv()
                    if isinstance(data, bytes):
                        await socket.send(json.dumps({"kind": "ping", "sent": 0}))
        except TimeoutError:
            pass

async def main(wanted):
    count, stalled = wanted["viewers"], wanted["stalled"]
    await asyncio.gather(*(view(wanted, n < stalled) for n in range(count)), return_exceptions=True)

asyncio.run(main(json.loads(sys.argv[1])))
"""


def memory() -> float:
    """Return the resident memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def watch(room: ServedRoom, *, viewers: int, stalled: int, seconds: float) -> tuple[float, float]:
    """Return ticks a second while viewers watch, and by how much memory grew, MB."""
    hello = {"kind": "hello", "version": VERSION, "name": "viewer", "key": room.key}
    wanted = {
        "url": f"ws://127.0.0.1:{room.hosting.port}/live",
        "origin": room.origin,
        "cookie": room.cookie,
        "hello": json.dumps(hello),
        "viewers": viewers,
        "stalled": stalled,
        "seconds": seconds,
    }
    with subprocess.Popen([sys.executable, "-c", VIEWERS, json.dumps(wanted)]) as process:
        end = time.monotonic() + 60
        while len(room.service.hub.clients) < viewers:
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.01)
        begin, tick, before = time.monotonic(), room.scene.tick, memory()
        process.wait()
        rate = (room.scene.tick - tick) / (time.monotonic() - begin)
    return rate, memory() - before


def make_room() -> Scene:
    scene = Scene()
    scene.add_robot("arm", rx.load("planar_3r"))
    wave = [0.5 * np.sin(0.1 * k) for k in range(100)]
    motion = rx.Motion.of(scene.robot("arm").model, np.arange(100) / 20, q=[[x] * 3 for x in wave])
    scene.robot("arm").play(motion, loop=True, timed=True)
    return scene


def look_on(figures: Figures, *, viewers: int, stalled: int, seconds: float) -> None:
    with served(make_room()) as room:
        rate, grown = watch(room, viewers=viewers, stalled=stalled, seconds=seconds)
    figures(
        "slow viewers cost nothing",
        f"{viewers} viewers, {stalled} of them stalled for {seconds:g} s",
        f"{rate:.0f} of 120 ticks a second; memory {grown:+.0f} MB",
    )
    assert grown < 50
    assert rate > 20  # of 120; on a machine that does much else


def test_stalled_viewers_cost_nothing(figures: Figures) -> None:
    look_on(figures, viewers=4, stalled=2, seconds=2.0)


@pytest.mark.soak
def test_a_hundred_viewers_of_which_ten_stall(figures: Figures) -> None:
    look_on(figures, viewers=100, stalled=10, seconds=600.0)
