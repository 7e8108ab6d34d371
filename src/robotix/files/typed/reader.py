"""Typed reading: a dataclass from the keys of a file, checked against its own annotations.

The reader is generic: dataclasses say what a file may contain, a `Namespace` which names exist, and
the `words` which dataclass a word such as `say` stands for. All errors of a file are collected.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, Literal, NoReturn, Protocol, get_args, get_origin

from robotix.errors import BadField, BadFile, RobotixError, UnknownName
from robotix.files.typed.colours import read_colour
from robotix.files.typed.fields import (
    DEGREES_SUFFIX,
    FieldSpec,
    alternatives,
    field_specs,
    is_callable,
    is_list,
    markers_of,
    stands_alone,
    without_markers,
)
from robotix.files.typed.markers import ColourValue, Named, OneWord, Within
from robotix.files.yaml.scalars import SCALARS, nearest, read_choice
from robotix.files.yaml.text import YamlMapping, YamlScalar, YamlSequence, YamlValue

__all__ = ["AlreadyReported", "Namespace", "NoNames", "Reader", "field_value", "refuse_error"]


class AlreadyReported(Exception):
    """Something could not be read, and that has been reported."""


class Namespace(Protocol):
    """The names that a text may refer to."""

    def resolve(self, kind: str, name: str, value: YamlValue) -> str:
        """Return the full name of something of a kind; raise `UnknownName` or `ValueError`."""


class NoNames:
    """A namespace without names."""

    def resolve(self, kind: str, name: str, value: YamlValue) -> str:
        """Raise `UnknownName`."""
        raise UnknownName(kind, name, ())


@dataclass
class Reader:
    """Reads values of given types, and collects what is wrong."""

    namespace: Namespace = field(default_factory=NoNames)
    words: Mapping[Any, OneWord] = field(default_factory=dict)  # of markers, and of `Callable`
    problems: list[BadFile] = field(default_factory=list)
    parsed: list[tuple[Any, YamlValue]] = field(default_factory=list)  # values of words, and where

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Add an error to the problems, and continue behind the block."""
        try:
            yield
        except BadFile as problem:
            self.problems.append(problem)
        except AlreadyReported:
            pass

    # -- any type ---------------------------------------------------------------------------

    def read(self, value: YamlValue, hint: Any) -> Any:
        """Return the value as one of the type; raise `BadFile`, or `AlreadyReported`."""
        for mark in markers_of(hint):
            if isinstance(mark, ColourValue):
                return read_colour(value)
            if isinstance(mark, OneWord):
                return self._word(value, mark)
            if type(mark) in self.words:
                return self._word(value, self.words[type(mark)])
        if is_callable(hint):
            return self._word(value, self.words[Callable])
        kinds = alternatives(hint)
        if len(kinds) > 1:
            return self._one_of(value, kinds)
        result = self._plain(value, without_markers(hint))
        for mark in markers_of(hint):
            if isinstance(mark, Named):
                result = self._named(value, mark.kind, result)
            if isinstance(mark, Within) and not mark.low <= result <= mark.high:
                value.refuse(str(value), f"a number from {mark.low:g} to {mark.high:g}")
        return result

    def _one_of(self, value: YamlValue, kinds: Sequence[Any]) -> Any:
        if NoneType in kinds and isinstance(value, YamlScalar) and value.value is None:
            return None
        some = [kind for kind in kinds if kind is not NoneType]
        for kind in some:
            if len(some) == 1 or _has_form_of(value, kind):
                return self.read(value, kind)
        value.refuse(str(value), " or ".join(map(_form, some)))

    def _plain(self, value: YamlValue, kind: Any) -> Any:
        origin = get_origin(kind)
        if origin is tuple:
            return self._tuple(value, get_args(kind))
        if origin is Literal:
            return read_choice(value, get_args(kind))
        if origin is not None and issubclass(origin, Mapping):
            return self.mapping(value, get_args(kind)[1])
        if dataclasses.is_dataclass(kind):
            assert isinstance(kind, type)
            return self.record(value, kind)
        return SCALARS[kind](value)

    def _named(self, value: YamlValue, kind: str, name: str) -> str:
        try:
            return self.namespace.resolve(kind, name, value)
        except UnknownName as error:
            refuse_error(value, error)

    # -- lists and tables -------------------------------------------------------------------

    def _tuple(self, value: YamlValue, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
        is_open = len(kinds) == 2 and kinds[1] is Ellipsis
        if is_open and not isinstance(value, YamlSequence):
            if stands_alone(kinds[0]):
                return (self.read(value, kinds[0]),)  # a single one needs no brackets
        expected = "a list in brackets [ ]" if is_open else f"{len(kinds)} values in brackets [ ]"
        if not isinstance(value, YamlSequence) or not (is_open or len(value.items) == len(kinds)):
            value.refuse(str(value), expected)
        hints = [kinds[0]] * len(value.items) if is_open else kinds
        results = []
        for item, hint in zip(value.items, hints, strict=True):
            with self.collecting():
                results.append(self.read(item, hint))
        if len(results) < len(value.items):
            raise AlreadyReported
        return tuple(results)

    def mapping(self, value: YamlValue, hint: Any) -> dict[str, Any]:
        """Return the values of a mapping by key; entries with errors are omitted."""
        found: dict[str, Any] = {}
        if isinstance(value, YamlScalar) and value.value is None:
            return found
        if not isinstance(value, YamlMapping):
            value.refuse(str(value), "names, each with what belongs to it")
        for name, entry in value.entries.items():
            with self.collecting():
                found[name] = self.read(entry.value, hint)
        return found

    # -- dataclasses ------------------------------------------------------------------------

    def record(self, value: YamlValue, cls: type[Any]) -> Any:
        """Return a dataclass: keys give its fields, a list them in order, one word the first."""
        placed = [slot for slot in field_specs(cls) if slot.is_positional]
        match value:
            case YamlMapping():
                given = self.fields(value, field_specs(cls))
            case YamlScalar() if value.value is None and not value.is_quoted:
                given = {}
            case _ if not placed:
                value.refuse(str(value), "keys with values" if field_specs(cls) else "nothing")
            case YamlSequence() if not is_list(placed[0].hint):
                given = self._in_order(value, placed)
            case _:
                given = {placed[0].name: self.read(value, placed[0].hint)}
        return self.make(value, cls, given)

    def make(self, value: YamlValue, cls: type[Any], given: Mapping[str, Any]) -> Any:
        """Return a dataclass with the given fields; raise BadFile if incomplete or invalid."""
        for slot in field_specs(cls):
            if slot.is_required and slot.name not in given:
                degrees = f" or {slot.key}{DEGREES_SUFFIX}" if slot.is_angle else ""
                value.refuse(f"no {slot.key!r}", f"the key {slot.key}{degrees}")
        try:
            return cls(**given)
        except (ValueError, RobotixError) as error:
            refuse_error(value, error, cls=cls)

    def fields(self, table: YamlMapping, fields: Sequence[FieldSpec]) -> dict[str, Any]:
        """Return the fields that a table gives, by name."""
        by_key = {slot.key: slot for slot in fields}
        by_key |= {slot.key + DEGREES_SUFFIX: slot for slot in fields if slot.is_angle}
        given: dict[str, Any] = {}
        in_degrees: list[FieldSpec] = []
        before = len(self.problems)
        for key, entry in table.entries.items():
            with self.collecting():
                if key not in by_key:
                    entry.key.refuse(
                        f"unknown key {key!r}", nearest(key, by_key, what="a known key")
                    )
                slot = by_key[key]
                if slot.name in given:
                    entry.key.refuse(f"{key!r} besides {slot.key!r}", "one of the two")
                given[slot.name] = self.read(entry.value, slot.hint)
                if key != slot.key:
                    in_degrees.append(slot)
        if len(self.problems) > before:
            raise AlreadyReported
        flag = next((slot for slot in fields if slot.is_degrees_flag), None)
        for slot in in_degrees:
            if flag is not None:
                given[flag.name] = True
            else:
                given[slot.name] = _radians(given[slot.name])
        return given

    def _in_order(self, value: YamlSequence, fields: Sequence[FieldSpec]) -> dict[str, Any]:
        if len(value.items) > len(fields):
            value.refuse(str(value), f"at most {len(fields)}: {', '.join(s.key for s in fields)}")
        given: dict[str, Any] = {}
        for slot, item in zip(fields, value.items, strict=False):
            with self.collecting():
                given[slot.name] = self.read(item, slot.hint)
        if len(given) < len(value.items):
            raise AlreadyReported
        return given

    # -- one word of many -------------------------------------------------------------------

    def _word(self, value: YamlValue, words: OneWord) -> Any:
        """Read `{word: parameters}`, or the bare word."""
        table = words.words()
        match value:
            case YamlScalar(value=str(word)):
                self._check_word(value, word, words)
                return self._convert(value, words, self.make(value, table[word], {}))
            case YamlMapping(entries=entries) if len(entries) == 1:
                ((word, entry),) = entries.items()
                self._check_word(entry.key, word, words)
                return self._convert(entry.value, words, self.record(entry.value, table[word]))
            case YamlMapping(entries=entries) if entries:
                expected = f"one {words.what} here; several as a list, each after a '-'"
                value.refuse(f"{len(entries)} keys ({', '.join(entries)})", expected)
        value.refuse(str(value), f"a {words.what}, such as {words.example}")

    def _convert(self, value: YamlValue, words: OneWord, read: Any) -> Any:
        result = words.make(read)
        self.parsed.append((result, value))
        return result

    def _check_word(self, scalar: YamlScalar, word: str, words: OneWord) -> None:
        if word not in words.words():
            expected = nearest(word, words.words(), what=f"a {words.what}")
            scalar.refuse(f"no {words.what} {word!r}", expected)


def refuse_error(value: YamlValue, error: Exception, *, cls: type[Any] | None = None) -> NoReturn:
    """Raise `BadFile` for an error of a value's own class, at the field that it names.

    Without `cls` the value is that of the field.
    """
    match error:
        case BadField():
            node = field_value(error.field, value, cls) if cls is not None else value
            node.refuse(error.found, error.expected)
        case UnknownName(args=(kind, name, known)):
            value.refuse(f"no {kind} {name!r}", nearest(name, known, what=f"the name of a {kind}"))
    value.refuse(str(error), "values that belong together")


def field_value(name: str, value: YamlValue, cls: type[Any]) -> YamlValue:
    """Return the value of a field of a dataclass; the whole when it was not given."""
    placed = [slot for slot in field_specs(cls) if slot.is_positional]
    slot = next((slot for slot in field_specs(cls) if slot.name == name), None)
    if slot is None:
        return value
    match value:
        case YamlMapping():
            return value.get(slot.key) or value.near(slot.key + DEGREES_SUFFIX)
        case YamlSequence(items=items) if (
            not is_list(placed[0].hint) and slot in placed[: len(items)]
        ):
            return items[placed.index(slot)]
    return value


def _radians(number: Any) -> Any:
    if isinstance(number, tuple):
        return tuple(map(_radians, number))
    if isinstance(number, dict):
        return {name: _radians(each) for name, each in number.items()}
    return math.radians(number) if isinstance(number, float) else number


def _form(hint: Any) -> str:
    """Return how a value of a type is written."""
    kind = without_markers(hint)
    if is_list(kind):
        return "a list in brackets [ ]"
    if _is_table(kind):
        return "names with values"
    if dataclasses.is_dataclass(kind) or is_callable(kind):
        return "keys with values"
    return {str: "a text", float: "a number", int: "a whole number", bool: "true or false"}.get(
        kind, "a word"
    )


def _is_table(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _has_form_of(value: YamlValue, hint: Any) -> bool:
    kind = without_markers(hint)
    match value:
        case YamlSequence():
            return is_list(kind)
        case YamlMapping():
            return dataclasses.is_dataclass(kind) or _is_table(kind)
    if kind in (float, int):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if get_origin(kind) is Literal:
        return value.text in get_args(kind)
    return kind in (str, bool) and isinstance(value.value, kind)
