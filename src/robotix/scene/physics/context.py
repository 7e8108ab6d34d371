"""What physics needs of its scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from robotix.scene.events.context import PersonContext, Reporter
from robotix.scene.robots.robot import Robot

__all__ = ["PhysicsContext"]


class PhysicsContext(PersonContext, Reporter, Protocol):
    """A graph, time, claims on nodes, robots, and somebody to report to."""

    @property
    def robots(self) -> Mapping[str, Robot]:
        """The robots by name."""
