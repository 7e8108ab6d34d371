"""Where the whole device is stable before a wall, beside a device of one degree of freedom.

Every cell is a run of the full loop: ten joints with their dynamics, friction and saturation,
counted angles, force sensor, hand. The same trial is run with one degree of freedom, whose mass and
damping are those that the display shows: the virtual ones of an admittance, or the device's own
with impedance display, for which [Colgate1997] states where a wall is passive.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.drives import drives_for, link_inertia
from robotix.haptics.loop.environment import PlaneWall
from robotix.haptics.loop.loop import HapticLoop, StopReason
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import (
    DisplayMode,
    ForceSensor,
    LoopSettings,
    OperatorArm,
    VirtualHandle,
)
from robotix.haptics.walls.parameter_map import (
    MapAxis,
    ParameterMap,
    make_parameter_map,
    with_parameter,
)
from robotix.haptics.walls.wall import OperatorHand, SampledDevice, VirtualWall, WallTrial
from robotix.kinematics import Posture
from robotix.model import Model

__all__ = [
    "DEVICE_AXES", "DeviceCell", "DeviceStabilityMap", "default_trial", "equivalent_device",
    "make_device_map", "run_device_cell",
]  # fmt: skip

START, GAP = 0.6, 0.002  # m: of the handle, and from there to the wall
STILL = 1e-4  # m; what moves less in the last quarter of a run hunts, but does not oscillate
LEAK = 1e-5  # J, given to the hand; less is the noise of counted angles
DEVICE_AXES = ("damping", "rate", "delay", "device_mass", "device_damping", "hand_stiffness")


@dataclass(frozen=True)
class DeviceCell:
    """What became of one run."""

    is_stable: bool
    leak: float  # J, the most that the device has given to the hand beyond what it had been given
    penetration: float  # m
    reason: StopReason


@dataclass(frozen=True, eq=False)
class DeviceStabilityMap:
    """A device over stiffness and another parameter, and the same of one degree of freedom."""

    mode: DisplayMode
    device: ParameterMap  # of the whole device
    single: ParameterMap  # of one degree of freedom
    equivalent: SampledDevice  # its mass and damping
    reasons: NDArray[np.object_]  # (m, n), StopReason

    @property
    def stable_limits(self) -> tuple[Array, Array]:
        """Largest stiffness up to which all runs are stable, (m,) each: device, single."""
        return self.device.stable_limits, self.single.stable_limits


def default_trial() -> WallTrial:
    """Return the trial of the command: a light virtual handle, and a hand that pushes with 30 N."""
    return WallTrial(
        VirtualWall(1e4), SampledDevice(mass=2.0, damping=5.0),
        OperatorHand(mass=1.5, damping=20.0, push=30.0), seconds=1.5,
    )  # fmt: skip


def equivalent_device(trial: WallTrial, mode: DisplayMode, model: Model) -> SampledDevice:
    """Return a device of one degree of freedom with the mass and damping felt along x."""
    if mode is not DisplayMode.impedance:
        return trial.device  # the virtual ones
    posture, drives = Posture(model, reference_posture(START)), drives_for(model)
    J = np.array(posture.jacobian())[:1]
    M = link_inertia(posture) + np.diag([each.reflected_inertia for each in drives])
    gain = np.linalg.solve(M, J.T) / (J @ np.linalg.solve(M, J.T))  # dq for 1 m/s along x
    viscous = np.array([each.viscous for each in drives])
    mass = float(1 / (J @ np.linalg.solve(M, J.T))[0, 0])
    return replace(trial.device, mass=mass, damping=float(viscous @ gain[:, 0] ** 2))


def run_device_cell(trial: WallTrial, mode: DisplayMode, model: Model) -> DeviceCell:
    """Push the handle of a device along x into a wall 2 mm before it, as a trial describes.

    Its device is the virtual handle of an admittance; the delay is that of the force sensor.
    """
    wall, device, hand = trial.wall, trial.device, trial.hand
    if hand.mass <= 0:
        raise BadField("hand_mass", "a positive mass in kg: a device is held by a hand", hand.mass)
    settings = LoopSettings(
        mode=mode, rate=device.rate, sensor=ForceSensor(delay=device.delay),
        handle=VirtualHandle(mass=device.mass, damping=device.damping),
    )  # fmt: skip
    loop = HapticLoop(
        model, reference_posture(START), settings=settings,
        elements=[PlaneWall((-1.0, 0.0, 0.0), -(START + GAP), stiffness=wall.stiffness,
                            damping=wall.damping, hysteresis=wall.hysteresis)],
        arm=OperatorArm(mass=hand.mass, damping=hand.damping, stiffness=hand.stiffness,
                        strength=hand.max_force),
    )  # fmt: skip
    loop.push((hand.push, 0.0, 0.0))
    outcome, history = loop.run(trial.seconds)
    last = history.positions[3 * len(history.positions) // 4 :]
    is_still = bool(np.ptp(last, axis=0).max() < STILL)
    leak = max(-float(history.port_energy.min()), 0.0)
    return DeviceCell(
        outcome.reason is StopReason.running and (is_still or outcome.is_settled),
        leak if leak > LEAK else 0.0, outcome.max_penetration, outcome.reason,
    )  # fmt: skip


def make_device_map(
    trial: WallTrial,
    stiffness: Array,
    y: MapAxis,
    *,
    mode: DisplayMode = DisplayMode.admittance,
    threads: int | None = None,
    advance: Callable[[int], None] | None = None,
) -> DeviceStabilityMap:
    """Run ViSHARD10 for every stiffness and value of `y`; `advance` gets the cells done."""
    if y.name not in DEVICE_AXES:
        raise BadField("y", ", ".join(DEVICE_AXES), y.name)
    x, model = MapAxis("stiffness", stiffness), vishard10()
    m, n = len(y.values), len(x.values)
    cells = [
        with_parameter(with_parameter(trial, y.name, float(b)), "stiffness", float(k))
        for b in y.values for k in x.values
    ]  # fmt: skip
    done: list[DeviceCell] = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for cell in pool.map(lambda each: run_device_cell(each, mode, model), cells):
            done.append(cell)
            if advance is not None:
                advance(1)
    equivalent = equivalent_device(trial, mode, model)
    single = make_parameter_map(replace(trial, device=equivalent), x, y, threads=threads or 1)
    whole = replace(
        single, trial=trial,
        is_stable=np.array([each.is_stable for each in done]).reshape(m, n),
        energy_leak=np.array([each.leak for each in done]).reshape(m, n),
    )  # fmt: skip
    reasons = np.array([each.reason for each in done], dtype=object).reshape(m, n)
    return DeviceStabilityMap(mode, whole, single, equivalent, reasons)
