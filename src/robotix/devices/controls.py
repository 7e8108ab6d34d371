"""All devices: polls the physical ones and returns readings of the logical ones."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Iterable

from robotix.devices.channel import LogicalDevice
from robotix.devices.device import Device
from robotix.devices.mapping import DeviceMap
from robotix.devices.watchdog import DeviceState, Watchdog
from robotix.errors import UnknownName
from robotix.files.closing import Closing
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Reading

__all__ = ["Controls"]

LOG = logging.getLogger(__name__)
MAX_PROBLEMS = 256  # the latest


class Controls(Closing):
    """Reads devices and returns the readings of logical devices; faulty devices never raise.

    `problems` lists their faults, each fault of each device once.
    """

    def __init__(self, device_map: DeviceMap, devices: Iterable[Device] = ()) -> None:
        self.problems: deque[Problem] = deque(maxlen=MAX_PROBLEMS)
        self._map = device_map
        self._devices: dict[str, tuple[Device, Watchdog]] = {}
        self._logical = {name: LogicalDevice(entry) for name, entry in device_map.logical.items()}
        for device in devices:
            self.attach(device)

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the physical devices that are attached."""
        return tuple(self._devices)

    @property
    def device_map(self) -> DeviceMap:
        """Which physical devices serve the logical ones."""
        return self._map

    def attach(self, device: Device) -> None:
        """Add a physical device; what it feeds is live once it has been engaged."""
        if device.name in self._devices:
            raise ValueError(f"a device {device.name!r} is attached already; detach it first")
        limits = self._map.trust_in(device.name)
        plans = [
            (logical, logical.channels_of(device, limits)) for logical in self._logical.values()
        ]
        for logical, channels in plans:  # all names have been checked
            logical.plug(channels)
        self._devices[device.name] = device, Watchdog(device, limits)

    def detach(self, name: str) -> None:
        """Remove a physical device and close it; what it fed is dead at once."""
        if name not in self._devices:
            raise UnknownName("attached device", name, self._devices)
        device, _ = self._devices.pop(name)
        for logical in self._logical.values():
            logical.unplug(name)
        try:
            device.close()
        except Exception as error:  # it is removed anyway
            self._report(name, f"could not be closed: {type(error).__name__}: {error}")

    def close(self) -> None:
        """Detach all devices."""
        for name in self.devices:
            self.detach(name)

    def read(self, now: float) -> dict[str, Reading]:
        """Poll every device, and return the reading of every logical one.

        `now` (s) is the present time of a monotonic clock.
        """
        if not math.isfinite(now):
            raise ValueError(f"now must be a time, got {now}")
        states = {name: self._poll(name, now) for name in self.devices}
        return {name: logical.update(states) for name, logical in self._logical.items()}

    def _poll(self, name: str, now: float) -> DeviceState:
        device, watchdog = self._devices[name]
        try:
            sample = device.read(now)
        except Exception as error:  # one device must not stop the others
            self._report(name, f"was dropped: {type(error).__name__}: {error}")
            self.detach(name)
            return watchdog.update(None, now)
        n_faults = len(watchdog.faults)
        state = watchdog.update(sample, now)
        if len(watchdog.faults) > n_faults:  # the first of its kind; repetitions are only counted
            self._report(name, list(watchdog.faults)[-1])
        return state

    def _report(self, who: str, what: str) -> None:
        self.problems.append(Problem(who, what))
        LOG.warning("device %s %s", who, what)
