"""The sub-chain that inverse kinematics may move: from a first joint to an end-effector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array, Pose
from robotix.kinematics.limits import Limits
from robotix.kinematics.point_location import moving_dofs
from robotix.model import Body, ControlPoint, Model

__all__ = ["SubChain", "make_sub_chain"]


@dataclass(frozen=True, eq=False)
class SubChain:
    """The joints that may move, counted from 1, and the point that they move."""

    first: int
    last: int
    point: ControlPoint
    moves: NDArray[np.bool_]  # (n_dof,); all other joints stay exactly where they are

    def limits(self, model: Model, *, accelerate: bool) -> Limits:
        """Return the model's limits, with velocity 0 for joints outside the sub-chain."""
        whole = Limits.of(model, accelerate=accelerate)
        rates: Array = np.where(self.moves, whole.velocity, 0.0)
        return Limits(whole.lower, whole.upper, rates, whole.acceleration)


def make_sub_chain(
    model: Model,
    *,
    first: int | None = None,
    last: int | None = None,
    point: ControlPoint | None = None,
) -> SubChain:
    """Return the sub-chain from one joint to another, or to a `point` of the model.

    The chain goes to the tip where neither is given. The end-effector of the last joint is the far
    end of its link, where the next joint sits; of
    the last joint of all it is the tip.
    """
    start = 1 if first is None else _checked(model, first)
    point = point or model.point()
    if last is not None:
        point = _far_end(model, _checked(model, last))
    dofs = moving_dofs(model, point)
    if last is None:
        last = int(dofs.max(initial=0)) + 1
    if start > last:
        raise ValueError(f"the first joint, {start}, comes after the end-effector's, {last}")
    moves = np.zeros(model.n_dof, dtype=np.bool_)
    moves[dofs[(dofs >= start - 1) & (dofs < last)]] = True
    return SubChain(start, last, point, moves)


def _checked(model: Model, number: int) -> int:
    if not 1 <= number <= model.n_dof:
        raise ValueError(f"{model.name} has joints 1 to {model.n_dof}, not {number}")
    return number


def _far_end(model: Model, number: int) -> ControlPoint:
    """Return the end of the link that a joint moves."""
    body = _body_of(model, number - 1)
    tip = model.point()
    if moving_dofs(model, tip).max(initial=-1) == number - 1:
        return tip
    on_tip_chain = {each.name for each in model.chain(tip.body)}
    pose, at = Pose(), body
    while True:
        below = [each for each in model.bodies if each.parent == at.name]
        below.sort(key=lambda each: each.name not in on_tip_chain)  # towards the tip, if possible
        if not below:
            return ControlPoint(body.name, pose)
        pose, at = pose @ below[0].placement, below[0]
        if at.joint.kind != "fixed":
            return ControlPoint(body.name, pose)


def _body_of(model: Model, dof: int) -> Body:
    for body, start in zip(model.bodies, model.dof_start, strict=True):
        if start <= dof < start + body.joint.n_dof:
            return body
    raise AssertionError(f"no body moves with coordinate {dof}")
