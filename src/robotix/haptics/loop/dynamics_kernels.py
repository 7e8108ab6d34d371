"""Rigid-body dynamics of a device in a loop, compiled: Jacobian, mass matrix, bias, efforts."""

from __future__ import annotations

from robotix.dynamics.inverse_kernels import add_efforts, put_link_accelerations, put_link_wrench
from robotix.geometry import Array
from robotix.haptics.devices.resolution_kernels import put_cholesky
from robotix.haptics.loop.layout import Chain, LoopScratch
from robotix.kernels import part
from robotix.kinematics.kernels.forward import add_jacobian, column_rates, forward, put_point_pose
from robotix.kinematics.kernels.mass import add_mass_matrix, composite_inertias

__all__ = ["put_efforts", "put_inverse", "put_mass_matrix", "put_tip"]


@part
def put_tip(chain: Chain, work: LoopScratch, q: Array, J: Array) -> None:
    """Write the poses of all links, the pose of the tip (`work.point`) and its Jacobian."""
    forward(chain.link_ints, chain.link_floats, chain.pieces, q, work.world, work.columns)
    p = work.point
    put_point_pose(work.world, chain.tip_link, chain.tip_offset, p)
    J[:] = 0.0
    first, end = chain.support_start[chain.tip_link], chain.support_start[chain.tip_link + 1]
    add_jacobian(
        work.columns, chain.column_dof, chain.column_ratio, chain.support[first:end],
        p[9], p[10], p[11], 1.0, J,
    )  # fmt: skip


@part
def put_mass_matrix(chain: Chain, work: LoopScratch) -> None:
    """Write the mass matrix of the posture whose poses are in `work`."""
    work.mass[:] = 0.0
    composite_inertias(chain.link_ints, chain.link_floats, work.world, work.inertias)
    add_mass_matrix(
        work.columns, chain.column_dof, chain.column_ratio, chain.column_link,
        chain.support_start, chain.support, work.inertias, work.mass,
    )  # fmt: skip


@part
def put_efforts(
    chain: Chain, work: LoopScratch, q: Array, dq: Array, ddq: Array, tau: Array
) -> None:
    """Write the efforts of a motion, M ddq + bias; the poses of `q` must be in `work`."""
    column_rates(
        chain.link_ints, chain.link_floats, chain.column_ratio, chain.pieces, q, dq,
        work.world, work.columns, work.twists, work.rates,
    )  # fmt: skip
    put_link_accelerations(
        chain.link_ints, chain.column_ratio, dq, ddq, work.columns, work.rates, work.accelerations
    )
    for link in range(chain.link_ints.shape[0]):
        put_link_wrench(
            chain.link_floats[link], work.world[link], work.twists[link],
            work.accelerations[link], chain.gravity, work.wrenches[link],
        )  # fmt: skip
    tau[:] = 0.0
    add_efforts(
        chain.link_ints, chain.column_dof, chain.column_ratio, chain.column_link, work.columns,
        work.wrenches, tau,
    )  # fmt: skip


@part
def put_inverse(A: Array, out: Array) -> None:
    """Write the inverse of a symmetric positive definite matrix; `A` becomes its factor."""
    n = A.shape[0]
    put_cholesky(A, n)
    for c in range(n):
        for i in range(n):  # L y = e_c
            total = 1.0 if i == c else 0.0
            for k in range(c, i):
                total -= A[i, k] * out[k, c]
            out[i, c] = total / A[i, i] if i >= c else 0.0
        for i in range(n - 1, -1, -1):
            total = out[i, c]
            for k in range(i + 1, n):
                total -= A[k, i] * out[k, c]
            out[i, c] = total / A[i, i]
