"""What findings ask for agrees with the words of their verdicts."""

from __future__ import annotations

import pytest
from support.lifts import make_lift

from robotix.ergonomics import lifting_index
from robotix.ergonomics.assessment.finding import ASKED, severity_of
from robotix.ergonomics.methods.posture.owas import owas_of_code
from robotix.ergonomics.methods.verdict import Verdict, no_verdict


def test_no_verdict_asks_for_nothing() -> None:
    assert severity_of(no_verdict("no data"), key="rula") == "unverified"


@pytest.mark.parametrize("level, severity", [(1, "fine"), (2, "look"), (3, "act")])
def test_levels_in_general(level: int, severity: str) -> None:
    assert severity_of(Verdict(level, 3, "", "")) == severity


def test_an_increased_lifting_index_asks_for_action() -> None:
    found = lifting_index(make_lift(load=30))
    assert "redesign" in found.verdict.advice
    assert severity_of(found.verdict, key="lifting_index") == "act"


def test_every_category_of_owas_that_asks_for_change_is_action() -> None:
    for back in (1, 2, 3, 4):
        found = owas_of_code(back, 3, legs=5, load=25)
        changes = "change" in found.verdict.advice
        assert (severity_of(found.verdict, key="owas") == "act") == changes


def test_all_levels_are_listed() -> None:
    assert {key: len(levels) for key, levels in ASKED.items()} == {
        "lifting_index": 3,
        "rula": 4,
        "reba": 5,
        "owas": 4,
    }
