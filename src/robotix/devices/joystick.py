"""A local joystick through the Linux joystick interface (/dev/input/js0)."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from robotix.devices.gamepad import JOYSTICK_LAYOUT, Layout
from robotix.devices.sample import Sample

__all__ = ["LinuxJoystick"]

EVENT_FORMAT = struct.Struct("<IhBB")  # time in ms, value, type, number
BUTTON_EVENT, AXIS_EVENT, INITIAL_EVENT = 0x01, 0x02, 0x80
FULL_SCALE = 32767.0
MAX_EVENTS = 256  # per call of read


class LinuxJoystick:
    """A joystick of the Linux kernel.

    The kernel reports changes, and reading fails after the device is unplugged. A readable device
    is therefore alive, and its samples have the time of reading.
    """

    kind = "joystick"

    def __init__(
        self, path: str | Path, *, name: str = "joystick", layout: Layout = JOYSTICK_LAYOUT
    ) -> None:
        self.name = name
        self.axes = layout.axes
        self.buttons = layout.buttons
        self._values = [0.0] * len(layout.axes)
        self._down: set[str] = set()
        self._rest = b""  # the first bytes of an incomplete event
        self._file: int | None = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self, now: float) -> Sample | None:
        """Process pending events and return the present state; None when it is unplugged."""
        clicked = set[str]()
        data = self._rest + self._pending()
        whole = len(data) // EVENT_FORMAT.size * EVENT_FORMAT.size
        self._rest = data[whole:]
        for _, value, kind, number in EVENT_FORMAT.iter_unpack(data[:whole]):
            if kind & ~INITIAL_EVENT == AXIS_EVENT and number < len(self.axes):
                self._values[number] = max(-1.0, value / FULL_SCALE)
            elif kind & ~INITIAL_EVENT == BUTTON_EVENT and number < len(self.buttons):
                button = self.buttons[number]
                (self._down.add if value else self._down.discard)(button)
                clicked |= {button} if value else set()
        if self._file is None:
            return None
        return Sample(now, tuple(self._values), frozenset(self._down | clicked))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _pending(self) -> bytes:
        if self._file is None:
            return b""
        try:
            data = os.read(self._file, EVENT_FORMAT.size * MAX_EVENTS)
        except BlockingIOError:
            return b""  # nothing changed
        except OSError:
            data = b""  # unplugged
        if not data:
            self.close()
        return data
