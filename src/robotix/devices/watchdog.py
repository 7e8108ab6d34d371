"""What may be believed of a device, and when it must let go. Time is passed in.

Silence, numbers that are none, jumps and wrong clocks all end the same way: what the device moved
stops. How it starts again is told in `robotix.devices.engage_gate`.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, fields

from robotix.devices.device import Device
from robotix.devices.rigid_transform import turn_between
from robotix.devices.sample import NOTHING, Sample, checked_sample
from robotix.errors import BadField

__all__ = ["DeviceLimits", "DeviceState", "Watchdog"]

AHEAD = "is stamped later than now"
BACK = "went back in time"
JUMP = "jumped faster than a hand moves; grip it again"


@dataclass(frozen=True)
class DeviceLimits:
    """How far a device is believed."""

    quiet: float = 0.1  # s; after so long a silence it stops what it moves
    fade: float = 0.1  # s; so smoothly
    lost: float = 0.5  # s; after so long a silence it has let go
    ahead: float = 0.05  # s; so much later than now a sample may be stamped
    neutral: float = 0.1  # an axis nearer to zero is let go
    wild: float = 1.5  # an axis beyond is a fault
    speed: float = 5.0  # m/s; no hand is faster
    turn_speed: float = 20.0  # rad/s
    reach: float = 100.0  # m from the origin
    still_speed: float = 0.1  # m/s; slower is at rest
    still_turn_speed: float = 0.5  # rad/s
    settle: float = 0.25  # s; what has no clutch is kept at rest so long to take hold
    shortest: float = 0.01  # s; speeds are judged over no less, lest noise counts as a jump

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if not value > 0.0:  # infinity is a limit that nothing exceeds; NaN is none
                raise BadField(entry.name, "more than 0", value)
        if self.quiet > self.lost:
            raise BadField("lost", f"at least quiet, {self.quiet} s", f"{self.lost} s")


@dataclass(frozen=True)
class DeviceState:
    """What holds of a device at one moment."""

    axes: tuple[float, ...]  # in -1..1, faded when it is silent
    buttons: frozenset[str] = NOTHING  # that count
    fresh: Sample | None = None  # the good one that came just now
    placed: Sample | None = None  # the last good one that said where
    is_still: bool = False  # came, and had hardly moved
    must_let_go: bool = True


class Watchdog:
    """Watches a device: asked every tick, it says what may be believed."""

    def __init__(self, device: Device, trust: DeviceLimits | None = None) -> None:
        self.faults: Counter[str] = Counter()  # how often each happened
        self.trust = trust or DeviceLimits()
        self._buttons = frozenset(device.buttons)
        self._rest = (0.0,) * len(device.axes)
        self._absent = DeviceState(self._rest)
        self._now = -math.inf
        self._last: Sample | None = None
        self._placed: Sample | None = None  # the last one that said where
        self._spent = NOTHING  # down when silence fell: these count again once they were seen up
        self._strength = 1.0  # of the axes

    def look(self, raw: object, now: float) -> DeviceState:
        """Take in what the device gave, if anything, and return what holds now."""
        was_set_back = now < self._now
        if was_set_back:  # what is known was stamped by another clock, as it were
            self._last = self._placed = None
        elapsed, self._now = max(0.0, now - self._now), now
        if raw is None and self._last is None:
            return self._absent
        sample = None if raw is None else self._checked(raw, now)
        has_jumped = is_still = False
        if sample is not None:
            has_jumped = self._moved(sample, self.trust.speed, self.trust.turn_speed)
            is_still = not self._moved(sample, self.trust.still_speed, self.trust.still_turn_speed)
            if has_jumped:
                self.faults[JUMP] += 1
            self._accept(sample)
        silence = math.inf if self._last is None else now - self._last.time
        self._listen(silence, elapsed)
        must_let_go = was_set_back or has_jumped or silence > self.trust.lost
        if self._last is None or must_let_go:
            return DeviceState(self._rest, placed=self._placed)
        return DeviceState(
            tuple([self._strength * value for value in self._last.axes]),
            self._last.buttons - self._spent,
            sample if silence <= self.trust.quiet else None,
            self._placed,
            is_still,
            must_let_go=False,
        )

    def _checked(self, raw: object, now: float) -> Sample | None:
        trust = self.trust
        sample = checked_sample(
            raw, n_axes=len(self._rest), buttons=self._buttons, wild=trust.wild, reach=trust.reach
        )
        if isinstance(sample, str):
            fault = sample
        elif sample.time > now + trust.ahead:
            fault = AHEAD
        elif self._last is not None and sample.time < self._last.time:
            fault = BACK
        else:
            return sample
        self.faults[fault] += 1
        return None

    def _moved(self, sample: Sample, speed: float, turn_speed: float) -> bool:
        """Tell whether the device moved faster than this since it was placed last."""
        last = self._placed
        if last is None or last.position is None or sample.position is None:
            return False
        # After a silence the device is where it is expected, give or take what `quiet` allows.
        span = min(max(sample.time - last.time, self.trust.shortest), self.trust.quiet)
        return (
            math.dist(sample.position, last.position) > speed * span
            or turn_between(last.quaternion, sample.quaternion) > turn_speed * span
        )

    def _accept(self, sample: Sample) -> None:
        self._last = sample
        self._spent &= sample.buttons
        if sample.position is not None:
            self._placed = sample

    def _listen(self, silence: float, elapsed: float) -> None:
        """Fade out with silence, and come back as smoothly; who was lost begins anew."""
        trust = self.trust
        if self._last is None or silence > trust.lost:
            self._strength, self._spent = 1.0, NOTHING
            return
        if silence > trust.quiet:
            self._spent |= self._last.buttons
        ceiling = max(0.0, min(1.0, 1.0 - (silence - trust.quiet) / trust.fade))
        self._strength = min(ceiling, self._strength + elapsed / trust.fade)
