"""OCRA checklist."""

from __future__ import annotations

from typing import Any

import pytest

from robotix.ergonomics import RepetitiveWork, ocra_checklist


def work(**changes: Any) -> RepetitiveWork:
    return RepetitiveWork(**{"actions_per_minute": 20, "minutes": 480, **changes})


def points(**changes: Any) -> dict[str, float]:
    return {step.part: step.score for step in ocra_checklist(work(**changes)).steps}


@pytest.mark.parametrize(
    ("rate", "pauses", "expected"),
    [
        (20, True, 0),
        (30, True, 1),
        (40, True, 3),
        (40, False, 4),
        (50, False, 6),
        (60, True, 8),
        (61, True, 10),
        (90, True, 10),
    ],
)
def test_frequency(rate: float, pauses: bool, expected: float) -> None:
    assert points(actions_per_minute=rate, short_pauses=pauses)["frequency"] == expected


def test_static_actions_count_if_they_are_worse() -> None:
    assert points(static_actions="all")["frequency"] == 4.5
    assert points(static_actions="two_thirds", actions_per_minute=50)["frequency"] == 6


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        *((1, 0.01), (30, 0.2), (60, 0.5), (120, 0.5), (121, 0.65), (300, 0.85), (420, 0.95)),
        *((480, 1.0), (500, 1.2), (540, 1.5), (600, 2.0), (660, 2.8), (720, 4.0)),
    ],
)
def test_duration(minutes: float, expected: float) -> None:
    assert points(minutes=minutes)["duration"] == expected


def test_the_worst_joint_counts_and_stereotypy_is_added() -> None:
    assert points(shoulder="third", wrist="all", hand="half")["posture"] == 8
    assert points(shoulder="half", stereotypy="all")["posture"] == 15
    assert points(elbow="third", stereotypy="two_thirds")["posture"] == 3.5


def test_forces_add_up() -> None:
    assert points(moderate_force="half", strong_force="percent")["force"] == 12
    assert points(maximal_force="more")["force"] == 32


def test_a_whole_sheet_by_hand() -> None:
    """(4 + 4 + 4 + 9.5 + 3) * 0.95: two breaks, 40 actions a minute, 7 h at a machine."""
    found = ocra_checklist(
        work(
            actions_per_minute=40,
            minutes=420,
            recovery="two_breaks",
            short_pauses=False,
            strong_force="brief",
            wrist="half",
            hand="all",
            stereotypy="two_thirds",
            physical="some",
            pace="buffered",
        )
    )
    assert [step.score for step in found.steps] == [4, 4, 4, 9.5, 3, 0.95]
    assert found.score == pytest.approx(0.95 * 24.5) and found.verdict.name == "high risk"
    assert any("no published worked example" in line for line in found.sources)


@pytest.mark.parametrize(
    ("recovery", "level"),
    [("every_hour", 1), ("three_breaks", 1), ("one_break", 2), ("none", 3)],
)
def test_bands(recovery: str, level: int) -> None:
    assert ocra_checklist(work(recovery=recovery)).verdict.level == level


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"actions_per_minute": -1}, "frequency must be"),
        ({"minutes": 2000}, "from 0 to 1440 minutes"),
        ({"wrist": "often"}, "no wrist 'often'"),
        ({"recovery": "two_break"}, "did you mean 'two_breaks'"),
    ],
)
def test_bad_inputs(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        work(**wrong)
