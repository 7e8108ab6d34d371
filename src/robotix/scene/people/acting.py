"""Performing: an act played by a person, tick by tick; what the hands hold goes along."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Array
from robotix.motion.coordinates import step_between
from robotix.scene.events.action import Action
from robotix.scene.events.claims import NodeClaim
from robotix.scene.people.acts import Act, CarriedNode, show_things
from robotix.scene.people.person import Person
from robotix.scene.robots.drives import JointMove

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["Playing", "play_act"]

READY = 1e-3  # rad or m: so near, nobody has to get ready for the first posture
GETTING_READY = 0.6  # s
MOVED = 0.01  # m: farther off, a thing is not where the task was prepared for


def play_act(scene: Scene, person: Person, act: Act) -> Action:
    """Perform an act from where the person stands, to its end or until stopped."""
    person.begin_at_stance(act)
    _check_targets(scene, person, act)
    show_things(scene, person, act)
    drive = Playing(scene, person, act)
    person.robot.drive = drive
    try:
        while person.robot.drive is drive:
            yield
    finally:
        if person.robot.drive is drive:
            person.robot.stop()
        drive.let_go()


def _check_targets(scene: Scene, person: Person, act: Act) -> None:
    """Refuse to act on things that are elsewhere than when the act was prepared."""
    base = person.robot.node.world_pose.inverse()
    for name, pose in act.targets.items():
        away = (base @ scene.graph[name].world_pose).translation - pose.translation
        distance = float(np.linalg.norm(away))
        if distance > MOVED:
            raise ValueError(
                f"{person.name} cannot perform {act.performance.task!r}: {name!r} is "
                f"{distance:.2f} m from where it was prepared for, seen from where "
                f"{person.name} stands; let the task begin where both are as in the file"
            )


class Playing:
    """Drives a person through a performance; gets ready for its first posture before."""

    def __init__(self, scene: Scene, person: Person, act: Act) -> None:
        self._scene, self._person, self._act = scene, person, act
        self._holds: dict[str, NodeClaim] = {}
        self._tick = 0
        self._ready: JointMove | None = None
        motion, robot = act.performance.motion, person.robot
        apart = abs(step_between(motion.dofs, robot.q, end=motion.q[0])).max()
        if apart > READY:
            steps = max(round(GETTING_READY / scene.dt), 1)
            self._ready = JointMove(robot, motion.q[0].tolist(), steps=steps)

    def next(self, robot: Robot) -> Array | None:
        """Return the posture a tick further."""
        if self._ready is not None:
            wish = self._ready.next(robot)
            if wish is not None:
                return wish
            self._ready = None
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

    def let_go(self) -> None:
        """Hold nothing any more."""
        for hold in self._holds.values():
            hold.release()
        self._holds.clear()

    def _end(self, robot: Robot) -> None:
        for problem in self._act.problems:
            robot.say(f"{self._act.performance.task}: {problem}")

    def _carry(self, carried: CarriedNode, time: float) -> None:
        """Let a thing go with the hands, unless somebody else has taken it."""
        graph, dt = self._scene.graph, self._scene.dt
        if not carried.start <= time <= carried.end + dt:
            return
        if carried.node not in self._holds:
            node = graph[carried.node]
            self._holds[carried.node] = self._scene.holds.take(node, self._person.name)
        hold = self._holds[carried.node]
        if hold.is_mine:
            pose = carried.course.at(min(time, carried.end))[0]
            graph.set_world_pose(hold.node, self._person.robot.node.world_pose @ pose)
        if time >= carried.end:
            hold.release()
