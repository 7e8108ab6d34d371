"""Dexterity: how well a control point can be moved from a posture, as numbers and ellipsoids.

All follow from the singular values σ₁ ≥ … ≥ σₘ of the m rows that `part` selects from the point's
Jacobian J: `linear` (the default), `angular`, `both` (1 rad counts like 1 m), or some of
`x y z rx ry rz`, such as `"x y"` for the tip of a planar arm. There are always m of them: where the
arm cannot move in m independent directions, the last are zero.

*Normalised* means that every joint counts in units of its rate limit: Ĵ = J diag(dq_max). If a
joint that moves the point has no rate limit, Ĵ = J.

The velocity ellipsoid is {J dq : ‖dq‖ ≤ 1}: its axes are the left singular vectors of J, its
half-lengths the singular values [Yoshikawa1985]. By duality of power (fᵀ J dq = τᵀ dq), the force
ellipsoid {f : ‖Jᵀ f‖ ≤ 1} has the same axes and half-lengths 1/σ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

import numpy as np

from robotix.geometry import Array
from robotix.kinematics.kernels.tables import Ints
from robotix.kinematics.point_location import moving_dofs
from robotix.kinematics.posture import Posture
from robotix.kinematics.tasks import Point
from robotix.model import Model

__all__ = [
    "Ellipsoid",
    "MotionComponents",
    "SingularSystem",
    "condition_number",
    "decompose",
    "directional_manipulability",
    "ellipsoid_of",
    "ellipsoid_volume",
    "isotropy",
    "isotropy_of",
    "manipulability",
    "part_rows",
    "rate_scales",
    "singular_values",
    "unit_ball_volume",
    "velocity_ellipsoid",
]

MotionComponents: TypeAlias = str

_ROWS = ("x", "y", "z", "rx", "ry", "rz")
_PARTS = {"linear": _ROWS[:3], "angular": _ROWS[3:], "both": _ROWS}


@cache
def part_rows(part: MotionComponents) -> Ints:
    """Return the rows of a Jacobian that `part` selects."""
    names = _PARTS.get(part, tuple(part.split()))
    if not names or len(set(names)) < len(names) or not set(names) <= set(_ROWS):
        raise ValueError(
            f"part is 'linear', 'angular', 'both' or some of {' '.join(_ROWS)!r}, got {part!r}"
        )
    rows = np.array(sorted(_ROWS.index(name) for name in names), dtype=np.int64)
    rows.flags.writeable = False
    return rows


def rate_scales(model: Model, point: Point = None) -> Array:
    """Rate limit of every coordinate, (n_dof,); all 1 if one that moves the point has none."""
    if not np.isfinite(model.velocity).any():
        return np.ones(model.n_dof)
    if np.isfinite(model.velocity[moving_dofs(model, point)]).all():
        return np.where(np.isfinite(model.velocity), model.velocity, 1.0)
    return np.ones(model.n_dof)


@dataclass(frozen=True, eq=False)
class SingularSystem:
    """Singular value decomposition of a Jacobian: `axes @ diag(values) @ motions`."""

    axes: Array  # (m, m), columns: directions in which the point moves
    values: Array  # (m,), how fast it does, largest first
    motions: Array  # (m, n_dof), rows: joint velocities of norm 1 that do it, 0 if none does


def decompose(
    posture: Posture,
    point: Point = None,
    *,
    part: MotionComponents = "linear",
    normalised: bool = False,
) -> SingularSystem:
    """Return singular values and vectors of a control point's Jacobian."""
    J = posture.jacobian(point)[part_rows(part)]
    if normalised:
        J = J * rate_scales(posture.model, point)
    return _decompose(J)


def _decompose(J: Array) -> SingularSystem:
    m, n = J.shape
    # with m columns or more there are m values
    wide = J if n >= m else np.pad(J, ((0, 0), (0, m - n)))
    U, values, Vt = np.linalg.svd(wide, full_matrices=False)
    return SingularSystem(U, values, Vt[:, :n])


def singular_values(
    posture: Posture,
    point: Point = None,
    *,
    part: MotionComponents = "linear",
    normalised: bool = False,
) -> Array:
    """Singular values of a control point's Jacobian, (m,), largest first."""
    return decompose(posture, point, part=part, normalised=normalised).values


# -- numbers --------------------------------------------------------------------------------


def manipulability(
    posture: Posture, point: Point = None, *, part: MotionComponents = "linear"
) -> float:
    """W = √det(JJᵀ) = Πσ [Yoshikawa1985]; 0 in a singular posture. Not normalised."""
    return float(np.prod(singular_values(posture, point, part=part)))


def unit_ball_volume(m: int) -> float:
    """Volume of the unit ball in m dimensions: π^(m/2) / Γ(1 + m/2)."""
    return float(math.pi ** (m / 2) / math.gamma(1 + m / 2))


def ellipsoid_volume(
    posture: Posture, point: Point = None, *, part: MotionComponents = "linear"
) -> float:
    """V = π^(m/2)/Γ(1+m/2) · Πσ of the normalised Jacobian: volume of its velocity ellipsoid."""
    values = singular_values(posture, point, part=part, normalised=True)
    return unit_ball_volume(len(values)) * float(np.prod(values))


def condition_number(
    posture: Posture, point: Point = None, *, part: MotionComponents = "linear"
) -> float:
    """κ = σ₁/σₘ of the normalised Jacobian: 1 if isotropic, ∞ in a singular posture."""
    even = isotropy(posture, point, part=part)
    return 1 / even if even > 1e-300 else math.inf


def isotropy(posture: Posture, point: Point = None, *, part: MotionComponents = "linear") -> float:
    """1/κ = σₘ/σ₁ of the normalised Jacobian, between 0 and 1 [Salisbury1982]."""
    return float(isotropy_of(singular_values(posture, point, part=part, normalised=True)))


def isotropy_of(values: Array) -> Array:
    """1/κ of singular values (..., m), largest first; 0 where all are 0."""
    largest = values[..., 0]
    out = np.zeros_like(largest)
    np.divide(values[..., -1], largest, out=out, where=largest > 0)
    return out


def directional_manipulability(
    posture: Posture, point: Point = None, *, part: MotionComponents = "linear"
) -> float:
    """V/κ of the normalised Jacobian: large where the ellipsoid is large and nearly a sphere."""
    values = singular_values(posture, point, part=part, normalised=True)
    return unit_ball_volume(len(values)) * float(np.prod(values) * isotropy_of(values))


# -- ellipsoids -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """An ellipsoid around a control point; its half-lengths have the unit of what it shows."""

    centre: Array  # (3,), m, in the base frame
    axes: Array  # (3, 3), a rotation: columns are the principal axes
    half_lengths: Array  # (3,), longest first


def ellipsoid_of(centre: Array, matrix: Array) -> Ellipsoid:
    """Return the image `matrix @ x` of all x with norm 1 or less, for a (3, n) matrix."""
    system = _decompose(matrix)
    return Ellipsoid(centre, _right_handed(system.axes), system.values)


def _right_handed(axes: Array) -> Array:
    """Reverse the last axis if needed, so that the axes are a rotation."""
    return axes * [1.0, 1.0, 1.0 if np.linalg.det(axes) > 0 else -1.0]


def velocity_ellipsoid(
    posture: Posture,
    point: Point = None,
    *,
    part: Literal["linear", "angular"] = "linear",
    normalised: bool = False,
) -> Ellipsoid:
    """Velocities of a control point for joint velocities of norm 1, in m/s or rad/s.

    {J dq : ‖dq‖ ≤ 1}: axes are the left singular vectors of J, half-lengths the singular values
    [Yoshikawa1985]. Normalised: {J dq : ‖diag(dq_max)⁻¹ dq‖ ≤ 1}.
    """
    J = posture.jacobian(point)[part_rows(part)]
    if normalised:
        J = J * rate_scales(posture.model, point)
    return ellipsoid_of(posture.position(point), J)
