"""Questionnaires: their items and how answers become scores.

SUS is [Brooke1996], NASA-TLX [Hart1988] with its pairwise weights, SSQ [Kennedy1993]. The items on
presence are our own: they are not a validated instrument, and are reported under their own name.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from robotix.errors import BadField

__all__ = [
    "IMPORTANCE",
    "STANDARD_FORMS",
    "QuestionItem",
    "Questionnaire",
    "check_answers",
    "importance_form",
    "score_answers",
    "tlx_pairs",
]

ScoringRule = Literal["sus", "nasa_tlx", "ssq", "mean"]
PAIR_MARK = " or "  # between the two scales of a pairwise comparison

IMPORTANCE = "importance"  # the form by which participants choose the weights of the index
CRITERION_WORDS = {
    "duration": "that tasks are done quickly",
    "errors": "that few mistakes happen",
    "sus": "that it is easy to use",
    "nasa_tlx": "that it takes little effort",
    "presence": "that it feels real",
    "payload": "that it lifts heavy things",
    "safety": "that it is safe",
    "appearance": "that it looks pleasant",
}


@dataclass(frozen=True)
class QuestionItem:
    """One item, rated on whole numbers from `low` to `high`."""

    name: str
    text: str
    low: int = 1
    high: int = 5
    low_label: str = "strongly disagree"
    high_label: str = "strongly agree"
    is_reversed: bool = False  # a high rating counts as a low one
    step: int = 1

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise BadField("high", f"above low, which is {self.low}", self.high)
        if self.step < 1 or (self.high - self.low) % self.step:
            raise BadField("step", "a whole fraction of the range", self.step)
        if not self.name.isidentifier():
            raise BadField("name", "a word of letters, digits and _", repr(self.name))


@dataclass(frozen=True)
class Questionnaire:
    """Items that are shown together. `rule` tells how they are scored; own ones by their mean."""

    title: str
    items: tuple[QuestionItem, ...]
    rule: ScoringRule = "mean"
    instruction: str = ""

    def __post_init__(self) -> None:
        if not self.items:
            raise BadField("items", "one item or more", "none")
        names = [item.name for item in self.items]
        for name in names:
            if names.count(name) > 1:
                raise BadField("items", "names that differ", f"{name} twice")

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairwise comparisons that give weights to the items; none unless NASA-TLX."""
        return tlx_pairs() if self.rule == "nasa_tlx" else ()


def importance_form(criteria: Mapping[str, str]) -> Questionnaire:
    """Return the form that asks how important each criterion is; `criteria`: name to its words."""
    items = tuple(
        QuestionItem(
            name,
            f"How important is it to you {CRITERION_WORDS.get(name, words)}?",
            low=0,
            high=10,
            low_label="not at all",
            high_label="extremely",
        )
        for name, words in criteria.items()
    )
    return Questionnaire("What matters to you", items)


SUS_STATEMENTS = (
    "I think that I would like to use this system frequently.",
    "I found the system unnecessarily complex.",
    "I thought the system was easy to use.",
    "I think that I would need the support of a technical person to be able to use this system.",
    "I found the various functions in this system were well integrated.",
    "I thought there was too much inconsistency in this system.",
    "I would imagine that most people would learn to use this system very quickly.",
    "I found the system very cumbersome to use.",
    "I felt very confident using the system.",
    "I needed to learn a lot of things before I could get going with this system.",
)
TLX_SCALES = {
    "mental": ("How mentally demanding was the task?", "very low", "very high"),
    "physical": ("How physically demanding was the task?", "very low", "very high"),
    "temporal": ("How hurried or rushed was the pace of the task?", "very low", "very high"),
    "performance": (
        "How successful were you in accomplishing what you were asked to do?", "perfect", "failure"
    ),
    "effort": (
        "How hard did you have to work to accomplish your level of performance?",
        "very low", "very high",
    ),
    "frustration": (
        "How insecure, discouraged, irritated, stressed and annoyed were you?",
        "very low", "very high",
    ),
}  # fmt: skip
SSQ_SYMPTOMS = {
    "general_discomfort": "NO", "fatigue": "O", "headache": "O", "eyestrain": "O",
    "difficulty_focusing": "OD", "increased_salivation": "N", "sweating": "N", "nausea": "ND",
    "difficulty_concentrating": "NO", "fullness_of_head": "D", "blurred_vision": "OD",
    "dizzy_eyes_open": "D", "dizzy_eyes_closed": "D", "vertigo": "D", "stomach_awareness": "N",
    "burping": "N",
}  # fmt: skip
SSQ_WEIGHTS = {"N": 9.54, "O": 7.58, "D": 13.92}
SSQ_TOTAL = 3.74
SSQ_SCALES = {"N": "nausea", "O": "oculomotor", "D": "disorientation"}
PRESENCE_ITEMS = {
    "in_the_room": "I felt that I was in the room with the robot.",
    "robot_there": "I felt that the robot was really in front of me.",
    "looking_at_a_picture": "I felt that I was looking at a picture.",
    "aware_of_outside": "I was aware of what went on around me outside of the room.",
}
PRESENCE_REVERSED = ("looking_at_a_picture", "aware_of_outside")


def _standard_forms() -> dict[str, Questionnaire]:
    sus = tuple(
        QuestionItem(f"sus_{k}", text, is_reversed=k % 2 == 0)
        for k, text in enumerate(SUS_STATEMENTS, 1)
    )
    tlx = tuple(
        QuestionItem(name, text, 0, 100, low, high, step=5)
        for name, (text, low, high) in TLX_SCALES.items()
    )
    ssq = tuple(
        QuestionItem(name, name.replace("_", " ").capitalize(), 0, 3, "none", "severe")
        for name in SSQ_SYMPTOMS
    )
    presence = tuple(
        QuestionItem(name, text, 1, 7, is_reversed=name in PRESENCE_REVERSED)
        for name, text in PRESENCE_ITEMS.items()
    )
    return {
        "sus": Questionnaire("System Usability Scale", sus, "sus"),
        "nasa_tlx": Questionnaire("NASA Task Load Index", tlx, "nasa_tlx"),
        "ssq": Questionnaire(
            "Simulator Sickness Questionnaire", ssq, "ssq", "Rate how you feel right now."
        ),
        "presence": Questionnaire("Presence in the room", presence),
    }


def tlx_pairs() -> tuple[tuple[str, str], ...]:
    """Return the fifteen pairs of scales that a participant compares."""
    return tuple(itertools.combinations(TLX_SCALES, 2))


STANDARD_FORMS: Mapping[str, Questionnaire] = _standard_forms()


def check_answers(form: Questionnaire, answers: Mapping[str, int]) -> None:
    """Raise `ValueError` unless every item, and every pair, has an answer in its range.

    The answer to a pair, such as `mental or effort`, is 0 for the first scale, 1 for the second.
    """
    ranges = {item.name: (item.low, item.high, item.step) for item in form.items}
    ranges |= {PAIR_MARK.join(pair): (0, 1, 1) for pair in form.pairs}
    for name in answers:
        if name not in ranges:
            raise ValueError(f"{form.title} has no item {name!r}")
    for name, (low, high, step) in ranges.items():
        if name not in answers:
            raise ValueError(f"{form.title}: {name} is not answered")
        value = answers[name]
        if not low <= value <= high or (value - low) % step:
            raise ValueError(f"{form.title}: {name} is {low} to {high}, not {value}")


def score_answers(form: Questionnaire, answers: Mapping[str, int]) -> dict[str, float]:
    """Return the scores of a questionnaire: `score`, and those of its scales."""
    check_answers(form, answers)
    if form.rule == "sus":
        steps = [_counted(item, answers[item.name]) - item.low for item in form.items]
        return {"score": 2.5 * sum(steps)}
    if form.rule == "nasa_tlx":
        return _tlx_scores(form, answers)
    if form.rule == "ssq":
        return _ssq_scores(answers)
    values = [_counted(item, answers[item.name]) for item in form.items]
    return {"score": math.fsum(values) / len(values)}


def _counted(item: QuestionItem, value: int) -> int:
    return item.low + item.high - value if item.is_reversed else value


def _tlx_scores(form: Questionnaire, answers: Mapping[str, int]) -> dict[str, float]:
    weights = dict.fromkeys(TLX_SCALES, 0)
    for pair in form.pairs:
        weights[pair[answers[PAIR_MARK.join(pair)]]] += 1
    ratings = {name: answers[name] for name in TLX_SCALES}
    weighted = sum(weights[name] * ratings[name] for name in TLX_SCALES) / len(form.pairs)
    return {"score": weighted, "raw": math.fsum(ratings.values()) / len(ratings)} | {
        f"weight_{name}": float(weight) for name, weight in weights.items()
    }


def _ssq_scores(answers: Mapping[str, int]) -> dict[str, float]:
    sums = {
        scale: sum(answers[name] for name, scales in SSQ_SYMPTOMS.items() if scale in scales)
        for scale in SSQ_SCALES
    }
    scores = {SSQ_SCALES[scale]: SSQ_WEIGHTS[scale] * total for scale, total in sums.items()}
    return {"score": SSQ_TOTAL * sum(sums.values())} | scores
