"""Solids as signed distance fields: unions with fillets, and differences.

A field maps points (n, 3) to signed distances from the surface, (n,), m; negative inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from robotix.geometry import Array

__all__ = ["Carved", "Drum", "Field", "RoundedBox", "Tube"]

Field: TypeAlias = Callable[[Array], Array]
WAIST_RATIO = 0.10  # fraction by which a long tube is thinner in the middle


@dataclass(frozen=True, eq=False)
class Tube:
    """A round rod between two points, thinner in the middle if it is long."""

    start: Array
    end: Array
    start_radius: float
    end_radius: float

    def __call__(self, points: Array) -> Array:
        """Return the distances."""
        direction = self.end - self.start
        length2 = float(direction @ direction)
        part = np.clip((points - self.start) @ direction / max(length2, 1e-12), 0.0, 1.0)
        away = points - self.start - part[:, None] * direction
        radius = self.start_radius + (self.end_radius - self.start_radius) * part
        slim = WAIST_RATIO * min(1.0, np.sqrt(length2) / (6 * self.start_radius + 1e-9))
        radius = radius * (1 - slim * np.sin(np.pi * part) ** 2)
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", away, away)) - radius)


@dataclass(frozen=True, eq=False)
class Drum:
    """A cylinder with rounded edges, from `foot` along a unit axis."""

    foot: Array
    axis: Array
    length: float
    radius: float
    rounding: float = 0.0

    def __call__(self, points: Array) -> Array:
        """Return the distances."""
        there = points - self.foot
        along = there @ self.axis
        aside = np.sqrt(
            np.maximum(np.einsum("ij,ij->i", there, there) - along * along, 0.0) + 1e-18
        )
        out = np.stack(
            [
                aside - (self.radius - self.rounding),
                abs(along - self.length / 2) - (self.length / 2 - self.rounding),
            ]
        )
        outside = np.hypot(*np.maximum(out, 0.0))
        return np.asarray(outside + np.minimum(out.max(axis=0), 0.0) - self.rounding)


@dataclass(frozen=True, eq=False)
class RoundedBox:
    """A box along the axes with rounded edges."""

    centre: Array
    size: Array
    rounding: float

    def __call__(self, points: Array) -> Array:
        """Return the distances."""
        out = abs(points - self.centre) - (self.size / 2 - self.rounding)
        outside = np.linalg.norm(np.maximum(out, 0.0), axis=1)
        return np.asarray(outside + np.minimum(out.max(axis=1), 0.0) - self.rounding)


@dataclass(frozen=True, eq=False)
class Carved:
    """A filleted union of solids minus other solids."""

    solids: Sequence[Field]
    cuts: Sequence[Field]
    fillet: float  # m, approximate radius where two solids meet
    edge: float  # m, approximate radius at the edges of cuts

    def __call__(self, points: Array) -> Array:
        """Return the distances; approximate except near the surface."""
        first, *rest = self.solids
        found = first(points)
        for solid in rest:
            found = _smooth_min(found, solid(points), self.fillet)
        for cut in self.cuts:
            found = -_smooth_min(-found, cut(points), self.edge)
        return found


def _smooth_min(a: Array, b: Array, width: float) -> Array:
    """Return a smooth minimum of two values."""
    near = np.maximum(width - abs(a - b), 0.0)
    return np.asarray(np.minimum(a, b) - near * near / (4 * width))
