"""How a scene lets hands move nodes: carried, or guided as doors and drawers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from robotix.scene.commands.constraints import FollowPath, Hinge, Slide
from robotix.scene.commands.grabbing import Grab
from robotix.scene.events.rules import Composite
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Command, Scene

__all__ = ["HandCommand", "hand_command_of", "hand_commands"]

HandCommand: TypeAlias = Grab | Hinge | Slide | FollowPath


def hand_command_of(scene: Scene, node: Node) -> HandCommand | None:
    """Return the command by which a hand moves a node or its nearest ancestor."""
    known = hand_commands(scene)
    return next(
        (known[each.name] for each in (node, *node.ancestors()) if each.name in known), None
    )


def hand_commands(scene: Scene) -> dict[str, HandCommand]:
    """Return the commands by which hands move nodes: those of rules, the first of several each.

    Then hinges and slides that are properties of nodes.
    """
    known: dict[str, HandCommand] = {}
    for rule in scene.rules:
        for command in _parts(rule.command):
            if isinstance(command, HandCommand):
                known.setdefault(command.node, command)
    for name, guide in scene.assets.guides.items():
        if isinstance(guide, HandCommand) and name in scene.graph:
            known.setdefault(name, guide)
    return known


def _parts(command: Command) -> Iterator[Command]:
    if isinstance(command, Composite):
        for each in command.do:
            yield from _parts(each)
    else:
        yield command
