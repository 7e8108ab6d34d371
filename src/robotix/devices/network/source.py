"""Devices on other machines, as mapping files name them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robotix.devices.device import Device
from robotix.devices.network.osc_device import OscDevice
from robotix.devices.network.vrpn_device import PORT, VrpnDevice
from robotix.errors import BadField

__all__ = ["NetworkSource", "open_network_devices"]

MAX_PORT = 65_535


@dataclass(frozen=True)
class NetworkSource:
    """A device on another machine: either `osc`, a UDP port, or `vrpn`, `name@host[:port]`.

    `axes` and `buttons` are its names for them, in its order. OSC listens at the address `listen`
    of this machine, and hears only `sender` (an IP address) if that is given. The pose of a VRPN
    tracker is that of the sensor with the number `sensor`.
    """

    osc: int = 0
    vrpn: str = ""
    axes: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()
    listen: str = "127.0.0.1"
    sender: str = ""
    sensor: int = 0

    def __post_init__(self) -> None:
        if bool(self.osc) == bool(self.vrpn):
            raise BadField("osc", "a port, or a name for `vrpn`, but not both", self.osc)
        if not 0 <= self.osc <= MAX_PORT:
            raise BadField("osc", f"a port from 1 to {MAX_PORT}", self.osc)
        if self.vrpn:
            self.remote  # noqa: B018 - raises if it is malformed

    @property
    def remote(self) -> tuple[str, str, int]:
        """Name, host and port of a VRPN device."""
        name, _, address = self.vrpn.partition("@")
        host, _, port = address.partition(":")
        if not (name and host) or (port and not (port.isdecimal() and 0 < int(port) <= MAX_PORT)):
            raise BadField("vrpn", "name@host or name@host:port", self.vrpn)
        return name, host, int(port or PORT)

    def open(self, name: str) -> Device:
        """Return the device; a VRPN server is connected to in the background."""
        if self.osc:
            return OscDevice(
                name, port=self.osc, axes=self.axes, buttons=self.buttons, host=self.listen,
                sender=self.sender,
            )  # fmt: skip
        remote, host, port = self.remote
        return VrpnDevice(
            name, remote=remote, host=host, port=port, sensor=self.sensor, axes=self.axes,
            buttons=self.buttons,
        )  # fmt: skip


def open_network_devices(sources: Mapping[str, NetworkSource]) -> list[Device]:
    """Return the devices of a mapping that are on other machines; close them after use."""
    devices: list[Device] = []
    try:
        for name, source in sources.items():
            devices.append(source.open(name))
    except ValueError:
        for device in devices:
            device.close()
        raise
    return devices
