"""Replaying: the same room again, and a clear word when it is not."""

import math
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.recorded_rooms import inputs_at, make_room

from robotix.errors import BadFile
from robotix.scene.events.events import Event, Signal
from robotix.scene.recording.recorder import TICK, Header, Recorder, TickMark
from robotix.scene.recording.replay import read_header, replay
from robotix.scene.scene import Scene


def again(header: Header) -> Scene:
    return make_room(seed=header.seed, dt=header.dt)


def record(path: Path, scene: Scene, *, ticks: int = 100) -> bytes:
    """Return the last digest."""
    with Recorder(path, scene) as recorder:
        for _ in range(ticks):
            scene.step(inputs_at(scene.tick + 1))
            recorder(scene)
        return recorder._digest.value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.mcap"


def test_a_replay_is_the_same_to_the_last_bit(path: Path) -> None:
    digest = record(path, make_room())
    seen: list[int] = []
    report = replay(path, load=again, on_tick=[lambda scene: seen.append(scene.tick)])
    assert report.digest_ok and report.is_complete
    assert (report.ticks, report.recorded) == (100, 100)
    assert report.digest == digest.hex()
    assert report.time == pytest.approx(100 / 120)
    assert seen == list(range(1, 101))


def test_a_replay_of_a_replay_is_the_same_file(path: Path, tmp_path: Path) -> None:
    record(path, make_room())
    scene = make_room()
    with Recorder(tmp_path / "twin.mcap", scene) as recorder:
        replay(path, load=lambda header: scene, on_tick=[recorder])
    twin = replay(tmp_path / "twin.mcap", load=again)
    assert twin.digest_ok
    assert twin.digest == replay(path, load=again).digest


def test_without_check_nothing_is_compared(path: Path) -> None:
    record(path, make_room())
    report = replay(path, load=lambda header: _meddled(10), check=False)
    assert report.digest_ok and report.ticks == 100
    assert report.digest == ""


# -- differences ----------------------------------------------------------------------------


def _at(tick: int, meddle: Callable[[Scene], object]) -> Scene:
    scene = make_room()

    def step(dt: float) -> None:
        if scene.tick == tick:
            meddle(scene)

    scene.add_hook("meddler", step)
    return scene


def _meddled(tick: int) -> Scene:
    return _at(tick, lambda scene: scene.rng.random())


@pytest.mark.parametrize("tick", [1, 2, 50, 100])
def test_the_first_tick_that_differs_is_named(path: Path, tick: int) -> None:
    record(path, make_room())
    report = replay(path, load=lambda header: _meddled(tick))
    difference = report.first_difference
    assert not report.digest_ok and difference is not None
    assert difference.tick == tick == report.ticks
    assert report.recorded == 100 and report.is_complete
    assert difference.time == pytest.approx(tick / 120)
    assert "random numbers" in difference.what


def test_a_joint_that_differs_is_named(path: Path) -> None:
    record(path, make_room())

    def nudge(scene: Scene) -> None:
        arm = scene.robots["arm"]
        arm.set_q(arm.q + np.array([0, 0.125, 0.001]))

    difference = replay(path, load=lambda header: _at(5, nudge)).first_difference
    assert difference is not None
    name = make_room().robots["arm"].model.dof_names[1]
    assert f"robot 'arm': {name} is 0.125, was 0" in difference.what
    assert "robots" in difference.what and "places" in difference.what


def _nudged(by: float) -> Scene:
    def nudge(scene: Scene) -> None:
        arm = scene.robots["arm"]
        arm.set_q(arm.q + np.array([0, by, 0]))

    return _at(5, nudge)


@pytest.mark.parametrize(("by", "is_within"), [(1e-9, True), (0.01, False)])
def test_a_replay_that_differs_goes_on_and_says_how_far(
    path: Path, by: float, is_within: bool
) -> None:
    record(path, make_room())
    report = replay(path, load=lambda header: _nudged(by), tolerance=1e-6)
    assert not report.digest_ok and report.ticks == report.recorded == 100
    assert report.first_difference is not None and report.first_difference.tick == 5
    drift = report.drift
    assert drift is not None and drift.is_within == is_within
    assert by / 2 < drift.joints < 2 * by and drift.tick >= 5
    assert 0 < drift.positions < 10 * by  # links have moved, too


def test_a_faithful_replay_does_not_drift(path: Path) -> None:
    record(path, make_room())
    report = replay(path, load=lambda header: make_room(), tolerance=0.0)
    assert report.digest_ok and report.drift is not None and report.drift.is_within
    assert (report.drift.joints, report.drift.positions) == (0.0, 0.0)


def test_a_room_without_the_robot_is_infinitely_far(path: Path) -> None:
    record(path, make_room())
    other = make_room()
    other.remove_robot("arm")
    report = replay(path, load=lambda header: other, tolerance=1e9)
    assert report.drift is not None and report.drift.joints == math.inf
    assert not report.drift.is_within


def test_an_event_that_differs_is_named(path: Path) -> None:
    record(path, make_room())

    def ring(scene: Scene) -> None:
        scene.emit(Event(Signal("bell")))

    difference = replay(path, load=lambda header: _at(5, ring)).first_difference
    assert difference is not None
    assert difference.what.startswith("events; new event Signal {'name': 'bell'} on")


def test_another_room_differs_from_the_start(path: Path) -> None:
    record(path, make_room())
    difference = replay(path, load=lambda header: make_room(size=0.2)).first_difference
    assert difference is not None
    assert (difference.tick, difference.what) == (0, "nodes")


def test_a_room_with_another_clock_is_refused(path: Path) -> None:
    record(path, make_room())
    with pytest.raises(ValueError, match="recorded with dt"):
        replay(path, load=lambda header: make_room(dt=0.01))
    with pytest.raises(ValueError, match="seed 7"):
        replay(path, load=lambda header: make_room(seed=8))


# -- files that are not whole ---------------------------------------------------------------


def test_a_file_cut_short_is_replayed_as_far_as_it_goes(path: Path) -> None:
    record(path, make_room(), ticks=500)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    report = replay(path, load=again)
    assert report.digest_ok and not report.is_complete
    assert report.ticks == report.recorded


def test_a_file_that_ends_before_the_first_tick_has_no_room(path: Path) -> None:
    record(path, make_room(), ticks=1)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(BadFile, match="/scene"):
        replay(path, load=again)


def test_a_recording_from_the_middle_cannot_be_replayed(path: Path) -> None:
    scene = make_room()
    scene.step()
    record(path, scene, ticks=3)
    assert read_header(path).tick == 1
    with pytest.raises(BadFile, match="begins at tick 1"):
        replay(path, load=again)


def _rewrite(path: Path, change: Callable[[str, bytes], bytes | None]) -> None:
    """Write the file anew, with other messages; None leaves one out."""
    from mcap.reader import make_reader
    from mcap.writer import CompressionType, Writer

    with path.open("rb") as stream:
        kept = [
            (channel.topic, channel.message_encoding, message)
            for _, channel, message in make_reader(stream).iter_messages()
        ]
    with path.open("wb") as stream:
        writer, channels = Writer(stream, compression=CompressionType.NONE), dict[str, int]()
        writer.start()
        for topic, encoding, message in kept:
            data = change(topic, message.data)
            if data is None:
                continue
            if topic not in channels:
                channels[topic] = writer.register_channel(topic, encoding, 0)
            time = message.log_time
            writer.add_message(channels[topic], time, data, time, message.sequence)
        writer.finish()


def _without_tick_2(topic: str, data: bytes) -> bytes | None:
    return None if topic == TICK and TickMark.decode(data).tick == 2 else data


def _of(wanted: str, new: bytes) -> Callable[[str, bytes], bytes]:
    return lambda topic, data: new if topic == wanted else data


VERSION_9 = b'{"version": 9, "dt": 1, "seed": 0, "tick": 0, "origin": {}, "made_by": ""}'
FAULTS: dict[str, tuple[Callable[[str, bytes], bytes | None], str]] = {
    "a tick left out": (_without_tick_2, "tick 3; expected tick 2"),
    "a short tick": (_of("/tick", b"short"), "a tick of 5 bytes"),
    "wrong type": (_of("/inputs", b'{"devices": 3}'), "what robotix records"),
    "infinite": (_of("/inputs", b'{"devices": {"a": {"axes": [1e999]}}}'), "what robotix records"),
    "deep": (_of("/inputs", b"[" * 100_000), "what robotix records"),
    "no header": (_of("/scene", b"{}"), "what robotix records"),
    "the future": (_of("/scene", VERSION_9), "recording version 9; expected version 1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_recording_is_refused(path: Path, fault: str) -> None:
    change, message = FAULTS[fault]
    record(path, make_room(), ticks=5)
    _rewrite(path, change)
    with pytest.raises(BadFile, match=message):
        replay(path, load=again)


def test_a_recording_can_be_written_anew(path: Path) -> None:
    """The tests above rest on this."""
    record(path, make_room(), ticks=20)
    _rewrite(path, lambda topic, data: data)
    assert replay(path, load=again).digest_ok


def test_forged_inputs_show_in_the_digest(path: Path) -> None:
    record(path, make_room(), ticks=20)
    forged = b'{"devices": {"stick": {"axes": [0.25]}}}'
    _rewrite(path, _of("/inputs", forged))
    difference = replay(path, load=again).first_difference
    assert difference is not None and difference.tick == 1


def test_a_flipped_bit_is_noticed(path: Path) -> None:
    record(path, make_room(), ticks=20)
    data = bytearray(path.read_bytes())
    place = data.index(struct.pack("<Q", 7) + TickMark.decode(_mark(path, 7)).digest)
    data[place + 12] ^= 1
    path.write_bytes(data)
    with pytest.raises(BadFile, match="intact MCAP"):
        replay(path, load=again)


def _mark(path: Path, tick: int) -> bytes:
    from mcap.reader import make_reader

    with path.open("rb") as stream:
        for _, _, message in make_reader(stream).iter_messages(topics=[TICK]):
            if message.sequence == tick:
                return message.data
    pytest.fail(f"no tick {tick}")
