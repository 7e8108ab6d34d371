"""Checks whether a command can work in a scene, before it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Any, Protocol, runtime_checkable

from robotix.errors import BadField, RobotixError
from robotix.files.typed.fields import field_specs, markers_of
from robotix.inputs.device_kinds import has_pose
from robotix.scene.events.rules import Composite
from robotix.scene.graph.field_types import PosedDevice
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Command, Scene

__all__ = ["Checked", "check_alone", "check_command", "check_robots", "parts_of"]


@runtime_checkable
class Checked(Protocol):
    """A command that can check whether it could ever work in a scene."""

    def check(self, scene: Scene) -> None:
        """Raise `ValueError` or `UnknownName` if it could not; change nothing."""


def check_command(command: Command, scene: Scene) -> None:
    """Raise an error if a command, or a part of it, could never work in the scene."""
    for part in parts_of(command):
        check_alone(part, scene)


def check_alone(command: Command, scene: Scene) -> None:
    """Raise an error if a command could never work in the scene; its parts are not checked."""
    cls: type[Any] = type(command)
    for slot in field_specs(cls) if is_dataclass(cls) else ():
        name = getattr(command, slot.name)
        if PosedDevice() in markers_of(slot.hint) and name and not has_pose(name, scene.devices):
            expected = "a device with a pose, such as one of kind hand"
            raise BadField(slot.name, expected, f"{name!r}, which has none")
    if isinstance(command, Checked):
        command.check(scene)


def parts_of(command: Command) -> Iterator[Command]:
    """Yield a command and all its parts."""
    yield command
    if isinstance(command, Composite):
        for each in command.do:
            yield from parts_of(each)


def check_robots(scene: Scene, name: str, check: Callable[[Robot], object]) -> None:
    """Raise unless the named robot passes a check; without a name, any robot may pass.

    A scene without robots passes, since it may get some later.
    """
    robots = [scene.robot(name)] if name else list(scene.robots.values())
    first: Exception | None = None
    for robot in robots:
        try:
            check(robot)
            return
        except (ValueError, RobotixError) as error:
            first = first or error
    if first is not None:
        raise first
