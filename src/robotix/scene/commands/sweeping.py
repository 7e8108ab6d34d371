"""Commands that trace the motion of a node as copies, a line or a surface."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.scene.events.action import Action
from robotix.scene.events.claims import is_in_graph
from robotix.scene.events.events import Event
from robotix.scene.graph.content import Trace
from robotix.scene.graph.field_types import NodeName, Vector
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.scene import Scene

__all__ = ["ClearSweep", "Sweep", "trace_name"]

MAX_PIECES = 10_000
ROUNDING_FACTOR = 1 - 1e-9  # tolerates rounding of what is due


@dataclass(frozen=True)
class Sweep:
    """Trace the motion of a node while this is on.

    `copies` replicate its shape, a `line` joins the positions of its origin, and a `surface` is
    swept by the line from its origin to `edge` (in its own frame). A piece is added whenever the
    node has moved by `every` metres, or after `seconds` if given; the last `limit` are kept.
    """

    node: NodeName
    kind: Literal["copies", "line", "surface"] = "copies"
    every: float = 0.05
    seconds: float | None = None
    limit: int = 200
    edge: Vector = (0.0, 0.0, 0.1)
    width: float = 0.004  # of a line, m

    def __post_init__(self) -> None:
        """Raise BadField for values out of range."""
        for name in ("every", "width", "seconds"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0):
                raise BadField(name, "positive", value)
        if not 1 <= self.limit <= MAX_PIECES:
            raise BadField("limit", f"1 to {MAX_PIECES} pieces", self.limit)
        if not all(map(math.isfinite, self.edge)):
            raise BadField("edge", "finite", self.edge)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start when the event is on."""
        node = scene.graph[self.node]
        return _sweep(scene, node, self) if event.state else None


@dataclass(frozen=True)
class ClearSweep:
    """Remove the trace of a node."""

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Remove it when the event is on."""
        name = trace_name(scene.graph[self.node])
        if event.state and name in scene.graph:
            scene.graph.remove(name)


def trace_name(node: Node) -> str:
    """Return the name of the node that holds the trace of another."""
    return f"trace of {node.name}"


def _sweep(scene: Scene, node: Node, sweep: Sweep) -> Action:
    last, tick = None, scene.tick
    count = 0
    while True:
        if not is_in_graph(node):
            raise LookupError(f"node {node.name!r} was removed while it left a trace")
        here = node.world_position
        if last is None or _is_due(scene, sweep, distance=_length(here - last), since=tick):
            _add_piece(node, sweep, count)
            last, tick, count = here, scene.tick, count + 1
        yield


def _is_due(scene: Scene, sweep: Sweep, *, distance: float, since: int) -> bool:
    if sweep.seconds is None:
        return distance >= sweep.every * ROUNDING_FACTOR
    return (scene.tick - since) * scene.dt >= sweep.seconds * ROUNDING_FACTOR


def _add_piece(node: Node, sweep: Sweep, count: int) -> None:
    """Add one piece to the trace; beyond the limit, replace the oldest."""
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
    """Copy the visuals of a branch at its current pose; copies are not pickable or collidable."""
    graph = node.graph
    for each in node.branch():
        if not each.visuals:
            continue
        name = f"{trace.name}/{number}/{each.name}"
        if name not in graph:
            looks = replace(each.attributes, pickable=False, collidable=False)
            graph.add(name, parent=trace, visuals=each.visuals, attributes=looks)
        _copy_pose(graph, graph[name], like=each)


def _copy_pose(graph: Graph, copy: Node, *, like: Node) -> None:
    graph.set_world_pose(copy, like.world_pose)
    graph.local[copy.row, 12] = like.world_scale
    graph.mark_moved()


def _length(vector: Array) -> float:
    return float(np.linalg.norm(vector))


def _vector(point: Array) -> Vector:
    x, y, z = point.tolist()
    return x, y, z
