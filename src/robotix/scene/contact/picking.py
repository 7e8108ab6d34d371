"""Picking: which node a ray hits.

Rays are intersected with primitives in closed form, and with meshes through the bounding-volume
trees of the contacts.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.collision.distance_kernels import (
    BALL,
    DISK,
    HALF,
    HALFSPACE,
    KIND,
    ROTATION,
    TRANSLATION,
)
from robotix.collision.tree_kernels import Tree, cast_ray
from robotix.errors import BadFile
from robotix.geometry import Array, Box, Capsule, Cylinder, Shape, Sphere
from robotix.geometry.rotation import checked_array
from robotix.scene.contact.colliders import NodeSolids
from robotix.scene.graph.content import Region
from robotix.scene.graph.graph import Graph, Node

__all__ = ["Hit", "pick"]

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Hit:
    """The intersection of a ray with a node."""

    node: Node
    point: Array  # (3,), m, in the world
    normal: Array  # (3,), unit, of the surface, on the side that the ray comes from
    distance: float  # m, from the origin of the ray


def pick(
    graph: Graph, origin: ArrayLike, direction: ArrayLike, *, reach: float = math.inf
) -> Hit | None:
    """Return the first node that a ray hits within `reach` metres; None if there is none.

    Only pickable and visible nodes count, whose ancestors are visible; their visuals are used, or
    their solids if they have none. Regions are ignored. A ray that starts inside a shape hits it
    from within.
    """
    start = checked_array(origin, (3,), "the origin of a ray")
    along = checked_array(direction, (3,), "the direction of a ray")
    largest = float(np.abs(along).max())
    if not largest > 0:
        raise ValueError("the direction of a ray must not be zero")
    along = along / largest  # avoids underflow and overflow of squares
    along = along / np.linalg.norm(along)
    graph.update()
    targets = _targets_of(graph)
    best: Hit | None = None
    for k, entry in targets.near(graph.world, start, along):
        limit = best.distance if best is not None else reach
        if entry > limit:
            break
        name, shape, tree = targets.shapes[k]
        found = _intersect(graph.world[targets.rows[k]], shape, tree, start, along)
        if found is not None and (found[0] < limit or (best is None and found[0] <= reach)):
            distance, normal = found
            best = Hit(graph[name], start + distance * along, normal, distance)
    return best


@dataclass(frozen=True, eq=False)
class _Targets:
    """All pickable shapes, and their bounding spheres."""

    stamp: tuple[int, int]  # structure and touches of the graph
    shapes: list[tuple[str, Shape, Tree | None]]  # and the names of their nodes
    rows: NDArray[np.int64]  # (n,), of the nodes
    centres: Array  # (n, 3), in the frame of the node
    radii: Array  # (n,), in the node's units

    def near(self, world: Array, start: Array, along: Array) -> Iterator[tuple[int, float]]:
        """Yield the shapes whose bounding sphere a ray hits, and the distance, nearest first."""
        place = world[self.rows]
        scales, turns = place[:, 12], place[:, :9].reshape(-1, 3, 3)
        away = scales[:, None] * (turns @ self.centres[..., None])[..., 0] + place[:, 9:12] - start
        radii = self.radii * scales
        ahead = away @ along
        beside = np.linalg.norm(away - ahead[:, None] * along, axis=1)
        tolerance = 1e-9 * (np.abs(away).max(axis=1) + radii)  # rounding error at large distances
        met = (beside <= radii + tolerance) & (ahead >= -radii - tolerance)
        entries = np.where(np.isinf(radii), 0.0, np.maximum(ahead - radii - tolerance, 0.0))
        for k in np.argsort(np.where(met, entries, math.inf), kind="stable")[: met.sum()]:
            yield int(k), float(entries[k])


_TARGETS: WeakKeyDictionary[Graph, _Targets] = WeakKeyDictionary()


def _targets_of(graph: Graph) -> _Targets:
    """Collect the pickable shapes; cached until the graph changes in more than poses."""
    known, stamp = _TARGETS.get(graph), (graph.structure, graph.touches)
    if known is not None and known.stamp == stamp:
        return known
    things: list[
        tuple[str, Shape, Tree | None]
    ] = []  # names, since nodes would keep the graph alive
    rows: list[int] = []
    centres, radii = [np.empty((0, 3))], [np.empty(0)]
    for node in _pickable(graph.root):
        solids = _drawn_solids(node)
        things += [(node.name, s, t) for s, t in zip(solids.shapes, solids.trees, strict=True)]
        rows += [node.row] * len(solids.shapes)
        turns = solids.rows[:, ROTATION:TRANSLATION].reshape(-1, 3, 3)
        middles = (turns @ solids.centres[..., None])[..., 0] + solids.rows[:, TRANSLATION:]
        half = solids.rows[:, HALF:ROTATION].copy()
        half[:, 0] += solids.rows[:, DISK]
        reach = np.linalg.norm(half, axis=1) + solids.rows[:, BALL]
        centres.append(middles)
        radii.append(np.where(solids.rows[:, KIND] == HALFSPACE, math.inf, reach))
    targets = _Targets(
        stamp,
        things,
        np.array(rows, dtype=np.int64),
        np.concatenate(centres),
        np.concatenate(radii),
    )
    _TARGETS[graph] = targets
    return targets


def _pickable(node: Node) -> Iterator[Node]:
    """Yield the nodes of a branch that can be picked."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if not node.attributes.visible:
            continue
        if node.attributes.pickable and not isinstance(node.content, Region):
            yield node
        waiting.extend(reversed(node.children))


def _drawn_solids(node: Node) -> NodeSolids:
    """Return the drawn shapes of a node; meshes that cannot be read are left out."""
    drawn = tuple(visual.shape for visual in node.visuals)
    for shapes in (drawn, node.solids):
        try:
            if shapes:
                return NodeSolids.of(shapes, 1.0)
        except BadFile as error:
            LOG.warning("%s cannot be picked by %s", node.name, error)
    return NodeSolids.of((), 1.0)


def _intersect(
    place: Array, shape: Shape, tree: Tree | None, start: Array, along: Array
) -> tuple[float, Array] | None:
    """Return the distance at which a ray hits a shape of a node, and the normal, in the world."""
    scale = float(place[12])
    node_turn = place[:9].reshape(3, 3)
    turn = node_turn @ shape.pose.rotation
    centre = node_turn @ (scale * shape.pose.translation) + place[9:12]
    # In the shape's own frame and scale, for precision.
    p, d = turn.T @ (start - centre) / scale, turn.T @ along
    found = _intersect_primitive(shape, p, d) if tree is None else _intersect_mesh(tree, p, d)
    if found is None:
        return None
    normal = turn @ found[1]
    return found[0] * scale, -normal if normal @ along > 0 else normal


def _intersect_mesh(tree: Tree, p: Array, d: Array) -> tuple[float, Array] | None:
    normal = np.empty(3)
    far = cast_ray(tree, p, d, math.inf, normal)
    return (far, normal) if math.isfinite(far) else None


# -- primitives -------------------------------------------------------------------------------

Crossing = tuple[float, Array]  # distance along the ray, normal


def _intersect_primitive(shape: Shape, p: Array, d: Array) -> Crossing | None:
    """Return the first crossing that is not behind."""
    match shape:
        case Sphere():
            crossings = _ball(p, d, shape.radius, 0.0)
        case Box():
            crossings = _box(p, d, shape.size / 2)
        case Cylinder():
            crossings = _cylinder(p, d, shape.radius, shape.length / 2)
        case Capsule():
            crossings = _capsule(p, d, shape.radius, shape.length / 2)
        case _:
            crossings = _plane(p, d)
    ahead = [crossing for crossing in crossings if crossing[0] >= 0.0]
    return min(ahead, key=lambda crossing: crossing[0]) if ahead else None


def _plane(p: Array, d: Array) -> list[Crossing]:
    if d[2] == 0.0:
        return []
    return [(float(-p[2] / d[2]), np.array([0.0, 0.0, 1.0]))]


def _crossings(p: Array, d: Array, radius: float) -> list[float]:
    """Return where a ray crosses a circle or sphere around the origin, in 2 or 3 dimensions."""
    square = float(d @ d)
    if square == 0.0:
        return []
    middle = -float(p @ d) / square
    nearest = p + middle * d  # before squaring, for precision at large distances
    margin = radius * radius - float(nearest @ nearest)
    if margin < 0.0:
        return []
    half = math.sqrt(margin / square)
    return [middle - half, middle + half]


def _ball(p: Array, d: Array, radius: float, height: float) -> list[Crossing]:
    away = p - (0.0, 0.0, height)
    return [(t, (away + t * d) / radius) for t in _crossings(away, d, radius)]


def _side(p: Array, d: Array, radius: float, half: float) -> list[Crossing]:
    """Side of a cylinder along z."""
    found = []
    for t in _crossings(p[:2], d[:2], radius):
        x, y, z = p + t * d
        if abs(z) <= half:
            found.append((t, np.array([x / radius, y / radius, 0.0])))
    return found


def _cylinder(p: Array, d: Array, radius: float, half: float) -> list[Crossing]:
    found = _side(p, d, radius, half)
    for end in (-1.0, 1.0):
        if d[2] != 0.0:
            t = float((end * half - p[2]) / d[2])
            x, y, _ = p + t * d
            if x * x + y * y <= radius * radius:
                found.append((t, np.array([0.0, 0.0, end])))
    return found


def _capsule(p: Array, d: Array, radius: float, half: float) -> list[Crossing]:
    found = _side(p, d, radius, half)
    for end in (-1.0, 1.0):
        for t, normal in _ball(p, d, radius, end * half):
            if end * (p[2] + t * d[2]) >= half:
                found.append((t, normal))
    return found


def _box(p: Array, d: Array, half: Array) -> list[Crossing]:
    near, far = -math.inf, math.inf
    faces = [0, 0]
    for i in range(3):
        if d[i] == 0.0:
            if abs(p[i]) > half[i]:
                return []
            continue
        enter, leave = sorted(((-half[i] - p[i]) / d[i], (half[i] - p[i]) / d[i]))
        if enter > near:
            near, faces[0] = float(enter), i
        if leave < far:
            far, faces[1] = float(leave), i
    if near > far:
        return []
    # The sign is irrelevant: the caller turns the normal towards the ray.
    return [(near, np.eye(3)[faces[0]]), (far, np.eye(3)[faces[1]])]
