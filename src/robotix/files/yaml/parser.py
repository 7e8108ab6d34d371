"""A YAML reader that rejects ambiguous or expensive features.

These are tags, anchors, directives, repeated keys and deep nesting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml
from yaml import events

from robotix.errors import BadFile
from robotix.files.yaml.errors import in_plain_words
from robotix.files.yaml.text import (
    YamlEntry,
    YamlMapping,
    YamlScalar,
    YamlSequence,
    YamlValue,
    item_trail,
    key_trail,
    shorten,
)

__all__ = ["parse_yaml"]

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml if available, ten times as fast
MAX_DEPTH = 40
MAX_VALUES = 200_000

_COLON = re.compile("[ \t]*:")
_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a pair, which no file can hold
# line ends of YAML 1.1, which libyaml still accepts
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


@dataclass
class _Open:
    """A list or table whose end has not been read yet."""

    start: Any  # the event that began it
    trail: str
    items: list[YamlValue] = field(default_factory=list)
    entries: dict[str, YamlEntry] = field(default_factory=dict)
    key: YamlScalar | None = None

    @property
    def is_table(self) -> bool:
        return isinstance(self.start, events.MappingStartEvent)


def parse_yaml(text: str, *, path: str) -> YamlMapping:
    """Return the keys and values of a text, each with its position."""
    _check_characters(text, path)
    builder = _Builder(text, path)
    try:
        for event in yaml.parse(text, Loader=LOADER):
            builder.take(event)
    except BadFile:
        raise
    except yaml.MarkedYAMLError as error:
        raise in_plain_words(error, text, path) from None
    except Exception as error:  # any exception of the library means that the file is invalid
        raise builder.fault(f"what YAML cannot read ({error})", "valid YAML") from None
    return builder.result()


def _check_characters(text: str, path: str) -> None:
    if odd := _UNPRINTABLE.search(text):
        line = text.count("\n", 0, odd.start()) + 1
        column = odd.start() - text.rfind("\n", 0, odd.start())
        found = f"the unprintable character U+{ord(odd[0]):04X}"
        raise BadFile(path, found, "a text file", line=line, column=column)


class _Builder:
    """Builds values from the events of the parser."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._open: list[_Open] = []
        self._top: YamlValue | None = None
        self._count = 0
        self._documents = 0
        self._mark: Any = None

    def take(self, event: Any) -> None:
        """Process the next event."""
        self._mark = event.start_mark
        match event:
            case events.DocumentStartEvent():
                self._begin(event)
            case events.AliasEvent():
                self._refuse(
                    f"an alias (*{shorten(event.anchor, 30)})", "the text itself, written out"
                )
            case events.ScalarEvent():
                self._check(event)
                self._scalar(event)
            case events.MappingStartEvent() | events.SequenceStartEvent():
                self._check(event)
                self._descend(event)
            case events.MappingEndEvent() | events.SequenceEndEvent():
                self._close(event)

    def result(self) -> YamlMapping:
        """Return the root value."""
        if isinstance(self._top, YamlMapping):
            return self._top
        found = "an empty file" if self._top is None else str(self._top)
        raise BadFile(self._path, found, "keys with values, such as `robotix: 1`", line=1, column=1)

    def fault(self, found: str, expected: str) -> BadFile:
        """Return an error at the current position of the parser."""
        mark = self._mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return BadFile(self._path, found, expected, line=line, column=column)

    def _refuse(self, found: str, expected: str) -> NoReturn:
        raise self.fault(found, expected)

    def _begin(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            self._refuse("a second document (---)", "one scene a file; others by `include`")
        if event.version or event.tags:
            self._refuse("a % directive", "the scene's own keys only")

    def _check(self, event: Any) -> None:
        """Raise BadFile for features that are not supported."""
        self._count += 1
        if self._count > MAX_VALUES:
            self._refuse(f"more than {MAX_VALUES} values", "a smaller file")
        if len(self._open) > MAX_DEPTH:
            self._refuse("values nested too deeply", f"at most {MAX_DEPTH} levels")
        if event.anchor is not None:
            expected = "no anchors: share looks as `materials`, and parts of scenes by `include`"
            self._refuse(f"an anchor (&{shorten(event.anchor, 30)})", expected)
        if event.tag is not None:
            self._refuse(
                f"a tag ({shorten(str(event.tag), 60)})",
                "plain values; a text that begins with ! in quotes",
            )

    def _trail(self) -> str:
        """Return the key path of the next value."""
        if not self._open:
            return ""
        top = self._open[-1]
        if not top.is_table:
            return item_trail(top.trail, len(top.items) + 1)
        return key_trail(top.trail, top.key.text if top.key else "")

    def _piece(self, start: Any, end: Any, trail: str) -> tuple[str, str, int, int, int, int]:
        mark = start.start_mark
        position = mark.line + 1, mark.column + 1, mark.index
        return self._path, trail, *position, end.end_mark.index

    def _scalar(self, event: Any) -> None:
        key = self._open[-1].key if self._open else None
        if key is not None and not event.value and not event.style:
            piece = self._nothing_after(key)
        else:
            piece = self._piece(event, event, self._trail())
        if event.style and (odd := _SURROGATE.search(event.value)):  # by an escape
            raise BadFile(
                self._path,
                f"half a character (\\u{ord(odd[0]):04x})",
                "whole ones; write those beyond U+FFFF as they are, or by \\U and 8 digits",
                line=piece[2],
                column=piece[3],
            )
        self._put(YamlScalar(*piece, event.value, bool(event.style)))

    def _nothing_after(self, key: YamlScalar) -> tuple[str, str, int, int, int, int]:
        """Return an empty value, positioned behind the ':' of its key, if any."""
        colon = _COLON.match(self._text, key.end)
        end = colon.end() if colon else key.end
        return self._path, self._trail(), key.line, key.column + end - key.start, end, end

    def _descend(self, event: Any) -> None:
        if self._open and self._open[-1].is_table and self._open[-1].key is None:
            self._refuse("a list or keys in the place of a key", "a word before the ':'")
        self._open.append(_Open(event, self._trail()))

    def _close(self, event: Any) -> None:
        done = self._open.pop()
        piece = self._piece(done.start, event, done.trail)
        is_flow = bool(done.start.flow_style)
        if done.is_table:
            self._put(YamlMapping(*piece, done.entries, is_flow))
        else:
            self._put(YamlSequence(*piece, tuple(done.items), is_flow))

    def _put(self, value: YamlValue) -> None:
        if not self._open:
            self._top = value
            return
        top = self._open[-1]
        if not top.is_table:
            top.items.append(value)
        elif top.key is not None:
            top.entries[top.key.text] = YamlEntry(top.key, value)
            top.key = None
        else:
            assert isinstance(value, YamlScalar)
            self._new_key(top, value)

    def _new_key(self, top: _Open, key: YamlScalar) -> None:
        if not key.text:
            key.refuse("an empty key", "a word before the ':'")
        if key.text in top.entries:
            first = top.entries[key.text].key.line
            found = f"the key {key.text!r} a second time (first in line {first})"
            key.refuse(found, "every key once")
        top.key = key
