"""Preparing tasks of the library, with their props.

The motion is computed before the scene needs it, so that no tick waits for it. It is then played
from the person's current position, to which the props are moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from robotix.geometry import Cylinder, Halfspace, Pose, Shape
from robotix.human import Manikin
from robotix.human.motion.performance import Environment, Performance
from robotix.human.tasks.tasks import perform
from robotix.model import Visual
from robotix.scene.graph.clip import Clip
from robotix.scene.graph.content import Attributes, Material, Prop
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.people.act import Act, CarriedNode
from robotix.scene.people.person import Person, stance_of

__all__ = ["load_clip", "make_act", "perform_cached", "show_props"]

WOOD = Material((0.72, 0.56, 0.38), roughness=0.8)
CARDBOARD = Material((0.76, 0.60, 0.40), roughness=0.9)
DARK = (0.05, 0.05, 0.06, 1.0)


@lru_cache(maxsize=32)
def perform_cached(
    task: str, manikin: Manikin, style: str, parameters: tuple[tuple[str, float], ...]
) -> Performance:
    """Perform a task of the library; the result is cached."""
    return perform(task, manikin, style=style, parameters=dict(parameters))


def make_act(graph: Graph, person: Person, performance: Performance) -> Act:
    """Return the act of a task of the library; its props are added to the graph, but hidden."""
    props = _Props(graph, person.name, _free_name(graph, f"{person.name}/{performance.task}"))
    props.add_group(person.robot.node)
    props.add_environment(performance.environment)
    loads = dict.fromkeys(phase.load.name for phase in performance.loads)
    carried = tuple(props.add_load(performance, name) for name in loads)
    stance = stance_of(person.manikin, performance.motion.q[0])
    return Act(performance, stance, carried, props.group)


def _free_name(graph: Graph, name: str) -> str:
    names = (name, *(f"{name}_{number}" for number in range(2, len(graph) + 2)))
    return next(each for each in names if each not in graph)


@dataclass(frozen=True, eq=False)
class _Props:
    """Adds the props of a task to the graph, under one node."""

    graph: Graph
    owner: str
    group: str

    def add_group(self, base: Node) -> None:
        """Add the node above all props, at the person's base."""
        self.graph.add(
            self.group,
            parent=base.parent,
            pose=base.pose,
            content=Prop(self.owner),
            attributes=Attributes(visible=False),
        )

    def add_environment(self, room: Environment) -> None:
        """Add the furniture; the scene has its own floor."""
        for name, shape in room.solids.items():
            if not isinstance(shape, Halfspace):
                self._add(name, shape, material=WOOD)
        for number, hole in enumerate(room.holes):
            disc = Visual(Cylinder(hole.radius, 0.002, Pose.at(hole.x, hole.y, 0.0)), DARK)
            name = f"{self.group}/hole" + (f"_{number + 1}" if number else "")
            prop = Prop(self.owner)
            self.graph.add(name, parent=self.group, visuals=[disc], content=prop)

    def add_load(self, performance: Performance, name: str) -> CarriedNode:
        """Add what the hands will hold, at its initial pose."""
        phases = [phase for phase in performance.loads if phase.load.name == name]
        node = self._add(name, replace(phases[0].load.box, pose=Pose()), material=CARDBOARD)
        motion = load_clip(performance, name, node=node.name)
        node.pose = motion.at(0.0)[0]
        start, end = min(p.start for p in phases), max(p.end for p in phases)
        return CarriedNode(node.name, start, end, motion)

    def _add(self, name: str, shape: Shape, *, material: Material) -> Node:
        return self.graph.add(
            f"{self.group}/{name}",
            parent=self.group,
            pose=shape.pose,
            solids=[replace(shape, pose=Pose())],
            content=Prop(self.owner),
            attributes=Attributes(material, collidable=False),  # until it is shown
        )


def load_clip(performance: Performance, load: str, *, node: str) -> Clip:
    """Return the motion of a load in the base frame, at all times of the performance."""
    positions, rotations = performance.load_poses(load)
    half = np.arctan2(rotations[:, 1, 0], rotations[:, 0, 0]) / 2  # loads stay upright
    quaternions = np.zeros((len(half), 4))
    quaternions[:, 0], quaternions[:, 3] = np.cos(half), np.sin(half)
    times = performance.motion.times
    dt = float(times[1] - times[0]) if len(times) > 1 else 0.01
    return Clip((node,), dt, np.concatenate([positions, quaternions], axis=1)[:, None])


def show_props(graph: Graph, person: Person, act: Act) -> None:
    """Move the props of an act to the person and show them; hide those of the other acts."""
    for each in person.acts.values():
        if each.props and each.props in graph:
            _show(graph[each.props], is_shown=each is act)
    if act.props and act.props in graph:
        graph[act.props].pose = person.robot.node.pose
        for carried in act.carried:
            graph[carried.node].pose = carried.motion.at(0.0)[0]


def _show(group: Node, *, is_shown: bool) -> None:
    if group.attributes.visible == is_shown:
        return
    group.set(visible=is_shown)
    for node in group.children:
        node.set(collidable=is_shown)
