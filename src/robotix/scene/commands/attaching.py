"""Commands that attach one node to another, and detach it."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.scene.events.claims import check_movable, is_in_graph
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import NodeName
from robotix.scene.scene import Scene

__all__ = ["Attach", "Detach"]


@dataclass(frozen=True)
class Attach:
    """Attach a node to another, such as a gripper, with which it moves from then on.

    When off, its former parent is restored.
    """

    node: NodeName
    to: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Attach when the event is on, detach when off."""
        node = scene.graph[self.node]
        check_movable(node)
        if event.state:
            scene.control.layers.set(node, "parent", key=self, value=scene.graph[self.to])
        else:
            scene.control.layers.remove(node, "parent", key=self)


@dataclass(frozen=True)
class Detach:
    """Detach a node: restore its former parent; its pose in the world stays.

    A node that was not attached becomes a child of the world.
    """

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Detach when the event is on."""
        node = scene.graph[self.node]
        check_movable(node)
        if not event.state:
            return
        former = scene.control.layers.base(node, "parent")
        if former is node.parent or not is_in_graph(former):
            former = scene.graph.root
        scene.control.layers.commit(node, "parent")
        scene.graph.attach(node, former)
