"""The mailbox of samples."""

from robotix.devices import (
    Keyboard,
)


def test_a_click_within_a_tick_is_not_lost() -> None:
    keyboard = Keyboard()
    keyboard.feed({"type": "down", "code": "KeyA"}, 1.000)
    keyboard.feed({"type": "up", "code": "KeyA"}, 1.001)
    first, second, third = keyboard.read(1.01), keyboard.read(1.02), keyboard.read(1.03)
    assert first is not None and first.buttons == {"A"}
    assert second is not None and second.buttons == set()
    assert third is None
