"""The rigid parts of a scene graph: which nodes move together, and what moves them.

Every free node is a part with its whole branch; every link of a robot and every node that moves by
itself is a driven part; what hangs on a link of a simulated robot is a mounted part; each remaining
node with solids is a static part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from robotix.geometry import Array, Halfspace, Pose, Shape
from robotix.scene.graph.body import BodyProperties
from robotix.scene.graph.content import Region
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.robots.obstacles import scaled_shape

__all__ = [
    "Part",
    "PartKind",
    "bounds",
    "collect_parts",
    "fingerprint",
    "free_fault",
    "has_solids",
    "is_solid",
]

PartKind: TypeAlias = Literal["static", "driven", "free", "mounted"]


@dataclass(eq=False)
class Part:
    """Nodes that move as one rigid body; named after their root."""

    node: Node
    kind: PartKind
    body: BodyProperties
    pose: Pose  # world_from_part; of mounted parts link_from_part
    shapes: list[Shape] = field(default_factory=list)  # in m, in the frame of the root
    key: list[object] = field(default_factory=list)  # equal for equal parts
    link: str = ""  # of a simulated robot, on which it is mounted

    @property
    def name(self) -> str:
        """The name of its root."""
        return self.node.name


@dataclass(frozen=True, eq=False)
class _Same:
    """Equal to what holds the same object; keeps it alive, so that no other takes its address."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def collect_parts(graph: Graph, movers: Collection[Node], links: Collection[Node]) -> list[Part]:
    """Return the parts of a graph that have solids.

    `movers` are nodes that were seen to move by themselves; `links` are the bodies of robots that
    are simulated, which are left out.
    """
    graph.update()
    robots = {node.robot for node in links}
    parts: dict[Node, Part] = {}
    owners: dict[Node, Part | None] = {}  # None: nothing moves the node
    for node in graph:
        above = owners[node.parent] if node.parent is not None else None
        if node.robot in robots:
            owners[node] = above if node.name == node.robot else None
            continue
        kind = _root_kind(node, above, movers, links)
        part = above if kind is None else _new_part(node, kind, links)
        owners[node] = part
        if not is_solid(node):
            continue
        if part is None:
            part = _new_part(node, "static")
        parts[part.node] = part
        _add_solids(part, node)
    return list(parts.values())


def _root_kind(
    node: Node, above: Part | None, movers: Collection[Node], links: Collection[Node]
) -> PartKind | None:
    """Return the kind of the part that begins with a node; None if none does."""
    if above is not None and above.kind == "free":
        return "driven" if node in movers else None
    if node.body is not None and node.body.kind == "free":
        return "free"
    is_link = node.robot is not None and node.name != node.robot
    is_moved = node.body is not None and node.body.kind == "moved"
    if is_link or is_moved or node in movers:
        return "driven"
    return "mounted" if above is None and _link_of(node, links) is not None else None


def _link_of(node: Node, links: Collection[Node]) -> Node | None:
    """Return the link of a simulated robot that a node hangs on."""
    return next((each for each in node.ancestors() if each in links), None)


def _new_part(node: Node, kind: PartKind, links: Collection[Node] = ()) -> Part:
    body = node.body or BodyProperties("static")
    part = Part(node, kind, body, node.world_pose)
    part.key += [node.name, kind, body]
    if kind == "static":
        part.key.append(node.graph.world[node.row].tobytes())
    link = _link_of(node, links) if kind == "mounted" else None
    if link is not None:
        part.link, part.pose = link.name, _pose_in(link, node)
        part.key += [link.name, part.pose.matrix.tobytes()]
    return part


def _pose_in(above: Node, node: Node) -> Pose:
    """Return above_from_node, which does not depend on where `above` is, to the last bit."""
    pose = Pose()
    while node is not above and node.parent is not None:
        pose, node = node.pose @ pose, node.parent
    return pose


def _add_solids(part: Part, node: Node) -> None:
    scale = node.world_scale
    part_from_node = Pose()
    if node is not part.node:
        part_from_node = part.node.world_pose.inverse() @ node.world_pose
    for shape in node.solids:
        grown = shape if scale == 1.0 else scaled_shape(shape, scale)
        part.shapes.append(replace(grown, pose=part_from_node @ grown.pose))
    part.key += [node.name, _Same(node.solids), scale]
    each = node
    while each is not part.node and each.parent is not None:
        part.key.append(each.graph.local[each.row].tobytes())
        each = each.parent


def is_solid(node: Node) -> bool:
    """Return whether a node has solids that collide."""
    return bool(node.solids and node.attributes.collidable and not isinstance(node.content, Region))


def has_solids(node: Node) -> bool:
    """Return whether a branch has solids that collide."""
    return any(is_solid(each) for each in node.branch())


def fingerprint(graph: Graph) -> list[object]:
    """Return what parts depend on besides poses; equal lists mean equal parts."""
    return [
        part
        for n in graph
        for part in (n.name, n.parent, _Same(n.solids), n.attributes.collidable, n.body)
    ]


def free_fault(node: Node) -> str:
    """Return why a node cannot be free; empty if it can."""
    if node.robot is not None:
        return "is a robot or a part of one"
    branch = list(node.branch())
    if any(each.robot is not None for each in branch):
        return "carries a robot, which only something static or moved can"
    shapes = [shape for each in branch if is_solid(each) for shape in each.solids]
    if not shapes:
        return "has no shape that collides"
    if any(isinstance(shape, Halfspace) for shape in shapes):
        return "has a plane, which is infinite"
    above = next((n for n in node.ancestors() if n.body and n.body.kind == "free"), None)
    if above is not None:
        return f"stands on {above.name!r}, which is free itself; place it in the room instead"
    return ""


def bounds(parts: Sequence[Part], more: Sequence[Array], margin: float) -> Array:
    """Return the lowest and the highest corner of a box around parts and more points, (2, 3)."""
    points = [
        part.pose.apply(shape.pose.translation)
        for part in parts
        for shape in part.shapes
        if not isinstance(shape, Halfspace) and part.kind != "mounted"
    ]
    points += more
    middles = np.array(points or [np.zeros(3)])
    return np.array([middles.min(axis=0) - margin, middles.max(axis=0) + margin])
