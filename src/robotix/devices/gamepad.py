"""Gamepads and joysticks, as browsers report them (W3C Gamepad)."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.devices.message import DeviceMessage, numbers
from robotix.devices.sample import Mailbox, Sample

__all__ = ["JOYSTICK_LAYOUT", "STANDARD_LAYOUT", "Gamepad", "Layout"]

PRESS_THRESHOLD = 0.5  # of an analogue button


@dataclass(frozen=True)
class Layout:
    """Names of the axes and buttons of a kind of device, in the order of its messages.

    `triggers` are analogue buttons that are also axes, from 0 to 1, after the other axes.
    """

    axes: tuple[str, ...]
    buttons: tuple[str, ...]
    triggers: tuple[str, ...] = ()


# The "standard" mapping. Sticks: right and down are positive.
STANDARD_LAYOUT = Layout(
    ("left_x", "left_y", "right_x", "right_y"),
    (
        *("a", "b", "x", "y", "left_bumper", "right_bumper", "left_trigger", "right_trigger"),
        *("back", "start", "left_stick", "right_stick", "up", "down", "left", "right", "home"),
    ),
    ("left_trigger", "right_trigger"),
)
# The usual order of a stick with twist, and a throttle that keeps its position.
JOYSTICK_LAYOUT = Layout(
    ("x", "y", "twist", "throttle", "hat_x", "hat_y"),
    ("trigger", *(f"button_{number}" for number in range(2, 17))),
)


class Gamepad:
    """A gamepad or joystick, fed by messages `{"axes": [...], "buttons": [0..1, ...]}`.

    Axes and buttons that the device lacks are at rest; those that the layout does not name
    are dropped.
    """

    def __init__(self, name: str = "gamepad", *, layout: Layout = STANDARD_LAYOUT) -> None:
        self.name = name
        self.kind = "gamepad" if layout is STANDARD_LAYOUT else "joystick"
        self.axes = (*layout.axes, *layout.triggers)
        self.buttons = layout.buttons
        self._layout = layout
        self._mail = Mailbox()

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed."""
        axes = numbers(message, "axes", least=1)
        values = dict(zip(self.buttons, numbers(message, "buttons"), strict=False))
        stick = (*axes, *(0.0,) * len(self._layout.axes))[: len(self._layout.axes)]
        triggers = tuple(values.get(name, 0.0) for name in self._layout.triggers)
        down = frozenset(name for name, value in values.items() if value > PRESS_THRESHOLD)
        self._mail.put(Sample(now, stick + triggers, down))

    def read(self, now: float) -> Sample | None:
        """Return the latest sample; None when there is no new one."""
        return self._mail.pop()

    def close(self) -> None:
        """Discard later messages."""
        self._mail.close()
