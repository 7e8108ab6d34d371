"""Sweeping: an object leaves a trace of its motion, as copies of itself, a line or a surface."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from robotix.geometry import Array
from robotix.scene.events.action import Action
from robotix.scene.events.claims import is_there
from robotix.scene.events.events import Event
from robotix.scene.graph.content import Trace
from robotix.scene.graph.field_types import NodeName, Vector
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.scene import Scene

__all__ = ["ClearSweep", "Sweep", "trace_name"]

MAX_COUNT = 10_000
ALMOST = 1 - 1e-9  # what is due but for rounding is due


@dataclass(frozen=True)
class Sweep:
    """Let an object leave a trace of its motion, as long as this is on.

    `copies` replicate its shape, a `line` joins the places of its origin, and a `surface` is what
    the line from its origin to `edge` (in its own frame) sweeps over. There is a new piece whenever
    it has moved by `every` metres, or after `seconds` when given; of all, the last `limit` stay.
    """

    node: NodeName
    kind: Literal["copies", "line", "surface"] = "copies"
    every: float = 0.05
    seconds: float | None = None
    limit: int = 200
    edge: Vector = (0.0, 0.0, 0.1)
    width: float = 0.004  # of a line

    def __post_init__(self) -> None:
        """Refuse what leaves no trace, or one without end."""
        times = () if self.seconds is None else (self.seconds,)
        if not all(
            math.isfinite(value) and value > 0 for value in (self.every, self.width, *times)
        ):
            raise ValueError(f"distances, times and widths of a trace must be positive: {self}")
        if not 1 <= self.limit <= MAX_COUNT:
            raise ValueError(f"a trace has 1 to {MAX_COUNT} pieces, got {self.limit}")
        if not all(map(math.isfinite, self.edge)):
            raise ValueError(f"the edge of a trace must be finite, got {self.edge}")

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Begin when on."""
        node = scene.graph[self.node]
        return _sweep(scene, node, self) if event.state else None


@dataclass(frozen=True)
class ClearSweep:
    """Take the trace of an object away."""

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Clear when on."""
        name = trace_name(scene.graph[self.node])
        if event.state and name in scene.graph:
            scene.graph.remove(name)


def trace_name(node: Node) -> str:
    """Return the name of the node that holds the trace of another."""
    return f"trace of {node.name}"


def _sweep(scene: Scene, node: Node, sweep: Sweep) -> Action:
    place, tick = None, scene.tick
    count = 0
    while True:
        if not is_there(node):
            raise LookupError(f"node {node.name!r} was removed while it left a trace")
        here = node.world_position
        if place is None or _is_due(scene, sweep, way=_length(here - place), since=tick):
            _leave(node, sweep, count)
            place, tick, count = here, scene.tick, count + 1
        yield


def _is_due(scene: Scene, sweep: Sweep, *, way: float, since: int) -> bool:
    if sweep.seconds is None:
        return way >= sweep.every * ALMOST
    return (scene.tick - since) * scene.dt >= sweep.seconds * ALMOST


def _leave(node: Node, sweep: Sweep, count: int) -> None:
    """Add one piece to the trace; in place of the oldest when there are enough."""
    graph, name = node.graph, trace_name(node)
    trace = graph[name] if name in graph else graph.add(name)
    if sweep.kind == "copies":
        _copy(node, trace, number=count % sweep.limit)
        return
    each = 1 if sweep.kind == "line" else 2
    if not isinstance(trace.content, Trace) or trace.content.kind != sweep.kind:
        trace.content = Trace((), sweep.kind, sweep.width)
    pose = node.world_pose
    edges = [(0.0, 0.0, 0.0), tuple(node.world_scale * x for x in sweep.edge)][:each]
    new = tuple(_vector(pose.apply(edge)) for edge in edges)
    points = (*trace.content.points, *new)[-each * sweep.limit :]
    trace.content = replace(trace.content, points=points)
    trace.touch()


def _copy(node: Node, trace: Node, *, number: int) -> None:
    """Put a copy of what is to be seen of a branch where it is now; nobody can touch it."""
    graph = node.graph
    for each in node.branch():
        if not each.visuals:
            continue
        name = f"{trace.name}/{number}/{each.name}"
        if name not in graph:
            looks = replace(each.attributes, pickable=False, collidable=False)
            graph.add(name, parent=trace, visuals=each.visuals, attributes=looks)
        _put(graph, graph[name], like=each)


def _put(graph: Graph, copy: Node, *, like: Node) -> None:
    graph.set_world_pose(copy, like.world_pose)
    graph.local[copy.row, 12] = like.world_scale
    graph.moved()


def _length(way: Array) -> float:
    return float(np.linalg.norm(way))


def _vector(point: Array) -> Vector:
    x, y, z = point.tolist()
    return x, y, z
