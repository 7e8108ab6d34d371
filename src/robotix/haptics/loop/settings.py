"""Settings of a loop: what is displayed, how the joints follow, when the device is stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.loop import layout

__all__ = [
    "DisplayMode",
    "ForceSensor",
    "JointServo",
    "LoopSettings",
    "OperatorArm",
    "SafetyCircuit",
    "ServoKind",
    "VirtualHandle",
]


class DisplayMode(StrEnum):
    """What is measured and what is displayed: force or motion."""

    admittance = "admittance"  # force in, motion out
    position_impedance = "position_impedance"  # the same, the environment at the measured position
    impedance = "impedance"  # motion in, force out; the force sensor is not used


class ServoKind(StrEnum):
    """How the joints follow their desired motion."""

    computed_torque = "computed_torque"
    independent = "independent"  # every joint for itself, with gravity compensated


def _check(owner: object, *, positive: tuple[str, ...] = (), others: tuple[str, ...] = ()) -> None:
    for name in positive:
        value = getattr(owner, name)
        if not 0 < value < math.inf:
            raise BadField(name, "a positive number", value)
    for name in others:
        value = getattr(owner, name)
        if not 0 <= value < math.inf:
            raise BadField(name, "a finite number, not negative", value)


@dataclass(frozen=True)
class OperatorArm:
    """Hand and arm of the operator: a mass on a spring and damper, which grips the handle."""

    mass: float = 1.5  # kg
    damping: float = 10.0  # N s/m
    stiffness: float = 100.0  # N/m, to where the hand wants to be; 0: it only pushes
    grip_stiffness: float = 8000.0  # N/m, between hand and handle; 0: lets go
    grip_damping: float = 20.0  # N s/m
    turn_stiffness: float = 5.0  # N m/rad, of the wrist
    turn_damping: float = 0.2  # N m s/rad
    strength: float = 120.0  # N, at most

    def __post_init__(self) -> None:
        """Raise `BadField` unless mass and strength are positive and the others not negative."""
        _check(
            self, positive=("mass", "strength"),
            others=("damping", "stiffness", "grip_stiffness", "grip_damping", "turn_stiffness",
                    "turn_damping"),
        )  # fmt: skip

    def row(self, position: Array, rotation: Array) -> Array:
        """Return the row of the kernels for a hand that rests at a pose."""
        row = np.zeros(layout.N_HAND)
        row[:8] = (
            self.mass, self.damping, self.stiffness, self.grip_stiffness, self.grip_damping,
            self.turn_stiffness, self.turn_damping, self.strength,
        )  # fmt: skip
        row[layout.HAND_GOAL : layout.HAND_GOAL + 3] = position
        row[layout.HAND_TURN :] = np.asarray(rotation).ravel()
        return row


@dataclass(frozen=True)
class ForceSensor:
    """A six-axis sensor between handle and device."""

    force_noise: float = 0.0  # N, standard deviation
    torque_noise: float = 0.0  # N m
    step: float = 0.0  # N and N m
    delay: float = 0.0  # s, rounded to whole samples
    cutoff: float = 0.0  # Hz, of a low-pass filter; 0: none

    def __post_init__(self) -> None:
        """Raise `BadField` for negative numbers."""
        _check(self, others=("force_noise", "torque_noise", "step", "delay", "cutoff"))


@dataclass(frozen=True)
class VirtualHandle:
    """What the handle feels like in free space: the mass, inertia and damping of the admittance."""

    mass: float = 8.0  # kg
    inertia: float = 0.2  # kg m²
    damping: float = 0.0  # N s/m
    turn_damping: float = 0.5  # N m s/rad
    locks_orientation: bool = False
    max_speed: float = 2.0  # m/s

    def __post_init__(self) -> None:
        """Raise `BadField` unless masses and the speed are positive."""
        _check(self, positive=("mass", "inertia", "max_speed"), others=("damping", "turn_damping"))


@dataclass(frozen=True)
class JointServo:
    """The inner loop, and what impedance display does instead."""

    kind: ServoKind = ServoKind.computed_torque
    frequency: float = 100.0  # rad/s
    damping: float = 1.0  # of the error: 1 is critical
    rate_cutoff: float = 150.0  # Hz, of the filter of joint rates
    friction_share: float = 0.8  # of the sliding friction that is compensated
    force_share: float = 1.0  # of the measured force that is compensated
    null_stiffness: float = 20.0  # N m/rad, impedance display: of the joints' self-motion
    null_damping: float = 2.0  # N m s/rad
    turn_stiffness: float = 20.0  # N m/rad, impedance display: holds the orientation
    turn_damping: float = 0.5  # N m s/rad

    def __post_init__(self) -> None:
        """Raise `BadField` for negative numbers."""
        _check(
            self, positive=("frequency", "rate_cutoff"),
            others=("damping", "friction_share", "force_share", "null_stiffness", "null_damping",
                    "turn_stiffness", "turn_damping"),
        )  # fmt: skip


@dataclass(frozen=True)
class SafetyCircuit:
    """When the device is stopped, whatever its computer says."""

    watchdog: float = 0.004  # s without fresh torques
    counter_window: float = 0.01  # s, in which pulses are counted
    relay_delay: float = 0.002  # s until the motors are shorted
    max_force: float = 200.0  # N, of the hand
    max_slip: float = 0.003  # rad, that the two counters of a joint may disagree

    def __post_init__(self) -> None:
        """Raise `BadField` unless all are positive, but for the relay, which may be instant."""
        _check(
            self, positive=("watchdog", "counter_window", "max_force", "max_slip"),
            others=("relay_delay",),
        )  # fmt: skip


@dataclass(frozen=True)
class LoopSettings:
    """A loop of the whole device."""

    mode: DisplayMode = DisplayMode.admittance
    rate: float = 1000.0  # Hz
    substeps: int = 8  # of the simulated device, per sample
    is_partitioned: bool = False  # resolve ViSHARD10 in its three stages
    step_length: float = 0.0  # α of the self-motion towards manipulability
    has_passivity_control: bool = False
    max_rendered: float = math.inf  # N; a weaker device is emulated by this
    handle: VirtualHandle = field(default_factory=VirtualHandle)
    servo: JointServo = field(default_factory=JointServo)
    sensor: ForceSensor = field(default_factory=ForceSensor)
    safety: SafetyCircuit = field(default_factory=SafetyCircuit)

    def __post_init__(self) -> None:
        """Raise `BadField` for rates, substeps and delays that cannot be run."""
        _check(self, positive=("rate",), others=("step_length",))
        if not self.max_rendered > 0:
            raise BadField("max_rendered", "a positive force in N", self.max_rendered)
        if not 1 <= self.substeps <= 1000:
            raise BadField("substeps", "1 to 1000", self.substeps)
        if self.delay_samples > layout.MAX_DELAY:
            most = layout.MAX_DELAY
            raise BadField("delay", f"at most {most} samples ({most / self.rate:g} s)",
                           self.sensor.delay)  # fmt: skip

    @property
    def delay_samples(self) -> int:
        """The sensor's delay in samples."""
        return round(self.sensor.delay * self.rate)

    def check_hand(self, arm: OperatorArm) -> None:
        """Raise `BadField` for a hand too light for its grip: the substeps could not resolve it."""
        h = 1 / (self.rate * self.substeps)
        if arm.grip_stiffness * h * h > arm.mass or arm.grip_damping * h > 0.5 * arm.mass:
            raise BadField(
                "mass",
                "large enough that the substeps resolve the grip (use more mass, a softer grip, "
                "a higher rate or more substeps)",
                arm.mass,
            )

    def row(self) -> Array:
        """Return the settings in the order of the kernels."""
        modes = {DisplayMode.admittance: layout.ADMITTANCE,
                 DisplayMode.position_impedance: layout.POSITION_IMPEDANCE,
                 DisplayMode.impedance: layout.IMPEDANCE}  # fmt: skip
        is_independent = self.servo.kind is ServoKind.independent
        handle, servo, sensor, safety = self.handle, self.servo, self.sensor, self.safety
        return np.array([
            1 / self.rate, self.substeps, modes[self.mode],
            layout.INDEPENDENT if is_independent else layout.COMPUTED_TORQUE,
            layout.PARTITIONED if self.is_partitioned else layout.FULL,
            self.step_length, self.step_length,
            handle.mass, handle.inertia, handle.damping, handle.turn_damping,
            handle.locks_orientation,
            servo.frequency, servo.damping, servo.rate_cutoff, servo.friction_share,
            servo.force_share, sensor.force_noise, sensor.torque_noise, sensor.step,
            self.delay_samples, sensor.cutoff, self.has_passivity_control,
            servo.null_stiffness, servo.null_damping, servo.turn_stiffness, servo.turn_damping,
            handle.max_speed, safety.watchdog, safety.counter_window, safety.relay_delay,
            safety.max_force, safety.max_slip, self.max_rendered,
        ], dtype=float)  # fmt: skip
