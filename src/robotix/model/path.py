"""Planar paths for path joints: one arc length `s` moves and turns a base along a curve.

A path is a row of segments whose curvature is constant (straights, arcs) or changes linearly
(clothoid blends), so position and tangent are always continuous; with blends the curvature is too.
It lies in the xy plane of the joint frame; the moved frame's x axis starts along the joint's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from robotix.geometry.rotation import Array

__all__ = ["PathSegment", "PlanarPath", "make_u_rail"]

# Gauss-Legendre nodes on [0, 1]; over pieces of at most PIECE_TURN exact to rounding.
GAUSS_NODES, GAUSS_WEIGHTS = (
    0.5 * (np.polynomial.legendre.leggauss(6)[0] + 1.0),
    0.5 * np.polynomial.legendre.leggauss(6)[1],
)
PIECE_TURN = 0.5  # rad


@dataclass(frozen=True)
class PathSegment:
    """A stretch of path; curvature (1/m, positive turns left) goes linearly from start to end."""

    length: float
    curvature: float = 0.0
    end_curvature: float | None = None  # same as `curvature` when None

    def __post_init__(self) -> None:
        values = (self.length, self.curvature, self.last_curvature)
        if not all(math.isfinite(value) for value in values) or self.length <= 0:
            raise ValueError(f"a path segment needs a positive length and finite curvature: {self}")

    @property
    def last_curvature(self) -> float:
        """Curvature at the end of the segment."""
        return self.curvature if self.end_curvature is None else self.end_curvature


@dataclass(frozen=True, eq=False)
class PlanarPath:
    """A curve in the xy plane, given by its start, its first tangent and its segments.

    `heading` is the angle between the tangent and the x axis of the moved frame: 0 puts that
    axis along the tangent, −π/2 to its right.
    """

    segments: tuple[PathSegment, ...]
    start: tuple[float, float] = (0.0, 0.0)
    tangent_angle: float = 0.0
    heading: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", tuple(self.segments))
        if not self.segments:
            raise ValueError("a path needs at least one segment")
        pieces = _make_pieces(self)
        pieces.flags.writeable = False
        object.__setattr__(self, "pieces", pieces)

    pieces: Array = None  # type: ignore[assignment]
    # (k, 6), made from the rest: s, x, y, tangent angle, curvature, curvature slope at piece starts

    @property
    def length(self) -> float:
        """Length of the whole path, in m."""
        return math.fsum(segment.length for segment in self.segments)

    def at(self, s: float) -> tuple[float, float, float, float]:
        """Return x, y, tangent angle and curvature at `s`; straight on beyond the ends."""
        inside = min(max(s, 0.0), self.length)
        row = max(int(np.searchsorted(self.pieces[:, 0], inside, side="right")) - 1, 0)
        s0, x, y, angle, curvature, slope = self.pieces[row]
        h = inside - s0
        u = h * GAUSS_NODES
        bend = angle + curvature * u + 0.5 * slope * u * u
        x += h * float(GAUSS_WEIGHTS @ np.cos(bend))
        y += h * float(GAUSS_WEIGHTS @ np.sin(bend))
        angle += curvature * h + 0.5 * slope * h * h
        beyond = s - inside
        x, y = x + beyond * math.cos(angle), y + beyond * math.sin(angle)
        return float(x), float(y), float(angle), 0.0 if beyond else float(curvature + slope * h)


def _make_pieces(path: PlanarPath) -> Array:
    """Cut the segments into pieces short enough for the quadrature, with their exact starts."""
    s, (x, y), angle = 0.0, path.start, path.tangent_angle
    pieces = []
    for segment in path.segments:
        k0, k1 = segment.curvature, segment.last_curvature
        slope = (k1 - k0) / segment.length
        count = max(1, math.ceil(segment.length * max(abs(k0), abs(k1)) / PIECE_TURN))
        for i in range(count):
            h = segment.length / count
            k = k0 + slope * i * h
            pieces.append((s + i * h, x, y, angle, k, slope))
            u = h * GAUSS_NODES
            bend = angle + k * u + 0.5 * slope * u * u
            x += h * float(GAUSS_WEIGHTS @ np.cos(bend))
            y += h * float(GAUSS_WEIGHTS @ np.sin(bend))
            angle += k * h + 0.5 * slope * h * h
        s += segment.length
    return np.array(pieces)


def make_u_rail(
    *, half_width: float, rear_x: float, front_x: float, corner_radius: float, blend: float
) -> PlanarPath:
    """Return a U open to the front (+x): left side back, rear to the right, right side forward.

    The straights lie on y = ±half_width and x = rear_x; each corner is an arc of `corner_radius`
    entered and left through clothoids of length `blend`. The moved frame's x axis points outwards.
    """
    corner = _make_corner(corner_radius, blend)
    ends = PlanarPath(tuple(corner)).at(math.fsum(segment.length for segment in corner))
    leg = ends[0]  # a 90° corner is symmetric: as far along the first straight as along the second
    side = front_x - rear_x - leg
    rear = 2 * half_width - 2 * leg
    if side <= 0 or rear <= 0:
        raise ValueError(f"corner legs of {leg:.3f} m leave no straight in this rail")
    segments = [PathSegment(side), *corner, PathSegment(rear), *corner, PathSegment(side)]
    return PlanarPath(
        tuple(segments),
        start=(front_x, half_width),
        tangent_angle=math.pi,  # towards the rear
        heading=-math.pi / 2,  # outwards is to the right of a left-turning path
    )


def _make_corner(radius: float, blend: float) -> Sequence[PathSegment]:
    curvature = 1.0 / radius
    arc = radius * math.pi / 2 - blend  # each blend turns by half of what an arc of its length does
    if blend == 0:
        return [PathSegment(arc, curvature)]
    if arc <= 0:
        raise ValueError(f"blend {blend} m is too long for a corner of radius {radius} m")
    return [
        PathSegment(blend, 0.0, curvature),
        PathSegment(arc, curvature),
        PathSegment(blend, curvature, 0.0),
    ]
