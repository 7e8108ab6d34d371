"""Inverse dynamics: the efforts of a given motion.

    tau = M(q) ddq + h(q, dq) + g(q) − Σ J_iᵀ f_i

with the mass matrix M (the armature of the drives on its diagonal), the Coriolis and centrifugal
efforts h, the gravity efforts g and external wrenches f_i, by the recursive Newton-Euler method
[Luh1980] (see `inverse_kernels`). Any tree is allowed, floating roots included: their six
coordinates are joints like any other, and `tau` holds the wrench that they would have to carry.
Results have one row per posture.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics import inverse_kernels
from robotix.dynamics.motion_rates import SMOOTHING_WINDOW, motion_rates
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
    """Return efforts (N m or N) in the shape of `q`: (n_dof,) or (N, n_dof).

    `dq` and `ddq` are zero when None; those of a floating root are a twist and its derivative.
    """
    t, rows = tables_of(model), as_rows(model, q, what="q")
    velocities = as_rows(model, dq, what="dq", count=len(rows))
    accelerations = as_rows(model, ddq, what="ddq", count=len(rows))
    tau = np.empty_like(rows)
    inverse_kernels.put_inertial_efforts(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
        t.gravity, t.armature, rows, velocities, accelerations, tau,
    )  # fmt: skip
    if wrenches:
        tau += resisting_efforts(model, rows, wrenches=wrenches)
    return tau.reshape(np.shape(q))


def motion_efforts(
    model: Model,
    motion: Motion,
    *,
    wrenches: Sequence[PointWrench] = (),
    window: float = SMOOTHING_WINDOW,
) -> Array:
    """Return efforts at the rows of a motion, (k, n_dof); `window` (s) as in `motion_rates`."""
    rates = motion_rates(model, motion, window=window)
    return inverse_dynamics(model, motion.q, dq=rates.dq, ddq=rates.ddq, wrenches=wrenches)


def point_accelerations(
    model: Model, q: ArrayLike, *, dq: ArrayLike, ddq: ArrayLike, points: Sequence[Point]
) -> Array:
    """Return linear accelerations of points in the base frame, (N, k, 3), m/s²."""
    t, rows, packed = tables_of(model), as_rows(model, q, what="q"), pack_points(model, points)
    velocities = as_rows(model, dq, what="dq", count=len(rows))
    accelerations = as_rows(model, ddq, what="ddq", count=len(rows))
    out = np.empty((len(rows), len(packed.link), 3))
    inverse_kernels.put_accelerations(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, packed.link,
        packed.offset, rows, velocities, accelerations, out,
    )  # fmt: skip
    return out
