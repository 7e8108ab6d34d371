"""A copy of a room as it is now, which another thread can save while the room goes on."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace

from robotix.scene.events.control import NodeControl
from robotix.scene.graph.graph import Node
from robotix.scene.people.person import Person
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["copy_of_room"]


def copy_of_room(scene: Scene) -> Scene:
    """Return a room with all that a file can say of it; only for reading, and not to be run.

    What never changes is shared, and so are the paths of the room: what is saved is its file.
    """
    room = copy.copy(scene)
    room.graph, nodes = scene.graph.copied()
    room.control = NodeControl(layers=scene.control.layers.copied(nodes))
    room.robots = {name: _robot(robot, nodes) for name, robot in scene.robots.items()}
    room.people = {
        name: _person(person, room.robots[name]) for name, person in scene.people.items()
    }
    room.devices = dict(scene.devices)
    assets = scene.assets
    room.assets = replace(
        assets,
        materials=dict(assets.materials),
        tasks=dict(assets.tasks),
        guides=dict(assets.guides),
    )
    room.rules = scene.rules.copied()
    room.plugins = scene.plugins.copied()
    room.physics = copy.copy(scene.physics)
    room.physics.simulated = set(scene.physics.simulated)
    return room


def _robot(robot: Robot, nodes: Mapping[Node, Node]) -> Robot:
    other = copy.copy(robot)
    other.node, other.q = nodes[robot.node], robot.q.copy()
    other.postures = dict(robot.postures)
    return other


def _person(person: Person, robot: Robot) -> Person:
    other = copy.copy(person)
    other.robot = robot
    return other
