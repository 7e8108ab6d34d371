"""The keyboard of a browser."""

import pytest

from robotix.devices import (
    Keyboard,
    Sample,
)
from robotix.devices.keyboard import KEYS, key_name
from robotix.devices.message import DeviceMessage


@pytest.mark.parametrize(
    ("code", "key", "name"),
    [
        ("ArrowLeft", "ArrowLeft", "Left"),
        ("KeyY", "z", "Z"),  # a German keyboard: what is printed on the key
        ("KeyZ", "я", "Z"),
        ("KeyA", "A", "A"),
        ("Digit1", "!", "1"),  # Shift is down, and the key is the same
        ("Space", " ", "Space"),
        ("ShiftRight", "Shift", "Shift"),
        ("F5", "F5", "F5"),
        ("Numpad7", "7", "Numpad7"),
        ("LaunchMail", "LaunchMail", ""),
        ("", "", ""),
    ],
)
def test_keys_have_plain_names(code: str, key: str, name: str) -> None:
    assert key_name(code, key) == name
    assert name in (*KEYS, "")


def test_keys_go_up_by_their_place() -> None:
    keyboard = Keyboard()
    keyboard.feed({"type": "down", "code": "KeyA", "key": "a"}, 1.0)
    assert keyboard.read(1.0) == Sample(1.0, buttons=frozenset({"A"}))
    keyboard.feed({"type": "up", "code": "KeyA", "key": "A"}, 1.1)  # Shift went down meanwhile
    assert keyboard.read(1.1) == Sample(1.1)


@pytest.mark.parametrize("message", [{"type": "blur"}, {"type": "state", "down": []}])
def test_keys_are_released_when_the_page_hears_them_no_more(message: DeviceMessage) -> None:
    keyboard = Keyboard()
    keyboard.feed({"type": "down", "code": "KeyA"}, 1.0)
    keyboard.read(1.0)
    keyboard.feed(message, 1.1)
    assert keyboard.read(1.1) == Sample(1.1)


def test_codes_that_no_key_has_cost_nothing() -> None:
    keyboard = Keyboard()
    for number in range(20_000):
        keyboard.feed({"type": "down", "code": f"Key{number}", "key": "x"}, now=0.0)
    assert len(keyboard._down) <= len(KEYS)
    with pytest.raises(ValueError, match="at most 32 characters"):
        keyboard.feed({"type": "down", "code": "x" * 900_000, "key": "a"}, now=0.0)
    with pytest.raises(ValueError, match="at most 32 characters"):
        keyboard.feed({"type": "state", "down": ["x" * 900_000]}, now=0.0)
