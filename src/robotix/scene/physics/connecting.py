"""Connections between bodies of a room: made by a word, and brought into another simulation."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast

import numpy as np

from robotix.dynamics.simulation import (
    BallJoint,
    Connection,
    HingeJoint,
    LoopJoint,
    Simulation,
    SliderJoint,
    WeldJoint,
)
from robotix.dynamics.simulation.compile import slider_names, slot_name
from robotix.errors import BadField
from robotix.geometry import Array

__all__ = ["JointWord", "joint_place", "make_joint", "present_joint"]

JointWord: TypeAlias = Literal["weld", "ball", "hinge", "slider"]


def make_joint(word: JointWord, at: Array, axis: Array) -> LoopJoint:
    """Return a joint at a point, about or along an axis, both in the world."""
    match word:
        case "weld":
            return WeldJoint()
        case "ball":
            return BallJoint(at)
        case "hinge":
            return HingeJoint(at, axis)
        case "slider":
            return SliderJoint(axis)
    raise BadField("joint", "weld, ball, hinge or slider", word)


def present_joint(simulation: Simulation, made: Connection) -> LoopJoint:
    """Return the joint of a connection where it is now, in the world."""
    at, axis = joint_place(simulation, made)
    return make_joint(cast(JointWord, made.joint.kind), at, axis)


def joint_place(simulation: Simulation, made: Connection) -> tuple[Array, Array]:
    """Return where a connection is now, (3,), and its axis (z if it has none), in the world."""
    simulation.pose(made.first)  # brings the poses of all bodies up to date
    model, data = simulation.model, simulation.data
    body = model.body(made.first).id
    R, t = data.xmat[body].reshape(3, 3), data.xpos[body]
    ids = [model.equality(slot_name(k)).id for k in made.slots]
    anchors = [t + R @ model.eq_data[k, 0:3] for k in ids]  # on the first body
    z = np.array([0.0, 0.0, 1.0])
    match made.joint:
        case HingeJoint():
            return (anchors[0] + anchors[1]) / 2, anchors[1] - anchors[0]
        case BallJoint():
            return anchors[0], z
        case SliderJoint():
            assert made.slider is not None
            rail = model.body(slider_names(made.slider)[0]).id
            return data.xpos[rail].copy(), data.xmat[rail].reshape(3, 3)[:, 0].copy()
    return t + R @ model.eq_data[ids[0], 3:6], z
