"""Two and four channels between a handle and a remote arm, with six degrees of freedom.

As in `channels`, with matrices (6, 6) over translation and rotation:

    handle:  Z_m v_m = F_h − d (C_4 v_s + F_e)
    arm:     Z_s v_s = d (C_1 v_m + C_3 F_h) − C_s v_s − F_e,    F_e = Z_e v_s

so that with D = Z_s + C_s + Z_e and G = d² (C_4 + Z_e) D⁻¹ the hand feels

    Z_to = (I − G C_3)⁻¹ (Z_m + G C_1).

Two channels: C_1 = C_s, C_3 = C_4 = 0. Four channels: C_1 = C_s + B_s + η M_s s, C_3 = I and
C_4 = −(B_m + η M_m s). With η = 1 and without delay the hand feels the environment alone; but both
inertias vanish then, and nothing is left that could be sampled: η < 1 keeps a share of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.teleoperation.channels import ChannelArchitecture

__all__ = [
    "AXES",
    "SpatialEnvironment",
    "SpatialImpedance",
    "SpatialTeleoperator",
    "spatial_impedance",
]

AXES = ("x", "y", "z", "about x", "about y", "about z")


def _check(owner: object, names: tuple[str, ...]) -> None:
    for name in names:
        matrix = np.array(getattr(owner, name), dtype=float)
        if matrix.ndim == 1:
            matrix = np.diag(matrix)
        if matrix.shape != (6, 6) or not np.isfinite(matrix).all():
            raise BadField(name, "six finite numbers, or 6 × 6", getattr(owner, name))
        object.__setattr__(owner, name, matrix)


@dataclass(frozen=True, eq=False)
class SpatialTeleoperator:
    """A handle and an arm; matrices (6, 6), or their diagonals."""

    handle_inertia: Array  # kg, kg m²
    handle_damping: Array  # N s/m, N m s/rad
    arm_inertia: Array  # felt at its tip, with all couplings between axes
    arm_damping: Array
    coupling_stiffness: Array  # N/m, N m/rad: of the arm to the motion that is sent
    coupling_damping: Array
    delay: float = 0.0  # s, of each way
    inertia_share: float = 0.8  # η, that four channels take away

    def __post_init__(self) -> None:
        """Raise `BadField` for other shapes, a negative delay or a share beyond 0 to 1."""
        _check(self, ("handle_inertia", "handle_damping", "arm_inertia", "arm_damping",
                      "coupling_stiffness", "coupling_damping"))  # fmt: skip
        if not 0 <= self.delay < math.inf:
            raise BadField("delay", "a time in s, not negative", self.delay)
        if not 0 <= self.inertia_share <= 1:
            raise BadField("inertia_share", "0 to 1", self.inertia_share)


@dataclass(frozen=True, eq=False)
class SpatialEnvironment:
    """What the arm meets: springs and dampers along and about its axes, (6, 6) or diagonals."""

    stiffness: Array
    damping: Array

    def __post_init__(self) -> None:
        """Raise `BadField` for other shapes."""
        _check(self, ("stiffness", "damping"))

    def impedance(self, s: complex) -> np.ndarray:
        """Return Z_e(s), (6, 6)."""
        return np.asarray(self.damping + self.stiffness / s)


@dataclass(frozen=True, eq=False)
class SpatialImpedance:
    """What the hand feels, against what there is."""

    frequencies: Array  # (n,), Hz
    felt: np.ndarray  # (n, 6, 6), complex
    there: np.ndarray  # (n, 6, 6), complex

    @property
    def ratios(self) -> Array:
        """|felt / there| of every frequency and axis, (n, 6): 1 is transparent."""
        return np.asarray(abs(self._own(self.felt) / self._own(self.there)))

    @property
    def errors(self) -> Array:
        """Mean of |ln |felt / there|| of every axis, (6,)."""
        return np.asarray(abs(np.log(self.ratios)).mean(axis=0))

    @property
    def cross_talk(self) -> Array:
        """Largest force along another axis while one moves, as a share of its own, (6,).

        Translation counts with translation and rotation with rotation, which have the same units.
        """
        out = np.zeros(6)
        for block in (slice(0, 3), slice(3, 6)):
            part = abs(self.felt[:, block, block])
            own = np.diagonal(part, axis1=1, axis2=2)
            others = part - own[:, None, :] * np.eye(3)
            out[block] = (others.max(axis=1) / own).max(axis=0)
        return out

    @staticmethod
    def _own(matrices: np.ndarray) -> np.ndarray:
        return np.diagonal(matrices, axis1=1, axis2=2)


def spatial_impedance(
    system: SpatialTeleoperator,
    environment: SpatialEnvironment,
    architecture: ChannelArchitecture,
    *,
    frequencies: ArrayLike,
) -> SpatialImpedance:
    """Return the impedance that the hand feels, in closed form, at frequencies in Hz."""
    f = np.asarray(frequencies, dtype=float)
    if f.ndim != 1 or not len(f) or not (f > 0).all():
        raise BadField("frequencies", "positive numbers", f.tolist())
    felt, there, one = [], [], np.eye(6)
    for s in 2j * np.pi * f:
        d2 = np.exp(-2 * s * system.delay)
        Z_m = system.handle_inertia * s + system.handle_damping
        Z_s = system.arm_inertia * s + system.arm_damping
        C_s = system.coupling_damping + system.coupling_stiffness / s
        Z_e = environment.impedance(s)
        C_1, C_3, C_4 = C_s, 0 * one, 0 * one
        if architecture is ChannelArchitecture.four_channel:
            share = system.inertia_share
            C_1 = C_s + system.arm_damping + share * system.arm_inertia * s
            C_3 = one
            C_4 = -(system.handle_damping + share * system.handle_inertia * s)
        G = d2 * (C_4 + Z_e) @ np.linalg.inv(Z_s + C_s + Z_e)
        felt.append(np.linalg.solve(one - G @ C_3, Z_m + G @ C_1))
        there.append(Z_e)
    return SpatialImpedance(f, np.array(felt), np.array(there))
