"""Compiled damping for far targets, so that an arm comes to rest before one out of its reach.

A stretched arm cannot follow the pull of such a target any more, but turning its joints still
changes the direction of that pull: it bends like a spring of stiffness ‖pull‖ · ‖lever‖, of which
the Jacobian knows nothing. A step that is longer than twice what this spring allows swings over to
the other side, and back in the next tick, for ever. So λ² must exceed half of that stiffness, per
tick; ‖J‖ stands for the lever. With the error it vanishes.
"""

from __future__ import annotations

import math

from robotix.kernels import fast_part, inlined_part
from robotix.kinematics.kernels.task_rows import (
    GAIN,
    GAIN_ANGULAR,
    MASK,
    N_ROWS,
    POSTURE,
    ROOT,
    ROOT_ANGULAR,
    ROW,
    SPEED,
    SPEED_ANGULAR,
    TASK,
)


@inlined_part
def stiffness(A, error, span, first, count, gain, most):
    """Return ‖J‖ times the pull (at most `most`) of some rows, both scaled by the task's weight."""
    square, size = 0.0, 0.0
    for i in range(first, first + count):
        row = A[i]
        square += error[i] * error[i]
        for j in range(span[i]):
            size += row[j] * row[j]
    return min(gain * math.sqrt(square), most) * math.sqrt(size)


@inlined_part
def level_calms(task_ints, task_floats, levels, share, A, error, span, calms):
    """Write what each level's λ² gains: `share` of its tasks' stiffness; return their sum.

    Pulls are those of errors: a target's own velocity is followed, not corrected. Posture tasks do
    not turn with the joints. The rows must not be scaled by the joints' weights yet.
    """
    for level in range(len(calms)):
        calms[level] = 0.0
    level, total = 0, 0.0
    for t in range(task_ints.shape[0]):
        ints, f = task_ints[t], task_floats[t]
        if share == 0.0 or ints[TASK] == POSTURE:
            continue
        first, count, linear = ints[ROW], 0, ints[MASK] & 7
        while level + 1 < len(calms) and first >= levels[level + 1]:
            level += 1
        for i in range(3):
            count += (linear >> i) & 1
        calm = stiffness(A, error, span, first, count, f[GAIN], f[ROOT] * f[SPEED])
        calm += stiffness(
            A, error, span, first + count, ints[N_ROWS] - count, f[GAIN_ANGULAR],
            f[ROOT_ANGULAR] * f[SPEED_ANGULAR],
        )  # fmt: skip
        calms[level] += share * calm
        total += share * calm
    return total


@fast_part
def start_calmly(calm, k, dt, before, A, v, dq):
    """Write the velocity that a second-order step starts from, and refer `v` to it.

    Damped accelerations leave a velocity as it is where no task feels it; so where calm outweighs
    the other damping, which is at most k², the step is counted from standing still.
    """
    lost = calm / (calm + k * k) if calm > 0.0 else 0.0
    for j in range(len(dq)):
        dq[j] = before[j] * (1.0 - lost)
    for i in range(len(v)):
        s = 0.0
        for j in range(len(before)):
            s += A[i, j] * before[j]
        v[i] += s * lost / dt
