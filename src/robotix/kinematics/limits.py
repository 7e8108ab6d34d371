"""Limits: inequalities that every step keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.model import Model

__all__ = ["Limits"]


@dataclass(frozen=True, eq=False)
class Limits:
    """Joint limits, (n_dof,) each; infinite means none.

    With an acceleration limit a, velocities are also bounded by v dt + v²/(2a) ≤ distance to the
    position limit, so that a joint can always brake in time.

    Examples:
        >>> model = rx.load("panda")
        >>> limits = rx.Limits.of(model)
        >>> bool((limits.upper == model.upper).all())
        True
    """

    lower: Array
    upper: Array
    velocity: Array
    acceleration: Array

    def __post_init__(self) -> None:
        """Check shapes, signs and order."""
        for name in ("lower", "upper", "velocity", "acceleration"):
            value = np.array(getattr(self, name), dtype=float)
            if np.isnan(value).any() or value.shape != np.shape(self.lower):
                raise ValueError(
                    f"{name} must be one number per joint, got {getattr(self, name)!r}"
                )
            object.__setattr__(self, name, value)
        if (self.lower > self.upper).any():
            raise ValueError("a joint's lower limit lies above its upper one")
        if (self.velocity < 0).any() or (self.acceleration <= 0).any():
            raise ValueError("velocity and acceleration limits must be positive")

    @staticmethod
    def of(model: Model, *, accelerate: bool = False) -> Limits:
        """Return the limits of a model's joints; acceleration limits only with `accelerate`."""
        unlimited = np.full(model.n_dof, np.inf)
        a = np.where(model.acceleration > 0, model.acceleration, np.inf)
        return Limits(model.lower, model.upper, model.velocity, a if accelerate else unlimited)

    @staticmethod
    def none(model: Model) -> Limits:
        """Return no limits at all."""
        free = np.full(model.n_dof, np.inf)
        return Limits(-free, free, free, free)
