"""Texts, numbers, truth values and choices from the scalars of a YAML file."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from robotix.files.yaml.text import YamlScalar, YamlValue

__all__ = ["MAX_NUMBER", "SCALARS", "nearest", "read_choice", "read_number", "read_text"]

MAX_NUMBER = 1e9  # absolute; larger values are probably mistakes
MAX_LISTED = 12  # names that an error lists
TRUE_WORDS, FALSE_WORDS = (
    ("yes", "y", "on", "1"),
    ("no", "n", "off", "0"),
)  # common spellings of truth values in other formats
LENGTH_UNITS = {"mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "km": 1e3}
_WITH_UNIT = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))\s*([^\W\d]+|°|%)", re.ASCII | re.IGNORECASE)


def nearest(name: str, known: Collection[str], *, what: str) -> str:
    """Return the expectation for an unknown name: the nearest known ones."""
    if near := difflib.get_close_matches(name[:100], sorted(known), n=1):
        return f"{what}; did you mean {near[0]!r}?"
    listed = ", ".join(sorted(known)[:MAX_LISTED])
    more = ", ..." if len(known) > MAX_LISTED else ""
    return f"{what} ({listed or 'there is none'}{more})"


def read_text(value: YamlValue) -> str:
    """Return a text."""
    if isinstance(value, YamlScalar):
        if isinstance(value.value, str):
            return value.value
        if value.value is not None:
            kind = "truth value" if isinstance(value.value, bool) else "number"
            value.refuse(f"the {kind} {value}", f'a text; in quotes it is one: "{value.text}"')
    value.refuse(str(value), "a text")


def read_number(value: YamlValue) -> float:
    """Return a finite number of plausible size."""
    if not isinstance(value, YamlScalar):
        value.refuse(str(value), "one number")
    number = value.value
    if isinstance(number, str):
        value.refuse(f"the text {value}", f"a number{_unit_hint(value)}")
    if number is None or isinstance(number, bool):
        value.refuse(str(value), "a number")
    if not math.isfinite(number):
        value.refuse(value.text, "a finite number")
    if abs(number) > MAX_NUMBER:
        value.refuse(value.text, f"a number between {-MAX_NUMBER:g} and {MAX_NUMBER:g}")
    return float(number)


def _unit_hint(value: YamlScalar) -> str:
    """Return a hint for a text with a unit in place of a number."""
    if found := _WITH_UNIT.fullmatch(value.text.strip()):
        number, unit = float(found[1]), found[2].lower()
        if unit in LENGTH_UNITS:
            return f" in m, without a unit: {round(number * LENGTH_UNITS[unit], 9):g}"
        if unit in ("deg", "°", "rad"):
            return " without a unit; in rad, or in degrees under a key that ends in _deg"
        return " without a unit"
    return " without quotes" if value.is_quoted else ""


def _read_integer(value: YamlValue) -> int:
    number = read_number(value)
    if number != int(number):
        value.refuse(str(value), "a whole number")
    return int(number)


def _read_truth(value: YamlValue) -> bool:
    if isinstance(value, YamlScalar) and isinstance(value.value, bool):
        return value.value
    word = value.text.lower() if isinstance(value, YamlScalar) else ""
    meant = "true" if word in TRUE_WORDS else "false" if word in FALSE_WORDS else ""
    value.refuse(str(value), f"true or false; did you mean {meant}?" if meant else "true or false")


def read_choice(value: YamlValue, options: Sequence[Any]) -> Any:
    """Return one of several words."""
    if isinstance(value, YamlScalar):
        if value.text in options:
            return value.text
        if value.value in options and not isinstance(value.value, bool):
            return value.value
        value.refuse(
            str(value), nearest(value.text, [str(o) for o in options], what="one of these")
        )
    value.refuse(str(value), f"one word: {', '.join(map(str, options))}")


SCALARS: Mapping[type, Callable[[YamlValue], Any]] = {
    str: read_text,
    float: read_number,
    int: _read_integer,
    bool: _read_truth,
}
