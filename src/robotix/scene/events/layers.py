"""What commands changed, layer upon layer: whoever is off again takes away his own layer, no other.

A door painted red while it is touched and yellow while it is open is red, yellow or as it was,
whichever of the two ends first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from robotix.geometry import Pose
from robotix.scene.events.claims import is_there
from robotix.scene.graph.content import Attributes
from robotix.scene.graph.graph import Node

__all__ = ["Layers", "What"]

What: TypeAlias = str  # the name of an attribute, or `pose`, or `parent`
LayerValue: TypeAlias = Any


@dataclass
class _Stack:
    base: LayerValue
    layers: list[tuple[Hashable, LayerValue]] = field(default_factory=list)  # the last one shows

    @property
    def top(self) -> LayerValue:
        return self.layers[-1][1] if self.layers else self.base

    def drop(self, key: Hashable) -> bool:
        """Take the layer of `key` away; return whether it was the one that shows."""
        shows = bool(self.layers) and self.layers[-1][0] == key
        self.layers = [layer for layer in self.layers if layer[0] != key]
        return shows


class Layers:
    """Values that commands laid over those that nodes had before."""

    def __init__(self) -> None:
        self._stacks: WeakKeyDictionary[Node, dict[What, _Stack]] = WeakKeyDictionary()

    def put(self, node: Node, what: What, *, key: Hashable, value: LayerValue) -> None:
        """Give a node a value; `lift` with the same key takes it away again."""
        now = _read(node, what)
        stacks = self._stacks.setdefault(node, {})
        stack = stacks.get(what)
        if stack is None or stack.top != now:  # changed by somebody else: that is what lies below
            stack = _Stack(now)
        _write(node, what, value)  # may refuse; nothing is remembered then
        stack.drop(key)
        stack.layers.append((key, _read(node, what)))
        stacks[what] = stack

    def lift(self, node: Node, what: What, *, key: Hashable) -> None:
        """Take a layer away. What somebody else changed meanwhile stays as it is."""
        stacks = self._stacks.get(node, {})
        stack = stacks.get(what)
        if stack is None:
            return
        untouched = stack.top == _read(node, what)
        if stack.drop(key) and untouched:
            _write(node, what, stack.top)
        if not stack.layers:
            del stacks[what]

    def base(self, node: Node, what: What) -> LayerValue:
        """Return what lies below all layers."""
        stack = self._stacks.get(node, {}).get(what)
        return stack.base if stack is not None else _read(node, what)

    def forget(self, node: Node, what: What) -> None:
        """Let what shows be all there is."""
        self._stacks.get(node, {}).pop(what, None)


def _read(node: Node, what: What) -> LayerValue:
    if what == "parent":
        return node.parent
    if what == "pose":
        return tuple(node.graph.local[node.row, :12].tolist())
    return getattr(node.attributes, what)


def _write(node: Node, what: What, value: LayerValue) -> None:
    writers: dict[What, Callable[[Node, LayerValue], None]] = {"parent": _hang, "pose": _place}
    if what in writers:
        writers[what](node, value)
    else:
        node.attributes = _changed(node.attributes, what, value)
        node.touch()


def _changed(attributes: Attributes, what: What, value: LayerValue) -> Attributes:
    return replace(attributes, **{what: value})


def _hang(node: Node, parent: Node) -> None:
    """Hang a node on another, on the root when that one is gone; it stays where it is."""
    node.graph.attach(node, parent if is_there(parent) else node.graph.root)


def _place(node: Node, numbers: tuple[float, ...]) -> None:
    node.pose = Pose(np.reshape(numbers[:9], (3, 3)), np.array(numbers[9:]))
