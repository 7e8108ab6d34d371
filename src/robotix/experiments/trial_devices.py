"""The device of a study: in its trials no other one leads the arm, drives the chair or grips.

Keys that do what the device itself does are taken out of the room. Others stay, since a stick has
no button for them: the choice of joints and of the control point, and the stop. Devices of other
names are noted with the trial, and everything counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from robotix.devices import DeviceMap, Logical
from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.events.events import Button
from robotix.scene.scene import Scene

__all__ = ["TRIAL_DEVICES", "is_dragged", "limit_devices", "limit_keys", "trial_device"]

# Devices of studies, and the physical ones that they stand for. The pad on a touch screen comes as
# a gamepad.
TRIAL_DEVICES: Mapping[str, frozenset[str]] = {
    "keyboard": frozenset({"keyboard"}),
    "joystick": frozenset({"joystick"}),
    "gamepad": frozenset({"gamepad"}),
    "spacemouse": frozenset({"space_mouse"}),
    "headset": frozenset({
        "headset", "left_controller", "right_controller",
        "left_tracked_hand", "right_tracked_hand",
    }),
    "touch": frozenset({"gamepad"}),
    "mouse": frozenset({"cursor", "mouse"}),
}  # fmt: skip
OTHER_NAMES: Mapping[str, str] = {
    "controller": "headset", "controllers": "headset", "vr": "headset", "quest3": "headset",
    "space_mouse": "spacemouse", "tablet": "touch",
}  # fmt: skip
DRIVING = ("stick", "turner", "mover", "wheels", "pad", "cursor")  # logical devices
KEYS_OF_BUTTONS: Mapping[str, frozenset[str]] = {  # what buttons of a device do
    "joystick": frozenset("GC12"),
    "gamepad": frozenset("GC12"),
    "spacemouse": frozenset("GC"),
}


def trial_device(level: str) -> str:
    """Return the device that a level of the factor `device` means; empty if it is not known."""
    name = level.lower()
    name = OTHER_NAMES.get(name, name)
    return name if name in TRIAL_DEVICES else ""


def limit_devices(device_map: DeviceMap, level: str) -> DeviceMap:
    """Return the mapping without the other devices; as it is if the device is not known."""
    device = trial_device(level)
    if not device:
        return device_map
    logical = {
        name: _limited(each, TRIAL_DEVICES[device]) if name in DRIVING else each
        for name, each in device_map.logical.items()
    }
    return replace(device_map, logical=logical)


def _limited(logical: Logical, physical: frozenset[str]) -> Logical:
    return Logical(logical.kind, tuple(f for f in logical.from_ if f.device in physical))


def limit_keys(scene: Scene, level: str) -> None:
    """Remove the rules of keys that do what buttons of the device do."""
    keys = KEYS_OF_BUTTONS.get(trial_device(level), frozenset())
    for rule in list(scene.rules):
        source = rule.source
        if isinstance(source, Button) and source.device == KEYBOARD and source.button in keys:
            scene.off(rule)


def is_dragged(level: str) -> bool:
    """Return whether the arm may be dragged by the mouse, or by a finger."""
    return trial_device(level) in ("", "mouse", "touch")
