"""Kinds of logical devices: their axes, buttons and poses, whatever hardware serves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

__all__ = [
    "AXES",
    "BUTTONS",
    "DEFAULT_KINDS",
    "KEYBOARD",
    "POSED_KINDS",
    "DeviceKind",
    "has_axes",
    "has_pose",
]

KEYBOARD = "keyboard"  # the logical device whose buttons are keys

# The kinds of logical devices, independent of the hardware.
DeviceKind: TypeAlias = Literal[
    "translate3", "rotate3", "move6", "drive2", "pointer", "buttons", "hand", "head"
]

# The logical devices of the default mapping, which need no declaration in a scene.
DEFAULT_KINDS: Mapping[str, DeviceKind] = {
    "keyboard": "buttons",
    "stick": "translate3",
    "turner": "rotate3",
    "mover": "move6",
    "wheels": "drive2",
    "pad": "buttons",
    "right_glove": "hand",
    "left_glove": "hand",
    "cursor": "hand",
    "pointer": "pointer",
    "head": "head",
    "object": "hand",
    "spacemouse": "move6",  # as legacy scripts call them
    "joystick": "translate3",
    "flystick": "hand",
    "glove": "hand",
}

# The axes of each kind, in order.
AXES: Mapping[DeviceKind, tuple[str, ...]] = {
    "translate3": ("x", "y", "z"),  # forwards, left, up
    "rotate3": ("rx", "ry", "rz"),  # about these
    "move6": ("x", "y", "z", "rx", "ry", "rz"),
    "drive2": ("forwards", "left"),
    "pointer": (),
    "buttons": (),
    "hand": ("pinch", "grip"),  # 0 open, 1 closed
    "head": (),
}
# The buttons of each kind unless a mapping renames them; those of kind
# `buttons` keep the names that the hardware gives them.
BUTTONS: Mapping[DeviceKind, tuple[str, ...]] = {
    "translate3": ("a", "b"),
    "rotate3": ("a", "b"),
    "move6": ("a", "b"),
    "drive2": ("horn",),
    "pointer": ("select", "menu"),
    "hand": ("pinch", "grip"),
    "head": (),
}
POSED_KINDS = frozenset[DeviceKind](set(AXES) - {"drive2", "buttons"})  # have a pose


def has_axes(device: str, devices: Mapping[str, str]) -> bool:
    """Return whether a logical device has axes; True if its kind is unknown."""
    kind = "buttons" if device == KEYBOARD else devices.get(device, "")
    return any(AXES[each] for each in AXES if kind in (each, ""))


def has_pose(device: str, devices: Mapping[str, str]) -> bool:
    """Return whether a logical device has a pose; True if its kind is unknown."""
    return device != KEYBOARD and devices.get(device, "hand") in POSED_KINDS
