"""Criteria that raise the dexterity of a control point; see `criteria` for what a criterion is.

Gradients follow from dσ = uᵀ dJ v for the singular vectors u and v. In a singular posture, and
where singular values cross, these functions have no gradient; a one-sided one is returned then,
which is always finite.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from robotix.geometry import Array
from robotix.kinematics.criteria import SideCriterion
from robotix.kinematics.derivatives import jacobian_slopes
from robotix.kinematics.dexterity import (
    MotionComponents,
    decompose,
    isotropy_of,
    part_rows,
    rate_scales,
    unit_ball_volume,
)
from robotix.kinematics.posture import Posture
from robotix.kinematics.tasks import Point

__all__ = ["DirectionalManipulability", "EllipsoidVolume", "Isotropy", "Manipulability"]


@dataclass(frozen=True, eq=False)
class _Dexterity(SideCriterion):
    """A function of the singular values of a control point's Jacobian.

    `point` is the control point (the tip when None), `part` as in `robotix.kinematics.dexterity`.
    """

    point: Point = None
    part: MotionComponents = "linear"
    normalised: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise ValueError if `part` is unknown."""
        super().__post_init__()
        part_rows(self.part)

    @abstractmethod
    def _height(self, values: Array) -> float:
        """Return H of the singular values."""

    @abstractmethod
    def _slope(self, values: Array) -> Array:
        """Return dH / dσ."""

    def value(self, posture: Posture) -> float:
        """Return H; higher is better."""
        system = decompose(posture, self.point, part=self.part, normalised=self.normalised)
        return self._height(system.values)

    def gradient(self, posture: Posture) -> Array:
        """Return ∇H, (n_dof,): a change dJ changes a singular value by uᵀ dJ v."""
        system = decompose(posture, self.point, part=self.part, normalised=self.normalised)
        by_entry = system.axes @ (self._slope(system.values)[:, None] * system.motions)  # dH / dJ
        if self.normalised:
            by_entry = by_entry * rate_scales(posture.model, self.point)
        slopes = jacobian_slopes(posture, self.point)[:, part_rows(self.part)]
        return np.tensordot(slopes, by_entry, axes=2)


@dataclass(frozen=True, eq=False)
class Manipulability(_Dexterity):
    """w = √det(JJᵀ) = Πσ of the Jacobian, not normalised [Yoshikawa1985]; see `manipulability`."""

    normalised: ClassVar[bool] = False

    def _height(self, values: Array) -> float:
        return float(np.prod(values))

    def _slope(self, values: Array) -> Array:
        return _products_of_others(values)


@dataclass(frozen=True, eq=False)
class EllipsoidVolume(_Dexterity):
    """Volume of the normalised velocity ellipsoid; see `ellipsoid_volume`."""

    def _height(self, values: Array) -> float:
        return unit_ball_volume(len(values)) * float(np.prod(values))

    def _slope(self, values: Array) -> Array:
        return unit_ball_volume(len(values)) * _products_of_others(values)


@dataclass(frozen=True, eq=False)
class Isotropy(_Dexterity):
    """1/κ = σₘ/σ₁ of the normalised Jacobian, between 0 and 1.

    Unlike κ itself and its gradient, it stays bounded at singularities.
    """

    def _height(self, values: Array) -> float:
        return float(isotropy_of(values))

    def _slope(self, values: Array) -> Array:
        out = np.zeros_like(values)
        if len(values) > 1 and values[0] > 0:  # with one direction κ is always 1
            out[0] = -values[-1] / values[0] ** 2
            out[-1] = 1 / values[0]
        return out


@dataclass(frozen=True, eq=False)
class DirectionalManipulability(_Dexterity):
    """V/κ of the normalised Jacobian; see `directional_manipulability`."""

    def _height(self, values: Array) -> float:
        return unit_ball_volume(len(values)) * float(np.prod(values) * isotropy_of(values))

    def _slope(self, values: Array) -> Array:
        others, even = _products_of_others(values), isotropy_of(values)
        out = others * even
        if len(values) > 1:  # V/κ = c σ₂ … σₘ²
            out[0] = 0.0
            out[-1] *= 2
        return unit_ball_volume(len(values)) * out


def _products_of_others(values: Array) -> Array:
    """Return for each value the product of all others, without dividing by what may be zero."""
    numbers = values.tolist()  # a handful: faster than arrays
    return np.array([math.prod(numbers[:i] + numbers[i + 1 :]) for i in range(len(numbers))])
