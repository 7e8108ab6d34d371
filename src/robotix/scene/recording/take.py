"""A recorded run of a scene that can be read at any time, without running anything again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from robotix.errors import BadFile
from robotix.files.closing import Closing
from robotix.geometry import Array
from robotix.motion.mcap_index import DATA_AT, McapIndex, Offsets
from robotix.scene.recording.node_tracks import TIME_UNIT, NodeTrack, read_node_tracks
from robotix.scene.recording.recorder import (
    EVENTS,
    INPUTS,
    MESSAGES,
    NODES,
    ROBOTS,
    SCENE,
    TICK,
    VERSION,
    Header,
)

__all__ = ["JointTrack", "Take", "TimeMark"]

MAX_MARKS = 5000  # of events and messages that are listed
POSTURE_START = 12  # bytes before the joint positions: encoding and time


@dataclass(frozen=True)
class TimeMark:
    """Something that happened: an event, or a message of the scene."""

    time: float  # s
    kind: str  # event, message or problem
    text: str


@dataclass(frozen=True, eq=False)
class JointTrack:
    """Joint positions of one robot over time; read from the file when they are needed."""

    robot: str
    dofs: tuple[tuple[str, str], ...]  # name and unit of each
    times: Array  # (n,), s
    _offsets: Offsets
    _index: McapIndex

    def at(self, time: float) -> Array | None:
        """Return the joint positions at a time, (n_dof,), interpolated; None before the first."""
        k = int(np.searchsorted(self.times, time + TIME_UNIT, side="right")) - 1
        if k < 0:
            return None
        here = self.rows(np.array([k]))[0]
        if k + 1 < len(self.times):
            gap = self.times[k + 1] - self.times[k]
            there = self.rows(np.array([k + 1]))[0]
            passed = max(time - self.times[k], 0.0)
            here = here + (there - here) * passed / gap if gap > 0 else there
        return np.asarray(here)

    def joint(self, number: int) -> Array:
        """Return all positions of one joint, (n,), rad or m."""
        start = DATA_AT + POSTURE_START + 8 * number
        return np.asarray(self._index.gather(self._offsets + start, 8).view("<f8")[:, 0])

    def rows(self, which: Any) -> Array:
        """Return the joint positions of chosen messages, (k, n_dof)."""
        starts = self._offsets[which] + DATA_AT + POSTURE_START
        return np.asarray(self._index.gather(starts, 8 * len(self.dofs)).view("<f8"))


class Take(Closing):
    """A recording of a scene, opened for reading: poses, joints, events, devices at any time."""

    def __init__(self, path: str | Path) -> None:
        """Index a file; raise `BadFile` if it is no recording of a scene."""
        self.path = Path(path)
        self.index = McapIndex(path)
        try:
            self.header = self._read_header()
        except BaseException:
            self.index.close()
            raise
        self.tick_times = self.index.times(self.index.of_topic(TICK))
        if not len(self.tick_times):
            self.index.close()
            raise BadFile(str(path), "no tick", "a recording of at least one tick")

    def close(self) -> None:
        """Release the file."""
        self.index.close()

    @property
    def start(self) -> float:
        """Scene time of its first state, s."""
        return float(self.tick_times[0])

    @property
    def end(self) -> float:
        """Scene time of its last state, s."""
        return float(self.tick_times[-1])

    @property
    def notes(self) -> list[str]:
        """What is missing in it, as sentences."""
        found = []
        if not self.index.is_complete:
            found.append(f"The recording was cut off; it can be read up to {self.end:.2f} s.")
        if self.index.n_damaged:
            parts = "part" if self.index.n_damaged == 1 else "parts"
            found.append(f"{self.index.n_damaged} damaged {parts} of the file were left out.")
        if len(self.tick_times) > 1:
            gap = float(np.diff(self.tick_times).max())
            if gap > 1.5 * self.header.dt:
                found.append(f"Up to {gap:.2f} s are missing in between.")
        return found

    @cached_property
    def nodes(self) -> Mapping[str, NodeTrack]:
        """Poses of nodes, by name."""
        return read_node_tracks(self.index, NODES)

    @cached_property
    def robots(self) -> Mapping[str, JointTrack]:
        """Joint positions of robots, by name."""
        found: dict[str, JointTrack] = {}
        for channel in self.index.channels.values():
            if channel.topic.startswith(ROBOTS) and len(channel.offsets):
                track = self._joint_track(channel.topic, channel.offsets, channel.metadata)
                if track is not None and track.robot not in found:
                    found[track.robot] = track
        return found

    @cached_property
    def marks(self) -> list[TimeMark]:
        """Events and messages in the order of time; of too many, evenly chosen ones."""
        marks = []
        for topic in (EVENTS, MESSAGES):
            offsets = self.index.of_topic(topic)
            if len(offsets) > MAX_MARKS:
                offsets = offsets[np.linspace(0, len(offsets) - 1, MAX_MARKS).astype(int)]
            for offset, time in zip(offsets, self.index.times(offsets), strict=True):
                marks += _marks(float(time), self.index.data(int(offset)))
        return sorted(marks, key=lambda mark: mark.time)[: 2 * MAX_MARKS]

    @cached_property
    def device_offsets(self) -> tuple[Offsets, Array]:
        """Where inputs of devices are in the file, and their times, s."""
        offsets = self.index.of_topic(INPUTS)
        return offsets, self.index.times(offsets)

    def _read_header(self) -> Header:
        offsets = self.index.of_topic(SCENE)
        if not len(offsets):
            found = f"nothing on topic {SCENE!r}"
            raise BadFile(str(self.path), found, "a recording of a room by robotix")
        data = self.index.data(int(offsets[0]))
        try:
            header = msgspec.json.decode(data, type=Header)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadFile(
                str(self.path), f"{data[:40]!r} ({error})", "what robotix records"
            ) from None
        if header.version != VERSION:
            found = f"recording version {header.version}"
            raise BadFile(str(self.path), found, f"version {VERSION}")
        return header

    def _joint_track(
        self, topic: str, offsets: Offsets, metadata: Mapping[str, str]
    ) -> JointTrack | None:
        try:
            dofs = msgspec.json.decode(metadata["dofs"], type=list[tuple[str, str]])
        except (KeyError, msgspec.MsgspecError, ValueError):
            return None
        fits = self.index.lengths(offsets) == POSTURE_START + 8 * len(dofs)
        offsets = offsets[fits]
        times = self.index.times(offsets)
        return JointTrack(topic.removeprefix(ROBOTS), tuple(dofs), times, offsets, self.index)


def _marks(time: float, data: bytes) -> list[TimeMark]:
    """Return what a message of events or texts says; nothing of what cannot be read."""
    try:
        document = msgspec.json.decode(data, type=dict[str, list[dict[str, Any]]])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return []
    found = [TimeMark(time, "event", _event_text(event)) for event in document.get("events", [])]
    for message in document.get("messages", []):
        what = message.get("what")
        if not isinstance(what, dict):
            continue
        if message.get("kind") == "Announcement":
            found.append(TimeMark(time, "message", str(what.get("text", ""))))
        elif message.get("kind") == "Problem":
            found.append(TimeMark(time, "problem", f"{what.get('who')}: {what.get('what')}"))
    return found


def _event_text(event: dict[str, Any]) -> str:
    source = event.get("source")
    names = [str(each) for each in source.values()] if isinstance(source, dict) else [str(source)]
    state = "on" if event.get("state") else "off"
    return f"{event.get('kind')} {', '.join(names)} {state}"
