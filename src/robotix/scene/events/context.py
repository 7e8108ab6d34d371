"""What parts of a scene need of it: narrow protocols that `Scene` implements.

Robots, people, rules and plug-ins depend on these, not on the scene itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from robotix.inputs.readings import Inputs
from robotix.scene.events.action import Action, ActionRunner, HasTimeStep, Running
from robotix.scene.events.control import NodeControl
from robotix.scene.files import SceneFiles
from robotix.scene.graph.graph import Graph

__all__ = [
    "ActionHost",
    "HasGraph",
    "HasInputs",
    "PersonContext",
    "Reporter",
    "RobotContext",
    "TickClock",
]


class TickClock(HasTimeStep, Protocol):
    """Simulated time, counted in ticks of `dt` seconds."""

    @property
    def tick(self) -> int:
        """Ticks since the start."""


class Reporter(Protocol):
    """Receives what users should read."""

    def say(self, text: str) -> None:
        """Show a text to the users."""

    def fail(self, who: str, error: Exception) -> None:
        """Report an error; the scene continues."""


class HasGraph(Protocol):
    """Something with a scene graph."""

    @property
    def graph(self) -> Graph:
        """The scene graph."""


class HasInputs(Protocol):
    """Something that has received the inputs of a tick."""

    @property
    def inputs(self) -> Inputs:
        """The inputs of the current tick."""


class ActionHost(Protocol):
    """Starts and stops actions."""

    def start(self, action: Action, *, name: str = "") -> Running:
        """Start an action."""

    def stop(self, running: Running) -> None:
        """Stop an action."""


class RobotContext(HasGraph, HasInputs, TickClock, Reporter, Protocol):
    """What a robot needs of its scene."""

    @property
    def actions(self) -> ActionRunner:
        """The running actions."""

    @property
    def devices(self) -> Mapping[str, str]:
        """The kinds of the logical devices, by name."""

    @property
    def files(self) -> SceneFiles:
        """The paths of the scene."""


class PersonContext(HasGraph, TickClock, Protocol):
    """What a person needs of the scene to perform a task."""

    @property
    def control(self) -> NodeControl:
        """What commands do to nodes."""
