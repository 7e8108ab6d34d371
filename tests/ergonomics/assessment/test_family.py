"""Families: one row per body, with a reason for those that are not able."""

from __future__ import annotations

import json
import math

import pytest

from robotix.ergonomics import (
    Family,
    assess_family,
    percentile_bodies,
)
from robotix.ergonomics.assessment import family as family_module
from robotix.ergonomics.report.family_page import family_html, family_svg
from robotix.errors import UnknownName

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
