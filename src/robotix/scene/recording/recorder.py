"""Recordings: inputs and results of a scene, and digests that verify a replay.

A recording is an MCAP file, which viewers such as Foxglove can open. Its topics:

- `/scene` (JSON, once): text of the scene file, its includes, hashes of other files, `dt`, seed;
- `/inputs` (JSON, when they change): the inputs of the scene;
- `/files` (JSON): a file as it was before a command of this tick first read or changed it;
- `/robots/NAME` (every tick): joint positions, exact;
- `/events`, `/messages` (JSON): of ticks that have any;
- `/nodes` (up to 30 times a second): poses of the nodes that moved;
- `/tick` (every tick, last): the digest of all states so far.

The sequence number of every message is its tick, its time is that of the scene.
"""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from robotix.files.closing import Closing
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs
from robotix.kernels.target import target_name
from robotix.motion import model_dofs
from robotix.scene.read_ahead import Contents
from robotix.scene.recording.log_file import LogFile
from robotix.scene.recording.nodes import NODES_SCHEMA, NodeLog
from robotix.scene.recording.origin import MAX_TOTAL_BYTES, Origin, used_contents
from robotix.scene.recording.state import DIGEST_SIZE, SECTIONS, Digest
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["VERSION", "Header", "Recorder", "TickMark", "UsedFile", "event_documents"]

VERSION = 1
SCENE, INPUTS, TICK, NODES, FILES = "/scene", "/inputs", "/tick", "/nodes", "/files"
EVENTS, MESSAGES, ROBOTS = "/events", "/messages", "/robots/"
NODES_INTERVAL = 1 / 30  # s
CDR_LITTLE_ENDIAN = b"\0\1\0\0"
_MARK = struct.Struct(f"<4sQ{DIGEST_SIZE}s{len(SECTIONS)}I")
_POSTURE = struct.Struct("<4sd")  # before the joint positions
_ENCODER = msgspec.json.Encoder()


class Header(msgspec.Struct, frozen=True):
    """The header of a recording."""

    version: int
    dt: float
    seed: int
    tick: int  # of its start
    origin: Origin
    made_by: str
    processor: str = ""  # that the kernels were compiled for; empty: not known


class UsedFile(msgspec.Struct, frozen=True):
    """A file that a command reads or changes, as it was before."""

    name: str  # relative to the scene's folder
    data: bytes


class TickMark(msgspec.Struct, frozen=True):
    """The end of a tick: the digest of all states so far, and checksums of the current one."""

    tick: int
    digest: bytes
    sums: tuple[int, ...]  # one per section of `SECTIONS`

    def encode(self) -> bytes:
        """Return the message."""
        return _MARK.pack(CDR_LITTLE_ENDIAN, self.tick, self.digest, *self.sums)

    @classmethod
    def decode(cls, data: bytes) -> TickMark:
        """Read a message; raise `struct.error` if it is malformed."""
        _, tick, digest, *sums = _MARK.unpack(data)
        return cls(tick, digest, tuple(sums))


class Recorder(Closing):
    """Records a scene to a new file; pass it to a loop's `on_tick` before the first tick.

    If the disk fails, or a state cannot be recorded, the recording ends with a message, and the
    scene continues.
    """

    def __init__(
        self,
        path: str | Path,
        scene: Scene,
        *,
        origin: Origin | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Write the header; `origin` describes the scene file, if there is one."""
        self.path = Path(path)
        self.is_over = False
        self._fault = ""
        self._log = LogFile(self.path, clock=clock)
        self._digest = Digest(scene)
        self._nodes = NodeLog(scene.graph)
        self._nodes_ticks = max(1, round(NODES_INTERVAL / scene.dt))
        self._inputs: tuple[Inputs | None, bytes] = None, b""  # the last ones, and their encoding
        self._robots: dict[str, tuple[Robot, int]] = {}  # and their channels
        self._channels = self._open_channels()
        self._batch: list[tuple[int, bytes]] = []  # messages of this tick, with their channels
        self._used = _UsedFiles(origin or Origin(), lambda file: self._add(FILES, file))
        self._files = scene.files
        self._files.on_use, self._files.contents_of = self._used, used_contents
        self._write_header(scene, origin or Origin())
        self._write_state(scene)
        self._write_batch(scene)
        self._log.begin()

    def __call__(self, scene: Scene) -> None:
        """Record the last tick."""
        if self.is_over:
            return
        if self._log.error is not None:
            self._fail(scene)
            return
        try:
            self._write_inputs(scene)
            self._write_events(scene)
            self._write_state(scene)
        except Exception as error:  # without this tick the later ones could not be replayed
            self._fault = f"tick {scene.tick} cannot be recorded: {type(error).__name__}: {error}"
            self._fail(scene)
            return
        self._write_batch(scene)
        self._log.flush_if_due()

    @property
    def problem(self) -> str:
        """Why the recording ended early; empty if it did not."""
        error = self._log.error
        why = self._fault if error is None else error.strerror or str(error)
        return why and f"{self.path}: {why}; recorded no further"

    def close(self) -> None:
        """Finish the file; what was recorded before a failure is on disk then, too."""
        self._end()
        self._log.close()

    def _end(self) -> None:
        self.is_over = True
        if self._files.on_use is self._used:
            self._files.on_use = self._files.contents_of = None

    # -- writing ----------------------------------------------------------------------------

    def _open_channels(self) -> dict[str, int]:
        fields = f"uint64 tick\nuint8[{DIGEST_SIZE}] digest\nuint32[{len(SECTIONS)}] sums\n"
        add = self._log.add_channel
        return {
            SCENE: add(SCENE, schema=_json("Scene")),
            INPUTS: add(INPUTS, schema=_json("Inputs")),
            FILES: add(FILES, schema=_json("Files")),
            EVENTS: add(EVENTS, schema=_json("Events")),
            MESSAGES: add(MESSAGES, schema=_json("Messages")),
            NODES: add(NODES, schema=NODES_SCHEMA),
            TICK: add(TICK, schema=("robotix_msgs/msg/Tick", "ros2msg", fields)),
        }

    def _add(self, topic: str, data: bytes) -> None:
        self._batch.append((self._channels[topic], data))

    def _write_batch(self, scene: Scene) -> None:
        self._log.add(self._batch, time=scene.time, tick=scene.tick)
        self._batch.clear()

    def _write_header(self, scene: Scene, origin: Origin) -> None:
        header = Header(
            VERSION, scene.dt, scene.seed, scene.tick, origin, _made_by(), target_name()
        )
        self._add(SCENE, _ENCODER.encode(header))

    def _write_inputs(self, scene: Scene) -> None:
        known, written = self._inputs
        if scene.inputs is known:
            return
        encoded = encode_inputs(scene.inputs)
        self._inputs = scene.inputs, encoded
        if encoded != written:  # bitwise: 0.0 == -0.0, but they may act differently
            self._add(INPUTS, encoded)

    def _write_events(self, scene: Scene) -> None:
        if scene.events:
            self._add(EVENTS, _encode({"events": event_documents(scene)}))
        if scene.messages:
            sent = [{"kind": type(each).__name__, "what": each} for each in scene.messages]
            self._add(MESSAGES, _encode({"messages": sent}))

    def _write_state(self, scene: Scene) -> None:
        start = _POSTURE.pack(CDR_LITTLE_ENDIAN, scene.time)
        for robot in scene.robots.values():
            q = robot.q.astype("<f8", copy=False)
            self._batch.append((self._channel(robot), start + q.tobytes()))
        if scene.tick % self._nodes_ticks == 0:
            moved = self._nodes.encode_moved(scene.time)
            if moved is not None:
                self._add(NODES, moved)
        digest = self._digest.update()
        self._add(TICK, TickMark(scene.tick, digest, self._digest.sums).encode())

    def _channel(self, robot: Robot) -> int:
        """Return the channel of a robot, made on first use."""
        known, channel = self._robots.get(robot.name, (None, 0))
        if known is not robot:
            names = ("time", *(f"q{i}_{name}" for i, name in enumerate(robot.model.dof_names)))
            fields = "".join(f"float64 {_ros_name(name)}\n" for name in names)
            dofs = _ENCODER.encode(model_dofs(robot.model)).decode()
            channel = self._log.add_channel(
                ROBOTS + robot.name,
                schema=("robotix_msgs/msg/Posture", "ros2msg", fields),
                metadata={"version": str(VERSION), "dofs": dofs},
            )
            self._robots[robot.name] = robot, channel
        return channel

    def _fail(self, scene: Scene) -> None:
        self._log.abandon()  # without waiting for the disk, which a tick must not; `close` does
        scene.send(Problem("recording", self.problem))
        self._end()


class _UsedFiles:
    """Adds files to a recording before a command first reads or changes them."""

    def __init__(self, origin: Origin, write: Callable[[bytes], None]) -> None:
        self._contents = dict(origin.contents)
        self._budget = MAX_TOTAL_BYTES
        self._seen: set[str] = set()
        self._write = write

    def __call__(self, name: str, path: Path, contents: Contents | None = None) -> None:
        """Write a file and those that it refers to, if they are small and not yet recorded.

        `contents` are those that are used, if they are known: then nothing is read.
        """
        if name in self._seen or PurePosixPath(name).is_absolute():
            return
        if contents is None:
            if not path.is_file():
                return
            contents = used_contents(path)
        self._seen.add(name)
        folder = PurePosixPath(name).parent
        for other, data in sorted(contents.items(), key=lambda each: len(each[1])):
            named = (folder / other).as_posix()
            if self._contents.get(named) != data and len(data) <= self._budget:
                self._contents[named] = data
                self._budget -= len(data)
                self._write(_ENCODER.encode(UsedFile(named, data)))


def encode_inputs(inputs: Inputs) -> bytes:
    """Return inputs as JSON, bit-exact."""
    return _ENCODER.encode(inputs)


def _encode(value: Any) -> bytes:
    """Return a value as JSON; half characters, which a plug-in may send, are replaced."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(_whole_characters(msgspec.to_builtins(value)))


def _whole_characters(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {_whole_characters(k): _whole_characters(v) for k, v in value.items()}
        case list() | tuple():
            return [_whole_characters(each) for each in value]
    return value


def event_documents(scene: Scene) -> list[dict[str, Any]]:
    """Return the events of this tick in the form that is recorded."""
    return [
        {"kind": type(event.source).__name__, "source": event.source, "state": event.state}
        for event in scene.events
    ]


def _made_by() -> str:
    try:
        return f"robotix {version('robotix')}"
    except PackageNotFoundError:  # not installed
        return "robotix"


def _json(name: str) -> tuple[str, str, str]:
    return f"robotix.{name}", "jsonschema", '{"type": "object"}'


def _ros_name(name: str) -> str:
    """Return a valid ROS field name: lower-case letters, digits and single underscores."""
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")
