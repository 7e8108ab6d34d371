"""OWAS [Karhu1977]: a posture is coded by four digits, which determine the action category.

The digits are back, arms, legs and load; the categories of all 252 codes are in `data/owas.csv`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from robotix.ergonomics.methods.checks import check_angle, check_not_negative, check_one_of
from robotix.ergonomics.methods.tables import (
    EDGE_TOLERANCE,
    is_beyond,
    read_rows,
    read_table,
    steps_beyond,
)
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["STANCES", "OwasPosture", "OwasResult", "Stance", "owas", "owas_edges", "owas_of_code"]

Stance: TypeAlias = Literal["both", "right", "left", "sitting", "kneeling", "walking"]
STANCES: tuple[Stance, ...] = ("both", "right", "left", "sitting", "kneeling", "walking")


@dataclass(frozen=True)
class _Owas:
    title: str
    reference: str
    provenance: str
    threshold_note: str
    load_edges: tuple[float, float]
    bent_back: float
    bent_knee: float
    arm_at_shoulder: float
    back: tuple[str, ...]
    arms: tuple[str, ...]
    legs: tuple[str, ...]
    levels: tuple[Level, ...]


@dataclass(frozen=True, kw_only=True)
class OwasPosture:
    """A posture in angles, rad.

    Args:
        trunk: Flexion from the vertical; extension negative.
        trunk_twist: Axial rotation of the shoulders against the pelvis, to either side.
        trunk_side_bend: Lateral bending, to either side.
        arms: Elevation of the right and the left upper arm from hanging.
        knees: Flexion of the right and the left knee.
        stance: Support of the body: `"both"` legs, the `"right"` or the `"left"`, or `"sitting"`,
            `"kneeling"`, `"walking"`.
        load: Mass held or force over g, kg.
        bent_back: Angle beyond which a back counts as bent or twisted; 20° by default.
        bent_knee: Angle beyond which a knee counts as bent; 30° by default.
    """

    trunk: float = 0.0
    trunk_twist: float = 0.0
    trunk_side_bend: float = 0.0
    arms: tuple[float, float] = (0.0, 0.0)
    knees: tuple[float, float] = (0.0, 0.0)
    stance: Stance = "both"
    load: float = 0.0
    bent_back: float | None = None
    bent_knee: float | None = None

    def __post_init__(self) -> None:
        for part in ("trunk", "trunk_twist", "trunk_side_bend"):
            check_angle(part.replace("_", " "), getattr(self, part))
        for side, arm, knee in zip(("right", "left"), self.arms, self.knees, strict=True):
            check_angle(f"{side} arm", arm)
            check_angle(f"{side} knee", knee)
        check_one_of("stance", self.stance, STANCES)
        check_not_negative("load", self.load, unit="kg")
        for name in ("bent_back", "bent_knee"):
            if (edge := getattr(self, name)) is not None:
                check_angle(name.replace("_", " "), edge, low=0, high=90)


@dataclass(frozen=True)
class OwasResult:
    """The action category, 1 to 4, and the code."""

    posture: OwasPosture | None  # None if the code itself was given
    steps: tuple[ScoreStep, ...]  # back, arms, legs, load
    category: int
    verdict: Verdict
    sources: tuple[str, ...]

    @property
    def code(self) -> str:
        """The four digits."""
        return "".join(str(int(step.score)) for step in self.steps)


def owas(posture: OwasPosture) -> OwasResult:
    """Return the OWAS category of a posture."""
    back, arms, legs = _back(posture), _arms(posture), _legs(posture)
    return _result(back, arms, legs, posture.load, posture=posture)


def owas_edges() -> tuple[float, ...]:
    """Return the angles at which a digit changes, in degrees, by default."""
    table = _table()
    return table.bent_back, table.bent_knee, table.arm_at_shoulder


def owas_of_code(back: int, arms: int, *, legs: int, load: float) -> OwasResult:
    """Return the OWAS category of digits noted by an observer, and a load in kg."""
    check_not_negative("load", load, unit="kg")
    table = _table()
    for what, digit, words in (
        ("back", back, table.back),
        ("arms", arms, table.arms),
        ("legs", legs, table.legs),
    ):
        if digit not in range(1, len(words) + 1):
            listed = ", ".join(f"{i} {word}" for i, word in enumerate(words, 1))
            raise ValueError(f"no digit {digit!r} for {what}; there are: {listed}")
    return _result(back, arms, legs, load, posture=None)


def _result(
    back: int, arms: int, legs: int, load: float, *, posture: OwasPosture | None
) -> OwasResult:
    table = _table()
    digit = 1 + steps_beyond(load, table.load_edges)
    steps = (
        ScoreStep("back", back, table.back[back - 1]),
        ScoreStep("arms", arms, table.arms[arms - 1]),
        ScoreStep("legs", legs, table.legs[legs - 1]),
        ScoreStep("load", digit, f"{load:g} kg"),
    )
    category = _categories()[back, arms, legs, digit]
    edges = () if posture is None else (table.threshold_note,)
    sources = (table.title, table.reference, table.provenance, *edges)
    return OwasResult(posture, steps, category, judge(category, table.levels), sources)


def _back(posture: OwasPosture) -> int:
    edge = _edge(posture.bent_back, _table().bent_back)
    is_bent = is_beyond(abs(math.degrees(posture.trunk)), edge)
    turned = max(abs(posture.trunk_twist), abs(posture.trunk_side_bend))
    return 1 + is_bent + 2 * is_beyond(math.degrees(turned), edge)


def _arms(posture: OwasPosture) -> int:
    level = _table().arm_at_shoulder - EDGE_TOLERANCE
    return 1 + sum(abs(math.degrees(arm)) >= level for arm in posture.arms)


def _legs(posture: OwasPosture) -> int:
    edge = _edge(posture.bent_knee, _table().bent_knee)
    right, left = (is_beyond(math.degrees(knee), edge) for knee in posture.knees)
    match posture.stance:
        case "sitting":
            return 1
        case "kneeling":
            return 6
        case "walking":
            return 7
        case "right":
            return 5 if right else 3
        case "left":
            return 5 if left else 3
        case "both":
            return 4 if right and left else 3 if right or left else 2


def _edge(given: float | None, usual: float) -> float:
    return usual if given is None else math.degrees(given)


@cache
def _table() -> _Owas:
    return read_table("owas.toml", _Owas)


@cache
def _categories() -> dict[tuple[int, int, int, int], int]:
    return {
        (int(row["back"]), int(row["arms"]), int(row["legs"]), int(row["load"])): int(
            row["action_category"]
        )
        for row in read_rows("owas.csv")
    }
