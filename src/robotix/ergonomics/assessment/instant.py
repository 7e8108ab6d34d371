"""One instant assessed by all methods, for live display.

An instant of a task is a row of the series of the whole task, with inertia; any other posture is
treated as static. An instant also contains the balance: centre of mass, centre of pressure and
support polygon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import numpy as np

from robotix.ergonomics.methods.back.back_models import BackModel
from robotix.ergonomics.methods.posture.owas import OwasResult
from robotix.ergonomics.methods.posture.reba import RebaResult
from robotix.ergonomics.methods.posture.rula import RulaResult
from robotix.ergonomics.signals.back_series import BackSeries, back_series
from robotix.ergonomics.signals.circumstances import circumstances_of
from robotix.ergonomics.signals.job import Job
from robotix.ergonomics.signals.load_series import LoadSeries, load_series
from robotix.ergonomics.signals.measured_angles import posture_angles
from robotix.ergonomics.signals.posture_scores import Scorer
from robotix.ergonomics.signals.strength_series import (
    LEG_JOINTS,
    StrengthSeries,
    judged_ankles,
    strength_coordinates,
    strength_series,
)
from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.contacts import Contact, ContactPhase, contact_positions, seat, sole
from robotix.human.motion.furniture import FLOOR
from robotix.human.motion.gaze import neck_angles
from robotix.human.motion.loads import Load, LoadPhase, model_with_loads
from robotix.human.motion.performance import Environment, Performance
from robotix.human.motion.support import level_support
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.motion import Motion, model_dofs
from robotix.motion.coordinates import step_between

__all__ = ["Instant", "Strain", "assess_instant", "assess_moment"]

SITTING_HIP_FLEXION = np.radians(45.0)  # of both hips: an unbalanced body beyond it sits
POSTURE_TOLERANCE = 1e-6  # rad or m, within which a posture is that of the motion
MIN_MOMENT = 0.5  # N m; smaller moments are not listed
FLOOR_CONTACTS = frozenset(f"{side}_{part}" for side in SIDES for part in ("foot", "toes"))

TimeSeries: TypeAlias = "tuple[LoadSeries, Scorer, BackSeries, tuple[StrengthSeries, ...]]"
# Whether the contacts were given, or derived from the posture.
SupportSource = Literal["given", "standing", "sitting"]


@dataclass(frozen=True)
class Strain:
    """Moment of a joint, against the strength of people of this sex and size."""

    joint: str  # in words, as `right knee extension`
    moment: float  # N m
    demand: float | None  # fraction of the mean strength; None where it is not judged
    percent: float | None  # of such people who are strong enough


@dataclass(frozen=True, eq=False)
class Instant:
    """The results at one row of the series; positions in the base frame."""

    contacts: tuple[Contact, ...]
    support_source: SupportSource
    com: Array  # (3,), m, including loads in the hands
    polygon: Array  # (k, 3), m: support polygon at the height of the lowest contact point
    margin: float  # m, of the CoM inside the polygon; minus infinity without contacts
    load_series: LoadSeries
    scorer: Scorer
    back: BackSeries
    strengths: tuple[StrengthSeries, ...]
    row: int

    @property
    def load(self) -> float:
        """Mass in the hands, kg."""
        return float(self.scorer.facts.load[self.row])

    @property
    def is_supported(self) -> bool:
        """Whether contact forces balance the posture at rest; else leg torques are meaningless."""
        return bool(self.load_series.is_supported[self.row])

    @property
    def is_back_known(self) -> bool:
        """Whether the load at L5/S1 is determined: unless hands support an unbalanced body."""
        return self.is_supported or not any(each.name.endswith("_hand") for each in self.contacts)

    @cached_property
    def cop(self) -> Array | None:
        """Centre of pressure of the feet, (3,), m; None without foot contact or without balance.

        At rest on the feet alone it lies under the CoM.
        """
        series = self.load_series
        loads = series.resting if series.is_quasi_static[self.row] else series.loads
        if not self.is_supported or not FLOOR_CONTACTS & loads.reactions.keys():
            return None
        centre = loads.ground().centre[self.row]
        return centre if np.isfinite(centre).all() else None

    @cached_property
    def rula(self) -> RulaResult:
        """RULA result of the worse side."""
        found = (self.scorer.rula(self.row, side) for side in SIDES)
        return max(found, key=lambda result: result.score)

    @cached_property
    def reba(self) -> RebaResult:
        """REBA result with the worse arm."""
        found = (self.scorer.reba(self.row, side) for side in SIDES)
        return max(found, key=lambda result: result.score)

    @cached_property
    def owas(self) -> OwasResult:
        """OWAS result of the posture."""
        return self.scorer.owas(self.row)

    def strains(self, *, judged: int = 5, others: int = 2) -> tuple[Strain, ...]:
        """Return the most strained joints, then the largest torques of joints without data."""
        if not self.is_back_known:
            return ()
        known = {(each.coordinate, each.curve.direction): each for each in self.strengths}
        found = []
        for coordinate, (joint, along, against) in strength_coordinates().items():
            torque = float(self.load_series.loads.torque(coordinate)[self.row])
            if abs(torque) < MIN_MOMENT or (joint in LEG_JOINTS and not self.is_supported):
                continue
            direction = along if torque > 0 else against
            side = coordinate.partition("_")[0]
            words = [*([side] if side in SIDES else []), joint, direction]
            strength = known.get((coordinate, direction))
            found.append(self._strain(" ".join(words), abs(torque), strength))
        with_data = [each for each in found if each.demand is not None]
        without = [each for each in found if each.demand is None]
        # rounded, so that the order of two equal sides does not flicker
        with_data.sort(key=lambda each: -round(each.demand or 0.0, 2))
        without.sort(key=lambda each: -round(each.moment))
        return (*with_data[:judged], *without[:others])

    def _strain(self, joint: str, moment: float, strength: StrengthSeries | None) -> Strain:
        if strength is None or not np.isfinite(strength.demand[self.row]):
            return Strain(joint, moment, None, None)
        percent = None if strength.percent is None else float(strength.percent[self.row])
        return Strain(joint, moment, float(strength.demand[self.row]), percent)


def assess_moment(performance: Performance, time: float, *, q: Array | None = None) -> Instant:
    """Assess an instant of a task; contacts and loads are those of the task at that time.

    The whole task is assessed at the first call, and cached.

    Args:
        performance: The task.
        time: Since the start of the task, s.
        q: The posture, if it may differ from that of the motion; it is then treated as static.
    """
    span, motion = performance.span_at(time), performance.motion
    if q is not None:
        expected = motion.at(float(motion.times[0]) + time)
        if abs(step_between(motion.dofs, q, end=expected)).max() > POSTURE_TOLERANCE:
            manikin = performance.manikin
            return assess_instant(manikin, q, contacts=span.contacts, loads=span.loads)
    posture = Posture(
        _model_with_loads(performance.manikin.model, span.loads), motion.q[span.first]
    )
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
    """Assess a static posture.

    Args:
        manikin: The body.
        q: Its posture, (n_dof,).
        contacts: Supporting contacts. None: the feet, and a seat if the body is not balanced on
            them and the hips are flexed.
        loads: In the hands.
        job: Circumstances that a posture does not contain.
        back: Model of the muscles at L5/S1; ten muscles in three dimensions when None.
    """
    posture = Posture(_model_with_loads(manikin.model, tuple(loads)), q)
    source: SupportSource = "given"
    if contacts is None:
        contacts, source = _contacts(manikin, posture)
    held = _held(manikin, posture.q, contacts, loads)
    series = _series_of(held, Job() if job is None else job, back)
    return _instant(posture, contacts, series, source=source)


def _instant(
    posture: Posture,
    contacts: Sequence[Contact],
    found: TimeSeries,
    *,
    row: int = 0,
    source: SupportSource = "given",
) -> Instant:
    polygon, margin = level_support(contact_positions(posture, contacts), posture.com)
    return Instant(tuple(contacts), source, posture.com, polygon, margin, *found, row)


def _series_of(performance: Performance, job: Job, back: BackModel | None) -> TimeSeries:
    """Return all series of a performance."""
    series = load_series(performance)
    neck = neck_angles(performance)
    angles = posture_angles(performance.manikin, performance.motion.q, neck)
    facts = circumstances_of(performance, series.resting)
    return (
        series,
        Scorer(performance.manikin, job, angles, facts),
        back_series(series.loads, angles, model=back),
        strength_series(series, age=job.age, ankles=judged_ankles(performance, facts)),
    )


@lru_cache(maxsize=16)
def _whole(performance: Performance) -> TimeSeries:
    return _series_of(performance, Job(), None)


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


def _contacts(manikin: Manikin, posture: Posture) -> tuple[tuple[Contact, ...], SupportSource]:
    """Return the contacts that a posture suggests."""
    soles = tuple(sole(manikin, side) for side in SIDES)
    _, margin = level_support(contact_positions(posture, soles), posture.com)
    hips = (posture.q[manikin.model.dof_index(f"{side}_hip_flexion")] for side in SIDES)
    if margin < 0 and min(hips) > SITTING_HIP_FLEXION:
        return (seat(manikin), *soles), "sitting"
    return soles, "standing"


@lru_cache(maxsize=32)
def _model_with_loads(model: Model, loads: tuple[Load, ...]) -> Model:
    """Return the model with loads in its hands; cached, since models are costly to prepare."""
    return model_with_loads(model, loads)
