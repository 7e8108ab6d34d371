"""Colours in files: `red`, `"#b08050"` or `[0.69, 0.5, 0.31]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from robotix.files.yaml.scalars import nearest, read_number
from robotix.files.yaml.text import YamlScalar, YamlSequence, YamlValue

__all__ = ["COLOURS", "COLOUR_SCHEMA", "colour_of", "read_colour", "show_colour"]

COLOURS: Mapping[str, str] = {
    "black": "#000000",
    "blue": "#2060c0",
    "brown": "#806040",
    "cyan": "#20b0c0",
    "green": "#309040",
    "grey": "#808080",
    "orange": "#f08020",
    "pink": "#f090b0",
    "purple": "#8040a0",
    "red": "#d03030",
    "silver": "#c0c0c8",
    "white": "#ffffff",
    "yellow": "#f0d030",
}
COLOUR_SCHEMA: Mapping[str, Any] = {
    "description": 'A name, "#rrggbb" in quotes, or [red, green, blue] in 0..1.',
    "anyOf": [
        {"enum": sorted(COLOURS)},
        {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"},
        {
            "type": "array",
            "items": {"type": "number", "minimum": 0, "maximum": 1},
            "minItems": 3,
            "maxItems": 3,
        },
    ],
}
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def read_colour(value: YamlValue) -> tuple[float, float, float]:
    """Return red, green and blue in 0..1."""
    expected = 'a colour: a name, "#rrggbb" in quotes, or [red, green, blue] in 0..1'
    match value:
        case YamlSequence(items=(red, green, blue)):
            rgb = read_number(red), read_number(green), read_number(blue)
            if all(0 <= part <= 1 for part in rgb):
                return rgb
            value.refuse(str(list(rgb)), expected)
        case YamlScalar(value=str(text)):
            code = COLOURS.get(text, text)
            if _HEX.fullmatch(code):
                return _parts(code)
            value.refuse(str(value), nearest(text, COLOURS, what=expected))
        case YamlScalar(value=None):
            value.refuse("nothing", f"{expected} (# begins a comment unless in quotes)")
    value.refuse(str(value), expected)


def colour_of(text: str) -> tuple[float, float, float]:
    """Return red, green and blue in 0..1 of a name or `#rrggbb`; raise ValueError for others."""
    code = COLOURS.get(text.lower(), text)
    if not _HEX.fullmatch(code):
        raise ValueError(f"{text!r} is no colour; give a name, or #rrggbb")
    return _parts(code)


def _parts(code: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(code[1:])
    return red / 255, green / 255, blue / 255


def show_colour(colour: tuple[float, float, float]) -> str | tuple[float, float, float]:
    """Return a colour as written to files: `#rrggbb` if that is exact."""
    code = "#" + bytes(round(255 * part) for part in colour).hex()
    return code if _parts(code) == tuple(colour) else colour
