"""Supports: the parts of a body that are in contact, and how."""

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
    """A part of a body that is in contact with its environment, at a few of its points.

    The force is distributed among its points as among parallel springs; their number does not
    change the forces of other supports.
    """

    name: str
    points: tuple[Point, ...]
    normal: ArrayLike = UP  # out of the supporting surface, in the base frame; normalised
    friction: float = 0.6  # coefficient μ: tangential per normal force
    grips: bool = False  # transmits forces in all directions
    weight: float = 1.0  # of its squared forces: the larger, the less force it takes
    radius: float = 0.0  # m; the contact of a round part is this far from its points
    when: Flags | None = None  # (N,), the postures in which it is in contact; all when None

    def __post_init__(self) -> None:
        normal = np.array(self.normal, dtype=float)
        length = float(np.linalg.norm(normal)) if normal.shape == (3,) else 0.0
        if not 0 < length < math.inf:
            raise ValueError(f"support {self.name!r}: {self.normal!r} is not a direction")
        for what, value in {"friction": self.friction, "radius": self.radius}.items():
            if not 0 <= value < math.inf:
                raise ValueError(f"support {self.name!r}: {what} must be 0 or more, got {value}")
        if not 0 < self.weight < math.inf:
            raise ValueError(f"support {self.name!r}: weight must be positive, got {self.weight}")
        if not self.points:
            raise ValueError(f"support {self.name!r} needs at least one point")
        object.__setattr__(self, "normal", normal / length)


@dataclass(frozen=True, eq=False)
class PackedSupports:
    """The points of all supports in the form that the kernel reads."""

    points: tuple[Point, ...]
    normals: Array  # (k, 3)
    frictions: Array  # (k,), infinite for a grip
    radii: Array  # (k,), m
    inverse_weights: Array  # (N, k); 0 where a point is not in contact


def pack_supports(supports: Sequence[Support], *, count: int) -> PackedSupports:
    """Pack the points of supports for `count` postures."""
    for each in supports:
        if each.when is not None and np.shape(each.when) != (count,):
            shape = np.shape(each.when)
            raise ValueError(
                f"support {each.name!r}: `when` has shape {shape} for {count} postures"
            )
    sizes = [len(each.points) for each in supports]
    inverse_weights = [  # m points of weight m w cost together what one of weight w would
        (np.ones(count) if each.when is None else np.asarray(each.when, dtype=float))
        / (each.weight * size)
        for each, size in zip(supports, sizes, strict=True)
    ]
    return PackedSupports(
        tuple(point for each in supports for point in each.points),
        np.repeat(np.reshape([each.normal for each in supports], (-1, 3)), sizes, axis=0),
        np.repeat([math.inf if each.grips else float(each.friction) for each in supports], sizes),
        np.repeat([float(each.radius) for each in supports], sizes),
        np.repeat(np.reshape(inverse_weights, (len(supports), count)).T, sizes, axis=1),
    )
