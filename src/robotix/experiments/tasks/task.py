"""What a task is: things to bring to places, in phases, and what counts as an error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.scene.task_display import TaskDisplay

__all__ = [
    "LabTask",
    "Phase",
    "TaskError",
    "TaskErrorKind",
    "TaskGoal",
    "TaskPlace",
    "TaskState",
    "TaskStatus",
]

TaskState: TypeAlias = Literal["waiting", "running", "finished"]
TaskErrorKind: TypeAlias = Literal["dropped", "knocked over", "wrong place", "empty grip"]
ERROR_SHOWN = 8.0  # s for which an error is shown


@dataclass(frozen=True, eq=False)
class TaskPlace:
    """Where a thing may be put: around a point, in a box or within a radius; m, in the world."""

    name: str  # as a person calls it
    centre: Array  # (3,), of the origin of the thing
    half_size: Array  # (3,); the first two are not used if there is a radius
    radius: float | None = None

    def holds(self, point: Array) -> bool:
        """Return whether a point is there."""
        x, y, z = (point - self.centre).tolist()
        if abs(z) > self.half_size[2]:
            return False
        if self.radius is not None:
            return math.hypot(x, y) <= self.radius
        return bool(abs(x) <= self.half_size[0] and abs(y) <= self.half_size[1])


@dataclass(frozen=True, eq=False)
class TaskGoal:
    """A thing, and the places that are right for it; one of them suffices."""

    thing: str  # a node of the room
    places: tuple[TaskPlace, ...]
    aims: tuple[
        Array, ...
    ] = ()  # (3,) each, m: where to put it; the centres of the places if empty

    @property
    def targets(self) -> tuple[Array, ...]:
        """Points to aim at."""
        return self.aims or tuple(place.centre for place in self.places)

    def is_met(self, point: Array) -> bool:
        """Return whether the thing is where it belongs."""
        return any(place.holds(point) for place in self.places)


@dataclass(frozen=True, eq=False)
class Phase:
    """Goals that must all be met before the next phase begins, in any order."""

    instruction: str  # what to do now
    goals: tuple[TaskGoal, ...]

    def __post_init__(self) -> None:
        if not self.goals:
            raise BadField("goals", "at least one goal a phase", self.goals)


@dataclass(frozen=True, eq=False)
class LabTask:
    """A task in a room: objects in the words of scene files, phases, and what must not happen.

    `things` can be gripped. `fragile` must not be knocked over or pushed away; `upright` may be
    pushed, but must stand where they are put: nobody could grip them lying. `hand_rotation` is
    world_from_flange at the start, its z axis along the fingers, y from finger to finger;
    `hand_position` is where the point between the fingers begins. How a thing is best gripped,
    carried and approached is for pages that help and for simulated operators.
    """

    name: str
    title: str
    objects: Mapping[str, Mapping[str, Any]]  # by name, as in scene files
    things: tuple[str, ...]
    phases: tuple[Phase, ...]
    hand_position: Array  # (3,), m
    hand_rotation: Array  # (3, 3)
    fragile: tuple[str, ...] = ()
    upright: tuple[str, ...] = ()
    wrong_places: tuple[TaskPlace, ...] = ()  # at rest there is an error, and counts as put down
    seat_view_yaw: float = 0.0  # rad: where the person looks, to the left of straight ahead
    keep_out: tuple[Array, ...] = ()  # (2, 3) each, m: boxes that the elbow stays out of
    grip_offset: Array = field(default_factory=lambda: np.zeros(3))  # m, from a thing to the grip
    carry_offsets: tuple[Array, ...] = ()  # m: from where a thing rests to free space, one by one
    approach_offset: Array = field(
        default_factory=lambda: np.array([0.0, 0.0, 0.1])
    )  # m, empty hand

    has_sides: bool = False  # the room is the same left and right: a posture for each side

    @property
    def goals(self) -> tuple[TaskGoal, ...]:
        """All goals, phase after phase."""
        return tuple(goal for phase in self.phases for goal in phase.goals)


@dataclass(frozen=True)
class TaskError:
    """Something that went wrong."""

    time: float  # s of the scene
    kind: TaskErrorKind
    thing: str
    text: str  # for the person


@dataclass(frozen=True)
class TaskStatus:
    """What a page shows: what to do now, what was wrong, what is left."""

    state: TaskState
    instruction: str
    left: int  # goals that are not met yet, in all phases
    total: int
    errors: Sequence[TaskError]
    duration: float  # s since the start that the task detected

    @property
    def last_error(self) -> str:
        """What was wrong last; empty if nothing was."""
        return self.errors[-1].text if self.errors else ""

    def display(self, time: float) -> TaskDisplay:
        """What a page and a headset show at a time of the scene (s); errors fade."""
        is_fresh = bool(self.errors) and time - self.errors[-1].time < ERROR_SHOWN
        wrong = self.last_error if is_fresh else ""
        return TaskDisplay(self.instruction, wrong, self.left, self.total)
