"""Robots that stop at things: a motion into something is undone, one out of it is not.

A robot with its tool and all that it holds is compared with everything else that collides, except
what is free in a room with physics, which it pushes. Under a hand or stick it slides along what it
touches: of the motion that is left, only the part that leads deeper is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from robotix.errors import RobotixError
from robotix.geometry import Array
from robotix.scene.contact.contacts import ANY_NODE, Contacts
from robotix.scene.contact.penetration import Depths, deeper_pairs, find_depths
from robotix.scene.graph.graph import Node
from robotix.scene.robots.driven import DrivenRobot
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.tracking import HandDrag, Tracking

__all__ = ["ContactStop"]

BISECTIONS = 4  # to a sixteenth of a tick's motion
MAX_SLIDES = 3  # contacts along which a robot slides at once
SMALL_MOTION = 1e-5  # rad or m, of a joint
GUIDED = (Tracking, HandHold, HandDrag)  # drives that go on when the robot is stopped


class ContactStop:
    """Undoes motions of a robot into things; see `DrivenRobot.guard`."""

    def __init__(self, contacts: Contacts, is_pushed: Callable[[Node], bool]) -> None:
        """`is_pushed` tells which nodes give way."""
        self._contacts, self._is_pushed = contacts, is_pushed
        self._was_stopped = False

    def find_depths(self, robot: DrivenRobot) -> Depths:
        """Return where the robot, its tool or what it holds overlaps something."""
        if not self._contacts.touching(robot.name, ANY_NODE):
            return {}
        graph = robot.context.graph
        own = {node.name for node in robot.node.branch()}
        carriers = {node.name for node in robot.node.ancestors()}

        def stops(name: str) -> bool:
            node = graph[name]
            return name not in carriers and not any(
                self._is_pushed(each) for each in (node, *node.ancestors())
            )

        return find_depths(self._contacts, own, stops)

    def limit(self, robot: DrivenRobot, before: Array) -> bool:
        """Shorten the motion from `before` to where the robot touches; return whether it did.

        A motion that was commanded as a whole ends there.
        """
        depths = self.find_depths(robot)
        if not depths:
            self._was_stopped = False
            return False
        after = robot.q
        robot.place(before)
        free = self.find_depths(robot)
        deeper = deeper_pairs(free, depths)
        if not deeper:
            robot.place(after)
            return False
        self._approach(robot, before, after, free)
        if isinstance(robot.drive, GUIDED):
            self._slide(robot, after, free, deeper)
        self._report(robot, deeper[0])
        return True

    def _approach(self, robot: DrivenRobot, before: Array, after: Array, free: Depths) -> None:
        """Go as far from `before` towards `after` as the depths allow, by bisection."""
        best, low, high = before, 0.0, 1.0
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            trial = before + middle * (after - before)
            robot.place(trial)
            if deeper_pairs(free, self.find_depths(robot)):
                high = middle
            else:
                best, low = trial, middle
        robot.place(best)

    def _slide(
        self, robot: DrivenRobot, after: Array, free: Depths, deeper: Sequence[tuple[str, str]]
    ) -> None:
        """Go on towards `after`, without the part of the motion that leads deeper."""
        here = robot.q
        rest = after - here
        rows = [self._gradient(robot, pair) for pair in deeper[:MAX_SLIDES]]
        G = np.array([row for row in rows if row @ rest < 0])
        if len(G):
            rest = rest - np.linalg.pinv(G, rcond=1e-6) @ (G @ rest)
        trial = np.clip(here + rest, robot.model.lower, robot.model.upper)
        robot.place(trial)
        if deeper_pairs(free, self.find_depths(robot)):
            robot.place(here)

    def _gradient(self, robot: DrivenRobot, pair: tuple[str, str]) -> Array:
        """Return how the distance of a pair grows with each joint, (n_dof,); zero if unknown."""
        here, row = robot.q, np.zeros(robot.model.n_dof)
        try:
            start = self._contacts.distance(*pair).distance
            for j in range(len(row)):
                trial = here.copy()
                trial[j] += SMALL_MOTION
                robot.place(trial)
                row[j] = (self._contacts.distance(*pair).distance - start) / SMALL_MOTION
        except (RobotixError, ValueError):  # such a pair has no distance
            row[:] = 0.0
        robot.place(here)
        return row

    def _report(self, robot: DrivenRobot, pair: tuple[str, str]) -> None:
        if not isinstance(robot.drive, GUIDED):
            robot.stop()
        if not self._was_stopped:
            own, other = pair
            robot.say(f"stops, as {_plain(own)} touches {_plain(other)}")
        self._was_stopped = True


def _plain(name: str) -> str:
    return name.replace("_", " ")
