"""Forward dynamics: the accelerations that efforts cause.

    ddq = M(q)⁻¹ (tau + Σ J_iᵀ f_i − h(q, dq) − g(q))

with the terms of `inverse`. Contacts, friction and joint limits are the business of `simulation`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.inverse import inverse_dynamics
from robotix.dynamics.point_wrench import PointWrench
from robotix.dynamics.rows import as_rows
from robotix.errors import BadModel
from robotix.geometry import Array
from robotix.kinematics.batch import mass_matrix_batch
from robotix.model import Model

__all__ = ["forward_dynamics"]

ZERO_INERTIA = 1e-12  # of the mass matrix with a unit diagonal: less is singular


def forward_dynamics(
    model: Model,
    q: ArrayLike,
    *,
    dq: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    wrenches: Sequence[PointWrench] = (),
) -> Array:
    """Return accelerations (rad/s² or m/s²) in the shape of `q`: (n_dof,) or (N, n_dof).

    `dq` and `tau` (N m or N) are zero when None; those of a floating root are a twist and a wrench.
    """
    rows = as_rows(model, q, what="q")
    if not model.n_dof:
        return np.zeros(np.shape(q))
    efforts = as_rows(model, tau, what="tau", count=len(rows))
    bias = inverse_dynamics(
        model, rows, dq=as_rows(model, dq, what="dq", count=len(rows)), wrenches=wrenches
    )
    matrices = mass_matrix_batch(model, rows)
    scale = np.sqrt(np.einsum("nii->ni", matrices))
    for row, roots in enumerate(scale):
        _check_inertia(model, matrices[row], roots)
    scaled = matrices / (scale[:, :, None] * scale[:, None, :])
    found = np.linalg.solve(scaled, ((efforts - bias) / scale)[:, :, None])[:, :, 0] / scale
    return np.asarray(found).reshape(np.shape(q))


def _check_inertia(model: Model, M: Array, roots: Array) -> None:
    """Raise BadModel unless every motion moves some mass."""
    still = np.flatnonzero(roots <= np.sqrt(ZERO_INERTIA) * roots.max(initial=0.0))
    if len(still):
        name = model.dof_names[still[0]]
        problem = "moves no mass, so nothing resists its motion; give its bodies mass or armature"
        raise BadModel(f"joint {name!r}", problem)
    if np.linalg.eigvalsh(M / np.outer(roots, roots))[0] < ZERO_INERTIA:
        problem = "has joints that move together without moving any mass; give its bodies inertia"
        raise BadModel(f"model {model.name!r}", problem)
