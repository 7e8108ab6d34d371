"""From what a physical device does to what a logical one means: remapped, shaped, clutched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from robotix.devices.device import Device
from robotix.devices.engage_gate import EngageGate, UsedInputs
from robotix.devices.mapping import RATES, DeviceFeed, Logical
from robotix.devices.recording import Replay
from robotix.devices.rigid_transform import RigidTransform
from robotix.devices.sample import NOTHING
from robotix.devices.shaping import Clutch, clutched, shaped
from robotix.devices.watchdog import DeviceLimits, DeviceState
from robotix.errors import UnknownName
from robotix.scene.events.devices import POSED
from robotix.scene.events.inputs import Reading

__all__ = ["Channel", "LogicalDevice", "check_feed"]


class Channel:
    """One feed of a logical device."""

    def __init__(
        self, feed: DeviceFeed, logical: Logical, device: Device, *, trust: DeviceLimits
    ) -> None:
        if isinstance(device, Replay):
            feed = _as_recorded(feed, device)
        else:
            check_feed(feed, device)
        self.device = device.name
        self._feed = feed
        self._terms = feed.terms
        self._names = device.axes
        self._n_axes = logical.n_axes
        self._has_pose = logical.kind in POSED
        self._grip = EngageGate(_use(feed, device, is_rate=logical.kind in RATES), trust)
        self._clutch: Clutch | None = None

    def look(self, sight: DeviceState) -> Reading | None:
        """Return what the device means now; None when it is not live."""
        if not self._grip.look(sight):
            self._clutch = self._clutch and Clutch(self._clutch.given)
            return None
        is_held = not self._feed.clutch or self._feed.clutch in sight.buttons
        placed = self._placed(is_held)
        return Reading(
            self._axes(sight) if is_held and self._terms else (0.0,) * self._n_axes,
            self._buttons(sight.buttons),
            placed.position if placed else None,
            placed.quaternion if placed else RigidTransform().quaternion,
        )

    def _axes(self, sight: DeviceState) -> tuple[float, ...]:
        feed = self._feed
        values = dict(zip(self._names, sight.axes, strict=True))
        return tuple(
            shaped(
                term.value(values, sight.buttons),
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

    def _placed(self, is_held: bool) -> RigidTransform | None:
        sample = self._grip.placed
        if not self._has_pose or sample is None or sample.position is None:
            return None
        device = RigidTransform(sample.position, sample.quaternion)
        if not self._feed.clutch:
            return device
        before = self._clutch or Clutch(device)
        self._clutch = clutched(before, device, held=is_held, scale=self._feed.scale)
        return self._clutch.given


def check_feed(feed: DeviceFeed, device: Device) -> None:
    """Refuse a feed that names axes or buttons which the device does not have."""
    axes, buttons = _used(feed)
    _check_names(f"axis of device {device.name!r} called", axes, device.axes)
    _check_names(f"button of device {device.name!r} called", buttons, device.buttons)


def _as_recorded(feed: DeviceFeed, device: Device) -> DeviceFeed:
    """Return a feed without the axes that a recording has not got; such buttons are never down."""
    known = [
        axis if not term.axis or term.axis in device.axes else ""
        for axis, term in zip(feed.axes, feed.terms, strict=True)
    ]
    return replace(feed, axes=tuple(known))


def _check_names(kind: str, names: Iterable[str], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, known)


def _used(feed: DeviceFeed) -> tuple[list[str], list[str]]:
    """Return the axes and the buttons that a feed names."""
    names = [term.axis for term in feed.terms if term.axis]
    keys = [name for term in feed.terms for name in (term.plus, term.minus) if name]
    return names, [*keys, *([feed.clutch] if feed.clutch else []), *feed.buttons.values()]


def _use(feed: DeviceFeed, device: Device, *, is_rate: bool) -> UsedInputs:
    """Return what a feed uses of a device; axes that are no rates need not come to rest."""
    axes, buttons = _used(feed)
    return UsedInputs(
        {device.axes.index(name): feed.dead_zone for name in axes} if is_rate else {},
        frozenset(buttons) if feed.buttons else None,
        feed.clutch,
    )


class LogicalDevice:
    """A logical device: of the channels that feed it, the first live one counts."""

    def __init__(self, logical: Logical) -> None:
        self._logical = logical
        self._channels: dict[int, Channel] = {}  # of devices that are attached, by their rank
        self._chosen: Channel | None = None
        self._rest = (0.0,) * logical.n_axes
        self._last = Reading(self._rest, live=False)

    def channels_of(self, device: Device, trust: DeviceLimits) -> dict[int, Channel]:
        """Return the channels by which a device will feed this one."""
        return {
            rank: Channel(feed, self._logical, device, trust=trust)
            for rank, feed in enumerate(self._logical.from_)
            if feed.device == device.name
        }

    def plug(self, channels: Mapping[int, Channel]) -> None:
        """Use these channels too."""
        self._channels = dict(sorted((self._channels | dict(channels)).items()))

    def unplug(self, device: str) -> None:
        """Go on without a device."""
        self._channels = {
            rank: channel for rank, channel in self._channels.items() if channel.device != device
        }

    def look(self, sights: Mapping[str, DeviceState]) -> Reading:
        """Return the reading of this tick."""
        looks = [(one, one.look(sights[one.device])) for one in self._channels.values()]
        live = ((channel, reading) for channel, reading in looks if reading is not None)
        chosen, reading = next(live, (None, None))
        # Whoever follows must let go for a tick before another device may lead: it is elsewhere.
        if reading is None or (chosen is not self._chosen and self._last.live):
            reading = last = self._last
            if last.live:
                reading = Reading(self._rest, NOTHING, last.position, last.quaternion, live=False)
        self._chosen, self._last = chosen, reading
        return reading
