"""Compiled damped least squares with bounds: min ‖A u − v‖² + λ²‖u‖², low ≤ u ≤ high.

Without bounds u = Aᵀ (A Aᵀ + λ²I)⁻¹ v: the system has the size of the rows, which are fewer than
the joints of a redundant arm. Bounds are met by a primal active-set method: hold some variables at
a bound, solve for the others, move towards that solution until another variable meets its bound,
release those whose multiplier has the wrong sign. It starts from the active set of the last tick,
so that a solve usually costs one or two factorisations.
"""

from __future__ import annotations

import math

from robotix.kernels import fast_part, inlined_part, stay_apart

ADAPTIVE_LAW, CONSTANT_LAW, SMALLEST_SIGMA_LAW = range(3)  # damping laws
BOUND_TOLERANCE = 1e-11  # a variable this far beyond its bound counts as at it
MIN_RELATIVE_DAMPING = 1e-12  # least λ² / mean diagonal of the Gram matrix, for Cholesky


@inlined_part
def pair_products(a, b, c, d, n):
    """Return the products of two rows with two others over their first `n` columns."""
    ac, ad, bc, bd = 0.0, 0.0, 0.0, 0.0
    for k in range(n):
        ac += a[k] * c[k]
        ad += a[k] * d[k]
        bc += b[k] * c[k]
        bd += b[k] * d[k]
    return ac, ad, bc, bd


@inlined_part
def gram(A, m, G):
    """Lower triangle of A Aᵀ, two rows at a time."""
    n = A.shape[1]
    for i in range(0, m - 1, 2):
        for j in range(0, i + 1, 2):
            G[i, j], G[i, j + 1], G[i + 1, j], G[i + 1, j + 1] = pair_products(
                A[i], A[i + 1], A[j], A[j + 1], n
            )
    if m % 2:
        for j in range(m):
            G[m - 1, j] = product(A[m - 1], A[j], n)


@inlined_part
def gram_within(A, m, span, G):
    """Lower triangle of A Aᵀ where row i is zero from column span[i] on."""
    for i in range(0, m - 1, 2):
        reach = max(span[i], span[i + 1])
        for j in range(0, i + 1, 2):
            n = min(reach, max(span[j], span[j + 1]))
            G[i, j], G[i, j + 1], G[i + 1, j], G[i + 1, j + 1] = pair_products(
                A[i], A[i + 1], A[j], A[j + 1], n
            )
    if m % 2:
        for j in range(m):
            G[m - 1, j] = product(A[m - 1], A[j], min(span[m - 1], span[j]))


@inlined_part
def product(a, b, n):
    """Return the product of two rows over their first `n` columns."""
    s = 0.0
    for k in range(n):
        s += a[k] * b[k]
    return s


@inlined_part
def factorise(L, m):
    """Cholesky factor in place of the lower triangle, two rows at a time.

    The diagonal holds reciprocals. False when a pivot is not positive.
    """
    for i in range(0, m - 1, 2):
        a, b = L[i], L[i + 1]
        for j in range(0, i, 2):
            c, d = L[j], L[j + 1]
            ac, ad, bc, bd = pair_products(a, b, c, d, j)
            ac, bc = (a[j] - ac) * c[j], (b[j] - bc) * c[j]
            a[j], b[j] = ac, bc
            a[j + 1] = (a[j + 1] - ad - ac * d[j]) * d[j + 1]
            b[j + 1] = (b[j + 1] - bd - bc * d[j]) * d[j + 1]
        aa, ab, _, bb = pair_products(a, b, a, b, i)
        s = a[i] - aa
        if not s > 0.0:
            return False
        a[i] = 1.0 / math.sqrt(s)
        b[i] = (b[i] - ab) * a[i]
        s = b[i + 1] - bb - b[i] * b[i]
        if not s > 0.0:
            return False
        b[i + 1] = 1.0 / math.sqrt(s)
    if m % 2:
        a = L[m - 1]
        for j in range(m - 1):
            a[j] = (a[j] - product(a, L[j], j)) * L[j, j]
        s = a[m - 1] - product(a, a, m - 1)
        if not s > 0.0:
            return False
        a[m - 1] = 1.0 / math.sqrt(s)
    return True


@inlined_part
def substitute(L, m, y):
    """Solve L Lᵀ y = y in place."""
    for i in range(m):
        s = y[i]
        for k in range(i):
            s -= L[i, k] * y[k]
        y[i] = s * L[i, i]
    for i in range(m - 1, -1, -1):
        s = y[i] * L[i, i]
        y[i] = s
        for k in range(i):
            y[k] -= L[i, k] * s


@inlined_part
def damping(G, m, law, k, threshold, L, y):
    """Return λ² of a damping law, for G = JJᵀ.

    ADAPTIVE_LAW: λ = k / (1 + ‖JJᵀ‖), Frobenius norm. CONSTANT_LAW: λ = k. SMALLEST_SIGMA_LAW:
    λ² = k² (1 − (σ/threshold)²) while the smallest singular value σ of J is below the threshold,
    else 0.
    """
    diagonal = 0.0
    for i in range(m):
        diagonal += G[i, i]
    least = MIN_RELATIVE_DAMPING * (diagonal / max(m, 1)) + 1e-16
    if law == CONSTANT_LAW:
        return max(k * k, least)
    if law == SMALLEST_SIGMA_LAW:
        ratio = smallest_eigenvalue(G, m, least, threshold * threshold, L, y)
        return max(k * k * (1.0 - ratio), least) if ratio < 1.0 else least
    norm = 0.0
    for i in range(m):
        norm += G[i, i] * G[i, i]
        for j in range(i):
            norm += 2.0 * G[i, j] * G[i, j]
    root = k / (1.0 + math.sqrt(norm))
    return max(root * root, least)


@fast_part
def smallest_eigenvalue(G, m, shift, enough, L, y):
    """Smallest eigenvalue of a positive semidefinite matrix over `enough`; 1 if it is not below.

    One factorisation of G − enough·I finds out whether it is; only then is it iterated, inversely.
    Rows of zeros do not count: no joint moves them.
    """
    stay_apart()
    put_shifted(G, m, -enough, enough, L)
    if factorise(L, m):
        return 1.0
    put_shifted(G, m, shift, enough, L)
    for i in range(m):
        y[i] = 1.0 + 0.1 * i  # any start that is not orthogonal to the eigenvector
    if not factorise(L, m):
        return 0.0
    value = 0.0
    for _ in range(12):
        norm = 0.0
        for i in range(m):
            norm += y[i] * y[i]
        norm = math.sqrt(norm)
        if not norm > 0.0:
            return 0.0
        for i in range(m):
            y[i] /= norm
        substitute(L, m, y)
        value = norm
    return min(max(1.0 / value - shift, 0.0) / enough, 1.0)


@inlined_part
def put_shifted(G, m, shift, enough, L):
    """Write the lower triangle of G + shift·I, with 2·enough in place of zeros on G's diagonal."""
    for i in range(m):
        for j in range(i + 1):
            L[i, j] = G[i, j]
        L[i, i] = G[i, i] + shift if G[i, i] > 0.0 else 2.0 * enough


@inlined_part
def free_solve(A, m, v, state, low, high, G, square, L, y, u):
    """Solve for the free variables with the others at their bounds; False when that fails.

    Leaves `y` with u = A_freeᵀ y on the free variables.
    """
    n, n_held = A.shape[1], 0
    for i in range(m):
        row, source = L[i], G[i]
        for j in range(i + 1):
            row[j] = source[j]
        row[i] += square
        y[i] = v[i]
    for j in range(n):
        u[j] = 0.0
        if state[j] != 0:
            n_held += 1
            u[j] = low[j] if state[j] < 0 else high[j]
            hold(A, m, j, u[j], L, y)
    if not factorise(L, m):
        return False
    substitute(L, m, y)
    if n_held == 0:
        add_rows(A, m, y, u)
        return True
    for j in range(n):
        if state[j] == 0:
            u[j] = 0.0
    add_rows(A, m, y, u)
    for j in range(n):
        if state[j] != 0:
            u[j] = low[j] if state[j] < 0 else high[j]
    return True


@inlined_part
def add_rows(A, m, y, u):
    """Add Aᵀ y to `u`, two rows at a time."""
    for i in range(0, m - 1, 2):
        a, b, p, q = A[i], A[i + 1], y[i], y[i + 1]
        for j in range(len(u)):
            u[j] += a[j] * p + b[j] * q
    if m % 2:
        a, p = A[m - 1], y[m - 1]
        for j in range(len(u)):
            u[j] += a[j] * p


@inlined_part
def hold(A, m, j, value, L, y):
    """Remove a held variable from the Gram matrix and move its value to the right-hand side."""
    for i in range(m):
        a = A[i, j]
        if a != 0.0:
            y[i] -= a * value
            row = L[i]
            for k in range(i + 1):
                row[k] -= a * A[k, j]


@inlined_part
def slope(A, m, y, u, j):
    """Return half the derivative of the cost by a held variable, over λ² (`y` is residual / λ²)."""
    s = u[j]
    for i in range(m):
        s -= A[i, j] * y[i]
    return s


@inlined_part
def variable_to_release(A, m, y, u, low, high, state):
    """Return the held variable whose multiplier has the wrong sign and is largest, or -1."""
    largest = 0.0
    for i in range(m):
        largest = max(largest, abs(y[i]))
    worst, by = -1, 1e-11 + 1e-8 * largest  # `y` is divided by λ²: its rounding is large
    for j in range(len(u)):
        if state[j] != 0 and high[j] > low[j]:
            pull = slope(A, m, y, u, j) * state[j]
            if pull > by:
                worst, by = j, pull
    return worst


@inlined_part
def is_inside(u, low, high, state):
    """Return whether all free variables are within their bounds."""
    for j in range(len(u)):
        if state[j] == 0 and (u[j] < low[j] - BOUND_TOLERANCE or u[j] > high[j] + BOUND_TOLERANCE):
            return False
    return True


@inlined_part
def clip_start(A, m, v, low, high, square, state, y, u, best):
    """Start at the clipped solution, holding variables whose gradient points out of bounds."""
    for j in range(len(u)):
        best[j] = min(max(u[j], low[j]), high[j])
        state[j] = 0
    for i in range(m):
        row = A[i]
        s = v[i]
        for j in range(len(u)):
            s -= row[j] * best[j]
        y[i] = s / square
    for j in range(len(u)):
        if best[j] <= low[j] and slope(A, m, y, best, j) > 0.0:
            state[j] = -1
        elif best[j] >= high[j] and slope(A, m, y, best, j) < 0.0:
            state[j] = 1


@inlined_part
def step_to_bound(u, best, low, high, state):
    """Move from `best` towards `u` until the first free variable meets a bound; hold it there."""
    fraction, first = 1.0, -1
    for j in range(len(u)):
        d = u[j] - best[j]
        if state[j] == 0 and d != 0.0:
            ratio = ((high[j] if d > 0.0 else low[j]) - best[j]) / d
            if ratio < fraction:
                fraction, first = max(ratio, 0.0), j
    for j in range(len(u)):
        best[j] += fraction * (u[j] - best[j])
    if first >= 0:
        state[first] = 1 if u[first] > best[first] else -1
        best[first] = high[first] if state[first] > 0 else low[first]


@inlined_part
def solve_bounded(A, m, v, low, high, G, square, state, L, y, u, best):
    """Minimise within bounds; return the number of variables at one, or -1 if `u` was clamped.

    `state` (-1, 0, +1: at the lower bound, free, at the upper bound) is the active set to start
    from, and ends as the one found.
    """
    n = A.shape[1]
    started = False
    for _ in range(8 * n + 20):
        if not free_solve(A, m, v, state, low, high, G, square, L, y, u):
            break
        if is_inside(u, low, high, state):
            worst = variable_to_release(A, m, y, u, low, high, state)
            if worst < 0:
                count = 0
                for j in range(n):
                    u[j] = min(max(u[j], low[j]), high[j])
                    count += state[j] != 0
                return count
            state[worst] = 0
            started = True
            for j in range(n):
                best[j] = u[j]
        elif started:
            step_to_bound(u, best, low, high, state)
        else:
            clip_start(A, m, v, low, high, square, state, y, u, best)
            started = True
    for j in range(n):
        value = best[j] if started and math.isfinite(best[j]) else 0.0
        u[j] = min(max(value, low[j]), high[j])
    return -1
