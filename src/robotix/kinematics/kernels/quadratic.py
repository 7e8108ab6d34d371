"""Compiled quadratic programs: priorities with inequalities, level by level.

Level k solves

    min ‖A_k u − v_k‖² + λ²‖u‖²  subject to  B u = B u*,  low ≤ u ≤ high,  N u ≥ b,

where u* is the solution of the levels above and the rows of B span their row space: a lexicographic
problem [Kanoun2011]. One program is solved by the dual active-set method [Goldfarb1983],
which starts from the unconstrained minimum and adds violated constraints one at a time: it needs no
feasible start.
"""

from __future__ import annotations

import math

from robotix.kernels import inlined_part, merged_part
from robotix.kinematics.kernels.hierarchy import (
    ZERO,
    constraint_bound,
    constraint_row,
    dot,
    extend_basis,
    project_rows,
    worst_constraint,
)
from robotix.kinematics.kernels.least_squares import damping, factorise, gram

FOUND, INFEASIBLE, EXHAUSTED = 0, 1, 2


@inlined_part
def inverse_factor(A, first, last, square, H, J):
    """Write J = L⁻ᵀ of H = AᵀA + λ²I = L Lᵀ; False when H cannot be factorised."""
    n = A.shape[1]
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for row in range(first, last):
                s += A[row, i] * A[row, j]
            H[i, j] = s
        H[i, i] += square
    if not factorise(H, n):
        return False
    for j in range(n):  # column j of L⁻¹ becomes row j of L⁻ᵀ
        for i in range(n):
            J[j, i] = 0.0
        J[j, j] = H[j, j]
        for i in range(j + 1, n):
            s = 0.0
            for k in range(j, i):
                s -= H[i, k] * J[j, k]
            J[j, i] = s * H[i, i]
    return True


@inlined_part
def free_minimum(A, first, last, v, J, d, u):
    """Write the minimum without constraints: u = J Jᵀ Aᵀ v."""
    n = len(u)
    for j in range(n):
        u[j] = 0.0
        d[j] = 0.0
    for row in range(first, last):
        for j in range(n):
            u[j] += A[row, j] * v[row]
    for j in range(n):  # J is upper triangular here
        for k in range(j, n):
            d[k] += J[j, k] * u[j]
    for j in range(n):
        s = 0.0
        for k in range(j, n):
            s += J[j, k] * d[k]
        u[j] = s


@inlined_part
def add_column(J, R, d, count):
    """Rotate J so that d vanishes beyond `count`, and append d to R; False when dependent."""
    n = len(d)
    for j in range(n - 1, count, -1):
        c, s = d[j - 1], d[j]
        h = math.hypot(c, s)
        if h == 0.0:
            continue
        c, s = c / h, s / h
        d[j - 1], d[j] = h, 0.0
        for k in range(n):
            a, b = J[k, j - 1], J[k, j]
            J[k, j - 1] = c * a + s * b
            J[k, j] = c * b - s * a
    for i in range(count + 1):
        R[i, count] = d[i]
    return abs(d[count]) > 1e-13


@inlined_part
def drop_column(J, R, active, multipliers, count, at):
    """Remove constraint number `at` from the active set of `count`."""
    n = J.shape[0]
    for i in range(at, count - 1):
        active[i] = active[i + 1]
        multipliers[i] = multipliers[i + 1]
        for j in range(n):
            R[j, i] = R[j, i + 1]
    multipliers[count - 1] = multipliers[count]  # the one being added
    for j in range(n):
        R[j, count - 1] = 0.0
    for j in range(at, count - 1):
        c, s = R[j, j], R[j + 1, j]
        h = math.hypot(c, s)
        if h == 0.0:
            continue
        c, s = c / h, s / h
        for k in range(j, count - 1):
            a, b = R[j, k], R[j + 1, k]
            R[j, k] = c * a + s * b
            R[j + 1, k] = c * b - s * a
        for k in range(n):
            a, b = J[k, j], J[k, j + 1]
            J[k, j] = c * a + s * b
            J[k, j + 1] = c * b - s * a


@inlined_part
def directions(J, R, normal, count, d, z, r):
    """Write the step `z` of the variables and `r` of the multipliers that add one constraint."""
    n = len(z)
    for k in range(n):
        s = 0.0
        for j in range(n):
            s += J[j, k] * normal[j]
        d[k] = s
    for j in range(n):
        s = 0.0
        for k in range(count, n):
            s += J[j, k] * d[k]
        z[j] = s
    for i in range(count - 1, -1, -1):
        s = d[i]
        for j in range(i + 1, count):
            s -= R[i, j] * r[j]
        r[i] = s / R[i, i]


@merged_part
def solve_program(low, high, normals, bounds, basis, n_equal, J, R, active, work, multipliers, u):
    """Constrain a free minimum `u` (J = L⁻ᵀ given): equalities `basis · u = work[3]`, then limits.

    The rows of `work` are: normal, d, z, values of the equalities, r.
    """
    n = len(u)
    normal, d, z, values, r = work[0], work[1], work[2], work[3], work[4]
    count = ZERO
    for i in range(n_equal):
        directions(J, R, basis[i], count, d, z, r)
        rise = dot(z, basis[i])
        if rise > 1e-14:
            step = (values[i] - dot(basis[i], u)) / rise
            for j in range(n):
                u[j] += step * z[j]
        if not add_column(J, R, d, count):
            continue
        active[count] = -1
        multipliers[count] = 0.0
        count += 1
    n_equal = count
    rounding = 1e-12 * math.sqrt(dot(u, u))  # of a minimum far outside the bounds
    for _ in range(20 * n + 50):
        worst = worst_constraint(u, low, high, normals, bounds, active, n_equal, count)
        if worst < 0:
            return FOUND
        constraint_row(worst, normals, normal)
        bound = constraint_bound(worst, low, high, bounds)
        multipliers[count] = 0.0
        while True:
            directions(J, R, normal, count, d, z, r)
            dual, drop = math.inf, -1
            for i in range(n_equal, count):
                if r[i] > 1e-14 and multipliers[i] / r[i] < dual:
                    dual, drop = multipliers[i] / r[i], i
            rise = dot(z, normal)
            full = math.inf
            if rise > 1e-14 * max(1.0, dot(normal, normal)):
                full = (bound - dot(normal, u)) / rise
            step = min(dual, full)
            if step == math.inf:  # linearly dependent on the active ones: rounding, or infeasible
                is_rounding = bound - dot(normal, u) <= 1e-7 * max(1.0, abs(bound)) + rounding
                return FOUND if is_rounding else INFEASIBLE
            for i in range(n_equal, count):
                multipliers[i] -= step * r[i]
            multipliers[count] += step
            if full < math.inf:
                for j in range(n):
                    u[j] += step * z[j]
            if full <= dual:
                if count == n or not add_column(J, R, d, count):
                    return INFEASIBLE
                active[count] = worst
                count += 1
                break
            drop_column(J, R, active, multipliers, count, drop)
            count -= 1
    return EXHAUSTED


@merged_part
def solve_lexicographic(A, v, levels, desired, law, k, threshold, reach, low, high, normals, bounds,
                        active, basis, P, G, L, y, H, J, R, work, multipliers, t, u):  # fmt: skip
    """Solve the levels one after another; return FOUND, INFEASIBLE or EXHAUSTED.

    `u` holds the solution of the levels solved so far. The last program follows the desired
    velocity in the null space of all levels.
    """
    n = len(u)
    count = ZERO
    n_levels = len(levels) - 1
    for j in range(n):
        u[j] = 0.0
    for level in range(n_levels + 1):
        if level == n_levels:
            if not dot(desired, desired) > 0.0:
                return FOUND
            for i in range(n):
                for j in range(n):
                    J[i, j] = 0.0
                J[i, i] = 1.0
                t[i] = desired[i]
        else:
            first, last = levels[level], levels[level + 1]
            gram(A[first:last], last - first, G)
            square = damping(G, last - first, law, k, threshold, L, y) + reach[level]
            if not inverse_factor(A, first, last, square, H, J):
                return EXHAUSTED
            free_minimum(A, first, last, v, J, work[1], t)
        for i in range(count):
            work[3, i] = dot(basis[i], u)
        found = solve_program(low, high, normals, bounds, basis, count, J, R, active, work,
                              multipliers, t)  # fmt: skip
        if found != FOUND:  # the solution of the levels above is feasible: only the first can fail
            return found if level == 0 else FOUND
        for j in range(n):
            u[j] = t[j]
        if level < n_levels:
            project_rows(A, first, last, basis, count, P)
            count = extend_basis(P[first:last], last - first, basis, count)
        if count == n:
            return FOUND
    return FOUND
