"""The joints of the manikin: the table in `data/human.toml`, read once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry import Array
from robotix.human.body.skeleton import Side
from robotix.model import Joint
from robotix.model.robot_info import INFO_KEYS

__all__ = ["HumanFile", "JointRow", "load_human_file"]

_AXES = {f"{sign}{name}": (sign, name) for sign in "+-" for name in "xyz"}
_ROW_KEYS = ("name", "centre", "segment", "axis", "range_deg", "velocity", "acceleration", "source")


@dataclass(frozen=True, eq=False)
class JointRow:
    """One hinge, of the right side or the middle."""

    name: str
    centre: str  # of the skeleton, without side
    segment: str  # moved by it; empty when the next joint has the same centre
    axis: Array  # (3,)
    lower: float  # rad
    upper: float  # rad
    velocity: float  # rad/s
    acceleration: float  # rad/s²
    source: str  # of the range

    def joint(self, side: Side | None = None) -> Joint:
        """Return the joint; the left side's is the mirror image of the right one."""
        mirror = np.array([-1.0, 1.0, -1.0]) if side == "left" else np.ones(3)
        return Joint(
            self.name if side is None else f"{side}_{self.name}",
            "revolute",
            mirror * self.axis,
            self.lower,
            self.upper,
            self.velocity,
            self.acceleration,
        )


@dataclass(frozen=True, eq=False)
class HumanFile:
    """Contents of the file: joints from the root outwards, the relaxed posture, and metadata."""

    leg: tuple[JointRow, ...]
    back: tuple[JointRow, ...]
    arm: tuple[JointRow, ...]
    relaxed: Mapping[str, float]  # rad, of joints without side
    top: TomlTable


@cache
def load_human_file() -> HumanFile:
    """Return the table of joints."""
    file = resources.files("robotix.human") / "data" / "human.toml"
    top = parse_toml(file.read_text(encoding="utf-8"), path=file.name)
    top.only(*INFO_KEYS, "leg", "back", "arm", "relaxed_deg")
    leg, back, arm = (
        tuple(_read_row(table) for table in top.tables(part, most=20))
        for part in ("leg", "back", "arm")
    )
    relaxed = top.table("relaxed_deg")
    relaxed.only(*(row.name for row in (*leg, *back, *arm)))
    return HumanFile(
        leg, back, arm, {name: math.radians(relaxed.number(name)) for name in relaxed.data}, top
    )


def _read_row(table: TomlTable) -> JointRow:
    table.only(*_ROW_KEYS)
    sign, letter = _AXES[table.choice("axis", tuple(_AXES), "+z")]
    lower, upper = table.numbers("range_deg", (2,)) or (0.0, 0.0)
    return JointRow(
        name=table.name_of("name"),
        centre=table.name_of("centre"),
        segment=table.name_of("segment") if "segment" in table else "",
        axis=np.eye(3)["xyz".index(letter)] * (-1.0 if sign == "-" else 1.0),
        lower=math.radians(lower),
        upper=math.radians(upper),
        velocity=table.number("velocity", low=0.0),
        acceleration=table.number("acceleration", low=0.0),
        source=table.text_of("source"),
    )
