"""Contact of a robot with a person as two masses and a spring, after ISO/TS 15066 annex A.

    μ = 1 / (1/m_H + 1/m_R),    F = v √(μ k),    p = F / A,    E = μ v² / 2

m_H and k are the effective mass and the stiffness of the body region, m_R the effective mass of
the robot: M/2 + m_L with the moving mass M and the load m_L [ISO2016a], or 1 / (nᵀ J M⁻¹ Jᵀ n)
along the normal n of the contact [Khatib1995].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose
from robotix.kinematics import Posture
from robotix.kinematics.impact import effective_mass
from robotix.kinematics.point_location import moving_dofs
from robotix.model import ControlPoint, Model
from robotix.safety.body_limits import BodyRegion

__all__ = [
    "PROBE_AREA",
    "ContactForce",
    "ContactKind",
    "assess_contact",
    "mass_at_contact",
    "moving_mass",
    "peak_force",
    "permitted_speed",
    "reduced_mass",
    "simplified_mass",
    "simulate_impact",
]

ContactKind: TypeAlias = Literal["transient", "quasi-static"]
PROBE_AREA = 1.4e-2**2  # m²: the probe with which the limits of pressure were measured [ISO2016b]


def reduced_mass(robot_mass: float, body_mass: float) -> float:
    """Mass μ of two bodies that meet, kg; an infinite robot leaves the mass of the body."""
    _check_positive("robot_mass", robot_mass)
    _check_positive("body_mass", body_mass)
    return 1.0 / (1.0 / robot_mass + 1.0 / body_mass)


def peak_force(speed: float, mass: float, stiffness: float) -> float:
    """Largest force when a reduced mass meets a spring, N: v √(μ k)."""
    return max(speed, 0.0) * math.sqrt(mass * stiffness)


def permitted_speed(region: BodyRegion, robot_mass: float, *, area: float = PROBE_AREA) -> float:
    """Largest relative speed at which a transient contact stays within force and pressure, m/s."""
    _check_positive("area", area)
    force = min(region.transient_force, region.transient_pressure * area)
    return force / math.sqrt(reduced_mass(robot_mass, region.mass) * region.stiffness)


@dataclass(frozen=True)
class ContactForce:
    """A contact against the limits of a region."""

    region: BodyRegion
    kind: ContactKind
    force: float  # N
    pressure: float  # Pa
    force_ratio: float  # of the limit; more than 1 exceeds it
    pressure_ratio: float

    @property
    def ratio(self) -> float:
        """The larger of both."""
        return max(self.force_ratio, self.pressure_ratio)

    @property
    def is_permitted(self) -> bool:
        """Whether both limits are kept, where contact may happen at all."""
        return self.region.is_contact_permitted and self.ratio <= 1.0


def assess_contact(
    region: BodyRegion, force: float, *, kind: ContactKind = "transient", area: float = PROBE_AREA
) -> ContactForce:
    """Return force and pressure of a contact against the limits of a region."""
    _check_positive("area", area)
    is_short = kind == "transient"
    limit = region.transient_force if is_short else region.force
    bearable = region.transient_pressure if is_short else region.pressure
    pressure = force / area
    return ContactForce(region, kind, force, pressure, force / limit, pressure / bearable)


def moving_mass(model: Model) -> float:
    """Mass of all bodies that a joint moves, kg."""
    return float(sum(body.mass for body in model.bodies if moving_dofs(model, body.name).size))


def simplified_mass(model: Model, *, payload: float = 0.0) -> float:
    """Effective mass of a robot as ISO/TS 15066 estimates it, kg: M/2 + m_L."""
    if not payload >= 0:
        raise ValueError(f"a load is 0 kg or more, not {payload}")
    mass = moving_mass(model) / 2 + payload
    if not mass > 0:
        raise ValueError(f"{model.name!r} has no mass; give its bodies mass and inertia")
    return mass


def mass_at_contact(
    posture: Posture, body: str, *, point: ArrayLike, normal: ArrayLike, payload: float = 0.0
) -> float:
    """Effective mass at a point of a body, in the base frame, along a normal, kg [Khatib1995].

    A load counts as a whole, as in the estimate of the specification; infinite where no joint can
    give way.
    """
    on_body = posture.pose(body).inverse().apply(np.asarray(point, dtype=float))
    place = ControlPoint(body, Pose(translation=on_body))
    return effective_mass(posture, place, direction=normal) + payload


def simulate_impact(
    robot_mass: float, region: BodyRegion, *, speed: float, dt: float = 1e-5
) -> tuple[Array, Array]:
    """Simulate a free impact until the bodies part: times (n,), s, and forces (n,), N.

    Both masses are free and start with the spring relaxed; integrated by leapfrog steps.
    """
    m_r, m_h, k = robot_mass, region.mass, region.stiffness
    x_r, x_h, v_r, v_h = 0.0, 0.0, speed, 0.0
    forces = [0.0]
    while True:
        f = k * max(x_r - x_h, 0.0)
        v_r -= f / m_r * dt / 2
        v_h += f / m_h * dt / 2
        x_r += v_r * dt
        x_h += v_h * dt
        f = k * max(x_r - x_h, 0.0)
        v_r -= f / m_r * dt / 2
        v_h += f / m_h * dt / 2
        forces.append(f)
        if f == 0.0:
            return dt * np.arange(len(forces), dtype=float), np.array(forces)


def _check_positive(name: str, value: float) -> None:
    if not value > 0:
        raise ValueError(f"{name} must be positive, not {value}")
