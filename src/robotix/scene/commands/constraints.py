"""Commands for doors, drawers and trolleys: a node follows the hand along its guide."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array, Pose
from robotix.scene.commands.grabbing import check_reach
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event, Signal
from robotix.scene.events.hands import Grip
from robotix.scene.graph.field_types import Angle, HandName, NodeName, SignalName, Vector
from robotix.scene.graph.graph import Node
from robotix.scene.graph.guides import Guide, Guided, HingeGuide, PathGuide, SlideGuide, guide_node
from robotix.scene.scene import Scene

__all__ = ["FollowPath", "Hinge", "Slide"]


class _Guiding:
    """What the three have in common; the fields stand where they are filled in by position."""

    node: NodeName
    hand: HandName
    speed: float
    reach: float
    at_lower: SignalName
    at_upper: SignalName

    def _guide(self, node: Node) -> Guide:
        raise NotImplementedError

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Take hold when on."""
        node = scene.graph[self.node]
        return _follow(scene, node, command=self, guide=self._guide(node)) if event.state else None

    def _check(self) -> None:
        check_reach(self.reach)
        if not (math.isfinite(self.speed) and self.speed > 0):
            raise BadField("speed", "positive", self.speed)


@dataclass(frozen=True)
class Hinge(_Guiding):
    """Let a node follow a hand by rotating about a hinge: a door, a hood, a lever.

    The axis and a point on it are in the node's own frame; angles count from its pose when it was
    first gripped. The signals, if named, are on while it is at that end.
    """

    node: NodeName
    hand: HandName
    axis: Vector = (0.0, 0.0, 1.0)
    origin: Vector = (0.0, 0.0, 0.0)
    lower: Angle = 0.0
    upper: Angle = math.pi / 2
    speed: Angle = math.tau  # at most, rad/s
    reach: float = 0.0
    at_lower: SignalName = ""
    at_upper: SignalName = ""

    def __post_init__(self) -> None:
        """Raise BadField for an invalid axis, origin, speed, reach or limits."""
        self._check()
        _check_axis(self.axis)
        _check_limits(self.lower, self.upper)
        if not all(map(math.isfinite, self.origin)):
            raise BadField("origin", "finite", self.origin)

    def _guide(self, node: Node) -> Guide:
        x, y, z = (float(node.scale * part) for part in self.origin)
        return HingeGuide(self.axis, (x, y, z), (self.lower, self.upper))


@dataclass(frozen=True)
class Slide(_Guiding):
    """Let a node follow a hand along a line: a drawer, a sliding door.

    The axis is in the node's own frame; lengths count from its pose when it was first gripped. The
    signals, if named, are on while it is at that end.
    """

    node: NodeName
    hand: HandName
    axis: Vector = (1.0, 0.0, 0.0)
    lower: float = 0.0
    upper: float = 0.5
    speed: float = 5.0  # at most, m/s
    reach: float = 0.0
    at_lower: SignalName = ""
    at_upper: SignalName = ""

    def __post_init__(self) -> None:
        """Raise BadField for an invalid axis, speed, reach or limits."""
        self._check()
        _check_axis(self.axis)
        _check_limits(self.lower, self.upper)

    def _guide(self, node: Node) -> Guide:
        return SlideGuide(self.axis, (self.lower, self.upper))


@dataclass(frozen=True)
class FollowPath(_Guiding):
    """Let a node follow a hand along a polyline, given in the node's parent.

    It keeps its offset from the line. The signals, if named, are on while it is at that end.
    """

    node: NodeName
    hand: HandName
    points: tuple[Vector, ...]
    closed: bool = False
    speed: float = 5.0  # at most, m/s
    reach: float = 0.0
    at_lower: SignalName = ""
    at_upper: SignalName = ""

    def __post_init__(self) -> None:
        """Raise BadField for too few, coincident or non-finite points."""
        self._check()
        if len(self.points) < (3 if self.closed else 2):
            raise BadField("points", "two points or more, three if closed", self.points)
        corners = np.array((*self.points, self.points[0]) if self.closed else self.points)
        if not np.isfinite(corners).all():
            raise BadField("points", "finite", self.points)
        if (np.linalg.norm(np.diff(corners, axis=0), axis=1) < 1e-6).any():
            raise BadField("points", "apart, each from the next", self.points)

    def _guide(self, node: Node) -> Guide:
        return PathGuide(self.points, self.closed)


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


def _check_axis(axis: Vector) -> None:
    if not (all(map(math.isfinite, axis)) and math.hypot(*axis) > 1e-9):
        raise BadField("axis", "a direction", axis)


def _check_limits(lower: float, upper: float) -> None:
    if not (math.isfinite(lower) and lower <= 0):
        raise BadField("lower", "0, the first position, or less", lower)
    if not (math.isfinite(upper) and upper >= 0):
        raise BadField("upper", "0, the first position, or more", upper)
