"""A progress bar on stderr, if that is a terminal."""

from __future__ import annotations

__all__ = ["Progress"]


class Progress:
    """Counts to a number; shown while a command works."""

    def __init__(self, count: int, title: str) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        console = Console(stderr=True)
        self._bar = Bar(console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(title, total=count)

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def advance(self, _: object = None) -> None:
        """Count one more."""
        self._bar.advance(self._task)

    def add(self, count: int) -> None:
        """Count further ones."""
        self._bar.advance(self._task, count)
