"""The same questions as to a `Posture`, asked about many postures of one model in one call.

Postures are the rows of `q`, (N, n_dof). `threads` splits them among that many threads; the answers
do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.kinematics.dexterity import MotionComponents, part_rows, rate_scales
from robotix.kinematics.kernels import batch as batch_kernels
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.point_location import locate_point
from robotix.kinematics.tasks import Point
from robotix.model import Model

__all__ = [
    "MassCentres",
    "forward_batch",
    "jacobian_batch",
    "jacobian_singular_values",
    "mass_centre_batch",
    "mass_matrix_batch",
    "singular_values_batch",
]


def forward_batch(
    model: Model, q: ArrayLike, *, point: Point = None, threads: int = 1
) -> tuple[Array, Array]:
    """Positions (N, 3) and rotations (N, 3, 3) of a control point in the base frame."""
    t, at, rows = tables_of(model), locate_point(model, point), _check_rows(model, q)
    poses = np.empty((len(rows), 12))

    def work(part: slice) -> None:
        batch_kernels.put_poses(
            t.link_ints, t.link_floats, t.pieces, t.column_dof, at.link, at.offset, rows[part],
            poses[part],
        )  # fmt: skip

    _split(work, len(rows), threads)
    return poses[:, 9:].copy(), poses[:, :9].reshape(-1, 3, 3).copy()


def jacobian_batch(model: Model, q: ArrayLike, *, point: Point = None, threads: int = 1) -> Array:
    """Jacobians (N, 6, n_dof) of a control point: linear, then angular velocity."""
    t, at, rows = tables_of(model), locate_point(model, point), _check_rows(model, q)
    jacobians = np.empty((len(rows), 6, t.n_dof))

    def work(part: slice) -> None:
        batch_kernels.put_jacobians(
            t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, at.support,
            at.link, at.offset, rows[part], jacobians[part],
        )  # fmt: skip

    _split(work, len(rows), threads)
    return jacobians


def singular_values_batch(
    model: Model,
    q: ArrayLike,
    *,
    point: Point = None,
    part: MotionComponents = "linear",
    normalised: bool = False,
    threads: int = 1,
) -> Array:
    """Singular values (N, m) of a control point's Jacobian, largest first; see `dexterity`."""
    scales = rate_scales(model, point) if normalised else np.ones(model.n_dof)
    jacobians = jacobian_batch(model, q, point=point, threads=threads)
    return jacobian_singular_values(jacobians, part=part, scales=scales, threads=threads)


def jacobian_singular_values(
    jacobians: Array, *, part: MotionComponents = "linear", scales: Array, threads: int = 1
) -> Array:
    """Singular values (N, m) of Jacobians (N, 6, n) whose columns are multiplied with `scales`."""
    chosen = part_rows(part)
    values = np.empty((len(jacobians), len(chosen)))

    def work(part: slice) -> None:
        batch_kernels.put_singular_values(jacobians[part], chosen, scales, values[part])

    _split(work, len(jacobians), threads)
    return values


@dataclass(frozen=True, eq=False)
class MassCentres:
    """What gravity sees of many postures."""

    com: Array  # (N, 3), m
    com_jacobian: Array  # (N, 3, n_dof)
    gravity_torques: Array  # (N, n_dof), N m or N


def mass_centre_batch(model: Model, q: ArrayLike, *, threads: int = 1) -> MassCentres:
    """Centres of mass, their Jacobians, and the efforts that hold them against gravity."""
    t, rows = tables_of(model), _check_rows(model, q)
    count = len(rows)
    com, torques = np.empty((count, 3)), np.empty((count, t.n_dof))
    jacobians = np.empty((count, 3, t.n_dof))

    def work(part: slice) -> None:
        batch_kernels.put_mass_centres(
            t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
            t.fixed_mass, t.gravity, rows[part], com[part], jacobians[part], torques[part],
        )  # fmt: skip

    _split(work, count, threads)
    return MassCentres(com, jacobians, torques)


def mass_matrix_batch(model: Model, q: ArrayLike, *, threads: int = 1) -> Array:
    """Joint-space inertia matrices, (N, n_dof, n_dof); see `Posture.mass_matrix`."""
    t, rows = tables_of(model), _check_rows(model, q)
    matrices = np.empty((len(rows), t.n_dof, t.n_dof))

    def work(part: slice) -> None:
        batch_kernels.put_mass_matrices(
            t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
            t.support_start, t.support, t.armature, rows[part], matrices[part],
        )  # fmt: skip

    _split(work, len(rows), threads)
    return matrices


def _check_rows(model: Model, q: ArrayLike) -> Array:
    rows = np.array(q, dtype=float, order="C")  # a copy: kernels are compiled for writable arrays
    if rows.ndim != 2 or rows.shape[1] != model.n_dof:
        raise ValueError(
            f"{model.name} has {model.n_dof} joints, so q must have the shape (N, {model.n_dof}); "
            f"it has {rows.shape}"
        )
    if not np.isfinite(rows).all():
        worst = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise ValueError(f"q must be finite; row {worst} is {rows[worst]}")
    return rows


def _split(work: Callable[[slice], None], count: int, threads: int) -> None:
    """Do `work` on all rows, cut into as many slices as there are threads."""
    if threads < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    ends = np.linspace(0, count, min(threads, max(count, 1)) + 1).astype(int)
    slices = [slice(a, b) for a, b in pairwise(ends)]
    if len(slices) == 1:
        work(slices[0])
        return
    with ThreadPoolExecutor(len(slices)) as pool:
        for _ in pool.map(work, slices):
            pass  # an exception in a thread comes out here
