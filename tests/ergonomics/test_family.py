"""Families: every body a row, whoever cannot with a reason, in any number of processes the same."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from robotix.ergonomics import (
    Family,
    assess_family,
    percentile_bodies,
    sampled_bodies,
)
from robotix.ergonomics.assessment import family as family_module
from robotix.ergonomics.report.family_page import family_html, family_svg
from robotix.errors import UnknownName
from robotix.human.body.survey import load_survey

TWO = percentile_bodies((50,))


@pytest.fixture(scope="module")
def standing() -> Family:
    return assess_family("stand_up", TWO)


def test_every_body_is_a_row(standing: Family) -> None:
    assert [member.sex for member in standing.members] == ["female", "male"]
    assert all(member.is_able and member.reason == "" for member in standing.members)
    columns = standing.columns()
    assert {len(values) for values in columns.values()} == {2}
    her, his = columns["compression [N]"]
    assert 500 < her < his < 6000
    answer = json.loads(json.dumps(standing.as_dict()))
    assert (answer["able"], answer["of"]) == (2, 2)
    assert answer["members"][0]["compression"] == her


def test_who_cannot_says_why() -> None:
    found = assess_family("reach", TWO[:1], parameters={"distance": 2.0})
    (member,) = found.members
    assert not member.is_able and member.severity == "act"
    assert "falls short by" in member.reason
    assert member.finding("compression") is not None  # of as much as it could do
    assert "falls short by" in family_html(found)


def test_a_body_that_breaks_is_a_row_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the knee is  missing")

    monkeypatch.setattr(family_module, "perform", broken)
    heard: list[str] = []
    found = assess_family("lift", TWO, on_done=lambda member: heard.append(member.reason))
    assert heard == ["could not be assessed: the knee is missing"] * 2
    assert found.columns()["compression [N]"] == [pytest.approx(math.nan, nan_ok=True)] * 2
    assert "<svg" in family_svg(found)


def test_processes_do_not_change_the_answer(standing: Family) -> None:
    spread = assess_family("stand_up", TWO, workers=2)
    assert spread.as_dict() == standing.as_dict()
    assert spread.columns()["rula_time [s]"] == standing.columns()["rula_time [s]"]


def test_wrong_input_is_refused_before_anybody_starts() -> None:
    with pytest.raises(UnknownName, match="did you mean 'lift'"):
        assess_family("lft", TWO)
    with pytest.raises(UnknownName, match="parameter of lift"):
        assess_family("lift", TWO, parameters={"loud": 1.0})
    with pytest.raises(UnknownName, match="style"):
        assess_family("lift", TWO, style="crawl")
    with pytest.raises(ValueError, match="load must be from 0"):
        assess_family("lift", TWO, parameters={"load": -2.0})
    with pytest.raises(ValueError, match="at least one body"):
        assess_family("lift", ())
    with pytest.raises(ValueError, match="workers must be at least 1"):
        assess_family("lift", TWO, workers=0)


def test_percentiles_make_a_family() -> None:
    bodies = percentile_bodies((5, 95), sexes="fm")
    assert [(body.sex, body.stature) for body in bodies] == sorted(
        (body.sex, body.stature) for body in bodies
    )
    with pytest.raises(UnknownName, match="population 'mars'"):
        percentile_bodies(population="mars")
    with pytest.raises(ValueError, match="at least one percentile"):
        percentile_bodies(())


def test_a_sample_is_like_its_population() -> None:
    bodies = sampled_bodies(400, seed=1, sexes="m")
    again = sampled_bodies(400, seed=1, sexes="m")
    assert [b.label for b in bodies] == [b.label for b in again]
    assert [b.label for b in bodies] != [b.label for b in sampled_bodies(400, seed=2, sexes="m")]
    survey = load_survey("ansur2", "male")
    tall = np.array([b.stature for b in bodies])
    heavy = np.array([b.mass for b in bodies])
    assert tall.mean() == pytest.approx(survey.stature.mean, abs=0.01)
    assert heavy.mean() == pytest.approx(survey.mass.mean, abs=2.0)
    assert np.corrcoef(tall, heavy)[0, 1] == pytest.approx(survey.correlation, abs=0.1)
    assert [b.sex for b in sampled_bodies(4)] == ["female", "male", "female", "male"]
    with pytest.raises(ValueError, match="from 1 to"):
        sampled_bodies(0)


def test_the_page_and_the_picture(standing: Family) -> None:
    page = family_html(standing)
    assert "2 of 2 can do the task" in page
    assert page.count("<circle") == 1 and page.count("<rect x=") == 1
