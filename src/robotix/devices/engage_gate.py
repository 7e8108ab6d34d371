"""The dead-man's handle: a device is live only while somebody holds it on purpose.

Taking hold is a gesture: hands off first, and then a grip. It is asked for at the start and after
every loss, so that nothing starts to move because a device came back.
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
    """What of a device is used, so that the rest cannot keep it from being let go.

    `axes` are the rates it gives, by their index, and how near to zero they rest.
    """

    axes: Mapping[int, float] = field(default_factory=dict)
    buttons: frozenset[str] | None = None  # all, when None
    clutch: str = ""  # the button that takes hold; anything else does when there is none

    def is_neutral(self, sample: Sample, neutral: float) -> bool:
        """Tell whether the hand is off: no button down, every axis at rest."""
        down = sample.buttons if self.buttons is None else sample.buttons & self.buttons
        return not down and all(
            abs(sample.axes[i]) <= max(zone, neutral) for i, zone in self.axes.items()
        )


class EngageGate:
    """One use of a device: whether it is held, and where it was when it last was."""

    def __init__(self, use: UsedInputs, trust: DeviceLimits) -> None:
        self.is_live = False
        self.placed: Sample | None = None  # the last one that said where, while live
        self._use = use
        self._trust = trust
        self._was_let_go = False
        self._still_since = math.inf

    def look(self, sight: DeviceState) -> bool:
        """Follow the device for a tick; return whether it is live."""
        if sight.must_let_go:
            self.is_live = self._was_let_go = False
            self._still_since = math.inf
        elif not self.is_live and sight.fresh is not None:
            self._court(sight.fresh, is_still=sight.is_still)
        if self.is_live:
            self.placed = sight.placed
        return self.is_live

    def _court(self, sample: Sample, *, is_still: bool) -> None:
        """Take hold when the gesture is complete."""
        is_neutral = self._use.is_neutral(sample, self._trust.neutral)
        if sample.position is not None and not self._use.clutch:
            is_calm = is_neutral and is_still
            self._still_since = min(self._still_since, sample.time) if is_calm else math.inf
            self.is_live = sample.time - self._still_since >= self._trust.settle
        elif is_neutral:
            self._was_let_go = True
        elif self._was_let_go:
            self.is_live = not self._use.clutch or self._use.clutch in sample.buttons
