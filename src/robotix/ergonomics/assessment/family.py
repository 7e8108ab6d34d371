"""One task for many bodies: who can perform it, and which limits are exceeded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from robotix.ergonomics.assessment.assessment import assess
from robotix.ergonomics.assessment.finding import SEVERITIES, Finding, Severity
from robotix.ergonomics.methods.back.back_models import BackModel
from robotix.ergonomics.signals.job import Job
from robotix.files.worker_pool import WorkerPool
from robotix.human.body.anthropometry import Anthropometry
from robotix.human.body.manikin import make_manikin
from robotix.human.evaluation.report import measure
from robotix.human.motion.styles import style_named
from robotix.human.tasks.tasks import check_parameters, perform

__all__ = ["METHODS", "Family", "Member", "assess_family"]

# The columns of a family's table, from the keys of findings.
METHODS: Mapping[str, str] = {
    "compression": "L5/S1 compression, N",
    "shear": "L5/S1 shear, N",
    "lifting_index": "lifting index",
    "rula": "RULA",
    "reba": "REBA",
    "owas": "OWAS",
    "acceptable": "women or men who accept it, %",
}


@dataclass(frozen=True)
class Member:
    """The results of one body."""

    sex: str
    stature: float  # m
    mass: float  # kg
    is_able: bool  # completes the task in balance and without collision
    reason: str  # why not; empty if able
    findings: tuple[Finding, ...]  # up to where the task was feasible; empty after an error
    clearance: float | None = None  # m, smallest; None without furniture

    @property
    def label(self) -> str:
        """The body in words."""
        return f"{self.sex}, {self.stature:.3f} m, {self.mass:.1f} kg"

    @property
    def severity(self) -> Severity:
        """Severity of the worst finding; a body that is not able counts as `act`."""
        if not self.is_able:
            return "act"
        found = (each.severity for each in self.findings)
        return max(found, key=SEVERITIES.index, default="fine")

    def finding(self, key: str) -> Finding | None:
        """Return the finding of one method."""
        return next((found for found in self.findings if found.key == key), None)


@dataclass(frozen=True)
class Family:
    """The results of many bodies for one task, in the given order."""

    task: str
    style: str
    parameters: Mapping[str, float]
    job: Job
    members: tuple[Member, ...]

    def columns(self) -> dict[str, Any]:
        """Return a table with one row per body."""
        members = self.members
        table: dict[str, Any] = {
            "sex": [m.sex for m in members],
            "stature [m]": [m.stature for m in members],
            "mass [kg]": [m.mass for m in members],
            "is_able": [m.is_able for m in members],
            "reason": [m.reason for m in members],
            "severity": [m.severity for m in members],
        }
        for key, unit in (("compression", " [N]"), ("shear", " [N]"), ("acceptable", " [%]")):
            table[key + unit] = [_value(m.finding(key)) for m in members]
        for key in ("lifting_index", "rula", "reba", "owas"):
            table[key] = [_value(m.finding(key)) for m in members]
        for key in METHODS:
            table[f"{key}_time [s]"] = [_time(m.finding(key)) for m in members]
            table[f"{key}_verdict"] = [_verdict(m.finding(key)) for m in members]
        table["clearance [m]"] = [np.nan if m.clearance is None else m.clearance for m in members]
        return table

    def as_dict(self) -> dict[str, Any]:
        """Return the results as plain values, for JSON."""
        return {
            "task": self.task,
            "style": self.style,
            "parameters": dict(self.parameters),
            "able": sum(member.is_able for member in self.members),
            "of": len(self.members),
            "exceeding": {
                key: sum(f is not None and f.is_beyond for f in self._found(key)) for key in METHODS
            },
            "members": [
                {
                    "body": m.label,
                    "is_able": m.is_able,
                    "reason": m.reason,
                    "severity": m.severity,
                    **{key: f.value for key in METHODS if (f := m.finding(key)) is not None},
                }
                for m in self.members
            ],
        }

    def _found(self, key: str) -> Iterator[Finding | None]:
        return (member.finding(key) for member in self.members)


@dataclass(frozen=True)
class _Case:
    """Input of one worker process."""

    task: str
    body: Anthropometry
    style: str
    parameters: Mapping[str, float]
    job: Job
    back: BackModel | None
    dynamic: bool


def assess_family(
    task: str,
    bodies: Sequence[Anthropometry],
    *,
    style: str = "natural",
    parameters: Mapping[str, float] | None = None,
    job: Job | None = None,
    back: BackModel | None = None,
    dynamic: bool = True,
    workers: int = 1,
    on_done: Callable[[Member], None] = lambda member: None,
) -> Family:
    """Perform and assess a task with every body.

    A body that cannot perform it becomes a member with a reason. With several workers the bodies
    are distributed over processes; the result is the same. `on_done` is called for each member.

    Raises:
        UnknownName: There is no such task, style or parameter.
        ValueError: There are no bodies, or a parameter makes no sense for any of them.
    """
    if not bodies:
        raise ValueError("a family needs at least one body, got none")
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    given = dict(parameters or {})
    check_parameters(task, given)
    style_named(style)
    job = Job() if job is None else job
    cases = [_Case(task, body, style, given, job, back, dynamic) for body in bodies]
    members = []
    for member in _all(cases, workers=min(workers, len(cases))):
        members.append(member)
        on_done(member)
    return Family(task, style, given, job, tuple(members))


def _all(cases: Iterable[_Case], *, workers: int) -> Iterator[Member]:
    """Yield the members in order."""
    if workers == 1:
        yield from map(_member, cases)
        return
    with WorkerPool(workers) as pool:
        yield from pool.map(_member, cases)


def _member(case: _Case) -> Member:
    """Assess one body; an error becomes its reason and does not stop the others."""
    body = case.body
    try:
        performance = perform(
            case.task, make_manikin(body), style=case.style, parameters=dict(case.parameters)
        )
        problems = measure(performance).problems
        found = assess(performance, job=case.job, back=case.back, dynamic=case.dynamic)
    except Exception as error:
        reason = f"could not be assessed: {' '.join(str(error).split()) or type(error).__name__}"
        return Member(body.sex, body.stature, body.mass, False, reason, ())
    gap = None if found.clearance is None else float(found.clearance.gap.min())
    reason = "; ".join(problems)
    return Member(body.sex, body.stature, body.mass, not problems, reason, found.findings, gap)


def _value(found: Finding | None) -> float:
    return np.nan if found is None else found.value


def _time(found: Finding | None) -> float:
    return np.nan if found is None else found.time


def _verdict(found: Finding | None) -> str:
    return "" if found is None else str(found.verdict)
