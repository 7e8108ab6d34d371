"""Gamepads and joysticks of a browser."""

from robotix.devices import (
    JOYSTICK_LAYOUT,
    Gamepad,
)


def test_gamepad_has_sticks_and_triggers() -> None:
    pad = Gamepad()
    pad.feed({"axes": [0.1, -0.2, 0.3, 1.0, 9.0], "buttons": [1, *[0] * 5, 0.25, 0.75]}, 1.0)
    sample = pad.read(1.0)
    assert sample is not None
    assert dict(zip(pad.axes, sample.axes, strict=True)) == {
        **{"left_x": 0.1, "left_y": -0.2, "right_x": 0.3, "right_y": 1.0},
        **{"left_trigger": 0.25, "right_trigger": 0.75},
    }
    assert sample.buttons == {"a", "right_trigger"}


def test_joystick_has_a_throttle() -> None:
    stick = Gamepad("joystick", layout=JOYSTICK_LAYOUT)
    stick.feed({"axes": [0.1, 0.2, 0.3, -1.0], "buttons": [0, 1]}, 1.0)
    sample = stick.read(1.0)
    assert sample is not None
    assert sample.axes == (0.1, 0.2, 0.3, -1.0, 0.0, 0.0)
    assert stick.axes[3] == "throttle"
    assert sample.buttons == {"button_2"}
