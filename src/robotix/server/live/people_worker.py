"""Assessment of people in a separate process, so that the loop is not slowed down.

A body or performance is sent once and referred to by a number; then postures come in and states go
out.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from robotix.files.parent_process import end_with_parent
from robotix.geometry import Array
from robotix.server.wire.people import PersonState

if TYPE_CHECKING:
    from robotix.human import Manikin
    from robotix.human.motion.performance import Performance

__all__ = ["AssessedBody", "PostureQuery", "evaluate", "initialize_process", "register_subject"]

AssessedBody: TypeAlias = "Manikin | Performance"  # a body without a task, or a task


@dataclass(frozen=True, eq=False)
class PostureQuery:
    """A posture to assess."""

    number: int  # of the subject
    q: Array
    time: float  # s of the performance


_SUBJECTS: dict[int, AssessedBody] = {}  # of this process


def initialize_process() -> None:
    """Ignore SIGINT: the server stops this process, or takes it along when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(os.getppid())


def register_subject(number: int, subject: AssessedBody) -> None:
    """Store a subject under a number."""
    _SUBJECTS[number] = subject


def evaluate(asked: list[PostureQuery]) -> list[PersonState]:
    """Return the states in the base frames; with only a note where the assessment fails."""
    return [_state(each) for each in asked]


def _state(asked: PostureQuery) -> PersonState:
    from robotix.ergonomics.assessment.instant import assess_instant, assess_moment
    from robotix.human.motion.performance import Performance
    from robotix.server.live.person_states import person_state

    subject = _SUBJECTS[asked.number]
    try:
        if isinstance(subject, Performance):
            instant = assess_moment(subject, asked.time, q=asked.q)
            return person_state(instant, task=subject.task)
        return person_state(assess_instant(subject, asked.q))
    except (ValueError, ArithmeticError) as error:
        return PersonState("", note=f"Cannot be assessed: {error}")
