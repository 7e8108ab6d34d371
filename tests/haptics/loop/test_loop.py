"""The loop of the whole device: laws of its parts, in closed form where there is one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import height_joints, posture_above, vishard10
from robotix.haptics.loop.driver import SimulatedDriver
from robotix.haptics.loop.drives import JointDrive, vishard10_drives
from robotix.haptics.loop.environment import FreeDamping, HapticElement, PlaneWall
from robotix.haptics.loop.loop import HapticLoop, StopReason, run_loops
from robotix.haptics.loop.settings import (
    DisplayMode,
    ForceSensor,
    JointServo,
    LoopSettings,
    OperatorArm,
    ServoKind,
    VirtualHandle,
)
from robotix.kinematics import Posture
from robotix.model.robots import load

FREE_ARM = OperatorArm(mass=1.0, damping=0.0, stiffness=0.0)  # pushes, and nothing else


def start() -> Array:
    return posture_above(
        0.6, bends=(-0.8, -0.8), wrist=(math.pi / 2, 0.0, -0.75 * math.pi, 0.0),
        height=height_joints(-0.2),
    )  # fmt: skip


def make(
    settings: LoopSettings | None = None,
    *elements: HapticElement,
    arm: OperatorArm = FREE_ARM,
    drives: tuple[JointDrive, ...] | None = None,
) -> HapticLoop:
    return HapticLoop(
        vishard10(), start(), settings=settings, elements=elements, arm=arm, drives=drives
    )


def smooth_drives() -> tuple[JointDrive, ...]:
    return tuple(
        replace(each, coulomb=0.0, static=0.0, viscous=0.0, encoder_counts=0, max_rate=1e3)
        for each in vishard10_drives()
    )


@pytest.mark.parametrize("is_partitioned", [False, True])
@pytest.mark.parametrize("direction", [(1, 0, 0), (0, -1, 0), (0, 0, 1)])
def test_the_handle_feels_as_heavy_as_the_virtual_mass(
    direction: tuple[int, int, int], is_partitioned: bool
) -> None:
    loop = make(LoopSettings(is_partitioned=is_partitioned, handle=VirtualHandle(mass=9.0)))
    loop.push(10.0 * np.array(direction))
    _, history = loop.run(0.5)
    along = history.velocities @ np.array(direction)
    mass = 10.0 / (9.0 + 1.0)  # of handle and hand
    slope = (along[-1] - along[250]) / (history.times[-1] - history.times[250])
    assert slope == pytest.approx(mass, rel=0.05)
    across = history.velocities[-1] - along[-1] * np.array(direction)
    assert np.linalg.norm(across) < 0.05 * along[-1]


def test_a_wall_is_pressed_in_by_force_over_stiffness() -> None:
    loop = make()
    x = loop.position[0]
    wall = PlaneWall((-1, 0, 0), -x, stiffness=4000, damping=200)
    loop = make(LoopSettings(), wall, arm=OperatorArm(stiffness=0.0, damping=20.0))
    loop.push((20.0, 0, 0))
    outcome, history = loop.run(2.0)
    assert outcome.is_stable
    assert history.rendered[-1, 0] == pytest.approx(20.0, rel=0.05)  # along the push
    assert history.positions[-1, 0] - x == pytest.approx(20 / 4000, abs=1e-3)


def test_free_damping_ends_in_a_steady_speed() -> None:
    loop = make(LoopSettings(handle=VirtualHandle(mass=5.0)), FreeDamping(60.0))
    loop.push((0, 6.0, 0))
    _, history = loop.run(1.0)
    assert history.velocities[-1, 1] == pytest.approx(6 / 60, rel=0.05)


def test_without_friction_energy_is_kept() -> None:
    loop = make(LoopSettings(rate=8000.0), arm=replace(FREE_ARM, grip_stiffness=0, grip_damping=0,
                turn_stiffness=0, turn_damping=0), drives=smooth_drives())  # fmt: skip
    driver, energies = SimulatedDriver(loop), []
    for _ in range(2000):
        driver.write(np.zeros(10))  # it falls
        energies.append(loop.mechanical_energy())
    speed = abs(loop.dq).max()
    assert speed > 0.5
    moving = 0.5 * float(loop.dq @ np.diag(loop._drives[0]) @ loop.dq)
    assert np.ptp(energies) < 0.02 * moving


def test_dry_friction_sticks_and_then_slides() -> None:
    model, rest = vishard10(), np.zeros(10)
    loop = make(arm=replace(FREE_ARM, grip_stiffness=0, grip_damping=0, turn_stiffness=0,
                            turn_damping=0))  # fmt: skip
    driver = SimulatedDriver(loop)
    carried = np.array(Posture(model, loop.q).gravity_torques)
    first = vishard10_drives()[0]
    for _ in range(200):
        rest[0] = 0.95 * first.static
        driver.write(carried + rest)
    assert abs(loop.dq[0]) < 1e-12
    for _ in range(200):
        rest[0] = 2.0 * first.static
        driver.write(carried + rest)
    assert loop.dq[0] > 0.05


def test_impedance_display_leaves_friction_to_the_hand_and_admittance_hides_it() -> None:
    slow, fast = make(LoopSettings(mode=DisplayMode.impedance)), make()
    for loop in (slow, fast):
        loop.push((0, 8.0, 0))
    (_, stuck), (_, moved) = slow.run(0.4), fast.run(0.4)
    assert abs(stuck.positions[-1] - stuck.positions[0]).max() < 2e-3
    assert moved.positions[-1, 1] - moved.positions[0, 1] > 0.02


@pytest.mark.parametrize("mode", list(DisplayMode))
@pytest.mark.parametrize("kind", list(ServoKind))
def test_every_display_and_servo_runs_with_noise_steps_and_delay(
    mode: DisplayMode, kind: ServoKind
) -> None:
    drives = tuple(replace(each, torque_step=each.max_torque / 2048) for each in vishard10_drives())
    settings = LoopSettings(
        mode=mode, servo=JointServo(kind=kind, frequency=60.0), step_length=0.3,
        sensor=ForceSensor(0.1, 0.01, step=0.05, delay=0.001, cutoff=200.0),
        has_passivity_control=True,
    )  # fmt: skip
    loop = make(settings, FreeDamping(30.0), arm=OperatorArm(), drives=drives)
    loop.push((5.0, 5.0, 3.0))
    outcome, history = loop.run(0.5)
    assert outcome.reason is StopReason.running
    assert np.isfinite(history.positions).all()
    assert abs(history.positions[-1] - history.positions[0]).max() < 0.2


def test_runs_repeat_and_threads_change_nothing() -> None:
    settings = LoopSettings(sensor=ForceSensor(force_noise=0.2))
    loops = [make(settings, FreeDamping(10.0)) for _ in range(4)]
    outcomes = run_loops(loops, 0.1, threads=2)
    assert len({each.max_speed for each in outcomes}) == 1
    other = HapticLoop(vishard10(), start(), settings=settings, elements=[FreeDamping(10.0)],
                       arm=FREE_ARM, seed=2)  # fmt: skip
    assert other.run(0.1)[0].max_speed != outcomes[0].max_speed


def test_torques_saturate() -> None:
    weak = tuple(replace(each, max_torque=0.5) for each in vishard10_drives())
    outcome, history = make(drives=weak).run(0.05)
    assert outcome.saturations > 0
    assert history.loads.max() <= 1.0


@pytest.mark.parametrize(("name", "q0"), [
    ("ur5", [0.0, -1.2, 1.8, -0.6, 1.2, 0.0]),
    ("panda", [0.0, 0.3, 0.0, -1.8, 0.0, 2.1, 0.8]),
])  # fmt: skip
def test_arms_of_six_and_seven_joints_run(name: str, q0: list[float]) -> None:
    loop = HapticLoop(load(name), q0, arm=FREE_ARM)
    loop.push((0.0, 0.0, 8.0))
    outcome, history = loop.run(0.4)
    assert outcome.reason is StopReason.running
    slope = (history.velocities[-1, 2] - history.velocities[200, 2]) / 0.199
    assert slope == pytest.approx(8 / 9, rel=0.1)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(BadField, match="finite angles"):
        HapticLoop(vishard10(), [0.0, math.nan])
    with pytest.raises(BadField, match="is_partitioned"):
        HapticLoop(load("ur5"), np.zeros(6), settings=LoopSettings(is_partitioned=True))
    with pytest.raises(BadField, match="substeps resolve"):
        make(arm=OperatorArm(mass=1e-6))
    with pytest.raises(BadField, match="at most 64 samples"):
        LoopSettings(sensor=ForceSensor(delay=1.0))
    with pytest.raises(BadField, match="three finite numbers"):
        make().push((math.nan, 0, 0))
    with pytest.raises(BadField, match="rows of six"):
        make().run(0.1, inputs=np.zeros((3, 6)))
    with pytest.raises(BadField, match="positive"):
        VirtualHandle(mass=0.0)
    with pytest.raises(BadField, match="one for each of 10"):
        HapticLoop(vishard10(), start(), drives=vishard10_drives()[:3])
    with pytest.raises(BadField, match="serial arm"):
        HapticLoop(load("kuka_lwr_rail"), np.zeros(8))
