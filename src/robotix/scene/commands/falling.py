"""Gravity: a node falls along a direction and bounces off its floors.

It moves along that direction only. The flight is exact, s = u t + a t² / 2, not a sum of ticks: at
an impact the tick is split.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from robotix.collision.distance import Nearest
from robotix.errors import BadField
from robotix.geometry import Array, Pose
from robotix.scene.events.action import Action
from robotix.scene.events.claims import is_in_graph
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import NodeName, SignalName, Vector
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["Fall"]

CONTACT_TOLERANCE = 1e-6  # m; nearer is touching
SUPPORT_TOLERANCE = 1e-4  # m; a support farther away no longer supports
MIN_FACING = 1e-3  # of the normal against the motion, for a surface that stops it
MIN_PUSH_FACING = 0.1  # likewise, for a surface that pushes it
PROBE_STEP = 0.002  # m; near surfaces the path is probed in such steps
LIFT_SPEED = 1.0  # m/s at which an intruding floor pushes the node out
MAX_STEPS = 512  # per straight segment
MAX_PIECES = 16  # flights and bounces per tick
MAX_DEPTH = 1000.0  # m without a floor; then it has left the scene


@dataclass(frozen=True)
class Fall:
    """Let a node fall in a direction and bounce off floors, while this is on.

    Restitution is the ratio of the speeds after and before a bounce. Caught by a hand, the node
    falls on when it is released, and also when its support moves away. The signals, if named,
    report every bounce, and whether it is at rest.
    """

    node: NodeName
    floors: tuple[NodeName, ...] = ()
    restitution: float = 0.5
    direction: Vector = (0.0, 0.0, -1.0)
    acceleration: float = 9.81  # m/s²
    on_bounce: SignalName = ""
    at_rest: SignalName = ""

    def __post_init__(self) -> None:
        """Raise ValueError for values out of range."""
        if not 0 <= self.restitution <= 1:
            raise BadField("restitution", "in 0..1", self.restitution)
        if not 0 < self.acceleration <= 1000:
            raise BadField("acceleration", "more than 0, at most 1000 m/s²", self.acceleration)
        if not (all(map(math.isfinite, self.direction)) and math.hypot(*self.direction) > 1e-9):
            raise BadField("direction", "other than zero", self.direction)

    def check(self, scene: Scene) -> None:
        """Raise ValueError if a floor is the node, hangs on it, or carries it."""
        node = scene.graph[self.node]
        for floor in (scene.graph[name] for name in self.floors):
            if node in (floor, *floor.ancestors()):
                raise ValueError(f"{node.name!r} cannot bounce off {floor.name!r}, a part of it")
            if floor in node.ancestors():
                raise ValueError(
                    f"{node.name!r} cannot bounce off {floor.name!r}, which carries it; "
                    f"put it on something else (`on:`)"
                )

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start when the event is on."""
        self.check(scene)
        node, floors = scene.graph[self.node], tuple(scene.graph[name] for name in self.floors)
        if scene.physics.is_simulated(node):
            raise ValueError(f"{node.name!r} is free, and falls by physics; it needs no `fall`")
        return _fall(scene, node, Faller(scene, node, floors, self)) if event.state else None


@dataclass
class Faller:
    """A node in flight or at rest."""

    scene: Scene
    node: Node
    floors: tuple[Node, ...]
    command: Fall
    speed: float = 0.0  # along the direction, m/s
    rests: bool = False
    depth: float = 0.0  # fallen since the last bounce, m
    down: Array = field(init=False)
    checked_moves: int = -1  # moves of the graph when the support was last checked

    def __post_init__(self) -> None:
        self.down = np.array(self.command.direction) / math.hypot(*self.command.direction)

    def stop(self) -> None:
        """Stop, because another action moves the node."""
        self.speed, self.depth = 0.0, 0.0
        self._set_resting(False)

    def advance(self, dt: float) -> None:
        """Advance by `dt` seconds."""
        graph = self.scene.graph
        if self.rests and self.checked_moves == graph.moves:
            return
        lifted = self._lift(LIFT_SPEED * dt)
        if self.rests:
            self._set_resting(
                any(near.distance <= SUPPORT_TOLERANCE for near in self._ahead(self.down))
            )
        if not self.rests:
            self._fly(dt)
        if self.depth > MAX_DEPTH:
            raise RuntimeError(f"{self.node.name!r} fell {MAX_DEPTH:.0f} m and met no floor")
        self.checked_moves = graph.moves if not lifted else -1

    def _fly(self, dt: float) -> None:
        a, left = self.command.acceleration, dt
        for _ in range(MAX_PIECES):
            u = self.speed
            part = min(left, -u / a) if u < 0 else left  # up to the apex, then down
            desired = (u + a * part / 2) * part
            distance, hit = self._glide(desired)
            self.depth = max(self.depth + distance, 0.0)
            if not hit:
                self.speed = 0.0 if u < 0 and part < left else u + a * part
                left -= part
            else:
                v = math.copysign(math.sqrt(max(u * u + 2 * a * distance, 0.0)), desired)
                left -= 2 * distance / (u + v) if u + v else 0.0
                self._bounce(v, dt)
            if left <= 1e-12 or self.rests:
                return

    def _bounce(self, speed: float, dt: float) -> None:
        self.speed, self.depth = -self.command.restitution * speed, 0.0
        # A bounce shorter than two ticks is invisible, and would be followed by endless others.
        if speed >= 0 and -self.speed < self.command.acceleration * dt:
            self.speed = 0.0
            self._set_resting(True)
        elif self.command.on_bounce:
            self.scene.emit(self.command.on_bounce)

    def _set_resting(self, rests: bool) -> None:
        if rests != self.rests and self.command.at_rest:
            self.scene.emit(self.command.at_rest, state=rests)
        self.rests = rests

    # -- collision-free motion --------------------------------------------------------------

    def _glide(self, distance: float) -> tuple[float, bool]:
        """Move up to the first floor; return the distance, and whether there was one.

        A step no longer than the distance to the floors is safe (conservative advancement). Next to
        a wall these steps vanish: there it probes in steps of `PROBE_STEP`, and bisects to the
        contact.
        """
        start, ahead = self.node.world_pose, math.copysign(1.0, distance) * self.down
        moved, safe, whole = 0.0, 0.0, abs(distance)
        for _ in range(MAX_STEPS):
            stops, free = self._probe(ahead)
            if stops:
                if moved > safe:
                    moved = self._bisect_contact(start, ahead, safe=safe, hit=moved)
                return math.copysign(moved, distance), True
            safe = moved
            if moved >= whole:
                break
            moved = min(moved + max(free, PROBE_STEP), whole)
            self._set_position(start, moved * ahead)
            if free >= moved - safe + CONTACT_TOLERANCE:  # nothing can be hit
                safe = moved
                if moved >= whole:
                    break
        if safe < moved:  # too many steps: rather too slow than inside a floor
            self._set_position(start, safe * ahead)
        return math.copysign(safe, distance), False

    def _bisect_contact(self, start: Pose, ahead: Array, *, safe: float, hit: float) -> float:
        """Return the distance of the contact, between a safe one and one that is too far."""
        while hit - safe > CONTACT_TOLERANCE / 2:
            middle = (safe + hit) / 2
            self._set_position(start, middle * ahead)
            if self._probe(ahead)[0]:
                hit = middle
            else:
                safe = middle
        self._set_position(start, safe * ahead)
        return safe

    def _probe(self, ahead: Array) -> tuple[bool, float]:
        """Return whether a floor stops it here, and the distance to the nearest floor."""
        found = list(self._nearest())
        stops = any(
            n.distance <= CONTACT_TOLERANCE and n.normal @ ahead < -MIN_FACING for n in found
        )
        return stops, min((n.distance for n in found), default=math.inf)

    def _ahead(self, ahead: Array) -> Iterator[Nearest]:
        return (near for near in self._nearest() if near.normal @ ahead < -MIN_PUSH_FACING)

    def _nearest(self) -> Iterator[Nearest]:
        for floor in self.floors:
            if is_in_graph(floor):  # it may have been removed
                yield self.scene.contacts.distance(self.node.name, floor.name)

    def _lift(self, most: float) -> bool:
        """Move out of a floor that moved into the node; return whether it did."""
        depths = [-n.distance / -(n.normal @ self.down) for n in self._ahead(self.down)]
        out = min(max(depths, default=0.0), most)
        if out <= SUPPORT_TOLERANCE:
            return False
        self._set_position(self.node.world_pose, -out * self.down)
        return True

    def _set_position(self, start: Pose, offset: Array) -> None:
        there = Pose(start.rotation, start.translation + offset)
        self.scene.graph.set_world_pose(self.node, there)


def _fall(scene: Scene, node: Node, faller: Faller) -> Action:
    tick = scene.tick
    with scene.control.claims.claim(node, "gravity", under=True) as claim:
        while True:
            if not claim.is_active:
                faller.stop()
            elif scene.tick > tick:
                faller.advance((scene.tick - tick) * scene.dt)
            tick = scene.tick
            yield
