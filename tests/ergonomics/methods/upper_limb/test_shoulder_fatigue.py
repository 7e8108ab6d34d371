"""The Shoulder Tool, against the examples of its paper [BaniHani2021]."""

from __future__ import annotations

import pytest

from robotix.ergonomics import ShoulderTask, shoulder_fatigue

PRINT_TOLERANCE = 0.004  # the calculator of the figures differs from the workbook by up to 0.4 %


def task(arm_cm: float, force: float, per_day: float, kind: str = "handle") -> ShoulderTask:
    return ShoulderTask(arm=arm_cm / 100, force=force, per_day=per_day, kind=kind)


@pytest.mark.parametrize(
    ("tasks", "moments", "damages", "percent"),
    [
        ([task(41, 9, 2880)], [11.5], [0.00441], 21.0),  # figure 8 (the text has 20.8)
        ([task(46, 22.5, 4800)], [19.3], [0.03495], 38.0),  # figure 9
        (  # figure 10
            [task(46, 22, 1920), task(38, 33, 480), task(41, 89, 96, "push"), task(46, 4, 1920)],
            [19.0, 19.8, 36.5, 10.8],
            [0.01335, 0.00384, 0.02247, 0.00251],
            39.8,
        ),
        (  # figure 11, three bins of moments
            [task(31, 30, 157), task(31, 78.3, 122), task(31, 126.8, 105)],
            [15.0, 30.0, 45.0],
            [0.00048, 0.00770, 0.13746],
            52.2,
        ),
    ],
)
def test_examples_of_the_paper(
    tasks: list[ShoulderTask], moments: list[float], damages: list[float], percent: float
) -> None:
    found = shoulder_fatigue(tasks)
    assert [each.moment for each in tasks] == pytest.approx(moments, abs=0.06)
    printed = pytest.approx(damages, rel=PRINT_TOLERANCE, abs=6e-6)
    assert [each.score for each in found.steps] == printed
    assert found.damage == pytest.approx(sum(damages), rel=PRINT_TOLERANCE)
    assert 100 * found.probability == pytest.approx(percent, abs=0.07)


def test_shares_of_figure_10() -> None:
    found = shoulder_fatigue(
        [task(46, 22, 1920), task(38, 33, 480), task(41, 89, 96, "push"), task(46, 4, 1920)]
    )
    assert [100 * each for each in found.shares] == pytest.approx([31.7, 9.1, 53.3, 6.0], abs=0.1)


@pytest.mark.parametrize(
    ("arm_cm", "force", "moment"),
    [  # table 4
        (31, 36, 16.9),
        (46, 62, 37.4),
        (51, 67, 44.2),
        (41, 45, 26.3),
        (38, 18, 14.1),
        (41, 36, 22.6),
        (36, 12, 11.1),
        (40, 42, 24.4),
        (30, 15, 10.0),
    ],
)
def test_moments_of_table_4(arm_cm: float, force: float, moment: float) -> None:
    assert task(arm_cm, force, 1).moment == pytest.approx(moment, abs=0.06)


def test_weight_of_the_arm() -> None:
    """Pieces of the workbook: none below 1.715 in, 121.9 in lbf from 27 in on."""
    assert task(4, 0, 1).moment == 0
    assert task(70, 0, 1).moment == pytest.approx(13.77, abs=0.01)
    near = task(68.57, 0, 1).moment  # just below 27 in
    assert near == pytest.approx(13.77, abs=0.01)
    down, push, handled = (task(40, 50, 1, kind).moment for kind in ("push_down", "push", "handle"))
    assert push == 20 and handled - push == pytest.approx(push - down)


def test_verdicts() -> None:  # p. 51-52: 25 % or less, 50 % or more
    levels = [shoulder_fatigue([task(46, 22.5, n)]).verdict.level for n in (1000, 1300, 9000, 2e4)]
    assert levels == [1, 2, 2, 3]
    assert shoulder_fatigue([task(46, 22.5, 0)]).probability == 0


def test_what_the_tool_cannot_assess() -> None:
    with pytest.raises(ValueError, match="less than the weight of the arm"):
        task(40, 5, 1, "push_down")
    with pytest.raises(ValueError, match="kind"):
        task(40, 5, 1, "throw")
    with pytest.raises(ValueError, match="at least one task"):
        shoulder_fatigue([])
