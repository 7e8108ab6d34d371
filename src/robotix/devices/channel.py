"""Conversion of samples of physical devices to readings of logical ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from robotix.devices.device import Device
from robotix.devices.engage_gate import EngageGate, UsedInputs
from robotix.devices.mapping import RATE_KINDS, DeviceFeed, Logical
from robotix.devices.recording import Replay
from robotix.devices.rigid_transform import RigidTransform
from robotix.devices.sample import NO_BUTTONS, Sample
from robotix.devices.shaping import Clutch, apply_clutch, shape_axis
from robotix.devices.watchdog import DeviceLimits, DeviceState
from robotix.errors import UnknownName
from robotix.inputs.device_kinds import POSED_KINDS, DeviceKind
from robotix.inputs.readings import Reading

__all__ = ["Channel", "LogicalDevice", "check_feed"]

VIEWING_KINDS = frozenset[DeviceKind]({"head"})  # the pose is looked from, live or not


class Channel:
    """One feed of a logical device."""

    def __init__(
        self, feed: DeviceFeed, logical: Logical, device: Device, *, limits: DeviceLimits
    ) -> None:
        if isinstance(device, Replay):
            feed = _without_missing_axes(feed, device)
        else:
            check_feed(feed, device)
        self.device = device.name
        self._feed = feed
        self._terms = feed.terms
        self._names = device.axes
        self._n_axes = logical.n_axes
        self._has_pose = logical.kind in POSED_KINDS
        self._gate = EngageGate(
            _make_used_inputs(feed, device, is_rate=logical.kind in RATE_KINDS), limits
        )
        self._clutch: Clutch | None = None

    def update(self, state: DeviceState) -> Reading | None:
        """Return the reading; None when the device is not live."""
        if not self._gate.update(state):
            self._clutch = self._clutch and Clutch(self._clutch.pose)
            return None
        is_held = not self._feed.clutch or self._feed.clutch in state.buttons
        pose = self._pose(is_held)
        return Reading(
            self._axes(state) if is_held and self._terms else (0.0,) * self._n_axes,
            self._buttons(state.buttons),
            pose.position if pose else None,
            pose.quaternion if pose else RigidTransform().quaternion,
        )

    def seen(self, state: DeviceState) -> Sample | None:
        """Return where the device is in this tick, engaged or not; None if it does not say so."""
        sample = state.fresh
        is_posed = sample is not None and sample.position is not None
        return sample if is_posed and not self._feed.clutch else None

    def _axes(self, state: DeviceState) -> tuple[float, ...]:
        feed = self._feed
        values = dict(zip(self._names, state.axes, strict=True))
        return tuple(
            shape_axis(
                term.value(values, state.buttons),
                dead_zone=feed.dead_zone,
                exponent=feed.exponent,
                scale=feed.scale,
            )
            for term in self._terms
        )

    def _buttons(self, down: frozenset[str]) -> frozenset[str]:
        renamed = self._feed.buttons
        if not renamed:
            return down
        return frozenset(name for name, physical in renamed.items() if physical in down)

    def _pose(self, is_held: bool) -> RigidTransform | None:
        sample = self._gate.posed
        if not self._has_pose or sample is None or sample.position is None:
            return None
        device = RigidTransform(sample.position, sample.quaternion)
        if not self._feed.clutch:
            return device
        before = self._clutch or Clutch(device)
        self._clutch = apply_clutch(before, device, held=is_held, scale=self._feed.scale)
        return self._clutch.pose


def check_feed(feed: DeviceFeed, device: Device) -> None:
    """Raise UnknownName if a feed names axes or buttons that the device lacks."""
    axes, buttons = _used_names(feed)
    _check_names(f"axis of device {device.name!r} called", axes, device.axes)
    _check_names(f"button of device {device.name!r} called", buttons, device.buttons)


def _without_missing_axes(feed: DeviceFeed, device: Device) -> DeviceFeed:
    """Return a feed without the axes that a recording lacks; missing buttons are never pressed."""
    axes = [
        axis if not term.axis or term.axis in device.axes else ""
        for axis, term in zip(feed.axes, feed.terms, strict=True)
    ]
    return replace(feed, axes=tuple(axes))


def _check_names(kind: str, names: Iterable[str], axes: tuple[str, ...]) -> None:
    for name in names:
        if name not in axes:
            raise UnknownName(kind, name, axes)


def _used_names(feed: DeviceFeed) -> tuple[list[str], list[str]]:
    """Return the axes and the buttons that a feed names."""
    names = [term.axis for term in feed.terms if term.axis]
    keys = [name for term in feed.terms for name in (term.plus, term.minus) if name]
    return names, [*keys, *([feed.clutch] if feed.clutch else []), *feed.buttons.values()]


def _make_used_inputs(feed: DeviceFeed, device: Device, *, is_rate: bool) -> UsedInputs:
    """Return the inputs that a feed uses; only axes that are rates must come to rest."""
    axes, buttons = _used_names(feed)
    return UsedInputs(
        {device.axes.index(name): feed.dead_zone for name in axes} if is_rate else {},
        frozenset(buttons) if feed.buttons else None,
        feed.clutch,
    )


class LogicalDevice:
    """A logical device: of the channels that feed it, the first live one counts; see `_choose`."""

    def __init__(self, logical: Logical) -> None:
        self._logical = logical
        self._channels: dict[int, Channel] = {}  # of devices that are attached, by their rank
        self._chosen: Channel | None = None
        self._pushed: list[Channel] = []  # live ones, in the last tick
        self._zero_axes = (0.0,) * logical.n_axes
        self._last = Reading(self._zero_axes, live=False)

    def channels_of(self, device: Device, limits: DeviceLimits) -> dict[int, Channel]:
        """Return the channels by which a device will feed this one."""
        return {
            rank: Channel(feed, self._logical, device, limits=limits)
            for rank, feed in enumerate(self._logical.from_)
            if feed.device == device.name
        }

    def plug(self, channels: Mapping[int, Channel]) -> None:
        """Add channels."""
        self._channels = dict(sorted((self._channels | dict(channels)).items()))

    def unplug(self, device: str) -> None:
        """Remove the channels of a device."""
        self._channels = {
            rank: channel for rank, channel in self._channels.items() if channel.device != device
        }

    def update(self, states: Mapping[str, DeviceState]) -> Reading:
        """Return the reading of this tick."""
        live = {
            channel: reading
            for channel in self._channels.values()
            if (reading := channel.update(states[channel.device])) is not None
        }
        chosen = self._choose(live)
        reading = live.get(chosen) if chosen is not None else None
        if chosen is not self._chosen and self._logical.kind in RATE_KINDS and self._chosen in live:
            # Somebody goes on with another device: a tick at rest, and followers stay.
            reading = Reading(self._zero_axes)
        # Else followers must release for one tick: the device was lost, or the pose differs.
        elif reading is None or (chosen is not self._chosen and self._last.live):
            reading = last = self._last
            if last.live:
                reading = Reading(
                    self._zero_axes, NO_BUTTONS, last.position, last.quaternion, live=False
                )
            if self._logical.kind in VIEWING_KINDS:
                reading = self._look(reading, states)
        self._chosen, self._last = chosen, reading
        return reading

    def _choose(self, live: Mapping[Channel, Reading]) -> Channel | None:
        """Return the channel that counts: the first live one.

        Of rates, such as sticks and keys, one that is pushed from rest takes over from one that is
        at rest or comes later, so that a gamepad that lies on the table does not silence the keys.
        """
        before, self._pushed = self._pushed, [one for one in live if _is_pushed(live[one])]
        chosen, order = self._chosen, list(live)
        if self._logical.kind not in RATE_KINDS or chosen is None or chosen not in live:
            return next(iter(live), None)
        for one in self._pushed:
            is_earlier = order.index(one) < order.index(chosen)
            if one not in before and (is_earlier or chosen not in self._pushed):
                return one
        return chosen

    def _look(self, reading: Reading, states: Mapping[str, DeviceState]) -> Reading:
        """Return a reading that is not live with the pose of this tick, if a device gives one.

        What is only looked from need not be engaged: a picture that stands still after an occlusion
        until its viewer does, helps nobody. Whatever follows the device waits until it is live.
        """
        seen = (channel.seen(states[channel.device]) for channel in self._channels.values())
        sample = next((each for each in seen if each is not None), None)
        if sample is None:
            return reading
        return replace(reading, position=sample.position, quaternion=sample.quaternion)


def _is_pushed(reading: Reading) -> bool:
    """Return whether somebody uses a device; a hand that takes the place of a stick is used."""
    return any(reading.axes) or bool(reading.buttons) or reading.position is not None
