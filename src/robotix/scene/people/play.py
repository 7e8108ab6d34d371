"""Playing acts: a person performs a prepared task, tick by tick, and carries what it holds."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.motion.coordinates import step_between
from robotix.scene.events.action import Action
from robotix.scene.events.claims import NodeClaim
from robotix.scene.events.context import PersonContext
from robotix.scene.people.act import Act, CarriedNode
from robotix.scene.people.person import Person
from robotix.scene.people.prepare import show_props
from robotix.scene.robots.driven import DrivenRobot
from robotix.scene.robots.drives import JointMove, run_drive

__all__ = ["ActDrive", "play_act"]

START_TOLERANCE = 1e-3  # rad or m from the first posture; no approach is needed
APPROACH_TIME = 0.6  # s to the first posture
TARGET_TOLERANCE = 0.01  # m from where a target was when the task was prepared


def play_act(scene: PersonContext, person: Person, act: Act) -> Action:
    """Perform an act at the person's current stance, to its end or until stopped."""
    person.start_at_stance(act)
    _check_targets(scene, person, act)
    show_props(scene.graph, person, act)
    drive = ActDrive(scene, person, act)
    person.robot.drive = drive
    try:
        yield from run_drive(person.robot, drive)
    finally:
        drive.release()


def _check_targets(scene: PersonContext, person: Person, act: Act) -> None:
    """Raise ValueError if a target is not where it was when the act was prepared."""
    base = person.robot.node.world_pose.inverse()
    for name, pose in act.targets.items():
        offset = (base @ scene.graph[name].world_pose).translation - pose.translation
        distance = float(np.linalg.norm(offset))
        if distance > TARGET_TOLERANCE:
            raise ValueError(
                f"{person.name} cannot perform {act.performance.task!r}: {name!r} is "
                f"{distance:.2f} m from where it was prepared for, seen from where "
                f"{person.name} stands; let the task begin where both are as in the file"
            )


class ActDrive:
    """Drives a person through a performance, after an approach to its first posture."""

    def __init__(self, scene: PersonContext, person: Person, act: Act) -> None:
        self._scene, self._person, self._act = scene, person, act
        self._claims: dict[str, NodeClaim] = {}
        self._tick = 0
        self._approach: JointMove | None = None
        motion, robot = act.performance.motion, person.robot
        distance = abs(step_between(motion.dofs, robot.q, end=motion.q[0])).max()
        if distance > START_TOLERANCE:
            ticks = max(round(APPROACH_TIME / scene.dt), 1)
            self._approach = JointMove(robot, motion.q[0].tolist(), ticks=ticks)

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions one tick further."""
        if self._approach is not None:
            desired = self._approach.next(robot)
            if desired is not None:
                return desired
            self._approach = None
        motion = self._act.performance.motion
        if self._person.act_time >= motion.duration:
            self._end(robot)
            return None
        self._tick += 1
        time = min(self._tick * self._scene.dt, motion.duration)
        self._person.act_time = time
        for carried in self._act.carried:
            self._carry(carried, time)
        return motion.at(float(motion.times[0]) + time)

    def release(self) -> None:
        """Release all carried nodes."""
        for claim in self._claims.values():
            claim.release()
        self._claims.clear()

    def _end(self, robot: DrivenRobot) -> None:
        for problem in self._act.problems:
            robot.say(f"{self._act.performance.task}: {problem}")

    def _carry(self, carried: CarriedNode, time: float) -> None:
        """Move a carried node with the hands, unless somebody else has claimed it."""
        graph, dt = self._scene.graph, self._scene.dt
        if not carried.start <= time <= carried.end + dt:
            return
        if carried.node not in self._claims:
            node = graph[carried.node]
            self._claims[carried.node] = self._scene.control.claims.claim(node, self._person.name)
        claim = self._claims[carried.node]
        if claim.is_active:
            pose = carried.motion.at(min(time, carried.end))[0]
            graph.set_world_pose(claim.node, self._person.robot.node.world_pose @ pose)
        if time >= carried.end:
            claim.release()
