"""All devices together: physical samples in, readings of logical devices out."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Iterable
from types import TracebackType

from robotix.devices.channel import LogicalDevice
from robotix.devices.device import Device
from robotix.devices.mapping import DeviceMap
from robotix.devices.watchdog import DeviceState, Watchdog
from robotix.errors import UnknownName
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Reading

__all__ = ["Controls"]

LOG = logging.getLogger(__name__)
MOST_PROBLEMS = 256  # kept; older ones have been read or never will be


class Controls:
    """Reads devices and says what they mean; whatever they do, it does not raise.

    `problems` lists what was wrong with them, each fault of each device once.
    """

    def __init__(self, device_map: DeviceMap, devices: Iterable[Device] = ()) -> None:
        self.problems: deque[Problem] = deque(maxlen=MOST_PROBLEMS)
        self._map = device_map
        self._devices: dict[str, tuple[Device, Watchdog]] = {}
        self._logical = {name: LogicalDevice(entry) for name, entry in device_map.logical.items()}
        for device in devices:
            self.attach(device)

    def __enter__(self) -> Controls:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the physical devices that are attached."""
        return tuple(self._devices)

    def attach(self, device: Device) -> None:
        """Add a physical device; what it feeds is live after its first deliberate use."""
        if device.name in self._devices:
            raise ValueError(f"a device {device.name!r} is attached already; detach it first")
        trust = self._map.trust_in(device.name)
        plans = [(switch, switch.channels_of(device, trust)) for switch in self._logical.values()]
        for switch, channels in plans:  # by now every name has been checked
            switch.plug(channels)
        self._devices[device.name] = device, Watchdog(device, trust)

    def detach(self, name: str) -> None:
        """Remove a physical device and close it; what it fed is dead at once."""
        if name not in self._devices:
            raise UnknownName("attached device", name, self._devices)
        device, _ = self._devices.pop(name)
        for switch in self._logical.values():
            switch.unplug(name)
        try:
            device.close()
        except Exception as error:  # it is gone anyway
            self._report(name, f"could not be closed: {type(error).__name__}: {error}")

    def close(self) -> None:
        """Detach all devices."""
        for name in self.devices:
            self.detach(name)

    def read(self, now: float) -> dict[str, Reading]:
        """Ask every device, and return the reading of every logical one.

        `now` (s) is the present time of a clock that never goes back.
        """
        if not math.isfinite(now):
            raise ValueError(f"now must be a time, got {now}")
        sights = {name: self._look(name, now) for name in self.devices}
        return {name: switch.look(sights) for name, switch in self._logical.items()}

    def _look(self, name: str, now: float) -> DeviceState:
        device, watchdog = self._devices[name]
        try:
            sample = device.read(now)
        except Exception as error:  # whatever one device does, the others go on
            self._report(name, f"was dropped: {type(error).__name__}: {error}")
            self.detach(name)
            return watchdog.look(None, now)
        known = len(watchdog.faults)
        sight = watchdog.look(sample, now)
        if len(watchdog.faults) > known:  # a new one; it is counted from now on
            self._report(name, list(watchdog.faults)[-1])
        return sight

    def _report(self, who: str, what: str) -> None:
        self.problems.append(Problem(who, what))
        LOG.warning("device %s %s", who, what)
