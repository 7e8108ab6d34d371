"""Compiled inverse dynamics of many postures of one model, one row of `q` each.

Recursive Newton-Euler [Luh1980]. Outwards, every link's spatial acceleration is that of its parent
plus Σ (S ddq + Ṡ dq) over its columns S; then its wrench is

    f = m (a_com − g),    n = I ω̇ + ω × I ω + p_com × f;

inwards, tau = Sᵀ Σ (f, n) over all links that the column moves. As in
`robotix.kinematics.kernels.forward`, spatial vectors are taken at the world origin, so that they
need no transformation between links.
"""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel, part
from robotix.kinematics.kernels.derivatives import make_world
from robotix.kinematics.kernels.forward import column_rates, difference, forward, put_point_pose
from robotix.kinematics.kernels.rotation import cross, rotate, rotation_of, transpose
from robotix.kinematics.kernels.tables import (
    COLUMN,
    COM,
    DOF,
    FLOATING,
    INERTIA,
    KIND,
    MASS,
    PARENT,
    Ints,
)

__all__ = [
    "add_wrench_efforts",
    "put_accelerations",
    "put_inertial_efforts",
    "put_positions",
    "put_steps",
]


@part
def put_link_accelerations(
    link_ints: Ints, column_ratio: Array, dq: Array, ddq: Array, columns: Array, rates: Array,
    accelerations: Array,
) -> None:  # fmt: skip
    """Write the time derivative of every link's spatial velocity, (n_links + 1, 6).

    The last row is the world's: zero.
    """
    for link in range(link_ints.shape[0]):
        parent, dof = link_ints[link, PARENT], link_ints[link, DOF]
        first = link_ints[link, COLUMN]
        for i in range(6):
            accelerations[link, i] = accelerations[parent, i]
        for k in range(6 if link_ints[link, KIND] == FLOATING else 1):
            c = first + k
            rate, acceleration = column_ratio[c] * dq[dof + k], column_ratio[c] * ddq[dof + k]
            for i in range(6):
                accelerations[link, i] += columns[c, i] * acceleration + rates[c, i] * rate


@part
def point_acceleration(
    twist: Array, acceleration: Array, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Acceleration of the point of a link that is at (x, y, z)."""
    c = cross(twist[3], twist[4], twist[5], x, y, z)
    vx, vy, vz = twist[0] + c[0], twist[1] + c[1], twist[2] + c[2]
    a = cross(acceleration[3], acceleration[4], acceleration[5], x, y, z)
    b = cross(twist[3], twist[4], twist[5], vx, vy, vz)
    return (
        acceleration[0] + a[0] + b[0],
        acceleration[1] + a[1] + b[1],
        acceleration[2] + a[2] + b[2],
    )


@part
def put_link_wrench(
    floats: Array, row: Array, twist: Array, acceleration: Array, gravity: Array, out: Array
) -> None:
    """Write the wrench at the origin that gives one link its acceleration, against gravity."""
    R = rotation_of(row)
    at = rotate(R, floats[COM], floats[COM + 1], floats[COM + 2])
    x, y, z = row[9] + at[0], row[10] + at[1], row[11] + at[2]
    a = point_acceleration(twist, acceleration, x, y, z)
    m = floats[MASS]
    fx, fy, fz = m * (a[0] - gravity[0]), m * (a[1] - gravity[1]), m * (a[2] - gravity[2])
    back = transpose(R)
    w = rotate(back, twist[3], twist[4], twist[5])
    dw = rotate(back, acceleration[3], acceleration[4], acceleration[5])
    xx, yy, zz = floats[INERTIA], floats[INERTIA + 1], floats[INERTIA + 2]
    xy, xz, yz = floats[INERTIA + 3], floats[INERTIA + 4], floats[INERTIA + 5]
    inertia = (xx, xy, xz, xy, yy, yz, xz, yz, zz)
    L = rotate(inertia, w[0], w[1], w[2])  # angular momentum about the mass centre
    dL = rotate(inertia, dw[0], dw[1], dw[2])
    gyration = cross(w[0], w[1], w[2], L[0], L[1], L[2])
    n = rotate(R, dL[0] + gyration[0], dL[1] + gyration[1], dL[2] + gyration[2])
    lever = cross(x, y, z, fx, fy, fz)
    out[0], out[1], out[2] = fx, fy, fz
    out[3], out[4], out[5] = n[0] + lever[0], n[1] + lever[1], n[2] + lever[2]


@part
def add_efforts(
    link_ints: Ints, column_dof: Ints, column_ratio: Array, column_link: Ints, columns: Array,
    wrenches: Array, tau: Array,
) -> None:  # fmt: skip
    """Sum the wrenches of links from the tips to the base, then add every coordinate's effort."""
    for link in range(link_ints.shape[0] - 1, -1, -1):
        parent = link_ints[link, PARENT]
        if parent >= 0:
            for i in range(6):
                wrenches[parent, i] += wrenches[link, i]
    for c in range(len(column_dof)):
        link, effort = column_link[c], 0.0
        for i in range(6):
            effort += columns[c, i] * wrenches[link, i]
        tau[column_dof[c]] += column_ratio[c] * effort


@kernel
def put_inertial_efforts(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    column_link: Ints, gravity: Array, armature: Array, q: Array, dq: Array, ddq: Array, tau: Array,
) -> None:  # fmt: skip
    """Write the efforts (N, n) that give masses and drives their accelerations, against gravity."""
    n_links, n_columns = link_ints.shape[0], len(column_dof)
    world, columns = make_world(link_ints), np.empty((n_columns, 6))
    twists, rates = np.zeros((n_links + 1, 6)), np.empty((n_columns, 6))
    accelerations, wrenches = np.zeros((n_links + 1, 6)), np.empty((n_links, 6))
    for row in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[row], world, columns)
        column_rates(
            link_ints, link_floats, column_ratio, pieces, q[row], dq[row], world, columns, twists,
            rates,
        )  # fmt: skip
        put_link_accelerations(
            link_ints, column_ratio, dq[row], ddq[row], columns, rates, accelerations
        )
        for link in range(n_links):
            put_link_wrench(
                link_floats[link], world[link], twists[link], accelerations[link], gravity,
                wrenches[link],
            )  # fmt: skip
        for j in range(len(armature)):
            tau[row, j] = armature[j] * ddq[row, j]
        add_efforts(link_ints, column_dof, column_ratio, column_link, columns, wrenches, tau[row])


@kernel
def add_wrench_efforts(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    column_link: Ints, point_link: Ints, point_offset: Array, q: Array, applied: Array, tau: Array,
) -> None:  # fmt: skip
    """Add the efforts that resist wrenches (N, k, 6) at k points: minus the sum of Jᵀ f."""
    n_links = link_ints.shape[0]
    world, columns = make_world(link_ints), np.empty((len(column_dof), 6))
    wrenches, p = np.empty((n_links, 6)), np.empty(12)
    for row in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[row], world, columns)
        wrenches[:] = 0.0
        for k in range(len(point_link)):
            link, f = point_link[k], applied[row, k]
            if link < 0:
                continue  # acts on the world
            put_point_pose(world, link, point_offset[k], p)
            lever = cross(p[9], p[10], p[11], f[0], f[1], f[2])
            for i in range(3):
                wrenches[link, i] -= f[i]
                wrenches[link, 3 + i] -= f[3 + i] + lever[i]
        add_efforts(link_ints, column_dof, column_ratio, column_link, columns, wrenches, tau[row])


@kernel
def put_positions(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, point_link: Ints,
    point_offset: Array, q: Array, positions: Array,
) -> None:  # fmt: skip
    """Write the positions of points, (N, k, 3)."""
    world, columns, p = make_world(link_ints), np.empty((len(column_dof), 6)), np.empty(12)
    for row in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[row], world, columns)
        for k in range(len(point_link)):
            put_point_pose(world, point_link[k], point_offset[k], p)
            for i in range(3):
                positions[row, k, i] = p[9 + i]


@kernel
def put_accelerations(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    point_link: Ints, point_offset: Array, q: Array, dq: Array, ddq: Array, out: Array,
) -> None:  # fmt: skip
    """Write the accelerations of points, (N, k, 3)."""
    n_links, n_columns = link_ints.shape[0], len(column_dof)
    world, columns, p = make_world(link_ints), np.empty((n_columns, 6)), np.empty(12)
    twists, rates = np.zeros((n_links + 1, 6)), np.empty((n_columns, 6))
    accelerations = np.zeros((n_links + 1, 6))
    for row in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[row], world, columns)
        column_rates(
            link_ints, link_floats, column_ratio, pieces, q[row], dq[row], world, columns, twists,
            rates,
        )  # fmt: skip
        put_link_accelerations(
            link_ints, column_ratio, dq[row], ddq[row], columns, rates, accelerations
        )
        for k in range(len(point_link)):
            link = point_link[k]  # -1, the world, is the last row of twists and accelerations
            put_point_pose(world, link, point_offset[k], p)
            a = point_acceleration(twists[link], accelerations[link], p[9], p[10], p[11])
            out[row, k, 0], out[row, k, 1], out[row, k, 2] = a


@kernel
def put_steps(link_ints: Ints, q: Array, starts: Ints, steps: Array) -> None:
    """Write the steps from every row of `q` to the rows of its window, (N, width, n)."""
    for row in range(q.shape[0]):
        for k in range(steps.shape[1]):
            difference(link_ints, q[row], q[starts[row] + k], steps[row, k])
