"""Commands for doors, drawers and trolleys: a node follows the hand along its guide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from robotix.geometry import Array, Pose
from robotix.scene.commands.grabbing import check_reach
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event, Signal
from robotix.scene.events.hands import Grip
from robotix.scene.graph.field_types import Angle, DeviceName, NodeName, Vector
from robotix.scene.graph.graph import Node
from robotix.scene.graph.guides import Guide, Guided, HingeGuide, PathGuide, SlideGuide, guide_node
from robotix.scene.scene import Scene

__all__ = ["FollowPath", "Hinge", "Slide"]


@dataclass(frozen=True)
class Hinge:
    """Let a node follow a hand by rotating about a hinge: a door, a hood, a lever.

    The axis and a point on it are in the node's own frame; angles count from its pose when it was
    first gripped. The signals, if named, are on while it is at that end.
    """

    node: NodeName
    hand: DeviceName
    axis: Vector = (0.0, 0.0, 1.0)
    origin: Vector = (0.0, 0.0, 0.0)
    lower: Angle = 0.0
    upper: Angle = math.pi / 2
    speed: Angle = math.tau  # at most, rad/s
    reach: float = 0.0
    at_lower: str = ""
    at_upper: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for an invalid axis, origin, speed, reach or limits."""
        _check(self)
        _check_axis(self.axis)
        _check_limits(self.lower, self.upper)
        if not all(map(math.isfinite, self.origin)):
            raise ValueError(f"the origin of a hinge must be finite, got {self.origin}")

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Grip when the event is on."""
        node = scene.graph[self.node]
        x, y, z = (float(node.scale * part) for part in self.origin)
        guide = HingeGuide(self.axis, (x, y, z), (self.lower, self.upper))
        return _follow(scene, node, command=self, guide=guide) if event.state else None


@dataclass(frozen=True)
class Slide:
    """Let a node follow a hand along a line: a drawer, a sliding door.

    The axis is in the node's own frame; lengths count from its pose when it was first gripped. The
    signals, if named, are on while it is at that end.
    """

    node: NodeName
    hand: DeviceName
    axis: Vector = (1.0, 0.0, 0.0)
    lower: float = 0.0
    upper: float = 0.5
    speed: float = 5.0  # at most, m/s
    reach: float = 0.0
    at_lower: str = ""
    at_upper: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for an invalid axis, speed, reach or limits."""
        _check(self)
        _check_axis(self.axis)
        _check_limits(self.lower, self.upper)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Grip when the event is on."""
        node = scene.graph[self.node]
        guide = SlideGuide(self.axis, (self.lower, self.upper))
        return _follow(scene, node, command=self, guide=guide) if event.state else None


@dataclass(frozen=True)
class FollowPath:
    """Let a node follow a hand along a polyline, given in the node's parent.

    It keeps its offset from the line. The signals, if named, are on while it is at that end.
    """

    node: NodeName
    hand: DeviceName
    points: tuple[Vector, ...]
    closed: bool = False
    speed: float = 5.0  # at most, m/s
    reach: float = 0.0
    at_lower: str = ""
    at_upper: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for too few, coincident or non-finite points."""
        _check(self)
        if len(self.points) < (3 if self.closed else 2):
            raise ValueError(f"a path has two points or more, a closed one three: {self.points}")
        corners = np.array((*self.points, self.points[0]) if self.closed else self.points)
        if not np.isfinite(corners).all():
            raise ValueError(f"the points of a path must be finite, got {self.points}")
        if (np.linalg.norm(np.diff(corners, axis=0), axis=1) < 1e-6).any():
            raise ValueError(f"each point of a path is apart from the next: {self.points}")

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Grip when the event is on."""
        guide = PathGuide(self.points, self.closed)
        node = scene.graph[self.node]
        return _follow(scene, node, command=self, guide=guide) if event.state else None


class _Guiding(Protocol):
    """The common fields of the three commands."""

    @property
    def hand(self) -> str: ...
    @property
    def speed(self) -> float: ...
    @property
    def reach(self) -> float: ...
    @property
    def at_lower(self) -> str: ...
    @property
    def at_upper(self) -> str: ...


def _follow(scene: Scene, node: Node, *, command: _Guiding, guide: Guide) -> Action:
    grip = Grip.on(node, command.hand, context=scene, reach=command.reach)
    if grip.last is None:
        return
    with scene.control.claims.claim(node, f"the hand {command.hand!r}") as claim:
        guided = guide_node(scene.control.guides.get(node.name), node, guide)
        scene.control.guides[node.name] = guided
        parent_from_home = guided.home @ node.pose.inverse()
        point = parent_from_home.apply(_in_parent(node, grip.last))
        (low, high), tick, desired = guide.limits, scene.tick, guided.value
        while claim.is_active and (hand := grip.follow()) is not None:
            step = command.speed * (scene.tick - tick) * scene.dt
            tick = scene.tick
            # The desired value is not clipped: a hand that comes round the back of a closed door
            # does not throw it open.
            there = _in_parent(node, hand)
            desired = guide.nearest(guided.home, grip=point, hand=there, near=desired)
            goal = min(max(desired, low), high)
            _move(scene, guided, min(max(goal, guided.value - step), guided.value + step), command)
            yield


def _move(scene: Scene, guided: Guided, value: float, command: _Guiding) -> None:
    """Move, and emit the signals of ends that were reached or left."""
    before = guided.value
    if value == before:
        return
    guided.move(value)
    for signal, end in zip((command.at_lower, command.at_upper), guided.guide.limits, strict=True):
        if signal and (before == end) != (value == end):
            scene.emit(Event(Signal(signal), value == end))


def _in_parent(node: Node, hand: Pose) -> Array:
    """Return the position of a hand in the parent of a node."""
    assert node.parent is not None
    world_from_parent = node.parent.world_pose
    return world_from_parent.inverse().apply(hand.translation) / node.parent.world_scale


def _check(command: _Guiding) -> None:
    check_reach(command.reach)
    if not (math.isfinite(command.speed) and command.speed > 0):
        raise ValueError(f"the speed must be positive, got {command.speed}")


def _check_axis(axis: Vector) -> None:
    if not (all(map(math.isfinite, axis)) and math.hypot(*axis) > 1e-9):
        raise ValueError(f"the axis must have a direction, got {axis}")


def _check_limits(lower: float, upper: float) -> None:
    if not (math.isfinite(lower) and math.isfinite(upper) and lower <= 0 <= upper):
        raise ValueError(f"the limits must enclose 0, where it is at first, got {lower}, {upper}")
