"""Who is strong enough, joint by joint, along a motion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import erf

import numpy as np

from robotix.ergonomics.methods.strength import (
    StrengthCurve,
    StrengthResult,
    assess_strength,
    strength_curve,
)
from robotix.ergonomics.signals.load_series import LoadSeries
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES

__all__ = ["LEG_JOINTS", "StrengthSeries", "strength_coordinates", "strength_courses"]

# Coordinate of the manikin (of both sides, or of the middle): joint of the strength data, and its
# words for a torque along and against the coordinate. Sideways torques of the legs are left out:
# they depend on how the feet are taken to share the weight, which is a rule and no measurement.
SIDED = {
    "hip_flexion": ("hip", "flexion", "extension"),
    "knee_flexion": ("knee", "flexion", "extension"),
    "ankle_dorsiflexion": ("ankle", "dorsiflexion", "plantarflexion"),
    "shoulder_flexion": ("shoulder", "flexion", "extension"),
    "shoulder_abduction": ("shoulder", "abduction", "adduction"),
    "elbow_flexion": ("elbow", "flexion", "extension"),
    "forearm_pronation": ("forearm", "pronation", "supination"),
    "wrist_flexion": ("wrist", "flexion", "extension"),
    "wrist_radial_deviation": ("wrist", "radial", "ulnar"),
}
MIDDLE = {
    "L5S1_flexion": ("trunk", "flexion", "extension"),
    "L5S1_lateral_right": ("trunk", "lateral", "lateral"),
    "L5S1_axial_left": ("trunk", "rotation", "rotation"),
}


LEG_JOINTS = ("hip", "knee", "ankle")
# Of the strength at the best angle. Where less is left, tissue that resists being stretched, which
# the data leave out, carries a growing part, and the fitted cosine soon says that nothing is left.
WELL_KNOWN = 0.6
STOP = np.radians(10.0)  # from the end of a range: what presses against it, ligaments can carry


@dataclass(frozen=True, eq=False)
class StrengthSeries:
    """One joint in one direction, at every row, each (N,)."""

    coordinate: str  # of the manikin, as `right_knee_flexion`
    curve: StrengthCurve
    moment: Array  # N m in this direction; 0 where it works the other way
    angle: Array  # of the coordinate, rad
    demand: Array  # moment over mean strength; NaN where it is not judged
    percent: Array | None  # of such people who can; none where the data has no spread

    @property
    def label(self) -> str:
        """The joint in words, with its side."""
        side, _, _ = self.coordinate.partition("_")
        return " ".join(
            [*([side] if side in SIDES else []), self.curve.joint, self.curve.direction]
        )

    @cached_property
    def row(self) -> int:
        """The row that asks for most."""
        if self.percent is None:
            return int(np.nanargmax(self.demand))
        return int(np.nanargmin(self.percent))

    @cached_property
    def worst(self) -> StrengthResult:
        """The verdict at that row."""
        strength = self.curve.at(float(self.angle[self.row]))
        return assess_strength(float(self.moment[self.row]), strength)


def strength_courses(course: LoadSeries, *, age: str) -> tuple[StrengthSeries, ...]:
    """Return every joint and direction that there is data for, the most strained ones first.

    For women and for older people these are hip, knee and ankle in the sagittal plane only.
    """
    found = []
    for coordinate, (joint, along, against) in strength_coordinates().items():
        for direction, sign in ((along, 1.0), (against, -1.0)):
            one = _course(course, coordinate, joint, direction, sign=sign, age=age)
            if one is not None and not np.isnan(one.demand).all():
                found.append(one)
    return tuple(sorted(found, key=lambda one: -one.demand[one.row]))


def strength_coordinates() -> dict[str, tuple[str, str, str]]:
    """Return joint and words for a torque along and against, by coordinate of the manikin."""
    sided = {f"{side}_{name}": words for side in SIDES for name, words in SIDED.items()}
    return {**sided, **MIDDLE}


def _course(
    course: LoadSeries, coordinate: str, joint: str, direction: str, *, sign: float, age: str
) -> StrengthSeries | None:
    loads = course.loads
    body, model = loads.manikin.anthropometry, loads.manikin.model
    moment = np.maximum(sign * loads.torque(coordinate), 0.0)
    dof = model.dof_index(coordinate)
    angle = loads.course.q[:, dof]

    try:
        curve = strength_curve(
            joint, direction, sex=body.sex, mass=body.mass, stature=body.stature, age=age
        )
    except ValueError:
        return None  # no data for this sex and age
    share = curve.share(angle)
    mean = curve.best * share
    demand = np.divide(moment, mean, out=np.full_like(moment, np.inf), where=mean > 0)
    demand[moment == 0] = 0.0
    end = model.lower[dof] if sign > 0 else model.upper[dof]
    unknown = (share < WELL_KNOWN) | (sign * (angle - end) < STOP)
    if joint in LEG_JOINTS:
        unknown |= ~course.is_borne
    demand[unknown] = np.nan
    sd = curve.best_sd
    percent = None if sd is None else _percent_above(moment, mean, sd * share)
    if percent is not None:
        percent[unknown] = np.nan
    return StrengthSeries(coordinate, curve, moment, angle, demand, percent)


def _percent_above(moment: Array, mean: Array, sd: Array) -> Array:
    """Return how many people are stronger, %; nobody is too weak for nothing."""
    z = np.divide(mean - moment, sd, out=np.where(moment <= mean, np.inf, -np.inf), where=sd > 0)
    percent = 50 * (1 + np.array([erf(value / 2**0.5) for value in z.tolist()]))
    return np.where(moment > 0, percent, 100.0)
