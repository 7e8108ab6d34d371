"""Names of keys as rules use them, independent of the keyboard."""

from __future__ import annotations

import string
from collections.abc import Mapping

__all__ = ["KEYS", "KEY_NAMES"]

# Names of keys whose `code` in a KeyboardEvent differs.
KEY_NAMES: Mapping[str, str] = {
    **{f"Arrow{side}": side for side in ("Left", "Right", "Up", "Down")},
    **{f"Digit{digit}": digit for digit in string.digits},
    **{f"Key{letter}": letter for letter in string.ascii_uppercase},
    **{f"{key}Left": key for key in ("Shift", "Control", "Alt", "Meta")},
    **{f"{key}Right": key for key in ("Shift", "Control", "Alt", "Meta")},
}
OTHER_KEYS = (
    *("Space", "Enter", "Escape", "Tab", "Backspace", "Delete", "Insert", "Home", "End"),
    *("PageUp", "PageDown", "Minus", "Equal", "Comma", "Period", "Slash", "Semicolon", "Quote"),
    *("BracketLeft", "BracketRight", "Backslash", "Backquote", "CapsLock"),
    *(f"F{number}" for number in range(1, 13)),
    *(f"Numpad{digit}" for digit in string.digits),
    *("NumpadAdd", "NumpadSubtract", "NumpadMultiply", "NumpadDivide"),
    *("NumpadDecimal", "NumpadEnter"),
)
KEYS = tuple(dict.fromkeys((*KEY_NAMES.values(), *OTHER_KEYS)))
