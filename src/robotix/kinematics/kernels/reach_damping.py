"""Compiled reach damping: an arm comes to rest before a target that is out of its reach.

The reference velocity v = K e of such a target cannot be followed, but its direction still changes
with the joints: d(Jᵀv)/dq contains a term of the size ‖v‖ ‖J‖, the stiffness of a spring that the
Gauss-Newton step leaves out. A step more than twice as long as this spring allows overshoots, and
the next one overshoots back: the arm oscillates between its rate limits. So every level adds

    λ² += reach · dt · Σ ‖vᵢ‖ ‖Jᵢ‖        (dt² in second order)

over its tasks, linear and angular rows apart, which vanishes with the errors. A `reach` of ½ is
what the argument gives; less suffices, since ‖J‖ is larger than the lever.
"""

from __future__ import annotations

import math

from robotix.kernels import fast_part, inlined_part
from robotix.kinematics.kernels.task_rows import (
    GAIN,
    GAIN_ANGULAR,
    MASK,
    MAX_SPEED,
    MAX_SPEED_ANGULAR,
    N_ROWS,
    POSTURE,
    ROW,
    SQRT_WEIGHT,
    SQRT_WEIGHT_ANGULAR,
    TASK_KIND,
)


@inlined_part
def stiffness(A, error, span, first, count, gain, max_speed):
    """Return ‖J‖ min(gain ‖e‖, max_speed) of some rows, which are scaled by the task's weight."""
    square, size = 0.0, 0.0
    for i in range(first, first + count):
        row = A[i]
        square += error[i] * error[i]
        for j in range(span[i]):
            size += row[j] * row[j]
    return min(gain * math.sqrt(square), max_speed) * math.sqrt(size)


@inlined_part
def put_level_damping(task_ints, task_floats, levels, factor, A, error, span, damping):
    """Write what each level adds to λ²: `factor` times its tasks' stiffness; return the sum.

    Only corrections of errors count, not the target's own velocity. Posture tasks are linear in the
    joints and do not count. The rows must not yet be scaled by the joint weights.
    """
    for level in range(len(damping)):
        damping[level] = 0.0
    level, total = 0, 0.0
    for t in range(task_ints.shape[0]):
        ints, f = task_ints[t], task_floats[t]
        if factor == 0.0 or ints[TASK_KIND] == POSTURE:
            continue
        first, count, linear = ints[ROW], 0, ints[MASK] & 7
        while level + 1 < len(damping) and first >= levels[level + 1]:
            level += 1
        for i in range(3):
            count += (linear >> i) & 1
        total_stiffness = stiffness(
            A, error, span, first, count, f[GAIN], f[SQRT_WEIGHT] * f[MAX_SPEED]
        )
        total_stiffness += stiffness(
            A, error, span, first + count, ints[N_ROWS] - count, f[GAIN_ANGULAR],
            f[SQRT_WEIGHT_ANGULAR] * f[MAX_SPEED_ANGULAR],
        )  # fmt: skip
        damping[level] += factor * total_stiffness
        total += factor * total_stiffness
    return total


@fast_part
def damp_start_velocity(reach, k, decay, dt, before, A, v, dq):
    """Write the velocity from which a second-order step starts, and refer `v` to it.

    Accelerations of least size do not reduce a velocity that no task controls. So the step starts
    from a velocity that is reduced by 1 / (1 + decay · dt), which adds −decay · dq in the null
    space of the tasks, and by reach / (reach + k²): where reach damping outweighs the other
    damping, which is at most k², the step starts from rest.
    """
    reduction = reach / (reach + k * k) if reach > 0.0 else 0.0
    reduction = 1.0 - (1.0 - reduction) / (1.0 + decay * dt)
    for j in range(len(dq)):
        dq[j] = before[j] * (1.0 - reduction)
    for i in range(len(v)):
        s = 0.0
        for j in range(len(before)):
            s += A[i, j] * before[j]
        v[i] += s * reduction / dt
