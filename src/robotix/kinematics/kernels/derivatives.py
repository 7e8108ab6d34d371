"""Compiled derivatives of Jacobians and gravity torques along every coordinate.

All of it comes from one rule: a column `S` that is fixed in a frame moving with the column `V`
changes by the motion cross product `V × S` ([Featherstone2008], section 2.9).
"""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.geometry.vector_kernels import Vector
from robotix.kernels import kernel, part
from robotix.kinematics.kernels.forward import forward, path_point, put_motion_cross, put_point_pose
from robotix.kinematics.kernels.mass import subtree_moments
from robotix.kinematics.kernels.rotation import cross
from robotix.kinematics.kernels.tables import (
    COLUMN,
    DOF,
    FLOATING,
    KIND,
    LENGTH,
    N_PIECES,
    PATH,
    PIECE,
    Ints,
)

__all__ = ["make_world", "put_gravity_slopes", "put_jacobian_slopes"]


@part
def make_world(link_ints: Ints) -> Array:
    """Room for the pose of every link, with the world itself in the last row."""
    world = np.zeros((link_ints.shape[0] + 1, 12))
    world[-1, 0] = world[-1, 4] = world[-1, 8] = 1.0
    return world


@part
def put_own_slope(
    b: int, c: int, link: int, link_ints: Ints, link_floats: Array, pieces: Array, q: Array,
    world: Array, columns: Array, out: Array,
) -> None:  # fmt: skip
    """Write how column `c` changes along column `b` of the same joint."""
    for i in range(6):
        out[i] = 0.0
    kind, first = link_ints[link, KIND], link_ints[link, COLUMN]
    if kind == FLOATING and b < first + 3:  # the origin of the turns moves with the shifts
        B, C = columns[b], columns[c]
        shift = cross(C[3], C[4], C[5], B[0], B[1], B[2])
        out[0], out[1], out[2] = -shift[0], -shift[1], -shift[2]
    elif kind == PATH:  # only the change of curvature is left: the rest cancels
        bend = path_point(
            pieces, link_ints[link, PIECE], link_ints[link, N_PIECES], link_floats[link, LENGTH],
            q[link_ints[link, DOF]],
        )[4]  # fmt: skip
        row = world[link]
        out[3], out[4], out[5] = bend * row[2], bend * row[5], bend * row[8]
        shift = cross(out[3], out[4], out[5], row[9], row[10], row[11])
        out[0], out[1], out[2] = -shift[0], -shift[1], -shift[2]


@part
def put_slope(
    b: int, c: int, link_ints: Ints, link_floats: Array, pieces: Array, column_link: Ints, q: Array,
    world: Array, columns: Array, out: Array,
) -> None:  # fmt: skip
    """Write how column `c` changes along column `b`, which moves the link of `c`."""
    link = column_link[c]
    if column_link[b] == link:
        put_own_slope(b, c, link, link_ints, link_floats, pieces, q, world, columns, out)
    else:
        put_motion_cross(columns[b], columns[c], out)


@part
def velocity_at(column: Array, weight: float, x: float, y: float, z: float) -> Vector:
    """Return `weight * linear + angular × (x, y, z)`: the velocity of a point for weight 1."""
    turn = cross(column[3], column[4], column[5], x, y, z)
    return (
        weight * column[0] + turn[0],
        weight * column[1] + turn[1],
        weight * column[2] + turn[2],
    )


@kernel
def put_jacobian_slopes(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    column_link: Ints, support: Ints, link: int, offset: Array, q: Array, out: Array,
) -> None:  # fmt: skip
    """Write the derivative of a point's Jacobian along every coordinate, (n, 6, n)."""
    world, columns = make_world(link_ints), np.empty((len(column_dof), 6))
    forward(link_ints, link_floats, pieces, q, world, columns)
    p, slope = np.empty(12), np.empty(6)
    put_point_pose(world, link, offset, p)
    out[:] = 0.0
    for b in support:
        v = velocity_at(columns[b], 1.0, p[9], p[10], p[11])
        for c in support:
            # columns nearer to the base than b stay as they are, yet the point moves
            if column_link[c] >= column_link[b]:
                put_slope(
                    b, c, link_ints, link_floats, pieces, column_link, q, world, columns, slope
                )
            else:
                slope[:] = 0.0
            linear = velocity_at(slope, 1.0, p[9], p[10], p[11])
            carried = cross(columns[c, 3], columns[c, 4], columns[c, 5], v[0], v[1], v[2])
            factor = column_ratio[b] * column_ratio[c]
            for i in range(3):
                out[column_dof[b], i, column_dof[c]] += factor * (linear[i] + carried[i])
                out[column_dof[b], 3 + i, column_dof[c]] += factor * slope[3 + i]


@kernel
def put_gravity_slopes(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    column_link: Ints, support_start: Ints, support: Ints, gravity: Array, q: Array, out: Array,
) -> None:  # fmt: skip
    """Write the derivative of the gravity torques, (n, n): row k is that along coordinate k."""
    world, columns = make_world(link_ints), np.empty((len(column_dof), 6))
    forward(link_ints, link_floats, pieces, q, world, columns)
    moments, slope = np.empty((link_ints.shape[0], 4)), np.empty(6)
    subtree_moments(link_ints, link_floats, world, moments)
    out[:] = 0.0
    for c in range(len(column_dof)):
        link = column_link[c]
        m, x, y, z = moments[link, 0], moments[link, 1], moments[link, 2], moments[link, 3]
        flow = velocity_at(columns[c], m, x, y, z)  # of what c carries: mass times velocity
        for b in support[support_start[link] : support_start[link + 1]]:
            put_slope(b, c, link_ints, link_floats, pieces, column_link, q, world, columns, slope)
            own = velocity_at(slope, m, x, y, z)
            moved = velocity_at(columns[b], m, x, y, z)
            turned = cross(
                columns[c, 3], columns[c, 4], columns[c, 5], moved[0], moved[1], moved[2]
            )
            above = cross(columns[b, 3], columns[b, 4], columns[b, 5], flow[0], flow[1], flow[2])
            factor = column_ratio[b] * column_ratio[c]
            for i in range(3):
                g = factor * gravity[i]
                out[column_dof[b], column_dof[c]] -= g * (own[i] + turned[i])
                if column_link[b] != link:  # along c, seen from a joint nearer to the base
                    out[column_dof[c], column_dof[b]] -= g * above[i]
