"""Compiled sharing of a wrench among contact points, posture by posture.

The question is a small convex program in the forces f_i of the points:

    minimise ½ Σ w_i |f_i|²   so that   Σ G_i f_i = b   and   every f_i is in its friction cone,

where G_i makes a force at a point into a wrench. Its dual has only six unknowns, a twist ν of the
body: f_i is then the point of the cone nearest to G_iᵀ ν / w_i, for which there is a formula, and
what remains is a smooth convex function of ν whose gradient is the wrench that is still missing. A
damped Newton method finds its minimum in a few steps (semismooth: [Qi1993]).

So cones are round, not pyramids; every answer lies inside them by construction; and the time grows
with the number of points only, where a general solver would carry three unknowns and four planes a
point. Where equilibrium is impossible, what is missing ends up as small as it can be.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel, part

__all__ = ["put_reactions"]

STEPS, HALVINGS = 40, 30
EXACT, FOUND = 1e-15, 1e-11  # of the wrench: what may be missing
DAMPING = 1e-6  # of the curvature of all points together, while all is missing
DESCENT = 1e-4  # part of the promised descent that a step must keep
FARTHEST = 1e5  # the twist that no wrench of 1 needs, unless it is out of reach
RESTS = (1e-2, 1e-4, 1e-6)  # of the curvature


@part
def put_nearest(u: Array, normal: Array, friction: float, e: Array, f: Array, D: Array) -> None:
    """Write the force of the cone that is nearest to `u`, and its slope (3, 3) with `u`.

    An infinite friction means a grip, which bears any force. `e` is room for three numbers.
    """
    push = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2]
    square = 0.0
    for i in range(3):
        e[i] = u[i] - push * normal[i]
        square += e[i] * e[i]
    slide = math.sqrt(square)
    D[:] = 0.0
    if math.isinf(friction) or slide <= friction * push:  # inside
        for i in range(3):
            f[i] = u[i]
            D[i, i] = 1.0
    elif friction * slide <= -push:  # nearest to the tip
        f[:] = 0.0
    else:  # on the side: along normal + friction * e
        bent = 1.0 + friction * friction
        size = (push + friction * slide) / bent
        turn = size * friction / slide
        for i in range(3):
            e[i] /= slide
        for i in range(3):
            f[i] = size * (normal[i] + friction * e[i])
            D[i, i] = turn
            for j in range(3):
                along = (normal[i] + friction * e[i]) * (normal[j] + friction * e[j])
                D[i, j] += along / bent - turn * (normal[i] * normal[j] + e[i] * e[j])


@part
def add_curvature(D: Array, r: Array, ease: float, C: Array, H: Array) -> None:
    """Add the lower half of ease · G D Gᵀ, where G = [1; r×]; `C` is room for r× D."""
    for j in range(3):
        C[0, j] = r[1] * D[2, j] - r[2] * D[1, j]
        C[1, j] = r[2] * D[0, j] - r[0] * D[2, j]
        C[2, j] = r[0] * D[1, j] - r[1] * D[0, j]
    for i in range(3):
        for j in range(3):
            H[i, j] += ease * D[i, j]
            H[3 + i, j] += ease * C[i, j]
        H[3 + i, 3] += ease * (r[1] * C[i, 2] - r[2] * C[i, 1])
        H[3 + i, 4] += ease * (r[2] * C[i, 0] - r[0] * C[i, 2])
        H[3 + i, 5] += ease * (r[0] * C[i, 1] - r[1] * C[i, 0])


@part
def evaluate(
    twist: Array, wrench: Array, arms: Array, normals: Array, frictions: Array, eases: Array,
    forces: Array, g: Array, H: Array,
) -> float:  # fmt: skip
    """Write the forces, the slope and the curvature of the dual at `twist`; return its value."""
    u, e, D, C = np.empty(3), np.empty(3), np.empty((3, 3)), np.empty((3, 3))
    value = 0.0
    H[:] = 0.0
    for i in range(6):
        g[i] = -wrench[i]
        value -= wrench[i] * twist[i]
    for k in range(len(eases)):
        ease, r, f = eases[k], arms[k], forces[k]
        u[0] = ease * (twist[0] + twist[4] * r[2] - twist[5] * r[1])
        u[1] = ease * (twist[1] + twist[5] * r[0] - twist[3] * r[2])
        u[2] = ease * (twist[2] + twist[3] * r[1] - twist[4] * r[0])
        put_nearest(u, normals[k], frictions[k], e, f, D)
        for i in range(3):
            g[i] += f[i]
            value += 0.5 * f[i] * f[i] / ease
        g[3] += r[1] * f[2] - r[2] * f[1]
        g[4] += r[2] * f[0] - r[0] * f[2]
        g[5] += r[0] * f[1] - r[1] * f[0]
        add_curvature(D, r, ease, C, H)
    return value


@part
def solve_symmetric(H: Array, damping: float, g: Array, step: Array) -> None:
    """Write the step -(H + damping)⁻¹ g, by Cholesky; only the lower half of H is read."""
    n = len(g)
    L, y = np.empty((n, n)), np.empty(n)
    for i in range(n):
        for j in range(i + 1):
            total = H[i, j] + (damping if i == j else 0.0)
            for k in range(j):
                total -= L[i, k] * L[j, k]
            L[i, j] = math.sqrt(max(total, 1e-30)) if i == j else total / L[j, j]
        y[i] = -g[i]
        for k in range(i):
            y[i] -= L[i, k] * y[k]
        y[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        step[i] = y[i]
        for k in range(i + 1, n):
            step[i] -= L[k, i] * step[k]
        step[i] /= L[i, i]


@part
def norm(x: Array) -> float:
    """Length of a vector."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i]
    return math.sqrt(total)


@part
def descend(
    twist: Array, rest: float, wrench: Array, arms: Array, normals: Array, frictions: Array,
    eases: Array, forces: Array,
) -> float:  # fmt: skip
    """Move `twist` to the minimum of the dual plus ½ rest |ν|²; return the wrench then missing.

    Gives up where the twist runs away: without `rest`, that is where there is no equilibrium.
    """
    trial, step, g, H = np.empty(6), np.empty(6), np.empty(6), np.empty((6, 6))
    value = evaluate(twist, wrench, arms, normals, frictions, eases, forces, g, H)
    value += 0.5 * rest * norm(twist) ** 2
    slope = g + rest * twist
    steepness = norm(slope)
    for _ in range(STEPS):
        if steepness <= EXACT or (rest == 0.0 and norm(twist) > FARTHEST):
            break
        solve_symmetric(H, max(rest, DAMPING * min(steepness, 1.0)), slope, step)
        promise, length, was, before = 0.0, 1.0, steepness, value
        for i in range(6):
            promise += slope[i] * step[i]
        is_near = was < 1e-6  # where the value no longer tells, the slope does
        for _ in range(HALVINGS):
            for i in range(6):
                trial[i] = twist[i] + length * step[i]
            value = evaluate(trial, wrench, arms, normals, frictions, eases, forces, g, H)
            value += 0.5 * rest * norm(trial) ** 2
            for i in range(6):
                slope[i] = g[i] + rest * trial[i]
            steepness = norm(slope)
            if (steepness < was) if is_near else (value <= before + DESCENT * length * promise):
                break
            length *= 0.5
        if is_near and steepness >= was:
            break  # rounding: the twist before was as good as it gets
        twist[:] = trial
    evaluate(twist, wrench, arms, normals, frictions, eases, forces, g, H)
    return norm(g)


@part
def share_wrench(
    wrench: Array, arms: Array, normals: Array, frictions: Array, eases: Array, forces: Array
) -> None:
    """Write the forces that together make a wrench of unit length, or lack the least of it."""
    twist, g, H = np.zeros(6), np.empty(6), np.empty((6, 6))
    anything = np.full_like(frictions, np.inf)
    evaluate(twist, wrench, arms, normals, anything, eases, forces, g, H)
    solve_symmetric(H, DAMPING, g, twist)  # the answer, if all could grip
    missing = descend(twist, 0.0, wrench, arms, normals, frictions, eases, forces)
    if missing <= FOUND:
        return
    # Out of reach, or nearly so: a little rest keeps the twist finite and costs next to nothing.
    held, lacking = np.zeros(6), 1.0
    for rest in RESTS:
        lacking = descend(held, rest, wrench, arms, normals, frictions, eases, forces)
    if lacking >= missing:
        evaluate(twist, wrench, arms, normals, frictions, eases, forces, g, H)


@kernel
def put_reactions(
    places: Array, normals: Array, frictions: Array, eases: Array, wrenches: Array, forces: Array
) -> None:
    """Write the forces (N, k, 3) at k places (N, k, 3) that make the wrenches (N, 6) at the origin.

    `eases` (N, k) are the inverse weights: 0 for a point that does not bear. Where the wrench is
    out of reach, the force in N and the moment in N m about the middle of the points count alike.
    """
    count = places.shape[1]
    arms, ns, us, shares = (
        np.empty((count, 3)),
        np.empty((count, 3)),
        np.empty(count),
        np.empty(count),
    )
    fs, b, middle = np.empty((count, 3)), np.empty(6), np.empty(3)
    for row in range(places.shape[0]):
        forces[row] = 0.0
        F, bearing = wrenches[row], np.flatnonzero(eases[row])
        n = len(bearing)
        if n == 0:
            continue
        whole = eases[row].sum()
        middle[:] = 0.0
        for k in range(n):
            at = bearing[k]
            shares[k], us[k], ns[k] = eases[row, at] / whole, frictions[at], normals[at]
            middle += shares[k] * places[row, at]
        for k in range(n):
            arms[k] = places[row, bearing[k]] - middle
        b[:3] = F[:3]
        b[3] = F[3] - middle[1] * F[2] + middle[2] * F[1]
        b[4] = F[4] - middle[2] * F[0] + middle[0] * F[2]
        b[5] = F[5] - middle[0] * F[1] + middle[1] * F[0]
        size = norm(b)
        if size == 0.0:
            continue
        b /= size
        share_wrench(b, arms[:n], ns[:n], us[:n], shares[:n], fs[:n])
        for k in range(n):
            forces[row, bearing[k]] = size * fs[k]
