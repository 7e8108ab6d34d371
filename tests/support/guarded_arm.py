"""An arm that protects a person who moves about it at random."""

from __future__ import annotations

from functools import cache

import numpy as np

import robotix as rx
from robotix.geometry import Pose
from robotix.human import Manikin, make_anthropometry, make_manikin
from robotix.safety.protection import ProtectionSettings
from robotix.scene import Action, Robot, Scene
from robotix.scene.robots.safety_monitor import SafetyMonitor

PERSON_SPEED = 1.6  # m/s, never exceeded


@cache
def body() -> Manikin:
    """Return a woman, made once."""
    return make_manikin(make_anthropometry(sex="female"))


def guarded_arm(
    settings: ProtectionSettings, *, at: tuple[float, float] = (2.0, 0.0), dt: float = 1 / 50
) -> tuple[Scene, Robot, Robot]:
    """Return a room, its arm on a stand, and its person at a place on the floor."""
    scene = Scene(dt=dt)
    arm = scene.add_robot("arm", rx.load("kuka_lwr"), pose=Pose.at(0, 0, 0.8))
    person = scene.add_person("anna", body(), pose=Pose.at(*at, 0.0)).robot
    arm.monitor = SafetyMonitor(arm, [person], settings)
    return scene, arm, person


def monitor_of(arm: Robot) -> SafetyMonitor:
    """Return the monitor of an arm."""
    assert isinstance(arm.monitor, SafetyMonitor)
    return arm.monitor


def wander(arm: Robot, rng: np.random.Generator, *, fastest: int = 15) -> Action:
    """Send the arm from posture to posture, in `fastest` ticks or more each."""
    while True:
        goal = rng.uniform(-1.5, 1.5, arm.model.n_dof)
        drive = arm.move(goal.tolist(), ticks=int(rng.integers(fastest, 60)))
        while arm.drive is drive:
            yield


def stroll(person: Robot, rng: np.random.Generator, dt: float) -> Action:
    """Move a person to and fro near the arm, not faster than `PERSON_SPEED`."""
    here = person.node.pose.translation[:2]
    while True:
        goal, speed = rng.uniform(-0.9, 0.9, 2), rng.uniform(0.2, PERSON_SPEED)
        while (left := float(np.linalg.norm(goal - here))) > 0.02:
            here = here + (goal - here) / left * min(speed * dt, left)
            person.node.pose = Pose.at(float(here[0]), float(here[1]), 0.0)
            yield
