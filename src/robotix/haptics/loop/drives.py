"""Motors, gears and encoders of a device's joints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.loop import layout
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.posture import Posture
from robotix.model import Joint, Model

__all__ = ["JointDrive", "drives_for", "link_inertia", "pack_drives", "vishard10_drives"]


@dataclass(frozen=True)
class JointDrive:
    """A motor behind a gear; friction and torques are those at the joint."""

    rotor_inertia: float = 4e-5  # kg m², of the motor
    gear_ratio: float = 100.0
    coulomb: float = 2.0  # N m, of sliding
    static: float = 2.6  # N m, to break away
    stribeck_speed: float = 0.05  # rad/s, over which static friction falls to the sliding one
    viscous: float = 1.0  # N m s/rad
    max_torque: float = 60.0  # N m
    torque_step: float = 0.0  # N m, of the digital-analogue converter; 0: exact
    encoder_counts: int = 4096  # per turn of the motor; 0: exact
    torque_constant: float = 0.05  # N m/A, of the motor
    resistance: float = 1.0  # Ω, of the winding: both give the brake when it is shorted
    holding_torque: float = 0.0  # N m, of a brake that falls in when the motor is cut off; 0: none
    max_rate: float = 6.0  # rad/s, at which the safety circuit stops
    max_lag: float = 0.05  # rad behind the desired angle, at which it stops

    def __post_init__(self) -> None:
        """Raise `BadField` for numbers that no drive has."""
        for name in ("gear_ratio", "stribeck_speed", "max_torque", "resistance", "max_rate",
                     "max_lag"):  # fmt: skip
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise BadField(name, "a positive number", value)
        for name in ("rotor_inertia", "coulomb", "static", "viscous", "torque_step",
                     "encoder_counts", "torque_constant", "holding_torque"):  # fmt: skip
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise BadField(name, "a finite number, not negative", value)

    @property
    def reflected_inertia(self) -> float:
        """Rotor inertia at the joint, kg m²."""
        return self.rotor_inertia * self.gear_ratio**2

    @property
    def encoder_step(self) -> float:
        """Angle of the joint per count, rad."""
        if not self.encoder_counts:
            return 0.0
        return 2 * math.pi / (self.encoder_counts * self.gear_ratio)

    @property
    def brake_damping(self) -> float:
        """Damping of the joint while the motor is shorted, (k N)²/R, N m s/rad."""
        return (self.torque_constant * self.gear_ratio) ** 2 / self.resistance


# gear ratio, rotor inertia, sliding friction, viscous friction, largest torque. Only the range of
# the ratios, 100 to 160, and 4096 counts are published; all else is assumed.
_VISHARD10 = (
    (160, 4.0e-5, 4.0, 3.0, 180.0),
    (160, 4.0e-5, 4.0, 3.0, 140.0),
    (160, 3.0e-5, 3.0, 2.0, 110.0),
    (120, 3.0e-5, 2.0, 1.5, 80.0),
    (120, 3.0e-5, 2.0, 1.5, 110.0),
    (160, 3.0e-5, 3.0, 2.0, 110.0),
    (120, 2.0e-5, 2.0, 1.0, 80.0),
    (100, 1.0e-5, 0.8, 0.4, 26.0),
    (100, 1.0e-5, 0.6, 0.3, 13.0),
    (100, 0.4e-5, 0.3, 0.1, 4.8),
)


def vishard10_drives() -> tuple[JointDrive, ...]:
    """Return drives for ViSHARD10: gears and encoders as published, the rest assumed."""
    return tuple(
        JointDrive(rotor, ratio, sliding, 1.3 * sliding, viscous=viscous, max_torque=torque)
        for ratio, rotor, sliding, viscous, torque in _VISHARD10
    )


def drives_for(model: Model) -> tuple[JointDrive, ...]:
    """Return drives of a model: those of ViSHARD10, or assumed ones.

    These have the torques and, where it gives one, the armature of the model.
    """
    if model.name.startswith("vishard10") and model.n_dof == len(_VISHARD10):
        return vishard10_drives()
    return tuple(
        _assumed_drive(body.joint) for body in model.bodies if body.joint.kind == "revolute"
    )


def _assumed_drive(joint: Joint) -> JointDrive:
    drive = JointDrive(max_torque=joint.effort if 0 < joint.effort < math.inf else 60.0)
    if not joint.armature:
        return drive
    return replace(drive, rotor_inertia=joint.armature / drive.gear_ratio**2)


def link_inertia(posture: Posture) -> Array:
    """Return the mass matrix of the links alone: drives bring the inertia of their own rotors."""
    return posture.mass_matrix - np.diag(tables_of(posture.model).armature)


def pack_drives(drives: Sequence[JointDrive], effective: Array) -> Array:
    """Return the table of the kernels; `effective` is the inertia each joint moves, kg m²."""
    table = np.empty((layout.N_DRIVE, len(drives)))
    for i, each in enumerate(drives):
        table[:, i] = (
            each.reflected_inertia, each.coulomb, each.viscous, max(each.static, each.coulomb),
            each.stribeck_speed, each.max_torque, each.torque_step, each.encoder_step,
            each.brake_damping, each.max_rate, each.max_lag,
            effective[i] + each.reflected_inertia, each.holding_torque,
        )  # fmt: skip
    return table
