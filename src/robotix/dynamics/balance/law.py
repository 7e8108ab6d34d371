"""The law of standing balance: which ankle moment brings angular momentum and CoM to zero.

With the support ankle as origin, r_G the centre of mass, G = (0, 0, −g), and

    L = Σ (r_i × m_i ṙ_i + R_i I_i ω_i),    dL/dt = M r_G × G + τ,

τ is the ground's moment about the ankle. In a right-handed frame with z up

    τ_x = −k_L L_x + k_r r_Gy,    τ_y = −k_L L_y − k_r r_Gx

makes both rows of `M h r̈ = M g r − k_r r − k_L M h ṙ` stable for k_r > M g. The published law has
−k_r r_Gy in its first row, which turns the sideways motion over faster than gravity does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array

__all__ = ["AnkleLaw", "SignConvention"]

SignConvention: TypeAlias = Literal["right_handed", "printed"]


@dataclass(frozen=True)
class AnkleLaw:
    """Gains of the law above."""

    com_gain_mg: float = 2.0  # k_r in multiples of M·g; stable above 1
    momentum_gain: float | None = None  # k_L in 1/s; 2 √(g/h) when None, h the height of the CoM
    sign: SignConvention = "right_handed"

    def __post_init__(self) -> None:
        if not 0 <= self.com_gain_mg <= 1000:
            raise BadField("com_gain_mg", "in 0..1000", self.com_gain_mg)
        if self.momentum_gain is not None and not 0 <= self.momentum_gain <= 1e4:
            raise BadField("momentum_gain", "in 0..10000 1/s", self.momentum_gain)
        if self.sign not in ("right_handed", "printed"):
            raise BadField("sign", "right_handed or printed", self.sign)

    def moment(self, momentum: Array, com: Array, *, mass: float, gravity: float) -> Array:
        """Return the wanted moment (τ_x, τ_y) of the ground about the ankle, N m.

        `momentum` is L (kg m²/s) and `com` r_G (m), both (3,), about the ankle, with z up;
        `mass` in kg, `gravity` in m/s².
        """
        k_r = self.com_gain_mg * mass * gravity
        k_L = self.momentum_gain
        if k_L is None:
            k_L = 2.0 * math.sqrt(gravity / max(com[2], 0.05))
        row_x = k_r * com[1] if self.sign == "right_handed" else -k_r * com[1]
        return np.array([-k_L * momentum[0] + row_x, -k_L * momentum[1] - k_r * com[0]])
