"""Calling what others wrote: whatever it does wrong, the room goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

__all__ = ["ReportError", "call_safely"]

ReportError: TypeAlias = Callable[[str, Exception], None]  # who, and what went wrong


def call_safely(who: str, run: Callable[[], object], report: ReportError) -> bool:
    """Run it; report what it raises, also when it tries to end the program. Return if all is well.

    Ctrl-C passes through: it is not meant for whoever happens to run.
    """
    try:
        run()
    except Exception as error:
        report(who, error)
    except SystemExit as error:
        report(who, RuntimeError(f"tried to end the program by {error!r}"))
    else:
        return True
    return False
