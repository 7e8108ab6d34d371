"""Joint moments along a motion against the strength of people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import erf

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from robotix.dynamics.supports import Flags
from robotix.ergonomics.methods.strength.joint_strength import (
    StrengthCurve,
    StrengthResult,
    assess_strength,
    strength_curve,
)
from robotix.ergonomics.signals.circumstances import Circumstances
from robotix.ergonomics.signals.load_series import LoadSeries
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.performance import Performance

__all__ = [
    "LEG_JOINTS",
    "StrengthSeries",
    "judged_ankles",
    "lasting_minimum",
    "strength_coordinates",
    "strength_series",
]

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
LASTING = 0.2  # s; shorter peaks are not compared with a strength that is held
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
    times: Array  # s

    @property
    def label(self) -> str:
        """The joint in words, with its side."""
        side, _, _ = self.coordinate.partition("_")
        return " ".join(
            [*([side] if side in SIDES else []), self.curve.joint, self.curve.direction]
        )

    @cached_property
    def row(self) -> int:
        """The row with the highest demand that lasts; the highest of all if none does."""
        lasting = lasting_minimum(self.demand, self.times)
        return int(np.nanargmax(self.demand if np.isnan(lasting).all() else lasting))

    @cached_property
    def worst(self) -> StrengthResult:
        """The result at that row."""
        strength = self.curve.at(float(self.angle[self.row]))
        return assess_strength(float(self.moment[self.row]), strength)


def strength_series(
    series: LoadSeries, *, age: str, ankles: Flags | None = None
) -> tuple[StrengthSeries, ...]:
    """Return the series of every joint and direction with strength data, highest demand first.

    For women and for older people these are hip, knee and ankle in the sagittal plane only.

    Args:
        series: Loads of the joints.
        age: Group of the strength data.
        ankles: Rows at which ankles count, (N,), as of `judged_ankles`; all when None.
    """
    found = []
    for coordinate, (joint, along, against) in strength_coordinates().items():
        for direction, sign in ((along, 1.0), (against, -1.0)):
            one = _series_of(series, coordinate, joint, direction, sign=sign, age=age)
            if one is not None and joint == "ankle" and ankles is not None:
                one = _only(one, ankles)
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
    return StrengthSeries(coordinate, curve, moment, angle, demand, percent, loads.times)


def judged_ankles(performance: Performance, facts: Circumstances) -> Flags:
    """Return the rows at which ankles are compared with strength, (N,).

    In a planned task the pressure under the feet, and with it the torque of the ankles, is that of
    a rule of balance; in walking the spring of the tendon helps.
    """
    is_planned = performance.tracking is None and len(performance.motion.times) > 1
    return np.asarray(~facts.is_walking & (not is_planned))


def lasting_minimum(values: Array, times: Array) -> Array:
    """Return at each row the least value from there on for `LASTING` seconds, (N,).

    Its maximum is the highest value that lasts: a peak of a few samples does not count. NaN where
    the motion ends before, or a value is NaN; a single row lasts.
    """
    if len(times) == 1:
        return values
    last = np.searchsorted(times, times + LASTING - 1e-9)
    widths = np.where(last < len(values), last - np.arange(len(values)) + 1, 0)
    found = np.full(len(values), np.nan)
    for width in np.unique(widths[widths > 0]).tolist():  # one or two of a steady rate
        rows = np.flatnonzero(widths == width)
        found[rows] = sliding_window_view(values, width).min(axis=1)[rows]
    return found


def _only(one: StrengthSeries, rows: Flags) -> StrengthSeries:
    """Return the series judged at some rows only."""
    percent = None if one.percent is None else np.where(rows, one.percent, np.nan)
    return replace(one, demand=np.where(rows, one.demand, np.nan), percent=percent)


def _percent_above(moment: Array, mean: Array, sd: Array) -> Array:
    """Return the percentage of people who are stronger; 100 for no moment."""
    z = np.divide(mean - moment, sd, out=np.where(moment <= mean, np.inf, -np.inf), where=sd > 0)
    percent = 50 * (1 + np.array([erf(value / 2**0.5) for value in z.tolist()]))
    return np.where(moment > 0, percent, 100.0)
