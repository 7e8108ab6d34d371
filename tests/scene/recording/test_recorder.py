"""Recordings: what is in them, how they end, and that they never stop the room."""

import errno
import io
import os
import struct
import threading
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from support.recorded_rooms import inputs_at, make_room
from support.slow_clock import SlowClock

from robotix.errors import BadFile
from robotix.geometry import Pose
from robotix.geometry.rotation import rotation_from_quaternion
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs
from robotix.model.robots import load
from robotix.motion.mcap_records import RecordReader
from robotix.scene.graph.graph import Graph
from robotix.scene.recording import log_file
from robotix.scene.recording.nodes import NodeLog
from robotix.scene.recording.origin import Origin
from robotix.scene.recording.recorder import Header, Recorder, TickMark
from robotix.scene.scene import Scene


def record(path: Path, scene: Scene, *, ticks: int, origin: Origin | None = None) -> None:
    with Recorder(path, scene, origin=origin) as recorder:
        for _ in range(ticks):
            scene.step(inputs_at(scene.tick + 1))
            recorder(scene)


def read(path: Path) -> tuple[dict[str, list[tuple[int, bytes]]], bool]:
    """Return tick and data of all messages by topic, and whether the file is complete."""
    from mcap.records import Channel, Message

    found, topics = defaultdict(list), {}
    with path.open("rb") as stream:
        reader = RecordReader(str(path), stream)
        for each in reader:
            if isinstance(each, Channel):
                topics[each.id] = each.topic
            elif isinstance(each, Message):
                assert each.log_time == each.publish_time
                found[topics[each.channel_id]].append((each.sequence, each.data))
    return dict(found), reader.is_complete


def documents(messages: list[tuple[int, bytes]], key: str) -> list[Any]:
    return [(tick, msgspec.json.decode(data)[key]) for tick, data in messages]


# -- what is in them ------------------------------------------------------------------------


def test_a_recording_holds_every_tick(tmp_path: Path) -> None:
    scene, postures, states = make_room(), [], []
    path = tmp_path / "room.mcap"
    with Recorder(path, scene) as recorder:
        postures.append(scene.robots["arm"].q.copy())
        for _ in range(60):
            scene.step(inputs_at(scene.tick + 1))
            recorder(scene)
            postures.append(scene.robots["arm"].q.copy())
            states.append((scene.events, scene.messages))
    found, is_complete = read(path)
    assert is_complete
    assert [tick for tick, _ in found["/tick"]] == list(range(61))
    assert [TickMark.decode(data).tick for _, data in found["/tick"]] == list(range(61))
    assert len({TickMark.decode(data).digest for _, data in found["/tick"]}) == 61
    assert [tick for tick, _ in found["/robots/arm"]] == list(range(61))
    rows = np.array([struct.unpack("<4x4d", data) for _, data in found["/robots/arm"]])
    np.testing.assert_array_equal(rows[:, 1:], postures)
    np.testing.assert_allclose(rows[:, 0], np.arange(61) / 120)
    events = dict(documents(found["/events"], "events"))
    assert {tick: len(each) for tick, each in events.items()} == {
        tick: len(each) for tick, (each, _) in enumerate(states, 1) if each
    }
    assert events[25][0] == {
        "kind": "Button",
        "source": {"device": "stick", "button": "go"},
        "state": True,
    }
    told = dict(documents(found["/messages"], "messages"))
    assert told[33][0]["kind"] == "Problem"
    assert told[33][0]["what"]["who"] == "command 'nonsense'"


def test_inputs_are_written_when_they_change(tmp_path: Path) -> None:
    record(tmp_path / "room.mcap", make_room(), ticks=60)
    found, _ = read(tmp_path / "room.mcap")
    ticks = [tick for tick, _ in found["/inputs"]]
    assert ticks == [1, 10, 15, 20, 25, 30, 33, 34, 35, 40, 45, 50, 55, 60]
    for tick, data in found["/inputs"]:
        assert msgspec.json.decode(data, type=Inputs) == inputs_at(tick)
    axes = msgspec.json.decode(found["/inputs"][-1][1], type=Inputs).devices["stick"].axes
    assert np.signbit(axes[1])  # the minus of -0.0 counts


def test_inputs_that_stay_the_same_object_are_written_once(tmp_path: Path) -> None:
    scene, same = make_room(), inputs_at(30)
    with Recorder(tmp_path / "room.mcap", scene) as recorder:
        for inputs in (same, same, inputs_at(10), same):
            scene.step(inputs)
            recorder(scene)
    found, _ = read(tmp_path / "room.mcap")
    assert [tick for tick, _ in found["/inputs"]] == [1, 3, 4]


def test_the_header_tells_where_the_room_comes_from(tmp_path: Path) -> None:
    origin = Origin(
        "room.yaml",
        "robotix: 1\n",
        includes={"b.yaml": "objects:"},
        files={"cup.glb": "abc"},
        contents={"cup.glb": bytes(range(256))},
    )
    record(tmp_path / "room.mcap", make_room(seed=3, dt=0.01), ticks=1, origin=origin)
    found, _ = read(tmp_path / "room.mcap")
    header = msgspec.json.decode(found["/scene"][0][1], type=Header)
    assert header.origin == origin
    assert (header.version, header.seed, header.dt, header.tick) == (1, 3, 0.01, 0)
    assert header.made_by.startswith("robotix")


def test_a_robot_that_comes_later_is_recorded_too(tmp_path: Path) -> None:
    scene = make_room()
    with Recorder(tmp_path / "room.mcap", scene) as recorder:
        scene.step()
        recorder(scene)
        scene.add_robot("late", load("scara"))
        scene.step()
        recorder(scene)
    found, _ = read(tmp_path / "room.mcap")
    assert [tick for tick, _ in found["/robots/late"]] == [2]


def test_other_tools_can_read_it(tmp_path: Path) -> None:
    """The library's own reader of finished files finds index and statistics in order."""
    from mcap.reader import make_reader

    record(tmp_path / "room.mcap", make_room(), ticks=30)
    with (tmp_path / "room.mcap").open("rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        summary = reader.get_summary()
        assert summary is not None and summary.statistics is not None
        topics = {channel.topic for channel in summary.channels.values()}
        counts = summary.statistics.channel_message_counts
        read_back = list(reader.iter_messages())
        assert len(read_back) == summary.statistics.message_count == sum(counts.values())
    assert topics >= {"/scene", "/inputs", "/events", "/messages", "/nodes", "/tick", "/robots/arm"}


# -- nodes ----------------------------------------------------------------------------------


def transforms(data: bytes) -> dict[str, tuple[str, float, list[float]]]:
    """Decode a TFMessage as CDR says: every number at a multiple of its size."""
    assert data[:4] == b"\0\1\0\0"
    body, at = data[4:], 0

    def take(code: str) -> Any:
        nonlocal at
        at += -at % struct.calcsize(code)
        (value,) = struct.unpack_from("<" + code, body, at)
        at += struct.calcsize(code)
        return value

    def text() -> str:
        nonlocal at
        size = take("I")
        at += size
        assert body[at - 1] == 0
        return body[at - size : at - 1].decode()

    found = {}
    for _ in range(take("I")):
        time = take("i") + take("I") * 1e-9
        parent, child = text(), text()
        found[child] = parent, time, [take("d") for _ in range(7)]
    assert at == len(body)
    return found


def test_nodes_that_moved_are_transforms() -> None:
    rng = np.random.default_rng(0)
    graph = Graph()
    names = ["a", "bé", "ccc", "dddd", "eeeee"]
    for name in names:
        graph.add(name, pose=Pose.at(*rng.normal(size=3), rpy=rng.uniform(-3, 3, 3)))
    graph.attach("ccc", "bé")
    log = NodeLog(graph)
    found = transforms(log.encode_moved(1.25) or b"")
    assert list(found) == [node.name for node in graph if node.parent is not None]
    for name, (parent, time, numbers) in found.items():
        node = graph[name]
        assert node.parent is not None and parent == node.parent.name
        assert time == pytest.approx(1.25)
        np.testing.assert_allclose(numbers[:3], node.pose.translation)
        x, y, z, w = numbers[3:]
        np.testing.assert_allclose(
            rotation_from_quaternion([w, x, y, z]), node.pose.rotation, atol=1e-12
        )


def test_only_what_moved_is_written() -> None:
    graph = Graph()
    for name in "abc":
        graph.add(name)
    log = NodeLog(graph)
    assert set(transforms(log.encode_moved(0.0) or b"")) == {"a", "b", "c"}
    assert log.encode_moved(0.1) is None
    graph.mark_moved()
    assert log.encode_moved(0.2) is None
    graph["b"].pose = Pose.at(1, 2, 3)
    assert set(transforms(log.encode_moved(0.3) or b"")) == {"b"}
    graph.add("d")
    graph.attach("a", "c", stay=False)
    assert set(transforms(log.encode_moved(0.4) or b"")) == {"a", "d"}
    graph.remove("b")
    assert log.encode_moved(0.5) is None


# -- how they end ---------------------------------------------------------------------------


def test_an_older_recording_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "room.mcap"
    path.write_bytes(b"dear to me")
    with pytest.raises(FileExistsError, match="choose a new name"):
        Recorder(path, make_room())
    assert path.read_bytes() == b"dear to me"


def test_whatever_is_older_than_a_moment_is_in_the_file(tmp_path: Path) -> None:
    path, clock, scene = tmp_path / "room.mcap", SlowClock(), make_room(dt=0.01)
    with Recorder(path, scene, clock=clock.now) as recorder:
        log = recorder._log
        for _ in range(40):
            scene.step()
            clock.work(0.01)
            recorder(scene)
            wait_for_writer(path, log)
            ticks = [tick for tick, _ in read(path)[0]["/tick"]]
            assert ticks[-1] >= scene.tick - 4  # 40 ms
            assert not read(path)[1]


def wait_for_writer(path: Path, log: log_file.LogFile) -> None:
    while log.error is None and path.stat().st_size < log._spool._taken:
        os.sched_yield()


def test_a_room_that_stands_still_is_in_the_file_as_well(tmp_path: Path) -> None:
    path, clock, scene = tmp_path / "room.mcap", SlowClock(), make_room()
    with Recorder(path, scene, clock=clock.now) as recorder:
        scene.step()
        recorder(scene)  # and then nothing: the other thread takes care
        while read(path)[0]["/tick"][-1][0] != 1:
            os.sched_yield()


@pytest.mark.parametrize("cut", [0.3, 0.5, 0.9, 0.999])
def test_a_file_cut_short_is_read_as_far_as_it_goes(tmp_path: Path, cut: float) -> None:
    path, clock, scene = tmp_path / "room.mcap", SlowClock(), make_room()
    with Recorder(path, scene, clock=clock.now) as recorder:
        for _ in range(100):
            scene.step(inputs_at(scene.tick + 1))
            clock.work(0.06)
            recorder(scene)
        recorder._log.flush()
        wait_for_writer(path, recorder._log)
        size = path.stat().st_size
        data = path.read_bytes()[: int(cut * size)]
    short = tmp_path / "short.mcap"
    short.write_bytes(data)
    found, is_complete = read(short)
    ticks = [tick for tick, _ in found["/tick"]]
    assert not is_complete
    assert ticks == list(range(len(ticks)))
    assert cut * 80 < len(ticks) < cut * 120 + 2


def test_a_full_disk_ends_the_recording_and_not_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, scene, room = tmp_path / "room.mcap", make_room(), 20_000
    real_write = os.write

    def write(file: int, data: memoryview) -> int:
        nonlocal room
        if room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        part = data[: min(room, 1000)]  # and never all at once
        room -= len(part)
        return real_write(file, part)

    monkeypatch.setattr(os, "write", write)
    clock, problems = SlowClock(), []
    recorder = Recorder(path, scene, clock=clock.now)
    while not recorder.is_over:
        scene.step(inputs_at(scene.tick + 1))
        clock.work(0.06)
        recorder(scene)
        wait_for_writer(path, recorder._log)
        problems += [each for each in scene.messages if isinstance(each, Problem)]
    assert any(
        each.who == "recording" and "No space left" in each.what and str(path) in each.what
        for each in problems
    )
    scene.step()
    recorder(scene)  # does nothing
    recorder.close()
    ticks = [tick for tick, _ in read(path)[0]["/tick"]]
    assert ticks == list(range(len(ticks))) and len(ticks) > 10


def test_a_disk_that_hangs_does_not_hold_up_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    real_write = os.write

    def write(file: int, data: memoryview) -> int:
        gate.wait()
        return real_write(file, data)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr(log_file, "MAX_QUEUE", 50)
    clock, scene, problems = SlowClock(), make_room(), []
    gate.set()
    recorder = Recorder(tmp_path / "room.mcap", scene, clock=clock.now)
    gate.clear()
    for _ in range(70):
        scene.step()
        clock.work(0.06)
        recorder(scene)
        problems += [each.what for each in scene.messages if isinstance(each, Problem)]
    assert len(problems) == 1 and "does not keep up" in problems[0]
    gate.set()
    recorder._log._thread.join()


def test_a_disk_that_is_full_from_the_start_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(file: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="No space left"):
        Recorder(tmp_path / "room.mcap", make_room())


def test_another_file_is_not_taken_for_a_recording() -> None:
    with pytest.raises(BadFile, match="another kind"):
        list(RecordReader("x.mcap", io.BytesIO(b"PK\3\4" * 10)))
