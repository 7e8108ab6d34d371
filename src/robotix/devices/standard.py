"""The standard devices, which mapping files can name without declaring them."""

from __future__ import annotations

from robotix.devices.controller import Controller
from robotix.devices.device import FedDevice
from robotix.devices.gamepad import JOYSTICK_LAYOUT, Gamepad
from robotix.devices.hand import TrackedHand
from robotix.devices.keyboard import Keyboard
from robotix.devices.space_mouse import SpaceMouse
from robotix.devices.tracked import Tracked

__all__ = ["make_standard_devices"]


def make_standard_devices() -> dict[str, FedDevice]:
    """Return one of each device that browsers can report, by name; silent until they do."""
    devices: list[FedDevice] = [
        Keyboard(),
        Tracked("mouse", kind="mouse", buttons=("left", "middle", "right")),
        Tracked("cursor", kind="cursor", buttons=("left",)),
        Gamepad(),
        Gamepad("joystick", layout=JOYSTICK_LAYOUT),
        SpaceMouse(),
        Controller("left_controller"),
        Controller("right_controller"),
        TrackedHand("left_tracked_hand"),
        TrackedHand("right_tracked_hand"),
        Tracked("headset", kind="headset"),
        Tracked("tracked_object"),
    ]
    return {device.name: device for device in devices}
