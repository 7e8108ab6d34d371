"""Key Indicator Method, lifting, holding and carrying."""

from __future__ import annotations

from typing import Any

import pytest

from robotix.ergonomics import KeyIndicators, key_indicators


def task(**changes: Any) -> KeyIndicators:
    return KeyIndicators(**{"load": 10.0, "per_day": 320, "sex": "female", **changes})


def points(found: Any) -> dict[str, float]:
    return {step.part: step.score for step in found.steps}


def test_stacking_of_a_pallet() -> None:
    """10 kg boxes, 40 an hour for 8 h, by women: 5 (or 4.1) and 9 points, ergonomiesite.be."""
    found = key_indicators(task())
    assert points(found)["time"] == 5 and points(found)["load"] == 9
    assert key_indicators(task(), interpolated=True).time == pytest.approx(4.1)
    # 80 lifts a day, kim-voor-gevorderden: between 2 and 2.5 points, 2.3
    assert key_indicators(task(per_day=80), interpolated=True).time == pytest.approx(2.3)
    assert found.score == 5 * 9 and found.verdict.level == 2


@pytest.mark.parametrize(
    ("per_day", "expected"),
    [(1, 1), (5, 1), (6, 1.5), (50, 2), (51, 2.5), (300, 4), (2000, 9), (2001, 10), (9000, 10)],
)
def test_time(per_day: float, expected: float) -> None:
    assert key_indicators(task(per_day=per_day)).time == expected


@pytest.mark.parametrize(
    ("load", "women", "men"),
    [(3, 6, 4), (5, 6, 4), (5.1, 9, 6), (15, 12, 8), (20, 25, 11), (25, 75, 15), (40, 100, 75)],
)
def test_load(load: float, women: float, men: float) -> None:
    found = [key_indicators(task(load=load, sex=sex)) for sex in ("female", "male")]
    assert [points(each)["load"] for each in found] == [women, men]


def test_postures() -> None:
    """All pairs, as listed in WindyRock1020/NCYU-KIM_LHC-App, base.py and uploadServer.py."""
    words = ("upright", "leaning", "bent", "crouched")
    expected = {
        ("upright", "upright"): 0,
        ("upright", "leaning"): 3,
        ("leaning", "leaning"): 5,
        ("upright", "bent"): 7,
        ("upright", "crouched"): 9,
        ("leaning", "bent"): 10,
        ("leaning", "crouched"): 13,
        ("bent", "bent"): 15,
        ("bent", "crouched"): 18,
        ("crouched", "crouched"): 20,
    }
    for i, start in enumerate(words):
        for end in words[i:]:
            there = points(key_indicators(task(start=start, end=end)))["posture"]
            back = points(key_indicators(task(start=end, end=start)))["posture"]
            assert there == back == expected[start, end]
    assert points(key_indicators(task(start="raised")))["posture"] == 3


def test_additional_points_are_limited() -> None:
    found = key_indicators(
        task(twist="frequent", away="frequent", arms_raised="frequent", above_shoulder="frequent")
    )
    assert points(found)["posture"] == 6
    assert points(key_indicators(task(arms_raised="occasional")))["posture"] == 0.5


def test_everything_at_once() -> None:
    """2.5 * (11 + 2 + 8 + 4 + 2): a man, 18 kg, 60 times, from the floor, by hand."""
    found = key_indicators(
        KeyIndicators(
            load=18,
            per_day=60,
            sex="male",
            start="bent",
            end="upright",
            handling="asymmetric",
            twist="occasional",
            grip="restricted",
            space="restricted",
            holding="long",
            organisation="restricted",
        )
    )
    assert points(found) == {
        "load": 11,
        "handling": 2,
        "posture": 8,
        "conditions": 4,
        "organisation": 2,
        "time": 2.5,
    }
    assert found.score == 2.5 * 27 and found.verdict.name == "substantially increased load"
    assert any("no complete worked example" in line for line in found.sources)


def test_bands_begin_at_their_limit() -> None:
    found = [
        key_indicators(task(load=load, per_day=per_day, sex="male", organisation=word)).verdict
        for load, per_day, word in ((5, 500, "good"), (5, 301, "restricted"), (40, 20, "good"))
    ]
    assert [each.level for each in found] == [2, 2, 4]  # 20, 30 and 112.5 points


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"load": 2}, "for 3 kg and more, got 2"),
        ({"load": float("nan")}, "load must be a finite number"),
        ({"per_day": -1}, "repetitions must be"),
        ({"sex": "f"}, "no sex 'f'"),
        ({"start": "bend"}, "no posture at the start 'bend'; did you mean 'bent'"),
        ({"grip": "bad"}, "no grip 'bad'"),
    ],
)
def test_bad_inputs(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        task(**wrong)
