"""How well a manikin followed a recorded person."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RecordingFit"]


@dataclass(frozen=True)
class RecordingFit:
    """How well a manikin followed a recording; see `FollowReport` of `robotix.capture`."""

    summary: str  # errors and slip in words
    problems: tuple[str, ...] = ()  # why it does not count as followed; empty if it does

    @property
    def success(self) -> bool:
        """Whether the manikin followed the recording."""
        return not self.problems
