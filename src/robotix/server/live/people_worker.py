"""Figures of people, worked out in a process of its own: the room's loop has the other to itself.

A body or a performance is told once and known by a number from then on; after that, postures come
in and states go out.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from robotix.geometry import Array
from robotix.server.wire.people import PersonState

if TYPE_CHECKING:
    from robotix.human import Manikin
    from robotix.human.motion.performance import Performance

__all__ = ["Asked", "AssessedBody", "learn", "prepare", "work_out"]

AssessedBody: TypeAlias = (
    "Manikin | Performance"  # a body that nobody says anything about, or a task
)


@dataclass(frozen=True, eq=False)
class Asked:
    """A posture that figures are wanted of."""

    number: int  # of the subject
    q: Array
    time: float  # s of the performance


_SUBJECTS: dict[int, AssessedBody] = {}  # of this process


def prepare() -> None:
    """Get a new process ready."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it


def learn(number: int, subject: AssessedBody) -> None:
    """Remember who is meant by a number."""
    _SUBJECTS[number] = subject


def work_out(asked: list[Asked]) -> list[PersonState]:
    """Return the states, in the frames of the bases; one that cannot be has only a note."""
    return [_state(each) for each in asked]


def _state(asked: Asked) -> PersonState:
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
        return PersonState("", note=f"Nothing is known: {error}")
