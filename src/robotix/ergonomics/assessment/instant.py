"""One instant as all methods see it: what can be shown live, while somebody moves.

An instant of a task is a row of what `assess` says of the whole, inertia included; any other
posture is taken as held. Besides, an instant tells how the body is borne: the centres of mass and
of pressure, and the support polygon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import numpy as np

from robotix.ergonomics.methods.back_models import BackModel
from robotix.ergonomics.methods.owas import OwasResult
from robotix.ergonomics.methods.reba import RebaResult
from robotix.ergonomics.methods.rula import RulaResult
from robotix.ergonomics.signals.back_series import BackSeries, back_course
from robotix.ergonomics.signals.circumstances import circumstances_of
from robotix.ergonomics.signals.job import Job
from robotix.ergonomics.signals.load_series import LoadSeries, load_course
from robotix.ergonomics.signals.measured_angles import posture_angles
from robotix.ergonomics.signals.posture_scores import Scorer
from robotix.ergonomics.signals.strength_series import (
    LEG_JOINTS,
    StrengthSeries,
    strength_coordinates,
    strength_courses,
)
from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.contacts import Contact, ContactPhase, contact_places, seat, sole
from robotix.human.motion.furniture import FLOOR
from robotix.human.motion.loads import Load, LoadPhase, loaded
from robotix.human.motion.performance import Environment, Performance
from robotix.human.motion.support import level_support
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.motion import Motion, model_dofs
from robotix.motion.coordinates import step_between

__all__ = ["Instant", "Strain", "assess_instant", "assess_moment"]

FLEXED = np.radians(45.0)  # of both hips: whom the feet cannot bear then, sits
NEAR = 1e-6  # rad or m: so near, a posture is that of the motion
SLIGHT = 0.5  # N m: less is not worth a word
FLOOR_CONTACTS = frozenset(f"{side}_{part}" for side in SIDES for part in ("foot", "toes"))

TimeSeries: TypeAlias = "tuple[LoadSeries, Scorer, BackSeries, tuple[StrengthSeries, ...]]"
Borne = Literal["told", "standing", "sitting"]  # by whom bears: told, or taken from the posture


@dataclass(frozen=True)
class Strain:
    """What a joint gives, against what such people can give."""

    joint: str  # in words, as `right knee extension`
    moment: float  # N m
    demand: float | None  # of the mean strength; none where it is not judged
    percent: float | None  # of such people who can


@dataclass(frozen=True, eq=False)
class Instant:
    """What is true at one row of a course; places in the frame of the base."""

    contacts: tuple[Contact, ...]
    borne: Borne
    com: Array  # (3,), m, with what the hands hold
    polygon: Array  # (k, 3), m: the support from above, at the height of the lowest that bears
    margin: float  # m, of the centre of mass inside; minus infinity without contacts
    course: LoadSeries
    scorer: Scorer
    back: BackSeries
    strengths: tuple[StrengthSeries, ...]
    row: int

    @property
    def load(self) -> float:
        """Mass in the hands, kg."""
        return float(self.scorer.facts.load[self.row])

    @property
    def is_borne(self) -> bool:
        """Whether the contacts can bear it at rest; else torques of the legs mean nothing."""
        return bool(self.course.is_borne[self.row])

    @property
    def is_back_known(self) -> bool:
        """Whether L5/S1 is known: what is above it is, unless hands bear what nobody can tell."""
        return self.is_borne or not any(each.name.endswith("_hand") for each in self.contacts)

    @cached_property
    def cop(self) -> Array | None:
        """Where floor, steps or rungs press on the feet; none where they do not, or nobody knows.

        Of a body at rest on its feet it is under the centre of mass. A seat or hands bear the rest.
        """
        course = self.course
        loads = course.resting if course.is_settled[self.row] else course.loads
        if not self.is_borne or not FLOOR_CONTACTS & loads.reactions.keys():
            return None
        centre = loads.ground().centre[self.row]
        return centre if np.isfinite(centre).all() else None

    @cached_property
    def rula(self) -> RulaResult:
        """RULA of the side that is worse."""
        found = (self.scorer.rula(self.row, side) for side in SIDES)
        return max(found, key=lambda result: result.score)

    @cached_property
    def reba(self) -> RebaResult:
        """REBA with the arm that is worse."""
        found = (self.scorer.reba(self.row, side) for side in SIDES)
        return max(found, key=lambda result: result.score)

    @cached_property
    def owas(self) -> OwasResult:
        """OWAS of the posture."""
        return self.scorer.owas(self.row)

    def strains(self, *, judged: int = 5, others: int = 2) -> tuple[Strain, ...]:
        """Return the most strained joints, then the largest torques of joints without data."""
        if not self.is_back_known:
            return ()
        known = {(each.coordinate, each.curve.direction): each for each in self.strengths}
        found = []
        for coordinate, (joint, along, against) in strength_coordinates().items():
            torque = float(self.course.loads.torque(coordinate)[self.row])
            if abs(torque) < SLIGHT or (joint in LEG_JOINTS and not self.is_borne):
                continue
            direction = along if torque > 0 else against
            side = coordinate.partition("_")[0]
            words = [*([side] if side in SIDES else []), joint, direction]
            course = known.get((coordinate, direction))
            found.append(self._strain(" ".join(words), abs(torque), course))
        with_data = [each for each in found if each.demand is not None]
        without = [each for each in found if each.demand is None]
        # Rounded: of two sides that do the same, the order should not change all the time.
        with_data.sort(key=lambda each: -round(each.demand or 0.0, 2))
        without.sort(key=lambda each: -round(each.moment))
        return (*with_data[:judged], *without[:others])

    def _strain(self, joint: str, moment: float, course: StrengthSeries | None) -> Strain:
        if course is None or not np.isfinite(course.demand[self.row]):
            return Strain(joint, moment, None, None)
        percent = None if course.percent is None else float(course.percent[self.row])
        return Strain(joint, moment, float(course.demand[self.row]), percent)


def assess_moment(performance: Performance, time: float, *, q: Array | None = None) -> Instant:
    """Assess what somebody does at a time of a task, which tells what bears and what is held.

    The whole task is assessed when first asked for, and then looked up.

    Args:
        performance: The task.
        time: Since its beginning, s.
        q: The posture, where it may be another than that of the motion; it is taken as held then.
    """
    span, motion = performance.span_at(time), performance.motion
    if q is not None:
        expected = motion.at(float(motion.times[0]) + time)
        if abs(step_between(motion.dofs, q, end=expected)).max() > NEAR:
            manikin = performance.manikin
            return assess_instant(manikin, q, contacts=span.contacts, loads=span.loads)
    posture = Posture(_laden(performance.manikin.model, span.loads), motion.q[span.first])
    return _instant(posture, span.contacts, _whole(performance), row=span.first)


def assess_instant(
    manikin: Manikin,
    q: Array,
    *,
    contacts: Sequence[Contact] | None = None,
    loads: Sequence[Load] = (),
    job: Job | None = None,
    back: BackModel | None = None,
) -> Instant:
    """Assess a posture that is held.

    Args:
        manikin: The body.
        q: Its posture, (n_dof,).
        contacts: What bears. None: the feet, and a seat, too, where they cannot and hips are bent.
        loads: What the hands hold.
        job: What no posture shows.
        back: Model of the muscles at L5/S1; one muscle at 5 cm when None.
    """
    posture = Posture(_laden(manikin.model, tuple(loads)), q)
    borne: Borne = "told"
    if contacts is None:
        contacts, borne = _contacts(manikin, posture)
    held = _held(manikin, posture.q, contacts, loads)
    course = _course(held, Job() if job is None else job, back)
    return _instant(posture, contacts, course, borne=borne)


def _instant(
    posture: Posture,
    contacts: Sequence[Contact],
    found: TimeSeries,
    *,
    row: int = 0,
    borne: Borne = "told",
) -> Instant:
    polygon, margin = level_support(contact_places(posture, contacts), posture.com)
    return Instant(tuple(contacts), borne, posture.com, polygon, margin, *found, row)


def _course(performance: Performance, job: Job, back: BackModel | None) -> TimeSeries:
    """Return what there is to know at all rows of a performance."""
    course = load_course(performance)
    angles = posture_angles(performance.manikin, performance.motion.q)
    facts = circumstances_of(performance, course.resting)
    return (
        course,
        Scorer(performance.manikin, job, angles, facts),
        back_course(course.loads, angles, model=back),
        strength_courses(course, age=job.age),
    )


@lru_cache(maxsize=16)
def _whole(performance: Performance) -> TimeSeries:
    return _course(performance, Job(), None)


def _held(
    manikin: Manikin, q: Array, contacts: Sequence[Contact], loads: Sequence[Load]
) -> Performance:
    return Performance(
        "posture",
        manikin,
        Motion(model_dofs(manikin.model), np.zeros(1), q[None]),
        tuple(ContactPhase(contact, 0.0, 0.0) for contact in contacts),
        tuple(LoadPhase(load, 0.0, 0.0) for load in loads),
        Environment(FLOOR),
        (),
    )


def _contacts(manikin: Manikin, posture: Posture) -> tuple[tuple[Contact, ...], Borne]:
    """Return what bears a body of which nobody says it."""
    soles = tuple(sole(manikin, side) for side in SIDES)
    _, margin = level_support(contact_places(posture, soles), posture.com)
    hips = (posture.q[manikin.model.dof_index(f"{side}_hip_flexion")] for side in SIDES)
    if margin < 0 and min(hips) > FLEXED:
        return (seat(manikin), *soles), "sitting"
    return soles, "standing"


@lru_cache(maxsize=32)
def _laden(model: Model, loads: tuple[Load, ...]) -> Model:
    """Return the body with loads in its hands, made once: models are costly to get ready."""
    return loaded(model, loads)
