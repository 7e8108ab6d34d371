"""The keyboard of a browser: keys are its buttons."""

from __future__ import annotations

import string

from robotix.devices.message import DeviceMessage, text
from robotix.devices.sample import Mailbox, Sample
from robotix.inputs.keys import KEY_NAMES, KEYS

__all__ = ["KEYS", "Keyboard", "key_name"]

MAX_CODE_LENGTH = 32  # characters; no `code` of a KeyboardEvent is longer
_KNOWN = frozenset(KEYS)


def key_name(code: str, key: str = "") -> str:
    """Return our name of a key, from `code` and `key` of a KeyboardEvent; empty when unknown.

    Letters are named by their label in the keyboard layout, other keys by their physical position,
    which does not depend on Shift.
    """
    if len(key) == 1 and key.upper() in string.ascii_uppercase:
        return key.upper()
    name = KEY_NAMES.get(code, code)
    return name if name in _KNOWN else ""


class Keyboard:
    """A keyboard, fed by messages.

    `{"type": "down" | "up", "code": …, "key": …}` for a key, `{"type": "state", "down": [codes]}`
    several times per second as a sign of life, `{"type": "blur"}` when the page loses the focus.
    """

    kind = "keyboard"

    def __init__(self, name: str = "keyboard") -> None:
        self.name = name
        self.axes: tuple[str, ...] = ()
        self.buttons = KEYS
        self._down: dict[str, str] = {}  # names of the keys that are down, by their codes
        self._mail = Mailbox()

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed."""
        match kind := text(message, "type"):
            case "down":
                code = _checked(text(message, "code"))
                if code in self._down or len(self._down) < len(KEYS):  # more have no keyboard
                    self._down[code] = key_name(code, text(message, "key"))
            case "up":
                self._down.pop(text(message, "code"), None)
            case "state":
                codes = _codes(message)
                self._down = {code: self._down.get(code) or key_name(code) for code in codes}
            case "blur":
                self._down = {}
            case _:
                raise ValueError(f"type must be down, up, state or blur, got {kind!r}")
        names = frozenset(name for name in self._down.values() if name)
        self._mail.put(Sample(now, buttons=names))

    def read(self, now: float) -> Sample | None:
        """Return the latest sample; None when there is no new one."""
        return self._mail.pop()

    def close(self) -> None:
        """Discard later messages."""
        self._mail.close()


def _codes(message: DeviceMessage) -> list[str]:
    codes = message.get("down")
    if not isinstance(codes, list | tuple) or len(codes) > len(KEYS):
        raise ValueError("down must be a list of the codes of keys")
    if not all(isinstance(code, str) for code in codes):
        raise ValueError("down must be a list of the codes of keys, all texts")
    return [_checked(code) for code in codes]


def _checked(code: str) -> str:
    if len(code) > MAX_CODE_LENGTH:
        raise ValueError(f"the code of a key has at most {MAX_CODE_LENGTH} characters")
    return code
