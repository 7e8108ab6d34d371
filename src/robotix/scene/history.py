"""Undo and redo of what users change in the graph.

Doing an edit returns its inverse, so that nothing else has to be stored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from robotix.errors import BadField
from robotix.geometry import Array, Pose, Shape
from robotix.model import Visual
from robotix.scene.events.claims import check_movable
from robotix.scene.graph.body import BodyProperties
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

MAX_EDITS = 500  # that can be undone
GROUP_TIMEOUT = 0.5  # s; later edits of the same group are undone separately


class Edit(Protocol):
    """A change of the graph."""

    def do(self, graph: Graph) -> Edit:
        """Make the change and return its inverse; on an error, raise and change nothing."""


class History:
    """The edits that can be undone and redone."""

    def __init__(self, graph: Graph, *, limit: int = MAX_EDITS) -> None:
        """Start empty; beyond `limit`, the oldest edits are dropped."""
        if limit < 1:
            raise BadField("limit", "1 or more", limit)
        self._graph = graph
        self._undo: deque[Edit] = deque(maxlen=limit)
        self._redo: deque[Edit] = deque(maxlen=limit)
        self._group: Hashable = None  # of the last edit
        self._at = 0.0  # s; when that was

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is anything to redo."""
        return bool(self._redo)

    def do(self, edit: Edit, *, group: Hashable = None, at: float = 0.0) -> None:
        """Make an edit; clear the edits that could be redone.

        Edits of one group that follow each other quickly (`at`, in s) are undone together, as the
        steps of a drag: each of them replaces the last one.
        """
        back = edit.do(self._graph)
        is_next = group is not None and group == self._group and at - self._at <= GROUP_TIMEOUT
        if not (is_next and self._undo):
            self._undo.append(back)
        self._redo.clear()
        self._group, self._at = group, at

    def record(self, back: Edit) -> None:
        """Record the inverse of a change that was made already."""
        self._undo.append(back)
        self._redo.clear()
        self._group = None

    def undo(self) -> bool:
        """Undo the last edit; return whether there was one.

        If it is no longer possible, raise and drop it.
        """
        return self._transfer(self._undo, self._redo)

    def redo(self) -> bool:
        """Redo the edit that was undone last; return whether there was one."""
        return self._transfer(self._redo, self._undo)

    def _transfer(self, source: deque[Edit], target: deque[Edit]) -> bool:
        self._group = None
        if not source:
            return False
        target.append(source.pop().do(self._graph))
        return True


@dataclass(frozen=True)
class MoveNode:
    """Set the pose of a node in its parent, and its scale if given."""

    node: str
    pose: Pose
    scale: float | None = None

    def do(self, graph: Graph) -> MoveNode:
        """Move it."""
        node = graph[self.node]
        check_movable(node)
        before = MoveNode(self.node, node.pose, node.scale)
        if self.scale is not None and not 0 < self.scale < float("inf"):
            raise BadField("scale", "positive", self.scale)
        if self.scale not in (None, node.scale):
            _check_size(node)
        node.pose = self.pose
        if self.scale is not None:
            graph.local[node.row, 12] = self.scale
            graph.mark_moved()
        return before


@dataclass(frozen=True)
class SetAttributes:
    """Set the attributes of a node."""

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
    """Rename a node."""

    node: str
    name: str

    def do(self, graph: Graph) -> RenameNode:
        """Rename it."""
        _check_own(graph[self.node])
        graph.rename(self.node, self.name)
        return RenameNode(self.name, self.node)


@dataclass(frozen=True)
class AttachNode:
    """Attach a node to another; its pose in the world stays."""

    node: str
    to: str

    def do(self, graph: Graph) -> _TreePosition:
        """Attach it."""
        node = graph[self.node]
        check_movable(node)
        before = _TreePosition.of(node)
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
    body: BodyProperties | None = None

    def do(self, graph: Graph) -> RemoveNode:
        """Add it."""
        graph.add(
            self.name, parent=self.parent, pose=self.pose, scale=self.scale, solids=self.solids,
            visuals=self.visuals, content=self.content, attributes=self.attributes, body=self.body,
        )  # fmt: skip
        return RemoveNode(self.name)


@dataclass(frozen=True)
class RemoveNode:
    """Remove a node with its branch."""

    node: str

    def do(self, graph: Graph) -> _Restore:
        """Remove it."""
        gone = graph[self.node]
        for node in gone.branch():
            _check_own(node)
        before = _Restore(_TreePosition.of(gone), tuple(_add(node) for node in gone.branch()))
        graph.remove(gone)
        return before


@dataclass(frozen=True)
class Edits:
    """Several edits that are undone together; all are made, or none."""

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
class _TreePosition:
    """The exact position of a node in the tree: its parent, its index there, and its row."""

    node: str
    parent: str
    index: int
    row: Array  # its row, (13,)

    @staticmethod
    def of(node: Node) -> _TreePosition:
        if node.parent is None:
            raise ValueError("the root 'world' stays where it is")
        index = node.parent.children.index(node)
        return _TreePosition(node.name, node.parent.name, index, node.graph.local[node.row].copy())

    def do(self, graph: Graph) -> _TreePosition:
        node = graph[self.node]
        before = _TreePosition.of(node)
        graph.attach(node, self.parent, stay=False)
        self.restore(graph)
        return before

    def restore(self, graph: Graph) -> None:
        """Move a node, now the last of its siblings, to its index, and restore its row."""
        parent = graph[self.parent]
        _move_to_end(graph, parent.children[self.index : -1])
        graph.local[graph[self.node].row] = self.row
        graph.mark_moved()


@dataclass(frozen=True, eq=False)
class _Restore:
    """Restore a branch."""

    seat: _TreePosition
    nodes: tuple[AddNode, ...]  # parents first

    def do(self, graph: Graph) -> RemoveNode:
        done = Edits(self.nodes).do(graph)
        try:
            self.seat.restore(graph)
        except Exception:
            done.do(graph)
            raise
        return RemoveNode(self.seat.node)


def _move_to_end(graph: Graph, nodes: Iterable[Node]) -> None:
    for node in tuple(nodes):
        assert node.parent is not None
        graph.attach(node, node.parent, stay=False)


def _add(node: Node) -> AddNode:
    assert node.parent is not None
    return AddNode(
        node.name, node.parent.name, node.pose, node.scale, node.solids, node.visuals,
        node.content, node.attributes, node.body,
    )  # fmt: skip


def _check_size(node: Node) -> None:
    """Raise ValueError if the branch contains a robot, whose model is in metres."""
    robot = next((each.robot for each in node.branch() if each.robot is not None), None)
    if robot is not None:
        raise ValueError(
            f"{node.name!r} cannot be resized, as the robot {robot!r} is in metres; resize the "
            "shapes instead"
        )


def _check_own(node: Node) -> None:
    """Raise ValueError for a node that belongs to a robot."""
    if node.robot is not None:
        raise ValueError(f"{node.name!r} belongs to the robot {node.robot!r}")
