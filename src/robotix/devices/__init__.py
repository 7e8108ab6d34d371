"""Devices: from samples of physical devices to readings of the logical devices of scenes."""

from robotix.devices.controller import Controller
from robotix.devices.controls import Controls
from robotix.devices.device import Device, FedDevice
from robotix.devices.gamepad import JOYSTICK_LAYOUT, STANDARD_LAYOUT, Gamepad, Layout
from robotix.devices.hand import TrackedHand
from robotix.devices.joystick import LinuxJoystick
from robotix.devices.keyboard import Keyboard
from robotix.devices.mapping import DeviceFeed, DeviceMap, Logical, fit_to_scene
from robotix.devices.mapping_file import default_device_map, load_device_map
from robotix.devices.program import Program
from robotix.devices.recording import Replay, SampleLog, load_samples, record_samples
from robotix.devices.sample import Sample
from robotix.devices.space_mouse import SpaceMouse
from robotix.devices.standard import make_standard_devices
from robotix.devices.tracked import Tracked
from robotix.devices.watchdog import DeviceLimits, Watchdog

__all__ = [
    "JOYSTICK_LAYOUT",
    "STANDARD_LAYOUT",
    "Controller",
    "Controls",
    "Device",
    "DeviceFeed",
    "DeviceLimits",
    "DeviceMap",
    "FedDevice",
    "Gamepad",
    "Keyboard",
    "Layout",
    "LinuxJoystick",
    "Logical",
    "Program",
    "Replay",
    "Sample",
    "SampleLog",
    "SpaceMouse",
    "Tracked",
    "TrackedHand",
    "Watchdog",
    "default_device_map",
    "fit_to_scene",
    "load_device_map",
    "load_samples",
    "make_standard_devices",
    "record_samples",
]
