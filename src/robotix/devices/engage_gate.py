"""The dead man's switch: a device is live only after it has been engaged on purpose.

To engage it, release it first, then press the clutch or use it. This is required at the start and
after every loss, so that nothing moves merely because a device came back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from robotix.devices.sample import Sample
from robotix.devices.watchdog import DeviceLimits, DeviceState

__all__ = ["EngageGate", "UsedInputs"]


@dataclass(frozen=True)
class UsedInputs:
    """The inputs of a device that are used; the others do not affect whether it is released.

    `axes` are the rates it gives, by index, each with its dead zone.
    """

    axes: Mapping[int, float] = field(default_factory=dict)
    buttons: frozenset[str] | None = None  # all, when None
    clutch: str = ""  # the button that engages; any input does when empty

    def is_neutral(self, sample: Sample, neutral: float) -> bool:
        """Return whether the device is released: no button pressed, every axis at rest."""
        down = sample.buttons if self.buttons is None else sample.buttons & self.buttons
        return not down and all(
            abs(sample.axes[i]) <= max(zone, neutral) for i, zone in self.axes.items()
        )


class EngageGate:
    """Whether one use of a device is engaged, and its last pose while it was."""

    def __init__(self, use: UsedInputs, limits: DeviceLimits) -> None:
        self.is_live = False
        self.posed: Sample | None = None  # the last one with a pose, while live
        self._use = use
        self._limits = limits
        self._was_released = False
        self._at_rest_since = math.inf

    def update(self, state: DeviceState) -> bool:
        """Process the state of one tick; return whether the device is live."""
        if state.must_release:
            self.is_live = self._was_released = False
            self._at_rest_since = math.inf
        elif not self.is_live and state.fresh is not None:
            self._try_engage(state.fresh, is_at_rest=state.is_at_rest)
        if self.is_live:
            self.posed = state.posed
        return self.is_live

    def _try_engage(self, sample: Sample, *, is_at_rest: bool) -> None:
        """Engage when the gesture is complete."""
        is_neutral = self._use.is_neutral(sample, self._limits.neutral)
        if sample.position is not None and not self._use.clutch:
            is_calm = is_neutral and is_at_rest
            self._at_rest_since = min(self._at_rest_since, sample.time) if is_calm else math.inf
            self.is_live = sample.time - self._at_rest_since >= self._limits.settle
        elif is_neutral:
            self._was_released = True
        elif self._was_released:
            self.is_live = not self._use.clutch or self._use.clutch in sample.buttons
