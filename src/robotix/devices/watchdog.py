"""The watchdog of a physical device: checks its samples and detects silence. Time is passed in.

Silence, invalid numbers, jumps and wrong clocks have the same effect: what the device moved stops.
How it starts again: see `robotix.devices.engage_gate`.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, fields

from robotix.devices.device import Device
from robotix.devices.rigid_transform import angle_between
from robotix.devices.sample import NO_BUTTONS, Sample, checked_sample
from robotix.errors import BadField

__all__ = ["DeviceLimits", "DeviceState", "Watchdog"]

TIME_AHEAD = "is stamped later than now"
TIME_BACKWARDS = "went back in time"
POSE_JUMP = "jumped faster than a hand moves; grip it again"


@dataclass(frozen=True)
class DeviceLimits:
    """Limits within which a device is trusted."""

    quiet: float = 0.1  # s of silence after which it stops what it moves
    fade: float = 0.1  # s that stopping takes
    lost: float = 0.5  # s of silence after which it is released
    ahead: float = 0.05  # s by which the time of a sample may be later than now
    neutral: float = 0.1  # an axis nearer to zero is at rest
    wild: float = 1.5  # an axis beyond is a fault
    speed: float = 5.0  # m/s; a faster pose is a jump
    turn_speed: float = 20.0  # rad/s
    reach: float = 100.0  # m from the origin
    still_speed: float = 0.1  # m/s; slower is at rest
    still_turn_speed: float = 0.5  # rad/s
    settle: float = 0.25  # s at rest that engage a device without a clutch
    shortest: float = 0.01  # s; speeds are measured over at least this time, to suppress noise

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if not value > 0.0:  # infinity is allowed, NaN is not
                raise BadField(entry.name, "more than 0", value)
        if self.quiet > self.lost:
            raise BadField("lost", f"at least quiet, {self.quiet} s", f"{self.lost} s")


@dataclass(frozen=True)
class DeviceState:
    """The state of a device at one moment."""

    axes: tuple[float, ...]  # in -1..1, faded out during silence
    buttons: frozenset[str] = NO_BUTTONS  # pressed, without ignored ones
    fresh: Sample | None = None  # the valid one of this tick
    posed: Sample | None = None  # the last valid one with a pose
    is_at_rest: bool = False  # the fresh sample is at rest
    must_release: bool = True


class Watchdog:
    """Watches a device: updated every tick, it returns the state to use."""

    def __init__(self, device: Device, limits: DeviceLimits | None = None) -> None:
        self.faults: Counter[str] = Counter()  # number of occurrences by text
        self.limits = limits or DeviceLimits()
        self._buttons = frozenset(device.buttons)
        self._zero_axes = (0.0,) * len(device.axes)
        self._absent = DeviceState(self._zero_axes)
        self._now = -math.inf
        self._last: Sample | None = None
        self._last_posed: Sample | None = None  # the last one with a pose
        self._ignored_buttons = NO_BUTTONS  # pressed during a silence: ignored until released
        self._strength = 1.0  # factor of the axes, 0..1

    def update(self, raw: object, now: float) -> DeviceState:
        """Process the sample of this tick, None if there is none, and return the state."""
        was_set_back = now < self._now
        if was_set_back:  # earlier samples belong to another clock
            self._last = self._last_posed = None
        elapsed, self._now = max(0.0, now - self._now), now
        if raw is None and self._last is None:
            return self._absent
        sample = None if raw is None else self._check_sample(raw, now)
        has_jumped = is_at_rest = False
        if sample is not None:
            has_jumped = self._is_faster(sample, self.limits.speed, self.limits.turn_speed)
            is_at_rest = not self._is_faster(
                sample, self.limits.still_speed, self.limits.still_turn_speed
            )
            if has_jumped:
                self.faults[POSE_JUMP] += 1
            self._accept(sample)
        silence = math.inf if self._last is None else now - self._last.time
        self._fade_with_silence(silence, elapsed)
        must_let_go = was_set_back or has_jumped or silence > self.limits.lost
        if self._last is None or must_let_go:
            return DeviceState(self._zero_axes, posed=self._last_posed)
        return DeviceState(
            tuple([self._strength * value for value in self._last.axes]),
            self._last.buttons - self._ignored_buttons,
            sample if silence <= self.limits.quiet else None,
            self._last_posed,
            is_at_rest,
            must_release=False,
        )

    def _check_sample(self, raw: object, now: float) -> Sample | None:
        limits = self.limits
        sample = checked_sample(
            raw,
            n_axes=len(self._zero_axes),
            buttons=self._buttons,
            wild=limits.wild,
            reach=limits.reach,
        )
        if isinstance(sample, str):
            fault = sample
        elif sample.time > now + limits.ahead:
            fault = TIME_AHEAD
        elif self._last is not None and sample.time < self._last.time:
            fault = TIME_BACKWARDS
        else:
            return sample
        self.faults[fault] += 1
        return None

    def _is_faster(self, sample: Sample, speed: float, turn_speed: float) -> bool:
        """Return whether the device moved faster than this since its last pose."""
        last = self._last_posed
        if last is None or last.position is None or sample.position is None:
            return False
        # After a silence the device may have moved no farther than `quiet` allows.
        span = min(max(sample.time - last.time, self.limits.shortest), self.limits.quiet)
        return (
            math.dist(sample.position, last.position) > speed * span
            or angle_between(last.quaternion, sample.quaternion) > turn_speed * span
        )

    def _accept(self, sample: Sample) -> None:
        self._last = sample
        self._ignored_buttons &= sample.buttons
        if sample.position is not None:
            self._last_posed = sample

    def _fade_with_silence(self, silence: float, elapsed: float) -> None:
        """Fade the axes out during silence and in afterwards; after a loss use full strength."""
        limits = self.limits
        if self._last is None or silence > limits.lost:
            self._strength, self._ignored_buttons = 1.0, NO_BUTTONS
            return
        if silence > limits.quiet:
            self._ignored_buttons |= self._last.buttons
        ceiling = max(0.0, min(1.0, 1.0 - (silence - limits.quiet) / limits.fade))
        self._strength = min(ceiling, self._strength + elapsed / limits.fade)
