"""How the rules of a room let hands move things: carried, or guided as doors and drawers are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from robotix.scene.commands.constraints import FollowPath, Hinge, Slide
from robotix.scene.commands.grabbing import Grab
from robotix.scene.events.rules import Composite
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Command, Scene

__all__ = ["Handling", "handling_of", "handlings"]

Handling: TypeAlias = Grab | Hinge | Slide | FollowPath


def handling_of(scene: Scene, node: Node) -> Handling | None:
    """Return how rules let some hand move a node, or the nearest one that it hangs on."""
    known = handlings(scene)
    return next(
        (known[each.name] for each in (node, *node.ancestors()) if each.name in known), None
    )


def handlings(scene: Scene) -> dict[str, Handling]:
    """Return the nodes that rules let some hand move, each with the first rule's way."""
    known: dict[str, Handling] = {}
    for rule in scene.rules:
        for command in _parts(rule.command):
            if isinstance(command, Handling):
                known.setdefault(command.node, command)
    return known


def _parts(command: Command) -> Iterator[Command]:
    if isinstance(command, Composite):
        for each in command.do:
            yield from _parts(each)
    else:
        yield command
