"""Random postures, uniform over what the joints allow."""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kinematics.point_location import moving_dofs
from robotix.kinematics.posture import Posture
from robotix.kinematics.tasks import Point
from robotix.model import Joint, Model

__all__ = ["joint_ranges", "random_posture", "sample_postures"]

# What stands in for the range of a joint without limits.
UNLIMITED_HINGE_RANGE = 2 * math.pi  # rad
UNLIMITED_SLIDER_RANGE = 2.0  # m


def joint_ranges(model: Model) -> tuple[Array, Array]:
    """Lowest and highest finite position of every coordinate, (n_dof,) each.

    A hinge without limits has ±π, a slider ±1 m, and with one limit as much to its other side; a
    path joint ends with its path. A floating root stays put: it would reach everywhere.
    """
    ranges = [_range(joint) for joint in model.joints for _ in joint.dof_names]
    lower, upper = np.array(ranges, dtype=float).reshape(-1, 2).T
    return lower, upper


def _range(joint: Joint) -> tuple[float, float]:
    lower, upper = joint.lower, joint.upper
    if joint.kind == "floating":
        middle = min(max(0.0, lower), upper)
        return middle, middle
    if joint.path is not None:
        start, end = np.clip([0.0, joint.path.length], lower, upper)
        return float(start), float(end)
    width = UNLIMITED_SLIDER_RANGE if joint.kind == "prismatic" else UNLIMITED_HINGE_RANGE
    if math.isinf(lower) and math.isinf(upper):
        return -width / 2, width / 2
    if math.isinf(lower):
        return upper - width, upper
    return lower, upper if math.isfinite(upper) else lower + width


def random_posture(model: Model, rng: np.random.Generator) -> Posture:
    """Return a posture with every coordinate uniform over its range, see `joint_ranges`.

    Examples:
        >>> rx.random_posture(rx.load("panda"), np.random.default_rng(0)).q.shape
        (7,)
    """
    lower, upper = joint_ranges(model)
    return Posture(model, np.minimum(lower + rng.random(model.n_dof) * (upper - lower), upper))


def sample_postures(
    model: Model, count: int, *, rng: np.random.Generator, point: Point = None
) -> Array:
    """Joint positions (count, n_dof), uniform over `joint_ranges`; the same for the same generator.

    Coordinates that do not move the control point stay at the neutral posture.
    """
    if count < 1:
        raise ValueError(f"the number of samples must be at least 1, got {count}")
    lower, upper = joint_ranges(model)
    dofs = moving_dofs(model, point)
    q = np.repeat(model.neutral[None], count, axis=0)
    q[:, dofs] = lower[dofs] + rng.random((count, len(dofs))) * (upper - lower)[dofs]
    return np.minimum(q, np.maximum(upper, model.neutral))  # rounding may lead beyond the limit
