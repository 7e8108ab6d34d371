"""The legacy RoboTiX robot file (.cfg): the joints of a robot, from base to tip, and their limits.

    # a comment
    ROBOT = 1
    {
      JOINT shoulder
      {
        AXIS = axis_1
        TYPE = 1        # 1 revolute, 2 prismatic
        QMIN = -170
        QMAX = 170
      }
    }

ASCII; blanks and line ends part words and mean nothing else; keywords in capitals or not. All four
fields of a joint are needed, in any order. Angles are in degrees, lengths in a unit that the file
does not say. The positions of the joints come from a scene file: see `scene_file`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from robotix.errors import BadFile
from robotix.model.tree import MAX_BODIES
from robotix.model.unlimited import UNLIMITED

__all__ = ["JointText", "LegacyRobot", "TextPosition", "parse_robotix"]

MAX_CHARACTERS = 2**20  # two thousand joints fill a quarter of this
MAX_NAME = 200

_TOKEN = re.compile(r"[{}=]|[^\s{}=#]+|#[^\n]*")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_FIELDS = ("AXIS", "TYPE", "QMIN", "QMAX")


@dataclass(frozen=True)
class TextPosition:
    """Where something stands in a file; both count from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class JointText:
    """One joint as the file gives it: limits in degrees, or in the file's unit of length."""

    name: str
    axis: str
    is_revolute: bool
    lower: float
    upper: float
    place: TextPosition
    axis_place: TextPosition


@dataclass(frozen=True)
class LegacyRobot:
    """One robot as the file gives it."""

    number: int
    joints: tuple[JointText, ...]
    place: TextPosition


def parse_robotix(text: str | bytes, *, path: str) -> tuple[LegacyRobot, ...]:
    """Read the robots in a RoboTiX text; `path` is what errors call it."""
    reader = _Reader(path, _decode(text, path))
    robots: list[LegacyRobot] = []
    while reader.word:
        robots.append(reader.robot({robot.number for robot in robots}))
    if not robots:
        reader.refuse("the end of the file", "ROBOT = 1 and its joints in braces")
    return tuple(robots)


def _decode(text: str | bytes, path: str) -> str:
    shown = text.decode("latin-1") if isinstance(text, bytes) else text
    if len(shown) > MAX_CHARACTERS:
        raise BadFile(path, f"{len(shown)} characters", f"at most {MAX_CHARACTERS}", line=1)
    for number, line in enumerate(shown.split("\n"), start=1):
        odd = re.search(r"[^\t\r\x0b\x0c -~]", line)
        if odd:
            found = f"character {odd[0]!r}"
            raise BadFile(path, found, "plain ASCII text", line=number, column=odd.start() + 1)
    return shown


def _tokens(text: str) -> Iterator[tuple[str, TextPosition]]:
    """Yield words and signs with their places, and an empty word at the end."""
    last = TextPosition(1, 1)
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _TOKEN.finditer(line):
            if not match[0].startswith("#"):
                last = TextPosition(number, match.end() + 1)
                yield match[0], TextPosition(number, match.start() + 1)
    yield "", last


class _Reader:
    """Reads one word after the other; `word` is the next one, empty at the end."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.tokens = _tokens(text)
        self.joints: dict[str, TextPosition] = {}
        self.word, self.place = next(self.tokens)

    def refuse(self, found: str, expected: str, *, place: TextPosition | None = None) -> NoReturn:
        place = place or self.place
        raise BadFile(self.path, found, expected, line=place.line, column=place.column)

    def refuse_word(self, expected: str) -> NoReturn:
        shown = repr(self.word if len(self.word) <= 60 else self.word[:57] + "...")
        self.refuse(shown if self.word else "the end of the file", expected)

    def next_token(self) -> tuple[str, TextPosition]:
        taken = self.word, self.place
        if self.word:
            self.word, self.place = next(self.tokens)
        return taken

    def next_sign(self, sign: str, where: str) -> None:
        if self.word != sign:
            self.refuse_word(f"{sign!r} {where}")
        self.next_token()

    def next_name(self, what: str) -> tuple[str, TextPosition]:
        if not self.word or self.word in "{}=":
            self.refuse_word(what)
        if len(self.word) > MAX_NAME:
            self.refuse(f"a name of {len(self.word)} characters", f"at most {MAX_NAME}")
        return self.next_token()

    def next_number(self, what: str) -> float:
        if not _NUMBER.fullmatch(self.word) or not math.isfinite(float(self.word)):
            self.refuse_word(what)
        return float(self.next_token()[0])

    def robot(self, taken: set[int]) -> LegacyRobot:
        place = self.place
        if self.word.upper() != "ROBOT":
            self.refuse_word("ROBOT")
        self.next_token()
        self.next_sign("=", "after ROBOT")
        number = self.whole("the robot's number: 1, 2, …", taken)
        self.next_sign("{", "to open the robot")
        joints = []
        while self.word != "}":
            joints.append(self.joint())
            if len(joints) > MAX_BODIES:
                self.refuse(f"more than {MAX_BODIES} joints", "fewer")
        if not joints:
            self.refuse(f"robot {number} without joints", "JOINT and its name")
        self.next_token()
        return LegacyRobot(number, tuple(joints), place)

    def whole(self, what: str, taken: set[int]) -> int:
        if not re.fullmatch(r"\d{1,9}", self.word, re.ASCII) or int(self.word) == 0:
            self.refuse_word(what)
        if int(self.word) in taken:
            self.refuse(f"a second robot {self.word}", "another number")
        return int(self.next_token()[0])

    def joint(self) -> JointText:
        if self.word.upper() != "JOINT":
            self.refuse_word("JOINT or '}'")
        self.next_token()
        name, place = self.next_name("the joint's name")
        if name in self.joints:
            first = f"another name than on line {self.joints[name].line}"
            self.refuse(f"a second joint {name!r}", first, place=place)
        self.joints[name] = place
        self.next_sign("{", f"to open joint {name!r}")
        fields: dict[str, tuple[str | float, TextPosition]] = {}
        while self.word != "}":
            self.field(fields)
        missing = [key for key in _FIELDS if key not in fields]
        if missing:
            self.refuse(f"the end of joint {name!r}", f"{missing[0]} = … before it")
        self.next_token()
        return self.make(name, fields, place=place)

    def field(self, fields: dict[str, tuple[str | float, TextPosition]]) -> None:
        key, place = self.word.upper(), self.place
        if key not in _FIELDS:
            self.refuse_word("AXIS, TYPE, QMIN, QMAX or '}'")
        if key in fields:
            self.refuse(f"a second {key}", f"one {key} for each joint")
        self.next_token()
        self.next_sign("=", f"after {key}")
        if key == "AXIS":
            fields[key] = self.next_name("the name of the axis")
        elif key == "TYPE":
            if self.word not in ("1", "2"):
                self.refuse_word("1 (revolute) or 2 (prismatic)")
            fields[key] = self.next_token()
        else:
            fields[key] = self.next_number("a number"), place

    def make(
        self, name: str, fields: dict[str, tuple[str | float, TextPosition]], *, place: TextPosition
    ) -> JointText:
        (axis, axis_place), (kind, _) = fields["AXIS"], fields["TYPE"]
        lower, upper = float(fields["QMIN"][0]), float(fields["QMAX"][0])
        if lower > upper:
            self.refuse(
                f"QMIN = {lower:g} above QMAX = {upper:g}",
                "the lower end of the stroke in QMIN, the upper end in QMAX",
                place=fields["QMIN"][1],
            )
        if lower >= UNLIMITED or upper <= -UNLIMITED:
            found = f"QMIN = {lower:g}, QMAX = {upper:g}"
            self.refuse(found, "a stroke", place=fields["QMIN"][1])
        return JointText(name, str(axis), kind == "1", lower, upper, place, axis_place)
