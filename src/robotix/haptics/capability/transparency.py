"""What a hand feels of a remote arm through ViSHARD10: measured in the whole loop, axis by axis.

The handle is the device in its loop, with all its joints, sensors and motors, as an admittance.
The remote arm has the inertia that a robot of the library has at its tip, with all couplings
between the axes, and presses against springs. A hand shakes the handle along and about every axis;
from the six runs of a frequency the impedance (6, 6) follows: forces = Z · velocities.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import expm

from robotix.errors import RobotixError
from robotix.geometry import Array, log_rotation
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.environment import GivenWrench
from robotix.haptics.loop.loop import HapticLoop
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import LoopSettings, OperatorArm, VirtualHandle
from robotix.haptics.teleoperation.channels import ChannelArchitecture
from robotix.haptics.teleoperation.spatial import (
    SpatialEnvironment,
    SpatialImpedance,
    SpatialTeleoperator,
)
from robotix.kinematics import Posture
from robotix.kinematics.sampling import sample_postures
from robotix.model import Model

__all__ = [
    "DeviceTeleoperation",
    "UnstableTeleoperator",
    "default_environment",
    "make_teleoperator",
    "measure_impedance",
]

HANDLE = VirtualHandle(mass=4.0, inertia=0.1, damping=25.0, turn_damping=0.5)
HAND = OperatorArm(mass=1.0, damping=10.0, stiffness=200.0)
PUSH, TORQUE = 5.0, 0.15  # N and N m, with which the hand shakes
SETTLING, PERIODS, SHORTEST = 1.0, 3, 0.6  # s, whole periods, s: what is left out, and measured
CANDIDATES = 60  # postures of the arm, of which the most dexterous is taken


def default_environment(stiffness: float = 1000.0, damping: float = 5.0) -> SpatialEnvironment:
    """Return springs and dampers along all axes; about them, a hundredth of the numbers."""
    weights = np.array([1, 1, 1, 0.01, 0.01, 0.01])
    return SpatialEnvironment(stiffness * weights, damping * weights)


def arm_inertia(model: Model, *, seed: int = 0) -> Array:
    """Return (J M⁻¹ Jᵀ)⁻¹ of an arm, (6, 6), in the most dexterous of some random postures."""
    best, found = 0.0, np.eye(6)
    for q in sample_postures(model, CANDIDATES, rng=np.random.default_rng(seed)):
        posture = Posture(model, q)
        J = np.array(posture.jacobian())
        dexterity = float(np.linalg.svd(J, compute_uv=False)[-1]) if model.n_dof >= 6 else 0.0
        if dexterity > best:
            best = dexterity
            found = np.linalg.inv(J @ np.linalg.solve(np.array(posture.mass_matrix), J.T))
    if best < 1e-3:
        raise ValueError(f"{model.name!r} cannot move along and about all axes; take another arm")
    return np.asarray((found + found.T) / 2)


def make_teleoperator(
    arm: Model, *, delay: float = 0.0, handle: VirtualHandle = HANDLE, inertia_share: float = 0.8
) -> SpatialTeleoperator:
    """Return ViSHARD10's virtual handle and an arm of the library; coupling and damping chosen."""
    weights = np.array([1, 1, 1, 0.01, 0.01, 0.01])
    return SpatialTeleoperator(
        np.array([handle.mass] * 3 + [handle.inertia] * 3),
        np.array([handle.damping] * 3 + [handle.turn_damping] * 3),
        arm_inertia(arm), 10.0 * weights, 3000.0 * weights, 200.0 * weights,
        delay=delay, inertia_share=inertia_share,
    )  # fmt: skip


class UnstableTeleoperator(RobotixError, ValueError):
    """The safety circuit has stopped the device, since the whole is unstable."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)

    def __str__(self) -> str:
        return f"unstable: the safety circuit has stopped the device ({self.args[0]})"


class DeviceTeleoperation:
    """ViSHARD10 in its loop, and a remote arm that presses against springs; one `step` a sample.

    The arm is linear, and moved on exactly while its inputs are held for a sample.
    """

    def __init__(
        self,
        system: SpatialTeleoperator,
        environment: SpatialEnvironment,
        architecture: ChannelArchitecture,
        *,
        settings: LoopSettings | None = None,
        hand: OperatorArm = HAND,
    ) -> None:
        self.system, self.environment = system, environment
        self.is_four = architecture is ChannelArchitecture.four_channel
        inertia, damping = np.diag(system.handle_inertia), np.diag(system.handle_damping)
        handle = VirtualHandle(
            mass=float(inertia[0]), inertia=float(inertia[3]), damping=float(damping[0]),
            turn_damping=float(damping[3]),
        )  # fmt: skip
        settings = replace(settings or LoopSettings(), handle=handle)
        self.loop = HapticLoop(
            vishard10(), reference_posture(), settings=settings, arm=hand,
            elements=[GivenWrench((0.0,) * 6)],
        )  # fmt: skip
        self.period = 1 / settings.rate
        late = round(system.delay * settings.rate)
        self._there = deque([(np.zeros(6),) * 4] * late)  # motion and force, to the arm
        self._back = deque([np.zeros(6)] * late)  # to the handle
        self._start = self.loop.virtual_pose
        self._state, self._acceleration = np.zeros(12), np.zeros(6)
        self._twist = np.zeros(6)
        self._advance, self._gain = self._arm_steps()

    @property
    def arm_position(self) -> Array:
        """Displacement and rotation vector of the arm's tip, (6,)."""
        return self._state[:6].copy()

    @property
    def force(self) -> Array:
        """Wrench of the arm on its environment, (6,)."""
        e, x = self.environment, self._state
        return np.asarray(e.stiffness @ x[:6] + e.damping @ x[6:])

    def step(self) -> None:
        """Move both on by one sample."""
        system, before = self.system, self._state[6:].copy()
        self._there.append(self._motion())
        x_m, v_m, a_m, f_h = self._there.popleft()
        pull = system.coupling_stiffness @ x_m + system.coupling_damping @ v_m
        if self.is_four:
            pull = pull + system.arm_damping @ v_m + f_h
            pull = pull + system.inertia_share * (system.arm_inertia @ a_m)
        self._state = self._advance @ self._state + self._gain @ pull
        self._acceleration = (self._state[6:] - before) / self.period
        felt = self.force
        if self.is_four:
            felt = felt - system.handle_damping @ self._state[6:]
            felt = felt - system.inertia_share * (system.handle_inertia @ self._acceleration)
        self._back.append(felt)
        late = self._back.popleft()
        self.loop.replace_element(0, GivenWrench(tuple(float(each) for each in late)))
        self.loop.step()

    def _motion(self) -> tuple[Array, Array, Array, Array]:
        """Return displacement, twist, acceleration of the virtual handle, and the hand's force."""
        pose, twist = self.loop.virtual_pose, self.loop.virtual_twist
        moved = pose.translation - self._start.translation
        turned = log_rotation(pose.rotation @ self._start.rotation.T)
        acceleration = (twist - self._twist) / self.period
        self._twist = twist
        return np.concatenate([moved, turned]), twist, acceleration, self.loop.hand_wrench

    def _arm_steps(self) -> tuple[Array, Array]:
        """Return how a sample moves the arm's state, and what a held wrench adds to it."""
        system, e = self.system, self.environment
        inverse = np.linalg.inv(system.arm_inertia)
        A = np.zeros((18, 18))
        A[:6, 6:12] = np.eye(6)
        A[6:12, :6] = -inverse @ (system.coupling_stiffness + e.stiffness)
        A[6:12, 6:12] = -inverse @ (system.coupling_damping + system.arm_damping + e.damping)
        A[6:12, 12:] = inverse
        whole = np.asarray(expm(A * self.period))
        return whole[:12, :12], whole[:12, 12:]


def measure_impedance(
    system: SpatialTeleoperator,
    environment: SpatialEnvironment,
    architecture: ChannelArchitecture,
    *,
    frequencies: ArrayLike,
    settings: LoopSettings | None = None,
    advance: Callable[[], None] | None = None,
) -> SpatialImpedance:
    """Shake the handle along and about every axis, and return what the hand felt.

    `advance` is called after every run, of which there are six a frequency. Raise
    `UnstableTeleoperator` if the device is stopped.
    """
    f, felt = np.asarray(frequencies, dtype=float), []
    for frequency in f:
        forces, velocities = np.zeros((6, 6), complex), np.zeros((6, 6), complex)
        for axis in range(6):
            rig = DeviceTeleoperation(system, environment, architecture, settings=settings)
            forces[:, axis], velocities[:, axis] = _shake(rig, axis, float(frequency))
            if advance is not None:
                advance()
        felt.append(forces @ np.linalg.inv(velocities))
    there = [environment.impedance(2j * np.pi * each) for each in f]
    return SpatialImpedance(f, np.array(felt), np.array(there))


def _shake(rig: DeviceTeleoperation, axis: int, frequency: float) -> tuple[Array, Array]:
    """Return the complex amplitudes of the hand's wrench and of the handle's twist, (6,) each."""
    rate = 1 / rig.period
    start = round(SETTLING * rate)
    periods = max(PERIODS, round(SHORTEST * frequency))
    count = round(periods * rate / frequency)
    direction, size = np.zeros(6), PUSH if axis < 3 else TORQUE
    direction[axis] = size
    force, velocity = np.zeros(6, complex), np.zeros(6, complex)
    for k in range(start + count):
        wave = np.sin(2 * np.pi * frequency * k / rate)
        rig.loop.push(direction[:3] * wave)
        rig.loop.turn(direction[3:] * wave)
        rig.step()
        if k >= start:
            turn = np.exp(-2j * np.pi * frequency * k / rate)
            force += rig.loop.hand_wrench * turn
            velocity += rig.loop.twist * turn
    reason = rig.loop.outcome().reason.value
    if reason != "running":
        raise UnstableTeleoperator(reason)
    return force / count, velocity / count
