"""Joints of several coordinates, as chains of hinges and sliders with massless bodies between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from robotix.geometry import Array, Pose
from robotix.model.body import Body
from robotix.model.joint import Joint

__all__ = ["ball_joints", "chain_of", "free_joints", "planar_joints"]

AXES = np.eye(3)


def ball_joints(name: str) -> list[Joint]:
    """Return three hinges `NAME_x`, `NAME_y`, `NAME_z`: R = R_x R_y R_z."""
    return [Joint(f"{name}_{'xyz'[i]}", "revolute", axis=AXES[i]) for i in range(3)]


def free_joints(name: str) -> list[Joint]:
    """Return three sliders `NAME_x` to `NAME_z` and three hinges `NAME_rx` to `NAME_rz`."""
    slides = [Joint(f"{name}_{'xyz'[i]}", "prismatic", axis=AXES[i]) for i in range(3)]
    turns = [Joint(f"{name}_r{'xyz'[i]}", "revolute", axis=AXES[i]) for i in range(3)]
    return [*slides, *turns]


def planar_joints(name: str, normal: Array) -> list[Joint]:
    """Return sliders `NAME_x` and `NAME_y` in a plane, and a hinge `NAME_yaw` about its normal."""
    x, y, z = _frame_about(normal)
    return [
        Joint(f"{name}_x", "prismatic", axis=x),
        Joint(f"{name}_y", "prismatic", axis=y),
        Joint(f"{name}_yaw", "revolute", axis=z),
    ]


def _frame_about(normal: Array) -> tuple[Array, Array, Array]:
    """Return three unit vectors: the last is the normal, x and y are the joint's for z."""
    z = np.asarray(normal, dtype=float) / np.linalg.norm(normal)
    nearest = AXES[0] if abs(z[0]) < 0.9 else AXES[1]
    x = nearest - (nearest @ z) * z
    x /= np.linalg.norm(x)
    return x, np.cross(z, x), z


def chain_of(body: Body, joints: Sequence[Joint]) -> list[Body]:
    """Return a body behind several joints, one after the other, its own joint left out.

    All joints are at the body's placement; the bodies in between are called `BODY.JOINT`.
    """
    bodies: list[Body] = []
    parent, placement = body.parent, body.placement
    for joint in joints[:-1]:
        between = Body(f"{body.name}.{joint.name}", joint, parent, placement)
        bodies.append(between)
        parent, placement = between.name, Pose()
    return [*bodies, replace(body, joint=joints[-1], parent=parent, placement=placement)]
