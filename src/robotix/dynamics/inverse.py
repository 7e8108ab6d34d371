"""Inverse dynamics: the efforts that make a model move as it moves.

    tau = M(q) ddq + h(q, dq) + g(q) - Σ J_iᵀ f_i

for any tree, floating roots included: their six coordinates are treated as joints like any other,
and `tau` says what they would have to carry. One posture gives one row of efforts, many give many.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics import inverse_kernels
from robotix.dynamics.motion_rates import WINDOW, motion_rates
from robotix.dynamics.point_wrench import PointWrench, resisting_efforts
from robotix.dynamics.rows import as_rows, pack_points
from robotix.geometry import Array
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.tasks import Point
from robotix.model import Model
from robotix.motion import Motion

__all__ = ["inverse_dynamics", "motion_efforts", "point_accelerations"]


def inverse_dynamics(
    model: Model,
    q: ArrayLike,
    *,
    dq: ArrayLike | None = None,
    ddq: ArrayLike | None = None,
    wrenches: Sequence[PointWrench] = (),
) -> Array:
    """Efforts (N m or N) in the shape of `q`: (n_dof,) or (N, n_dof). At rest unless told.

    Rates of a floating root are a twist and its derivative, as everywhere.
    """
    t, rows = tables_of(model), as_rows(model, q, what="q")
    speeds = as_rows(model, dq, what="dq", count=len(rows))
    gains = as_rows(model, ddq, what="ddq", count=len(rows))
    tau = np.empty_like(rows)
    inverse_kernels.put_inertial_efforts(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
        t.gravity, rows, speeds, gains, tau,
    )  # fmt: skip
    if wrenches:
        tau += resisting_efforts(model, rows, wrenches=wrenches)
    return tau.reshape(np.shape(q))


def motion_efforts(
    model: Model, motion: Motion, *, wrenches: Sequence[PointWrench] = (), window: float = WINDOW
) -> Array:
    """Efforts at the rows of a motion, (k, n_dof); `window` (s) as in `motion_rates`."""
    rates = motion_rates(model, motion, window=window)
    return inverse_dynamics(model, motion.q, dq=rates.dq, ddq=rates.ddq, wrenches=wrenches)


def point_accelerations(
    model: Model, q: ArrayLike, *, dq: ArrayLike, ddq: ArrayLike, points: Sequence[Point]
) -> Array:
    """Linear accelerations of points in the base frame, (N, k, 3)."""
    t, rows, packed = tables_of(model), as_rows(model, q, what="q"), pack_points(model, points)
    speeds = as_rows(model, dq, what="dq", count=len(rows))
    gains = as_rows(model, ddq, what="ddq", count=len(rows))
    out = np.empty((len(rows), len(packed.link), 3))
    inverse_kernels.put_accelerations(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, packed.link,
        packed.offset, rows, speeds, gains, out,
    )  # fmt: skip
    return out
