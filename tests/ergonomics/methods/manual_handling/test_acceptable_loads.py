"""The Liberty Mutual equations: published examples, tables and laws."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics import Handling, acceptable_load, assess_handling
from robotix.ergonomics.methods.manual_handling.acceptable_loads import KINDS, STANDARD_GRAVITY
from robotix.human.body.survey import Sex

# [Potvin2021], table 4: reference load, coefficient of variation, largest load for 75 %, kg
TABLE_4 = {
    ("lift", "female"): (34.9, 0.260, 28.8),
    ("lift", "male"): (82.6, 0.276, 67.2),
    ("lower", "female"): (37.0, 0.307, 29.3),
    ("lower", "male"): (95.9, 0.304, 76.2),
    ("push_start", "female"): (36.9, 0.214, 31.6),
    ("push_start", "male"): (70.3, 0.231, 59.3),
    ("push_on", "female"): (25.5, 0.286, 20.6),
    ("push_on", "male"): (65.3, 0.267, 53.5),
    ("pull_start", "female"): (36.9, 0.234, 31.1),
    ("pull_start", "male"): (69.8, 0.238, 58.6),
    ("pull_on", "female"): (25.5, 0.298, 20.4),
    ("pull_on", "male"): (61.0, 0.257, 50.4),
    ("carry", "female"): (28.6, 0.231, 24.1),
    ("carry", "male"): (74.9, 0.278, 60.9),
}
RARELY = 1 / 480  # a minute: once a day


def make(kind: str = "lift", **changes: Any) -> Handling:
    lifted = {"horizontal": 0.38, "start": 0.775, "end": 1.285}
    other = {"height": 0.95, "distance": 8.0}
    usual = lifted if kind in ("lift", "lower") else other
    return Handling(**{"kind": kind, "load": 12.0, "per_minute": 1.0, **usual, **changes})


def easiest(kind: str, sex: Sex) -> float:
    """Return the largest median over the range of the equation, kg."""
    if kind in ("lift", "lower"):
        horizontal = 0.20 if sex == "female" else 0.25
        each = [
            make(kind, horizontal=horizontal, per_minute=RARELY, start=low, end=low + 0.25)
            for low in (0.01 * k for k in range(150))
        ]
    else:
        low, high = {"female": (71, 103), "male": (78, 110)}[sex]
        if kind != "carry":
            low, high = {"female": (58, 133), "male": (63, 144)}[sex]
        each = [
            make(kind, height=cm / 100, distance=2.1, per_minute=RARELY)
            for cm in range(low, high + 1)
        ]
    return max(acceptable_load(one, sex=sex).median for one in each)


def test_the_worked_example_of_the_publication() -> None:
    """[Potvin2021], section 3.4: women lift 12 kg at 0.38 m by 0.51 m, once a minute."""
    found = assess_handling(make())
    factors = {step.part: round(step.score, 3) for step in found.women.steps}
    assert factors == {
        "reference, kg": 34.9,
        "horizontal": 0.766,
        "middle": 0.948,
        "travel": 0.907,
        "frequency": 0.677,
    }
    assert round(found.women.median, 2) == 15.56
    assert found.women.sd == pytest.approx(4.05, abs=0.01)  # printed: of the rounded median
    assert round(found.women.percent, 1) == 81.0
    assert round(found.women.for_percent(75), 2) == 12.83
    assert found.verdict.level == 1 and "women" in found.verdict.advice


@pytest.mark.parametrize(
    "kind, sex, changes, median, for_75",
    [  # of a Spanish technical note of prevention, as computed in arthurits/ErgoCalculator
        (
            "pull_start",
            "female",
            {"per_minute": 1.2, "height": 1.1, "distance": 10},
            23.4508,
            19.7496,
        ),
        ("pull_on", "female", {"per_minute": 1.2, "height": 1.1, "distance": 10}, 12.6800, 10.1313),
        ("push_start", "male", {"per_minute": 0.25, "height": 1, "distance": 20}, 35.5606, 30.0200),
        ("push_on", "male", {"per_minute": 0.25, "height": 1, "distance": 20}, 21.0257, 17.2392),
        ("pull_start", "male", {"height": 1.2, "distance": 20}, 22.9098, 19.2321),
        ("pull_on", "male", {"height": 1.2, "distance": 20}, 13.7718, 11.3846),
    ],
)
def test_pushing_and_pulling_by_another_implementation(
    kind: str, sex: Sex, changes: dict[str, float], median: float, for_75: float
) -> None:
    found = acceptable_load(make(kind, **changes), sex=sex)
    assert found.median == pytest.approx(median, abs=1e-4)
    assert found.for_percent(75) == pytest.approx(for_75, abs=1e-4)


@pytest.mark.parametrize("kind, sex", TABLE_4)
def test_table_4(kind: str, sex: Sex) -> None:
    """The reference load is the largest of each equation, and 75 % accept as much as printed."""
    reference, cv, for_75 = TABLE_4[kind, sex]
    assert easiest(kind, sex) == pytest.approx(reference, rel=0.006)
    found = acceptable_load(make(kind, per_minute=0.1), sex=sex)
    assert found.sd == pytest.approx(cv * found.median)
    ratio = found.for_percent(75) / found.median
    assert reference * ratio == pytest.approx(for_75, abs=0.06)


@pytest.mark.parametrize("kind", KINDS)
def test_men_accept_more_than_women(kind: str) -> None:
    found = assess_handling(make(kind))
    assert found.men is not None
    assert found.men.median > found.women.median and found.men.percent >= found.women.percent


@given(load=st.floats(0.1, 60), more=st.floats(0.1, 20), often=st.floats(0.05, 4))
def test_heavier_and_more_often_is_accepted_by_fewer(
    load: float, more: float, often: float
) -> None:
    light = acceptable_load(make(load=load, per_minute=often), sex="female")
    heavy = acceptable_load(make(load=load + more, per_minute=often), sex="female")
    hasty = acceptable_load(make(load=load, per_minute=2 * often), sex="female")
    assert heavy.percent <= light.percent and hasty.percent <= light.percent
    assert heavy.median == light.median


def test_handles() -> None:
    good, poor, none = (
        acceptable_load(make(handles=word), sex="female").median
        for word in ("good", "poor", "none")
    )
    assert poor == pytest.approx(0.925 * good) and none == pytest.approx(0.84 * good)


def test_a_percentage_and_its_load() -> None:
    found = acceptable_load(make(), sex="male")
    assert found.for_percent(50) == pytest.approx(found.median)
    limit = found.for_percent(90)
    assert acceptable_load(make(load=limit), sex="male").percent == pytest.approx(90)
    assert found.for_percent(100 - 1e-9) == 0.0
    with pytest.raises(ValueError, match="between 0 and 100"):
        found.for_percent(100)


def test_a_load_that_few_women_accept_is_not_acceptable() -> None:
    found = assess_handling(make(load=25.0))
    assert found.verdict.level == 2 and "redesign" in str(found.verdict)


def test_close_to_the_body_only_the_womens_equation_applies() -> None:
    assert assess_handling(make(horizontal=0.22)).men is None


@pytest.mark.parametrize(
    "kind, changes, words",
    [
        ("lift", {"horizontal": 0.1}, "reach for women must be from 0.2 to 0.68 m"),
        ("lift", {"horizontal": 0.7}, "reach for women"),
        ("lift", {"start": 0.8, "end": 0.9}, "vertical travel must be from 0.25"),
        ("lift", {"start": 0.8, "end": 2.0}, "highest hands for women"),
        ("lift", {"per_minute": 21}, "frequency must be from"),
        ("lift", {"start": 0.2, "end": 1.8, "per_minute": 10}, "distance times frequency"),
        ("push_on", {"height": 0.5}, "height for women must be from 0.58 to 1.33"),
        ("carry", {"distance": 12}, "distance must be from 2.1 to 10"),
        ("carry", {"distance": 9, "per_minute": 5}, "distance times frequency"),
        ("lift", {"per_minute": math.nan}, "per minute must be"),
        ("shove", {}, "kind of handling"),
        ("lift", {"handles": "god"}, "did you mean 'good'"),
        ("lift", {"load": -1}, "load must be"),
    ],
)
def test_what_was_not_studied_is_refused(kind: str, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        assess_handling(make(kind, **changes))


def test_an_unknown_sex_is_refused() -> None:
    with pytest.raises(ValueError, match="no sex 'f'"):
        acceptable_load(make(), sex="f")  # type: ignore[arg-type]


def test_forces_are_published_in_kilograms() -> None:
    assert pytest.approx(9.80665) == STANDARD_GRAVITY
