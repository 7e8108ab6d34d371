"""Several tasks of a day add up."""

from __future__ import annotations

import json

import pytest
from support.assessed import assessed

from robotix.ergonomics import Job, assess, composite_lifting_index, lifting_fatigue, make_work_day


def test_the_damage_of_all_tasks_adds_up() -> None:
    lift = assessed("lift")
    day = make_work_day([("a", lift), ("a", lift), ("b", assessed("stand_up"))])
    assert list(day.tasks) == ["a", "a (2)", "b"]
    assert lift.repeated is not None and day.fatigue is not None
    assert day.fatigue.damage == pytest.approx(2 * lift.repeated.result.damage)
    assert day.fatigue.damage == lifting_fatigue(2 * lift.repeated.result.lifts).damage
    worst = lift.lifts[0].worse.result.lift
    assert day.composite is not None
    assert day.composite.index == composite_lifting_index([worst, worst]).index
    assert day.severity == "act"
    text = json.dumps(day.as_dict(), allow_nan=False)
    assert json.loads(text)["cli"] == pytest.approx(day.composite.index)


def test_different_hours_have_no_composite_index() -> None:
    lift = assessed("lift")
    longer = assess(lift.performance, job=Job(hours=2))
    assert make_work_day([("a", lift), ("b", longer)]).composite is None


def test_a_day_without_loads() -> None:
    day = make_work_day([("up", assessed("stand_up"))])
    assert day.fatigue is None and day.composite is None
    assert day.as_dict()["damage"] is None
    with pytest.raises(ValueError, match="at least one task"):
        make_work_day([])
