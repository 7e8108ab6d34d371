"""Exact derivatives of what a posture knows, along every coordinate.

Along a floating root's coordinates they are those of its motion: per unit of its twist.
"""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.kinematics.kernels import derivatives as derivative_kernels
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.point_location import locate_point
from robotix.kinematics.posture import Posture
from robotix.kinematics.tasks import Point

__all__ = ["gravity_slopes", "jacobian_slopes"]


def jacobian_slopes(posture: Posture, point: Point = None) -> Array:
    """Derivatives of a control point's Jacobian, (n_dof, 6, n_dof): entry k is that along `q[k]`.

    So `np.tensordot(dq, jacobian_slopes(posture), 1)` is `posture.jacobian_rate(dq)`.
    """
    t, at = tables_of(posture.model), locate_point(posture.model, point)
    slopes = np.empty((t.n_dof, 6, t.n_dof))
    derivative_kernels.put_jacobian_slopes(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
        at.support, at.link, at.offset, np.array(posture.q), slopes,
    )  # fmt: skip
    return slopes


def gravity_slopes(posture: Posture) -> Array:
    """Derivatives of the gravity torques, (n_dof, n_dof): row k is that along `q[k]`."""
    t = tables_of(posture.model)
    slopes = np.empty((t.n_dof, t.n_dof))
    derivative_kernels.put_gravity_slopes(
        t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
        t.support_start, t.support, t.gravity, np.array(posture.q), slopes,
    )  # fmt: skip
    return slopes
