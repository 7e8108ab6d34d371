"""Motions as MCAP: logs that survive a crash."""

import json
import math
import random
import signal
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.sample_motion import LONG_AGO, SAMPLE

from robotix.errors import BadFile
from robotix.model import Model
from robotix.motion import (
    MotionLog,
    append_motion,
    load_motion,
)
from robotix.motion.mcap_file import FLUSH_INTERVAL, dump_mcap, load_mcap


def test_mcap_postures_are_plain_cdr_with_a_field_a_joint() -> None:
    """Viewers need nothing of ours: the schema in the file tells how to read it."""
    import io

    from mcap.reader import make_reader

    reader = make_reader(io.BytesIO(dump_mcap(SAMPLE)))
    messages = [m for m in reader.iter_messages(topics=["/posture"])]
    schema, channel, message = messages[1]
    assert schema is not None and (schema.encoding, channel.message_encoding) == ("ros2msg", "cdr")
    fields = [line.split() for line in schema.data.decode().splitlines()]
    assert fields == [[b, n] for b, n in fields if b == "float64"]
    assert [name for _, name in fields] == ["time", "q0_rail_left", "q1_r_ellb_gen", "q2_say_a"]
    assert message.data[:4] == b"\0\1\0\0"
    assert struct.unpack("<4d", message.data[4:]) == (0.2, *SAMPLE.q[1])
    assert message.log_time == 200_000_000
    (_, _, marker) = next(iter(reader.iter_messages(topics=["/marker"])))
    assert json.loads(marker.data) == {"time": 0.125, "label": LONG_AGO.label}


def test_a_log_holds_all_but_the_last_moments_at_any_time(tmp_path: Path, arm: Model) -> None:
    path, dt = tmp_path / "log.mcap", 1 / 120
    sizes = []
    with MotionLog(path, arm) as log:
        for tick in range(60):
            log.add(tick * dt, np.full(3, tick / 100))
            sizes.append(path.stat().st_size)
        log.mark("done")
    data = path.read_bytes()
    whole = load_motion(path)
    assert len(whole.times) == 60 and whole.markers == ((59 * dt, "done"),)
    for tick, size in enumerate(sizes):
        motion = load_mcap("x", data[:size])
        assert tick * dt - motion.times[-1] <= FLUSH_INTERVAL
        np.testing.assert_array_equal(motion.q, whole.q[: len(motion.q)])


def test_a_cut_file_is_recovered_up_to_the_cut(
    tmp_path: Path, arm: Model, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "log.mcap"
    with MotionLog(path, arm) as log:
        for tick in range(60):
            log.add(tick / 100, np.full(3, tick / 100))
    data, last = path.read_bytes(), 0
    whole = load_motion(path)
    assert not caplog.records
    for cut in sorted(random.Random(1).sample(range(len(data)), 400)):
        try:
            motion = load_mcap("cut.mcap", data[:cut])
        except BadFile:
            assert not last  # only before the first posture
            continue
        assert len(motion.times) >= max(last, 1)
        last = len(motion.times)
        np.testing.assert_array_equal(motion.q, whole.q[:last])
    assert last == 60
    assert "cut.mcap: cut short" in caplog.text


def test_a_killed_writer_loses_at_most_the_last_moments(tmp_path: Path) -> None:
    path, dt, ticks = tmp_path / "log.mcap", 0.008, 1003
    program = f"""
import os, signal
from robotix.model import Body, Joint, Model
from robotix.motion import MotionLog
log = MotionLog({str(path)!r}, Model("m", (Body("b", Joint("j", "revolute")),)))
for tick in range({ticks}):
    log.add(tick * {dt}, [tick / 10])
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    motion = load_motion(path)
    assert (ticks - 1) * dt - motion.times[-1] <= FLUSH_INTERVAL
    np.testing.assert_array_equal(motion.q[:, 0], np.arange(len(motion.times)) / 10)
    append_motion(path, motion, gap=dt)  # and the file can be used again
    assert len(load_motion(path).times) == 2 * len(motion.times)


def test_a_log_refuses_nonsense_and_older_files(tmp_path: Path, arm: Model) -> None:
    path = tmp_path / "log.mcap"
    with MotionLog(path, arm) as log:
        with pytest.raises(ValueError, match="marker"):
            log.mark("too early")
        log.add(1.0, np.zeros(3))
        with pytest.raises(ValueError, match="time"):
            log.add(1.0, np.zeros(3))
        with pytest.raises(ValueError, match="posture"):
            log.add(2.0, [0.0, math.nan, 0.0])
    log.close()  # once more does no harm
    assert len(load_motion(path).times) == 1
    with pytest.raises(FileExistsError):
        MotionLog(path, arm)
    with MotionLog(tmp_path / "empty.mcap", arm):
        pass
    with pytest.raises(BadFile, match="no postures"):
        load_motion(tmp_path / "empty.mcap")
