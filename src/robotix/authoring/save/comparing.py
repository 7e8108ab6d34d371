"""Whether two rooms are the same, as far as a file can say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from robotix.authoring.load.build import START
from robotix.authoring.load.used_devices import written_devices
from robotix.authoring.save.entries import (
    EntryFields,
    attribute_entry,
    is_made_by_rules,
    object_entry,
    rule_entry,
    shape_entry,
    standing,
    start_entry,
    written_posture,
)
from robotix.files.yaml.rounding import TOLERANCE, is_same, is_same_pose
from robotix.geometry import Shape
from robotix.scene.graph.graph import Node
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["differences", "is_same_place", "written_objects", "written_robots", "written_rules"]

POSE_KEYS = ("on", "at", "rpy_deg", "rpy", "quaternion")


def written_objects(scene: Scene) -> list[Node]:
    """Return the nodes that a file lists under `objects`, parents first."""
    return [node for node in scene.graph if node.parent is not None and not is_made_by_rules(node)]


def written_robots(scene: Scene) -> dict[str, Robot]:
    """Return the robots that a file lists under `robots`: those that are not people."""
    return {name: robot for name, robot in scene.robots.items() if name not in scene.people}


def written_rules(scene: Scene) -> list[EntryFields]:
    """Return all rules as a file states them, except those with commands of plug-ins."""
    modules = {
        getattr(function, "__module__", "")
        for plugin in scene.plugins
        for function in plugin.functions.values()
    }
    return [
        rule_entry(rule)
        for rule in scene.rules
        if rule.source != START and getattr(rule.command, "__module__", "") not in modules
    ]


def is_same_place(one: tuple[Scene, Node], other: tuple[Scene, Node]) -> bool:
    """Return whether two nodes have the same parent and the same pose."""
    (on, pose), (other_on, other_pose) = standing(*one), standing(*other)
    return on == other_on and is_same_pose(pose, other_pose)


def differences(one: Scene, other: Scene, folder: Path) -> Iterator[str]:
    """Yield in words what differs between two rooms, seen from one folder."""
    if one.name != other.name or abs(one.dt - other.dt) > 1e-12 or one.seed != other.seed:
        yield "the name, the rate or the random seed"
    if one.stops_with_page != other.stops_with_page:
        yield "what happens when a page is lost"
    if one.assets.materials != other.assets.materials or written_devices(one) != written_devices(
        other
    ):
        yield "materials or devices"
    if list(one.robots) != list(other.robots) or one.people.keys() != other.people.keys():
        yield f"robots or people: {list(one.robots)} and {list(other.robots)}"
    if one.physics.settings != other.physics.settings:
        yield "physics"
    if one.physics.simulated != other.physics.simulated:
        yield "which robots are simulated"
    if one.assets.tasks != other.assets.tasks:
        yield "the tasks of people"
    objects = {node.name: node for node in written_objects(one)}
    others = {node.name: node for node in written_objects(other)}
    for name in objects.keys() ^ others.keys():
        yield f"only one has {name!r}"
    for name in objects.keys() & others.keys():
        if not _is_same_object((one, objects[name]), (other, others[name]), folder):
            yield f"object {name!r}"
    for name in written_robots(one).keys() & written_robots(other).keys():
        if not _is_same_robot(one, other, name):
            yield f"robot {name!r}"
    for name in one.people.keys() & other.people.keys():
        if not _is_same_person(one, other, name):
            yield f"person {name!r}"
    rules, other_rules = written_rules(one), written_rules(other)
    for rule in rules:
        if rule in other_rules:
            other_rules.remove(rule)
        else:
            yield f"rule {rule}"
    yield from (f"rule {rule}" for rule in other_rules)
    if start_entry(one) != start_entry(other):
        yield "what is done at the start"


def _is_same_object(one: tuple[Scene, Node], other: tuple[Scene, Node], folder: Path) -> bool:
    mine, theirs = object_entry(*one, folder), object_entry(*other, folder)
    for key in (*POSE_KEYS, "parts"):
        mine.pop(key, None)
        theirs.pop(key, None)
    return (
        is_same(mine, theirs)
        and is_same_place(one, other)
        and _are_same_solids(one[1].solids, other[1].solids, folder)
    )


def _are_same_solids(one: Sequence[Shape], other: Sequence[Shape], folder: Path) -> bool:
    return len(one) == len(other) and all(
        is_same(shape_entry(a, folder), shape_entry(b, folder)) and is_same_pose(a.pose, b.pose)
        for a, b in zip(one, other, strict=True)
    )


def _is_same_person(one: Scene, other: Scene, name: str) -> bool:
    """Return whether two people have the same body and the same pose."""
    bodies = [scene.people[name].manikin.anthropometry for scene in (one, other)]
    nodes = [scene.people[name].robot.node for scene in (one, other)]
    return (
        bodies[0].sex == bodies[1].sex
        and is_same([bodies[0].stature, bodies[0].mass], [bodies[1].stature, bodies[1].mass])
        and is_same_place((one, nodes[0]), (other, nodes[1]))
        and is_same(attribute_entry(one, nodes[0]), attribute_entry(other, nodes[1]))
    )


def _is_same_robot(one: Scene, other: Scene, name: str) -> bool:
    mine, theirs = one.robots[name], other.robots[name]
    return (
        mine.model.dof_names == theirs.model.dof_names
        and bool(
            np.abs(written_posture(mine) - written_posture(theirs)).max(initial=0.0)
            <= 10 * TOLERANCE
        )
        and is_same_place((one, mine.node), (other, theirs.node))
        and is_same(attribute_entry(one, mine.node), attribute_entry(other, theirs.node))
        and mine.postures.keys() == theirs.postures.keys()
        and all(
            bool(np.abs(q - theirs.postures[key]).max(initial=0.0) <= 10 * TOLERANCE)
            for key, q in mine.postures.items()
        )
    )
