"""The keys that a dataclass has in a file, with their types and units, from its annotations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from robotix.files.typed.markers import DegreesFlag, Description, InUnit

__all__ = [
    "DEGREES_SUFFIX",
    "FieldSpec",
    "all_markers_of",
    "alternatives",
    "field_specs",
    "is_callable",
    "is_list",
    "markers_of",
    "stands_alone",
    "without_markers",
]

DEGREES_SUFFIX = "_deg"  # a key with this end takes an angle in degrees
MISSING = dataclasses.MISSING

R = TypeVar("R")


def _cached_by_identity(ask: Callable[[Any], R]) -> Callable[[Any], R]:
    """Cache a function of a type: it is called for every value, and there are few types.

    Types are compared by identity: `int | float` equals `float | int`, but is read differently.
    """
    known: dict[int, tuple[Any, R]] = {}  # holds the types, so that no identity is used twice

    @wraps(ask)
    def answer(hint: Any) -> R:
        found = known.get(id(hint))
        if found is None:
            found = known[id(hint)] = hint, ask(hint)
        return found[1]

    return answer


@dataclass(frozen=True)
class FieldSpec:
    """A field of a dataclass, as a key of a file."""

    name: str
    key: str
    hint: Any
    default: Any  # MISSING: the file must give it
    is_positional: bool  # may be given by its position in a list, not only by its key
    is_angle: bool  # may be given in degrees
    is_degrees_flag: bool  # is set when an angle was given in degrees, which then stays so

    @property
    def is_required(self) -> bool:
        """Whether a file must give it."""
        return self.default is MISSING

    @property
    def description(self) -> str:
        """Its purpose; may be empty."""
        return next(
            (mark.text for mark in markers_of(self.hint) if isinstance(mark, Description)), ""
        )


def field_specs(cls: type[Any]) -> tuple[FieldSpec, ...]:
    """Return the fields of a dataclass in order; `from_` is `from` in a file."""
    key: Any = cls
    return _slots(key)


@cache
def _slots(cls: Any) -> tuple[FieldSpec, ...]:
    hints = _type_hints(cls)
    return tuple(
        FieldSpec(
            field.name,
            field.name.rstrip("_"),
            hints[field.name],
            _default(field),
            is_positional=not field.kw_only,
            is_angle=any(isinstance(mark, InUnit) for mark in all_markers_of(hints[field.name])),
            is_degrees_flag=any(isinstance(m, DegreesFlag) for m in markers_of(hints[field.name])),
        )
        for field in dataclasses.fields(cls)
        if field.init
    )


def _type_hints(cls: Any) -> dict[str, Any]:
    """Return the types of the fields.

    Names that only type checkers import, such as those of a command's parameters, become `Any`.
    """
    unknown: dict[str, Any] = {}
    while True:
        try:
            return get_type_hints(cls, localns=unknown, include_extras=True)
        except NameError as error:
            if error.name is None or error.name in unknown:
                raise
            unknown[error.name] = Any


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


@_cached_by_identity
def markers_of(hint: Any) -> tuple[Any, ...]:
    """Return the markers of a type, also of an optional one."""
    if get_origin(hint) is Annotated:
        return (*markers_of(get_args(hint)[0]), *get_args(hint)[1:])
    kinds = alternatives(hint)
    if NoneType in kinds:
        return tuple(mark for kind in kinds if kind is not NoneType for mark in markers_of(kind))
    return ()


@_cached_by_identity
def without_markers(hint: Any) -> Any:
    """Return a type without its markers."""
    return without_markers(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


@_cached_by_identity
def alternatives(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union; of any other type, the type itself."""
    kind = without_markers(hint)
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (hint,)


@_cached_by_identity
def is_callable(hint: Any) -> bool:
    """Return whether a type is that of functions, such as commands."""
    return get_origin(without_markers(hint)) is Callable


@_cached_by_identity
def is_list(hint: Any) -> bool:
    """Return whether a value of this type is written as a list."""
    return any(get_origin(without_markers(kind)) is tuple for kind in alternatives(hint))


@_cached_by_identity
def stands_alone(hint: Any) -> bool:
    """Return whether a single value of this type needs no brackets where a list is expected."""
    kind = without_markers(hint)
    if is_callable(hint) or kind is str:
        return True
    if not dataclasses.is_dataclass(kind):
        return False
    needed = [slot for slot in field_specs(kind) if slot.is_required]  # type: ignore[arg-type]
    return len(needed) == 1 and needed[0].is_positional


def all_markers_of(hint: Any) -> Iterator[Any]:
    """Yield the markers of a type and of its parts, but not those of functions."""
    if get_origin(hint) is Annotated:
        yield from get_args(hint)[1:]
        hint = get_args(hint)[0]
    if not is_callable(hint):
        for part in get_args(hint):
            yield from all_markers_of(part)
