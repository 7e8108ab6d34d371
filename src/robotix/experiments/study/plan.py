"""The plan of a participant: which steps follow from the study, in which order.

Factors nest in the order of the file: the first within participants is the outermost and forms the
blocks. The order of its levels is a row of its square, chosen by the participant's number among
those with the same levels between participants. Inner factors, and tasks, take the next row in
every next block, so that each position of a block has seen all rows after as many participants as
the square has rows.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from robotix.experiments.study.orders import OrderKind, condition_order
from robotix.experiments.study.study import Study
from robotix.experiments.trial import TrialPlan

__all__ = ["TRAINING_PHASES", "SessionStep", "StepKind", "levels_between", "plan_session"]

StepKind = Literal["briefing", "consent", "training", "trial", "form", "break", "end"]
TRAINING_PHASES = ("training_axes", "training_path")


@dataclass(frozen=True)
class SessionStep:
    """One step of a session. `levels` are those that hold during it."""

    number: int  # from 1
    kind: StepKind
    block: int = 0  # from 1; 0 outside of blocks
    trial: TrialPlan | None = None  # of trials and of training
    form: str = ""  # of questionnaires
    after: str = ""  # what a questionnaire is about: trial, block, study, consent
    seconds: float = 0.0  # of breaks
    levels: Mapping[str, str] = field(default_factory=dict)


def levels_between(study: Study, number: int) -> dict[str, str]:
    """Return the levels of a participant, counted from 0, of the factors between participants.

    Groups are filled in random order, each once before any is filled again.
    """
    names = study.between
    groups = list(itertools.product(*(study.factors[name].levels for name in names)))
    rng = np.random.default_rng((study.seed, 0, number // len(groups)))
    return dict(zip(names, groups[rng.permutation(len(groups))[number % len(groups)]], strict=True))


def plan_session(study: Study, number: int, participant: str) -> tuple[SessionStep, ...]:
    """Return all steps of a participant; `number` counts from 0."""
    if number < 0:
        raise ValueError(f"participants are counted from 0, not {number}")
    return tuple(_numbered(_Planner(study, number, participant).steps()))


def _numbered(steps: Iterator[SessionStep]) -> Iterator[SessionStep]:
    for number, step in enumerate(steps, 1):
        yield replace(step, number=number)


@dataclass(frozen=True)
class _Planner:
    study: Study
    number: int
    participant: str

    def steps(self) -> Iterator[SessionStep]:
        study = self.study
        fixed = dict(study.settings) | levels_between(study, self.number)
        if study.briefing:
            yield SessionStep(0, "briefing")
        yield SessionStep(0, "consent")
        yield from self._forms("consent", 0, fixed)
        if study.training is not None and study.training.before == "study":
            yield from self._training(0, fixed)
        trials = 0
        for block, levels, cells in self._blocks(fixed):
            if study.training is not None and study.training.before == "block":
                yield from self._training(block, fixed | levels)
            for cell in cells:
                if study.breaks is not None and trials and trials % study.breaks.every == 0:
                    yield SessionStep(0, "break", block, seconds=study.breaks.seconds)
                trials += 1
                placed = replace(cell, position=trials)
                yield SessionStep(0, "trial", block, placed, levels=cell.levels)
                yield from self._forms("trial", block, cell.levels)
            yield from self._forms("block", block, fixed | levels)
        yield from self._forms("study", 0, fixed)
        yield SessionStep(0, "end")

    def _blocks(
        self, fixed: Mapping[str, str]
    ) -> Iterator[tuple[int, dict[str, str], list[TrialPlan]]]:
        """Yield the number of each block, its level, and its trials."""
        names = self.study.within
        outer = self._orders(names[:1], 0) if names else [{}]
        for block, levels in enumerate(outer, 1):
            cells = list[TrialPlan]()
            for at, inner in enumerate(self._orders(names[1:], block - 1)):
                all_levels = {**fixed, **levels, **inner}
                for task in self._tasks(block - 1 + at):
                    for repeat in range(1, self.study.repeats + 1):
                        cells.append(self._trial(task, repeat, all_levels))
            yield block, levels, cells

    def _orders(self, names: tuple[str, ...], shift: int) -> list[dict[str, str]]:
        """Return the combinations of levels of nested factors, in order."""
        if not names:
            return [{}]
        factor = self.study.factors[names[0]]
        order = self._order(names[0], factor.order, len(factor.levels), shift)
        return [
            {names[0]: factor.levels[k]} | rest
            for at, k in enumerate(order)
            for rest in self._orders(names[1:], shift + at)
        ]

    def _tasks(self, shift: int) -> list[str]:
        tasks = self.study.tasks
        return [tasks[k] for k in self._order("task", self.study.task_order, len(tasks), shift)]

    def _order(self, name: str, kind: OrderKind, n: int, shift: int) -> tuple[int, ...]:
        groups = 1
        for factor in self.study.between:
            groups *= len(self.study.factors[factor].levels)
        row = self.number // groups + shift
        if kind == "random":
            row = self.number * 1000 + shift  # another draw for every participant and block
        return condition_order(kind, n, number=row, seed=stable_seed(self.study.seed, name))

    def _trial(self, task: str, repeat: int, levels: Mapping[str, str]) -> TrialPlan:
        key = (self.participant, task, repeat, sorted(levels.items()))
        return TrialPlan(
            self.participant,
            task,
            repeat,
            dict(levels),
            stable_seed(self.study.seed, repr(key)),
            self.study.limit_of(task),
        )

    def _training(self, block: int, levels: Mapping[str, str]) -> Iterator[SessionStep]:
        plan = self.study.training
        assert plan is not None
        for task, phase in zip(TRAINING_PHASES, (plan.axes, plan.path), strict=True):
            trial = self._trial(task, max(block, 1), levels)
            limited = replace(trial, time_limit=phase.time_limit)
            yield SessionStep(0, "training", block, limited, levels=dict(levels))

    def _forms(self, after: str, block: int, levels: Mapping[str, str]) -> Iterator[SessionStep]:
        for plan in self.study.questionnaires:
            if plan.after == after:
                yield SessionStep(
                    0, "form", block, form=plan.form, after=after, levels=dict(levels)
                )


def stable_seed(seed: int, name: str) -> int:
    """Return a seed for a purpose, the same on every machine."""
    digest = hashlib.sha256(f"{seed} {name}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
