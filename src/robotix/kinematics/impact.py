"""Dexterity of an arm with mass: how hard its control point accelerates, and how hard it hits.

All of it needs masses and inertias, and takes the arm to be rigid and free of friction.

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

NOTHING = 1e-13  # of the largest inertia: what rounding leaves of none


def dynamic_ellipsoid(
    posture: Posture,
    point: Point = None,
    *,
    part: Literal["linear", "angular"] = "linear",
    normalised: bool = False,
) -> Ellipsoid:
    """Accelerations J M⁻¹ τ of a control point for joint efforts of norm 1 [Yoshikawa1985b].

    These efforts come on top of those that hold the arm. Normalised: each counts in units of its
    largest effort, unless a joint has no such limit.
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

    An impulse P at the point changes the joint velocities by M⁻¹JᵀP, so these are all P with
    ‖M⁻¹JᵀP‖ ≤ 1: what it takes to stop the arm dead from such a velocity, or to set it moving
    (after [Walker1994]). Normalised: each velocity counts in units of its largest rate, unless a
    joint has no such limit. Half-lengths are infinite along directions in which the joints do not
    give way: there the blow goes straight into the base.
    """
    J, rate = posture.jacobian(point)[part_rows(part)], posture.model.velocity
    give = _per_inertia(posture, point, J)
    if normalised and np.isfinite(rate).all():
        give = give / np.maximum(rate, 1e-12)  # a joint with no rate at all can deliver nothing
    soft = ellipsoid_of(posture.position(point), give)
    values = soft.half_lengths[::-1]
    is_stiff = values <= NOTHING * values[-1]
    lengths = np.where(is_stiff, math.inf, 1 / np.where(is_stiff, 1.0, values))
    axes = soft.axes[:, ::-1] * [1.0, 1.0, -1.0]  # three columns the other way round: a reflection
    return Ellipsoid(soft.centre, axes, lengths)


def effective_mass(posture: Posture, point: Point = None, *, direction: ArrayLike) -> float:
    """Mass in kg that something feels which hits a control point along `direction` [Khatib1995].

    1 / (uᵀ J M⁻¹ Jᵀ u) for the unit vector u; infinite where the joints do not give way.
    """
    u = np.asarray(direction, dtype=float)
    length = float(np.linalg.norm(u))
    if u.shape != (3,) or not 0 < length < math.inf:
        raise ValueError(f"direction must be three numbers, not all zero, got {direction!r}")
    J = posture.jacobian(point)[:3]
    mobility = _per_inertia(posture, point, J) @ J.T
    along = float(u @ mobility @ u) / length**2
    return 1 / along if along > NOTHING * float(np.trace(mobility)) else math.inf


def _per_inertia(posture: Posture, point: Point, J: Array) -> Array:
    """Return J M⁻¹, (k, n_dof)."""
    M, model = posture.mass_matrix, posture.model
    inertia = np.diagonal(M)
    has_mass = inertia > NOTHING * max(inertia.max(initial=0.0), 1e-300)
    for dof in moving_dofs(model, point):
        if not has_mass[dof]:
            raise ValueError(
                f"joint {model.dof_names[dof]!r} of {model.name!r} moves no mass, so nothing "
                "resists its motion; give its bodies mass and inertia"
            )
    out = np.zeros_like(J)
    # Joints in different units are put on one scale, so that what is singular can be told.
    scale = np.sqrt(inertia[has_mass])
    scaled = M[np.ix_(has_mass, has_mass)] / np.outer(scale, scale)
    if scaled.size and np.linalg.eigvalsh(scaled)[0] < 1e-12:
        raise ValueError(
            f"in this posture some joints of {model.name!r} move together without moving any mass; "
            "give its bodies inertia"
        )
    out[:, has_mass] = np.linalg.solve(scaled, (J[:, has_mass] / scale).T).T / scale
    return out
