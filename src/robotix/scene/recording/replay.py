"""Replaying: load the recorded scene, apply the recorded inputs, and compare."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np

from robotix.errors import BadFile
from robotix.inputs.readings import Inputs
from robotix.motion.mcap_records import RecordReader
from robotix.scene.recording.drift import Drift, DriftMeter, decode_posture
from robotix.scene.recording.origin import target_path
from robotix.scene.recording.recorder import (
    CDR_LITTLE_ENDIAN,
    EVENTS,
    FILES,
    INPUTS,
    NODES,
    ROBOTS,
    SCENE,
    TICK,
    VERSION,
    Header,
    TickMark,
    UsedFile,
    event_documents,
)
from robotix.scene.recording.state import SECTIONS, Digest
from robotix.scene.scene import Scene

if TYPE_CHECKING:
    from mcap.records import Message

__all__ = ["Divergence", "Loader", "ReplayReport", "read_header", "read_used_files", "replay"]

Loader = Callable[[Header], Scene]
T = TypeVar("T")


@dataclass(frozen=True)
class Divergence:
    """The first difference between a replay and its recording."""

    tick: int  # 0: the initial state
    time: float  # s
    what: str


@dataclass(frozen=True)
class ReplayReport:
    """The result of a replay."""

    ticks: int  # replayed
    recorded: int  # ticks in the file
    time: float  # s, of the scene
    is_complete: bool  # whether the recording was finished properly
    digest: str  # of all states
    first_difference: Divergence | None = None
    drift: Drift | None = None  # from the recording; None if it was not measured

    @property
    def digest_ok(self) -> bool:
        """Whether everything was as recorded; True if nothing was compared."""
        return self.first_difference is None


def read_header(path: str | Path) -> Header:
    """Read the header of a recording."""
    with Path(path).open("rb") as stream:
        for topic, message in _Messages(str(path), stream):
            if topic == SCENE:
                return _decode_header(str(path), message.data)
    raise BadFile(str(path), f"nothing on topic {SCENE!r}", "a recording of a room by robotix")


def read_used_files(path: str | Path) -> list[UsedFile]:
    """Return the files in a recording that commands used."""
    with Path(path).open("rb") as stream:
        return [
            _decode_json(str(path), message.data, UsedFile)
            for topic, message in _Messages(str(path), stream)
            if topic == FILES
        ]


def replay(
    path: str | Path,
    *,
    load: Loader,
    check: bool = True,
    on_tick: Sequence[Callable[[Scene], None]] = (),
    files_into: Path | None = None,
    tolerance: float | None = None,
) -> ReplayReport:
    """Replay a recording to its end.

    `load` returns the scene in its initial state. With `check`, the replay stops at the first tick
    that differs from the recording; with a `tolerance` (rad or m), it goes on and measures how far
    joints and nodes drift from the recorded ones. Files that commands used are written into
    `files_into`, the scene's folder, in the tick in which they did; None: they are there as they
    were.
    """
    header = read_header(path)
    scene = load(header)
    _check_start(str(path), header, scene)
    meter = DriftMeter(scene, tolerance) if check and tolerance is not None else None
    player = _Player(str(path), scene, check=check, files_into=files_into, meter=meter)
    with Path(path).open("rb") as stream:
        messages = _Messages(str(path), stream)
        for topic, message in messages:
            if player.handle(topic, message):
                for consume in on_tick:
                    consume(scene)
    return player.report(is_complete=messages.is_complete)


class _Messages:
    """The messages of a file, with their topics."""

    def __init__(self, path: str, stream: IO[bytes]) -> None:
        self._records = RecordReader(path, stream)

    @property
    def is_complete(self) -> bool:
        return self._records.is_complete

    def __iter__(self) -> Iterator[tuple[str, Message]]:
        from mcap.records import Channel, Message

        topics: dict[int, str] = {}
        for record in self._records:
            if isinstance(record, Channel):
                topics[record.id] = record.topic
            elif isinstance(record, Message):
                yield topics.get(record.channel_id, ""), record


class _Player:
    """Steps a scene through the messages of a recording."""

    def __init__(
        self,
        path: str,
        scene: Scene,
        *,
        check: bool,
        files_into: Path | None,
        meter: DriftMeter | None = None,
    ) -> None:
        self.difference: Divergence | None = None
        self._path = path
        self._scene = scene
        self._check = check
        self._folder = files_into
        self._meter = meter
        self._digest = Digest(scene)
        self._inputs = Inputs()
        self._postures: dict[str, bytes] = {}  # as recorded, of the next tick
        self._nodes: bytes | None = None
        self._events: list[Any] = []
        self._recorded = -1  # the last tick read

    def handle(self, topic: str, message: Message) -> bool:
        """Process the next message; return whether the scene was stepped."""
        if topic == TICK:
            return self._follow(self._decode_mark(message.data))
        if topic == INPUTS:
            self._inputs = self._decode(message.data, Inputs)
        elif topic == FILES and self._folder is not None:
            file = self._decode(message.data, UsedFile)
            target_path(self._folder, file.name).write_bytes(file.data)
        elif topic == EVENTS and self._check:
            self._events = self._decode(message.data, dict[str, Any]).get("events", [])
        elif topic.startswith(ROBOTS) and self._check:
            self._postures[topic.removeprefix(ROBOTS)] = message.data
        elif topic == NODES and self._meter is not None:
            self._nodes = message.data
        return False

    def report(self, *, is_complete: bool) -> ReplayReport:
        scene, recorded = self._scene, max(self._recorded, 0)
        digest = self._digest.value.hex() if self._check else ""
        drift = self._meter.drift if self._meter is not None else None
        return ReplayReport(
            scene.tick, recorded, scene.time, is_complete, digest, self.difference, drift
        )

    def _follow(self, mark: TickMark) -> bool:
        """Run the tick that this mark ends, and compare.

        After a difference do nothing, unless the drift is measured.
        """
        if mark.tick != self._recorded + 1:
            expected = f"tick {self._recorded + 1}; some are missing"
            raise BadFile(self._path, f"tick {mark.tick}", expected)
        self._recorded = mark.tick
        if self.difference is not None and self._meter is None:
            return False
        if mark.tick > 0:
            with suppress(Exception):  # as in the loop, where a failed tick counts
                self._scene.step(self._inputs)
        if self._check:
            if self.difference is None and self._digest.update() != mark.digest:
                what = self._compare(mark.sums)
                self.difference = Divergence(mark.tick, self._scene.time, what)
            if self._meter is not None:
                self._measure_drift(self._meter)
            self._postures.clear()
            self._events, self._nodes = [], None
        return mark.tick > 0

    def _measure_drift(self, meter: DriftMeter) -> None:
        try:
            postures = {name: decode_posture(data) for name, data in self._postures.items()}
            meter.compare(postures, self._nodes)
        except (struct.error, ValueError) as error:
            raise BadFile(self._path, f"a malformed state ({error})", "a recording") from None

    # -- what differs -----------------------------------------------------------------------

    def _compare(self, sums: Sequence[int]) -> str:
        pairs = zip(SECTIONS, sums, self._digest.sums, strict=True)
        names = [name for name, then, now in pairs if then != now]
        details = [*self._compare_robots(), *self._compare_events()]
        return ", ".join(names or ["something before"]) + "".join(f"; {each}" for each in details)

    def _compare_robots(self) -> list[str]:
        found = []
        for name, robot in self._scene.robots.items():
            data = self._postures.get(name, b"").removeprefix(CDR_LITTLE_ENDIAN)
            then = np.frombuffer(data[: len(data) // 8 * 8], dtype="<f8")[1:]
            if then.shape != robot.q.shape:
                found.append(f"robot {name!r} is another one")
            elif (then != robot.q).any():
                worst = int(np.argmax(np.abs(then - robot.q)))
                joint, was, is_now = robot.model.dof_names[worst], then[worst], robot.q[worst]
                found.append(f"robot {name!r}: {joint} is {is_now:.9g}, was {was:.9g}")
        return found

    def _compare_events(self) -> list[str]:
        now = msgspec.json.decode(msgspec.json.encode(event_documents(self._scene)))
        if now == self._events:
            return []
        new = [_describe(event) for event in now if event not in self._events]
        missing = [_describe(event) for event in self._events if event not in now]
        words = [f"new event {each}" for each in new] + [f"no event {each}" for each in missing]
        return words[:3] or ["events in another order"]

    # -- reading ----------------------------------------------------------------------------

    def _decode(self, data: bytes, kind: type[T]) -> T:
        return _decode_json(self._path, data, kind)

    def _decode_mark(self, data: bytes) -> TickMark:
        try:
            return TickMark.decode(data)
        except struct.error:
            found = f"a tick of {len(data)} bytes"
            raise BadFile(self._path, found, f"one of recording version {VERSION}") from None


def _describe(event: Any) -> str:
    return f"{event['kind']} {event['source']} {'on' if event['state'] else 'off'}"


def _decode_header(path: str, data: bytes) -> Header:
    header = _decode_json(path, data, Header)
    if header.version != VERSION:
        raise BadFile(path, f"recording version {header.version}", f"version {VERSION}")
    return header


def _decode_json(path: str, data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadFile(path, f"{data[:40]!r} ({error})", "what robotix records") from None


def _check_start(path: str, header: Header, scene: Scene) -> None:
    if header.tick != 0:
        found = f"a recording that begins at tick {header.tick}"
        raise BadFile(path, found, "one that begins at the first tick; this one cannot be replayed")
    if (scene.tick, scene.dt, scene.seed) != (0, header.dt, header.seed):
        raise ValueError(
            f"{path} was recorded with dt {header.dt} and seed {header.seed} from the first tick; "
            f"the room given has dt {scene.dt}, seed {scene.seed} and is at tick {scene.tick}"
        )
