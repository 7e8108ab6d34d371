"""Resolution of redundancy, compiled: J† v + α (I − J†J) ∇w for a serial chain of turning joints.

w = √det(J_v J_vᵀ) + √det(J_ω J_ωᵀ). With A = (J Jᵀ)⁻¹ J its gradient is

    ∂w/∂q_i = w Σ_j A_j · ∂J_j/∂q_i,
    ∂J_v,j/∂q_i = z_min(i,j) × J_v,max(i,j),    ∂J_ω,j/∂q_i = z_i × z_j for i < j, else 0.

The partitioned resolution of ViSHARD10 uses columns of the same Jacobian. The tip lies on axis 5:
columns 1 to 4 in the plane are those of the SCARA alone, and columns 5, 8, 9, 10 in rotation those
of the wrist alone.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel, part
from robotix.kinematics.kernels.tables import Ints

__all__ = ["put_full_rates", "put_stage_rates", "time_resolutions"]

DAMPING = 1e-6  # of the trace of J Jᵀ: keeps singular directions finite
SCARA = (0, 1, 2, 3)
WRIST = (4, 7, 8, 9)
LIFT_LINK = 0.212  # m


@part
def put_cholesky(S: Array, m: int) -> None:
    """Replace the lower half of a symmetric positive definite matrix by its Cholesky factor."""
    for i in range(m):
        for j in range(i + 1):
            total = S[i, j]
            for k in range(j):
                total -= S[i, k] * S[j, k]
            S[i, j] = math.sqrt(max(total, 1e-300)) if i == j else total / S[j, j]


@part
def solve_cholesky(L: Array, m: int, X: Array, column: int) -> None:
    """Replace a column of `X` by the solution of L Lᵀ x = column."""
    for i in range(m):
        total = X[i, column]
        for k in range(i):
            total -= L[i, k] * X[k, column]
        X[i, column] = total / L[i, i]
    for i in range(m - 1, -1, -1):
        total = X[i, column]
        for k in range(i + 1, m):
            total -= L[k, i] * X[k, column]
        X[i, column] = total / L[i, i]


@part
def put_gram(J: Array, first: int, m: int, columns: Ints, damping: float, S: Array) -> None:
    """Write J Jᵀ of some rows and columns, with a little of its trace added to the diagonal."""
    trace = 0.0
    for i in range(m):
        for j in range(i + 1):
            total = 0.0
            for c in columns:
                total += J[first + i, c] * J[first + j, c]
            S[i, j] = total
        trace += S[i, i]
    for i in range(m):
        S[i, i] += damping * trace


@part
def add_volume_gradient(
    J: Array, first: int, m: int, columns: Ints, weight: float, S: Array, A: Array, out: Array
) -> None:
    """Add `weight` times the gradient of √det(J Jᵀ) for rows `first` … `first + m`.

    Rows 0 to 2 are linear, 3 to 5 angular; `A` (6, n + 1) and `S` (6, 6) are work space.
    """
    put_gram(J, first, m, columns, 1e-12, S)
    put_cholesky(S, m)
    volume = 1.0
    for i in range(m):
        volume *= S[i, i]
    for c in columns:
        for i in range(m):
            A[i, c] = J[first + i, c]
        solve_cholesky(S, m, A, c)
    for i in columns:
        slope = 0.0
        for j in columns:
            early, late = (i, j) if i <= j else (j, i)
            if first >= 3 and i >= j:
                continue
            zx, zy, zz = J[3, early], J[4, early], J[5, early]
            base = 0 if first < 3 else 3
            vx, vy, vz = J[base, late], J[base + 1, late], J[base + 2, late]
            slope += A[0, j] * (zy * vz - zz * vy)
            if m > 1:
                slope += A[1, j] * (zz * vx - zx * vz)
            if m > 2:
                slope += A[2, j] * (zx * vy - zy * vx)
        out[i] += weight * volume * slope


@part
def project(
    J: Array, first: int, m: int, columns: Ints, twist: Array, step: float, gradient: Array,
    S: Array, X: Array, dq: Array,
) -> None:  # fmt: skip
    """Write J†(v − J g) + g with g = `step` times the gradient, for some rows and columns."""
    put_gram(J, first, m, columns, DAMPING, S)
    put_cholesky(S, m)
    last = X.shape[1] - 1
    for i in range(m):
        total = twist[first + i]
        for c in columns:
            total -= J[first + i, c] * step * gradient[c]
        X[i, last] = total
    solve_cholesky(S, m, X, last)
    for c in columns:
        total = step * gradient[c]
        for i in range(m):
            total += J[first + i, c] * X[i, last]
        dq[c] = total


@part
def put_full_rates(
    J: Array, twist: Array, step: float, gradient: Array, S: Array, X: Array, dq: Array
) -> None:
    """Write the rates of all joints for a twist of the tip."""
    columns = np.arange(J.shape[1])
    gradient[:] = 0.0
    if step != 0.0:
        add_volume_gradient(J, 0, 3, columns, 1.0, S, X, gradient)
        add_volume_gradient(J, 3, 3, columns, 1.0, S, X, gradient)
    project(J, 0, 6, columns, twist, step, gradient, S, X, dq)


@part
def put_stage_rates(
    J: Array, q: Array, twist: Array, step: float, gradient: Array, S: Array, X: Array, dq: Array
) -> None:
    """Write the rates of ViSHARD10 in its three stages."""
    scara, wrist = np.array(SCARA), np.array(WRIST)
    gradient[:] = 0.0
    if step != 0.0:
        add_volume_gradient(J, 0, 2, scara, 1.0, S, X, gradient)
        add_volume_gradient(J, 3, 3, wrist, 1.0, S, X, gradient)
    project(J, 0, 2, scara, twist, step, gradient, S, X, dq)
    project(J, 3, 3, wrist, twist, step, gradient, S, X, dq)
    slope = -2.0 * LIFT_LINK * math.sin(q[5])
    rate = twist[2] / slope if abs(slope) > 1e-6 else 0.0
    dq[5], dq[6] = rate, -2.0 * rate
    dq[4] -= dq[0] + dq[1] + dq[2] + dq[3]
    dq[7] += rate


@kernel
def time_resolutions(
    J: Array, q: Array, twist: Array, step: float, is_partitioned: bool, count: int, dq: Array
) -> None:
    """Resolve the same twist `count` times, so that the time of one can be measured."""
    n = J.shape[1]
    gradient, S, X = np.zeros(n), np.zeros((6, 6)), np.zeros((6, n + 1))
    for _ in range(count):
        if is_partitioned:
            put_stage_rates(J, q, twist, step, gradient, S, X, dq)
        else:
            put_full_rates(J, twist, step, gradient, S, X, dq)
