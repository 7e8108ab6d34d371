"""Named points of the manikin: control points of tasks, contacts of the sole, joint centres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from robotix.geometry import Array, Pose
from robotix.human.body.anthropometry import Anthropometry
from robotix.human.body.skeleton import SIDES, Side, Skeleton
from robotix.model import ControlPoint

__all__ = [
    "BALL",
    "HEEL",
    "LIMB_ORIGINS",
    "TOE_TIP",
    "TRUNK_ORIGINS",
    "control_points",
    "joint_centres",
    "origin_of",
    "segment_body",
]

HEEL = ("heel_inner", "heel", "heel_outer")
BALL = ("ball_outer", "ball_inner")
TOE_TIP = ("toe_outer", "toe", "toe_inner")

_WORDS_OF_POINTS = ("hand", "foot", "head")  # control points, so their bodies need other names
# joints at the origin of a segment's frame: its upper ones
TRUNK_ORIGINS = {"pelvis": "pelvis", "lumbar": "l5s1", "thorax": "t12l1", "head": "neck"}
LIMB_ORIGINS = {
    "thigh": "hip",
    "shank": "knee",
    "foot": "ankle",
    "toes": "toe",
    "upper_arm": "shoulder",
    "forearm": "elbow",
    "hand": "wrist",
}
_CENTRES = {  # segment that a joint centre belongs to, on the side of the root
    "l5s1": "pelvis",
    "t12l1": "lumbar",
    "neck": "thorax",
    "head": "head",
    "crown": "head",
}
_SIDED_CENTRES = {
    "hip": "pelvis",
    "knee": "thigh",
    "ankle": "shank",
    "toe": "foot",
    "shoulder": "thorax",
    "elbow": "upper_arm",
    "wrist": "forearm",
    "knuckle": "hand",
}


def segment_body(segment: str) -> str:
    """Return the name of the body of a segment (`pelvis`, `right_foot`, …)."""
    return f"{segment}_segment" if segment.split("_")[-1] in _WORDS_OF_POINTS else segment


def origin_of(segment: str, skeleton: Skeleton) -> Array:
    """Return the origin of the frame of a segment at `q = 0`, (3,), m."""
    side, _, name = segment.partition("_")
    if side in SIDES:
        return skeleton[f"{side}_{LIMB_ORIGINS[name]}"]
    return skeleton[TRUNK_ORIGINS[segment]]


def joint_centres(skeleton: Skeleton) -> dict[str, ControlPoint]:
    """Return every joint centre on the body that carries it."""
    centres = {name: _on(skeleton, part, skeleton[name]) for name, part in _CENTRES.items()}
    for side in SIDES:
        for name, part in _SIDED_CENTRES.items():
            segment = part if part in ("pelvis", "thorax") else f"{side}_{part}"
            centres[f"{side}_{name}"] = _on(skeleton, segment, skeleton[f"{side}_{name}"])
    return centres


def control_points(body: Anthropometry, skeleton: Skeleton) -> dict[str, ControlPoint]:
    """Return the points that tasks use; their axes are those of the body they are on.

    `right_hand` is the centre of the grip; `right_foot` the sole under the ankle; `head` between
    the eyes, x the line of sight; `right_heel`, `right_ball_inner`, `right_toe`, … touch the floor.
    """
    points = {
        "L5S1": _on(skeleton, "pelvis", skeleton["l5s1"]),
        "T12L1": _on(skeleton, "lumbar", skeleton["t12l1"]),
        "chest": _on(skeleton, "thorax", skeleton["chest"]),
        "neck": _on(skeleton, "thorax", skeleton["neck"]),
        "head": _on(skeleton, "head", skeleton["eyes"]),
        "crown": _on(skeleton, "head", skeleton["crown"]),
    }
    centres = joint_centres(skeleton)
    for side in SIDES:
        for name in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist"):
            points[f"{side}_{name}"] = centres[f"{side}_{name}"]
        hand, ankle = f"{side}_hand", skeleton[f"{side}_ankle"]
        points[hand] = _on(skeleton, hand, skeleton[f"{side}_grip"])
        points[f"{side}_foot"] = _on(skeleton, f"{side}_foot", ankle * (1, 1, 0))
        for name, position in _sole(body, skeleton, side).items():
            segment = f"{side}_toes" if name in TOE_TIP else f"{side}_foot"
            points[f"{side}_{name}"] = _on(skeleton, segment, position)
    return points


def _on(skeleton: Skeleton, segment: str, position: Array) -> ControlPoint:
    offset = position - origin_of(segment, skeleton)
    return ControlPoint(segment_body(segment), Pose(translation=offset))


def _sole(body: Anthropometry, skeleton: Skeleton, side: Side) -> Mapping[str, Array]:
    """Return the contact points of a sole at `q = 0`: round heel, ball, narrower toes."""
    heel, toe, tip = (skeleton[f"{side}_{name}"] * (1, 1, 0) for name in ("heel", "toe", "toe_tip"))
    round_heel, ball = body["heel_breadth"] / 2, body["foot_breadth"] / 2
    forward = np.array([1.0, 0.0, 0.0])
    pairs = {
        "heel": (heel + round_heel * forward, round_heel),
        "ball": (toe, ball),
        "toe": (tip - 0.25 * (tip - toe), 0.7 * ball),  # assumed
    }
    return {"heel": heel, "toe": tip, **dict(_both_edges(pairs, outward=SIDES[side]))}


def _both_edges(
    pairs: Mapping[str, tuple[Array, float]], *, outward: float
) -> Iterator[tuple[str, Array]]:
    for name, (middle, half) in pairs.items():
        for edge, sign in (("inner", -outward), ("outer", outward)):
            yield f"{name}_{edge}", middle + np.array([0.0, sign * half, 0.0])
