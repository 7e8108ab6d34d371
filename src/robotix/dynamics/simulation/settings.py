"""How a simulation is integrated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from robotix.errors import BadField

__all__ = ["CONTROL", "EXACT", "Integrator", "Settings"]

Integrator: TypeAlias = Literal["rk4", "implicitfast"]


@dataclass(frozen=True)
class Settings:
    """Time step, integrator, and stiffness of constraints.

    `rk4` conserves energy and momentum, and suits passive mechanisms; `implicitfast` treats the
    damping of servos implicitly, so that stiff ones stay stable, and costs a third.
    Connections and joint limits are springs and dampers with `time_constant`, contacts with
    `contact_time_constant`; both need at least two steps.
    """

    dt: float = 1e-3  # s
    integrator: Integrator = "implicitfast"
    time_constant: float = 2e-3  # s, of connections between bodies
    contact_time_constant: float = 5e-3  # s
    slots: int = 32  # for connections; a hinge and a slider take two
    sliders: int = 1  # how many of the connections may be sliders; each adds 7 coordinates

    def __post_init__(self) -> None:
        if not 1e-6 <= self.dt <= 0.05:
            raise BadField("dt", "in 1e-6..0.05 s", self.dt)
        if self.integrator not in ("rk4", "implicitfast"):
            raise BadField("integrator", "rk4 or implicitfast", self.integrator)
        for name in ("time_constant", "contact_time_constant"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 2 * self.dt):
                raise BadField(name, f"at least two steps ({2 * self.dt:g} s)", value)
        if not 0 <= self.slots <= 1000:
            raise BadField("slots", "in 0..1000", self.slots)
        if not 0 <= self.sliders <= 100:
            raise BadField("sliders", "in 0..100", self.sliders)


CONTROL = Settings()
EXACT = Settings(integrator="rk4")  # where conservation matters
