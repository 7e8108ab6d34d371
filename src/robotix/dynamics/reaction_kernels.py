"""Compiled distribution of a wrench among contact points, posture by posture.

The forces f_i of the points solve a small convex program:

    minimise ½ Σ w_i ‖f_i‖²  subject to  Σ G_i f_i = b,  ‖f_i,tangential‖ ≤ μ_i f_i,normal,

where G_i = [1; r_i×] maps a force at a point to a wrench. The dual has only six unknowns, a twist ν
of the body:

    minimise ½ Σ w_i ‖f_i(ν)‖² − bᵀν,    f_i(ν) = projection of G_iᵀν / w_i onto the friction cone.

The projection has a closed form; the dual is smooth and convex, and its gradient Σ G_i f_i − b is
the residual wrench. A damped semismooth Newton method [Qi1993] finds the minimum in a few steps.

So cones are round, not pyramids; every solution lies inside them by construction; and the time is
proportional to the number of points, where a general solver would need three unknowns and four
planes per point. Where equilibrium is impossible, the residual wrench is as small as possible.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel, part

__all__ = ["put_reactions"]

MAX_NEWTON_STEPS, MAX_HALVINGS = 40, 30
GRADIENT_TOLERANCE, RESIDUAL_TOLERANCE = 1e-15, 1e-11  # relative to the wrench
NEWTON_DAMPING = 1e-6  # relative to the curvature of all points, times the relative residual
ARMIJO_FRACTION = 1e-4  # of the linear decrease, that a step must achieve
MAX_TWIST = 1e5  # a unit wrench that needs a longer twist is infeasible
REGULARISATIONS = (1e-2, 1e-4, 1e-6)  # relative to the curvature


@part
def put_nearest(u: Array, normal: Array, friction: float, e: Array, f: Array, D: Array) -> None:
    """Write the projection of `u` onto the friction cone, and its derivative (3, 3) by `u`.

    Infinite friction means a grip, which transmits any force. `e` (3,) is work space.
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
def add_curvature(D: Array, r: Array, inverse_weight: float, C: Array, H: Array) -> None:
    """Add the lower half of G D Gᵀ / w, where G = [1; r×]; `C` (3, 3) is work space for r× D."""
    for j in range(3):
        C[0, j] = r[1] * D[2, j] - r[2] * D[1, j]
        C[1, j] = r[2] * D[0, j] - r[0] * D[2, j]
        C[2, j] = r[0] * D[1, j] - r[1] * D[0, j]
    for i in range(3):
        for j in range(3):
            H[i, j] += inverse_weight * D[i, j]
            H[3 + i, j] += inverse_weight * C[i, j]
        H[3 + i, 3] += inverse_weight * (r[1] * C[i, 2] - r[2] * C[i, 1])
        H[3 + i, 4] += inverse_weight * (r[2] * C[i, 0] - r[0] * C[i, 2])
        H[3 + i, 5] += inverse_weight * (r[0] * C[i, 1] - r[1] * C[i, 0])


@part
def evaluate(
    twist: Array, wrench: Array, arms: Array, normals: Array, frictions: Array,
    inverse_weights: Array, forces: Array, g: Array, H: Array,
) -> float:  # fmt: skip
    """Write the forces, the gradient and the Hessian of the dual at `twist`; return its value."""
    u, e, D, C = np.empty(3), np.empty(3), np.empty((3, 3)), np.empty((3, 3))
    value = 0.0
    H[:] = 0.0
    for i in range(6):
        g[i] = -wrench[i]
        value -= wrench[i] * twist[i]
    for k in range(len(inverse_weights)):
        inverse_weight, r, f = inverse_weights[k], arms[k], forces[k]
        u[0] = inverse_weight * (twist[0] + twist[4] * r[2] - twist[5] * r[1])
        u[1] = inverse_weight * (twist[1] + twist[5] * r[0] - twist[3] * r[2])
        u[2] = inverse_weight * (twist[2] + twist[3] * r[1] - twist[4] * r[0])
        put_nearest(u, normals[k], frictions[k], e, f, D)
        for i in range(3):
            g[i] += f[i]
            value += 0.5 * f[i] * f[i] / inverse_weight
        g[3] += r[1] * f[2] - r[2] * f[1]
        g[4] += r[2] * f[0] - r[0] * f[2]
        g[5] += r[0] * f[1] - r[1] * f[0]
        add_curvature(D, r, inverse_weight, C, H)
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
    inverse_weights: Array, forces: Array,
) -> float:  # fmt: skip
    """Move `twist` to the minimum of the dual plus ½ rest ‖ν‖²; return the residual wrench.

    Stops where the twist diverges: without `rest`, that is where there is no equilibrium.
    """
    trial, step, g, H = np.empty(6), np.empty(6), np.empty(6), np.empty((6, 6))
    value = evaluate(twist, wrench, arms, normals, frictions, inverse_weights, forces, g, H)
    value += 0.5 * rest * norm(twist) ** 2
    gradient = g + rest * twist
    gradient_norm = norm(gradient)
    for _ in range(MAX_NEWTON_STEPS):
        if gradient_norm <= GRADIENT_TOLERANCE or (rest == 0.0 and norm(twist) > MAX_TWIST):
            break
        solve_symmetric(H, max(rest, NEWTON_DAMPING * min(gradient_norm, 1.0)), gradient, step)
        decrease, length, was, before = 0.0, 1.0, gradient_norm, value
        for i in range(6):
            decrease += gradient[i] * step[i]
        is_near = was < 1e-6  # the value is exact to rounding only; the gradient decides
        for _ in range(MAX_HALVINGS):
            for i in range(6):
                trial[i] = twist[i] + length * step[i]
            value = evaluate(trial, wrench, arms, normals, frictions, inverse_weights, forces, g, H)
            value += 0.5 * rest * norm(trial) ** 2
            for i in range(6):
                gradient[i] = g[i] + rest * trial[i]
            gradient_norm = norm(gradient)
            if (
                (gradient_norm < was)
                if is_near
                else (value <= before + ARMIJO_FRACTION * length * decrease)
            ):
                break
            length *= 0.5
        if is_near and gradient_norm >= was:
            break  # rounding: the twist before was the best
        twist[:] = trial
    evaluate(twist, wrench, arms, normals, frictions, inverse_weights, forces, g, H)
    return norm(g)


@part
def distribute_wrench(
    wrench: Array,
    arms: Array,
    normals: Array,
    frictions: Array,
    inverse_weights: Array,
    forces: Array,
) -> None:
    """Write the forces that make up a wrench of unit length, or leave the least residual."""
    twist, g, H = np.zeros(6), np.empty(6), np.empty((6, 6))
    anything = np.full_like(frictions, np.inf)
    evaluate(twist, wrench, arms, normals, anything, inverse_weights, forces, g, H)
    solve_symmetric(H, NEWTON_DAMPING, g, twist)  # the solution if all points gripped
    residual = descend(twist, 0.0, wrench, arms, normals, frictions, inverse_weights, forces)
    if residual <= RESIDUAL_TOLERANCE:
        return
    # Infeasible, or nearly so: a small regularisation keeps the twist finite.
    held, other_residual = np.zeros(6), 1.0
    for rest in REGULARISATIONS:
        other_residual = descend(
            held, rest, wrench, arms, normals, frictions, inverse_weights, forces
        )
    if other_residual >= residual:
        evaluate(twist, wrench, arms, normals, frictions, inverse_weights, forces, g, H)


@kernel
def put_reactions(
    positions: Array,
    normals: Array,
    frictions: Array,
    inverse_weights: Array,
    wrenches: Array,
    forces: Array,
) -> None:
    """Write the forces (N, k, 3) at k points (N, k, 3) that make up wrenches (N, 6) at the origin.

    `inverse_weights` (N, k) are 1/w: 0 for a point without contact. Where the wrench is infeasible,
    force in N and moment in N m about the centre of the points count alike.
    """
    count = positions.shape[1]
    arms, ns, us, fractions = (
        np.empty((count, 3)),
        np.empty((count, 3)),
        np.empty(count),
        np.empty(count),
    )
    fs, b, middle = np.empty((count, 3)), np.empty(6), np.empty(3)
    for row in range(positions.shape[0]):
        forces[row] = 0.0
        F, contacts = wrenches[row], np.flatnonzero(inverse_weights[row])
        n = len(contacts)
        if n == 0:
            continue
        whole = inverse_weights[row].sum()
        middle[:] = 0.0
        for k in range(n):
            at = contacts[k]
            fractions[k], us[k], ns[k] = (
                inverse_weights[row, at] / whole,
                frictions[at],
                normals[at],
            )
            middle += fractions[k] * positions[row, at]
        for k in range(n):
            arms[k] = positions[row, contacts[k]] - middle
        b[:3] = F[:3]
        b[3] = F[3] - middle[1] * F[2] + middle[2] * F[1]
        b[4] = F[4] - middle[2] * F[0] + middle[0] * F[2]
        b[5] = F[5] - middle[0] * F[1] + middle[1] * F[0]
        size = norm(b)
        if size == 0.0:
            continue
        b /= size
        distribute_wrench(b, arms[:n], ns[:n], us[:n], fractions[:n], fs[:n])
        for k in range(n):
            forces[row, contacts[k]] = size * fs[k]
