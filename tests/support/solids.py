"""Random solids, and what can be said about them without any search: the oracle's own geometry."""

import math
from itertools import combinations_with_replacement

import numpy as np

from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Pose, Shape, Sphere

KINDS = ("sphere", "capsule", "box", "cylinder", "halfspace")
PAIRS = [pair for pair in combinations_with_replacement(KINDS, 2) if pair != ("halfspace",) * 2]


def make_solid(kind: str, rng: np.random.Generator, *, spread: float, aligned: bool) -> Shape:
    """Return a solid of a few decimetres, anywhere in a cube of half size `spread`.

    Aligned ones have parallel axes, centres on a grid and round sizes: all that is degenerate.
    """
    place, size = rng.uniform(-spread, spread, 3), rng.uniform(0.05, 0.8, 3)
    turn = rng.normal(size=4)
    if aligned:
        place, size, turn = np.round(place, 1), np.ceil(4 * size) / 5, np.round(turn)
        turn[0] += not turn.any()
        if rng.random() < 0.5:  # not quite parallel
            turn += rng.normal(size=4) * 10.0 ** rng.uniform(-16, -3)
    pose = Pose.from_quaternion(place, turn)
    match kind:
        case "sphere":
            return Sphere(size[0], pose)
        case "capsule":
            return Capsule(size[0] / 2, size[1], pose)
        case "box":
            return Box(size, pose)
        case "cylinder":
            return Cylinder(size[0] / 2, size[1], pose)
    return Halfspace(pose)


def make_pairs(kinds: tuple[str, str], n: int, *, spread: float) -> list[tuple[Shape, Shape]]:
    """Return `n` pairs of solids, the same on every call, every second one aligned."""
    rng = np.random.default_rng([n, *(KINDS.index(kind) for kind in kinds)])
    return [
        (
            make_solid(kinds[0], rng, spread=spread, aligned=bool(k % 2)),
            make_solid(kinds[1], rng, spread=spread, aligned=bool(k % 2)),
        )
        for k in range(n)
    ]


def extent(solid: Shape, directions: Array) -> Array:
    """Return how far a solid reaches along unit directions (..., 3), from the world's origin."""
    local = directions @ solid.pose.rotation
    across = np.hypot(local[..., 0], local[..., 1])
    centre = directions @ solid.pose.translation
    match solid:
        case Sphere():
            return np.asarray(centre + solid.radius)
        case Capsule():
            return np.asarray(centre + np.abs(local[..., 2]) * solid.length / 2 + solid.radius)
        case Cylinder():
            along = np.abs(local[..., 2]) * solid.length / 2
            return np.asarray(centre + along + across * solid.radius)
        case Box():
            return np.asarray(centre + np.abs(local) @ (solid.size / 2))
        case Halfspace():
            return np.where(local[..., 2] > 1 - 1e-12, centre, np.inf)
    raise AssertionError(solid)


def slab(a: Shape, b: Shape, directions: Array) -> Array:
    """Return how wide the empty slab is across directions from b to a; negative in an overlap."""
    return -extent(a, -directions) - extent(b, directions)


def depth_in(solid: Shape, point: Array) -> float:
    """Return the distance from a point inside a solid to its surface; negative from outside."""
    x, y, z = solid.pose.inverse().apply(point)
    match solid:
        case Sphere():
            return solid.radius - math.hypot(x, y, z)
        case Capsule():
            return solid.radius - math.hypot(x, y, max(abs(z) - solid.length / 2, 0.0))
        case Cylinder():
            return _depth(solid.radius - math.hypot(x, y), solid.length / 2 - abs(z))
        case Box():
            return _depth(*(solid.size / 2 - np.abs([x, y, z])))
        case Halfspace():
            return -float(z)
    raise AssertionError(solid)


def _depth(*rooms: float) -> float:
    if min(rooms) >= 0:
        return float(min(rooms))
    return -math.hypot(*(min(room, 0.0) for room in rooms))
