"""What distinguishes one simulated operator from another, and where the numbers come from.

The structure follows published models of aimed movements: a movement is a sequence of submovements,
the first to the target, further ones correcting what is left [Meyer1988], each with the bell-shaped
speed of minimum jerk [Flash1985]. All numbers below are assumptions: plausible for adults with a
joystick, measured on nobody, and to be varied (see `sensitivity`).
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, fields, replace

import numpy as np

from robotix.errors import BadField

__all__ = ["IDEAL", "TYPICAL", "OperatorTraits", "draw_traits"]

SPREAD_FIELDS = ("reaction_time", "pause_time", "aiming_noise", "sight_noise")
CAUTION_SPREAD = 0.15  # standard deviation of the share of the device's speed that is used


@dataclass(frozen=True)
class OperatorTraits:
    """A simulated operator. Times in s, lengths in m; every number is an assumption.

    - `reaction_time`: from seeing that something is to be done to doing it.
    - `pause_time`: between two submovements, to see what is left.
    - `sight_delay`: what is seen is this old.
    - `aiming_noise`: standard deviation of where a submovement ends, as a share of its length,
      along it; across it half of that.
    - `sight_noise`: standard deviation of the error in seeing where the target is.
    - `pace`: share of the device's full speed that is used for long movements.
    - `submovement_time`: shortest duration of a submovement.
    - `slowing`: how much longer a movement takes for each bit of its index of difficulty, s/bit.
    - `one_axis`: probability that a movement goes axis by axis instead of straight.
    - `patience`: time without progress until another way is tried.
    - `learning`: exponent of the power law of practice; reaction times, pauses and noise shrink
      with the number of movements made.
    """

    reaction_time: float = 0.30
    pause_time: float = 0.20
    sight_delay: float = 0.10
    aiming_noise: float = 0.08
    sight_noise: float = 0.003
    pace: float = 0.80
    submovement_time: float = 0.25
    slowing: float = 0.10
    one_axis: float = 0.30
    patience: float = 1.5
    learning: float = 0.10

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not (math.isfinite(value) and value >= 0):
                raise BadField(each.name, "a finite number of at least 0", value)
        if not 0 < self.pace <= 1:
            raise BadField("pace", "above 0 and at most 1", self.pace)
        if self.one_axis > 1:
            raise BadField("one_axis", "a probability", self.one_axis)

    def practised(self, movements: int) -> OperatorTraits:
        """Return the operator after a number of movements, by the power law of practice."""
        factor = (1 + movements) ** -self.learning
        changed = {name: getattr(self, name) * factor for name in SPREAD_FIELDS}
        return replace(self, **changed)


TYPICAL = OperatorTraits()
IDEAL = OperatorTraits(
    reaction_time=0.0, pause_time=0.0, sight_delay=0.0, aiming_noise=0.0, sight_noise=0.0,
    pace=1.0, slowing=0.0, one_axis=0.0, learning=0.0,
)  # fmt: skip


def draw_traits(
    participant: str, *, typical: OperatorTraits = TYPICAL, spread: float = 0.2
) -> OperatorTraits:
    """Return the operator of this name: always the same one, drawn around a typical one.

    Times and noises are log-normal with the standard deviation `spread` of their logarithm; the
    pace is normal, within its limits.
    """
    digest = hashlib.sha256(participant.encode()).digest()
    rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    factors = np.exp(spread * rng.standard_normal(len(SPREAD_FIELDS)))
    changed = {
        name: float(getattr(typical, name) * factor)
        for name, factor in zip(SPREAD_FIELDS, factors, strict=True)
    }
    pace = typical.pace * (1 + spread / 0.2 * CAUTION_SPREAD * rng.standard_normal())
    return replace(typical, pace=float(np.clip(pace, 0.3, 1.0)), **changed)
