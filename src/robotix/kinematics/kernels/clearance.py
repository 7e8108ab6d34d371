"""Compiled clearance: distances between a model's solids and obstacles, as rows for the solver."""

from __future__ import annotations

import math

from robotix.collision.distance_kernels import distance_pair, place_shapes
from robotix.kernels import fast_kernel, fast_part
from robotix.kinematics.kernels.rotation import cross

# Columns of a gap: slack (distance minus the distance to keep), solid, obstacle, nearest point on
# the solid (3), on the obstacle (3), normal from obstacle to solid (3).
SLACK, SOLID, OBSTACLE, POINT, FACING, NORMAL = 0, 1, 2, 3, 6, 9
N_GAP = 12


@fast_part
def is_far(a, b, radius_a, radius_b, reach):
    """Return whether two solids are farther apart than `reach`, by their enclosing balls."""
    if not radius_b < math.inf:
        return False
    x, y, z = a[15] - b[15], a[16] - b[16], a[17] - b[17]
    limit = radius_a + radius_b + reach
    return x * x + y * y + z * z > limit * limit


@fast_kernel
def find_gaps(world, solids, solid_link, solid_radius, placed, obstacles, obstacle_radius, keep,
              influence, pair, gaps):  # fmt: skip
    """List the gaps with a slack below `influence`, at most as many as there is room for.

    Return how many there are, and the smallest slack. A full list keeps the tightest ones.
    """
    place_shapes(solids, solid_link, world, placed)
    count, least = 0, math.inf
    for i in range(placed.shape[0]):
        for k in range(obstacles.shape[0]):
            reach = keep[k] + influence
            if is_far(placed[i], obstacles[k], solid_radius[i], obstacle_radius[k], reach):
                continue
            slack = distance_pair(placed[i], obstacles[k], pair) - keep[k]
            least = min(least, slack)
            if slack >= influence:
                continue
            slot = count
            if count == gaps.shape[0]:
                slot = 0
                for g in range(count):
                    if gaps[g, SLACK] > gaps[slot, SLACK]:
                        slot = g
                if gaps[slot, SLACK] <= slack:
                    continue
            else:
                count += 1
            gap = gaps[slot]
            gap[SLACK], gap[SOLID], gap[OBSTACLE] = slack, i, k
            for c in range(3):
                gap[POINT + c] = pair[1 + c]
                gap[FACING + c] = pair[4 + c]
                gap[NORMAL + c] = pair[7 + c]
    return count, least


@fast_kernel
def gap_row(columns, column_dof, column_ratio, support, point, normal, row):
    """Write how fast a point moves along a normal per unit of each `dq`."""
    row[:] = 0.0
    for index in range(len(support)):
        c = support[index]
        S = columns[c]
        c_lin = cross(S[3], S[4], S[5], point[0], point[1], point[2])
        rate = normal[0] * (S[0] + c_lin[0]) + normal[1] * (S[1] + c_lin[1])
        rate += normal[2] * (S[2] + c_lin[2])
        row[column_dof[c]] += column_ratio[c] * rate


@fast_kernel
def gap_rows(gaps, count, columns, column_dof, column_ratio, support_start, support, solid_link,
             velocity, dt, push, normals, bounds):  # fmt: skip
    """Turn gaps into inequalities: the slack after `dt` must not be negative.

    Where it is negative already, the solid is pushed out at the rate `push` per second.
    """
    for g in range(count):
        gap = gaps[g]
        link, obstacle = solid_link[int(gap[SOLID])], int(gap[OBSTACLE])
        gap_row(
            columns, column_dof, column_ratio,
            support[support_start[link] : support_start[link + 1]],
            gap[POINT : POINT + 3], gap[NORMAL : NORMAL + 3], normals[g],
        )  # fmt: skip
        slack = gap[SLACK]
        bounds[g] = -slack / dt if slack > 0.0 else -slack * push
        for c in range(3):
            bounds[g] += gap[NORMAL + c] * velocity[obstacle, c]
