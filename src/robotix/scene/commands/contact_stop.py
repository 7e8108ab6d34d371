"""The command that makes a robot stop at things."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import RobotName
from robotix.scene.robots.contact_stop import ContactStop
from robotix.scene.scene import Scene

__all__ = ["StopAtContact"]


@dataclass(frozen=True)
class StopAtContact:
    """Let a robot stop where it, its tool or what it holds touches something; when off, no longer.

    In a room with physics, what is free does not stop it but is pushed.
    """

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Follow the state of the event."""
        robot = scene.robot(self.robot)
        robot.guard = (
            ContactStop(scene.contacts, scene.physics.is_simulated) if event.state else None
        )
