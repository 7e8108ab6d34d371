"""Joint moments along a motion against the strength of people."""

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

__all__ = ["LEG_JOINTS", "StrengthSeries", "strength_coordinates", "strength_series"]

# Coordinate of the manikin (of both sides, or of the middle): joint of the strength data, and its
# words for a torque along and against the coordinate. Sideways torques of the legs are left out:
# they depend on the assumed distribution of the weight over the feet.
SIDED_COORDINATES = {
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
TRUNK_COORDINATES = {
    "L5S1_flexion": ("trunk", "flexion", "extension"),
    "L5S1_lateral_right": ("trunk", "lateral", "lateral"),
    "L5S1_axial_left": ("trunk", "rotation", "rotation"),
}


LEG_JOINTS = ("hip", "knee", "ankle")
# Of the strength at the best angle. Where less is left, tissue that resists being stretched, which
# the data leave out, carries a growing part, and the fitted cosine soon says that nothing is left.
MIN_RELATIVE_STRENGTH = 0.6
JOINT_STOP_MARGIN = np.radians(
    10.0
)  # from the end of a range: what presses against it, ligaments can carry


@dataclass(frozen=True, eq=False)
class StrengthSeries:
    """One joint in one direction, at every row, each (N,)."""

    coordinate: str  # of the manikin, as `right_knee_flexion`
    curve: StrengthCurve
    moment: Array  # N m in this direction; 0 where it acts in the other
    angle: Array  # of the coordinate, rad
    demand: Array  # moment over mean strength; NaN where not judged
    percent: Array | None  # of such people who are capable; None without standard deviation

    @property
    def label(self) -> str:
        """The joint in words, with its side."""
        side, _, _ = self.coordinate.partition("_")
        return " ".join(
            [*([side] if side in SIDES else []), self.curve.joint, self.curve.direction]
        )

    @cached_property
    def row(self) -> int:
        """The row with the highest demand."""
        if self.percent is None:
            return int(np.nanargmax(self.demand))
        return int(np.nanargmin(self.percent))

    @cached_property
    def worst(self) -> StrengthResult:
        """The result at that row."""
        strength = self.curve.at(float(self.angle[self.row]))
        return assess_strength(float(self.moment[self.row]), strength)


def strength_series(series: LoadSeries, *, age: str) -> tuple[StrengthSeries, ...]:
    """Return the series of every joint and direction with strength data, highest demand first.

    For women and for older people these are hip, knee and ankle in the sagittal plane only.
    """
    found = []
    for coordinate, (joint, along, against) in strength_coordinates().items():
        for direction, sign in ((along, 1.0), (against, -1.0)):
            one = _series_of(series, coordinate, joint, direction, sign=sign, age=age)
            if one is not None and not np.isnan(one.demand).all():
                found.append(one)
    return tuple(sorted(found, key=lambda one: -one.demand[one.row]))


def strength_coordinates() -> dict[str, tuple[str, str, str]]:
    """Return joint, and names of positive and negative torque, by coordinate of the manikin."""
    sided = {f"{side}_{name}": words for side in SIDES for name, words in SIDED_COORDINATES.items()}
    return {**sided, **TRUNK_COORDINATES}


def _series_of(
    series: LoadSeries, coordinate: str, joint: str, direction: str, *, sign: float, age: str
) -> StrengthSeries | None:
    loads = series.loads
    body, model = loads.manikin.anthropometry, loads.manikin.model
    moment = np.maximum(sign * loads.torque(coordinate), 0.0)
    dof = model.dof_index(coordinate)
    angle = loads.motion.q[:, dof]

    try:
        curve = strength_curve(
            joint, direction, sex=body.sex, mass=body.mass, stature=body.stature, age=age
        )
    except ValueError:
        return None  # no data for this sex and age
    relative = curve.relative_strength(angle)
    mean = curve.best * relative
    demand = np.divide(moment, mean, out=np.full_like(moment, np.inf), where=mean > 0)
    demand[moment == 0] = 0.0
    end = model.lower[dof] if sign > 0 else model.upper[dof]
    unknown = (relative < MIN_RELATIVE_STRENGTH) | (sign * (angle - end) < JOINT_STOP_MARGIN)
    if joint in LEG_JOINTS:
        unknown |= ~series.is_supported
    demand[unknown] = np.nan
    sd = curve.best_sd
    percent = None if sd is None else _percent_above(moment, mean, sd * relative)
    if percent is not None:
        percent[unknown] = np.nan
    return StrengthSeries(coordinate, curve, moment, angle, demand, percent)


def _percent_above(moment: Array, mean: Array, sd: Array) -> Array:
    """Return the percentage of people who are stronger; 100 for no moment."""
    z = np.divide(mean - moment, sd, out=np.where(moment <= mean, np.inf, -np.inf), where=sd > 0)
    percent = 50 * (1 + np.array([erf(value / 2**0.5) for value in z.tolist()]))
    return np.where(moment > 0, percent, 100.0)
