"""Static postures, against the table of holding times at ergonomiesite.be/iso11226."""

from __future__ import annotations

import math
from typing import Any

import pytest

from robotix.ergonomics import StaticPosture, static_posture


def posture(part: str, degrees: float, seconds: float = 60.0, **more: bool) -> StaticPosture:
    return StaticPosture(part=part, angle=math.radians(degrees), seconds=seconds, **more)


@pytest.mark.parametrize(
    ("part", "degrees", "minutes", "seconds"),
    [
        ("trunk", 30, 3, 15),
        ("trunk", 40, 2, 30),
        ("trunk", 50, 1, 45),
        ("trunk", 60, 1, 0),
        ("head", 35, 6, 50),
        ("head", 45, 5, 40),
        ("head", 55, 4, 30),
        ("head", 65, 3, 20),
        ("head", 75, 2, 10),
        ("head", 85, 1, 0),
    ],
)
def test_printed_holding_times(part: str, degrees: float, minutes: int, seconds: int) -> None:
    limit = 60 * minutes + seconds
    found = static_posture(posture(part, degrees, limit - 1))
    assert found.longest == pytest.approx(limit)
    assert found.verdict.level == 2
    assert static_posture(posture(part, degrees, limit + 1)).verdict.level == 3


@pytest.mark.parametrize(("part", "degrees", "seconds"), [("trunk", 20, 240), ("head", 25, 480)])
def test_the_time_begins_at_the_free_angle(part: str, degrees: float, seconds: float) -> None:
    assert math.isinf(static_posture(posture(part, degrees)).longest)
    assert static_posture(posture(part, degrees + 1e-6)).longest == pytest.approx(seconds)


def test_upper_arm() -> None:
    """3 minutes at 20°, 1 minute at 60°: the line of one transcription."""
    assert static_posture(posture("upper_arm", 40)).longest == pytest.approx(120)
    assert static_posture(posture("upper_arm", 40, is_supported=True)).verdict.level == 1
    assert static_posture(posture("upper_arm", 61)).longest == 0


@pytest.mark.parametrize(
    ("given", "level"),
    [
        (posture("trunk", 10, 3600), 1),
        (posture("trunk", 61, 5), 3),
        (posture("trunk", 50, 3600, is_supported=True), 1),
        (posture("trunk", -10, 5), 3),
        (posture("trunk", -10, 5, is_supported=True), 1),
        (posture("trunk", 10, 5, is_asymmetric=True), 3),
        (posture("head", 86, 5), 3),
    ],
    ids=str,
)
def test_zones(given: StaticPosture, level: int) -> None:
    assert static_posture(given).verdict.level == level


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"part": "hip"}, "no part of the body 'hip'"),
        ({"part": "upper_arm", "angle": -0.1}, "0 or more in every direction"),
        ({"seconds": -1.0}, "holding time must be"),
        ({"angle": 10.0}, "from -180 to 180 degrees"),
    ],
)
def test_bad_inputs(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        StaticPosture(**{"part": "trunk", "angle": 0.1, "seconds": 1.0, **wrong})
