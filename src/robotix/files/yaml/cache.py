"""Parsed texts, kept for the next start: the parser takes a hundred times as long.

Only texts without a fault are kept, so that a faulty one is always told about by the parser itself.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from robotix.files.user_cache import digest_of, keep, recall, stamp_of
from robotix.files.yaml import text as yaml_text
from robotix.files.yaml.text import (
    YamlEntry,
    YamlMapping,
    YamlScalar,
    YamlSequence,
    YamlValue,
    item_trail,
    key_trail,
)

__all__ = ["read_yaml"]

KIND = "yaml"
WORTHWHILE = 2_000  # characters; less is parsed at once

_HERE = Path(__file__)
_PROGRAM = (_HERE, _HERE.with_name("parser.py"), Path(yaml_text.__file__))

SCALAR, ITEMS, TABLE = range(3)


def read_yaml(text: str, *, path: str) -> YamlMapping:
    """Return the keys and values of a text, each with its place; raises `BadFile`."""
    if len(text) < WORTHWHILE:
        return _parsed(text, path)
    key = digest_of([stamp_of(*_PROGRAM), text.encode(errors="surrogatepass")])
    kept = recall(KIND, key)
    if kept is not None and (known := _unpacked(kept, path)) is not None:
        return known
    table = _parsed(text, path)
    with suppress(ValueError):  # half a character, written as an escape
        keep(KIND, key, msgspec.json.encode(_packed(table)))
    return table


def _parsed(text: str, path: str) -> YamlMapping:
    from robotix.files.yaml.parser import parse_yaml  # rarely needed, and slow to import

    return parse_yaml(text, path=path)


def _packed(value: YamlValue) -> list[Any]:
    place = [value.line, value.column, value.start, value.end]
    match value:
        case YamlScalar():
            return [SCALAR, *place, value.text, value.is_quoted]
        case YamlSequence():
            return [ITEMS, *place, value.is_flow, [_packed(item) for item in value.items]]
        case YamlMapping():
            entries = [[_packed(each.key), _packed(each.value)] for each in value.entries.values()]
            return [TABLE, *place, value.is_flow, entries]


def _unpacked(data: bytes, path: str) -> YamlMapping | None:
    try:
        table = _value(msgspec.json.decode(data), path, "")
    except (msgspec.MsgspecError, TypeError, ValueError):  # kept by something else
        return None
    return table if isinstance(table, YamlMapping) else None


def _value(packed: Any, path: str, trail: str) -> YamlValue:
    kind, line, column, start, end, first, second = packed
    if kind == SCALAR:
        return YamlScalar(path, trail, line, column, start, end, first, second)
    if kind == ITEMS:
        items = [
            _value(item, path, item_trail(trail, number))
            for number, item in enumerate(second, start=1)
        ]
        return YamlSequence(path, trail, line, column, start, end, tuple(items), first)
    entries = {}
    for packed_key, packed_value in second:
        key = _value(packed_key, path, trail)
        assert isinstance(key, YamlScalar)
        value = _value(packed_value, path, key_trail(trail, key.text))
        entries[key.text] = YamlEntry(key, value)
    return YamlMapping(path, trail, line, column, start, end, entries, first)
