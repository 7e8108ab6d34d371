"""What a physical device must offer: five facts and a way to ask it."""

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
        """What mapping files call this one, such as `gamepad`."""

    @property
    def kind(self) -> str:
        """What sort of device it is, for people."""

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of its axes."""

    @property
    def buttons(self) -> tuple[str, ...]:
        """Names of its buttons."""

    def read(self, now: float) -> Sample | None:
        """Return what is new, never waiting for it; None when nothing is.

        `now` (s) is the time of the caller's clock, on which the sample is stamped. Whoever is
        silent for long is taken to be gone: a device at rest says so again and again.
        """

    def close(self) -> None:
        """Let go of the hardware; from then on nothing is new. May be called twice."""


class FedDevice(Device, Protocol):
    """A device fed by messages, such as those of a browser."""

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Take in a message; ValueError when it makes no sense. May be called by another thread."""
