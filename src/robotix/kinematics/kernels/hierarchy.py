"""Compiled priorities by null-space projection: `nested` and `strict`.

`strict` solves every level k in the null space of all levels above it,

    u ← u + (A_k N)† (v_k − A_k u),    N = I − BᵀB,

where the rows of B are an orthonormal basis of the row space of A₁ … A_k₋₁. `nested` projects onto
the null space of each level alone, u = A₁†v₁ + N₁ (A₂†v₂ + N₂ (…)). († is the damped
pseudoinverse, Aᵀ (A Aᵀ + λ²I)⁻¹.) A desired null-space velocity comes last.

B is built row by row (Gram-Schmidt, twice, with pivoting), so that projectors are exact to rounding
while the pseudoinverses are damped. Where these closed forms break a limit, a program takes their
place (`quadratic`): for `nested` of the first level alone, with N₁ (A₂†v₂ + …) as the desired
null-space velocity, so that no limit lets a lower level disturb the first. Where that fails, limits
are kept by switching: the most violated one becomes an equality above all levels, and all levels
are solved again.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.kernels import fast_part, inlined_part, stay_apart
from robotix.kinematics.kernels.least_squares import damping, factorise, gram, substitute

ZERO = np.int64(0)  # a literal 0 has a type of its own, for which Numba would compile once more
VIOLATION_TOLERANCE = 1e-10  # smaller violations are rounding
RANK_TOLERANCE = 1e-6  # relative remainder below which a row is linearly dependent


@inlined_part
def dot(a, b):
    """Return the scalar product."""
    s = 0.0
    for k in range(len(a)):
        s += a[k] * b[k]
    return s


@inlined_part
def subtract_basis(row, basis, count):
    """Project a row onto the complement of the basis (twice, for orthogonality to rounding)."""
    for _ in range(2):
        for i in range(count):
            b = basis[i]
            s = dot(row, b)
            for k in range(len(row)):
                row[k] -= s * b[k]


@inlined_part
def extend_basis(P, m, basis, count):
    """Add the row space of P (orthogonal to the basis; overwritten); return the new count."""
    n = P.shape[1]
    largest = 0.0
    for i in range(m):
        largest = max(largest, dot(P[i], P[i]))
    least = RANK_TOLERANCE * RANK_TOLERANCE * largest
    for _ in range(min(m, n - count)):
        pivot, size = -1, max(least, 1e-300)
        for i in range(m):
            s = dot(P[i], P[i])
            if s > size:
                pivot, size = i, s
        if pivot < 0:
            break
        b, source = basis[count], P[pivot]
        for k in range(n):
            b[k] = source[k]
        subtract_basis(b, basis, count)
        norm = math.sqrt(dot(b, b))
        for k in range(n):
            source[k] = 0.0
        if not norm * norm > 0.25 * size:  # it was rounding, not a direction
            continue
        for k in range(n):
            b[k] /= norm
        count += 1
        for i in range(m):
            s = dot(P[i], b)
            for k in range(n):
                P[i, k] -= s * b[k]
    return count


@fast_part
def add_damped_step(P, first, last, r, law, k, threshold, reach, G, L, y, u):
    """Add P† r to `u`, damped; P's rows are first..last-1 of the level."""
    stay_apart()
    m = last - first
    rows = P[first:last]
    gram(rows, m, G)
    square = damping(G, m, law, k, threshold, L, y) + reach
    for i in range(m):
        for j in range(i + 1):
            L[i, j] = G[i, j]
        L[i, i] += square
        y[i] = r[i]
    if not factorise(L, m):
        return
    substitute(L, m, y)
    for i in range(m):
        row, a = rows[i], y[i]
        for j in range(rows.shape[1]):
            u[j] += row[j] * a


@inlined_part
def project_rows(A, first, last, basis, count, P):
    """Copy a level's rows into P, orthogonal to the basis; dependent rows become zero."""
    for i in range(first, last):
        for j in range(A.shape[1]):
            P[i, j] = A[i, j]
        subtract_basis(P[i], basis, count)
        if dot(P[i], P[i]) < RANK_TOLERANCE * RANK_TOLERANCE * dot(A[i], A[i]):
            for j in range(A.shape[1]):
                P[i, j] = 0.0


@inlined_part
def constraint_row(index, normals, row):
    """Write a constraint's normal: joints' lower bounds, upper bounds, then inequality rows."""
    n = len(row)
    if index >= 2 * n:
        for j in range(n):
            row[j] = normals[index - 2 * n, j]
        return
    for j in range(n):
        row[j] = 0.0
    if index < n:
        row[index] = 1.0
    else:
        row[index - n] = -1.0


@inlined_part
def constraint_bound(index, low, high, bounds):
    """Return `b` of a constraint `normal · u >= b`."""
    n = len(low)
    if index < n:
        return low[index]
    return -high[index - n] if index < 2 * n else bounds[index - 2 * n]


@inlined_part
def worst_constraint(u, low, high, normals, bounds, active, first, last):
    """Return the constraint violated most that is not among active[first:last], or -1."""
    n = len(u)
    worst, by = -1, VIOLATION_TOLERANCE
    for j in range(n):
        if low[j] - u[j] > by:
            worst, by = j, low[j] - u[j]
        if u[j] - high[j] > by:
            worst, by = n + j, u[j] - high[j]
    for i in range(normals.shape[0]):
        short = bounds[i] - dot(normals[i], u)
        if short > 0.0:
            short /= max(math.sqrt(dot(normals[i], normals[i])), 1e-9)
            if short > by and not contains(active, first, last, 2 * n + i):
                worst, by = 2 * n + i, short
    return worst


@inlined_part
def contains(values, first, last, value):
    """Return whether values[first:last] contains a value."""
    for i in range(first, last):
        if values[i] == value:
            return True
    return False


@inlined_part
def hold_active(low, high, normals, bounds, active, n_active, basis, work, u):
    """Meet the active constraints exactly with the shortest `u`; return the size of their basis."""
    n = len(u)
    count = ZERO
    for j in range(n):
        u[j] = 0.0
    for i in range(n_active):
        if count == n:
            break
        row = basis[count]
        constraint_row(active[i], normals, work)
        for k in range(n):
            row[k] = work[k]
        subtract_basis(row, basis, count)
        norm = math.sqrt(dot(row, row))
        if not norm > 1e-9 * math.sqrt(dot(work, work)):
            continue  # linearly dependent on those before
        for k in range(n):
            row[k] /= norm
        step = (constraint_bound(active[i], low, high, bounds) - dot(work, u)) / norm
        for k in range(n):
            u[k] += step * row[k]
        count += 1
    return count


@fast_part
def strict_levels(A, v, levels, law, k, threshold, reach, basis, count, P, G, L, r, y, u):
    """Solve each level in the null space of all above; return the size of the basis at the end."""
    stay_apart()
    for level in range(len(levels) - 1):
        first, last = levels[level], levels[level + 1]
        if count == len(u):
            break
        project_rows(A, first, last, basis, count, P)
        for i in range(first, last):
            r[i - first] = v[i] - dot(A[i], u)
        add_damped_step(P, first, last, r, law, k, threshold, reach[level], G, L, y, u)
        count = extend_basis(P[first:last], last - first, basis, count)
    return count


@fast_part
def put_nested(A, v, levels, start, desired, law, k, threshold, reach, basis, P, G, L, r, y, t):
    """Write t ← A_k† v_k + N_k t, from the last level to level `start`, beginning with `desired`.

    N_k projects onto the null space of level k alone: a third level may disturb the second, none
    disturbs the first.
    """
    stay_apart()
    for j in range(len(t)):
        t[j] = desired[j]
    for level in range(len(levels) - 2, start - 1, -1):
        first, last = levels[level], levels[level + 1]
        project_rows(A, first, last, basis, ZERO, P)
        count = extend_basis(P[first:last], last - first, basis, ZERO)
        subtract_basis(t, basis, count)
        project_rows(A, first, last, basis, ZERO, P)
        for i in range(first, last):
            r[i - first] = v[i]
        add_damped_step(P, first, last, r, law, k, threshold, reach[level], G, L, y, t)


@inlined_part
def add_null_space_velocity(desired, low, high, basis, count, t, u):
    """Add α N desired with the largest step length α ≤ 1 that the bounds allow."""
    for j in range(len(u)):
        t[j] = desired[j]
    subtract_basis(t, basis, count)
    alpha = 1.0
    for j in range(len(u)):
        slack = high[j] - u[j] if t[j] > 0.0 else low[j] - u[j]
        if t[j] != 0.0 and low[j] <= u[j] <= high[j]:
            alpha = min(alpha, max(slack / t[j], 0.0))
    for j in range(len(u)):
        u[j] += alpha * t[j]


@fast_part
def solve_levels(
    A, v, levels, desired, law, k, threshold, reach, low, high, normals, bounds, active, basis, P,
    G, L, r, y, t, work, u,
):  # fmt: skip
    """Solve all levels under the limits; return the number of limits that were made equalities.

    The number is negative if some limit could not be met together with those before it.
    """
    stay_apart()
    n = len(u)
    n_active = ZERO
    while True:
        held = hold_active(low, high, normals, bounds, active, n_active, basis, work, u)
        count = strict_levels(A, v, levels, law, k, threshold, reach, basis, held, P, G, L, r, y, u)
        add_null_space_velocity(desired, low, high, basis, count, t, u)
        worst = worst_constraint(u, low, high, normals, bounds, active, ZERO, n_active)
        if worst < 0:
            break
        if n_active == len(active) or contains(active, ZERO, n_active, worst):
            n_active = -n_active - 1
            break
        active[n_active] = worst
        n_active += 1
    for j in range(n):
        value = u[j] if math.isfinite(u[j]) else 0.0
        u[j] = min(max(value, low[j]), high[j])
    if n_active >= 0 and worst_constraint(u, low, high, normals, bounds, active, ZERO, ZERO) >= 0:
        return -n_active - 1  # a held constraint depends on others that contradict it
    return n_active
