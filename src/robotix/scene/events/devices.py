"""Logical devices: the kinds there are, their axes and buttons, and the names of keys.

The names are those that rules use, whatever hardware reports them.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Literal, TypeAlias

__all__ = [
    "AXES", "BUTTONS", "KEYBOARD", "KEYS", "POSED", "RENAMED_KEYS", "DeviceKind", "has_axes",
    "has_pose",
]  # fmt: skip

KEYBOARD = "keyboard"  # the logical device whose buttons are keys

# What a logical device is used for, whatever hardware serves it.
DeviceKind: TypeAlias = Literal[
    "translate3", "rotate3", "move6", "drive2", "pointer", "buttons", "hand", "head"
]
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
# The default names of the buttons of each kind; those of kind `buttons` keep the names that the
# hardware gives them.
BUTTONS: Mapping[DeviceKind, tuple[str, ...]] = {
    "translate3": ("a", "b"),
    "rotate3": ("a", "b"),
    "move6": ("a", "b"),
    "drive2": ("horn",),
    "pointer": ("select", "menu"),
    "hand": ("pinch", "grip"),
    "head": (),
}
POSED = frozenset[DeviceKind](set(AXES) - {"drive2", "buttons"})  # kinds with a pose


def has_axes(device: str, devices: Mapping[str, str]) -> bool:
    """Return whether a logical device may have axes."""
    kind = "buttons" if device == KEYBOARD else devices.get(device, "")
    return any(AXES[each] for each in AXES if kind in (each, ""))


def has_pose(device: str, devices: Mapping[str, str]) -> bool:
    """Return whether a logical device may have a pose."""
    return device != KEYBOARD and devices.get(device, "hand") in POSED


# Key names that differ from the `code` of a browser's KeyboardEvent.
RENAMED_KEYS: Mapping[str, str] = {
    **{f"Arrow{side}": side for side in ("Left", "Right", "Up", "Down")},
    **{f"Digit{digit}": digit for digit in string.digits},
    **{f"Key{letter}": letter for letter in string.ascii_uppercase},
    **{f"{key}Left": key for key in ("Shift", "Control", "Alt", "Meta")},
    **{f"{key}Right": key for key in ("Shift", "Control", "Alt", "Meta")},
}
PLAIN_KEYS = (
    *("Space", "Enter", "Escape", "Tab", "Backspace", "Delete", "Insert", "Home", "End"),
    *("PageUp", "PageDown", "Minus", "Equal", "Comma", "Period", "Slash", "Semicolon", "Quote"),
    *("BracketLeft", "BracketRight", "Backslash", "Backquote", "CapsLock"),
    *(f"F{number}" for number in range(1, 13)),
    *(f"Numpad{digit}" for digit in string.digits),
    *("NumpadAdd", "NumpadSubtract", "NumpadMultiply", "NumpadDivide"),
    *("NumpadDecimal", "NumpadEnter"),
)
KEYS = tuple(dict.fromkeys((*RENAMED_KEYS.values(), *PLAIN_KEYS)))
