"""Supports: the parts of a body that bear on something, and how."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array
from robotix.kinematics.tasks import Point

__all__ = ["Flags", "PackedSupports", "Support", "pack_supports"]

UP = (0.0, 0.0, 1.0)

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Support:
    """A part of a body that bears on something, at a few of its points.

    Its points share as springs side by side would; how many they are makes no difference to what
    the other supports bear.
    """

    name: str
    points: tuple[Point, ...]
    normal: ArrayLike = UP  # out of what bears, in the base frame; made a unit vector
    friction: float = 0.6  # force along the surface, per force on it
    grips: bool = False  # holds on: pulls and pushes in all directions
    weight: float = 1.0  # of its squared forces: of two supports, the heavier one bears less
    radius: float = 0.0  # m; a round part is touched this far from its points, against the normal
    when: Flags | None = None  # (N,), the postures in which it bears; all when None

    def __post_init__(self) -> None:
        normal = np.array(self.normal, dtype=float)
        length = float(np.linalg.norm(normal)) if normal.shape == (3,) else 0.0
        if not 0 < length < math.inf:
            raise ValueError(f"support {self.name!r}: {self.normal!r} is no direction")
        for what, value in {"friction": self.friction, "radius": self.radius}.items():
            if not 0 <= value < math.inf:
                raise ValueError(f"support {self.name!r}: {what} must be 0 or more, got {value}")
        if not 0 < self.weight < math.inf:
            raise ValueError(f"support {self.name!r}: weight must be positive, got {self.weight}")
        if not self.points:
            raise ValueError(f"support {self.name!r} needs a point to bear on")
        object.__setattr__(self, "normal", normal / length)


@dataclass(frozen=True, eq=False)
class PackedSupports:
    """The points of all supports in a row, as the kernel reads them."""

    points: tuple[Point, ...]
    normals: Array  # (k, 3)
    frictions: Array  # (k,), infinite for a grip
    radii: Array  # (k,), m
    eases: Array  # (N, k), inverse weights; 0 where a point does not bear


def pack_supports(supports: Sequence[Support], *, count: int) -> PackedSupports:
    """Line up the points of supports for so many postures."""
    for each in supports:
        if each.when is not None and np.shape(each.when) != (count,):
            shape = np.shape(each.when)
            raise ValueError(
                f"support {each.name!r}: `when` has shape {shape} for {count} postures"
            )
    sizes = [len(each.points) for each in supports]
    eases = [  # m points of weight m w cost together what one of weight w would
        (np.ones(count) if each.when is None else np.asarray(each.when, dtype=float))
        / (each.weight * size)
        for each, size in zip(supports, sizes, strict=True)
    ]
    return PackedSupports(
        tuple(point for each in supports for point in each.points),
        np.repeat(np.reshape([each.normal for each in supports], (-1, 3)), sizes, axis=0),
        np.repeat([math.inf if each.grips else float(each.friction) for each in supports], sizes),
        np.repeat([float(each.radius) for each in supports], sizes),
        np.repeat(np.reshape(eases, (len(supports), count)).T, sizes, axis=1),
    )
