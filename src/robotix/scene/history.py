"""Undo: what a user changed in the room, as values that can be taken back.

Doing an edit returns the edit that takes it back, so nothing has to be remembered but these.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from robotix.geometry import Array, Pose, Shape
from robotix.model import Visual
from robotix.scene.events.claims import check_movable
from robotix.scene.graph.content import Attributes, Content
from robotix.scene.graph.graph import Graph, Node

__all__ = [
    "AddNode",
    "AttachNode",
    "Edit",
    "Edits",
    "History",
    "MoveNode",
    "RemoveNode",
    "RenameNode",
    "SetAttributes",
]

LIMIT = 500  # edits that can be taken back
PAUSE = 0.5  # s; after it, an edit of the same group is one of its own


class Edit(Protocol):
    """A change of the graph."""

    def do(self, graph: Graph) -> Edit:
        """Make the change, or raise and change nothing; return the edit that takes it back."""


class History:
    """What was done, and what was taken back."""

    def __init__(self, graph: Graph, *, limit: int = LIMIT) -> None:
        """Start empty; beyond `limit`, the oldest edits can no longer be taken back."""
        if limit < 1:
            raise ValueError(f"a history holds at least one edit, got {limit}")
        self._graph = graph
        self._undo: deque[Edit] = deque(maxlen=limit)
        self._redo: deque[Edit] = deque(maxlen=limit)
        self._group: Hashable = None  # of the last edit
        self._at = 0.0  # s; when that was

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether anything was taken back."""
        return bool(self._redo)

    def do(self, edit: Edit, *, group: Hashable = None, at: float = 0.0) -> None:
        """Make an edit; what was taken back before cannot be made again.

        Edits of one group that follow each other quickly (`at`, in s) are taken back together, as
        the steps of a thing that is dragged: each of them replaces what the last one did.
        """
        back = edit.do(self._graph)
        is_next = group is not None and group == self._group and at - self._at <= PAUSE
        if not (is_next and self._undo):
            self._undo.append(back)
        self._redo.clear()
        self._group, self._at = group, at

    def note(self, back: Edit) -> None:
        """Remember how to take back what somebody has done already."""
        self._undo.append(back)
        self._redo.clear()
        self._group = None

    def undo(self) -> bool:
        """Take the last edit back; return whether there was one.

        One that the room no longer allows raises, and is forgotten.
        """
        return self._turn(self._undo, self._redo)

    def redo(self) -> bool:
        """Make the edit again that was taken back last; return whether there was one."""
        return self._turn(self._redo, self._undo)

    def _turn(self, source: deque[Edit], target: deque[Edit]) -> bool:
        self._group = None
        if not source:
            return False
        target.append(source.pop().do(self._graph))
        return True


@dataclass(frozen=True)
class MoveNode:
    """Put a node elsewhere in its parent, and size it if a scale is given."""

    node: str
    pose: Pose
    scale: float | None = None

    def do(self, graph: Graph) -> MoveNode:
        """Move it."""
        node = graph[self.node]
        check_movable(node)
        before = MoveNode(self.node, node.pose, node.scale)
        if self.scale is not None and not 0 < self.scale < float("inf"):
            raise ValueError(f"the scale of {self.node!r} must be positive, got {self.scale}")
        if self.scale not in (None, node.scale):
            _check_size(node)
        node.pose = self.pose
        if self.scale is not None:
            graph.local[node.row, 12] = self.scale
            graph.moved()
        return before


@dataclass(frozen=True)
class SetAttributes:
    """Give a node other attributes."""

    node: str
    attributes: Attributes

    def do(self, graph: Graph) -> SetAttributes:
        """Set them."""
        node = graph[self.node]
        before = SetAttributes(self.node, node.attributes)
        node.attributes = self.attributes
        node.touch()
        return before


@dataclass(frozen=True)
class RenameNode:
    """Give a node another name."""

    node: str
    name: str

    def do(self, graph: Graph) -> RenameNode:
        """Rename it."""
        _check_own(graph[self.node])
        graph.rename(self.node, self.name)
        return RenameNode(self.name, self.node)


@dataclass(frozen=True)
class AttachNode:
    """Hang a node on another; it stays where it is in the world."""

    node: str
    to: str

    def do(self, graph: Graph) -> _Seat:
        """Attach it."""
        node = graph[self.node]
        check_movable(node)
        before = _Seat.of(node)
        graph.attach(node, self.to)
        return before


@dataclass(frozen=True, eq=False)
class AddNode:
    """Add a node."""

    name: str
    parent: str = "world"
    pose: Pose = field(default_factory=Pose)
    scale: float = 1.0
    solids: tuple[Shape, ...] = ()
    visuals: tuple[Visual, ...] = ()
    content: Content | None = None
    attributes: Attributes = field(default_factory=Attributes)

    def do(self, graph: Graph) -> RemoveNode:
        """Add it."""
        graph.add(
            self.name, parent=self.parent, pose=self.pose, scale=self.scale, solids=self.solids,
            visuals=self.visuals, content=self.content, attributes=self.attributes,
        )  # fmt: skip
        return RemoveNode(self.name)


@dataclass(frozen=True)
class RemoveNode:
    """Take a node away with all below it."""

    node: str

    def do(self, graph: Graph) -> _Restore:
        """Remove it."""
        gone = graph[self.node]
        for node in gone.branch():
            _check_own(node)
        before = _Restore(_Seat.of(gone), tuple(_add(node) for node in gone.branch()))
        graph.remove(gone)
        return before


@dataclass(frozen=True)
class Edits:
    """Several edits that are one to the user; all are made, or none."""

    edits: tuple[Edit, ...]

    def do(self, graph: Graph) -> Edits:
        """Make them in order."""
        back: list[Edit] = []
        try:
            for edit in self.edits:
                back.append(edit.do(graph))
        except Exception:
            for edit in reversed(back):
                edit.do(graph)
            raise
        return Edits(tuple(reversed(back)))


@dataclass(frozen=True, eq=False)
class _Seat:
    """Where exactly a node hangs: in which parent, before which others, and where in it."""

    node: str
    parent: str
    index: int
    place: Array  # its row, (13,)

    @staticmethod
    def of(node: Node) -> _Seat:
        if node.parent is None:
            raise ValueError("the root 'world' stays where it is")
        index = node.parent.children.index(node)
        return _Seat(node.name, node.parent.name, index, node.graph.local[node.row].copy())

    def do(self, graph: Graph) -> _Seat:
        node = graph[self.node]
        before = _Seat.of(node)
        graph.attach(node, self.parent, stay=False)
        self.settle(graph)
        return before

    def settle(self, graph: Graph) -> None:
        """Put a node, now the last of its siblings, where it was among them, and in its place."""
        parent = graph[self.parent]
        _to_the_end(graph, parent.children[self.index : -1])
        graph.local[graph[self.node].row] = self.place
        graph.moved()


@dataclass(frozen=True, eq=False)
class _Restore:
    """Put a branch back."""

    seat: _Seat
    nodes: tuple[AddNode, ...]  # parents first

    def do(self, graph: Graph) -> RemoveNode:
        done = Edits(self.nodes).do(graph)
        try:
            self.seat.settle(graph)
        except Exception:
            done.do(graph)
            raise
        return RemoveNode(self.seat.node)


def _to_the_end(graph: Graph, nodes: Iterable[Node]) -> None:
    for node in tuple(nodes):
        assert node.parent is not None
        graph.attach(node, node.parent, stay=False)


def _add(node: Node) -> AddNode:
    assert node.parent is not None
    return AddNode(
        node.name, node.parent.name, node.pose, node.scale, node.solids, node.visuals,
        node.content, node.attributes,
    )  # fmt: skip


def _check_size(node: Node) -> None:
    """Refuse to resize a robot, whose model is in metres, or what one stands on."""
    robot = next((each.robot for each in node.branch() if each.robot is not None), None)
    if robot is not None:
        raise ValueError(
            f"{node.name!r} cannot be resized, as the robot {robot!r} is in metres; resize the "
            "shapes instead"
        )


def _check_own(node: Node) -> None:
    """Refuse a node that belongs to a robot, which would lose it."""
    if node.robot is not None:
        raise ValueError(f"{node.name!r} belongs to the robot {node.robot!r}")
