"""Collision shapes of the body segments, from girths, breadths and depths.

In the frame of the skeleton at `q = 0`. Limbs are capsules whose radius is the mean girth over 2 π,
thighs two of them; the trunk consists of transverse capsules. Hands are loosely closed boxes, feet
are boxes. Neighbouring shapes overlap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from robotix.geometry import Array, Box, Capsule, Pose, Shape, Sphere
from robotix.human.body.anthropometry import Anthropometry
from robotix.human.body.skeleton import SIDES, Side, Skeleton
from robotix.model.capsules import capsules_along

__all__ = ["make_collision_shapes"]

HAND_THICKNESS_RATIO = 0.5  # of hand breadth, fingers bent; assumed
FOOT_HEIGHT_RATIO = 0.8  # of ankle height; assumed
TOE_HEIGHT_RATIO = 1.2  # of the height of their joint; assumed


def make_collision_shapes(
    body: Anthropometry, skeleton: Skeleton
) -> Mapping[str, tuple[Shape, ...]]:
    """Return the shapes of every segment."""
    shapes: dict[str, tuple[Shape, ...]] = {**_trunk(body, skeleton), "head": _head(body, skeleton)}
    for side in SIDES:
        limbs = {**_limbs(body, skeleton, side), **_hand_and_foot(body, skeleton, side)}
        shapes |= {f"{side}_{name}": found for name, found in limbs.items()}
    return shapes


def _radius(*girths: float) -> float:
    return sum(girths) / len(girths) / (2 * math.pi)


def _across(position: Array, *, breadth: float, depth: float) -> tuple[Capsule | Sphere, ...]:
    """Return a transverse capsule of a given breadth and depth, m."""
    reach = np.array([0.0, max(breadth - depth, 0.0) / 2, 0.0])
    return capsules_along([position - reach, position + reach], radius=depth / 2)


def _trunk(body: Anthropometry, at: Skeleton) -> dict[str, tuple[Shape, ...]]:
    spine = {"l5s1": at["l5s1"] * (0, 1, 1), "t12l1": at["t12l1"] * (0, 1, 1)}  # on the axis
    rise = (at["right_shoulder"] - spine["t12l1"]) * (0, 0, 1)
    chest = {"breadth": body["chest_breadth"], "depth": body["chest_depth"]}
    shoulders = [at["right_shoulder"], at["left_shoulder"]]
    return {
        "pelvis": _across(
            (2 * at["pelvis"] + spine["l5s1"]) / 3,
            breadth=body["hip_breadth"],
            depth=body["hip_depth"],
        ),
        "lumbar": _across(
            (spine["l5s1"] + spine["t12l1"]) / 2,
            breadth=body["waist_breadth"],
            depth=body["waist_depth"],
        ),
        "thorax": (
            *_across(spine["t12l1"] + 0.25 * rise, **chest),
            *_across(spine["t12l1"] + 0.60 * rise, **chest),
            *capsules_along(shoulders, radius=_radius(body["upper_arm_girth"])),
        ),
    }


def _head(body: Anthropometry, at: Skeleton) -> tuple[Shape, ...]:
    """Return the head from crown to chin, and the neck."""
    radius = (body["head_length"] + body["head_breadth"]) / 4
    height = body["eye_to_crown"] + body["chin_to_nasion"]
    top, bottom = (at["crown"] - (0, 0, drop) for drop in (radius, max(height - radius, radius)))
    thick = min(_radius(body["neck_girth"]), radius)  # a very thick neck must not exceed the head
    neck = capsules_along([at["neck"], bottom], radius=thick)
    return (*capsules_along([bottom, top], radius=radius), *neck)


def _limbs(body: Anthropometry, at: Skeleton, side: Side) -> dict[str, tuple[Shape, ...]]:
    girths = {
        "upper_arm": ("shoulder", "elbow", ("upper_arm_girth", "forearm_girth")),
        "forearm": ("elbow", "wrist", ("forearm_girth", "wrist_girth")),
    }
    limbs: dict[str, tuple[Shape, ...]] = {}
    for name, (start, end, names) in girths.items():
        line = [at[f"{side}_{start}"], at[f"{side}_{end}"]]
        limbs[name] = capsules_along(line, radius=_radius(*(body[girth] for girth in names)))
    limbs["thigh"] = _thigh(body, at, side)
    radius = _radius(body["calf_girth"], body["ankle_girth"])
    ankle = at[f"{side}_ankle"] * (1, 1, 0.5) + (0, 0, radius)  # clear of the floor, however thick
    limbs["shank"] = capsules_along([at[f"{side}_knee"], ankle], radius=radius)
    return limbs


def _thigh(body: Anthropometry, at: Skeleton, side: Side) -> tuple[Shape, ...]:
    """Return the upper and the lower half of a thigh, which tapers from crotch to knee.

    The upper half is as thin as the middle: its flesh gives way to seats and to the other thigh.
    """
    hip, knee = at[f"{side}_hip"], at[f"{side}_knee"]
    middle = (hip + knee) / 2
    upper, lower = body["thigh_girth"], body["lower_thigh_girth"]
    return (
        *capsules_along([hip, middle], radius=_radius(upper, lower)),
        *capsules_along([middle, knee], radius=_radius(upper, lower, lower, lower)),
    )


def _hand_and_foot(body: Anthropometry, at: Skeleton, side: Side) -> dict[str, tuple[Shape, ...]]:
    wrist, knuckle = at[f"{side}_wrist"], at[f"{side}_knuckle"]
    breadth, width = body["hand_breadth"], body["foot_breadth"]
    heel, toe, tip = (at[f"{side}_{name}"] for name in ("heel", "toe", "toe_tip"))
    hand = (breadth, HAND_THICKNESS_RATIO * breadth, wrist[2] - knuckle[2] + breadth / 4)
    foot = (toe[0] - heel[0], width, FOOT_HEIGHT_RATIO * at[f"{side}_ankle"][2])
    toes = (tip[0] - toe[0], width, TOE_HEIGHT_RATIO * toe[2])
    return {
        "hand": (Box(np.array(hand), Pose(translation=wrist - (0, 0, hand[2] / 2))),),
        "foot": (Box(np.array(foot), Pose.at(heel[0] + foot[0] / 2, heel[1], foot[2] / 2)),),
        "toes": (Box(np.array(toes), Pose.at(toe[0] + toes[0] / 2, heel[1], toes[2] / 2)),),
    }
