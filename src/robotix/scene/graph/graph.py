"""The scene graph: a tree of named nodes, and where each of them is in the world."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from robotix.errors import UnknownName
from robotix.geometry import Array, Pose, Shape
from robotix.model import Visual
from robotix.scene.graph.content import Attributes, Content
from robotix.scene.graph.graph_kernels import place_nodes

__all__ = ["MAX_NODES", "Graph", "Node"]

MAX_NODES = 20_000  # beyond this a scene is a mistake or an attack
PLACE_SIZE = 13  # rotation row-major, translation, scale
GONE = -1  # the row of a node that is not in the graph
_HOME = np.array([1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0])


@dataclass(eq=False)
class Node:
    """A place in the room. It has one parent, and moves with it; made by `Graph.add`.

    `solids` collide and are picked, `visuals` are drawn; both in the node's own frame. Change the
    place by assigning to `pose`, the looks by `set` and the parent by `Graph.attach`.
    """

    name: str
    graph: Graph = field(repr=False)
    parent: Node | None
    solids: tuple[Shape, ...] = ()
    visuals: tuple[Visual, ...] = ()
    content: Content | None = None
    attributes: Attributes = field(default_factory=Attributes)
    robot: str | None = None  # the robot whose link this is
    children: list[Node] = field(default_factory=list, repr=False)
    row: int = -1  # in the graph's arrays
    revision: int = 0  # counts changes of anything but the place

    # -- place ------------------------------------------------------------------------------

    @property
    def pose(self) -> Pose:
        """parent_from_node."""
        return self.graph.local_pose(self)

    @pose.setter
    def pose(self, pose: Pose) -> None:
        self.graph.set_local_pose(self, pose)

    @property
    def scale(self) -> float:
        """Size of the branch in its parent: one factor for all directions."""
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
        """Size of the branch in the world."""
        self.graph.update()
        return float(self.graph.world[self.row, 12])

    # -- looks ------------------------------------------------------------------------------

    def set(self, **changes: object) -> None:
        """Change attributes by name, such as `set(visible=False)`."""
        self.attributes = replace(self.attributes, **changes)  # type: ignore[arg-type]
        self.touch()

    def touch(self) -> None:
        """Note that something besides the place has changed."""
        self.revision += 1
        self.graph.touched(self)

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

    All places live in two arrays with a row a node, parents before children: `local` (in the
    parent) and `world`. Rows change when nodes come, go or change parents (`structure` counts
    that), and `moves` counts changes of places.
    """

    def __init__(self) -> None:
        self.structure = 0
        self.moves = 0
        self.touches = 0  # counts changes besides places, over all nodes
        self._nodes: dict[str, Node] = {}
        self._touched: set[str] = set()
        self._fresh = False
        self.local: Array = np.empty((0, PLACE_SIZE))
        self.world: Array = np.empty((0, PLACE_SIZE))
        self._parents: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.root = Node("world", self, None)
        self._nodes["world"] = self.root
        self._lay_out()

    # -- looking up -------------------------------------------------------------------------

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
    ) -> Node:
        """Add a node under `parent` (the root when None)."""
        self._check_name(name)
        if len(self._nodes) >= MAX_NODES:
            raise ValueError(f"a scene has at most {MAX_NODES} nodes")
        if not (math.isfinite(scale) and scale > 0):
            raise ValueError(f"the scale of {name!r} must be positive, got {scale}")
        above = self._node(parent) if parent is not None else self.root
        node = Node(
            name, self, above, tuple(solids), tuple(visuals), content, attributes or Attributes(),
            robot,
        )  # fmt: skip
        above.children.append(node)
        self._nodes[name] = node
        row = _HOME.copy()
        row[12] = scale
        if pose is not None:
            row[:9], row[9:12] = pose.rotation.ravel(), pose.translation
        self._append(node, row)
        return node

    def remove(self, node: Node | str, *, with_robots: bool = False) -> None:
        """Take a node away with all below it; robots only when asked (see `Scene.remove_robot`)."""
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
            each.row = GONE
        self._lay_out()

    def attach(self, node: Node | str, parent: Node | str, *, stay: bool = True) -> None:
        """Give a node another parent; with `stay` it keeps its place in the world."""
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
        self._lay_out()
        child.touch()
        if stay:
            self.set_world_pose(child, world)
            self.local[child.row, 12] = size / above.world_scale
            self.moved()

    def rename(self, node: Node | str, name: str) -> None:
        """Give a node another name."""
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
            raise ValueError(f"a node needs a name of printable characters, got {name!r}")
        if name in self._nodes:
            raise ValueError(f"there is a node {name!r} already; give this one another name")

    def _node(self, node: Node | str) -> Node:
        return node if isinstance(node, Node) else self[node]

    # -- places -----------------------------------------------------------------------------

    def local_pose(self, node: Node) -> Pose:
        """Return parent_from_node."""
        row = self.local[self._row(node)]
        return Pose(row[:9].reshape(3, 3), row[9:12])

    def set_local_pose(self, node: Node, pose: Pose) -> None:
        """Place a node in its parent."""
        row = self.local[self._row(node)]
        row[:9], row[9:12] = pose.rotation.ravel(), pose.translation
        self.moved()

    def world_pose(self, node: Node) -> Pose:
        """Return world_from_node."""
        self.update()
        row = self.world[self._row(node)]
        return Pose(row[:9].reshape(3, 3), row[9:12])

    def set_world_pose(self, node: Node, pose: Pose) -> None:
        """Place a node in the world, whatever its parent."""
        if node.parent is None:
            raise ValueError("the root 'world' cannot be moved")
        self.update()
        above = self.world[node.parent.row]
        R, t, s = above[:9].reshape(3, 3), above[9:12], above[12]
        self.set_local_pose(node, Pose(R.T @ pose.rotation, R.T @ (pose.translation - t) / s))

    def _row(self, node: Node) -> int:
        if node.row == GONE:
            raise ValueError(f"node {node.name!r} was removed from the room")
        return node.row

    def moved(self) -> None:
        """Note that something was written to `local`."""
        self.moves += 1
        self._fresh = False

    def update(self) -> None:
        """Bring `world` up to date."""
        if not self._fresh:
            place_nodes(self._parents, self.local, self.world)
            self._fresh = True

    # -- changes besides places -------------------------------------------------------------

    def touched(self, node: Node) -> None:
        """Note that a node changed in something besides its place."""
        self.touches += 1
        self._touched.add(node.name)

    def take_touched(self) -> list[str]:
        """Return the names of the nodes touched since the last call, in order."""
        names = sorted(name for name in self._touched if name in self._nodes)
        self._touched.clear()
        return names

    # -- rows -------------------------------------------------------------------------------

    def _append(self, node: Node, row: Array) -> None:
        """Add one row at the end, where every parent comes before."""
        node.row = len(self._rows)
        self._rows.append(node)
        assert node.parent is not None
        if node.row == len(self._local_store):
            self._grow(2 * node.row)
        self._local_store[node.row] = row
        self._parent_store[node.row] = node.parent.row
        self._cut(node.row + 1)

    def _lay_out(self) -> None:
        """Give every node its row anew, parents first."""
        kept = {
            node.name: self.local[node.row] for node in self._nodes.values() if node.row != GONE
        }
        self._rows = list(self.root.branch())
        count = len(self._rows)
        local = np.array([kept.get(node.name, _HOME) for node in self._rows])
        parents = np.empty(count, dtype=np.int64)
        for row, node in enumerate(self._rows):
            node.row = row
            parents[row] = -1 if node.parent is None else node.parent.row
        self._local_store, self._parent_store = local, parents
        self._world_store = np.empty_like(local)
        self._cut(count)

    def _grow(self, size: int) -> None:
        count = len(self._rows) - 1
        local, parents = np.empty((size, PLACE_SIZE)), np.empty(size, dtype=np.int64)
        local[:count], parents[:count] = self._local_store[:count], self._parent_store[:count]
        self._local_store, self._parent_store = local, parents
        self._world_store = np.empty_like(local)

    def _cut(self, count: int) -> None:
        self.local, self.world = self._local_store[:count], self._world_store[:count]
        self._parents = self._parent_store[:count]
        self.structure += 1
        self.moved()
