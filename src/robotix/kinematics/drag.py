"""Dragging by hand: every joint up the chain turns or slides about its own axis after the hand.

The seed's "simpler approach": joint by joint, from the grabbed link towards the base, with no
Jacobian and no inversion (cyclic coordinate descent). It cannot become singular, and does not
resolve redundancy.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import UnknownName
from robotix.geometry import Array
from robotix.kinematics.posture import Posture
from robotix.kinematics.tasks import Point
from robotix.model import Body, ControlPoint

__all__ = ["drag"]


def drag(
    posture: Posture,
    hand: ArrayLike,
    *,
    point: Point = None,
    joints: Collection[str] | None = None,
    dt: float | None = None,
    sweeps: int = 1,
) -> Posture:
    """Return the posture after the grabbed point has followed the hand.

    `joints` limits which joints may move (all up the chain when None). With `dt`, no joint moves
    faster than its rate limit. A sweep lets every joint move once; a few bring the point to the
    hand.
    """
    goal = np.asarray(hand, dtype=float)
    if goal.shape != (3,) or not np.isfinite(goal).all():
        raise ValueError(f"the hand must be three finite numbers, got {hand!r}")
    model, start = posture.model, posture.q
    grabbed = point if isinstance(point, ControlPoint) else model.point(point)
    chain = [body for body in reversed(model.chain(grabbed.body)) if body.joint.n_dof == 1]
    _check_joints(joints, chain)
    rate = np.full(model.n_dof, np.inf) if dt is None else model.velocity * dt
    low, high = np.maximum(model.lower, start - rate), np.minimum(model.upper, start + rate)
    for _ in range(sweeps):
        for body in chain:
            if joints is not None and body.joint.name not in joints:
                continue
            dof = model.dof_index(body.joint.name)
            step = _best_step(posture, body, grabbed, goal)
            q = np.array(posture.q)
            q[dof] = float(np.clip(q[dof] + step, min(low[dof], q[dof]), max(high[dof], q[dof])))
            posture = Posture(model, q)
    return posture


def _check_joints(joints: Collection[str] | None, chain: list[Body]) -> None:
    known = [body.joint.name for body in chain]
    for name in joints or ():
        if name not in known:
            raise UnknownName("joint up the chain", name, known)


def _best_step(posture: Posture, body: Body, grabbed: ControlPoint, goal: Array) -> float:
    """Return how far one joint must go so that the point comes nearest to the hand."""
    at = posture.position(grabbed)
    if body.joint.kind != "revolute":  # along the joint's own motion, projected
        dof = posture.model.dof_index(body.joint.name)
        along = posture.jacobian(grabbed)[:3, dof]
        square = float(along @ along)
        return float(along @ (goal - at)) / square if square > 1e-12 else 0.0
    pose = posture.pose(body.name)
    axis = pose.rotation @ body.joint.axis
    arm, want = at - pose.translation, goal - pose.translation
    arm, want = arm - (arm @ axis) * axis, want - (want @ axis) * axis
    if min(arm @ arm, want @ want) < 1e-12:
        return 0.0  # the point or the hand is on the axis: no turn helps
    return math.atan2(float(axis @ np.cross(arm, want)), float(arm @ want))
