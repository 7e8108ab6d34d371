"""The body of a recorded subject: lengths from the markers where possible, else from the survey.

One frame in which the subject stands gives the distances between joint centres. The stature is that
of the mean body with these lengths, by least squares of the relative errors. The measured lengths
then replace those of the survey, and the heights above them are shifted accordingly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from robotix.capture.marker_plan import MarkerPlan
from robotix.capture.markers import MarkerSet
from robotix.geometry import Array
from robotix.human.body.anthropometry import STATURE_RANGE, Anthropometry, make_anthropometry
from robotix.human.body.measures import Measure

__all__ = ["fit_body", "measured_lengths"]

SOURCE = "measured between markers"
# Relative deviation of lengths from a body of 1.7 m stature; more means a wrong unit.
MAX_LENGTH_DEVIATION = 0.4
_PAIRS = {
    "thigh_length": ("hip", "knee"),
    "shank_length": ("knee", "ankle"),
    "upper_arm_length": ("shoulder", "elbow"),
    "forearm_length": ("elbow", "wrist"),
}
_FOOT = ("foot_length", "heel_to_ball", "heel_to_ankle")
FOOT_STRETCH = 0.85, 1.2  # of the foot of the mean body; more means that markers are elsewhere
_ABOVE_HIP = ("acromion_height", "shoulder_height", "suprasternale_height", "neck_height")


def measured_lengths(markers: MarkerSet, plan: MarkerPlan) -> dict[str, float]:
    """Return the lengths of a standing subject that follow from the markers, m.

    Only the first row of `markers` is used.
    """
    positions = {
        seen.landmark: markers.middle(seen.markers)[0]
        for seen in plan.everything()
        if not seen.segment
    }
    lengths = dict[str, float]()
    for measure, (upper, lower) in _PAIRS.items():
        found = [
            float(np.linalg.norm(positions[f"{side}_{upper}"] - positions[f"{side}_{lower}"]))
            for side in ("right", "left")
            if f"{side}_{upper}" in positions and f"{side}_{lower}" in positions
        ]
        if found:
            lengths[measure] = float(np.mean(found))
    for name in ("hip", "shoulder"):
        if {f"right_{name}", f"left_{name}"} <= positions.keys():
            apart = positions[f"right_{name}"] - positions[f"left_{name}"]
            lengths[f"{name}_half_width"] = float(np.linalg.norm(apart)) / 2
    if {"hip_half_width", "shoulder_half_width"} <= lengths.keys():
        lengths["trunk_length"] = _rise(positions)
    reaches = [
        float(np.linalg.norm((positions[f"{side}_toe"] - positions[f"{side}_ankle"])[:2]))
        for side in ("right", "left")
        if f"{side}_toe" in positions and f"{side}_ankle" in positions
    ]
    if reaches:
        lengths["foot_reach"] = float(np.mean(reaches))
    for wanted in plan.lengths:
        gap = markers.middle(wanted.start)[0] - markers.middle(wanted.end)[0]
        lengths[wanted.measure] = wanted.fraction * float(np.linalg.norm(gap))
    return {name: value for name, value in lengths.items() if np.isfinite(value)}


def _rise(positions: Mapping[str, Array]) -> float:
    hips, shoulders = (
        (positions[f"right_{name}"] + positions[f"left_{name}"]) / 2 for name in ("hip", "shoulder")
    )
    return float(np.linalg.norm(shoulders - hips))


def fit_body(
    lengths: Mapping[str, float],
    *,
    sex: str = "m",
    stature: float | None = None,
    mass: float | None = None,
) -> Anthropometry:
    """Return the body with these lengths; all others are the means at its stature."""
    _check_sizes(lengths, sex)
    if stature is None and lengths:
        stature = _stature(lengths, sex)
    body = make_anthropometry(sex=sex, stature=stature, mass=mass)
    return _stretched(body, lengths)


def _of(body: Anthropometry, name: str) -> float:
    if name == "trunk_length":
        return body["shoulder_height"] - body["hip_height"]
    if name == "foot_reach":  # from the ankle to the joint of the toes
        return body["heel_to_ball"] - body["heel_to_ankle"]
    return body[name]


def _check_sizes(lengths: Mapping[str, float], sex: str) -> None:
    """Raise ValueError for lengths that no adult has, mostly because of a wrong unit."""
    mean = make_anthropometry(sex=sex, stature=1.7)
    limbs = [name for name in lengths if not name.endswith(("half_width", "foot_reach"))]
    ratios = np.array([lengths[name] / _of(mean, name) for name in limbs])
    if not len(ratios) or (abs(np.median(ratios) - 1) <= MAX_LENGTH_DEVIATION):
        return
    raise ValueError(
        f"the {limbs[0].replace('_', ' ')} would be {lengths[limbs[0]]:.3g} m; lengths are "
        f"{np.median(ratios):.3g} times those of a person of 1.7 m. Give the file's unit (such as "
        "'m', 'cm', 'mm', 'in', 'cmu' or a number of metres)"
    )


def _stature(lengths: Mapping[str, float], sex: str) -> float:
    """Return the stature whose mean body has these lengths, by least squares."""
    short, tall = 1.5, 1.9
    ends = [make_anthropometry(sex=sex, stature=stature) for stature in (short, tall)]
    slopes, misses = list[float](), list[float]()
    for name, value in lengths.items():
        if name == "foot_reach":  # too short, and its markers too uncertain, to tell a stature
            continue
        low, high = (_of(body, name) for body in ends)
        slopes.append((high - low) / (tall - short) / value)
        misses.append((value - low) / value)
    slope, miss = np.array(slopes), np.array(misses)
    return float(np.clip(short + slope @ miss / (slope @ slope), *STATURE_RANGE))


def _stretched(body: Anthropometry, lengths: Mapping[str, float]) -> Anthropometry:
    """Return the body with some of its lengths replaced; heights follow from them."""
    new = {name: v for name, v in lengths.items() if name not in ("trunk_length", "foot_reach")}
    if "foot_reach" in lengths:
        grown = float(np.clip(lengths["foot_reach"] / _of(body, "foot_reach"), *FOOT_STRETCH))
        new |= {name: grown * body[name] for name in _FOOT}
    knee = body["ankle_height"] + new.get("shank_length", body["shank_length"])
    hip = knee + new.get("thigh_length", body["thigh_length"])
    stretch = 1.0
    rise = _of(body, "trunk_length")
    if "trunk_length" in lengths:
        stretch = lengths["trunk_length"] / rise
    heights = {"knee_height": knee, "hip_height": hip}
    grown = stretch * rise - rise
    for name in _ABOVE_HIP:
        heights[name] = body[name] + (hip - body["hip_height"]) + grown
    for name in ("l5s1_above_hip", "t12l1_above_l5s1"):
        heights[name] = stretch * body[name]
    crown = body.stature + (hip - body["hip_height"]) + grown
    new |= heights
    measures = tuple(
        Measure(
            measure.name,
            new[measure.name],
            SOURCE
            if measure.name in lengths or measure.name in _FOOT
            else f"{measure.source}; moved along",
        )
        if measure.name in new
        else measure
        for measure in body.measures
    )
    source = f"{SOURCE}: mean body of {body.stature:.3f} m, legs and trunk stretched to fit"
    return replace(body, stature=crown, stature_source=source, measures=measures)
