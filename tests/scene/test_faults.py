"""Faults in a scene: where they act, what robots do about them, and what is recorded."""

import math

import numpy as np
import pytest
from support.guarded_arm import guarded_arm, monitor_of

import robotix as rx
from robotix.inputs.readings import Inputs, Reading
from robotix.safety.faults import Fault, FaultKind
from robotix.safety.protection import ProtectionSettings, SafetyReaction
from robotix.scene import Robot, Scene
from robotix.scene.commands.safety import InjectFault, inject
from robotix.scene.console import install_console
from robotix.scene.events.events import Event, Signal

NOW = Event(Signal("test"))
GOAL = [0.6, 0.5, 0.4, 0.8, -0.4, 0.5, 0.3]


def free_arm() -> tuple[Scene, Robot]:
    scene = Scene(dt=0.01)
    return scene, scene.add_robot("arm", rx.load("kuka_lwr"))


def test_a_locked_joint_stays_and_is_free_again() -> None:
    scene, arm = free_arm()
    arm.move(GOAL, ticks=100)
    scene.start(inject(scene, Fault("joint_lock", joint=3, start=0.3, seconds=0.2), robot=arm))
    rows = []
    for _ in range(200):
        scene.step()
        rows.append(arm.q)
    q = np.array(rows)
    still = np.flatnonzero(np.diff(q[:, 2]) == 0.0)
    assert set(range(31, 47)) <= set(still.tolist())
    assert (np.diff(q[31:47, 1]) > 0).all()  # the others go on
    np.testing.assert_allclose(arm.q, GOAL, atol=1e-9)
    (record,) = scene.faults.records
    assert record.end is not None
    assert record.end - record.start == pytest.approx(0.2, abs=0.02)
    assert record.figures()["fault_reacted"] == 0.0


def test_a_joint_without_drive_coasts_to_rest() -> None:
    scene, arm = free_arm()
    arm.move([2.0, 0, 0, 0, 0, 0, 0], ticks=150)
    fault = Fault("drive_failure", joint=1, start=0.6, seconds=9.0, coast=2.0)
    scene.start(inject(scene, fault, robot=arm))
    for _ in range(60):
        scene.step()
    before, speed = arm.q[0], arm.dq[0]
    for _ in range(120):
        scene.step()
    way = speed**2 / (2 * 2.0)  # v² / 2a
    assert arm.q[0] - before == pytest.approx(way, rel=0.05)


def test_a_frozen_encoder_lets_the_joint_run_on() -> None:
    scene, arm = free_arm()
    arm.move(GOAL, ticks=100)
    scene.start(inject(scene, Fault("sensor_freeze", joint=1, start=0.5, seconds=3), robot=arm))
    for _ in range(200):
        scene.step()
    assert arm.q[0] > GOAL[0] + 0.5  # it went on past its goal
    np.testing.assert_allclose(arm.q[1:], GOAL[1:], atol=0.05)


@pytest.mark.parametrize("kind", ["joint_lock", "drive_failure", "sensor_freeze"])
@pytest.mark.parametrize("reaction", ["none", "stop", "retreat"])
def test_reactions_to_joints_are_measured(kind: FaultKind, reaction: SafetyReaction) -> None:
    settings = ProtectionSettings(strategy="none", reaction=reaction)
    scene, arm, _ = guarded_arm(settings, at=(3.0, 0.0))
    arm.move([1.5, -0.5, 0.4, 0.8, -0.4, 0.5, 0.3], ticks=80)
    command = InjectFault(kind, "arm", start=0.6, seconds=2.0, joint=1)
    action = command(scene, NOW)
    assert action is not None
    scene.start(action)
    for _ in range(120):
        scene.step()
    (record,) = scene.faults.records
    figures = record.figures()
    if reaction == "none":
        assert figures["fault_reacted"] == 0.0
        assert "fault_time_to_react" not in figures
    else:
        assert figures["fault_reacted"] == 1.0
        assert 0.0 < figures["fault_time_to_react"] < 0.3
        assert figures["fault_time_to_rest"] >= figures["fault_time_to_react"]
        assert monitor_of(arm).follow_check.has_failed
    assert figures["fault_travel"] > 0.0
    assert figures["fault_min_distance"] > 1.0


def test_a_joint_that_locks_at_rest_is_noticed_with_the_first_motion() -> None:
    settings = ProtectionSettings(strategy="none", reaction="stop")
    scene, arm, _ = guarded_arm(settings, at=(3.0, 0.0))
    scene.start(inject(scene, Fault("joint_lock", joint=1, start=0.1), robot=arm))
    for _ in range(100):
        scene.step()
    assert not monitor_of(arm).follow_check.has_failed  # nothing was asked of it
    first, last = arm.q, 0
    arm.move([1.5, -0.5, 0.4, 0.8, -0.4, 0.5, 0.3], ticks=80)
    while not monitor_of(arm).follow_check.has_failed and last < 80:
        scene.step()
        last += 1
    moved = abs(arm.q - first)
    assert moved[0] == 0.0  # the lock
    assert 0 < last < 40
    assert moved[1:].max() < 2 * settings.follow_error  # the others, until it is noticed


def test_stopping_ends_the_way_sooner_than_going_on() -> None:
    ways = {}
    for reaction in ("none", "stop"):
        settings = ProtectionSettings(strategy="none", reaction=reaction)
        scene, arm, _ = guarded_arm(settings, at=(3.0, 0.0))
        arm.move([1.5, -0.8, 0.4, 0.8, -0.4, 0.5, 0.3], ticks=80)
        scene.start(inject(scene, Fault("sensor_freeze", joint=2, start=0.6), robot=arm))
        for _ in range(120):
            scene.step()
        ways[reaction] = scene.faults.records[0].travel
    assert ways["stop"] < 0.5 * ways["none"]


def test_after_the_fault_a_stopped_robot_goes_on_and_arrives() -> None:
    settings = ProtectionSettings(strategy="none", reaction="stop")
    scene, arm, _ = guarded_arm(settings, at=(3.0, 0.0))
    arm.move(GOAL, ticks=60)
    scene.start(inject(scene, Fault("joint_lock", joint=2, start=0.4, seconds=0.6), robot=arm))
    for _ in range(200):
        scene.step()
    np.testing.assert_allclose(arm.q, GOAL, atol=0.03)


def test_channels_delay_and_lose_readings() -> None:
    scene, arm = free_arm()
    scene.start(inject(scene, Fault("packet_loss", loss=1.0, seconds=1.0), robot=arm))
    seen = []
    for k in range(150):
        scene.step(Inputs({"stick": Reading((k / 150,))}))
        seen.append(scene.inputs.devices["stick"])
    assert not seen[50].live
    assert seen[-1].live
    assert seen[-1].axes == (149 / 150,)


def test_two_faults_at_once_and_clearing() -> None:
    scene, arm = free_arm()
    arm.move(GOAL, ticks=100)
    for joint in (1, 2):
        scene.start(inject(scene, Fault("joint_lock", joint=joint), robot=arm))
    for _ in range(50):
        scene.step()
    assert (arm.q[:2] == 0.0).all()
    assert len(scene.faults.active) == 2
    scene.faults.clear()
    assert arm.faults is None
    assert not scene.faults.active


def test_the_same_seed_is_the_same_run() -> None:
    def run(seed: int) -> tuple[float, int]:
        scene = Scene(dt=0.01, seed=seed)
        arm = scene.add_robot("arm", rx.load("kuka_lwr"))
        scene.start(inject(scene, Fault("joint_lock", spread=0.5, seconds=0.1), robot=arm))
        for _ in range(100):
            scene.step()
        (record,) = scene.faults.records
        return record.start, record.fault.joint

    assert run(1) == run(1)
    assert len({run(seed) for seed in range(8)}) > 3


def test_console_lines_cause_and_end_faults() -> None:
    scene, arm = free_arm()
    install_console(scene)
    scene.step(Inputs(commands=("fault joint_lock joint=2", "move @50;(30, 30, 30, 30, 0, 0, 0)")))
    for _ in range(60):
        scene.step()
    assert arm.q[1] == 0.0 != arm.q[0]
    scene.step(Inputs(commands=("fault off",)))
    assert arm.faults is None
    scene.step(Inputs(commands=("fault joint_lock joint=99",)))
    assert any("joints 1 to 7" in str(message) for message in scene.messages)
    scene.step(Inputs(commands=("fault joint_lok",)))
    assert any("fault takes" in str(message) for message in scene.messages)


def test_a_command_asks_for_a_person() -> None:
    scene, _ = free_arm()
    with pytest.raises(ValueError, match="person"):
        InjectFault("person_steps_in", "arm").check(scene)
    assert math.isinf(InjectFault("joint_lock").fault().seconds)
