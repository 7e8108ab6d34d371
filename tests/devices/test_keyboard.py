"""The keyboard of a browser, whatever the browser says."""

import pytest

from robotix.devices.keyboard import KEYS, Keyboard


def test_codes_that_no_key_has_cost_nothing() -> None:
    keyboard = Keyboard()
    for number in range(20_000):
        keyboard.feed({"type": "down", "code": f"Key{number}", "key": "x"}, now=0.0)
    assert len(keyboard._down) <= len(KEYS)
    with pytest.raises(ValueError, match="at most 32 characters"):
        keyboard.feed({"type": "down", "code": "x" * 900_000, "key": "a"}, now=0.0)
    with pytest.raises(ValueError, match="at most 32 characters"):
        keyboard.feed({"type": "state", "down": ["x" * 900_000]}, now=0.0)
