"""Counting and announcing compilation: Numba reports when it starts to compile a function."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from numba.core import event

__all__ = ["CompileCounter", "CompileNotice", "announce_compiling"]


class CompileCounter(event.Listener):
    """Counts the functions that Numba compiles; those found on disk do not count."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: Any) -> None:
        """Count one more."""
        self.count += 1

    def on_end(self, event: Any) -> None:
        """Do nothing."""


class CompileNotice(CompileCounter):
    """Prints one line on stderr when the first function is compiled."""

    def on_start(self, event: Any) -> None:
        """Print the line, once."""
        if not self.count:
            sys.stderr.write("compiling kernels (first run only); this takes a minute or two …\n")
            sys.stderr.flush()
        super().on_start(event)


@cache  # one listener per process is enough
def announce_compiling() -> None:
    """Print one line on stderr as soon as a kernel has to be compiled."""
    event.register("numba:compile", CompileNotice())  # type: ignore[no-untyped-call]
