"""The lengths of a body, each with its source.

Lengths follow from stature by the regression lines of the survey, so that they add up to the
stature; percentiles of single lengths would not. Girths and depths are those of the mean person,
scaled with √(mass / stature), which keeps the density constant. Joint centres are at published
fractions between landmarks; values without a source are marked as assumed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from robotix.human.body.survey import Survey

__all__ = ["Measure", "joint_measures", "surveyed_measures"]

# Measure: name in the survey. Heights are above the floor.
_LINES = {
    "hip_height": "trochanterionheight",  # its tip is level with the centre of the femoral head
    "knee_height": "lateralfemoralepicondyleheight",
    "ankle_height": "lateralmalleolusheight",
    "acromion_height": "acromialheight",
    "acromion_to_radiale": "acromionradialelength",
    "radiale_to_stylion": "radialestylionlength",
    "hand_length": "handlength",
    "elbow_to_fingertip": "forearmhandlength",
    "elbow_to_grip": "forearmcenterofgriplength",
    "suprasternale_height": "suprasternaleheight",
    "neck_height": "cervicaleheight",
    "biacromial_breadth": "biacromialbreadth",
    "bicristal_breadth": "bicristalbreadth",
    "foot_length": "footlength",
    "foot_breadth": "footbreadthhorizontal",
    "heel_to_ball": "balloffootlength",
}
_GIRTHS = {
    "neck_girth": "neckcircumference",
    "chest_girth": "chestcircumference",
    "chest_breadth": "chestbreadth",
    "chest_depth": "chestdepth",
    "waist_girth": "waistcircumference",
    "waist_breadth": "waistbreadth",
    "waist_depth": "waistdepth",
    "hip_girth": "buttockcircumference",
    "hip_breadth": "hipbreadth",
    "hip_depth": "buttockdepth",
    "upper_arm_girth": "bicepscircumferenceflexed",
    "forearm_girth": "forearmcircumferenceflexed",
    "wrist_girth": "wristcircumference",
    "thigh_girth": "thighcircumference",
    "lower_thigh_girth": "lowerthighcircumference",
    "calf_girth": "calfcircumference",
    "ankle_girth": "anklecircumference",
}
_HEAD = {
    "head_length": "headlength",
    "head_breadth": "headbreadth",
    "ear_to_crown": "tragiontopofhead",
    "chin_to_nasion": "mentonsellionlength",
}
_BREADTHS = {  # with the length that they scale with
    "hand_breadth": ("handbreadth", "handlength"),
    "heel_breadth": ("heelbreadth", "footbreadthhorizontal"),
}

# Fractions of other measures; those without a source are assumed.
SHOULDER_BELOW_ACROMION, ELBOW_ABOVE_RADIALE = 0.104, 0.043  # of acromion to radiale
JOINT_CENTRES = "joint centres [deLeva1996b] Table 2"
HIP_HALF_WIDTH, SHOULDER_HALF_WIDTH = 0.31, 0.435  # of bicristal, of biacromial breadth
L5S1_ABOVE_HIP, T12L1_ABOVE_L5S1 = 0.20, 0.36  # of the height from hip to shoulder
SPINE_BEHIND_HIP = 0.02 / 1.756  # of stature
HEEL_TO_ANKLE = 0.25  # of the foot's length
TOE_JOINT_HEIGHT = 1 / 3  # of the ankle's


@dataclass(frozen=True)
class Measure:
    """One length of a body, and its source."""

    name: str
    value: float  # m
    source: str


def surveyed_measures(survey: Survey, *, stature: float, mass: float) -> Iterator[Measure]:
    """Yield the measures of a survey for a body of this stature and mass."""
    means, label = survey.distributions, survey.label
    for name, theirs in _LINES.items():
        line = survey.lines[theirs]
        spread = f"residual SD {1000 * line.residual_sd:.1f} mm"
        yield Measure(name, line.at(stature), f"{label}: {theirs} over stature, {spread}")
    build = math.sqrt(mass / survey.mass.mean / (stature / survey.stature.mean))
    for name, theirs in _GIRTHS.items():
        source = f"{label}: mean {theirs}, grown with √(mass / stature)"
        yield Measure(name, build * means[theirs].mean, source)
    head = _head_height(survey, stature) / _head_height(survey, survey.stature.mean)
    for name, theirs in _HEAD.items():
        source = f"{label}: mean {theirs}, grown with the height from cervicale to crown"
        yield Measure(name, head * means[theirs].mean, source)
    eyes = means["sittingheight"].mean - means["eyeheightsitting"].mean
    source = f"{label}: mean sittingheight - eyeheightsitting, grown as the head"
    yield Measure("eye_to_crown", head * eyes, source)
    for name, (theirs, like) in _BREADTHS.items():
        ratio = survey.lines[like].at(stature) / means[like].mean
        yield Measure(
            name, ratio * means[theirs].mean, f"{label}: mean {theirs}, grown with {like}"
        )


def _head_height(survey: Survey, stature: float) -> float:
    return stature - survey.lines["cervicaleheight"].at(stature)


def joint_measures(measures: Iterable[Measure], *, stature: float) -> Iterator[Measure]:
    """Yield the lengths between joint centres, from those between landmarks."""
    of = {measure.name: measure.value for measure in measures}
    yield from _arm_measures(of)
    yield Measure("thigh_length", of["hip_height"] - of["knee_height"], "hip_height - knee_height")
    shank = of["knee_height"] - of["ankle_height"]
    yield Measure("shank_length", shank, "knee_height - ankle_height")
    shoulder = of["acromion_height"] - SHOULDER_BELOW_ACROMION * of["acromion_to_radiale"]
    for name, (value, source) in _assumed_measures(of, stature, shoulder).items():
        yield Measure(name, value, f"assumed: {source}")


def _arm_measures(of: Mapping[str, float]) -> Iterator[Measure]:
    """Yield the distances between the centres of shoulder, elbow, wrist and grip."""
    humerus = of["acromion_to_radiale"]
    drop, rest = SHOULDER_BELOW_ACROMION * humerus, ELBOW_ABOVE_RADIALE * humerus
    yield Measure(
        "shoulder_height",
        of["acromion_height"] - drop,
        f"acromion_height - 0.104 acromion_to_radiale; {JOINT_CENTRES}",
    )
    yield Measure(
        "upper_arm_length",
        humerus - drop - rest,
        f"0.853 acromion_to_radiale; {JOINT_CENTRES}",
    )
    yield Measure(
        "forearm_length",
        of["radiale_to_stylion"] + rest,
        f"radiale_to_stylion + 0.043 acromion_to_radiale; {JOINT_CENTRES}; wrist at the stylion",
    )
    yield Measure(
        "grip_length",
        of["hand_length"] - of["elbow_to_fingertip"] + of["elbow_to_grip"],
        "from the wrist: hand_length - elbow_to_fingertip + elbow_to_grip",
    )


def _assumed_measures(
    of: Mapping[str, float], stature: float, shoulder: float
) -> dict[str, tuple[float, str]]:
    rise = shoulder - of["hip_height"]
    return {
        "hip_half_width": (
            HIP_HALF_WIDTH * of["bicristal_breadth"],
            "0.31 bicristal_breadth",
        ),
        "shoulder_half_width": (
            SHOULDER_HALF_WIDTH * of["biacromial_breadth"],
            "0.435 biacromial_breadth: the joint lies inside the edge of the acromion",
        ),
        "l5s1_above_hip": (L5S1_ABOVE_HIP * rise, "0.20 of the height from hip to shoulder"),
        "t12l1_above_l5s1": (T12L1_ABOVE_L5S1 * rise, "0.36 of the height from hip to shoulder"),
        "spine_behind_hip": (
            SPINE_BEHIND_HIP * stature,
            "0.02 m for a mean man: in upright stance the trunk's weight is before L5/S1",
        ),
        "heel_to_ankle": (HEEL_TO_ANKLE * of["foot_length"], "0.25 foot_length"),
        "toe_joint_height": (TOE_JOINT_HEIGHT * of["ankle_height"], "a third of ankle_height"),
    }
