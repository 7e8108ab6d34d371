"""Dynamic dexterity: accelerations, impulses and effective mass of a control point.

All need masses and inertias; the arm is taken to be rigid and free of friction. With the mass
matrix M, joint efforts τ accelerate the point by ẍ = J M⁻¹ τ, and an impulse P at the point changes
the joint velocities by Δdq = M⁻¹ Jᵀ P.

Dynamic manipulability: [Yoshikawa1985b]. Impact measures: [Walker1994]. Effective mass:
[Khatib1995].
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.kinematics.dexterity import Ellipsoid, ellipsoid_of, part_rows
from robotix.kinematics.point_location import moving_dofs
from robotix.kinematics.posture import Posture
from robotix.kinematics.tasks import Point

__all__ = ["dynamic_ellipsoid", "effective_mass", "impact_ellipsoid"]

ZERO_INERTIA = 1e-13  # relative to the largest inertia: less is rounding


def dynamic_ellipsoid(
    posture: Posture,
    point: Point = None,
    *,
    part: Literal["linear", "angular"] = "linear",
    normalised: bool = False,
) -> Ellipsoid:
    """Accelerations {J M⁻¹ τ : ‖τ‖ ≤ 1} of a control point, m/s² or rad/s² [Yoshikawa1985b].

    τ is added to the efforts that hold the arm. Normalised: every effort counts in units of its
    limit, unless a joint has none.
    """
    J, effort = posture.jacobian(point)[part_rows(part)], posture.model.effort
    response = _per_inertia(posture, point, J)
    if normalised and np.isfinite(effort).all():
        response = response * effort
    return ellipsoid_of(posture.position(point), response)


def impact_ellipsoid(
    posture: Posture,
    point: Point = None,
    *,
    part: Literal["linear", "angular"] = "linear",
    normalised: bool = False,
) -> Ellipsoid:
    """Impulses that a control point can deliver with joint velocities of norm 1, in N s or N m s.

    {P : ‖M⁻¹ Jᵀ P‖ ≤ 1}: the impulses that stop the arm from such a velocity, or set it in motion
    (after [Walker1994]). Normalised: every velocity counts in units of its rate limit, unless a
    joint has none. Half-lengths are infinite along directions in which no joint can move: the base
    takes the impulse.
    """
    J, rate = posture.jacobian(point)[part_rows(part)], posture.model.velocity
    give = _per_inertia(posture, point, J)
    if normalised and np.isfinite(rate).all():
        give = give / np.maximum(rate, 1e-12)  # a joint with a rate limit of 0 delivers nothing
    soft = ellipsoid_of(posture.position(point), give)
    values = soft.half_lengths[::-1]
    is_stiff = values <= ZERO_INERTIA * values[-1]
    lengths = np.where(is_stiff, math.inf, 1 / np.where(is_stiff, 1.0, values))
    axes = soft.axes[:, ::-1] * [
        1.0,
        1.0,
        -1.0,
    ]  # reversing the order of the columns is a reflection
    return Ellipsoid(soft.centre, axes, lengths)


def effective_mass(posture: Posture, point: Point = None, *, direction: ArrayLike) -> float:
    """Effective mass in kg of a control point along `direction` [Khatib1995].

    1 / (uᵀ J M⁻¹ Jᵀ u) for the unit vector u; infinite where no joint can move the point along it.
    """
    u = np.asarray(direction, dtype=float)
    length = float(np.linalg.norm(u))
    if u.shape != (3,) or not 0 < length < math.inf:
        raise ValueError(f"direction must be three numbers, not all zero, got {direction!r}")
    J = posture.jacobian(point)[:3]
    mobility = _per_inertia(posture, point, J) @ J.T
    along = float(u @ mobility @ u) / length**2
    return 1 / along if along > ZERO_INERTIA * float(np.trace(mobility)) else math.inf


def _per_inertia(posture: Posture, point: Point, J: Array) -> Array:
    """Return J M⁻¹, (k, n_dof)."""
    M, model = posture.mass_matrix, posture.model
    inertia = np.diagonal(M)
    has_mass = inertia > ZERO_INERTIA * max(inertia.max(initial=0.0), 1e-300)
    for dof in moving_dofs(model, point):
        if not has_mass[dof]:
            raise ValueError(
                f"joint {model.dof_names[dof]!r} of {model.name!r} moves no mass, so nothing "
                "resists its motion; give its bodies mass and inertia"
            )
    out = np.zeros_like(J)
    # Scaled to a unit diagonal, so that singularity does not depend on the joints' units.
    scale = np.sqrt(inertia[has_mass])
    scaled = M[np.ix_(has_mass, has_mass)] / np.outer(scale, scale)
    if scaled.size and np.linalg.eigvalsh(scaled)[0] < 1e-12:
        raise ValueError(
            f"in this posture some joints of {model.name!r} move together without moving any mass; "
            "give its bodies inertia"
        )
    out[:, has_mass] = np.linalg.solve(scaled, (J[:, has_mass] / scale).T).T / scale
    return out
