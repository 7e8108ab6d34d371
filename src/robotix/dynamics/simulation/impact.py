"""The impact of a connection: velocities that constraints do not allow vanish at once.

    v⁺ = v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ J v

J are the rows of all active equalities: a plastic impact, of all velocities that they allow the one
with the least kinetic energy of the change. The impulses are internal, so momentum is kept.
"""

from __future__ import annotations

import mujoco
import numpy as np

from robotix.geometry import Array

__all__ = ["absorb_impact", "equality_rows"]

RANK_TOLERANCE = 1e-12  # of singular values, relative to the largest; a hinge has a row too many


def absorb_impact(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Change velocities by the impulses of the active equalities."""
    mujoco.mj_fwdPosition(model, data)
    J = equality_rows(model, data)
    if not len(J):
        return
    mobility = np.empty_like(J)  # M⁻¹ Jᵀ, by rows
    mujoco.mj_solveM(model, data, mobility, J)
    inverse = np.linalg.pinv(J @ mobility.T, rcond=RANK_TOLERANCE, hermitian=True)
    for _ in range(2):  # the second round removes what rounding left
        data.qvel[:] -= mobility.T @ (inverse @ (J @ data.qvel))


def equality_rows(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the Jacobian of the active equalities, (k, nv), after `mj_fwdPosition`."""
    if not data.ne:
        return np.zeros((0, model.nv))
    if mujoco.mj_isSparse(model):
        J = np.zeros((data.nefc, model.nv))
        mujoco.mju_sparse2dense(
            J, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind
        )
    else:
        J = np.array(data.efc_J).reshape(data.nefc, model.nv)
    return np.ascontiguousarray(J[: data.ne])
