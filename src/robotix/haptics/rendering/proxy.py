"""God-objects: a ball that follows the handle, but never enters a solid.

Where the handle is inside, the ball stays on the surface, as near to the handle as the surfaces
allow; a spring between the two is what the hand feels. So thin walls are not passed through, and an
edge is slid over, not jumped over. Several surfaces hold the ball at once.

One move: the distance of every solid near by gives a plane that the ball may not cross. The ball
goes to the nearest point to the handle on the free side of all planes, found by Dykstra's
cyclic projections; then the planes are taken at the new place, until it stands still.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.collision.distance import RESULT_SIZE
from robotix.collision.distance_kernels import ROTATION, TRANSLATION
from robotix.collision.mesh_kernels import no_hint
from robotix.errors import BadField
from robotix.geometry import Array, Pose, Shape, Sphere
from robotix.meshes.solids import PackedSolids, solid_distance

__all__ = ["ProxyBall", "ProxyContact", "nearest_free"]

MOVES, SWEEPS, CORNERS = 24, 30, 5
STEP = 0.9  # of the radius, beyond the gap: the most that one move may go
SKIN = 1e-5  # m, that the ball keeps from surfaces
STILL = 1e-7  # m


@dataclass(frozen=True, eq=False)
class ProxyContact:
    """Where a proxy touches a solid."""

    solid: int  # in the order in which they were given
    normal: Array  # (3,), out of the solid
    point: Array  # (3,), m, on its surface


class ProxyBall:
    """A ball that follows a handle through solids.

    Args:
        solids: In the frame of the handle's positions.
        position: Where it starts; it must be outside all solids.
        radius: Of the ball, m.
        friction: Coefficient; below its cone the ball sticks.
    """

    def __init__(
        self,
        solids: Sequence[Shape],
        position: ArrayLike,
        *,
        radius: float = 0.005,
        friction: float = 0.0,
    ) -> None:
        if not 0 < radius < math.inf:
            raise BadField("radius", "a positive length in m", radius)
        if not 0 <= friction < math.inf:
            raise BadField("friction", "a finite number, not negative", friction)
        self.radius, self.friction = radius, friction
        self.position = _point(position)
        self.contacts: tuple[ProxyContact, ...] = ()
        self._solids = PackedSolids.of(solids)
        self._ball = PackedSolids.of([Sphere(radius, Pose())])
        self._centres = self._solids.centres(self._solids.rows)
        self._hints = [no_hint() for _ in solids]
        if (
            self._planes(self.position, 0.0)
            and min(gap for gap, _, _, _ in self._planes(self.position, 0.0)) < -SKIN
        ):
            raise BadField("position", "a place outside all solids", self.position.tolist())

    def move_solid(self, index: int, pose: Pose) -> None:
        """Put a solid somewhere else; a ball in its way is pushed out by the next `follow`."""
        row = self._solids.rows[index]
        row[ROTATION:TRANSLATION] = pose.rotation.ravel()
        row[TRANSLATION:] = pose.translation
        self._centres[index] = self._solids.centre(index, row)

    def follow(self, goal: ArrayLike) -> Array:
        """Move towards a handle as far as the solids allow; return the new position, (3,)."""
        x, start = _point(goal), self.position
        for _ in range(MOVES):
            before = self.position
            way = x - before
            length = float(np.linalg.norm(way))
            planes = self._planes(before, length + self.radius)
            is_outside = all(gap >= 0 for gap, _, _, _ in planes)  # else a solid has come nearer
            if length < STILL and is_outside:
                break
            nearest = min((gap for gap, _, _, _ in planes), default=length)
            step = nearest + STEP * self.radius  # so the centre stays outside of what is near
            self.position = self._settle(x, planes, step)
            if np.linalg.norm(self.position - before) < STILL:
                break
        self._find_contacts(x)
        self._rub(start, x)
        return self.position

    def _settle(
        self, target: Array, planes: list[tuple[float, Array, Array, int]], step: float
    ) -> Array:
        """Return the place nearest to `target` that is free and at most a step away.

        A concave solid shows one plane at a time: where the ball would enter it elsewhere, that
        plane counts, too.
        """
        before = self.position
        walls = [(gap - SKIN, normal) for gap, normal, _, _ in planes]
        for _ in range(CORNERS):
            move = nearest_free(before, target, walls) - before
            place = before + move * min(step / max(float(np.linalg.norm(move)), 1e-12), 1.0)
            entered = [each for each in self._planes(place, 0.0) if each[0] < 0]
            if not entered:
                return place
            walls += [
                (gap - SKIN + float(normal @ (before - place)), normal)
                for gap, normal, _, _ in entered
            ]
        is_inside = any(gap < 0 for gap, _ in walls[: len(planes)])
        return place if is_inside else before

    def _planes(self, at: Array, reach: float) -> list[tuple[float, Array, Array, int]]:
        """Return gap, normal, nearest point and number of every solid within reach."""
        row, out, found = self._ball.rows[0].copy(), np.empty(RESULT_SIZE), []
        row[-3:] = at
        away = np.linalg.norm(self._centres - at, axis=1) - self._solids.radii
        for k in np.flatnonzero(away <= reach + self.radius).tolist():
            gap = solid_distance(
                self._ball, 0, row, self._solids, k, self._solids.rows[k],
                limit=reach + self.radius, out=out, hint=self._hints[k],
            )  # fmt: skip
            if gap <= reach:
                found.append((float(gap), out[7:10].copy(), out[4:7].copy(), k))
        return found

    def _find_contacts(self, goal: Array) -> None:
        push = self.position - goal
        self.contacts = ()
        if np.linalg.norm(push) < 10 * SKIN:
            return
        self.contacts = tuple(
            ProxyContact(k, normal, point)
            for gap, normal, point, k in self._planes(self.position, 20 * SKIN)
            if push @ normal > 0
        )

    def _rub(self, start: Array, goal: Array) -> None:
        """Stay where the ball was if the pull along the surface is within the cone of friction."""
        if self.friction == 0.0 or not self.contacts:
            return
        normal = sum((each.normal for each in self.contacts), np.zeros(3))
        normal /= max(float(np.linalg.norm(normal)), 1e-12)
        pull = goal - start
        depth = -float(pull @ normal)
        along = pull + depth * normal
        slide = float(np.linalg.norm(along))
        if depth <= 0 or slide <= 0:
            return
        allowed = self.friction * depth
        keep = 1.0 if slide <= allowed else allowed / slide
        moved = self.position - start
        tangent = moved - (moved @ normal) * normal
        self.position = self.position - min(keep, 1.0) * tangent


def nearest_free(at: Array, target: Array, planes: Sequence[tuple[float, Array]]) -> Array:
    """Return the point nearest to `target` on the free side of all planes, (3,).

    A plane is its distance from `at`, negative when `at` is behind it, and its normal towards the
    free side. Found by Dykstra's cyclic projections.
    """
    if not planes:
        return target
    x, left = target.copy(), [np.zeros(3) for _ in planes]
    for _ in range(SWEEPS):
        moved = 0.0
        for k, (gap, normal) in enumerate(planes):
            y = x + left[k]
            beyond = min(float(normal @ (y - at)) + gap, 0.0)
            new = y - beyond * normal
            left[k] = y - new
            moved = max(moved, float(abs(new - x).max()))
            x = new
        if moved < STILL:
            break
    return x


def _point(value: ArrayLike) -> Array:
    out = np.array(value, dtype=float)
    if out.shape != (3,) or not np.isfinite(out).all():
        raise BadField("position", "three finite numbers", value)
    return out
