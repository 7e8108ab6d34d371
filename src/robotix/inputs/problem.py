"""Problems that are reported to the people who watch a room."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """Something went wrong; the room goes on without it."""

    who: str  # the rule, action, plug-in or command
    what: str
