"""The protocol of physical devices."""

from __future__ import annotations

from typing import Protocol

from robotix.devices.message import DeviceMessage
from robotix.devices.sample import Sample

__all__ = ["Device", "FedDevice"]


class Device(Protocol):
    """A source of samples.

    `axes` and `buttons` name all it has; its samples hold one value an axis, in that order.
    """

    @property
    def name(self) -> str:
        """Its name in mapping files, such as `gamepad`."""

    @property
    def kind(self) -> str:
        """The sort of device, for display."""

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of its axes."""

    @property
    def buttons(self) -> tuple[str, ...]:
        """Names of its buttons."""

    def read(self, now: float) -> Sample | None:
        """Return the latest sample without waiting; None when there is no new one.

        `now` (s) is the time of the caller's clock, on which the sample is stamped. Whoever is
        silent for long is taken to be gone: a device at rest says so again and again.
        """

    def close(self) -> None:
        """Release the hardware; later reads return None. May be called twice."""


class FedDevice(Device, Protocol):
    """A device fed by messages, such as those of a browser."""

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed. Thread-safe."""
