"""Dragging by hand: cyclic coordinate descent of the joints up the chain.

Joint by joint, from the grabbed link towards the base, every joint moves to where the grabbed point
is nearest to the hand; a hinge with the axis a turns by atan2(a · (r × h), r · h), where r and h
lead from the axis to the point and to the hand. No Jacobian is inverted: it cannot become singular,
and does not resolve redundancy.
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

MAX_HALVINGS = 12


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
    if sweeps < 0 or (dt is not None and not dt > 0):
        raise ValueError(f"dt must be positive and sweeps not negative, got {dt} and {sweeps}")
    model, start = posture.model, posture.q
    grabbed = point if isinstance(point, ControlPoint) else model.point(point)
    bodies = model.chain(grabbed.body)
    chain = [body for body in reversed(bodies) if body.joint.n_dof == 1]
    _check_joints(joints, chain)
    coupled = {body.joint.mimic.source for body in bodies if body.joint.mimic}
    rate = np.full(model.n_dof, np.inf) if dt is None else model.velocity * dt
    low, high = np.maximum(model.lower, start - rate), np.minimum(model.upper, start + rate)
    for _ in range(sweeps):
        for body in chain:
            name = body.joint.name
            if joints is not None and name not in joints:
                continue
            dof = model.dof_index(name)
            at = posture.q[dof]
            limits = min(low[dof], at), max(high[dof], at)
            if body.joint.kind == "revolute" and name not in coupled:
                angle = at + _best_angle(posture, body, grabbed, goal)
                posture = _with(posture, dof, float(np.clip(angle, *limits)))
            else:
                slide = at + _best_slide(posture, dof, grabbed, goal)
                posture = _neared(posture, dof, float(np.clip(slide, *limits)), grabbed, goal)
    return posture


def _check_joints(joints: Collection[str] | None, chain: list[Body]) -> None:
    known = [body.joint.name for body in chain]
    for name in joints or ():
        if name not in known:
            raise UnknownName("joint up the chain", name, known)


def _with(posture: Posture, dof: int, value: float) -> Posture:
    q = np.array(posture.q)
    q[dof] = value
    return Posture(posture.model, q)


def _neared(
    posture: Posture, dof: int, value: float, grabbed: ControlPoint, goal: Array
) -> Posture:
    """Move one joint to a value, halving the step while that brings the point nearer."""
    best, gap = posture, float(np.linalg.norm(posture.position(grabbed) - goal))
    for _ in range(MAX_HALVINGS):
        after = _with(posture, dof, value)
        left = float(np.linalg.norm(after.position(grabbed) - goal))
        if left > gap and best is not posture:
            break
        if left <= gap:
            best, gap = after, left
        value = (value + posture.q[dof]) / 2
    return best


def _best_slide(posture: Posture, dof: int, grabbed: ControlPoint, goal: Array) -> float:
    """Return the joint motion that brings the point nearest to the hand along its tangent."""
    along = posture.jacobian(grabbed)[:3, dof]
    square = float(along @ along)
    return float(along @ (goal - posture.position(grabbed))) / square if square > 1e-12 else 0.0


def _best_angle(posture: Posture, body: Body, grabbed: ControlPoint, goal: Array) -> float:
    """Return the rotation of a hinge after which the point is nearest to the hand."""
    pose, at = posture.pose(ControlPoint(body.name)), posture.position(grabbed)
    axis = pose.rotation @ body.joint.axis
    arm, want = at - pose.translation, goal - pose.translation
    arm, want = arm - (arm @ axis) * axis, want - (want @ axis) * axis
    if min(arm @ arm, want @ want) < 1e-12:
        return 0.0  # the point or the hand is on the axis
    return math.atan2(float(axis @ np.cross(arm, want)), float(arm @ want))
