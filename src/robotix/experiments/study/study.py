"""What a study is: factors and their levels, tasks, order, training, questionnaires, texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from robotix.errors import BadField
from robotix.experiments.study.orders import OrderKind
from robotix.experiments.study.questionnaires import (
    IMPORTANCE,
    STANDARD_FORMS,
    QuestionItem,
    Questionnaire,
    importance_form,
)
from robotix.files.typed.markers import Within

__all__ = [
    "BreakPlan",
    "FormPlan",
    "OwnForm",
    "Study",
    "StudyFactor",
    "TrainingPhase",
    "TrainingPlan",
]

RESERVED = ("participant", "task", "repeat", "status", "duration", "errors")  # columns of the table
MAX_TIME_LIMIT = 24 * 3600.0  # s
MAX_TRIALS = 10_000  # of one participant

Seconds = Annotated[float, Within(0.1, MAX_TIME_LIMIT)]


@dataclass(frozen=True)
class StudyFactor:
    """A factor: what is varied, and how its levels are distributed."""

    levels: tuple[str, ...]
    vary: Literal["within", "between"] = "within"  # every participant has all levels, or one
    order: OrderKind = "williams"

    def __post_init__(self) -> None:
        if not self.levels:
            raise BadField("levels", "one level or more", "none")
        if len(set(self.levels)) < len(self.levels):
            raise BadField("levels", "levels that differ", ", ".join(self.levels))


@dataclass(frozen=True)
class BreakPlan:
    """A break after every few trials."""

    every: Annotated[int, Within(1, MAX_TRIALS)]
    seconds: Seconds = 120.0


@dataclass(frozen=True)
class TrainingPhase:
    """A phase of training: passed after `passes` runs in a row within time and errors."""

    time_limit: Seconds = 60.0
    max_errors: Annotated[int, Within(0, 1000)] = 3
    passes: Annotated[int, Within(1, 100)] = 1
    attempts: Annotated[int, Within(1, 1000)] = 10  # then the experimenter decides

    def __post_init__(self) -> None:
        if self.attempts < self.passes:
            raise BadField("attempts", f"at least {self.passes}, as many as passes", self.attempts)


@dataclass(frozen=True)
class TrainingPlan:
    """Training before the trials: move along the three axes, then follow a path."""

    axes: TrainingPhase = field(default_factory=TrainingPhase)
    path: TrainingPhase = field(default_factory=TrainingPhase)
    before: Literal["study", "block"] = (
        "block"  # once, or again for every level of the first factor
    )


@dataclass(frozen=True)
class FormPlan:
    """When a questionnaire is shown."""

    form: str
    after: Literal["trial", "block", "study", "consent"] = "block"


@dataclass(frozen=True)
class OwnForm:
    """A questionnaire of the study's own; its score is the mean of its items."""

    title: str
    items: tuple[QuestionItem, ...]
    instruction: str = ""


@dataclass(frozen=True)
class Study:
    """A study, as its file describes it. The first factor within participants forms the blocks."""

    robotix: Literal[1]  # the version of the format
    study: str  # its title
    factors: Mapping[str, StudyFactor]
    tasks: tuple[str, ...]
    participants: Annotated[int, Within(1, 10_000)] = 12  # planned
    seed: Annotated[int, Within(0, 1_000_000_000)] = 1
    task_order: OrderKind = "williams"
    repeats: Annotated[int, Within(1, 1000)] = 1
    time_limit: Seconds = 300.0
    time_limits: Mapping[str, Seconds] = field(default_factory=dict)  # of single tasks
    settings: Mapping[str, str] = field(default_factory=dict)  # the same in all trials
    breaks: BreakPlan | None = None
    training: TrainingPlan | None = None
    questionnaires: tuple[FormPlan, ...] = ()
    forms: Mapping[str, OwnForm] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)  # of the criteria of the index
    briefing: str = ""
    consent: str = ""

    def __post_init__(self) -> None:
        if not self.study.strip():
            raise BadField("study", "a title", "nothing")
        if not self.factors:
            raise BadField("factors", "one factor or more", "none")
        if not self.tasks or len(set(self.tasks)) < len(self.tasks):
            raise BadField("tasks", "one task or more, each once", ", ".join(self.tasks) or "none")
        self._check_names()
        self._check_forms()
        for criterion, weight in self.weights.items():
            if weight < 0:
                raise BadField("weights", "weights of 0 or more", f"{criterion}: {weight:g}")
        if self.weights and not sum(self.weights.values()) > 0:
            raise BadField("weights", "at least one weight above 0", "only zeros")
        if (count := self.trials_of_one) > MAX_TRIALS:
            raise BadField("", f"at most {MAX_TRIALS} trials for a participant", count)

    def _check_names(self) -> None:
        for name in (*self.factors, *self.settings):
            if not name.isidentifier() or name in RESERVED:
                expected = f"a word of letters, digits and _, none of {', '.join(RESERVED)}"
                raise BadField("factors" if name in self.factors else "settings", expected, name)
        if both := set(self.factors) & set(self.settings):
            raise BadField("settings", "names that are no factors", ", ".join(sorted(both)))
        for task in self.time_limits:
            if task not in self.tasks:
                raise BadField("time_limits", f"tasks of the study ({', '.join(self.tasks)})", task)

    def _check_forms(self) -> None:
        for name in self.forms:
            if name in (*STANDARD_FORMS, IMPORTANCE) or not name.isidentifier():
                known = ", ".join([*STANDARD_FORMS, IMPORTANCE])
                raise BadField("forms", f"a word that names no standard form ({known})", name)
        for plan in self.questionnaires:
            if plan.form == IMPORTANCE and not self.weights:
                raise BadField("questionnaires", "criteria under `weights`", f"{IMPORTANCE} alone")
            if plan.form not in (*STANDARD_FORMS, IMPORTANCE, *self.forms):
                known = ", ".join([*STANDARD_FORMS, IMPORTANCE, *self.forms])
                raise BadField("questionnaires", f"one of {known}", plan.form)
        asked = [(plan.form, plan.after) for plan in self.questionnaires]
        if len(set(asked)) < len(asked):
            raise BadField("questionnaires", "each form once at each time", "one twice")

    @property
    def within(self) -> tuple[str, ...]:
        """The factors of which every participant has all levels, outermost first."""
        return tuple(name for name, factor in self.factors.items() if factor.vary == "within")

    @property
    def between(self) -> tuple[str, ...]:
        """The factors of which every participant has one level."""
        return tuple(name for name, factor in self.factors.items() if factor.vary == "between")

    @property
    def trials_of_one(self) -> int:
        """How many trials a participant has."""
        count = len(self.tasks) * self.repeats
        for name in self.within:
            count *= len(self.factors[name].levels)
        return count

    def form(self, name: str) -> Questionnaire:
        """Return a questionnaire, standard or own."""
        if name in STANDARD_FORMS:
            return STANDARD_FORMS[name]
        if name == IMPORTANCE:
            return importance_form({each: self._criterion_words(each) for each in self.weights})
        own = self.forms[name]
        return Questionnaire(own.title, own.items, "mean", own.instruction)

    def _criterion_words(self, name: str) -> str:
        """Return what a criterion without words of its own is about."""
        title = self.forms[name].title if name in self.forms else name.replace("_", " ")
        return f"how it does in: {title}"

    def limit_of(self, task: str) -> float:
        """Return the time limit of a task, s."""
        return self.time_limits.get(task, self.time_limit)
