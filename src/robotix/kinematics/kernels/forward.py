"""Compiled kinematics of the packed model: poses, columns, Jacobians, integration.

Conventions: `world` has one row per link, rotation (9, row-major) then position (3). A column S is
the spatial velocity at the world origin per unit of its coordinate, linear (3) then angular (3), so
the velocity of a point p is Σ (S_lin + S_ang × p) dq over the columns that move it. No function
here allocates memory.
"""

from __future__ import annotations

import math

from robotix.kernels import fast_kernel, fast_part
from robotix.kinematics.kernels.rotation import (
    cross,
    exp_map,
    log_map,
    multiply,
    put_rotation,
    rotate,
    rotation_of,
)
from robotix.kinematics.kernels.tables import (
    COLUMN,
    DOF,
    FLOATING,
    HEADING,
    KIND,
    LENGTH,
    N_PIECES,
    OFFSET,
    PARENT,
    PATH,
    PIECE,
    PRISMATIC,
    RATIO,
    REVOLUTE,
    TRANSLATION,
)
from robotix.model.path import GAUSS_NODES, GAUSS_WEIGHTS


@fast_part
def path_point(pieces, first, count, length, s):
    """Return x, y, tangent angle, curvature and its slope of a path at arc length `s`."""
    inside = min(max(s, 0.0), length)
    row = first
    while row + 1 < first + count and pieces[row + 1, 0] <= inside:
        row += 1
    h = inside - pieces[row, 0]
    x, y, angle = pieces[row, 1], pieces[row, 2], pieces[row, 3]
    k, slope = pieces[row, 4], pieces[row, 5]
    if k == 0.0 and slope == 0.0:
        x += h * math.cos(angle)
        y += h * math.sin(angle)
    else:
        for i in range(len(GAUSS_NODES)):
            u = h * GAUSS_NODES[i]
            bend = angle + u * (k + 0.5 * slope * u)
            x += h * GAUSS_WEIGHTS[i] * math.cos(bend)
            y += h * GAUSS_WEIGHTS[i] * math.sin(bend)
        angle += h * (k + 0.5 * slope * h)
        k += slope * h
    beyond = s - inside
    if beyond != 0.0:
        x += beyond * math.cos(angle)
        y += beyond * math.sin(angle)
        k, slope = 0.0, 0.0
    return x, y, angle, k, slope


@fast_part
def put_turned(row, R, c, s):
    """Write a rotation turned about its own z axis, given cosine and sine."""
    row[0], row[1], row[2] = c * R[0] + s * R[1], c * R[1] - s * R[0], R[2]
    row[3], row[4], row[5] = c * R[3] + s * R[4], c * R[4] - s * R[3], R[5]
    row[6], row[7], row[8] = c * R[6] + s * R[7], c * R[7] - s * R[6], R[8]


@fast_part
def put_column(column, linear, angular, row):
    """Write a column from the linear and angular velocity of a pose row's origin."""
    shift = cross(angular[0], angular[1], angular[2], row[9], row[10], row[11])
    column[0] = linear[0] - shift[0]
    column[1] = linear[1] - shift[1]
    column[2] = linear[2] - shift[2]
    column[3], column[4], column[5] = angular[0], angular[1], angular[2]


@fast_kernel
def forward(link_ints, link_floats, pieces, q, world, columns):
    """Write the pose of every link and all columns.

    The last row of `world` is the world itself (identity), which parent -1 reaches.
    """
    rest = (0.0, 0.0, 0.0)
    for link in range(link_ints.shape[0]):
        parent, kind = link_ints[link, PARENT], link_ints[link, KIND]
        dof, first = link_ints[link, DOF], link_ints[link, COLUMN]
        floats, row, above = link_floats[link], world[link], world[parent]
        outer = rotation_of(above)
        R = multiply(outer, rotation_of(floats))
        t = rotate(outer, floats[TRANSLATION], floats[TRANSLATION + 1], floats[TRANSLATION + 2])
        row[9], row[10], row[11] = above[9] + t[0], above[10] + t[1], above[11] + t[2]
        value = floats[RATIO] * q[dof] + floats[OFFSET]
        axis = (R[2], R[5], R[8])
        if kind == REVOLUTE:
            put_turned(row, R, math.cos(value), math.sin(value))
            put_column(columns[first], rest, axis, row)
        elif kind == PRISMATIC:
            put_rotation(row, R)
            row[9], row[10], row[11] = (
                row[9] + value * axis[0],
                row[10] + value * axis[1],
                row[11] + value * axis[2],
            )
            put_column(columns[first], axis, rest, row)
        elif kind == PATH:
            x, y, angle, k, _ = path_point(
                pieces, link_ints[link, PIECE], link_ints[link, N_PIECES], floats[LENGTH], value
            )
            at = rotate(R, x, y, 0.0)
            row[9], row[10], row[11] = row[9] + at[0], row[10] + at[1], row[11] + at[2]
            turned = angle + floats[HEADING]
            put_turned(row, R, math.cos(turned), math.sin(turned))
            tangent = rotate(R, math.cos(angle), math.sin(angle), 0.0)
            put_column(columns[first], tangent, (k * axis[0], k * axis[1], k * axis[2]), row)
        else:
            at = rotate(R, q[dof], q[dof + 1], q[dof + 2])
            row[9], row[10], row[11] = row[9] + at[0], row[10] + at[1], row[11] + at[2]
            put_rotation(row, multiply(R, exp_map(q[dof + 3], q[dof + 4], q[dof + 5])))
            put_column(columns[first], (R[0], R[3], R[6]), rest, row)
            put_column(columns[first + 1], (R[1], R[4], R[7]), rest, row)
            put_column(columns[first + 2], axis, rest, row)
            put_column(columns[first + 3], rest, (R[0], R[3], R[6]), row)
            put_column(columns[first + 4], rest, (R[1], R[4], R[7]), row)
            put_column(columns[first + 5], rest, axis, row)


@fast_kernel
def put_point_pose(world, link, offset, out):
    """Write the pose (12) of a frame with `offset` on a link; link -1 is the world."""
    row = world[link]
    R = rotation_of(row)
    put_rotation(out, multiply(R, rotation_of(offset)))
    t = rotate(R, offset[9], offset[10], offset[11])
    out[9], out[10], out[11] = row[9] + t[0], row[10] + t[1], row[11] + t[2]


@fast_kernel
def put_body_poses(world, body_link, body_offset, out):
    """Write the pose of every body, (n_bodies, 12)."""
    for i in range(len(body_link)):
        put_point_pose(world, body_link[i], body_offset[i], out[i])


@fast_kernel
def add_jacobian(columns, column_dof, column_ratio, support, px, py, pz, sign, J):
    """Add `sign` times the 6×n Jacobian of the point `p`, moved by the columns in `support`."""
    for index in range(len(support)):
        c = support[index]
        j, f = column_dof[c], sign * column_ratio[c]
        ax, ay, az = columns[c, 3], columns[c, 4], columns[c, 5]
        J[0, j] += f * (columns[c, 0] + ay * pz - az * py)
        J[1, j] += f * (columns[c, 1] + az * px - ax * pz)
        J[2, j] += f * (columns[c, 2] + ax * py - ay * px)
        J[3, j] += f * ax
        J[4, j] += f * ay
        J[5, j] += f * az


@fast_kernel
def column_rates(
    link_ints, link_floats, column_ratio, pieces, q, dq, world, columns, twists, rates
):
    """Spatial velocity of every link, and the time derivative of every column.

    The last row of `twists` is the world's: zero.
    """
    for link in range(link_ints.shape[0]):
        parent, kind = link_ints[link, PARENT], link_ints[link, KIND]
        dof, first = link_ints[link, DOF], link_ints[link, COLUMN]
        twist = twists[link]
        for i in range(6):
            twist[i] = twists[parent, i]
        count = 6 if kind == FLOATING else 1
        for c in range(first, first + count):  # a column fixed in the parent moves with it
            put_motion_cross(twists[parent], columns[c], rates[c])
        if kind == FLOATING:  # the origin about which the three turns act moves with the root
            v = (0.0, 0.0, 0.0)
            for i in range(3):
                S = columns[first + i]
                rate = dq[dof + i]
                v = (v[0] + S[0] * rate, v[1] + S[1] * rate, v[2] + S[2] * rate)
            for c in range(first + 3, first + 6):
                S = columns[c]
                shift = cross(S[3], S[4], S[5], v[0], v[1], v[2])
                for i in range(3):
                    rates[c, i] -= shift[i]
        elif kind == PATH:  # only the change of curvature is left: the rest cancels
            slope = path_point(
                pieces, link_ints[link, PIECE], link_ints[link, N_PIECES],
                link_floats[link, LENGTH], q[dof],
            )[4]  # fmt: skip
            row = world[link]
            grow = slope * dq[dof]
            a = (grow * row[2], grow * row[5], grow * row[8])
            shift = cross(a[0], a[1], a[2], row[9], row[10], row[11])
            for i in range(3):
                rates[first, i] -= shift[i]
                rates[first, 3 + i] += a[i]
        for c in range(first, first + count):
            rate = column_ratio[c] * dq[dof + c - first]
            for i in range(6):
                twist[i] += columns[c, i] * rate


@fast_part
def put_motion_cross(V, S, out):
    """Rate of a column `S` that is fixed in a frame moving with `V`, both at the origin."""
    a = cross(V[3], V[4], V[5], S[0], S[1], S[2])
    b = cross(V[0], V[1], V[2], S[3], S[4], S[5])
    c = cross(V[3], V[4], V[5], S[3], S[4], S[5])
    for i in range(3):
        out[i] = a[i] + b[i]
        out[3 + i] = c[i]


@fast_kernel
def add_jacobian_rate(columns, rates, column_dof, column_ratio, support, p, v, J):
    """Add the time derivative of the 6×n Jacobian of a point `p` that moves with velocity `v`."""
    for index in range(len(support)):
        c = support[index]
        j, f = column_dof[c], column_ratio[c]
        ax, ay, az = columns[c, 3], columns[c, 4], columns[c, 5]
        bx, by, bz = rates[c, 3], rates[c, 4], rates[c, 5]
        J[0, j] += f * (rates[c, 0] + by * p[2] - bz * p[1] + ay * v[2] - az * v[1])
        J[1, j] += f * (rates[c, 1] + bz * p[0] - bx * p[2] + az * v[0] - ax * v[2])
        J[2, j] += f * (rates[c, 2] + bx * p[1] - by * p[0] + ax * v[1] - ay * v[0])
        J[3, j] += f * bx
        J[4, j] += f * by
        J[5, j] += f * bz


@fast_kernel
def integrate(link_ints, q, dq, dt, q_next):
    """Move `q` by `dq * dt`; a floating root turns as a rotation, not coordinate by coordinate."""
    for i in range(len(q)):
        q_next[i] = q[i] + dq[i] * dt
    for link in range(link_ints.shape[0]):
        if link_ints[link, KIND] == FLOATING:
            d = link_ints[link, DOF] + 3
            rotation = exp_map(dq[d] * dt, dq[d + 1] * dt, dq[d + 2] * dt)
            vector = log_map(multiply(rotation, exp_map(q[d], q[d + 1], q[d + 2])))
            q_next[d], q_next[d + 1], q_next[d + 2] = vector


@fast_kernel
def difference(link_ints, q_from, q_to, out):
    """Velocity that leads from one posture to another in unit time; inverse of `integrate`."""
    for i in range(len(q_from)):
        out[i] = q_to[i] - q_from[i]
    for link in range(link_ints.shape[0]):
        if link_ints[link, KIND] == FLOATING:
            d = link_ints[link, DOF] + 3
            new = exp_map(q_to[d], q_to[d + 1], q_to[d + 2])
            old = exp_map(-q_from[d], -q_from[d + 1], -q_from[d + 2])
            out[d], out[d + 1], out[d + 2] = log_map(multiply(new, old))
