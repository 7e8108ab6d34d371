"""Every error `robotix` raises on purpose: data in `args`, words in `__str__`.

Kept that way an error survives `pickle`, so it can come back from a worker process unchanged.
"""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Iterable, Sequence

__all__ = [
    "BadField",
    "BadFile",
    "BadModel",
    "RobotixError",
    "UnknownName",
    "describe_error",
    "nearest_name",
]

MAX_NAME_LENGTH = 100  # characters; longer ones are not compared, and not shown whole
MAX_FOUND_LENGTH = 500  # characters of a wrong value that are shown
MAX_COMPARED_NAMES = 300
MAX_LISTED_NAMES = 100


class RobotixError(Exception):
    """Root of all errors that `robotix` raises on purpose.

    Examples:
        >>> try:
        ...     rx.load("pandda")
        ... except rx.RobotixError as error:
        ...     print(error)
        no robot 'pandda'; did you mean 'panda'?
    """


class UnknownName(RobotixError, LookupError):
    """A name that nothing in the given namespace carries.

    Examples:
        >>> rx.load("pandda")
        Traceback (most recent call last):
        robotix.errors.UnknownName: no robot 'pandda'; did you mean 'panda'?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(kind, name, tuple(known))

    def __str__(self) -> str:
        kind, name, known = self.args
        shown = name if len(name) <= MAX_NAME_LENGTH else f"{name[:MAX_NAME_LENGTH]}…"
        near = nearest_name(name, known)
        if near:
            return f"no {kind} {shown!r}; did you mean {near!r}?"
        names = ", ".join(known[:MAX_LISTED_NAMES]) or "none"
        if len(known) > MAX_LISTED_NAMES:
            names += f" and {len(known) - MAX_LISTED_NAMES} more"
        return f"no {kind} {shown!r}; known: {names}"


def nearest_name(name: str, known: Sequence[str]) -> str:
    """Return the known name that is most like another one; empty if none is, or if it is too long.

    Among very many names only those that begin alike, and then those of about the same length, are
    compared: an error in a running scene must not take long to explain.
    """
    if len(name) > MAX_NAME_LENGTH:
        return ""
    if len(known) > MAX_COMPARED_NAMES:
        known = heapq.nsmallest(MAX_COMPARED_NAMES, known, key=lambda each: _unlike(name, each))
    near = difflib.get_close_matches(name, known, n=1)
    return near[0] if near else ""


def _unlike(name: str, other: str) -> tuple[int, int]:
    alike = 0
    for one, another in zip(name, other, strict=False):
        if one != another:
            break
        alike += 1
    return -alike, abs(len(name) - len(other))


class BadModel(RobotixError, ValueError):
    """A model that cannot exist: says which part, what is wrong and what would be right.

    Examples:
        >>> rx.Joint("elbow", "revolute", lower=1.0, upper=-1.0)
        Traceback (most recent call last):
        robotix.errors.BadModel: ...
    """

    def __init__(self, part: str, problem: str) -> None:
        super().__init__(part, problem)

    def __str__(self) -> str:
        part, problem = self.args
        return f"{part}: {problem}"


class BadField(RobotixError, ValueError):
    """A value was refused because of one of its fields.

    Args:
        field: The name of the field; empty when the value as a whole is wrong.
        expected: What the field must be, such as "1 to 10 ticks".
        found: What it is.
    """

    def __init__(self, field: str, expected: str, found: object) -> None:
        text = str(found)
        if len(text) > MAX_FOUND_LENGTH:
            text = f"{text[:MAX_FOUND_LENGTH]}…"
        super().__init__(field, expected, text)

    @property
    def field(self) -> str:
        """The name of the field; empty when the value as a whole is wrong."""
        return str(self.args[0])

    @property
    def expected(self) -> str:
        """What the field must be."""
        return str(self.args[1])

    @property
    def found(self) -> str:
        """What the field is."""
        return str(self.args[2])

    def __str__(self) -> str:
        if not self.field:
            return f"expected {self.expected}, got {self.found}"
        return f"{self.field.rstrip('_')} must be {self.expected}, got {self.found}"


class BadFile(RobotixError, ValueError):
    """A file that was refused: says where, what was read and what was expected.

    `line` and `column` count from 1; 0 means that the place is not known.

    Examples:
        >>> from pathlib import Path
        >>> _ = Path("bad.urdf").write_text("<robot name='arm'>")
        >>> try:
        ...     rx.load("bad.urdf")
        ... except rx.BadFile as error:
        ...     print(error.line)
        1
    """

    def __init__(
        self, path: str, found: str, expected: str, *, line: int = 0, column: int = 0
    ) -> None:
        super().__init__(path, found, expected, line, column)

    def __reduce__(self) -> tuple[object, ...]:
        path, found, expected, line, column = self.args
        return _bad_file, (path, found, expected, line, column)

    @property
    def line(self) -> int:
        """Line of the fault, from 1; 0 when unknown."""
        return int(self.args[3])

    @property
    def column(self) -> int:
        """Column of the fault, from 1; 0 when unknown."""
        return int(self.args[4])

    def __str__(self) -> str:
        path, found, expected, line, column = self.args
        place = f"{path}:{line}:{column}" if column else f"{path}:{line}" if line else path
        return f"{place}: {found}; expected {expected}"


def _bad_file(path: str, found: str, expected: str, line: int, column: int) -> BadFile:
    return BadFile(path, found, expected, line=line, column=column)


def describe_error(error: Exception) -> str:
    """Return an error in words for users.

    Errors about what the user gave explain themselves; others, which are mistakes in a program, are
    described with the name of their type.
    """
    text = str(error)
    if isinstance(error, RobotixError | ValueError) and text:
        return text
    return f"{type(error).__name__}: {text}"
