"""The scene graph: a tree of named nodes, and their poses in the world."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Pose, Shape
from robotix.model import Visual
from robotix.scene.graph.body import BodyProperties
from robotix.scene.graph.content import Attributes, Content
from robotix.scene.graph.graph_kernels import place_nodes

__all__ = ["MAX_NODES", "Graph", "Node"]

MAX_NODES = 20_000  # more are a mistake or an attack
ROW_SIZE = 13  # rotation row-major, translation, scale
REMOVED_ROW = -1  # the row of a removed node
_IDENTITY = np.array([1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0])


@dataclass(eq=False)
class Node:
    """A frame in the scene graph, which moves with its parent; made by `Graph.add`.

    `solids` collide and are picked, `visuals` are drawn; both in the node's own frame. Change the
    pose by assigning to `pose`, attributes by `set` and the parent by `Graph.attach`.
    """

    name: str
    graph: Graph = field(repr=False)
    parent: Node | None
    solids: tuple[Shape, ...] = ()
    visuals: tuple[Visual, ...] = ()
    content: Content | None = None
    attributes: Attributes = field(default_factory=Attributes)
    robot: str | None = None  # the robot that it is a link of
    body: BodyProperties | None = None  # in physics; None: nothing but commands moves it
    children: list[Node] = field(default_factory=list, repr=False)
    row: int = -1  # in the graph's arrays
    revision: int = 0  # counts changes of anything but the pose

    # -- pose -------------------------------------------------------------------------------

    @property
    def pose(self) -> Pose:
        """parent_from_node."""
        return self.graph.local_pose(self)

    @pose.setter
    def pose(self, pose: Pose) -> None:
        self.graph.set_local_pose(self, pose)

    @property
    def scale(self) -> float:
        """Scale of the branch in its parent, the same in all directions."""
        return float(self.graph.local[self.row, 12])

    @property
    def world_pose(self) -> Pose:
        """world_from_node."""
        return self.graph.world_pose(self)

    @property
    def world_position(self) -> Array:
        """Origin of the node in the world, (3,)."""
        self.graph.update()
        return np.array(self.graph.world[self.row, 9:12])

    @property
    def world_scale(self) -> float:
        """Scale of the branch in the world."""
        self.graph.update()
        return float(self.graph.world[self.row, 12])

    # -- attributes -------------------------------------------------------------------------

    def set(self, **changes: object) -> None:
        """Change attributes by name, such as `set(visible=False)`."""
        self.attributes = replace(self.attributes, **changes)  # type: ignore[arg-type]
        self.touch()

    def set_body(self, body: BodyProperties | None) -> None:
        """Change how it takes part in physics."""
        self.body = body
        self.touch()

    def touch(self) -> None:
        """Record that something besides the pose has changed."""
        self.revision += 1
        self.graph.mark_touched()

    # -- the tree ---------------------------------------------------------------------------

    def branch(self) -> Iterator[Node]:
        """Yield the node and all below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def ancestors(self) -> Iterator[Node]:
        """Yield the parent, its parent, and so on."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


class Graph:
    """Nodes by name, under one root called `world`.

    All poses are in two arrays with one row per node, parents before children: `local` (in the
    parent) and `world`. `structure` counts changes of the rows, which happen when nodes are added,
    removed or re-attached; `moves` counts changes of poses.
    """

    def __init__(self) -> None:
        self.structure = 0
        self.moves = 0
        self.touches = 0  # counts other changes, over all nodes
        self._nodes: dict[str, Node] = {}
        self._is_updated = False
        self.local: Array = np.empty((0, ROW_SIZE))
        self.world: Array = np.empty((0, ROW_SIZE))
        self._parents: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.root = Node("world", self, None)
        self._nodes["world"] = self.root
        self._rebuild()

    # -- access -----------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Node:
        try:
            return self._nodes[name]
        except KeyError:
            raise UnknownName("node", name, self._nodes) from None

    def __contains__(self, name: object) -> bool:
        return name in self._nodes

    def __iter__(self) -> Iterator[Node]:
        """Yield all nodes, parents first: the order of the rows."""
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all nodes, in the order in which they were added."""
        return tuple(self._nodes)

    def copied(self) -> tuple[Graph, dict[Node, Node]]:
        """Return a graph of copies of all nodes, and the copy of every node."""
        other = copy.copy(self)
        nodes = {node: copy.copy(node) for node in self._rows}
        for node, twin in nodes.items():
            twin.graph = other
            twin.parent = None if node.parent is None else nodes[node.parent]
            twin.children = [nodes[child] for child in node.children]
        other.root = nodes[self.root]
        other._nodes = {name: nodes[node] for name, node in self._nodes.items()}
        other._rows = list(nodes.values())  # in the same order
        other._local_store, other._parent_store = self.local.copy(), self._parents.copy()
        other._world_store = np.empty_like(other._local_store)
        other._resize(len(nodes))
        return other, nodes

    # -- building ---------------------------------------------------------------------------

    def add(
        self,
        name: str,
        *,
        parent: Node | str | None = None,
        pose: Pose | None = None,
        scale: float = 1.0,
        solids: Iterable[Shape] = (),
        visuals: Iterable[Visual] = (),
        content: Content | None = None,
        attributes: Attributes | None = None,
        robot: str | None = None,
        body: BodyProperties | None = None,
    ) -> Node:
        """Add a node under `parent` (the root when None)."""
        self._check_name(name)
        if len(self._nodes) >= MAX_NODES:
            raise ValueError(f"a scene has at most {MAX_NODES} nodes")
        if not (math.isfinite(scale) and scale > 0):
            raise BadField("scale", "positive", scale)
        above = self._node(parent) if parent is not None else self.root
        node = Node(
            name, self, above, tuple(solids), tuple(visuals), content, attributes or Attributes(),
            robot, body,
        )  # fmt: skip
        above.children.append(node)
        self._nodes[name] = node
        row = _IDENTITY.copy()
        row[12] = scale
        if pose is not None:
            row[:9], row[9:12] = pose.rotation.ravel(), pose.translation
        self._append(node, row)
        return node

    def remove(self, node: Node | str, *, with_robots: bool = False) -> None:
        """Remove a node with its branch; robots only `with_robots` (see `Scene.remove_robot`)."""
        gone = self._node(node)
        if gone.parent is None:
            raise ValueError("the root 'world' cannot be removed")
        robots = {each.robot for each in gone.branch() if each.robot is not None}
        if robots and not with_robots:
            name = min(robots)
            raise ValueError(
                f"{gone.name!r} holds robot {name!r}, or is a part of it; take that out first, "
                "by `Scene.remove_robot`"
            )
        gone.parent.children.remove(gone)
        for each in gone.branch():
            del self._nodes[each.name]
            each.row = REMOVED_ROW
        self._rebuild()

    def attach(self, node: Node | str, parent: Node | str, *, stay: bool = True) -> None:
        """Change the parent of a node; with `stay` its pose in the world stays."""
        child, above = self._node(node), self._node(parent)
        if child.parent is None:
            raise ValueError("the root 'world' has no parent")
        if child.robot is not None and child.name != child.robot:
            raise ValueError(f"{child.name!r} is a part of robot {child.robot!r}, and stays there")
        if above is child or child in above.ancestors():
            raise ValueError(f"{child.name!r} cannot hang on {above.name!r}, which hangs on it")
        world, size = child.world_pose, child.world_scale
        child.parent.children.remove(child)
        above.children.append(child)
        child.parent = above
        self._rebuild()
        child.touch()
        if stay:
            self.set_world_pose(child, world)
            self.local[child.row, 12] = size / above.world_scale
            self.mark_moved()

    def rename(self, node: Node | str, name: str) -> None:
        """Rename a node."""
        found = self._node(node)
        if found.parent is None:
            raise ValueError("the root 'world' keeps its name")
        if name != found.name:
            self._check_name(name)
            nodes = {name if key == found.name else key: each for key, each in self._nodes.items()}
            self._nodes, found.name = nodes, name
            self.structure += 1
            found.touch()

    def _check_name(self, name: str) -> None:
        if not name or not name.isprintable():
            raise BadField("name", "of printable characters", repr(name))
        if name in self._nodes:
            raise ValueError(f"there is a node {name!r} already; give this one another name")

    def _node(self, node: Node | str) -> Node:
        return node if isinstance(node, Node) else self[node]

    # -- poses ------------------------------------------------------------------------------

    def local_pose(self, node: Node) -> Pose:
        """Return parent_from_node."""
        row = self.local[self._row(node)]
        return Pose(row[:9].reshape(3, 3), row[9:12])

    def set_local_pose(self, node: Node, pose: Pose) -> None:
        """Set the pose of a node in its parent."""
        row = self.local[self._row(node)]
        row[:9], row[9:12] = pose.rotation.ravel(), pose.translation
        self.mark_moved()

    def world_pose(self, node: Node) -> Pose:
        """Return world_from_node."""
        self.update()
        row = self.world[self._row(node)]
        return Pose(row[:9].reshape(3, 3), row[9:12])

    def set_world_pose(self, node: Node, pose: Pose) -> None:
        """Set the pose of a node in the world."""
        if node.parent is None:
            raise ValueError("the root 'world' cannot be moved")
        self.update()
        above = self.world[node.parent.row]
        R, t, s = above[:9].reshape(3, 3), above[9:12], above[12]
        self.set_local_pose(node, Pose(R.T @ pose.rotation, R.T @ (pose.translation - t) / s))

    def _row(self, node: Node) -> int:
        if node.row == REMOVED_ROW:
            raise ValueError(f"node {node.name!r} was removed from the room")
        return node.row

    def mark_moved(self) -> None:
        """Record that `local` was written to."""
        self.moves += 1
        self._is_updated = False

    def update(self) -> None:
        """Update `world`."""
        if not self._is_updated:
            place_nodes(self._parents, self.local, self.world)
            self._is_updated = True

    # -- other changes ----------------------------------------------------------------------

    def mark_touched(self) -> None:
        """Record that something besides the pose of a node has changed."""
        self.touches += 1

    # -- rows -------------------------------------------------------------------------------

    def _append(self, node: Node, row: Array) -> None:
        """Append one row; its parent comes before it."""
        node.row = len(self._rows)
        self._rows.append(node)
        assert node.parent is not None
        if node.row == len(self._local_store):
            self._grow(2 * node.row)
        self._local_store[node.row] = row
        self._parent_store[node.row] = node.parent.row
        self._resize(node.row + 1)

    def _rebuild(self) -> None:
        """Assign all rows again, parents first."""
        kept = {
            node.name: self.local[node.row]
            for node in self._nodes.values()
            if node.row != REMOVED_ROW
        }
        self._rows = list(self.root.branch())
        count = len(self._rows)
        local = np.array([kept.get(node.name, _IDENTITY) for node in self._rows])
        parents = np.empty(count, dtype=np.int64)
        for row, node in enumerate(self._rows):
            node.row = row
            parents[row] = -1 if node.parent is None else node.parent.row
        self._local_store, self._parent_store = local, parents
        self._world_store = np.empty_like(local)
        self._resize(count)

    def _grow(self, size: int) -> None:
        count = len(self._rows) - 1
        local, parents = np.empty((size, ROW_SIZE)), np.empty(size, dtype=np.int64)
        local[:count], parents[:count] = self._local_store[:count], self._parent_store[:count]
        self._local_store, self._parent_store = local, parents
        self._world_store = np.empty_like(local)

    def _resize(self, count: int) -> None:
        self.local, self.world = self._local_store[:count], self._world_store[:count]
        self._parents = self._parent_store[:count]
        self.structure += 1
        self.mark_moved()
