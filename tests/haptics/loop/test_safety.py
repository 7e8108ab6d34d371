"""Safety: each stop is made to happen, and the time to the safe state is measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.driver import DriverLoop, SimulatedDriver
from robotix.haptics.loop.drives import vishard10_drives
from robotix.haptics.loop.environment import PlaneWall
from robotix.haptics.loop.faults import (
    STATED_TIMES,
    run_fault_campaign,
    run_fault_trial,
    summarise_faults,
)
from robotix.haptics.loop.loop import (
    HapticLoop,
    InjectedFault,
    LoopFault,
    LoopOutcome,
    StopReason,
)
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import LoopSettings, OperatorArm, SafetyCircuit
from robotix.kinematics import Posture

TICK = 0.001


def pushing(**safety: float) -> HapticLoop:
    loop = HapticLoop(
        vishard10(), reference_posture(), settings=LoopSettings(safety=SafetyCircuit(**safety)),
        elements=[PlaneWall((-1, 0, 0), -0.602, stiffness=6000, damping=150)],
        arm=OperatorArm(stiffness=0.0, damping=20.0),
    )  # fmt: skip
    loop.push((20.0, 0.0, 0.0))
    loop.run(0.3)
    return loop


def braked_after(outcome: LoopOutcome, start: float) -> float:
    assert outcome.brake_time is not None
    return outcome.brake_time - start


def test_nothing_stops_a_device_that_is_well() -> None:
    assert pushing().run(1.0)[0].reason is StopReason.running


def test_the_dead_man_button_and_the_emergency_stop() -> None:
    for reason in (StopReason.dead_man, StopReason.emergency):
        loop = pushing(relay_delay=0.003)
        if reason is StopReason.dead_man:
            loop.hold_dead_man(False)
        else:
            loop.press_emergency_stop()
        outcome, history = loop.run(0.5)
        assert outcome.reason is reason
        assert braked_after(outcome, 0.3) <= 0.003 + 1.5 * TICK
        after = np.linalg.norm(history.velocities[20:], axis=1)
        assert after.max() < 0.25  # the hand still pushes with 20 N


def test_the_brake_is_stronger_than_no_motor() -> None:
    speeds = []
    for resistance in (1.0, 1e9):  # shorted, and as good as open
        drives = tuple(replace(each, resistance=resistance) for each in vishard10_drives())
        loop = HapticLoop(vishard10(), reference_posture(), drives=drives,
                          arm=OperatorArm(stiffness=0.0))  # fmt: skip
        loop.push((0.0, 30.0, 0.0))
        loop.press_emergency_stop()
        loop.run(0.3)
        speeds.append(float(np.linalg.norm(loop.dq)))
    assert speeds[0] < 0.5 * speeds[1]


def test_the_force_limit() -> None:
    loop = pushing(max_force=60.0)
    loop.push((100.0, 0.0, 0.0))
    outcome, history = loop.run(0.5)
    assert outcome.reason is StopReason.force
    assert outcome.stop_time is not None
    late = round((outcome.stop_time - 0.3) / TICK)
    assert np.linalg.norm(history.hand_forces[: max(late - 1, 1)], axis=1).max() <= 60.0
    assert braked_after(outcome, outcome.stop_time) <= 0.002 + 1.5 * TICK


def test_a_fast_joint_is_stopped_by_either_counter() -> None:
    slow = tuple(replace(each, max_rate=0.4, max_lag=10.0) for each in vishard10_drives())
    loop = HapticLoop(vishard10(), reference_posture(), drives=slow,
                      arm=OperatorArm(stiffness=0.0))  # fmt: skip
    loop.push((0.0, 60.0, 0.0))
    outcome, history = loop.run(1.0)
    assert outcome.reason is StopReason.rate
    assert outcome.stop_time is not None
    k = round(outcome.stop_time / TICK)  # a window of 10 ms later than 0.4 rad/s at the latest
    assert history.velocities[: k - 20, 1].max() < 0.4
    # the encoder of channel A is frozen, and channel B counts on
    loop = HapticLoop(
        vishard10(), reference_posture(), drives=slow, arm=OperatorArm(stiffness=0.0),
        settings=LoopSettings(safety=SafetyCircuit(max_slip=1e3)),
    )  # fmt: skip
    loop.push((0.0, 60.0, 0.0))
    outcome, _ = loop.run(1.0, fault=InjectedFault(LoopFault.encoder_frozen, 0.05))
    assert outcome.reason is StopReason.rate


def test_the_watchdog_waits_its_time_and_no_longer() -> None:
    for late in (3, 4):
        outcome, _ = pushing().run(0.2, fault=InjectedFault(LoopFault.controller_late, 0.05, late))
        assert outcome.reason is StopReason.running
    outcome, _ = pushing().run(0.2, fault=InjectedFault(LoopFault.controller_late, 0.05, 6))
    assert outcome.reason is StopReason.watchdog
    assert braked_after(outcome, 0.35) <= STATED_TIMES[LoopFault.controller_late]


def test_a_joint_that_does_not_follow_is_stopped() -> None:
    stiff = tuple(replace(each, coulomb=500.0, static=500.0) for each in vishard10_drives())
    loop = HapticLoop(vishard10(), reference_posture(), drives=stiff)
    loop.push((0.0, 40.0, 0.0))
    assert loop.run(1.0)[0].reason is StopReason.lag


@pytest.mark.parametrize("fault", list(LoopFault))
def test_faults_while_pushing_into_a_wall(fault: LoopFault) -> None:
    for seed in range(4):
        trial = run_fault_trial(fault, seed)
        assert trial.is_safe, trial


@pytest.mark.soak
def test_a_thousand_faults() -> None:
    done = run_fault_campaign(1000, seed=0, threads=2)
    bad = [each for each in done if not each.is_safe]
    assert not bad, bad[:5]
    assert sum(each.trials for each in summarise_faults(done)) == 1000


def test_a_computer_drives_the_twin_through_its_driver() -> None:
    device = HapticLoop(vishard10(), reference_posture(), arm=OperatorArm(stiffness=0, damping=20))
    device.push((20.0, 0.0, 0.0))
    driver = SimulatedDriver(device)
    wall = PlaneWall((-1, 0, 0), -0.602, stiffness=6000, damping=150)
    computer = DriverLoop(driver, elements=[wall])
    for _ in range(1500):
        reading = computer.step()
    assert reading.reason is StopReason.running
    assert computer.rendered[0] == pytest.approx(20.0, rel=0.1)
    assert device.position[0] == pytest.approx(0.602 + 20 / 6000, abs=1.5e-3)
    driver.skip()
    for _ in range(10):
        driver.skip()
    assert driver.read().reason is StopReason.watchdog
    assert device.outcome().brake_time is not None


def test_a_driver_takes_torques_that_are_no_numbers_for_a_stop() -> None:
    driver = SimulatedDriver(HapticLoop(vishard10(), reference_posture()))
    driver.write(np.full(10, np.nan))
    for _ in range(5):
        driver.write(np.zeros(10))
    assert driver.read().reason is StopReason.sensor
    with pytest.raises(ValueError, match="10 torques"):
        driver.write(np.zeros(3))
    closed = SimulatedDriver(HapticLoop(vishard10(), reference_posture()))
    closed.close()
    closed.skip()
    assert closed.read().reason is StopReason.emergency


def test_a_reading_without_numbers_becomes_torques_without_numbers() -> None:
    computer = HapticLoop(vishard10(), reference_posture(), is_computer=True)
    assert np.isnan(computer.compute(reference_posture(), np.full(6, np.nan))).all()
    assert np.isfinite(computer.compute(reference_posture(), np.zeros(6))).all()
    with pytest.raises(ValueError, match="10 angles"):
        computer.compute(np.zeros(3), np.zeros(6))


@pytest.mark.parametrize("brakes", [False, True])
def test_shorted_motors_let_the_lift_sink_and_brakes_hold_it(brakes: bool) -> None:
    """Joints 1 to 5 are vertical; the weight is on joints 6 and 7."""
    drives = list(vishard10_drives())
    if brakes:
        drives[5] = replace(drives[5], holding_torque=25.0)
        drives[6] = replace(drives[6], holding_torque=15.0)
    for z in (-0.25, 0.0, 0.25):
        q0 = reference_posture(z=z)
        np.testing.assert_allclose(Posture(vishard10(), q0).gravity_torques[:5], 0.0, atol=1e-9)
        nobody = OperatorArm(
            stiffness=0.0, grip_stiffness=0.0, grip_damping=0.0, turn_stiffness=0.0,
            turn_damping=0.0,
        )  # fmt: skip
        loop = HapticLoop(vishard10(), q0, arm=nobody, drives=drives)
        loop.press_emergency_stop()
        _, history = loop.run(1.0)
        fastest = np.linalg.norm(history.velocities, axis=1).max()
        sunk = history.positions[0, 2] - history.positions[-1, 2]
        if brakes:
            assert fastest < 0.01
            assert abs(sunk) < 1e-3
        else:
            assert 0.03 < fastest < 0.12  # m/s
            assert 0.02 < sunk < 0.12  # m
