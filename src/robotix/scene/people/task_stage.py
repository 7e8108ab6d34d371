"""Tasks that a scene file composes of steps, rehearsed in advance.

Positions are in the frame of the initial stance: x forwards, y to the left, z up. Nodes are used
at the poses that they have when the task is prepared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Protocol, TypeAlias

import numpy as np

from robotix.geometry import Array, Box, Capsule, Cylinder, Pose, Shape, Sphere
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.furniture import FLOOR
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Environment, Performance
from robotix.human.motion.performer import BodyAction
from robotix.human.motion.rehearsal import rehearse
from robotix.human.motion.scenario import Scenario, run_scenario, standing
from robotix.human.motion.styles import style_named
from robotix.scene.graph.clip import Clip
from robotix.scene.graph.field_types import NodeName, Vector
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.people.act import Act, CarriedNode
from robotix.scene.people.person import Person, stance_of
from robotix.scene.people.prepare import load_clip

__all__ = ["PositionOrNode", "TaskStage", "TaskStep", "make_act_of_steps"]

# A position in the frame of the initial stance, or the name of a node.
PositionOrNode: TypeAlias = Vector | NodeName
MAX_YAW = np.radians(3.0)  # of two-handed steps
DEFAULT_SIZE = 0.05  # m, of a node whose shape has no size


class TaskStep(Protocol):
    """A step of a task: a value that a scene file can contain."""

    def play(self, stage: TaskStage) -> BodyAction:
        """Return the motion, one `yield` per tick."""


class TaskStage:
    """A body that performs steps, and its surroundings in the frame of its base."""

    def __init__(self, graph: Graph, person: Person, *, style: str) -> None:
        self.body = standing(person.manikin, style=style_named(style))
        self.targets: dict[str, Pose] = {}  # base_from_node of the nodes that steps name
        self.solids: dict[str, Shape] = dict(FLOOR)
        self.loads: dict[str, Load] = {}  # by node
        self._graph = graph
        self._base = person.robot.node.world_pose.inverse()

    def position(self, where: PositionOrNode) -> Array:
        """Return a position, or the origin of a node, in the base frame, (3,)."""
        if isinstance(where, str):
            return self.pose(where).translation.copy()
        return np.array(where, dtype=float)

    def pose(self, name: str) -> Pose:
        """Return base_from_node of a node; the task is for its current pose."""
        if name not in self.targets:
            self.targets[name] = self._base @ self._graph[name].world_pose
        return self.targets[name]

    def shapes(self, name: str) -> list[Shape]:
        """Return the solids of a node in the base frame."""
        node, pose = self._graph[name], self.pose(name)
        if not node.solids:
            raise ValueError(f"{name!r} has no shape; name a thing that has one")
        if abs(node.world_scale - 1) > 1e-9:
            raise ValueError(f"{name!r} is scaled by {node.world_scale:g}; give its sizes in m")
        return [replace(solid, pose=pose @ solid.pose) for solid in node.solids]

    def box(self, name: str) -> tuple[Array, Array]:
        """Return the lower and upper corner of a node made of boxes, in the base frame."""
        corners = []
        for shape in self.shapes(name):
            if not isinstance(shape, Box):
                raise ValueError(f"{name!r} must be made of boxes")
            signs = np.array(list(product((-0.5, 0.5), repeat=3)))
            corners.append(shape.pose.apply(signs * shape.size))
        points = np.concatenate(corners)
        return points.min(axis=0), points.max(axis=0)

    def load(self, name: str, *, mass: float, sides: tuple[Side, ...]) -> Load:
        """Return a node as a load for the hands; for two hands it must be made of boxes."""
        if len(sides) == 2:
            low, high = self.box(name)
            size = high - low
        else:
            size = _size_of(self._graph[name])
        self.loads[name] = load = Load(name, mass, sides, Box(size))
        return load

    def held(self, name: str) -> Load:
        """Return a load that the hands hold."""
        if name not in self.loads:
            raise ValueError(f"nobody has taken {name!r}; let a step before take it")
        return self.loads[name]

    def check_ahead(self, what: str) -> None:
        """Raise ValueError unless the person faces as at the start, as two-handed steps need."""
        goals = [self.body.goal(f"{side}_foot").rotation for side in SIDES]
        yaw = max(abs(float(np.arctan2(R[1, 0], R[0, 0]))) for R in goals)
        if yaw > MAX_YAW:
            raise ValueError(
                f"{what} is done facing the way the task begins, not turned by "
                f"{np.degrees(yaw):.0f}°; begin the task facing the thing"
            )


def make_act_of_steps(
    graph: Graph, person: Person, *, task: str, steps: Sequence[TaskStep], style: str
) -> Act:
    """Return the act of some steps, rehearsed in the current scene unless the style is static."""
    stages: list[TaskStage] = []

    def make() -> Scenario:
        stage = TaskStage(graph, person, style=style)
        stages.append(stage)
        return Scenario(stage.body, _in_turn(stage, steps), Environment(stage.solids))

    try:
        if style_named(style).is_static:
            performance = run_scenario(make(), task=task)
        else:
            performance = rehearse(make, task=task)
    except RuntimeError as error:  # it did not end within minutes
        raise ValueError(f"{error}; make it shorter") from None
    stage = stages[0]  # all name the same nodes
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
    """Return the motion of a node that keeps its pose relative to its load while it is held."""
    phases = [phase for phase in performance.loads if phase.load.name == name]
    start, end = min(p.start for p in phases), max(p.end for p in phases)
    clip = load_clip(performance, name, node=name)
    load_from_node = clip.at(start)[0].inverse() @ stage.targets[name]
    poses = clip.poses[:, 0].copy()
    c, s = poses[:, 3], poses[:, 6]  # cosine and sine of half the yaw of the load
    cosine, sine = c * c - s * s, 2 * c * s
    x, y, z = load_from_node.translation
    poses[:, :3] += np.column_stack([cosine * x - sine * y, sine * x + cosine * y, 0 * c + z])
    w, i, j, k = load_from_node.quaternion
    quaternion = [c * w - s * k, c * i - s * j, c * j + s * i, c * k + s * w]
    poses[:, 3:] = np.column_stack(quaternion)
    return CarriedNode(name, start, end, Clip((name,), clip.dt, poses[:, None]))


def _size_of(node: Node) -> Array:
    """Return the approximate size of a node along its own axes, (3,), m."""
    match node.solids:
        case (Box(size=size), *_):
            return size
        case (Sphere(radius=radius), *_):
            return np.full(3, 2 * radius)
        case (Cylinder(radius=radius, length=length), *_):
            return np.array([2 * radius, 2 * radius, length])
        case (Capsule(radius=radius, length=length), *_):
            return np.array([2 * radius, 2 * radius, length + 2 * radius])
    return np.full(3, DEFAULT_SIZE)
