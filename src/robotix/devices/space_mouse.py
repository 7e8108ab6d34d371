"""The SpaceMouse: six axes and some buttons, from the bytes of its HID reports."""

from __future__ import annotations

import struct

from robotix.devices.message import DeviceMessage
from robotix.devices.sample import Mailbox, Sample

__all__ = ["SpaceMouse"]

FULL_SCALE = 350.0  # value that the models report at full deflection
TRANSLATION_REPORT, ROTATION_REPORT, BUTTONS_REPORT = 1, 2, 3  # report numbers
MAX_REPORT_BYTES = 64  # bytes, of a full-speed USB device


class SpaceMouse:
    """A SpaceMouse, fed by messages `{"report": number, "data": [bytes]}`.

    Report 1 is translation, and in newer models also rotation; 2 is rotation, 3 the buttons; others
    (battery, lights) are ignored. At rest the device is silent, so the browser sends
    `{"alive": true}` in between. Axes of the manufacturer: x right, y towards the user, z down, and
    rotations about these.
    """

    kind = "space mouse"

    def __init__(self, name: str = "space_mouse", *, full_scale: float = FULL_SCALE) -> None:
        self.name = name
        self.axes = ("x", "y", "z", "rx", "ry", "rz")
        self.buttons = tuple(f"button_{number}" for number in range(1, 33))
        self._full_scale = full_scale
        self._shift = self._turn = (0.0, 0.0, 0.0)
        self._down = frozenset[str]()
        self._mail = Mailbox()

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed."""
        if message.get("alive") is True or self._parse(message):
            self._mail.put(Sample(now, self._shift + self._turn, self._down))

    def read(self, now: float) -> Sample | None:
        """Return the latest sample; None when there is no new one."""
        return self._mail.pop()

    def close(self) -> None:
        """Discard later messages."""
        self._mail.close()

    def _parse(self, message: DeviceMessage) -> bool:
        """Process a report; return whether its number is known."""
        report, data = message.get("report"), _data(message)
        if isinstance(report, bool) or not isinstance(report, int):
            raise ValueError(f"report must be the number of a report, got {report!r}")
        if report == TRANSLATION_REPORT:
            shift = self._triple(data)
            self._turn = self._triple(data[6:]) if len(data) >= 12 else self._turn
            self._shift = shift
        elif report == ROTATION_REPORT:
            self._turn = self._triple(data)
        elif report == BUTTONS_REPORT:
            bits = int.from_bytes(data[:4], "little")
            self._down = frozenset(
                name for number, name in enumerate(self.buttons) if bits >> number & 1
            )
        return report in (TRANSLATION_REPORT, ROTATION_REPORT, BUTTONS_REPORT)

    def _triple(self, data: bytes) -> tuple[float, float, float]:
        if len(data) < 6:
            raise ValueError(f"a report of three axes must have 6 bytes, got {len(data)}")
        x, y, z = struct.unpack_from("<hhh", data)
        return x / self._full_scale, y / self._full_scale, z / self._full_scale


def _data(message: DeviceMessage) -> bytes:
    data = message.get("data")
    if isinstance(data, list | tuple) and all(
        type(value) is int and 0 <= value < 256 for value in data
    ):
        data = bytes(data)
    if not isinstance(data, bytes) or not 1 <= len(data) <= MAX_REPORT_BYTES:
        raise ValueError(f"data must be the 1 to {MAX_REPORT_BYTES} bytes of a report")
    return data
