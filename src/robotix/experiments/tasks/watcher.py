"""Watches a task: when it starts, what goes wrong, what is left, when it is finished.

A trial starts when the hand has left its first place by `START_DISTANCE`. A thing that was let go
is judged once it is at rest: at a right place the goal is met, at another place of the task it was
put down wrongly, anywhere else it was dropped. What was dropped or knocked over is an error, and is
put back to where it last stood rightly, as an experimenter would do, so that every task can end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from robotix.experiments.tasks.task import (
    LabTask,
    TaskError,
    TaskErrorKind,
    TaskGoal,
    TaskState,
    TaskStatus,
)
from robotix.geometry import Array, Pose
from robotix.scene.events.events import Signal
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["TaskWatcher"]

START_DISTANCE = 0.02  # m
REST_SPEED = 0.01  # m/s; slower is at rest
REST_TIME = 0.25  # s
SETTLING_TIME = 0.5  # s at the start, in which things come to rest
MAX_TILT = 0.6  # rad (34°) from upright; more is knocked over
MAX_PUSH = 0.03  # m by which something fragile may be pushed
EMPTY_GRIP = Signal("grip_empty")  # of the gripper
DISPLAY_TICKS = 6  # between two updates of what pages show
PUT_BACK_DELAY = 1.0  # s until something dropped or knocked over is back in its place


@dataclass
class _Thing:
    """What is known about one thing."""

    home: Pose  # where it last stood rightly, in the world
    up: Array  # (3,), its vertical axis then, in its own frame
    is_held: bool = False
    is_loose: bool = False  # let go, and not judged yet
    still: float = 0.0  # s at rest
    last: Array = field(default_factory=lambda: np.zeros(3))
    back_at: float | None = None  # s of the scene at which it is put back


class TaskWatcher:
    """The state of one task in one scene; `step` is called in every tick."""

    def __init__(self, scene: Scene, task: LabTask, *, grip: str) -> None:
        self.scene, self.task = scene, task
        self.errors: list[TaskError] = []
        self.started_at: float | None = None
        self.finished_at: float | None = None
        self.phase = 0
        self.held = ""  # the thing in the hand
        self._grip = scene.graph[grip]
        self._first_hand: Array | None = None
        names = dict.fromkeys((*task.things, *task.fragile))
        self._things = {name: _Thing(*_standing(scene.graph[name])) for name in names}
        self._said = ""

    # -- answers ----------------------------------------------------------------------------

    @property
    def status(self) -> TaskStatus:
        """What to do now, what was wrong, what is left."""
        state: TaskState = (
            "finished" if self.is_finished else "running" if self._has_started else "waiting"
        )
        later = sum(len(phase.goals) for phase in self.task.phases[self.phase + 1 :])
        left = 0 if self.is_finished else len(self.open_goals()) + later
        words = "Done." if self.is_finished else self.task.phases[self.phase].instruction
        return TaskStatus(
            state, words, left, len(self.task.goals), tuple(self.errors), self.duration
        )

    @property
    def is_finished(self) -> bool:
        """Whether all goals are met."""
        return self.finished_at is not None

    @property
    def duration(self) -> float:
        """Seconds from the start that was detected to the end, or until now."""
        if self.started_at is None:
            return 0.0
        end = self.scene.time if self.finished_at is None else self.finished_at
        return end - self.started_at

    def open_goals(self) -> list[TaskGoal]:
        """Goals of this phase that are not met yet."""
        if self.is_finished:
            return []
        return [goal for goal in self.task.phases[self.phase].goals if not self._is_met(goal)]

    def place_of(self, thing: str) -> Array:
        """Position of a thing in the world, (3,)."""
        return np.array(self.scene.graph[thing].world_position)

    def home_of(self, thing: str) -> Array:
        """Position in which a thing last stood rightly, in the world, (3,)."""
        return np.array(self._things[thing].home.translation)

    def is_waiting_for(self, thing: str) -> bool:
        """Return whether a thing is not settled: falling, or about to be put back."""
        state = self._things[thing]
        return state.is_loose or state.back_at is not None

    @property
    def _has_started(self) -> bool:
        return self.started_at is not None

    # -- running ----------------------------------------------------------------------------

    def step(self, dt: float) -> None:
        """Look at the room once more."""
        if self.is_finished:
            return
        self._detect_start()
        if any(event.source == EMPTY_GRIP and event.state for event in self.scene.events):
            self.count_error("empty grip", "", "There was nothing between the fingers.")
        self.held = ""
        for name, thing in self._things.items():
            self._follow(name, thing, dt)
        for _ in self.task.phases:
            if self.held or self._has_open_goal():
                break
            self._advance()
        self._say()
        if self.scene.tick % DISPLAY_TICKS == 0 or self.is_finished:
            self.scene.task_display = self.status.display(self.scene.time)

    def count_error(self, kind: TaskErrorKind, thing: str, text: str) -> None:
        """Count an error; before the start nothing counts."""
        if self._has_started and not self.is_finished:
            self.errors.append(TaskError(self.scene.time, kind, thing, text))
            self.scene.say(text)

    def _detect_start(self) -> None:
        hand = np.array(self._grip.world_position)
        if self._first_hand is None:
            self._first_hand = hand
        if not self._has_started and math.dist(hand, self._first_hand) > START_DISTANCE:
            self.started_at = self.scene.time

    def _advance(self) -> None:
        """Begin the next phase, or end."""
        if self.is_finished:
            return
        if self.phase + 1 < len(self.task.phases):
            self.phase += 1
        elif self._has_started:
            self.finished_at = self.scene.time
        else:
            raise ValueError(f"the goals of {self.task.name!r} are met before it began")

    def _follow(self, name: str, thing: _Thing, dt: float) -> None:
        node = self.scene.graph[name]
        if thing.back_at is not None:
            self._put_back(node, thing)
            return
        is_held = _is_held(node, self._grip)
        if is_held:
            self.held, thing.is_held, thing.is_loose, thing.still = name, True, False, 0.0
            return
        if thing.is_held:
            thing.is_held, thing.is_loose = False, True
        position = np.array(node.world_position)
        is_still = math.dist(position, thing.last) <= REST_SPEED * dt
        thing.still = thing.still + dt if is_still else 0.0
        thing.last = position
        if thing.is_loose:
            if thing.still >= REST_TIME:
                thing.is_loose = False
                self._judge(name, node, thing)
        elif self.scene.time > SETTLING_TIME:
            self._check_standing(name, node, thing)

    def _judge(self, name: str, node: Node, thing: _Thing) -> None:
        """Judge where something came to rest that was let go."""
        position = np.array(node.world_position)
        words = name.replace("_", " ")
        must_stand = name in self.task.fragile or name in self.task.upright
        if must_stand and _tilt(node, thing) > MAX_TILT:
            self._lose(name, thing, "knocked over", f"{words} fell over; it is put back.")
            return
        goals = [goal for goal in self.task.phases[self.phase].goals if goal.thing == name]
        if any(goal.is_met(position) for goal in goals):
            thing.home, thing.up = _standing(node)
            return
        wrong = next((each for each in self.task.wrong_places if each.holds(position)), None)
        later = any(goal.is_met(position) for goal in self.task.goals if goal.thing == name)
        if wrong is not None or later or _is_near(position, thing.home):
            if wrong is not None and not _is_near(position, thing.home):
                self.count_error("wrong place", name, f"{words} is at {wrong.name}, not its place.")
            thing.home, thing.up = _standing(node)
            return
        self._lose(name, thing, "dropped", f"{words} was dropped; it is put back.")

    def _check_standing(self, name: str, node: Node, thing: _Thing) -> None:
        """Notice what was knocked over or pushed away without being held."""
        position = np.array(node.world_position)
        is_fragile = name in self.task.fragile
        away = math.dist(position, thing.home.translation)
        if is_fragile and (_tilt(node, thing) > MAX_TILT or away > MAX_PUSH):
            words = name.replace("_", " ")
            self._lose(name, thing, "knocked over", f"{words} was knocked over; it is put back.")
        elif away > MAX_PUSH and thing.still >= REST_TIME:
            self._judge(name, node, thing)

    def _lose(self, name: str, thing: _Thing, kind: TaskErrorKind, text: str) -> None:
        self.count_error(kind, name, text)
        thing.back_at = self.scene.time + PUT_BACK_DELAY

    def _put_back(self, node: Node, thing: _Thing) -> None:
        assert thing.back_at is not None
        if self.scene.time >= thing.back_at:
            self.scene.graph.set_world_pose(node, thing.home)
            thing.back_at, thing.still, thing.is_held, thing.is_loose = None, 0.0, False, False
            thing.last = np.array(thing.home.translation)

    def _has_open_goal(self) -> bool:
        if self.is_finished:
            return False
        return not all(self._is_met(goal) for goal in self.task.phases[self.phase].goals)

    def _is_met(self, goal: TaskGoal) -> bool:
        thing = self._things[goal.thing]
        if thing.is_held or thing.is_loose or thing.back_at is not None:
            return False
        return goal.is_met(np.array(self.scene.graph[goal.thing].world_position))

    def _say(self) -> None:
        """Tell the people in the room what to do when that changes."""
        words = "Done." if self.is_finished else self.task.phases[self.phase].instruction
        if words != self._said:
            self._said = words
            self.scene.say(words)


def _standing(node: Node) -> tuple[Pose, Array]:
    """Return the pose of a node, and the vertical in its own frame."""
    pose = node.world_pose
    return pose, np.array(pose.rotation[2])


def _tilt(node: Node, thing: _Thing) -> float:
    """Return the angle by which a thing leans, rad."""
    up = node.world_pose.rotation @ thing.up
    return float(np.arccos(np.clip(up[2], -1.0, 1.0)))


def _is_held(node: Node, grip: Node) -> bool:
    """Return whether a thing hangs on the node that carries the grip point."""
    return node.parent is not None and node.parent is grip.parent


def _is_near(position: Array, home: Pose) -> bool:
    return float(np.linalg.norm(position - home.translation)) <= MAX_PUSH
