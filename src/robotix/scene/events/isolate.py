"""Isolated calls: an error in called code is reported and does not stop the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

__all__ = ["ReportError", "call_safely"]

ReportError: TypeAlias = Callable[[str, Exception], None]  # called with who failed, and the error


def call_safely(who: str, run: Callable[[], object], report: ReportError) -> bool:
    """Call a function and report its exception, including `SystemExit`; return if it succeeded.

    KeyboardInterrupt passes through.
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
