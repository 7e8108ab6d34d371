"""Commands that hang one node on another, and take it off again."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.scene.events.claims import check_movable, is_there
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import NodeName
from robotix.scene.scene import Scene

__all__ = ["Attach", "Detach"]


@dataclass(frozen=True)
class Attach:
    """Hang a node on another, such as a gripper; it stays where it is, and moves along from then.

    When off, it hangs where it did before.
    """

    node: NodeName
    to: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Attach or detach."""
        node = scene.graph[self.node]
        check_movable(node)
        if event.state:
            scene.control.layers.put(node, "parent", key=self, value=scene.graph[self.to])
        else:
            scene.control.layers.lift(node, "parent", key=self)


@dataclass(frozen=True)
class Detach:
    """Take a node off what it was attached to; it stays where it is, in its former parent.

    One that was attached to nothing goes to the world.
    """

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Detach when on."""
        node = scene.graph[self.node]
        check_movable(node)
        if not event.state:
            return
        former = scene.control.layers.base(node, "parent")
        if former is node.parent or not is_there(former):
            former = scene.graph.root
        scene.control.layers.forget(node, "parent")
        scene.graph.attach(node, former)
