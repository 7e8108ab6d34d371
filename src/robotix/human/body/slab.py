"""Masses spread along a line, which can be cut and joined without losing any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robotix.geometry import Array

__all__ = ["Lump", "Slab", "between_heights", "joined"]


@dataclass(frozen=True, eq=False)
class Lump:
    """Mass, centre of mass and inertia about it."""

    mass: float  # kg
    com: Array  # (3,), m
    inertia: Array  # (3, 3), kg m²


@dataclass(frozen=True, eq=False)
class Slab:
    """A segment from `start` to `end`, its mass spread along its length.

    The density along it is a parabola with the given centre of mass and, as far as it can have that
    without becoming negative or hollow, the spread that the radii of gyration tell.
    """

    mass: float  # kg
    start: Array  # (3,), m
    end: Array  # (3,), m
    com: float  # share of the length
    gyration: Array  # (3,), about x, y and z; shares of the length

    def piece(self, first: float = 0.0, last: float = 1.0) -> Lump:
        """Return the part between two shares of the length.

        Its extent across is that of the whole; pieces that make up the slab, joined, are the slab.
        """
        along = self.end - self.start
        length = float(np.linalg.norm(along))
        across = np.eye(3) - np.outer(along, along) / length**2
        share, mean, variance = self._moments(first, last)
        per_mass = np.diag(self.gyration**2) + (variance - self._moments(0.0, 1.0)[2]) * across
        mass = self.mass * share
        return Lump(mass, self.start + mean * along, mass * length**2 * per_mass)

    @cached_property
    def _density(self) -> tuple[float, float, float]:
        """Coefficients of the density over x, the share of the length from the middle."""
        direction = (self.end - self.start) / np.linalg.norm(self.end - self.start)
        squares = self.gyration**2
        spread = float(squares.sum() / 2 - squares @ direction**2)
        b = 12 * (self.com - 0.5)
        c = 180 * (spread - 1 / 12 + (b / 12) ** 2)
        c = min(max(c, -6 + 3 * abs(b)), 0.0)  # not negative at the ends, not hollow
        return 1 - c / 12, b, c

    def _moments(self, first: float, last: float) -> tuple[float, float, float]:
        """Share of the mass between two shares of the length, its mean place and variance."""
        density = np.array(self._density)

        def integral(power: int) -> float:
            n = np.arange(power, power + 3) + 1
            return float(density @ (((last - 0.5) ** n - (first - 0.5) ** n) / n))

        share = integral(0)
        mean = integral(1) / share
        return share, mean + 0.5, integral(2) / share - mean**2


def between_heights(slabs: Iterable[Slab], upper: float, lower: float) -> Iterator[Lump]:
    """Yield what of upright slabs (`start` above `end`) lies between two heights, in m."""
    for slab in slabs:
        top, height = slab.start[2], slab.start[2] - slab.end[2]
        first, last = (float(np.clip((top - z) / height, 0.0, 1.0)) for z in (upper, lower))
        if last > first:
            yield slab.piece(first, last)


def joined(lumps: Sequence[Lump]) -> Lump:
    """Return several lumps as one."""
    mass = sum(lump.mass for lump in lumps)
    com = np.sum([lump.mass * lump.com for lump in lumps], axis=0) / mass
    inertia = np.zeros((3, 3))
    for lump in lumps:
        r = lump.com - com
        inertia += lump.inertia + lump.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return Lump(mass, com, inertia)
