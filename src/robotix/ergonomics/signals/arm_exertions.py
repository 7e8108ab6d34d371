"""From a posture and a force at a hand to what the Arm Force Field needs."""

from __future__ import annotations

import numpy as np

from robotix.ergonomics.methods.strength.arm_strength import ArmExertion
from robotix.geometry import Array
from robotix.geometry.vectors import unit_rows
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.kinematics.batch import forward_batch

__all__ = ["arm_exertion"]


def arm_exertion(manikin: Manikin, q: Array, side: Side, force: Array) -> ArmExertion:
    """Return the exertion of one arm.

    Args:
        manikin: The body.
        q: Posture, (n_dof,).
        side: Of the arm.
        force: What the hand exerts on the object, in the base frame, (3,), N; to hold a load, its
            weight upwards.

    Raises ValueError where the hand is outside of what the method was made for.
    """
    names = ["right_shoulder", "left_shoulder", "neck", "l5s1"]
    names += [f"{side}_{part}" for part in ("shoulder", "elbow", "wrist", "knuckle")]
    places = {
        name: forward_batch(manikin.model, q[None], point=manikin.centres[name])[0][0]
        for name in names
    }
    right = places["right_shoulder"] - places["left_shoulder"]
    forward = np.cross(places["neck"] - places["l5s1"], right)
    up = np.cross(right, forward)
    axes = unit_rows(np.array([forward, -SIDES[side] * right, up]))

    def seen(vector: Array) -> tuple[float, float, float]:
        ahead, out, above = (float(each) for each in axes @ vector)
        return ahead, out, above

    shoulder = places[f"{side}_shoulder"]
    elbow, wrist, hand = (
        seen(places[f"{side}_{part}"] - shoulder) for part in ("elbow", "wrist", "knuckle")
    )
    return ArmExertion(
        hand=hand,
        wrist=wrist,
        elbow=elbow,
        direction=seen(force),
        force=float(np.linalg.norm(force)),
        down=seen(np.array([0.0, 0.0, -1.0])),
    )
