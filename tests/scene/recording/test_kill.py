"""Killed at any moment, a recording is readable, and has lost no more than a moment.

One process imports everything and then forks a child for every trial; the child runs a room in real
time with a recorder, and says on a pipe which tick it has made, and when. It is killed after a
random number of them.
"""

import os
import random
import signal
import struct
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from conftest import Figures
from support.recorded_rooms import make_room

from robotix.scene.recording.recorder import Header
from robotix.scene.recording.replay import replay
from robotix.scene.scene import Scene

TRIALS = 52
MOST_LOST = 0.1  # s
RATE = 1_000  # Hz
SAID = struct.Struct("<qd")  # tick, time

SERVER = """
    import gc, os, struct, sys, time
    from support.recorded_rooms import inputs_at, make_room
    from robotix.scene.loop import Loop
    from robotix.scene.recording.recorder import Recorder

    def live(path):
        scene = make_room(dt=1 / {rate})
        recorder = Recorder(path, scene)

        def say(scene):
            os.write(1, struct.pack("<qd", scene.tick, time.monotonic()))

        Loop(scene, source=lambda now: inputs_at(scene.tick + 1), on_tick=[recorder, say]).run()

    make_room().step()  # all is loaded now
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            live(line.rstrip())
            os._exit(0)
        os.write(1, struct.pack("<qd", child, 0.0))
        os.waitpid(child, 0)
        os.write(1, struct.pack("<qd", -1, 0.0))
"""


class Server:
    """The process that starts rooms."""

    def __init__(self) -> None:
        code = textwrap.dedent(SERVER).format(rate=RATE)
        path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
        )

    def kill_after(self, path: Path, ticks: int) -> tuple[list[tuple[int, float]], bool]:
        """Return the ticks that a room said it had made until it was killed."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{path}\n".encode())
        self.process.stdin.flush()
        child, said = 0, list[tuple[int, float]]()
        for tick, time in self._words():
            if tick == -1:
                return said, True
            if time == 0.0:
                child = tick
            else:
                said.append((tick, time))
            if child and len(said) == ticks:
                os.kill(child, signal.SIGKILL)
        return said, False

    def _words(self) -> Iterator[tuple[int, float]]:
        assert self.process.stdout is not None
        while len(word := self.process.stdout.read(SAID.size)) == SAID.size:
            yield SAID.unpack(word)

    def close(self) -> None:
        self.process.communicate()


def again(header: Header) -> Scene:
    return make_room(seed=header.seed, dt=header.dt)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_room_loses_at_most_a_moment(tmp_path: Path, figures: Figures) -> None:
    kill_rooms(tmp_path, TRIALS, figures)


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_hundred_killed_rooms_lose_at_most_a_moment(tmp_path: Path, figures: Figures) -> None:
    kill_rooms(tmp_path, 200, figures)


def kill_rooms(tmp_path: Path, trials: int, figures: Figures) -> None:
    rng = random.Random(3)
    server, losses, stalls = Server(), list[float](), list[float]()
    try:
        for trial in range(trials):
            path = tmp_path / f"{trial}.mcap"
            said, is_dead = server.kill_after(path, rng.randint(1, 60))
            assert is_dead and said
            report = replay(path, load=again)
            assert report.digest_ok, report
            assert not report.is_complete
            since = _when(said, report.recorded)
            losses.append(said[-1][1] - since)
            stalls.append(_longest_stall(said, since))
    finally:
        server.close()
    figures(
        "a killed process loses at most 0.1 s of the clock, and the rest replays",
        f"{trials} × SIGKILL",
        f"lost: median {1e3 * median(losses):.0f} ms, worst {1e3 * max(losses):.0f} ms, beyond a "
        f"time in which the machine did not run the process "
        f"{1e3 * max(map(float.__sub__, losses, stalls)):.0f} ms; all replay",
    )
    assert max(map(float.__sub__, losses, stalls)) <= MOST_LOST
    assert max(losses) > 0  # some were killed in between, or this shows nothing


def _when(said: list[tuple[int, float]], tick: int) -> float:
    """Return when the first tick was made that is not in the file; the last when all are."""
    return next((time for number, time in said if number > tick), said[-1][1])


def _longest_stall(said: list[tuple[int, float]], since: float) -> float:
    """Return by how much the slowest tick of what was lost came too late, s.

    A process that the machine does not run can write nothing.
    """
    times = [time for _, time in said if time >= since]
    gaps = (later - earlier for earlier, later in pairwise(times))
    return max(max(gaps, default=0.0) - 1 / RATE, 0.0)
