"""VR controllers."""

from robotix.devices import (
    Controller,
)

POSE = {"position": [0.1, 1.5, -0.2], "orientation": [0.0, 0.0, 0.0, 1.0]}


def test_controller_has_triggers_and_a_thumbstick() -> None:
    stick = Controller()
    stick.feed({**POSE, "axes": [0, 0, 0.5, -0.5], "buttons": [0.75, 0.25, 0, 0, 1]}, 1.0)
    sample = stick.read(1.0)
    assert sample is not None
    assert sample.axes == (0.75, 0.25, 0.0, 0.0, 0.5, -0.5)
    assert sample.buttons == {"trigger", "a"}
    assert sample.position == (0.2, -0.1, 1.5)
