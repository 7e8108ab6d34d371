"""Commands for rooms with physics: connect, cut and push."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from robotix.errors import BadField
from robotix.scene.events.action import Action, wait
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import NodeName, Vector
from robotix.scene.scene import Command, Scene

__all__ = ["JOINT_WORDS", "PHYSICS_COMMANDS", "Connect", "Cut", "PrintLinks", "PushNode"]

JointWord: TypeAlias = Literal["weld", "ball", "hinge", "slider"]
JOINT_WORDS: tuple[JointWord, ...] = get_args(JointWord)
MAX_FORCE = 1e6  # N
MAX_SECONDS = 1e3


@dataclass(frozen=True)
class Connect:
    """Connect two nodes by a joint as they are now; when off, cut it.

    One of them must be free. A `weld` holds all, a `ball` a point, a `hinge` an axis through a
    point, a `slider` all but an axis. The point `at` (default: the origin of `node`) and the axis
    are in the world. `name` is for `cut`; by default it is "a to b" of the names of both nodes.
    """

    node: NodeName
    to: NodeName
    joint: JointWord = "weld"
    at: Vector | None = None
    axis: Vector = (0.0, 0.0, 1.0)
    name: str = ""

    def __post_init__(self) -> None:
        """Raise BadField for an axis without length."""
        if not 1e-9 < math.hypot(*self.axis) < math.inf:
            raise BadField("axis", "other than zero", self.axis)

    def check(self, scene: Scene) -> None:
        """Raise ValueError in a room without physics."""
        scene.physics.check_on()

    def __call__(self, scene: Scene, event: Event) -> None:
        """Connect when the event is on, cut when off; nothing if that was done already."""
        name = self.name or f"{self.node} to {self.to}"
        if event.state != (name in scene.physics.connections):
            if event.state:
                scene.physics.connect(
                    self.node, self.to, self.joint, at=self.at, axis=self.axis, name=name
                )
            else:
                scene.physics.cut(name)


@dataclass(frozen=True)
class Cut:
    """Cut a connection, by the name that `connect` gave it."""

    name: str

    def check(self, scene: Scene) -> None:
        """Raise ValueError in a room without physics."""
        scene.physics.check_on()

    def __call__(self, scene: Scene, event: Event) -> None:
        """Cut it when the event triggers."""
        if event.is_trigger:
            scene.physics.cut(self.name)


@dataclass(frozen=True)
class PushNode:
    """Push a free node at its centre of mass, with a force in N in the world, for some seconds."""

    node: NodeName
    force: Vector
    seconds: float = 0.1

    def __post_init__(self) -> None:
        """Raise BadField for values out of range."""
        if not math.hypot(*self.force) <= MAX_FORCE:
            raise BadField("force", f"at most {MAX_FORCE:g} N", self.force)
        if not 0 < self.seconds <= MAX_SECONDS:
            raise BadField("seconds", f"more than 0, at most {MAX_SECONDS:g}", self.seconds)

    def check(self, scene: Scene) -> None:
        """Raise ValueError in a room without physics."""
        scene.physics.check_on()

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Push when the event is on."""
        return _push(scene, self) if event.state else None


def _push(scene: Scene, push: PushNode) -> Action:
    node = scene.graph[push.node]
    scene.physics.push(push.node, push.force)
    try:
        yield
        yield from wait(scene, push.seconds - scene.dt)
    finally:
        scene.physics.end_push(node)


@dataclass(frozen=True)
class PrintLinks:
    """Show the bodies of the simulation: parent, child, brother and, for connections, real."""

    def check(self, scene: Scene) -> None:
        """Raise ValueError in a room without physics."""
        scene.physics.check_on()

    def __call__(self, scene: Scene, event: Event) -> None:
        """Show them when the event triggers."""
        if event.is_trigger:
            scene.say(scene.physics.link_table())


PHYSICS_COMMANDS: Mapping[str, type[Command]] = {
    "connect": Connect,
    "cut": Cut,
    "push": PushNode,
    "link_table": PrintLinks,
}
