"""Reading BVH files (Biovision hierarchy): a skeleton, then one line of numbers per frame.

The file contains neither its unit nor its axes; by convention y is up and z forward, which become z
and x here. The result has the joint centres as markers, and the ends of the chains under the name
of their joint with `_end`. Rotation channels apply in the order of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from robotix.capture.marker_text import TextLine, read_lines
from robotix.capture.markers import AxisName, MarkerSet, make_markers, metres_per, z_up
from robotix.errors import BadFile
from robotix.geometry import Array

__all__ = ["BvhFile", "BvhJoint", "load_bvh", "read_bvh"]

MAX_JOINTS = 1000
MAX_DEPTH = 100
MAX_FRAMES = 1_000_000
CHANNELS = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ")


@dataclass
class BvhJoint:
    """A joint of the file's skeleton, or the end of a chain."""

    name: str
    parent: int  # index of the joint above; -1 for the root
    offset: Array = field(default_factory=lambda: np.full(3, np.nan))  # file's unit, from parent
    channels: tuple[str, ...] = ()
    is_end: bool = False


@dataclass(frozen=True, eq=False)
class BvhFile:
    """Contents of a BVH file, in its own unit and axes."""

    joints: tuple[BvhJoint, ...]
    frame_time: float  # s
    values: Array  # (frames, channels), file's unit and degrees

    def positions(self) -> Array:
        """Return the positions of the joints, (frames, joints, 3), in the unit of the file."""
        count = len(self.values)
        rotations, positions, column = list[Array](), list[Array](), 0
        for joint in self.joints:
            rotation, shift = np.tile(np.eye(3), (count, 1, 1)), np.tile(joint.offset, (count, 1))
            for channel in joint.channels:
                axis = "XYZ".index(channel[0])
                if channel.endswith("position"):
                    shift[:, axis] += self.values[:, column]
                else:
                    rotation = rotation @ _turns(axis, np.radians(self.values[:, column]))
                column += 1
            if joint.parent >= 0:
                above = rotations[joint.parent]
                shift = positions[joint.parent] + (above @ shift[:, :, None])[:, :, 0]
                rotation = above @ rotation
            rotations.append(rotation)
            positions.append(shift)
        return np.stack(positions, axis=1)


def load_bvh(
    path: str | os.PathLike[str], *, unit: str | float = "cm", up: AxisName = "y"
) -> MarkerSet:
    """Read a BVH file as markers at the joints."""
    scale = metres_per(unit)
    file = read_bvh(path)
    times = file.frame_time * np.arange(len(file.values), dtype=float)
    positions = z_up(scale * file.positions(), up)
    names = [joint.name for joint in file.joints]
    return make_markers(path, names, times=times, positions=positions)


def read_bvh(path: str | os.PathLike[str]) -> BvhFile:
    """Read a BVH file in its own unit and axes."""
    return _Reader(os.fspath(path), read_lines(path, what="a BVH file")).read()


def _turns(axis: int, angles: Array) -> Array:
    """Return rotations (k, 3, 3) about a coordinate axis."""
    c, s = np.cos(angles), np.sin(angles)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((len(angles), 3, 3))
    out[:, axis, axis] = 1.0
    out[:, i, i] = out[:, j, j] = c
    out[:, i, j], out[:, j, i] = -s, s
    return out


class _Reader:
    def __init__(self, path: str, lines: list[TextLine]) -> None:
        self.path = path
        self.lines: Iterator[TextLine] = (line for line in lines if line.words)
        self.line = TextLine(path, 1, "")
        self.joints: list[BvhJoint] = []
        self.open: list[int] = []  # joints whose braces are open

    def read(self) -> BvhFile:
        self.expect("HIERARCHY")
        self.hierarchy()
        frames, frame_time = self.header()
        return BvhFile(tuple(self.joints), frame_time, self.motion(frames))

    def refuse(self, found: str, expected: str, *, word: int = 0) -> NoReturn:
        self.line.refuse(found, expected, word=word)

    def advance(self, expected: str) -> list[str]:
        """Advance to the next line that is not empty; return its words."""
        following = next(self.lines, None)
        if following is None:
            self.refuse("the file ends after this line", expected)
        self.line = following
        return list(following.words)

    def expect(self, word: str) -> None:
        if self.advance(word) != [word]:
            self.refuse(self.line.excerpt, f"the word {word}")

    # -- the skeleton -----------------------------------------------------------------------

    def hierarchy(self) -> None:
        """Read joints until the word MOTION; braces may be on lines of their own or not."""
        pending = False  # a joint was named and its brace is yet to come
        while True:
            words = self.advance("a joint, or MOTION")
            if words == ["MOTION"] and not self.open and not pending and self.joints:
                return
            if words[-1] == "{" and len(words) > 1:
                words, opens = words[:-1], True
            else:
                opens = False
            match words:
                case ["{"] if pending:
                    pending = False
                case ["}"] if self.open and not pending:
                    self.close()
                case _ if pending:
                    self.refuse(self.line.excerpt, "a brace {")
                case ["ROOT", name] if not self.joints:
                    pending = self.begin(name)
                case ["JOINT", name] if self.open:
                    pending = self.begin(name)
                case ["End", "Site"] if self.open:
                    pending = self.begin(f"{self.joints[self.open[-1]].name}_end", is_end=True)
                case ["OFFSET", *rest] if self.open:
                    self.offset(rest)
                case ["CHANNELS", *rest] if self.open:
                    self.channels(rest)
                case _:
                    expected = "ROOT, JOINT, End Site, OFFSET, CHANNELS, a brace or MOTION"
                    self.refuse(f"{self.line.excerpt} here", expected)
            if opens and not pending:
                self.refuse("a brace { here", "a brace after the name of a joint only")
            pending = pending and not opens

    def begin(self, name: str, *, is_end: bool = False) -> bool:
        parent = self.open[-1] if self.open else -1
        if parent >= 0 and self.joints[parent].is_end:
            self.refuse(f"{self.line.excerpt} inside an End Site", "its OFFSET and a brace }")
        if len(self.joints) >= MAX_JOINTS or len(self.open) >= MAX_DEPTH:
            limits = f"at most {MAX_JOINTS} joints, {MAX_DEPTH} in a row"
            self.refuse(f"joint {len(self.joints) + 1}", limits)
        if any(joint.name == name for joint in self.joints):
            self.refuse(f"a second joint {name!r}", "a name of its own for every joint", word=1)
        self.joints.append(BvhJoint(name, parent, is_end=is_end))
        self.open.append(len(self.joints) - 1)
        return True

    def close(self) -> None:
        joint = self.joints[self.open.pop()]
        if np.isnan(joint.offset).any():
            self.refuse(f"the end of {joint.name!r}, which has no OFFSET", "OFFSET x y z before it")

    def offset(self, rest: list[str]) -> None:
        if len(rest) != 3:
            self.refuse(f"OFFSET with {len(rest)} numbers", "OFFSET x y z")
        joint = self.joints[self.open[-1]]
        if not np.isnan(joint.offset).any():
            self.refuse(f"a second OFFSET of {joint.name!r}", "one")
        joint.offset = np.array([self.line.number(i) for i in (1, 2, 3)])

    def channels(self, rest: list[str]) -> None:
        joint = self.joints[self.open[-1]]
        count = self.line.whole_number(1, high=6) if rest else -1
        if count != len(rest) - 1:
            self.refuse(
                f"CHANNELS {' '.join(rest)}"[:60], "the number of channels, then their names"
            )
        for i, channel in enumerate(rest[1:], start=2):
            if channel not in CHANNELS or channel in rest[1 : i - 1]:
                self.refuse(f"channel {channel!r}", f"each at most once: {CHANNELS}", word=i)
        if joint.is_end or joint.channels:
            self.refuse(f"CHANNELS of {joint.name!r}", "once, and none for an End Site")
        joint.channels = tuple(rest[1:])

    # -- the motion -------------------------------------------------------------------------

    def header(self) -> tuple[int, float]:
        words = self.advance("Frames: N")
        if len(words) != 2 or words[0] != "Frames:":
            self.refuse(self.line.excerpt, "Frames: N")
        frames = self.line.whole_number(1, low=1, high=MAX_FRAMES)
        words = self.advance("Frame Time: seconds")
        if len(words) != 3 or words[:2] != ["Frame", "Time:"]:
            self.refuse(self.line.excerpt, "Frame Time: seconds")
        frame_time = self.line.number(2)
        if not 1e-6 <= frame_time <= 60:
            self.refuse(f"a frame time of {frame_time:g} s", "1e-6 to 60 s", word=2)
        return frames, frame_time

    def motion(self, frames: int) -> Array:
        width = sum(len(joint.channels) for joint in self.joints)
        rows = list[list[float]]()
        for line in self.lines:
            self.line = line
            if len(rows) == frames:
                self.refuse("more lines of numbers", f"{frames}, as Frames: says")
            if len(line.words) != width:
                self.refuse(f"{len(line.words)} numbers", f"{width}, one for every channel")
            rows.append(line.numbers())
        if len(rows) != frames:
            raise BadFile(
                self.path,
                f"{len(rows)} lines of numbers",
                f"{frames}, as Frames: says; is it cut short?",
                line=self.line.line_number,
            )
        return np.array(rows)
