"""Compiled loops over many postures of one model, one row of `q` each.

Every loop works on its own slice of the results and nothing else, so slices can run in threads.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel, part
from robotix.kinematics.kernels.derivatives import make_world
from robotix.kinematics.kernels.forward import add_jacobian, forward, put_point_pose
from robotix.kinematics.kernels.mass import (
    add_com_jacobian,
    add_gravity_torques,
    add_mass_matrix,
    centre_of_mass,
    composite_inertias,
    subtree_moments,
)
from robotix.kinematics.kernels.tables import Ints

__all__ = [
    "put_jacobians",
    "put_mass_centres",
    "put_mass_matrices",
    "put_poses",
    "put_singular_values",
]

MAX_SWEEPS = 30  # rotations converge quadratically: usually five sweeps suffice
ORTHOGONALITY_TOLERANCE = 1e-15  # cosine of the angle at which two rows count as orthogonal


@kernel
def put_poses(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, link: int, offset: Array,
    q: Array, poses: Array,
) -> None:  # fmt: skip
    """Write the pose of a control point, (N, 12): rotation row-major, then position."""
    world, columns = make_world(link_ints), np.empty((len(column_dof), 6))
    for i in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[i], world, columns)
        put_point_pose(world, link, offset, poses[i])


@kernel
def put_jacobians(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    support: Ints, link: int, offset: Array, q: Array, jacobians: Array,
) -> None:  # fmt: skip
    """Write the Jacobian of a control point, (N, 6, n)."""
    world, columns, p = make_world(link_ints), np.empty((len(column_dof), 6)), np.empty(12)
    for i in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[i], world, columns)
        put_point_pose(world, link, offset, p)
        J = jacobians[i]
        J[:] = 0.0
        add_jacobian(columns, column_dof, column_ratio, support, p[9], p[10], p[11], 1.0, J)


@part
def orthogonalise_rows(A: Array) -> None:
    """Rotate the rows of A among each other until they are orthogonal [Hestenes1958].

    Their lengths are then the singular values of A, the small ones as exact as the large.
    """
    m, n = A.shape
    for _ in range(MAX_SWEEPS):
        is_done = True
        for i in range(m - 1):
            for j in range(i + 1, m):
                a, b, c = 0.0, 0.0, 0.0
                for k in range(n):
                    a += A[i, k] * A[i, k]
                    b += A[j, k] * A[j, k]
                    c += A[i, k] * A[j, k]
                if abs(c) <= ORTHOGONALITY_TOLERANCE * math.sqrt(a * b):
                    continue
                is_done = False
                half = (b - a) / (2.0 * c)
                tangent = math.copysign(1.0, half) / (abs(half) + math.sqrt(1.0 + half * half))
                cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
                sine = cosine * tangent
                for k in range(n):
                    x, y = A[i, k], A[j, k]
                    A[i, k] = cosine * x - sine * y
                    A[j, k] = sine * x + cosine * y
        if is_done:
            return


@kernel
def put_singular_values(jacobians: Array, rows: Ints, scales: Array, values: Array) -> None:
    """Write the singular values (N, m) of m rows of Jacobians with scaled columns, falling."""
    m, n = values.shape[1], jacobians.shape[2]
    A = np.empty((m, n))
    for i in range(jacobians.shape[0]):
        for r in range(m):
            for j in range(n):
                A[r, j] = jacobians[i, rows[r], j] * scales[j]
        orthogonalise_rows(A)
        for r in range(m):
            square = 0.0
            for j in range(n):
                square += A[r, j] * A[r, j]
            values[i, r] = -math.sqrt(square)
        values[i].sort()
        for r in range(m):
            values[i, r] = -values[i, r]


@kernel
def put_mass_centres(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    column_link: Ints, fixed_mass: Array, gravity: Array, q: Array, centres: Array,
    jacobians: Array, torques: Array,
) -> None:  # fmt: skip
    """Write centres of mass (N, 3), their Jacobians (N, 3, n) and the gravity torques (N, n)."""
    world, columns = make_world(link_ints), np.empty((len(column_dof), 6))
    moments = np.empty((link_ints.shape[0], 4))
    for i in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[i], world, columns)
        subtree_moments(link_ints, link_floats, world, moments)
        mass = centre_of_mass(link_ints, fixed_mass, moments, centres[i])
        J, tau = jacobians[i], torques[i]
        J[:] = 0.0
        tau[:] = 0.0
        add_com_jacobian(columns, column_dof, column_ratio, column_link, moments, mass, 1.0, J)
        add_gravity_torques(columns, column_dof, column_ratio, column_link, moments, gravity, tau)


@kernel
def put_mass_matrices(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    column_link: Ints, support_start: Ints, support: Ints, armature: Array, q: Array,
    matrices: Array,
) -> None:  # fmt: skip
    """Write the joint-space mass matrices, (N, n, n)."""
    world, columns = make_world(link_ints), np.empty((len(column_dof), 6))
    inertias = np.empty((link_ints.shape[0], 10))
    for i in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[i], world, columns)
        composite_inertias(link_ints, link_floats, world, inertias)
        M = matrices[i]
        M[:] = 0.0
        for j in range(len(armature)):
            M[j, j] = armature[j]
        add_mass_matrix(
            columns, column_dof, column_ratio, column_link, support_start, support, inertias, M
        )
