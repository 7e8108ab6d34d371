"""Mass distributions along a line, which can be cut and joined with conserved moments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robotix.geometry import Array

__all__ = ["LumpedMass", "Slab", "between_heights", "join_masses"]


@dataclass(frozen=True, eq=False)
class LumpedMass:
    """Mass, centre of mass and inertia about it."""

    mass: float  # kg
    com: Array  # (3,), m
    inertia: Array  # (3, 3), kg m²


@dataclass(frozen=True, eq=False)
class Slab:
    """A segment from `start` to `end`, its mass spread along its length.

    The density along it is a parabola with the given centre of mass and the variance that follows
    from the radii of gyration, clamped so that it is neither negative nor convex.
    """

    mass: float  # kg
    start: Array  # (3,), m
    end: Array  # (3,), m
    com: float  # fraction of the length
    gyration: Array  # (3,), about x, y and z; fractions of the length

    def piece(self, first: float = 0.0, last: float = 1.0) -> LumpedMass:
        """Return the part between two fractions of the length.

        Its extent across is that of the whole; pieces that make up the slab, joined, are the slab.
        """
        along = self.end - self.start
        length = float(np.linalg.norm(along))
        across = np.eye(3) - np.outer(along, along) / length**2
        fraction, mean, variance = self._moments(first, last)
        per_mass = np.diag(self.gyration**2) + (variance - self._moments(0.0, 1.0)[2]) * across
        mass = self.mass * fraction
        return LumpedMass(mass, self.start + mean * along, mass * length**2 * per_mass)

    @cached_property
    def _density(self) -> tuple[float, float, float]:
        """Coefficients of the density over x, the fraction of the length from the middle."""
        direction = (self.end - self.start) / np.linalg.norm(self.end - self.start)
        squares = self.gyration**2
        spread = float(squares.sum() / 2 - squares @ direction**2)
        b = 12 * (self.com - 0.5)
        c = 180 * (spread - 1 / 12 + (b / 12) ** 2)
        c = min(max(c, -6 + 3 * abs(b)), 0.0)  # not negative at the ends, not hollow
        return 1 - c / 12, b, c

    def _moments(self, first: float, last: float) -> tuple[float, float, float]:
        """Mass fraction between two fractions of the length, its mean position and variance."""
        density = np.array(self._density)

        def integral(power: int) -> float:
            n = np.arange(power, power + 3) + 1
            return float(density @ (((last - 0.5) ** n - (first - 0.5) ** n) / n))

        fraction = integral(0)
        mean = integral(1) / fraction
        return fraction, mean + 0.5, integral(2) / fraction - mean**2


def between_heights(slabs: Iterable[Slab], upper: float, lower: float) -> Iterator[LumpedMass]:
    """Yield the parts of upright slabs (`start` above `end`) between two heights, m."""
    for slab in slabs:
        top, height = slab.start[2], slab.start[2] - slab.end[2]
        first, last = (float(np.clip((top - z) / height, 0.0, 1.0)) for z in (upper, lower))
        if last > first:
            yield slab.piece(first, last)


def join_masses(lumps: Sequence[LumpedMass]) -> LumpedMass:
    """Return the sum of several masses (parallel-axis theorem)."""
    mass = sum(lump.mass for lump in lumps)
    com = np.sum([lump.mass * lump.com for lump in lumps], axis=0) / mass
    inertia = np.zeros((3, 3))
    for lump in lumps:
        r = lump.com - com
        inertia += lump.inertia + lump.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return LumpedMass(mass, com, inertia)
