"""Whether a command can work in a room, told before anything happens there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

from robotix.errors import BadField, RobotixError
from robotix.files.typed.fields import field_specs, markers_of
from robotix.inputs.device_kinds import has_pose
from robotix.scene.events.rules import Command, Composite
from robotix.scene.graph.field_types import Checked, PosedDevice
from robotix.scene.robots.lookup import robot_of

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["check_alone", "check_command", "check_robots", "parts_of"]


def check_command(command: Command, scene: Scene) -> None:
    """Refuse a command that, or a part of which, could never work in this room."""
    for part in parts_of(command):
        check_alone(part, scene)


def check_alone(command: Command, scene: Scene) -> None:
    """Refuse a command that could never work in this room, whatever it is made of."""
    cls: type[Any] = type(command)
    for slot in field_specs(cls) if is_dataclass(cls) else ():
        name = getattr(command, slot.name)
        if PosedDevice() in markers_of(slot.hint) and name and not has_pose(name, scene.devices):
            expected = "a device with a pose, such as one of kind hand"
            raise BadField(slot.name, expected, f"{name!r}, which has none")
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
