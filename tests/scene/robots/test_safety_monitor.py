"""Strategies keep what they promise, in random runs of an arm with a person around it."""

from dataclasses import replace

import numpy as np
import pytest
from support.guarded_arm import PERSON_SPEED, guarded_arm, monitor_of, stroll, wander

from robotix.geometry import Array, Pose
from robotix.safety.protection import ProtectionSettings, SafetyStrategy
from robotix.safety.separation import SeparationSettings
from robotix.scene.robots.safety_monitor import REST_SPEED, SafetyMonitor

RUNS, SOAK_RUNS = 200, 5000
TICKS = 40


def least_slack(seed: int) -> float:
    """Return by how much the person was farther away than the robot needs to rest in time, m.

    At every tick in which it moves: its own way until it rests, the person's way until then, and
    the margin. Inside these, S_p is what is left of it once the robot brakes.
    """
    rng = np.random.default_rng(seed)
    separation = SeparationSettings(
        reaction_time=float(rng.uniform(0.02, 0.25)),
        deceleration=float(rng.uniform(1.0, 10.0)),
        intrusion=float(rng.uniform(0.0, 0.2)),
    )
    settings = ProtectionSettings(strategy="ssm", separation=separation)
    angle, far = rng.uniform(-np.pi, np.pi), rng.uniform(0.9, 1.8)
    at = (far * float(np.cos(angle)), far * float(np.sin(angle)))
    scene, arm, person = guarded_arm(settings, at=at)
    scene.start(stroll(person, rng, scene.dt))
    scene.start(wander(arm, rng))
    for _ in range(TICKS):
        scene.step()
    table = monitor_of(arm).log.table()
    v, distance = table["robot_speed"], table["distance"]
    assert table["person_speed"].max() <= PERSON_SPEED * (1 + 1e-9)
    rest = v / separation.deceleration
    needed = PERSON_SPEED * rest + v * rest / 2 + separation.margin
    moving = v > REST_SPEED
    return float((distance - needed)[moving].min(initial=np.inf))


def test_a_robot_that_moves_is_never_nearer_than_its_separation_distance() -> None:
    assert min(least_slack(seed) for seed in range(RUNS)) >= 0.0


@pytest.mark.soak
def test_a_robot_that_moves_is_never_nearer_in_many_more_runs() -> None:
    assert min(least_slack(seed) for seed in range(RUNS, RUNS + SOAK_RUNS)) >= 0.0


def touch(seed: int, strategy: SafetyStrategy) -> float:
    """Sweep the arm into a person who stands still; return the worst transient ratio."""
    rng = np.random.default_rng(seed)
    scene, arm, _ = guarded_arm(ProtectionSettings(strategy=strategy), at=(0.6, 0.1))
    tilt, bend, wrist = rng.uniform(-1.6, -0.9), rng.uniform(-0.3, 0.3), rng.uniform(-0.5, 0.5)
    arm.set_q([-0.6, tilt, 0.0, bend, 0.0, wrist, 0.0])
    arm.move([0.6, tilt, 0.0, bend, 0.0, wrist, 0.0], ticks=int(rng.integers(20, 60)))
    for _ in range(300):
        scene.step()
        if monitor_of(arm).log.contacts:
            break
    contacts = monitor_of(arm).log.contacts
    return max((each.force.ratio for each in contacts), default=0.0)


def test_limited_force_keeps_contacts_within_the_limits() -> None:
    seeds = range(6)
    free = [touch(seed, "none") for seed in seeds]
    limited = [touch(seed, "pfl") for seed in seeds]
    assert max(limited) <= 1.0
    assert min(limited) > 0.0  # it does touch
    assert max(free) > 1.0  # without it the limits are exceeded


@pytest.mark.soak
def test_limited_force_keeps_contacts_within_the_limits_in_many_runs() -> None:
    assert max(touch(seed, "pfl") for seed in range(6, 500)) <= 1.0


def test_strategies_differ_as_they_should() -> None:
    figures = {}
    for strategy in ("none", "ssm", "pfl", "both"):
        settings = ProtectionSettings(strategy=strategy)
        scene, arm, person = guarded_arm(settings, at=(1.6, 0.0))
        scene.start(stroll(person, np.random.default_rng(3), scene.dt))
        scene.start(wander(arm, np.random.default_rng(4)))
        for _ in range(300):
            scene.step()
        figures[strategy] = monitor_of(arm).log.summary()
    assert figures["none"]["stops"] == 0
    assert figures["none"]["max_robot_speed"] > figures["pfl"]["max_robot_speed"]
    assert figures["ssm"]["waiting_time"] > figures["both"]["waiting_time"]
    assert figures["ssm"]["stops"] > 0


LOW, HIGH = [-1.2, -1.2, 0.0, 0.4, 0.0, 0.0, 0.0], [0.4, -1.2, 0.0, 0.4, 0.0, 0.0, 0.0]


def test_a_slowed_robot_stays_on_its_path_and_arrives() -> None:
    """A person is in the way for a while; the arm waits, and then takes the way it would have."""

    def run(strategy: SafetyStrategy) -> Array:
        scene, arm, person = guarded_arm(ProtectionSettings(strategy=strategy), at=(0.9, 0.5))
        arm.set_q(LOW)
        drive, rows = arm.move(HIGH, ticks=60), []
        for k in range(600):
            if k == 200:
                person.node.pose = Pose.at(3.5, 0.0, 0.0)
            scene.step()
            rows.append(arm.q)
            if arm.drive is not drive:
                break
        return np.array(rows)

    free, guarded = run("none"), run("ssm")
    assert len(guarded) > len(free) + 100
    np.testing.assert_allclose(guarded[-1], free[-1], atol=1e-9)
    near = [np.abs(free - q).max(axis=1).min() for q in guarded]
    assert max(near) < 0.03  # rad: between two ticks of the free path


def test_the_same_run_twice_is_the_same() -> None:
    assert least_slack(7) == least_slack(7)


def test_retreat_leads_away_from_the_person() -> None:
    last = {}
    for reaction in ("stop", "retreat"):
        settings = ProtectionSettings(strategy="ssm", reaction=reaction)
        scene, arm, person = guarded_arm(settings, at=(1.0, 2.5))
        arm.set_q(LOW)
        arm.move(HIGH, ticks=300)
        for k in range(220):
            if k > 40:
                person.node.pose = Pose.at(1.0, max(2.5 - 0.02 * (k - 40), 0.3), 0.0)
            scene.step()
        last[reaction] = monitor_of(arm).log.rows[-1][1]
    assert last["retreat"] > last["stop"] + 0.05


def test_avoiding_keeps_the_margin_without_waiting_for_good() -> None:
    settings = ProtectionSettings(strategy="ssm", reaction="avoid")
    scene, arm, _ = guarded_arm(settings, at=(0.75, 0.0))
    scene.start(wander(arm, np.random.default_rng(1)))
    for _ in range(300):
        scene.step()
    assert monitor_of(arm).log.summary()["min_distance"] > 0.0
    assert monitor_of(arm).log.table()["robot_speed"].max() > 0.05


def test_force_limits_need_masses_and_all_need_people() -> None:
    scene, arm, person = guarded_arm(ProtectionSettings())
    with pytest.raises(ValueError, match="no people"):
        SafetyMonitor(arm, [], ProtectionSettings())
    bodies = [replace(body, mass=0.0, inertia=np.zeros((3, 3))) for body in arm.model.bodies]
    light = scene.add_robot("light", replace(arm.model, bodies=tuple(bodies)))
    with pytest.raises(ValueError, match="no mass"):
        SafetyMonitor(light, [person], ProtectionSettings(strategy="pfl"))
    SafetyMonitor(light, [person], ProtectionSettings(strategy="ssm"))  # does not need them
