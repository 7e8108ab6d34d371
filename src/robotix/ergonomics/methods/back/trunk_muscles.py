"""Ten muscles of a cross-section of the trunk, as a zonotope of the moments that they can produce.

Axes of the section: forward, left and up along the trunk. Forces are those on the upper body.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.methods.back.trunk_sharing import FREE, share_moments
from robotix.geometry import Array

__all__ = ["TrunkMuscles", "load_trunk_muscles"]

SIDES = (1.0, -1.0)  # left, right
MAX_PLAIN_ROWS = 4  # more moments are shared by compiled code
PARALLEL = 1e-9  # sine below which a moment counts as parallel to a facet


@dataclass(frozen=True, eq=False)
class TrunkMuscles:
    """Ten muscles: the five of the left side, then those of the right."""

    names: tuple[str, ...]
    areas: Array  # (10,), m²
    directions: Array  # (10, 3), unit vectors of the forces on the upper body
    arms: Array  # (10, 3), moment per force about the centre of the disc, m
    normals: Array  # (m, 3), of the facets of the zonotope
    extents: Array  # (m,), m³: moment of the facets along their normals per intensity
    states: Array  # (m, 10): passive, fully active or free

    def shared(self, moments: Array) -> Array:
        """Return the forces that produce moments (N, 3) on the upper body, (N, 10), N.

        They minimise the highest intensity (force over area), then the total force along the trunk
        [Bean1986].
        """
        share = share_moments
        if len(moments) > MAX_PLAIN_ROWS:
            # only here: single postures need no compiled code, and start at once
            from robotix.ergonomics.methods.back.trunk_kernels import share_many_moments

            share = share_many_moments
        intensities = np.empty((len(moments), len(self.areas)))
        generators = self.areas[:, None] * self.arms
        share(
            np.ascontiguousarray(moments, dtype=float),
            generators,
            self.normals,
            self.extents,
            self.states,
            -self.areas * self.directions[:, 2],
            intensities,
        )
        return np.asarray(intensities * self.areas)


@cache
def load_trunk_muscles() -> TrunkMuscles:
    """Return the muscles of [Schultz1981] at level L3."""
    table = load_low_back().ten_muscles
    areas = np.tile(np.array(table.area_cm2) * 1e-4, 2)
    places, directions = [], []
    for side in SIDES:
        for k in range(len(table.names)):
            places.append(
                [-table.sagittal_arm_cm[k] / 100, side * table.coronal_arm_cm[k] / 100, 0]
            )
            angle = math.radians(table.line_deg[k])
            directions.append(_direction(table.line_plane[k], angle, side))
    arms = np.cross(places, directions)
    normals, extents, states = _facets(areas[:, None] * arms)
    names = tuple(f"{side} {name}" for side in ("left", "right") for name in table.names)
    return TrunkMuscles(names, areas, np.array(directions), arms, normals, extents, states)


def _direction(plane: str, angle: float, side: float) -> tuple[float, float, float]:
    """Return the direction in which a muscle pulls the upper body."""
    off, down = math.sin(angle), -math.cos(angle)
    match plane:
        case "coronal":
            return 0.0, -side * off, down
        case "sagittal":
            return -off, 0.0, down
    return 0.0, 0.0, -1.0


def _facets(generators: Array) -> tuple[Array, Array, Array]:
    """Return normals, extents and states of the facets of a zonotope with generators (n, 3)."""
    sizes = np.linalg.norm(generators, axis=1)
    found: dict[tuple[float, ...], Array] = {}
    for first, second in itertools.combinations(range(len(generators)), 2):
        normal = np.cross(generators[first], generators[second])
        length = np.linalg.norm(normal)
        if length > PARALLEL * sizes[first] * sizes[second]:
            for sign in (1.0, -1.0):
                unit = sign * normal / length
                found.setdefault(tuple(np.round(unit, 9) + 0.0), unit)
    normals = np.array(list(found.values()))
    along = normals @ generators.T
    is_free = abs(along) < PARALLEL * sizes
    states = np.where(is_free, FREE, np.where(along > 0, 1.0, 0.0))
    extents = np.where(along > 0, along, 0.0).sum(axis=1)
    return normals, extents, states
