"""Tasks that a scene file makes of steps: played by the body once, beforehand, in the file's room.

Places are seen from where the person stands at the beginning: x ahead, y to the left, z up. Things
of the room are taken where they are when the task is prepared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from robotix.geometry import (
    Array,
    Box,
    Capsule,
    Cylinder,
    Pose,
    Shape,
    Sphere,
)
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.furniture import FLOOR
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Environment, Performance
from robotix.human.motion.performer import BodyAction
from robotix.human.motion.scenario import Scenario, run_scenario, standing
from robotix.human.motion.styles import style_named
from robotix.scene.commands.animation import Clip
from robotix.scene.graph.field_types import NodeName, Vector
from robotix.scene.graph.node import Node
from robotix.scene.people.acts import Act, CarriedNode, load_course
from robotix.scene.people.person import Person, stance_of

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["PositionOrNode", "TaskStage", "TaskStep", "act_of_steps"]

PositionOrNode: TypeAlias = (
    Vector | NodeName
)  # from where the person stands at the beginning; or a thing
AHEAD_ONLY = np.radians(3.0)
SMALL = 0.05  # m, of a thing whose shape says nothing


class TaskStep(Protocol):
    """A step of a task: a value that a scene file can hold."""

    def play(self, stage: TaskStage) -> BodyAction:
        """Return the motion, one `yield` a tick."""


class TaskStage:
    """A body about to carry out steps, and the room around it, seen from its base."""

    def __init__(self, scene: Scene, person: Person, *, style: str) -> None:
        self.body = standing(person.manikin, style=style_named(style))
        self.targets: dict[str, Pose] = {}  # base_from_node of the things that steps name
        self.solids: dict[str, Shape] = dict(FLOOR)
        self.loads: dict[str, Load] = {}  # by the node that it is
        self._scene = scene
        self._base = person.robot.node.world_pose.inverse()

    def place(self, where: PositionOrNode) -> Array:
        """Return a place or the origin of a thing, seen from the base, (3,)."""
        if isinstance(where, str):
            return self.pose(where).translation.copy()
        return np.array(where, dtype=float)

    def pose(self, name: str) -> Pose:
        """Return base_from_node of a thing; the task is for where it is now."""
        if name not in self.targets:
            self.targets[name] = self._base @ self._scene.graph[name].world_pose
        return self.targets[name]

    def shapes(self, name: str) -> list[Shape]:
        """Return the solids of a thing, seen from the base."""
        node, pose = self._scene.graph[name], self.pose(name)
        if not node.solids:
            raise ValueError(f"{name!r} has no shape; name a thing that has one")
        if abs(node.world_scale - 1) > 1e-9:
            raise ValueError(f"{name!r} is scaled by {node.world_scale:g}; give its sizes in m")
        return [replace(solid, pose=pose @ solid.pose) for solid in node.solids]

    def box(self, name: str) -> tuple[Array, Array]:
        """Return the corners of the box about a thing that is made of boxes, seen from the base."""
        corners = []
        for shape in self.shapes(name):
            if not isinstance(shape, Box):
                raise ValueError(f"{name!r} must be made of boxes")
            signs = np.array(list(product((-0.5, 0.5), repeat=3)))
            corners.append(shape.pose.apply(signs * shape.size))
        points = np.concatenate(corners)
        return points.min(axis=0), points.max(axis=0)

    def load(self, name: str, *, mass: float, sides: tuple[Side, ...]) -> Load:
        """Return a thing as what hands can hold; for two of them it must be made of boxes."""
        if len(sides) == 2:
            low, high = self.box(name)
            size = high - low
        else:
            size = _size_of(self._scene.graph[name])
        self.loads[name] = load = Load(name, mass, sides, Box(size))
        return load

    def held(self, name: str) -> Load:
        """Return a thing that the hands hold."""
        if name not in self.loads:
            raise ValueError(f"nobody has taken {name!r}; let a step before take it")
        return self.loads[name]

    def check_ahead(self, what: str) -> None:
        """Refuse what is done with both hands unless the person faces as at the beginning."""
        goals = [self.body.goal(f"{side}_foot").rotation for side in SIDES]
        yaw = max(abs(float(np.arctan2(turn[1, 0], turn[0, 0]))) for turn in goals)
        if yaw > AHEAD_ONLY:
            raise ValueError(
                f"{what} is done facing the way the task begins, not turned by "
                f"{np.degrees(yaw):.0f}°; begin the task facing the thing"
            )


def act_of_steps(
    scene: Scene, person: Person, *, task: str, steps: Sequence[TaskStep], style: str
) -> Act:
    """Return the act that steps make, played once by the body in the room as it is now."""
    stage = TaskStage(scene, person, style=style)
    staging = Scenario(stage.body, _in_turn(stage, steps), Environment(stage.solids))
    try:
        performance = run_scenario(staging, task=task)
    except RuntimeError as error:  # it has not ended after minutes
        raise ValueError(f"{error}; make it shorter") from None
    carried = tuple(_carried(stage, performance, name) for name in _taken(performance))
    return Act(
        performance,
        stance_of(person.manikin, performance.motion.q[0]),
        carried,
        targets=dict(stage.targets),
    )


def _in_turn(stage: TaskStage, steps: Sequence[TaskStep]) -> BodyAction:
    for step in steps:
        yield from step.play(stage)


def _taken(performance: Performance) -> tuple[str, ...]:
    return tuple(dict.fromkeys(phase.load.name for phase in performance.loads))


def _carried(stage: TaskStage, performance: Performance, name: str) -> CarriedNode:
    """Let the node keep its place to the load that it is while hands hold it."""
    phases = [phase for phase in performance.loads if phase.load.name == name]
    start, end = min(p.start for p in phases), max(p.end for p in phases)
    course = load_course(performance, name, node=name)
    load_from_node = course.at(start)[0].inverse() @ stage.targets[name]
    places = course.places[:, 0].copy()
    c, s = places[:, 3], places[:, 6]  # of the half of the load's yaw
    cosine, sine = c * c - s * s, 2 * c * s
    x, y, z = load_from_node.translation
    places[:, :3] += np.column_stack([cosine * x - sine * y, sine * x + cosine * y, 0 * c + z])
    w, i, j, k = load_from_node.quaternion
    turns = [c * w - s * k, c * i - s * j, c * j + s * i, c * k + s * w]
    places[:, 3:] = np.column_stack(turns)
    return CarriedNode(name, start, end, Clip((name,), course.dt, places[:, None]))


def _size_of(node: Node) -> Array:
    """Return about how large a thing is that one hand takes: edges along its own axes, (3,)."""
    match node.solids:
        case (Box(size=size), *_):
            return size
        case (Sphere(radius=radius), *_):
            return np.full(3, 2 * radius)
        case (Cylinder(radius=radius, length=length), *_):
            return np.array([2 * radius, 2 * radius, length])
        case (Capsule(radius=radius, length=length), *_):
            return np.array([2 * radius, 2 * radius, length + 2 * radius])
    return np.full(3, SMALL)
