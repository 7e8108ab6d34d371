"""Compiled sums of what a joint carries as a whole, in many postures of one model."""

from __future__ import annotations

import numpy as np

from robotix.dynamics.inverse_kernels import put_link_accelerations, put_link_wrench
from robotix.geometry import Array
from robotix.kernels import kernel
from robotix.kinematics.kernels.derivatives import make_world
from robotix.kinematics.kernels.forward import column_rates, forward, put_point_pose
from robotix.kinematics.kernels.rotation import cross
from robotix.kinematics.kernels.tables import PARENT, Ints

__all__ = ["put_transmitted_wrenches"]


@kernel
def put_transmitted_wrenches(
    link_ints: Ints, link_floats: Array, pieces: Array, column_dof: Ints, column_ratio: Array,
    gravity: Array, root: int, point_link: Ints, point_offset: Array, q: Array, dq: Array,
    ddq: Array, applied: Array, centres: Array, out: Array,
) -> None:  # fmt: skip
    """Write the wrenches (N, 6) that link `root` gets from its parent, about its origin.

    They move all that hangs on the link as it moves, against gravity and against the wrenches
    (N, k, 6) that are applied at k points; those at other links do not concern it.
    """
    n_links, n_columns = link_ints.shape[0], len(column_dof)
    world, columns, p = make_world(link_ints), np.empty((n_columns, 6)), np.empty(12)
    twists, rates = np.zeros((n_links + 1, 6)), np.empty((n_columns, 6))
    accelerations, wrench = np.zeros((n_links + 1, 6)), np.empty(6)
    hangs = np.zeros(n_links + 1, dtype=np.bool_)  # the last one is the world
    for link in range(n_links):  # parents come first
        hangs[link] = link == root or hangs[link_ints[link, PARENT]]
    for row in range(q.shape[0]):
        forward(link_ints, link_floats, pieces, q[row], world, columns)
        column_rates(
            link_ints, link_floats, column_ratio, pieces, q[row], dq[row], world, columns, twists,
            rates,
        )  # fmt: skip
        put_link_accelerations(
            link_ints, column_ratio, dq[row], ddq[row], columns, rates, accelerations
        )
        out[row] = 0.0
        for link in range(n_links):
            if hangs[link]:
                put_link_wrench(
                    link_floats[link], world[link], twists[link], accelerations[link], gravity,
                    wrench,
                )  # fmt: skip
                out[row] += wrench
        for k in range(len(point_link)):
            if hangs[point_link[k]]:
                f = applied[row, k]
                put_point_pose(world, point_link[k], point_offset[k], p)
                lever = cross(p[9], p[10], p[11], f[0], f[1], f[2])
                for i in range(3):
                    out[row, i] -= f[i]
                    out[row, 3 + i] -= f[3 + i] + lever[i]
        at = world[root]
        lever = cross(at[9], at[10], at[11], out[row, 0], out[row, 1], out[row, 2])
        for i in range(3):
            centres[row, i] = at[9 + i]
            out[row, 3 + i] -= lever[i]
