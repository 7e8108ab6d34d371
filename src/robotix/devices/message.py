"""Checked values of messages from browsers.

A malformed message raises ValueError, which is reported to its sender. Numbers are not checked
here; the watchdog does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

__all__ = ["DeviceMessage", "numbers", "text"]

DeviceMessage: TypeAlias = Mapping[str, object]


def numbers(
    message: DeviceMessage, key: str, *, least: int = 0, most: int = 64
) -> tuple[float, ...]:
    """Return a list of numbers from a message."""
    values = message.get(key, ())
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise ValueError(f"{key} must be a list of numbers, got {_brief(values)}")
    if not least <= len(values) <= most:
        size = str(least) if least == most else f"{least} to {most}"
        raise ValueError(f"{key} must be {size} numbers, got {len(values)}")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{key} must be numbers, got {_brief(value)}")
    try:
        return tuple(map(float, values))
    except OverflowError:
        raise ValueError(f"{key} must be numbers of ordinary size") from None


def text(message: DeviceMessage, key: str, default: str = "") -> str:
    """Return a text from a message."""
    value = message.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key} must be a text, got {_brief(value)}")
    return value


def _brief(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
