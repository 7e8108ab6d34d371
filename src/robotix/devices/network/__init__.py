"""Devices on other machines: Open Sound Control (OSC) and the VR Peripheral Network (VRPN)."""

from robotix.devices.network.osc_device import OscDevice
from robotix.devices.network.source import NetworkSource, open_network_devices
from robotix.devices.network.vrpn_device import VrpnDevice

__all__ = ["NetworkSource", "OscDevice", "VrpnDevice", "open_network_devices"]
