"""The assessment of a task: all methods applied to every instant of a motion.

    assess(perform("lift", manikin))

returns the time series, the worst instant of every method with its reasons, and the inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from robotix.dynamics import PointWrench
from robotix.dynamics.supports import Flags
from robotix.ergonomics.assessment.finding import SEVERITIES, Finding, Severity
from robotix.ergonomics.assessment.findings import (
    back_findings,
    handling_findings,
    lift_findings,
    posture_findings,
    strength_finding,
    task_finding,
    without_verdicts,
)
from robotix.ergonomics.methods.back.back_models import BackModel
from robotix.ergonomics.methods.manual_handling.reference_mass import Lifters
from robotix.ergonomics.signals.back_series import BackSeries, back_series
from robotix.ergonomics.signals.circumstances import Circumstances, circumstances_of
from robotix.ergonomics.signals.clearances import ClearanceSeries, clearances
from robotix.ergonomics.signals.handled_loads import (
    HandledLoad,
    RepeatedLoads,
    handled_loads,
    repeated_loads,
)
from robotix.ergonomics.signals.job import Job
from robotix.ergonomics.signals.lift_positions import AssessedLift, lifts_of, uncovered_loads
from robotix.ergonomics.signals.load_series import LoadSeries, load_series
from robotix.ergonomics.signals.measured_angles import PostureAngles, posture_angles
from robotix.ergonomics.signals.posture_scores import PostureScores, Scorer, score_postures
from robotix.ergonomics.signals.sources import MAX_SOLE_OFFSET, sole_height
from robotix.ergonomics.signals.strength_series import (
    StrengthSeries,
    judged_ankles,
    strength_series,
)
from robotix.geometry import Array
from robotix.human.body.anthropometry import survey_notes
from robotix.human.body.skeleton import SIDES
from robotix.human.evaluation.joint_loads import JointLoads, hand_wrench
from robotix.human.motion.gaze import neck_angles
from robotix.human.motion.performance import Performance

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True, eq=False)
class Assessment:
    """The results of all methods for one performance.

    Examples:
        >>> from robotix.ergonomics import held
        >>> man = rx.make_manikin(rx.make_anthropometry(sex="m"))
        >>> standing = rx.Posture(man.model, man.relaxed)
        >>> assessment = rx.assess(held(standing, man, load=5.0))
        >>> len(assessment.findings) > 3
        True
    """

    performance: Performance
    job: Job
    loads: JointLoads  # torques and reactions
    angles: PostureAngles
    facts: Circumstances
    scores: PostureScores
    back: BackSeries
    resting_back: BackSeries  # the same without inertia
    strengths: tuple[StrengthSeries, ...]  # the most strained first
    lifts: tuple[AssessedLift, ...]
    handled: tuple[HandledLoad, ...]  # by the Liberty Mutual equations
    repeated: RepeatedLoads | None  # by LiFFT; None without loads
    clearance: ClearanceSeries | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]  # limitations of the results

    @property
    def times(self) -> Array:
        """Times of all series, (N,), s."""
        return self.performance.motion.times

    @cached_property
    def scorer(self) -> Scorer:
        """Scores single instants, with reasons."""
        return Scorer(self.performance.manikin, self.job, self.angles, self.facts)

    def finding(self, key: str) -> Finding | None:
        """Return the finding of one method: `compression`, `rula`, `lifting_index`, …."""
        return next((found for found in self.findings if found.key == key), None)

    @property
    def severity(self) -> Severity:
        """Severity of the worst finding; unverified findings do not count."""
        return max((found.severity for found in self.findings), key=SEVERITIES.index)

    def seconds_above(self, limit: float) -> float:
        """Return the time during which the compression exceeds a limit (N), s."""
        return float(self.spans()[self.back.compression > limit].sum())

    def spans(self) -> Array:
        """Return the duration that each row represents, (N,), s."""
        times = self.times
        if len(times) == 1:
            return np.zeros(1)
        middle = (times[1:] + times[:-1]) / 2
        return np.diff(np.r_[times[0], middle, times[-1]])

    def columns(self) -> dict[str, Any]:
        """Return all time series by name and unit, for a table."""
        back = self.back
        curves: dict[str, Any] = {
            "time [s]": self.times,
            "moment [N m]": back.moment,
            "side_moment [N m]": back.side_moment,
            "twist_moment [N m]": back.twist_moment,
            "muscle_force [N]": back.muscle_force,
            "abdominal_force [N]": back.abdominal_force,
            "compression [N]": back.compression,
            "compression_low [N]": back.band[0],
            "compression_high [N]": back.band[1],
            "compression_at_rest [N]": self.resting_back.compression,
            "shear [N]": back.shear,
            "disc_angle [deg]": np.degrees(back.angle),
            "compression_level": back.compression_level,
            "shear_level": back.shear_level,
        }
        for side in SIDES:
            curves[f"rula_{side}"] = self.scores.rula[side]
            curves[f"reba_{side}"] = self.scores.reba[side]
        curves |= {"owas": self.scores.owas, "owas_code": list(self.scores.owas_code)}
        curves |= {"load [kg]": self.facts.load, **self.angles.columns()}
        if self.clearance is not None:
            curves["clearance [m]"] = self.clearance.gap
        for strength in self.strengths:
            name = strength.label.replace(" ", "_")
            curves[f"{name} [N m]"] = strength.moment
            if strength.percent is not None:
                curves[f"{name}_capable [%]"] = strength.percent
        return curves

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as plain values, for JSON."""
        performance = self.performance
        return {
            "task": performance.task,
            "body": performance.manikin.anthropometry.label,
            "style": performance.style,
            "duration": performance.motion.duration,
            "is_dynamic": self.back.is_dynamic,
            "severity": self.severity,
            "findings": [found.as_dict() for found in self.findings],
            "lifts": [_lift_as_dict(lift) for lift in self.lifts],
            "notes": list(self.notes),
        }


def assess(
    performance: Performance,
    *,
    job: Job | None = None,
    back: BackModel | None = None,
    dynamic: bool = True,
    forces: Sequence[PointWrench] = (),
) -> Assessment:
    """Assess a performed task, a recorded motion or a posture by all methods.

    Args:
        performance: From `perform`, `load_performance`, `recorded` (motion) or `held` (posture).
        job: Circumstances that the motion does not contain.
        back: Model of the muscles at L5/S1; ten muscles in three dimensions when None.
        dynamic: Include the inertia of body and loads; a single posture has none.
        forces: External forces on the body other than the loads, mostly at the hands.

    Examples:
        >>> from robotix.ergonomics import held
        >>> man = rx.make_manikin(rx.make_anthropometry(sex="m"))
        >>> rx.assess(held(rx.Posture(man.model, man.relaxed), man, load=5.0)).findings[0].what
        'Task'
    """
    job = Job() if job is None else job
    manikin, times = performance.manikin, performance.motion.times
    forces = [*forces, *(hand_wrench(each, times) for each in performance.hand_forces)]
    series = load_series(performance, dynamic=dynamic, forces=forces)
    angles = posture_angles(manikin, performance.motion.q, neck_angles(performance))
    facts = circumstances_of(performance, series.resting, forces=forces)
    scorer = Scorer(manikin, job, angles, facts)
    scores = score_postures(scorer)
    moving_back, resting_back = _backs(series, angles, back)
    strengths = strength_series(series, age=job.age, ankles=judged_ankles(performance, facts))
    lifts, repeated = lifts_of(performance, job), repeated_loads(performance, job)
    handled, sex = handled_loads(performance, lifts, job), manikin.anthropometry.sex
    findings: list[Finding] = [
        task_finding(performance),
        *back_findings(moving_back, times, sex=sex),
        *lift_findings(lifts, times, lifters=Lifters(sex=sex, age=job.years)),
        *handling_findings(handled, repeated, times, sex=sex),
        *posture_findings(scores, scorer, times),
        *strength_finding(strengths, times),
    ]
    return Assessment(
        performance=performance,
        job=job,
        loads=series.loads,
        angles=angles,
        facts=facts,
        scores=scores,
        back=moving_back,
        resting_back=resting_back,
        strengths=strengths,
        lifts=lifts,
        handled=handled,
        repeated=repeated,
        clearance=clearances(performance),
        findings=_judged(performance, findings),
        notes=tuple(_notes(performance, series, strengths, handled)),
    )


def _backs(
    series: LoadSeries, angles: PostureAngles, model: BackModel | None
) -> tuple[BackSeries, BackSeries]:
    """Return the loads of the back with inertia, and without."""
    resting = back_series(series.resting, angles, model=model)
    if series.loads is series.resting:
        return resting, resting
    return back_series(series.loads, angles, model=model), resting


def _judged(performance: Performance, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings, without verdicts of a recording that was not followed."""
    was_followed = performance.tracking is None or performance.tracking.success
    return tuple(findings if was_followed else without_verdicts(findings))


def _notes(
    performance: Performance,
    series: LoadSeries,
    strengths: Sequence[StrengthSeries],
    handled: Sequence[HandledLoad],
) -> Iterator[str]:
    """Yield the limitations of the results for this performance."""
    yield from (each.why_not for each in handled if each.why_not)
    yield from survey_notes(performance.manikin.anthropometry)
    yield from uncovered_loads(performance)
    if not series.is_supported.all():
        yield (
            f"in {_percent(~series.is_supported)} of the instants no contact forces support the "
            "body: the strength of the legs is not judged there"
        )
    if series.is_quasi_static.any():
        yield (
            f"in {_percent(series.is_quasi_static)} of the instants no contact forces produce the "
            "accelerations: those of trunk and arms are scaled down there, the legs treated as at "
            "rest"
        )
    if any(np.isnan(each.demand[series.is_supported]).any() for each in strengths):
        yield (
            "strength is not judged where a joint presses against the end of its range, or is far "
            "from the angles of the strength data"
        )
    if performance.tracking is None and len(performance.motion.times) > 1:
        yield (
            "the strength of the ankles is not judged: their torque follows from where the rule of "
            "balance puts the pressure under the feet"
        )
    if performance.tracking is not None and any(
        phase.contact.name.endswith("_hand") for phase in performance.contacts
    ):
        yield (
            "hands touch something: their forces are the least that support the body, not what was "
            "measured; a push or pull may be larger"
        )
    if performance.manikin.anthropometry.sex == "female":
        yield "strength data of trunk and arms exist for young men only: not judged here"
    offset = sole_height(performance)
    if abs(offset) > MAX_SOLE_OFFSET:
        yield (
            f"the lowest sole is {100 * offset:.0f} cm off the floor: is the body of another size?"
        )


def _percent(flags: Flags) -> str:
    return f"{max(100 * float(np.mean(flags)), 1):.0f} %"


def _lift_as_dict(lift: AssessedLift) -> dict[str, Any]:
    return {
        "load": lift.load,
        **{
            end.end: {
                "horizontal": end.result.lift.horizontal,
                "vertical": end.result.lift.vertical,
                "distance": end.result.lift.distance,
                "asymmetry": end.result.lift.asymmetry,
                "rwl": end.result.weight_limit,
                "li": end.result.index,
            }
            for end in (lift.origin, lift.destination)
        },
        "notes": list(lift.notes),
    }
