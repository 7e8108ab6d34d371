"""Compiled search for a posture that meets all tasks: Levenberg-Marquardt with restarts.

The step is q ← q + Aᵀ (A Aᵀ + λ²I)⁻¹ e with λ² = c ‖e‖² + λ²_min: damping in proportion to the
squared error [Sugihara2011] needs no trial steps and converges quadratically near the solution.
Joints at a limit that would move beyond it are frozen for the step, so every posture respects the
limits. A start that stalls is abandoned for a random one.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.kernels import fast_kernel, fast_part, merged_part, stay_apart
from robotix.kinematics.kernels.arena import FloatBlock as B
from robotix.kinematics.kernels.arena import IntBlock as I
from robotix.kinematics.kernels.arena import matrix, vector
from robotix.kinematics.kernels.forward import integrate
from robotix.kinematics.kernels.hierarchy import dot
from robotix.kinematics.kernels.least_squares import (
    factorise,
    gram_within,
    solve_bounded,
    substitute,
)
from robotix.kinematics.kernels.tick import is_finite, update_rows

# Entries of `settings`: error to reach, λ² per squared error, least λ², largest step of a joint.
TOLERANCE, DAMPING_PER_ERROR, MIN_DAMPING, MAX_STEP = range(4)
# Entries of `counts`.
MAX_STALLED, ITERATIONS, RESTARTS = range(3)
FIRST_ORDER = np.int64(1)  # a literal 1 has a type of its own: all rows would compile once more
MANY_DOFS = 12  # beyond this a random start seldom beats polishing the first result
# λ² of `polish`: the first, its factors after success and failure, and its bounds.
FIRST_POLISH_DAMPING, POLISH_DECREASE, POLISH_INCREASE = 1e-2, 0.25, 8.0
MIN_POLISH_DAMPING, MAX_POLISH_DAMPING = 1e-9, 1e6
MIN_POLISH_GAIN = 1e-9  # relative decrease of the squared error below which polishing ends
POLISH_ITERATIONS = 200


@fast_part
def shuffle(seed, random_low, random_high, q):
    """Draw random positions of all joints (Knuth's 64-bit linear congruential generator)."""
    for j in range(len(q)):
        r = (seed[0] >> np.uint64(33)) / 2147483648.0  # the top bits are the random ones
        seed[0] = seed[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        if random_high[j] > random_low[j]:
            q[j] = random_low[j] + r * (random_high[j] - random_low[j])


@fast_part
def freeze(A, m, q, step, lower, upper, frozen):
    """Freeze joints that are at a limit and would move beyond it; return how many are new."""
    count = 0
    for j in range(len(q)):
        stuck = (q[j] <= lower[j] and step[j] < 0.0) or (q[j] >= upper[j] and step[j] > 0.0)
        if stuck and not frozen[j]:
            frozen[j] = 1
            count += 1
            for i in range(m):
                A[i, j] = 0.0
    return count


@fast_part
def damped_step(A, m, span, e, square, G, L, y, step):
    """Write Aᵀ (A Aᵀ + λ²I)⁻¹ e, λ² = `square`; return False if the matrix is singular."""
    gram_within(A, m, span, G)
    for i in range(m):
        for j in range(i + 1):
            L[i, j] = G[i, j]
        L[i, i] += square
        y[i] = e[i]
    if not factorise(L, m):
        return False
    substitute(L, m, y)
    for j in range(len(step)):
        step[j] = 0.0
    for i in range(m):
        row, a = A[i], y[i]
        for j in range(len(step)):
            step[j] += row[j] * a
    return True


@merged_part
def descend(floats, fm, ints, im, settings, counts, q, step):
    """Follow one start; return its squared error and the number of iterations."""
    A, e = matrix(floats, fm, B.A), vector(floats, fm, B.ERROR)
    G, L, y = matrix(floats, fm, B.GRAM), matrix(floats, fm, B.FACTOR), vector(floats, fm, B.Y)
    lower, upper = vector(floats, fm, B.LOWER), vector(floats, fm, B.UPPER)
    frozen, rest = vector(ints, im, I.BOUND_STATE), vector(floats, fm, B.DQ_BEFORE)
    link_ints, m = matrix(ints, im, I.LINK_INTS), A.shape[0]
    span = vector(ints, im, I.SPAN)
    goal = settings[TOLERANCE] * settings[TOLERANCE]
    mark, wait = math.inf, 0
    for iteration in range(counts[ITERATIONS]):
        update_rows(floats, fm, ints, im, q, rest, FIRST_ORDER)
        error = dot(e, e)
        if error <= goal or not math.isfinite(error):
            return error, iteration
        if error < 0.5 * mark:
            mark, wait = error, 0
        else:
            wait += 1
            if wait > counts[MAX_STALLED]:
                return error, iteration
        square = settings[DAMPING_PER_ERROR] * error + settings[MIN_DAMPING]
        for j in range(len(q)):
            frozen[j] = 0
        if not damped_step(A, m, span, e, square, G, L, y, step):
            return error, iteration
        while freeze(A, m, q, step, lower, upper, frozen) > 0:
            if not damped_step(A, m, span, e, square, G, L, y, step):
                return error, iteration
        longest = 0.0
        for j in range(len(q)):
            longest = max(longest, abs(step[j]))
        scale = settings[MAX_STEP] / longest if longest > settings[MAX_STEP] else 1.0
        for j in range(len(q)):
            step[j] *= scale
        integrate(link_ints, q, step, 1.0, q)
        for j in range(len(q)):
            q[j] = min(max(q[j], lower[j]), upper[j])
    update_rows(floats, fm, ints, im, q, rest, FIRST_ORDER)
    return dot(e, e), counts[ITERATIONS]


@fast_kernel
def search(floats, fm, ints, im, settings, counts, seed, random_low, random_high, best):
    """Search from `best` and then from random starts; return squared error, iterations, restarts.

    `best` ends as the posture with the smallest error that was seen.
    """
    q, step = vector(floats, fm, B.Q), vector(floats, fm, B.U)
    goal = settings[TOLERANCE] * settings[TOLERANCE]
    least, total, restart = math.inf, 0, 0
    if not is_finite(best):
        return least, total, restart
    for j in range(len(q)):
        q[j] = best[j]
    while True:
        error, iterations = descend(floats, fm, ints, im, settings, counts, q, step)
        total += iterations
        if error < least:
            least = error
            for j in range(len(q)):
                best[j] = q[j]
        if least > goal and restart == 0 and len(q) > MANY_DOFS:
            least, total = polish(floats, fm, ints, im, settings, q, step, best, least, total)
        if least <= goal:
            return least, total, restart
        if restart >= counts[RESTARTS]:
            least, total = polish(floats, fm, ints, im, settings, q, step, best, least, total)
            return least, total, restart
        restart += 1
        for j in range(len(q)):
            q[j] = best[j]
        shuffle(seed, random_low, random_high, q)


@merged_part
def bounded_step(floats, fm, ints, im, square, max_step, q, step):
    """Write argmin ‖A u − e‖² + λ²‖u‖² with q + u inside the limits, from rows made at `q`."""
    A, e = matrix(floats, fm, B.A), vector(floats, fm, B.ERROR)
    G, L, y = matrix(floats, fm, B.GRAM), matrix(floats, fm, B.FACTOR), vector(floats, fm, B.Y)
    lower, upper = vector(floats, fm, B.LOWER), vector(floats, fm, B.UPPER)
    low, high = vector(floats, fm, B.LOW), vector(floats, fm, B.HIGH)
    state = vector(ints, im, I.BOUND_STATE)
    for j in range(len(q)):
        low[j], high[j] = max(lower[j] - q[j], -max_step), min(upper[j] - q[j], max_step)
        state[j] = 0
    gram_within(A, A.shape[0], vector(ints, im, I.SPAN), G)
    solve_bounded(
        A, A.shape[0], e, low, high, G, square, state, L, y, step, vector(floats, fm, B.BEST)
    )


@fast_part
def move_within(floats, fm, ints, im, square, max_step, start, step, q):
    """Write to `q` where the bounded step with damping λ² = `square` leads from `start`."""
    stay_apart()
    rest = vector(floats, fm, B.DQ_BEFORE)
    lower, upper = vector(floats, fm, B.LOWER), vector(floats, fm, B.UPPER)
    update_rows(floats, fm, ints, im, start, rest, FIRST_ORDER)
    bounded_step(floats, fm, ints, im, square, max_step, start, step)
    integrate(matrix(ints, im, I.LINK_INTS), start, step, 1.0, q)
    for j in range(len(q)):
        q[j] = min(max(q[j], lower[j]), upper[j])


@fast_part
def polish(floats, fm, ints, im, settings, q, step, best, least, total):
    """Improve the best posture where the target is hard to reach, or out of reach.

    Levenberg-Marquardt with trial steps, each the best inside the limits: λ² falls after a step
    that lowers the squared error and rises after one that does not.
    """
    stay_apart()
    e, rest = vector(floats, fm, B.ERROR), vector(floats, fm, B.DQ_BEFORE)
    goal, square = settings[TOLERANCE] * settings[TOLERANCE], FIRST_POLISH_DAMPING
    for _ in range(POLISH_ITERATIONS):
        move_within(floats, fm, ints, im, square, settings[MAX_STEP], best, step, q)
        update_rows(floats, fm, ints, im, q, rest, FIRST_ORDER)
        error = dot(e, e)
        total += 1
        if error < least:
            gain, least = least - error, error
            for j in range(len(q)):
                best[j] = q[j]
            square = max(POLISH_DECREASE * square, MIN_POLISH_DAMPING)
            if least <= goal or gain < MIN_POLISH_GAIN * least:
                break
        else:
            square *= POLISH_INCREASE
            if square > MAX_POLISH_DAMPING:
                break
    return least, total


@fast_kernel
def try_step(floats, fm, ints, im, square, max_step, start, q):
    """Write to `q` where the bounded step with damping λ² = `square` leads from `start`.

    For tasks that Python evaluates: their rows must be those at `start`.
    """
    move_within(floats, fm, ints, im, square, max_step, start, vector(floats, fm, B.U), q)


@fast_kernel
def squared_error(floats, fm, ints, im, q):
    """Return the squared norm of all weighted task errors at `q`."""
    update_rows(floats, fm, ints, im, q, vector(floats, fm, B.DQ_BEFORE), FIRST_ORDER)
    e = vector(floats, fm, B.ERROR)
    return dot(e, e)


@fast_kernel
def search_many(floats, fm, ints, im, settings, counts, seed, random_low, random_high, start,
                targets, q_out, error_out, iterations_out):  # fmt: skip
    """Search for every target row (rotation 9, position 3) of the first task, from one start."""
    position, rotation = (
        matrix(floats, fm, B.TARGET_POSITIONS)[0],
        matrix(floats, fm, B.TARGET_ROTATIONS)[0],
    )
    for i in range(targets.shape[0]):
        for k in range(9):
            rotation[k] = targets[i, k]
        for k in range(3):
            position[k] = targets[i, 9 + k]
        for j in range(len(start)):
            q_out[i, j] = start[j]
        error, iterations, _ = search(
            floats, fm, ints, im, settings, counts, seed, random_low, random_high, q_out[i]
        )
        error_out[i], iterations_out[i] = math.sqrt(error), iterations
