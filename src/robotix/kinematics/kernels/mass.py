"""Compiled mass properties: centre of mass, gravity, joint-space inertia.

All at the world origin: subtrees are summed from the tips down, then met with the columns.
"""

from __future__ import annotations

from robotix.kernels import fast_kernel, fast_part
from robotix.kinematics.kernels.rotation import multiply, rotate, rotation_of, transpose
from robotix.kinematics.kernels.tables import COM, INERTIA, MASS, PARENT


@fast_kernel
def subtree_moments(link_ints, link_floats, world, moments):
    """Mass and mass times position of every link with all that hangs on it, (n_links, 4)."""
    n = link_ints.shape[0]
    for link in range(n):
        floats, row = link_floats[link], world[link]
        m, x, y, z = floats[MASS], floats[COM], floats[COM + 1], floats[COM + 2]
        moments[link, 0] = m
        for i in range(3):
            at = row[9 + i] + row[3 * i] * x + row[3 * i + 1] * y + row[3 * i + 2] * z
            moments[link, 1 + i] = m * at
    for link in range(n - 1, -1, -1):
        parent = link_ints[link, PARENT]
        if parent >= 0:
            for i in range(4):
                moments[parent, i] += moments[link, i]


@fast_kernel
def centre_of_mass(link_ints, fixed_mass, moments, com):
    """Write the centre of mass; return the total mass."""
    mass = fixed_mass[0]
    com[0], com[1], com[2] = fixed_mass[1], fixed_mass[2], fixed_mass[3]
    for link in range(link_ints.shape[0]):
        if link_ints[link, PARENT] < 0:
            mass += moments[link, 0]
            for i in range(3):
                com[i] += moments[link, 1 + i]
    if mass > 0.0:
        for i in range(3):
            com[i] /= mass
    return mass


@fast_kernel
def add_com_jacobian(columns, column_dof, column_ratio, column_link, moments, mass, scale, J):
    """Add `scale` times the 3×n Jacobian of the centre of mass."""
    if mass <= 0.0:
        return
    for c in range(len(column_dof)):
        row = moments[column_link[c]]
        j, f = column_dof[c], scale * column_ratio[c] / mass
        ax, ay, az = columns[c, 3], columns[c, 4], columns[c, 5]
        J[0, j] += f * (row[0] * columns[c, 0] + ay * row[3] - az * row[2])
        J[1, j] += f * (row[0] * columns[c, 1] + az * row[1] - ax * row[3])
        J[2, j] += f * (row[0] * columns[c, 2] + ax * row[2] - ay * row[1])


@fast_kernel
def add_gravity_torques(columns, column_dof, column_ratio, column_link, moments, gravity, tau):
    """Add the efforts that hold all masses against gravity."""
    gx, gy, gz = gravity[0], gravity[1], gravity[2]
    for c in range(len(column_dof)):
        row = moments[column_link[c]]
        ax, ay, az = columns[c, 3], columns[c, 4], columns[c, 5]
        power = gx * (row[0] * columns[c, 0] + ay * row[3] - az * row[2])
        power += gy * (row[0] * columns[c, 1] + az * row[1] - ax * row[3])
        power += gz * (row[0] * columns[c, 2] + ax * row[2] - ay * row[1])
        tau[column_dof[c]] -= column_ratio[c] * power


@fast_kernel
def composite_inertias(link_ints, link_floats, world, inertias):
    """Mass, mass times position, inertia about the origin (xx yy zz xy xz yz) of subtrees."""
    n = link_ints.shape[0]
    for link in range(n):
        f, row, out = link_floats[link], world[link], inertias[link]
        R = rotation_of(row)
        xx, yy, zz = f[INERTIA], f[INERTIA + 1], f[INERTIA + 2]
        xy, xz, yz = f[INERTIA + 3], f[INERTIA + 4], f[INERTIA + 5]
        T = multiply(multiply(R, (xx, xy, xz, xy, yy, yz, xz, yz, zz)), transpose(R))
        at = rotate(R, f[COM], f[COM + 1], f[COM + 2])
        m, x, y, z = f[MASS], row[9] + at[0], row[10] + at[1], row[11] + at[2]
        out[0], out[1], out[2], out[3] = m, m * x, m * y, m * z
        out[4] = T[0] + m * (y * y + z * z)
        out[5] = T[4] + m * (x * x + z * z)
        out[6] = T[8] + m * (x * x + y * y)
        out[7], out[8], out[9] = T[1] - m * x * y, T[2] - m * x * z, T[5] - m * y * z
    for link in range(n - 1, -1, -1):
        parent = link_ints[link, PARENT]
        if parent >= 0:
            for i in range(10):
                inertias[parent, i] += inertias[link, i]


@fast_part
def spatial_momentum(inertia, S):
    """Momentum (linear, then angular about the origin) of an inertia that moves with `S`."""
    m, hx, hy, hz = inertia[0], inertia[1], inertia[2], inertia[3]
    vx, vy, vz, wx, wy, wz = S[0], S[1], S[2], S[3], S[4], S[5]
    return (
        m * vx + wy * hz - wz * hy,
        m * vy + wz * hx - wx * hz,
        m * vz + wx * hy - wy * hx,
        inertia[4] * wx + inertia[7] * wy + inertia[8] * wz + hy * vz - hz * vy,
        inertia[7] * wx + inertia[5] * wy + inertia[9] * wz + hz * vx - hx * vz,
        inertia[8] * wx + inertia[9] * wy + inertia[6] * wz + hx * vy - hy * vx,
    )


@fast_kernel
def add_mass_matrix(columns, column_dof, column_ratio, column_link, support_start, support,
                    inertias, M):  # fmt: skip
    """Add the joint-space mass matrix (composite rigid bodies, all at the world origin)."""
    for c in range(len(column_dof)):
        link = column_link[c]
        F = spatial_momentum(inertias[link], columns[c])
        for index in range(support_start[link], support_start[link + 1]):
            b = support[index]
            if b > c:
                break  # later columns of the same floating link: filled in from their own turn
            value = 0.0
            for i in range(6):
                value += columns[b, i] * F[i]
            value *= column_ratio[b] * column_ratio[c]
            i, j = column_dof[b], column_dof[c]
            M[i, j] += value
            if b != c:
                M[j, i] += value
