"""What files hold, read before the tick that needs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from robotix.errors import RobotixError
from robotix.motion.motion_cache import FileState, file_state

__all__ = ["FAULTS", "Contents", "ReadAhead"]

T = TypeVar("T")
Contents: TypeAlias = Mapping[str, bytes]  # of a file and those that it refers to, by their names
FAULTS = (OSError, ValueError, RobotixError)  # of files


@dataclass(frozen=True)
class _Kept:
    """What a file holds, and the states of the files that it depends on when it was read."""

    value: Any  # or the error that came instead
    states: Mapping[Path, FileState | None]
    is_watched: bool = False  # all files that it depends on are known
    contents: Contents | None = field(default=None, repr=False)
    checked: float = 0.0  # s of the clock, when it was last seen to be so

    def is_fresh(self) -> bool:
        return all(
            state is not None and state == file_state(path) for path, state in self.states.items()
        )

    def get(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


class ReadAhead:
    """What files hold, read before the tick that needs it.

    Each is used once, since another file that it includes may change; one that is watched, with all
    the files that it depends on, until one of them changes. A change counts at the latest `max_age`
    seconds after it: until then, no tick reads the file again.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.max_age = 0.0  # s
        self._clock = clock
        self._found: dict[Path, _Kept] = {}

    def keep(self, path: Path, read: Callable[[], T]) -> T:
        """Return what is in a file, or raise what is wrong with it, and keep that for `take`."""
        key = path.absolute()
        kept = self._found.get(key)
        if kept is None or not self._is_recent(kept):
            states, now = {key: file_state(path)}, self._clock()
            try:
                kept = _Kept(read(), states, checked=now)
            except FAULTS as error:
                kept = _Kept(error, states, checked=now)
            self._found[key] = kept
        found: T = kept.get()
        return found

    def take(self, path: Path, read: Callable[[], T]) -> T:
        """Return what was kept, unless the file has changed since; otherwise read it now."""
        key = path.absolute()
        kept = self._found.get(key)
        if kept is None or not self._is_recent(kept):
            self._found.pop(key, None)
            return read()
        if not kept.is_watched:
            del self._found[key]
        found: T = kept.get()
        return found

    def update(self, other: ReadAhead, contents: Callable[[Path], Contents] | None = None) -> None:
        """Take over what another one keeps, and the `contents` of its files."""
        for path, kept in tuple(other._found.items()):  # another thread may add some
            self._found[path] = _with_contents(kept, path, contents)

    def watch(
        self,
        other: ReadAhead,
        depends_on: Callable[[Path], Iterable[Path]],
        contents: Callable[[Path], Contents] | None = None,
    ) -> None:
        """Take over what another one keeps, and the states of the files that each depends on."""
        for path, kept in tuple(other._found.items()):  # another thread may add some
            states = {each: file_state(each) for each in depends_on(path)}
            watched = replace(kept, states={**states, **kept.states}, is_watched=True)
            self._found[path] = _with_contents(watched, path, contents)

    def contents(self, path: Path) -> Contents | None:
        """Return the contents of the files that `take` would use; None if they are not known."""
        kept = self._found.get(path.absolute())
        return kept.contents if kept is not None and self._is_recent(kept) else None

    def has_fresh(self, path: Path) -> bool:
        """Return whether the file has not changed since it was read."""
        kept = self._found.get(path.absolute())
        if kept is None or not kept.is_fresh():
            return False
        self._found[path.absolute()] = replace(kept, checked=self._clock())
        return True

    def is_faulty(self, path: Path) -> bool:
        """Return whether an error is kept instead of what a file holds."""
        kept = self._found.get(path.absolute())
        return kept is not None and isinstance(kept.value, Exception)

    def _is_recent(self, kept: _Kept) -> bool:
        return self._clock() - kept.checked < self.max_age or kept.is_fresh()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files that are kept."""
        return tuple(self._found)


def _with_contents(kept: _Kept, path: Path, contents: Callable[[Path], Contents] | None) -> _Kept:
    """Add the contents of files, unless one has changed since it was read."""
    if contents is None or isinstance(kept.value, Exception):
        return kept
    found = contents(path)
    return replace(kept, contents=found) if kept.is_fresh() else kept
