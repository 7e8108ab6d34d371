"""The lifts of a performance, as inputs of the revised NIOSH equation.

The hands are the midpoint of both grips, the ankles the midpoint of both ankle joints; heights are
above the soles. Asymmetry is the horizontal angle between the heading of the feet and the direction
from ankles to hands. Origin and destination are the positions of grasp and release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from robotix.ergonomics.methods.manual_handling.lifting import Lift, LiftingResult, lifting_index
from robotix.ergonomics.signals.job import Job
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.loads import LoadPhase
from robotix.human.motion.performance import Performance
from robotix.kinematics import Posture

__all__ = ["AssessedLift", "LiftPosition", "lifts_of", "uncovered_loads"]

LiftEnd: TypeAlias = Literal["origin", "destination"]

# m; a longer displacement of the feet with a load, about two steps, is carrying.
MIN_CARRY_DISTANCE = 1.0


@dataclass(frozen=True)
class LiftPosition:
    """One end of a lift."""

    end: LiftEnd
    row: int
    result: LiftingResult


@dataclass(frozen=True)
class AssessedLift:
    """A lift of a load from origin to destination."""

    load: str
    origin: LiftPosition
    destination: LiftPosition
    notes: tuple[str, ...]  # aspects that the equation does not cover

    @property
    def worse(self) -> LiftPosition:
        """The end with the higher index."""
        return max((self.origin, self.destination), key=lambda end: end.result.index)


@dataclass(frozen=True)
class _Hands:
    """Position of the hands at a row, m and rad."""

    row: int
    horizontal: float
    vertical: float
    asymmetry: float


def lifts_of(performance: Performance, job: Job) -> tuple[AssessedLift, ...]:
    """Return every two-handed lift of a performance."""
    return tuple(
        _assessed(performance, phase, job) for phase in performance.loads if _is_covered(phase)
    )


def uncovered_loads(performance: Performance) -> Iterator[str]:
    """Yield descriptions of loads that the equation does not cover."""
    for phase in performance.loads:
        if phase.load.mass > 0 and not _is_covered(phase):
            yield f"{phase.load.name}: one hand; the lifting equation is made for two"


def _is_covered(phase: LoadPhase) -> bool:
    return len(phase.load.hands) == 2 and phase.load.mass > 0


def _assessed(performance: Performance, phase: LoadPhase, job: Job) -> AssessedLift:
    rows = performance.row_at(phase.start), performance.row_at(phase.end)
    taken, put = (_hands_at(performance, row) for row in rows)
    travel = abs(put.vertical - taken.vertical)

    def place(name: LiftEnd, at: _Hands) -> LiftPosition:
        lift = Lift(
            load=phase.load.mass,
            horizontal=at.horizontal,
            vertical=at.vertical,
            distance=travel,
            asymmetry=at.asymmetry,
            per_minute=job.per_minute,
            hours=job.hours,
            coupling=job.coupling,
        )
        return LiftPosition(name, at.row, lifting_index(lift))

    notes = tuple(_notes(performance, phase, rows))
    return AssessedLift(phase.load.name, place("origin", taken), place("destination", put), notes)


def _hands_at(performance: Performance, row: int) -> _Hands:
    posture = Posture(performance.manikin.model, performance.motion.q[row])
    hands = np.mean([posture.position(f"{side}_hand") for side in SIDES], axis=0)
    ankles = np.mean([posture.position(f"{side}_ankle") for side in SIDES], axis=0)
    floor = np.mean([posture.position(f"{side}_foot")[2] for side in SIDES])
    ahead = np.sum([posture.pose(f"{side}_foot").rotation[:, 0] for side in SIDES], axis=0)
    direction = (hands - ankles)[:2]
    angle = np.arctan2(direction[1], direction[0]) - np.arctan2(ahead[1], ahead[0])
    angle = abs((angle + np.pi) % (2 * np.pi) - np.pi)
    distance = float(np.linalg.norm(direction))
    return _Hands(
        row,
        distance,
        max(float(hands[2] - floor), 0.0),
        float(angle) if distance > 0.01 else 0.0,  # no direction straight above the ankles
    )


def _notes(performance: Performance, phase: LoadPhase, rows: tuple[int, int]) -> Iterator[str]:
    model = performance.manikin.model
    start, end = (Posture(model, performance.motion.q[row]) for row in rows)
    displacements = [
        end.position(f"{side}_ankle") - start.position(f"{side}_ankle") for side in SIDES
    ]
    distance = float(np.linalg.norm(np.mean(displacements, axis=0)[:2]))
    if distance > MIN_CARRY_DISTANCE:
        yield f"carried over {distance:.1f} m, which the lifting equation does not cover"
    if phase.end >= performance.motion.times[-1]:
        yield "not put down: the destination is where it is held at the end"
    if any(contact.contact.name == "seat" for contact in performance.contacts):
        yield "the lifting equation does not cover lifting while seated"
