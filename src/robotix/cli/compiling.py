"""Telling people that kernels are being compiled: when they are, and only then.

Numba itself says when it starts to compile, and it does not when it finds the kernel on disk.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import typer
from numba.core import event

from robotix.cli.kernel_loading import load_kernels_quickly

__all__ = ["CompileCounter", "Teller", "tell_when_compiling"]


class CompileCounter(event.Listener):
    """Counts the functions that Numba compiles."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: Any) -> None:
        """Count one more."""
        self.count += 1

    def on_end(self, event: Any) -> None:
        """Nothing to do."""


class Teller(CompileCounter):
    """Prints one line on stderr when the first function is compiled."""

    def on_start(self, event: Any) -> None:
        """Tell it, once."""
        if not self.count:
            typer.echo("compiling kernels, once; this takes a minute or two …", err=True)
        super().on_start(event)


@cache  # one listener a process is enough
def tell_when_compiling() -> None:
    """Print one line on stderr as soon as a kernel has to be compiled; others load quickly."""
    load_kernels_quickly()
    event.register("numba:compile", Teller())  # type: ignore[no-untyped-call]
