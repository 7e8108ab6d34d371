"""The protocol of physical devices."""

from __future__ import annotations

from typing import Protocol

from robotix.devices.message import DeviceMessage
from robotix.devices.sample import Sample

__all__ = ["Device", "FedDevice"]


class Device(Protocol):
    """A source of samples.

    `axes` and `buttons` are all its names; samples have one value per axis, in that order.
    """

    @property
    def name(self) -> str:
        """Its name in mapping files, such as `gamepad`."""

    @property
    def kind(self) -> str:
        """The kind of device, for display."""

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of its axes."""

    @property
    def buttons(self) -> tuple[str, ...]:
        """Names of its buttons."""

    def read(self, now: float) -> Sample | None:
        """Return the latest sample without waiting; None when there is no new one.

        `now` (s) is the time of the caller's clock, used for the time stamp of the sample. A silent
        device is treated as disconnected, so a device at rest must repeat its samples.
        """

    def close(self) -> None:
        """Release the hardware; later reads return None. May be called twice."""


class FedDevice(Device, Protocol):
    """A device fed by messages, such as those of a browser."""

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed. Thread-safe."""
