"""Joint moments against the isometric strength of people.

If the data include a standard deviation between people, the result is the percentage of capable
people, otherwise only the ratio to the mean strength. Hip, knee and ankle: [Anderson2007]. There is
no verdict if the strength or the limits of the percentage are unverified. Data and their sources:
`data/joint_strength.toml`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from robotix.ergonomics.methods.checks import (
    check_angle,
    check_not_negative,
    check_one_of,
    check_range,
)
from robotix.ergonomics.methods.tables import read_rows, read_table
from robotix.ergonomics.methods.verdict import Level, Verdict, judge, no_verdict
from robotix.geometry import Array
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE
from robotix.human.body.survey import Sex

__all__ = [
    "AGES",
    "JointStrength",
    "StrengthCurve",
    "StrengthResult",
    "assess_strength",
    "joint_strength",
    "strength_curve",
    "strength_joints",
]

AGES = ("18-25", "55-65", ">65")
GRAVITY = 9.81  # m/s²


@dataclass(frozen=True)
class _Source:
    reference: str
    provenance: str
    note: str = ""
    unverified: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.reference, self.provenance, self.note)))


@dataclass(frozen=True)
class _Criteria:
    design: dict[str, float]
    upper: dict[str, float]
    reference: str
    provenance: str
    unverified: bool = False


@dataclass(frozen=True)
class _Strength:
    anderson2007: _Source
    per_kg: _Source
    criteria: _Criteria


@dataclass(frozen=True)
class JointStrength:
    """Isometric strength of a joint in one direction at one angle, N·m."""

    joint: str
    direction: str
    sex: Sex
    age: str
    mean: float
    sd: float | None  # between people; None without data
    sources: tuple[str, ...]


@dataclass(frozen=True)
class StrengthCurve:
    """Isometric strength of a joint in one direction over its angle, N·m."""

    joint: str
    direction: str
    sex: Sex
    age: str
    best: float  # mean over people, at the best angle
    best_sd: float | None  # between people; None without data
    rate: float  # of the cosine over the angle; 0 if not measured
    best_angle: float  # rad
    sources: tuple[str, ...]

    def relative_strength(self, angle: ArrayLike) -> Array:
        """Return the strength at angles (rad) as a fraction of that at the best angle."""
        return np.maximum(0.0, np.cos(self.rate * (np.asarray(angle) - self.best_angle)))

    def at(self, angle: float) -> JointStrength:
        """Return the strength at one angle, rad."""
        check_angle(f"angle of the {self.joint}", angle)
        fraction = float(self.relative_strength(angle))
        sd = None if self.best_sd is None else self.best_sd * fraction
        return JointStrength(
            self.joint, self.direction, self.sex, self.age, self.best * fraction, sd, self.sources
        )


@dataclass(frozen=True)
class StrengthResult:
    """A moment relative to a strength."""

    moment: float  # N·m
    strength: JointStrength
    demand: float  # moment over mean strength
    percent_capable: float | None  # None without a standard deviation
    verdict: Verdict  # not given if data or limits are unverified
    sources: tuple[str, ...]


def strength_joints() -> tuple[tuple[str, str], ...]:
    """Return every joint and direction with data."""
    rows = (*_measured(), *_per_kg())
    return tuple({(row["joint"], row["direction"]): None for row in rows})


def joint_strength(
    joint: str,
    direction: str,
    *,
    sex: Sex,
    mass: float,
    stature: float,
    angle: float = 0.0,
    age: str = "18-25",
) -> JointStrength:
    """Return the isometric strength of a joint.

    Args:
        joint: `"hip"`, `"knee"`, `"ankle"`, and for men `"trunk"`, `"shoulder"`, `"elbow"`, ….
        direction: `"extension"`, `"flexion"`, `"plantarflexion"`, …; see `strength_joints`.
        sex: `"female"` or `"male"`.
        mass: Of the body, kg.
        stature: Of the body, m.
        angle: Of the joint, rad; flexion and dorsiflexion positive.
        age: `"18-25"`, `"55-65"` or `">65"` years.
    """
    curve = strength_curve(joint, direction, sex=sex, mass=mass, stature=stature, age=age)
    return curve.at(angle)


def strength_curve(
    joint: str, direction: str, *, sex: Sex, mass: float, stature: float, age: str = "18-25"
) -> StrengthCurve:
    """Return the isometric strength of a joint over its angle; arguments as in `joint_strength`."""
    check_one_of("joint and direction", f"{joint} {direction}", map(" ".join, strength_joints()))
    check_one_of("sex", sex, ("female", "male"))
    check_one_of("age", age, AGES)
    check_range("mass", mass, low=MASS_RANGE[0], high=MASS_RANGE[1], unit="kg")
    check_range("stature", stature, low=STATURE_RANGE[0], high=STATURE_RANGE[1], unit="m")
    for row in _measured():
        if (row["joint"], row["direction"], row["sex"], row["age"]) == (joint, direction, sex, age):
            size = mass * stature * GRAVITY
            return StrengthCurve(
                joint,
                direction,
                sex,
                age,
                best=float(row["C1"]) * size,
                best_sd=float(row["C1_sd"]) * size,
                rate=float(row["C2_per_rad"]),
                best_angle=float(row["C3_rad"]),
                sources=_sources().anderson2007.words,
            )
    return _curve_per_kg(joint, direction, sex=sex, age=age, mass=mass)


def assess_strength(moment: float, strength: JointStrength) -> StrengthResult:
    """Compare a moment (N·m, in the direction of the strength) with a strength."""
    check_not_negative("moment", moment, unit="newton metres")
    demand = _ratio(moment, strength.mean)
    published = _sources()
    if strength.sd is None:
        verdict = _against_one_person(demand, published.per_kg)
        return StrengthResult(moment, strength, demand, None, verdict, strength.sources)
    percent = _percent_above(moment, strength.mean, strength.sd)
    sources = (*strength.sources, published.criteria.reference, published.criteria.provenance)
    verdict = _against_criteria(percent, strength.sex, published.criteria)
    return StrengthResult(moment, strength, demand, percent, verdict, sources)


def _against_one_person(demand: float, source: _Source) -> Verdict:
    if source.unverified:
        return no_verdict("the strength of the one person is not traced to a study")
    levels = (
        Level(1.0, "within strength", "below the strength of the one person measured"),
        Level(math.inf, "beyond strength", "above the strength of the one person measured"),
    )
    return judge(demand, levels)


def _against_criteria(percent: float, sex: Sex, criteria: _Criteria) -> Verdict:
    if criteria.unverified:
        return no_verdict("no source was found for the percentage that should be capable")
    return judge(100 - percent, _levels(sex, criteria))


def _curve_per_kg(joint: str, direction: str, *, sex: Sex, age: str, mass: float) -> StrengthCurve:
    if sex != "male" or age != "18-25":
        raise ValueError(
            f"strength of {joint} {direction} is known for young men only, not for {sex} {age}; "
            "hip, knee and ankle are known for both sexes and all ages"
        )
    for row in _per_kg():
        if (row["joint"], row["direction"]) == (joint, direction):
            best, sources = float(row["moment_per_kg"]) * mass, _sources().per_kg.words
            return StrengthCurve(joint, direction, sex, age, best, None, 0.0, 0.0, sources)
    raise AssertionError("the name was checked")


def _percent_above(moment: float, mean: float, sd: float) -> float:
    if sd == 0:
        return 100.0 if moment <= mean else 0.0
    return 100 * NormalDist().cdf((mean - moment) / sd)


def _levels(sex: Sex, criteria: _Criteria) -> tuple[Level, ...]:
    design, upper = criteria.design[sex], criteria.upper[sex]
    who = "women" if sex == "female" else "men"
    return (
        Level(100 - design, "within design", f"at least {design:g} % of such {who} are capable"),
        Level(100 - upper, "action needed", f"fewer than {design:g} % of such {who} are capable"),
        Level(100, "too much", f"fewer than {upper:g} % of such {who} are capable"),
    )


def _ratio(moment: float, mean: float) -> float:
    if moment == 0:
        return 0.0
    return moment / mean if mean > 0 else math.inf


@cache
def _measured() -> tuple[dict[str, str], ...]:
    return read_rows("joint_strength_anderson2007.csv")


@cache
def _per_kg() -> tuple[dict[str, str], ...]:
    return read_rows("joint_strength_per_kg.csv")


@cache
def _sources() -> _Strength:
    return read_table("joint_strength.toml", _Strength)
