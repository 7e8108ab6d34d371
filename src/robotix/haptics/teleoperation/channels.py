"""Two and four channels between a handle and a remote arm, of one degree of freedom.

    handle:  Z_m v_m = F_h − F_cm,    F_cm = C_m v_m + d (C_4 v_s + C_2 F_e)
    arm:     Z_s v_s = F_cs − F_e,    F_cs = d (C_1 v_m + C_3 F_h) − C_s v_s

d = e^(−sT) is the delay of each way. With an environment F_e = Z_e v_s the hand feels

    Z_to = [(Z_m + C_m) D + d² (C_4 + C_2 Z_e) C_1] / [D − d² (C_4 + C_2 Z_e) C_3],
    D = Z_s + C_s + Z_e.

Two channels send the handle's motion and reflect the force that the arm meets (C_1 = C_s, C_2 = 1).
Four channels with C_1 = Z_s + C_s, C_2 = C_3 = 1, C_4 = −(Z_m + C_m) make Z_to = Z_e without delay:
the hand feels the environment alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array

__all__ = [
    "ChannelArchitecture",
    "RemoteEnvironment",
    "Teleoperator",
    "TransmittedImpedance",
    "simulate_contact",
    "transmitted_impedance",
]

MAX_SECONDS = 100.0


class ChannelArchitecture(StrEnum):
    """What is sent between handle and arm."""

    two_channel = "two_channel"  # motion there, force back
    four_channel = "four_channel"  # motion and force both ways


@dataclass(frozen=True)
class Teleoperator:
    """A handle and an arm, with the coupling of the arm to the motion that is sent."""

    handle_mass: float = 1.0  # kg
    handle_damping: float = 2.0  # N s/m
    arm_mass: float = 2.0  # kg
    arm_damping: float = 5.0  # N s/m
    coupling_stiffness: float = 3000.0  # N/m, of C_s
    coupling_damping: float = 150.0  # N s/m
    delay: float = 0.0  # s, of each way

    def __post_init__(self) -> None:
        """Raise `BadField` unless masses are positive and the others not negative."""
        for name in ("handle_mass", "arm_mass"):
            if not 0 < getattr(self, name) < math.inf:
                raise BadField(name, "a positive mass in kg", getattr(self, name))
        for name in ("handle_damping", "arm_damping", "coupling_stiffness", "coupling_damping",
                     "delay"):  # fmt: skip
            if not 0 <= getattr(self, name) < math.inf:
                raise BadField(name, "a finite number, not negative", getattr(self, name))


@dataclass(frozen=True)
class RemoteEnvironment:
    """What the arm meets: a spring and a damper."""

    stiffness: float = 1000.0  # N/m
    damping: float = 5.0  # N s/m


@dataclass(frozen=True, eq=False)
class TransmittedImpedance:
    """What the hand feels, against what there is."""

    frequencies: Array  # (n,), Hz
    felt: np.ndarray  # (n,), complex, N s/m
    there: np.ndarray  # (n,), complex

    @property
    def error(self) -> float:
        """Mean of |ln |felt / there||: 0 is transparent, 0.7 is a factor of two."""
        return float(np.mean(abs(np.log(abs(self.felt / self.there)))))

    @property
    def is_passive(self) -> bool:
        """Whether the hand is never given energy at these frequencies: Re Z ≥ 0."""
        return bool((self.felt.real >= -1e-9 * abs(self.felt)).all())


def transmitted_impedance(
    system: Teleoperator,
    environment: RemoteEnvironment,
    architecture: ChannelArchitecture,
    *,
    frequencies: ArrayLike | None = None,
) -> TransmittedImpedance:
    """Return the impedance that the hand feels, at frequencies in Hz (0.1 to 30 when None)."""
    f = np.geomspace(0.1, 30, 120) if frequencies is None else np.asarray(frequencies, dtype=float)
    if f.ndim != 1 or not len(f) or not (f > 0).all():
        raise BadField("frequencies", "positive numbers", f.tolist())
    s = 2j * np.pi * f
    d = np.exp(-s * system.delay)
    z_m = system.handle_mass * s + system.handle_damping
    z_s = system.arm_mass * s + system.arm_damping
    c_s = system.coupling_damping + system.coupling_stiffness / s
    z_e = environment.damping + environment.stiffness / s
    D = z_s + c_s + z_e
    if architecture is ChannelArchitecture.two_channel:
        felt = z_m + d**2 * z_e * c_s / D
    else:
        back = d**2 * (z_e - z_m)
        felt = (z_m * D + back * (z_s + c_s)) / (D - back)
    return TransmittedImpedance(np.asarray(f), np.asarray(felt), np.asarray(z_e))


def simulate_contact(
    system: Teleoperator,
    environment: RemoteEnvironment,
    *,
    push: float = 5.0,
    hand_damping: float = 10.0,
    seconds: float = 3.0,
    rate: float = 4000.0,
) -> Array:
    """Let a hand push the handle while the arm presses a spring, with two channels.

    Returns the positions of handle and arm at every sample, (n, 2), m.
    """
    if not 0 < seconds <= MAX_SECONDS:
        raise BadField("seconds", f"up to {MAX_SECONDS:g} s", seconds)
    n, h = round(seconds * rate), 1 / rate
    late = round(system.delay * rate)
    out, sent, forces = np.zeros((n, 2)), np.zeros((n, 2)), np.zeros(n)
    x_m = v_m = x_s = v_s = 0.0
    for k in range(n):
        sent[k], forces[k] = (x_m, v_m), environment.stiffness * x_s + environment.damping * v_s
        x_d, v_d = sent[k - late] if k >= late else (0.0, 0.0)
        f_e = forces[k - late] if k >= late else 0.0
        pull = system.coupling_stiffness * (x_d - x_s) + system.coupling_damping * (v_d - v_s)
        v_m += (
            h * (push - hand_damping * v_m - system.handle_damping * v_m - f_e) / system.handle_mass
        )
        v_s += h * (pull - system.arm_damping * v_s - forces[k]) / system.arm_mass
        x_m += h * v_m
        x_s += h * v_s
        out[k] = x_m, x_s
        if not (math.isfinite(x_m) and abs(x_m) < 1e6):
            return out[: k + 1]
    return out
