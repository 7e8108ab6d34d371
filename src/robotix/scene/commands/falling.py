"""Gravity: an object falls along a direction and bounces off the floors chosen for it.

It moves along that direction only, and its flight is that of the textbook, not a sum of ticks:
where a floor is in the way, the tick is cut at the moment of impact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from robotix.collision.distance import Nearest
from robotix.geometry import Array, Pose
from robotix.scene.events.action import Action
from robotix.scene.events.claims import is_there
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import NodeName, Vector
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["Fall"]

TOUCH = 1e-6  # m; nearer than this is touching
SLACK = 1e-4  # m; a support that went away by more lets the object fall
FACING = 1e-3  # a surface whose normal is less against the motion does not stop it
STEEP = 0.1  # nor does a steeper one push
SHORT = 0.002  # m; where surfaces are nearer, the way is tried in such steps
LIFT = 1.0  # m/s at which a floor that moved into an object pushes it out
MAX_STEPS = 512  # along one straight piece
MAX_PIECES = 16  # flights and bounces in a tick
MAX_DEPTH = 1000.0  # m without a floor: it fell out of the room


@dataclass(frozen=True)
class Fall:
    """Let an object fall in a direction, and bounce off the floors named, as long as this is on.

    Restitution is the share of its speed that it keeps in a bounce. Caught by a hand, it falls on
    when the hand lets go; when its support goes away, too. The signals, if named, tell of every
    bounce, and that it is at rest or no longer so.
    """

    node: NodeName
    floors: tuple[NodeName, ...] = ()
    restitution: float = 0.5
    direction: Vector = (0.0, 0.0, -1.0)
    acceleration: float = 9.81  # m/s²
    on_bounce: str = ""
    at_rest: str = ""

    def __post_init__(self) -> None:
        """Refuse what nature does."""
        if not 0 <= self.restitution <= 1:
            raise ValueError(f"restitution lies in 0..1, got {self.restitution}")
        if not 0 < self.acceleration <= 1000:
            raise ValueError(f"acceleration lies in 0..1000 m/s², got {self.acceleration}")
        if not (all(map(math.isfinite, self.direction)) and math.hypot(*self.direction) > 1e-9):
            raise ValueError(f"a direction must not be zero, got {self.direction}")

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Begin when on."""
        node, floors = scene.graph[self.node], tuple(scene.graph[name] for name in self.floors)
        for floor in floors:
            if node in (floor, *floor.ancestors()) or floor in node.ancestors():
                raise ValueError(f"{node.name!r} cannot bounce off {floor.name!r}, a part of it")
        return _fall(scene, node, Faller(scene, node, floors, self)) if event.state else None


@dataclass
class Faller:
    """An object in flight or at rest."""

    scene: Scene
    node: Node
    floors: tuple[Node, ...]
    command: Fall
    speed: float = 0.0  # along the direction, m/s
    rests: bool = False
    depth: float = 0.0  # fallen since the last bounce, m
    down: Array = field(init=False)
    seen: int = -1  # moves of the graph when it was last looked whether the support is there

    def __post_init__(self) -> None:
        self.down = np.array(self.command.direction) / math.hypot(*self.command.direction)

    def stop(self) -> None:
        """Stand still in the air: somebody else has it."""
        self.speed, self.depth = 0.0, 0.0
        self._rest(False)

    def advance(self, dt: float) -> None:
        """Let so much time pass."""
        graph = self.scene.graph
        if self.rests and self.seen == graph.moves:
            return
        lifted = self._lift(LIFT * dt)
        if self.rests:
            self._rest(any(near.distance <= SLACK for near in self._ahead(self.down)))
        if not self.rests:
            self._fly(dt)
        if self.depth > MAX_DEPTH:
            raise RuntimeError(f"{self.node.name!r} fell {MAX_DEPTH:.0f} m and met no floor")
        self.seen = graph.moves if not lifted else -1

    def _fly(self, dt: float) -> None:
        a, left = self.command.acceleration, dt
        for _ in range(MAX_PIECES):
            u = self.speed
            part = min(left, -u / a) if u < 0 else left  # up to the top, then down
            wish = (u + a * part / 2) * part
            way, hit = self._glide(wish)
            self.depth = max(self.depth + way, 0.0)
            if not hit:
                self.speed = 0.0 if u < 0 and part < left else u + a * part
                left -= part
            else:
                v = math.copysign(math.sqrt(max(u * u + 2 * a * way, 0.0)), wish)
                left -= 2 * way / (u + v) if u + v else 0.0
                self._bounce(v, dt)
            if left <= 1e-12 or self.rests:
                return

    def _bounce(self, speed: float, dt: float) -> None:
        self.speed, self.depth = -self.command.restitution * speed, 0.0
        # A bounce that is over within two ticks cannot be seen, and has no end of followers.
        if speed >= 0 and -self.speed < self.command.acceleration * dt:
            self.speed = 0.0
            self._rest(True)
        elif self.command.on_bounce:
            self.scene.emit(self.command.on_bounce)

    def _rest(self, rests: bool) -> None:
        if rests != self.rests and self.command.at_rest:
            self.scene.emit(self.command.at_rest, state=rests)
        self.rests = rests

    # -- moving without passing through anything --------------------------------------------

    def _glide(self, way: float) -> tuple[float, bool]:
        """Move along, up to the first floor; return how far it went, and whether it met one.

        No point of the object gets nearer to a floor than by the way it moves, so a step as long as
        the distance is safe. Next to a wall that would take for ever: there it steps blindly, but
        never farther than `SHORT`, and goes back to the place of contact.
        """
        start, ahead = self.node.world_pose, math.copysign(1.0, way) * self.down
        gone, safe, whole = 0.0, 0.0, abs(way)
        for _ in range(MAX_STEPS):
            stops, free = self._look(ahead)
            if stops:
                if gone > safe:
                    gone = self._back(start, ahead, safe=safe, hit=gone)
                return math.copysign(gone, way), True
            safe = gone
            if gone >= whole:
                break
            gone = min(gone + max(free, SHORT), whole)
            self._put(start, gone * ahead)
            if free >= gone - safe + TOUCH:  # nothing can be in the way
                safe = gone
                if gone >= whole:
                    break
        if safe < gone:  # too many steps: be late rather than inside something
            self._put(start, safe * ahead)
        return math.copysign(safe, way), False

    def _back(self, start: Pose, ahead: Array, *, safe: float, hit: float) -> float:
        """Return where on the way it touches, between a safe place and one that is too far."""
        while hit - safe > TOUCH / 2:
            middle = (safe + hit) / 2
            self._put(start, middle * ahead)
            if self._look(ahead)[0]:
                hit = middle
            else:
                safe = middle
        self._put(start, safe * ahead)
        return safe

    def _look(self, ahead: Array) -> tuple[bool, float]:
        """Return whether something stops it here, and how far all floors are."""
        found = list(self._nearest())
        stops = any(n.distance <= TOUCH and n.normal @ ahead < -FACING for n in found)
        return stops, min((n.distance for n in found), default=math.inf)

    def _ahead(self, ahead: Array) -> Iterator[Nearest]:
        return (near for near in self._nearest() if near.normal @ ahead < -STEEP)

    def _nearest(self) -> Iterator[Nearest]:
        for floor in self.floors:
            if is_there(floor):  # one that was taken away stops nothing
                yield self.scene.contacts.distance(self.node.name, floor.name)

    def _lift(self, most: float) -> bool:
        """Give way to a floor that moved into the object; return whether it had to."""
        depths = [-n.distance / -(n.normal @ self.down) for n in self._ahead(self.down)]
        out = min(max(depths, default=0.0), most)
        if out <= SLACK:
            return False
        self._put(self.node.world_pose, -out * self.down)
        return True

    def _put(self, start: Pose, way: Array) -> None:
        there = Pose(start.rotation, start.translation + way)
        self.scene.graph.set_world_pose(self.node, there)


def _fall(scene: Scene, node: Node, faller: Faller) -> Action:
    tick = scene.tick
    with scene.control.claims.take(node, "gravity", under=True) as hold:
        while True:
            if not hold.is_mine:
                faller.stop()
            elif scene.tick > tick:
                faller.advance((scene.tick - tick) * scene.dt)
            tick = scene.tick
            yield
