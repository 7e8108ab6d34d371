"""What a room asks of the person who drives in it, for pages and headsets to show."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TaskDisplay"]


@dataclass(frozen=True)
class TaskDisplay:
    """What to do now, what was wrong, what is left."""

    now: str
    wrong: str = ""  # what went wrong a moment ago
    left: int = 0  # goals that are not met yet
    total: int = 0
    is_stopped: bool = False  # by the experimenter
