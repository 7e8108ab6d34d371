"""From time series to findings: the worst instant of every method."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from robotix.ergonomics.assessment.finding import Finding
from robotix.ergonomics.methods.back.low_back import compression_levels_by_sex
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.methods.manual_handling.reference_mass import Lifters, reference_mass_index
from robotix.ergonomics.methods.verdict import Level, ScoreStep, judge, no_verdict
from robotix.ergonomics.signals.back_series import BackSeries
from robotix.ergonomics.signals.handled_loads import HandledLoad, RepeatedLoads
from robotix.ergonomics.signals.lift_positions import AssessedLift
from robotix.ergonomics.signals.posture_scores import PostureScores, Scorer
from robotix.ergonomics.signals.strength_series import StrengthSeries
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.body.survey import Sex
from robotix.human.motion.performance import Performance
from robotix.human.motion.recording_fit import RecordingFit

__all__ = [
    "back_findings",
    "handling_findings",
    "lift_findings",
    "posture_findings",
    "strength_finding",
    "task_finding",
    "without_verdicts",
]


def task_finding(performance: Performance) -> Finding:
    """Return whether the body completes the task, or follows the recording."""
    if performance.tracking is not None:
        return _tracking_finding(performance, performance.tracking)
    steps = tuple(
        ScoreStep(shortfall.what, 100 * shortfall.missing, str(shortfall))
        for shortfall in performance.shortfalls
    )
    levels = (
        Level(0, "can be done", "the body gets to the end of the task"),
        Level(math.inf, "cannot be done", "the body cannot do it like this"),
    )
    last = len(performance.motion.times) - 1
    return Finding(
        "task",
        "Task",
        len(steps),
        "shortfalls",
        last,
        float(performance.motion.times[last]),
        judge(len(steps), levels),
        steps,
        (),
        note="; ".join(step.reason for step in steps),
    )


def _tracking_finding(performance: Performance, tracking: RecordingFit) -> Finding:
    steps = tuple(ScoreStep(problem, 1.0, problem) for problem in tracking.problems)
    levels = (
        Level(0, "followed", "the body moves as recorded"),
        Level(math.inf, "not followed", "the body does not move as recorded: no verdict"),
    )
    last = len(performance.motion.times) - 1
    return Finding(
        "task",
        "Recording",
        len(steps),
        "problems",
        last,
        float(performance.motion.times[last]),
        judge(len(steps), levels),
        steps,
        (),
        note="; ".join((tracking.summary, *tracking.problems)),
    )


def without_verdicts(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings of a motion that was not followed: figures, but no verdicts."""
    for found in findings:
        if found.key == "task":
            yield found
            continue
        note = found.note
        if found.key == "compression":
            note = note.split("; ")[0]  # the band, without what women or men may bear
        yield replace(found, verdict=no_verdict("recording not followed"), note=note)


def back_findings(back: BackSeries, times: Array, *, sex: Sex) -> Iterator[Finding]:
    """Yield the highest compression, also by the limits of women or men, and the highest shear."""
    row = int(np.argmax(back.compression))
    low, high = (float(edge[row]) for edge in back.band)
    yield Finding(
        "compression",
        "L5/S1 compression",
        float(back.compression[row]),
        "N",
        row,
        float(times[row]),
        back.compression_verdict(row),
        back.steps(row),
        (*back.sources, load_low_back().limits.by_sex_provenance),
        note=f"{low:.0f} to {high:.0f} N over published models of the muscles; "
        + _limit_by_sex(float(back.compression[row]), sex),
    )
    row = int(np.argmax(back.shear))
    yield Finding(
        "shear",
        "L5/S1 shear",
        float(back.shear[row]),
        "N",
        row,
        float(times[row]),
        back.shear_verdict(row),
        back.steps(row),
        back.sources,
        note=f"disc at {np.degrees(back.angle[row]):.0f}° from the horizontal",
    )


def _limit_by_sex(compression: float, sex: Sex) -> str:
    low, high = load_low_back().limits.by_sex[sex]
    verdict = judge(compression, compression_levels_by_sex(sex))
    edges = (f", up to {low:g} N", f", {low:g} to {high:g} N", f", over {high:g} N")
    return verdict.advice + edges[verdict.level - 1]


def lift_findings(
    lifts: Sequence[AssessedLift], times: Array, *, lifters: Lifters
) -> Iterator[Finding]:
    """Yield the worst lift; its note has the index of ISO 11228-1 for these people, too."""
    if not lifts:
        return
    lift = max(lifts, key=lambda each: each.worse.result.index)
    end = lift.worse
    words = f"{lift.load}, {end.end}: limit {end.result.weight_limit:.1f} kg"
    people = max(
        (
            reference_mass_index(each.result.lift, lifters)
            for each in (lift.origin, lift.destination)
        ),
        key=lambda each: each.index,
    )
    standard = f"ISO 11228-1: {people.index:.2f} with {lifters.reference_mass:g} kg"
    yield Finding(
        "lifting_index",
        "NIOSH lifting index",
        end.result.index,
        "",
        end.row,
        float(times[end.row]),
        end.result.verdict,
        end.result.multipliers,
        (*end.result.sources, *people.sources[:3]),
        note="; ".join((words, standard, *lift.notes)),
    )


def handling_findings(
    handled: Sequence[HandledLoad], repeated: RepeatedLoads | None, times: Array, *, sex: Sex
) -> Iterator[Finding]:
    """Yield what fewest people accept, and the damage of a day of lifting."""
    judged = [(each, each.result) for each in handled if each.result is not None]
    if judged:
        load, result = min(judged, key=lambda pair: pair[1].women.percent)
        people = {"female": result.women, "male": result.men or result.women}
        own = people[sex]
        who = "Women" if own.sex == "female" else "Men"
        words = [f"{load.load}, {result.handling.kind}"]
        if own is not result.women:
            words.append(f"{result.women.percent:.0f} % of women")
        words.append(f"75 % of women accept {result.women.for_percent(75):.1f} kg")
        yield Finding(
            "acceptable",
            f"{who} who accept it",
            own.percent,
            "%",
            load.row,
            float(times[load.row]),
            result.verdict,
            own.steps,
            result.sources,
            note="; ".join(words),
        )
    if repeated is not None:
        found = repeated.result
        yield Finding(
            "lifft",
            "LiFFT, high-risk job",
            100 * found.probability,
            "%",
            repeated.row,
            float(times[repeated.row]),
            found.verdict,
            found.steps,
            found.sources,
            note=f"damage {found.damage:.2g} a day; {found.steps[0].reason}",
        )


def posture_findings(scores: PostureScores, scorer: Scorer, times: Array) -> Iterator[Finding]:
    """Yield the worst instant by RULA, by REBA and by OWAS."""
    side = max(SIDES, key=lambda side: int(scores.rula[side].max()))
    row = int(np.argmax(scores.rula[side]))
    arm = scorer.rula(row, side)
    yield Finding(
        "rula", "RULA", arm.score, "", row, float(times[row]), arm.verdict, arm.steps, arm.sources,
        note=f"{side} side; arm {arm.score_c}, body {arm.score_d}",
    )  # fmt: skip
    side = max(SIDES, key=lambda side: int(scores.reba[side].max()))
    row = int(np.argmax(scores.reba[side]))
    body = scorer.reba(row, side)
    yield Finding(
        "reba", "REBA", body.score, "", row, float(times[row]), body.verdict, body.steps,
        body.sources, note=f"{side} arm; A {body.score_a}, B {body.score_b}, C {body.score_c}",
    )  # fmt: skip
    row = int(np.argmax(scores.owas))
    code = scorer.owas(row)
    yield Finding(
        "owas", "OWAS", code.category, "", row, float(times[row]), code.verdict, code.steps,
        code.sources, note=f"code {code.code}",
    )  # fmt: skip


def strength_finding(series: Sequence[StrengthSeries], times: Array) -> Iterator[Finding]:
    """Yield the joint with the fewest capable people, and the most strained joint without data."""
    counted = [joint for joint in series if joint.percent is not None]
    if counted:
        joint = min(counted, key=lambda c: c.worst.percent_capable or 0.0)
        percent = joint.worst.percent_capable or 0.0
        yield _of_strength(joint, times, key="capable", what="Strong enough", value=percent)
    others = [joint for joint in series if joint.percent is None]
    if others:
        joint = max(others, key=lambda c: c.worst.demand)
        percent = 100 * joint.worst.demand
        yield _of_strength(joint, times, key="demand", what="Share of strength", value=percent)


def _of_strength(
    joint: StrengthSeries, times: Array, *, key: str, what: str, value: float
) -> Finding:
    found = joint.worst
    strength = found.strength
    spread = "one man measured" if strength.sd is None else f"spread {strength.sd:.0f} N m"
    steps = (
        ScoreStep("moment, N m", found.moment, joint.label),
        ScoreStep("strength, N m", strength.mean, f"mean; {spread}"),
        ScoreStep("share, %", 100 * found.demand, "of the mean strength"),
    )
    return Finding(
        key,
        what,
        value,
        "%",
        joint.row,
        float(times[joint.row]),
        found.verdict,
        steps,
        found.sources,
        note=f"{joint.label}, {found.moment:.0f} N m; {_sample(strength.sd)}",
    )


def _sample(sd: float | None) -> str:
    return "one man measured" if sd is None else "of groups of 3 to 7 people measured"
