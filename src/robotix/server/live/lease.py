"""Who drives: one page at a time, the others watch."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["LeaseBook"]


class LeaseBook:
    """Knows the page in control, by its name; `on_change` is called after every change."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self.holder = ""  # nobody
        self.version = 1  # counts changes
        self._on_change = on_change

    def ask(self, name: str, *, take: bool = False) -> bool:
        """Ask for control, by force with `take`; return whether the page has it now."""
        if self.holder != name and (take or not self.holder):
            self._set(name)
        return self.holder == name

    def give(self, name: str) -> None:
        """Let go of control; whoever has not got it changes nothing."""
        if self.holder == name:
            self._set("")

    def _set(self, holder: str) -> None:
        self.holder = holder
        self.version += 1
        self._on_change()
