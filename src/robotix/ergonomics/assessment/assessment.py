"""The assessment of a task: all methods over the whole motion, in one value.

    assess(perform("lift", manikin))

gives the curves at every instant, the worst of every method with its reasons, and what was put in.
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
    lift_findings,
    posture_findings,
    strength_finding,
    task_finding,
)
from robotix.ergonomics.methods.back_models import BackModel
from robotix.ergonomics.signals.back_series import BackSeries, back_course
from robotix.ergonomics.signals.circumstances import Circumstances, circumstances_of
from robotix.ergonomics.signals.clearances import ClearanceSeries, clearances
from robotix.ergonomics.signals.job import Job
from robotix.ergonomics.signals.lift_positions import AssessedLift, lifts_of, uncovered_loads
from robotix.ergonomics.signals.load_series import LoadSeries, load_course
from robotix.ergonomics.signals.measured_angles import PostureAngles, posture_angles
from robotix.ergonomics.signals.posture_scores import PostureScores, Scorer, score_postures
from robotix.ergonomics.signals.sources import OFF_FLOOR, sole_height
from robotix.ergonomics.signals.strength_series import StrengthSeries, strength_courses
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.evaluation.joint_loads import JointLoads
from robotix.human.motion.performance import Performance

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True, eq=False)
class Assessment:
    """A task as all methods see it."""

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
    clearance: ClearanceSeries | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]  # what the methods do not cover here

    @property
    def times(self) -> Array:
        """Of all curves, s."""
        return self.performance.motion.times

    @cached_property
    def scorer(self) -> Scorer:
        """Gives the scores of single instants with their reasons."""
        return Scorer(self.performance.manikin, self.job, self.angles, self.facts)

    def finding(self, key: str) -> Finding | None:
        """Return the finding of one method: `compression`, `rula`, `lifting_index`, …."""
        return next((found for found in self.findings if found.key == key), None)

    @property
    def severity(self) -> Severity:
        """How bad the worst finding is; what is unverified has no part in it."""
        return max((found.severity for found in self.findings), key=SEVERITIES.index)

    def seconds_above(self, limit: float) -> float:
        """Return for how long the compression is above a limit, N."""
        return float(self.spans()[self.back.compression > limit].sum())

    def spans(self) -> Array:
        """Return the time that each instant stands for, (N,), s."""
        times = self.times
        if len(times) == 1:
            return np.zeros(1)
        middle = (times[1:] + times[:-1]) / 2
        return np.diff(np.r_[times[0], middle, times[-1]])

    def columns(self) -> dict[str, Any]:
        """Return all curves by name, with their units, for a table."""
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
        for course in self.strengths:
            name = course.label.replace(" ", "_")
            curves[f"{name} [N m]"] = course.moment
            if course.percent is not None:
                curves[f"{name}_capable [%]"] = course.percent
        return curves

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as plain values."""
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
    """Assess a task that was performed, a recorded motion or a posture.

    Args:
        performance: What was done; `recorded` and `held` make one from a motion or a posture.
        job: What the motion does not show.
        back: Model of the muscles at L5/S1; one muscle at 5 cm when None.
        dynamic: Count what it takes to accelerate body and loads; single postures have none of it.
        forces: Pushes and pulls on the body besides the loads, mostly at the hands.
    """
    job = Job() if job is None else job
    manikin, motion = performance.manikin, performance.motion
    course = load_course(performance, dynamic=dynamic, forces=forces)
    angles = posture_angles(manikin, motion.q)
    facts = circumstances_of(performance, course.resting, forces=forces)
    scorer = Scorer(manikin, job, angles, facts)
    scores = score_postures(scorer)
    resting_back = back_course(course.resting, angles, model=back)
    is_still = course.loads is course.resting
    moving_back = resting_back if is_still else back_course(course.loads, angles, model=back)
    strengths = strength_courses(course, age=job.age)
    lifts = lifts_of(performance, job)
    return Assessment(
        performance=performance,
        job=job,
        loads=course.loads,
        angles=angles,
        facts=facts,
        scores=scores,
        back=moving_back,
        resting_back=resting_back,
        strengths=strengths,
        lifts=lifts,
        clearance=clearances(performance),
        findings=(
            task_finding(performance),
            *back_findings(moving_back, motion.times),
            *lift_findings(lifts, motion.times),
            *posture_findings(scores, scorer, motion.times),
            *strength_finding(strengths, motion.times),
        ),
        notes=tuple(_notes(performance, course, strengths)),
    )


def _notes(
    performance: Performance, course: LoadSeries, strengths: Sequence[StrengthSeries]
) -> Iterator[str]:
    """Yield what should be known before the figures are believed."""
    yield from uncovered_loads(performance)
    if not course.is_borne.all():
        yield (
            f"in {_percent(~course.is_borne)} of the instants the contacts cannot bear the body: "
            "the strength of the legs is not judged there"
        )
    if course.is_settled.any():
        yield (
            f"in {_percent(course.is_settled)} of the instants the contacts cannot give the motion "
            "as fast as it is: trunk and arms count as moving slower there, the legs as at rest"
        )
    if any(np.isnan(each.demand[course.is_borne]).any() for each in strengths):
        yield (
            "strength is not judged where a joint presses against the end of its range, or is far "
            "from the angles that were measured well"
        )
    if performance.manikin.anthropometry.sex == "female":
        yield "strength of trunk and arms is known for young men only: not judged here"
    off = sole_height(performance)
    if abs(off) > OFF_FLOOR:
        yield (
            f"the lowest sole is {100 * off:.0f} cm off the floor: was it a body of another size?"
        )


def _percent(flags: Flags) -> str:
    return f"{max(100 * float(np.mean(flags)), 1):.0f} %"


def _lift_as_dict(lift: AssessedLift) -> dict[str, Any]:
    return {
        "load": lift.load,
        **{
            end.place: {
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
