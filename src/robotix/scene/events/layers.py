"""Temporary values of nodes, in layers: each command adds and removes only its own layer.

A door that is red while it is touched and yellow while it is open gets its original colour back,
whichever of the two ends first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from robotix.geometry import Pose
from robotix.scene.events.claims import is_in_graph
from robotix.scene.graph.content import Attributes
from robotix.scene.graph.graph import Node

__all__ = ["Attribute", "Layers"]

Attribute: TypeAlias = str  # the name of a field of `Attributes`, `pose` or `parent`
LayerValue: TypeAlias = Any


@dataclass
class _Stack:
    base: LayerValue
    layers: list[tuple[Hashable, LayerValue]] = field(
        default_factory=list
    )  # the last one is visible

    @property
    def top(self) -> LayerValue:
        return self.layers[-1][1] if self.layers else self.base

    def drop(self, key: Hashable) -> bool:
        """Remove the layer of `key`; return whether it was the visible one."""
        was_top = bool(self.layers) and self.layers[-1][0] == key
        self.layers = [layer for layer in self.layers if layer[0] != key]
        return was_top


class Layers:
    """Temporary values above the original ones of nodes."""

    def __init__(self) -> None:
        self._stacks: WeakKeyDictionary[Node, dict[Attribute, _Stack]] = WeakKeyDictionary()

    def set(self, node: Node, what: Attribute, *, key: Hashable, value: LayerValue) -> None:
        """Set a temporary value; `remove` with the same key restores the one below."""
        now = _read(node, what)
        stacks = self._stacks.setdefault(node, {})
        stack = stacks.get(what)
        if stack is None or stack.top != now:  # changed by somebody else: the new base
            stack = _Stack(now)
        _write(node, what, value)  # may raise; then nothing is stored
        stack.drop(key)
        stack.layers.append((key, _read(node, what)))
        stacks[what] = stack

    def remove(self, node: Node, what: Attribute, *, key: Hashable) -> None:
        """Remove a layer. A value that was changed by somebody else stays."""
        stacks = self._stacks.get(node, {})
        stack = stacks.get(what)
        if stack is None:
            return
        untouched = stack.top == _read(node, what)
        if stack.drop(key) and untouched:
            _write(node, what, stack.top)
        if not stack.layers:
            del stacks[what]

    def base(self, node: Node, what: Attribute) -> LayerValue:
        """Return the value below all layers."""
        stack = self._stacks.get(node, {}).get(what)
        return stack.base if stack is not None else _read(node, what)

    def copied(self, nodes: Mapping[Node, Node]) -> Layers:
        """Return the original values for the copies of nodes; nothing is laid over them."""
        other = Layers()
        for node, stacks in self._stacks.items():
            if node in nodes:
                other._stacks[nodes[node]] = {
                    what: _Stack(
                        nodes.get(stack.base, stack.base) if what == "parent" else stack.base
                    )
                    for what, stack in stacks.items()
                }
        return other

    def commit(self, node: Node, what: Attribute) -> None:
        """Make the visible value the base, and drop all layers."""
        self._stacks.get(node, {}).pop(what, None)


def _read(node: Node, what: Attribute) -> LayerValue:
    if what == "parent":
        return node.parent
    if what == "pose":
        return tuple(node.graph.local[node.row, :12].tolist())
    return getattr(node.attributes, what)


def _write(node: Node, what: Attribute, value: LayerValue) -> None:
    writers: dict[Attribute, Callable[[Node, LayerValue], None]] = {
        "parent": _set_parent,
        "pose": _set_pose,
    }
    if what in writers:
        writers[what](node, value)
    else:
        node.attributes = _changed(node.attributes, what, value)
        node.touch()


def _changed(attributes: Attributes, what: Attribute, value: LayerValue) -> Attributes:
    return replace(attributes, **{what: value})


def _set_parent(node: Node, parent: Node) -> None:
    """Attach a node to a parent, or to the root if that was removed; its world pose stays."""
    node.graph.attach(node, parent if is_in_graph(parent) else node.graph.root)


def _set_pose(node: Node, numbers: tuple[float, ...]) -> None:
    node.pose = Pose(np.reshape(numbers[:9], (3, 3)), np.array(numbers[9:]))
