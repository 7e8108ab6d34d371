"""How far a command is, on stderr, if that is a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

__all__ = ["Progress", "prints_to_terminal"]


def prints_to_terminal() -> bool:
    """Return whether lines that a command prints are read as they come."""
    return sys.stdout.isatty()


class Progress:
    """A bar that counts to a number; without one it says what is done, and for how long."""

    def __init__(self, count: int | None, title: str, *, is_shown: bool = True) -> None:
        self._count, self._title = count, title
        self._is_shown = is_shown and sys.stderr.isatty()
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        if self._is_shown:
            self._bar = _make_bar(is_counted=self._count is not None)
            self._task = self._bar.add_task(self._title, total=self._count)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, _: object = None) -> None:
        """Count one more."""
        self.add(1)

    def add(self, count: int) -> None:
        """Count further ones."""
        if self._bar is not None:
            self._bar.advance(self._task, count)


def _make_bar(*, is_counted: bool) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    # What the command prints goes where it always goes, and not to stderr.
    if is_counted:
        return Bar(console=Console(stderr=True), transient=True, redirect_stdout=False)
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    return Bar(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
