"""Wrenches on a model at its control points, and the efforts −Σ Jᵀ f that resist them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.rows import as_rows, pack_points
from robotix.geometry import Array
from robotix.kinematics.tasks import Point
from robotix.model import Model

__all__ = ["PointWrench", "resisting_efforts", "stacked_wrenches"]


@dataclass(frozen=True, eq=False)
class PointWrench:
    """External force, then torque, on a model at a control point, in the axes of the base frame.

    (6,) acts in every posture; (N, 6) has one row per posture.
    """

    point: Point
    wrench: Array  # (6,) or (N, 6), N and N m

    def __post_init__(self) -> None:
        wrench = np.array(self.wrench, dtype=float)
        if wrench.ndim not in (1, 2) or wrench.shape[-1] != 6:
            raise ValueError(
                "a wrench is six numbers, force then torque, or rows of six; "
                f"the one at {self.point!r} has the shape {wrench.shape}"
            )
        if not np.isfinite(wrench).all():
            raise ValueError(f"the wrench at {self.point!r} must be finite, got {self.wrench!r}")
        wrench.flags.writeable = False
        object.__setattr__(self, "wrench", wrench)


def resisting_efforts(model: Model, q: ArrayLike, *, wrenches: Sequence[PointWrench]) -> Array:
    """Return the efforts that hold the model against wrenches, −Σ Jᵀ f, (N, n_dof)."""
    rows = as_rows(model, q, what="q")
    packed = pack_points(model, [each.point for each in wrenches])
    applied = stacked_wrenches(wrenches, count=len(rows))
    return packed.resisting_efforts(model, rows, wrenches=applied)


def stacked_wrenches(wrenches: Sequence[PointWrench], *, count: int) -> Array:
    """Return wrenches as one array, (count, k, 6), for `count` postures."""
    applied = np.zeros((count, len(wrenches), 6))
    for k, each in enumerate(wrenches):
        if each.wrench.ndim == 2 and len(each.wrench) != count:
            raise ValueError(
                f"the wrench at {each.point!r} has {len(each.wrench)} rows for {count} postures"
            )
        applied[:, k] = each.wrench
    return applied
