"""What a dataclass asks of a file: its keys, their types and units, read from its annotations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from robotix.scene.graph.field_types import InUnit

__all__ = [
    "DEGREES",
    "Description",
    "OneWord",
    "Slot",
    "Within",
    "alternatives",
    "bare",
    "is_command",
    "is_list",
    "marks",
    "slots",
]

DEGREES = "_deg"  # a key with this end takes an angle in degrees
MISSING = dataclasses.MISSING

R = TypeVar("R")


def _remembered(ask: Callable[[Any], R]) -> Callable[[Any], R]:
    """Remember what is said of a type: it is asked of every value, and there are few types.

    Types are told apart by identity: `int | float` equals `float | int`, but is read otherwise.
    """
    known: dict[int, tuple[Any, R]] = {}  # the types, too, lest another gets the same identity

    @wraps(ask)
    def answer(hint: Any) -> R:
        found = known.get(id(hint))
        if found is None:
            found = known[id(hint)] = hint, ask(hint)
        return found[1]

    return answer


@dataclass(frozen=True)
class Description:
    """What a key is for, in words for people."""

    text: str


@dataclass(frozen=True, eq=False)
class OneWord:
    """The value is one word of a table with what belongs to it, such as `{say: hello}`."""

    what: str
    example: str
    words: Callable[[], Mapping[str, type[Any]]]
    make: Callable[[Any], Any]  # turns what was read into what is meant


@dataclass(frozen=True)
class Within:
    """The number lies between these."""

    low: float
    high: float


@dataclass(frozen=True)
class Slot:
    """A field of a dataclass, as files see it."""

    name: str
    key: str
    hint: Any
    default: Any  # MISSING: the file must give it
    has_place: bool  # may be given by its place in a list, not only by its key
    is_angle: bool  # may be given in degrees

    @property
    def is_required(self) -> bool:
        """Whether a file must give it."""
        return self.default is MISSING

    @property
    def says(self) -> str:
        """What it is for; empty when nobody said."""
        return next((mark.text for mark in marks(self.hint) if isinstance(mark, Description)), "")


def slots(cls: type[Any]) -> tuple[Slot, ...]:
    """Return the fields of a dataclass in order; `from_` is `from` in a file."""
    key: Any = cls
    return _slots(key)


@cache
def _slots(cls: Any) -> tuple[Slot, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(
        Slot(
            field.name,
            field.name.rstrip("_"),
            hints[field.name],
            _default(field),
            has_place=not field.kw_only,
            is_angle=any(isinstance(mark, InUnit) for mark in _all_marks(hints[field.name])),
        )
        for field in dataclasses.fields(cls)
        if field.init
    )


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


@_remembered
def marks(hint: Any) -> tuple[Any, ...]:
    """Return what is annotated to a type, also to one that may be left out."""
    if get_origin(hint) is Annotated:
        return (*marks(get_args(hint)[0]), *get_args(hint)[1:])
    kinds = alternatives(hint)
    if NoneType in kinds:
        return tuple(mark for kind in kinds if kind is not NoneType for mark in marks(kind))
    return ()


@_remembered
def bare(hint: Any) -> Any:
    """Return a type without what is annotated to it."""
    return bare(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


@_remembered
def alternatives(hint: Any) -> tuple[Any, ...]:
    """Return the types of which one is meant."""
    kind = bare(hint)
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (hint,)


@_remembered
def is_command(hint: Any) -> bool:
    """Tell whether a type is that of a command."""
    return get_origin(bare(hint)) is Callable


@_remembered
def is_list(hint: Any) -> bool:
    """Tell whether a value of this type is written as a list."""
    return any(get_origin(bare(kind)) is tuple for kind in alternatives(hint))


def _all_marks(hint: Any) -> Iterator[Any]:
    if get_origin(hint) is Annotated:
        yield from get_args(hint)[1:]
        hint = get_args(hint)[0]
    if not is_command(hint):
        for part in get_args(hint):
            yield from _all_marks(part)
