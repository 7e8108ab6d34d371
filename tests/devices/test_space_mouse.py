"""Reports of the SpaceMouse."""

import struct

from robotix.devices import (
    Sample,
    SpaceMouse,
)


def test_space_mouse_reports() -> None:
    mouse = SpaceMouse()
    mouse.feed({"report": 1, "data": struct.pack("<3h", 350, -175, 0)}, 1.0)
    mouse.feed({"report": 2, "data": struct.pack("<3h", 0, 0, -350)}, 1.0)
    mouse.feed({"report": 3, "data": [0b101, 0]}, 1.0)
    sample = mouse.read(1.0)
    assert sample == Sample(
        1.0, (1.0, -0.5, 0.0, 0.0, 0.0, -1.0), frozenset({"button_1", "button_3"})
    )
    mouse.feed({"report": 1, "data": struct.pack("<6h", 0, 0, 35, 70, 0, 0)}, 1.1)
    mouse.feed({"report": 3, "data": [0, 0, 0, 0x80]}, 1.1)
    mouse.feed({"report": 23, "data": [100]}, 1.2)  # battery
    mouse.feed({"alive": True}, 1.3)
    sample = mouse.read(1.3)
    assert sample == Sample(1.3, (0.0, 0.0, 0.1, 0.2, 0.0, 0.0), frozenset({"button_32"}))
