"""Revised Strain Index, against examples of NTP 1125 and 1169 as ErgoCalculator has them."""

from __future__ import annotations

from math import radians

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics import Exertion, strain_index

FIRST = [  # NTP 1169, task A
    Exertion(intensity=0.7, per_minute=1, seconds=1, hours=4, task="A"),
    Exertion(intensity=0.4, per_minute=2.6, seconds=1.2, hours=4, task="A"),
    Exertion(intensity=0.2, per_minute=5, seconds=3, hours=4, task="A"),
]
SECOND = [  # NTP 1169, task B
    Exertion(intensity=0.1, per_minute=0.5, seconds=1, wrist=radians(-15), hours=4, task="B"),
    Exertion(intensity=0.5, per_minute=2, seconds=3, wrist=radians(-15), hours=4, task="B"),
]


def test_the_example_of_ntp_1125() -> None:
    effort = Exertion(intensity=0.2, per_minute=5, seconds=3, wrist=radians(-5), hours=4)
    expected = {"intensity": 2.616, "efforts": 1.35, "duration": 1.38, "posture": 1.05523}
    for name, value in (expected | {"hours": 0.769766}).items():
        assert effort.factors[name] == pytest.approx(value, abs=1e-5)
    found = strain_index([effort])
    assert found.name == "RSI" and found.index == pytest.approx(3.95875, abs=1e-4)
    assert not found.verdict.is_given


def test_the_example_of_ntp_1169() -> None:
    alone = [2.356763, 2.384195, 3.751540, 0.243121, 5.011025]
    for effort, value in zip([*FIRST, *SECOND], alone, strict=True):
        assert effort.index == pytest.approx(value, abs=1e-5)
    assert strain_index(FIRST).index == pytest.approx(7.501245, abs=1e-5)
    assert strain_index(SECOND).index == pytest.approx(5.146092, abs=1e-5)
    day = strain_index([*FIRST, *SECOND])
    assert day.name == "CUSI" and day.index == pytest.approx(9.041417, abs=1e-5)
    assert day.composite == pytest.approx({"A": 7.501245, "B": 5.146092}, abs=1e-5)


def test_the_order_does_not_matter() -> None:
    assert strain_index([*SECOND, *FIRST[::-1]]).index == pytest.approx(
        strain_index([*FIRST, *SECOND]).index
    )


@given(st.floats(0.05, 0.95), st.floats(0.5, 20.0), st.floats(0.2, 2.5))
def test_more_is_never_less(intensity: float, per_minute: float, seconds: float) -> None:
    base = Exertion(intensity=intensity, per_minute=per_minute, seconds=seconds)
    for more in (
        Exertion(intensity=min(intensity + 0.05, 1), per_minute=per_minute, seconds=seconds),
        Exertion(intensity=intensity, per_minute=1.1 * per_minute, seconds=seconds),
        Exertion(intensity=intensity, per_minute=per_minute, seconds=1.1 * seconds),
        Exertion(intensity=intensity, per_minute=per_minute, seconds=seconds, wrist=-0.5),
    ):
        assert more.index > base.index


def test_efforts_join_where_their_equation_changes() -> None:
    at, above = (
        Exertion(intensity=0.1, per_minute=rate, seconds=0.5).factors["efforts"]
        for rate in (90.0, 90.01)
    )
    assert above == pytest.approx(at, rel=2e-3)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"intensity": 1.2}, "intensity must be from 0 to 1"),
        ({"seconds": 20.0}, "5 efforts of 20 s do not fit into a minute"),
        ({"wrist": 2.0}, "wrist must be from -90 to 90"),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, float], message: str) -> None:
    usual = {"intensity": 0.2, "per_minute": 5.0, "seconds": 3.0}
    with pytest.raises(ValueError, match=message):
        Exertion(**(usual | wrong))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one"):
        strain_index([])
    with pytest.raises(ValueError, match="the same hours"):
        strain_index([Exertion(**usual, hours=h) for h in (4.0, 8.0)])  # type: ignore[arg-type]
