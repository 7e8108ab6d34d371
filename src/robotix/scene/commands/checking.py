"""Whether a command can work in a room, told before anything happens there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from robotix.errors import RobotixError
from robotix.scene.events.device_kinds import has_pose
from robotix.scene.events.rules import Command, Composite
from robotix.scene.graph.field_types import BadField, Checked
from robotix.scene.robots.lookup import robot_of

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["check_alone", "check_command", "check_robots", "parts_of"]

HAND = "hand"  # fields of this name hold a device that must say where it is


def check_command(command: Command, scene: Scene) -> None:
    """Refuse a command that, or a part of which, could never work in this room."""
    for part in parts_of(command):
        check_alone(part, scene)


def check_alone(command: Command, scene: Scene) -> None:
    """Refuse a command that could never work in this room, whatever it is made of."""
    hand = getattr(command, HAND, "")
    if hand and not has_pose(hand, scene.devices):
        kinds = "a device that says where it is, such as one of kind hand"
        raise BadField(HAND, f"the hand must be {kinds}, got {hand!r}, which has no place")
    if isinstance(command, Checked):
        command.check(scene)


def parts_of(command: Command) -> Iterator[Command]:
    """Yield a command and all that it is made of."""
    yield command
    if isinstance(command, Composite):
        for each in command.do:
            yield from parts_of(each)


def check_robots(scene: Scene, name: str, check: Callable[[Robot], object]) -> None:
    """Raise unless a robot that a command may mean passes; without a name, any may be active.

    A room without robots may get some later.
    """
    robots = [robot_of(scene, name)] if name else list(scene.robots.values())
    first: Exception | None = None
    for robot in robots:
        try:
            check(robot)
            return
        except (ValueError, RobotixError) as error:
            first = first or error
    if first is not None:
        raise first
