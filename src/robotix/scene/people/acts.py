"""Acts: tasks that people of the room have prepared, and the things that belong to them.

The motion is worked out before the room needs it, so that no tick has to wait for it. Performing is
playing it from where the person then stands; the things of the task come there, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Cylinder, Halfspace, Pose, Shape
from robotix.human import Manikin
from robotix.human.evaluation.report import measure
from robotix.human.motion.performance import Environment, Performance
from robotix.human.tasks.tasks import perform
from robotix.model import Visual
from robotix.scene.commands.animation import Clip
from robotix.scene.graph.node import Attributes, Material, Node, Prop
from robotix.scene.people.person import Person, stance_of

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Act", "CarriedNode", "act_of", "load_course", "perform_once", "show_things"]

WOOD = Material((0.72, 0.56, 0.38), roughness=0.8)
CARDBOARD = Material((0.76, 0.60, 0.40), roughness=0.9)
DARK = (0.05, 0.05, 0.06, 1.0)


@dataclass(frozen=True, eq=False)
class CarriedNode:
    """A node that the hands hold for a while: its course, seen from the person's base."""

    node: str
    start: float  # s
    end: float  # s
    course: Clip  # all rows of the motion


@dataclass(frozen=True, eq=False)
class Act:
    """A task that a person is ready to perform."""

    performance: Performance
    stance: Pose  # base_from_stance at the beginning
    carried: tuple[CarriedNode, ...] = ()
    things: str = ""  # node of the group of things that belong to it; empty: none
    targets: Mapping[str, Pose] = field(default_factory=dict)  # base_from_node, of nodes it is for

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be met, and by how much."""
        return tuple(map(str, self.performance.shortfalls))

    def faults(self) -> tuple[str, ...]:
        """Return all that is wrong with it, also slips and bumps; takes a while."""
        return _measured(self.performance)


@lru_cache(maxsize=32)
def perform_once(
    task: str, manikin: Manikin, style: str, parameters: tuple[tuple[str, float], ...]
) -> Performance:
    """Let a body carry out a task of the library; the same again costs nothing."""
    return perform(task, manikin, style=style, parameters=dict(parameters))


@lru_cache(maxsize=32)
def _measured(performance: Performance) -> tuple[str, ...]:
    return measure(performance).problems


def act_of(scene: Scene, person: Person, performance: Performance) -> Act:
    """Return the act of a task of the library, its things in the room but not shown yet."""
    things = _Things(scene, person.name, _free_name(scene, f"{person.name}/{performance.task}"))
    things.add_group(person.robot.node)
    things.add_room(performance.environment)
    loads = dict.fromkeys(phase.load.name for phase in performance.loads)
    carried = tuple(things.add_load(performance, name) for name in loads)
    stance = stance_of(person.manikin, performance.motion.q[0])
    return Act(performance, stance, carried, things.group)


def _free_name(scene: Scene, name: str) -> str:
    names = (name, *(f"{name}_{number}" for number in range(2, len(scene.graph) + 2)))
    return next(each for each in names if each not in scene.graph)


@dataclass(frozen=True, eq=False)
class _Things:
    """Adds what belongs to a task, under one group."""

    scene: Scene
    owner: str
    group: str

    def add_group(self, base: Node) -> None:
        """Add the group where the person's base is."""
        self.scene.graph.add(
            self.group,
            parent=base.parent,
            pose=base.pose,
            content=Prop(self.owner),
            attributes=Attributes(visible=False),
        )

    def add_room(self, room: Environment) -> None:
        """Add what stands around; the floor is the room's own."""
        for name, shape in room.solids.items():
            if not isinstance(shape, Halfspace):
                self._add(name, shape, look=WOOD)
        for number, hole in enumerate(room.holes):
            disc = Visual(Cylinder(hole.radius, 0.002, Pose.at(hole.x, hole.y, 0.0)), DARK)
            name = f"{self.group}/hole" + (f"_{number + 1}" if number else "")
            prop = Prop(self.owner)
            self.scene.graph.add(name, parent=self.group, visuals=[disc], content=prop)

    def add_load(self, performance: Performance, name: str) -> CarriedNode:
        """Add what the hands will hold, where it is at the beginning."""
        phases = [phase for phase in performance.loads if phase.load.name == name]
        node = self._add(name, replace(phases[0].load.box, pose=Pose()), look=CARDBOARD)
        course = load_course(performance, name, node=node.name)
        node.pose = course.at(0.0)[0]
        start, end = min(p.start for p in phases), max(p.end for p in phases)
        return CarriedNode(node.name, start, end, course)

    def _add(self, name: str, shape: Shape, *, look: Material) -> Node:
        return self.scene.graph.add(
            f"{self.group}/{name}",
            parent=self.group,
            pose=shape.pose,
            solids=[replace(shape, pose=Pose())],
            content=Prop(self.owner),
            attributes=Attributes(look, collidable=False),  # until it is shown
        )


def load_course(performance: Performance, load: str, *, node: str) -> Clip:
    """Return where a load is, seen from the base, in all rows of the motion."""
    positions, rotations = performance.load_poses(load)
    half = np.arctan2(rotations[:, 1, 0], rotations[:, 0, 0]) / 2  # loads stay upright
    turns = np.zeros((len(half), 4))
    turns[:, 0], turns[:, 3] = np.cos(half), np.sin(half)
    times = performance.motion.times
    dt = float(times[1] - times[0]) if len(times) > 1 else 0.01
    return Clip((node,), dt, np.concatenate([positions, turns], axis=1)[:, None])


def show_things(scene: Scene, person: Person, act: Act) -> None:
    """Put the things of an act where the person stands; those of other acts of theirs go."""
    for each in person.acts.values():
        if each.things and each.things in scene.graph:
            _show(scene.graph[each.things], is_shown=each is act)
    if act.things and act.things in scene.graph:
        scene.graph[act.things].pose = person.robot.node.pose
        for carried in act.carried:
            scene.graph[carried.node].pose = carried.course.at(0.0)[0]


def _show(group: Node, *, is_shown: bool) -> None:
    if group.attributes.visible == is_shown:
        return
    group.set(visible=is_shown)
    for node in group.children:
        node.set(collidable=is_shown)
