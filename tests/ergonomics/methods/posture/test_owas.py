"""OWAS: all 252 codes, the way from angles to a code, its bounds."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics import OwasPosture, owas, owas_of_code
from robotix.ergonomics.methods.posture.owas import STANCES

FILE = Path(__file__).parents[2] / "tables" / "owas.csv"
ROWS = [tuple(map(int, row.values())) for row in csv.DictReader(FILE.read_text().splitlines())]
LOADS = {1: 10.0, 2: 20.0, 3: 20.1}
BENT, TURNED = {"trunk": 0.6}, {"trunk_twist": -0.6}
BACKS: dict[int, dict[str, Any]] = {1: {}, 2: BENT, 3: TURNED, 4: {**BENT, **TURNED}}
ARMS: dict[int, dict[str, Any]] = {
    1: {},
    2: {"arms": (0.0, math.pi / 2)},
    3: {"arms": (1.7, math.pi)},
}
LEGS: dict[int, dict[str, Any]] = {
    1: {"stance": "sitting", "knees": (1.5, 1.5)},
    2: {"knees": (0.1, 0.1)},
    3: {"stance": "right", "knees": (0.0, 1.0)},
    4: {"knees": (1.0, 1.0)},
    5: {"stance": "left", "knees": (0.0, 1.0)},
    6: {"stance": "kneeling"},
    7: {"stance": "walking"},
}


def test_there_are_252_codes() -> None:
    assert len({row[:4] for row in ROWS}) == 4 * 3 * 7 * 3


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "".join(map(str, row[:4])))
def test_every_code(row: tuple[int, ...]) -> None:
    back, arms, legs, load, category = row
    noted = owas_of_code(back, arms, legs=legs, load=LOADS[load])
    assert noted.category == noted.verdict.level == category
    seen = owas(OwasPosture(**BACKS[back], **ARMS[arms], **LEGS[legs], load=LOADS[load]))
    assert seen.code == noted.code == "".join(map(str, row[:4]))
    assert seen.category == category


@pytest.mark.parametrize(
    "given, digit, expected",
    [
        ({"trunk": math.radians(20)}, 0, "1"),
        ({"trunk": math.radians(20.1)}, 0, "2"),
        ({"trunk": math.radians(-30)}, 0, "2"),
        ({"trunk_side_bend": math.radians(25)}, 0, "3"),
        ({"trunk": math.radians(25), "bent_back": math.radians(30)}, 0, "1"),
        ({"arms": (math.radians(89.9), 0.0)}, 1, "1"),
        ({"knees": (math.radians(30), 0.0)}, 2, "2"),
        ({"knees": (math.radians(31), 0.0)}, 2, "3"),
        ({"knees": (math.radians(31), 0.0), "bent_knee": 1.0}, 2, "2"),
        ({"load": 10.01}, 3, "2"),
    ],
)
def test_bands(given: dict[str, Any], digit: int, expected: str) -> None:
    assert owas(OwasPosture(**given)).code[digit] == expected


angle = st.floats(-math.pi, math.pi)


@given(
    posture=st.builds(
        OwasPosture,
        trunk=angle,
        trunk_twist=angle,
        trunk_side_bend=angle,
        arms=st.tuples(angle, angle),
        knees=st.tuples(angle, angle),
        stance=st.sampled_from(STANCES),
        load=st.floats(0, 100),
    )
)
def test_every_posture_has_a_category(posture: OwasPosture) -> None:
    assert 1 <= owas(posture).category <= 4


@given(
    back=st.integers(1, 4),
    arms=st.integers(1, 3),
    legs=st.integers(1, 7),
    load=st.floats(0, 50),
    more=st.floats(0, 50),
)
def test_a_heavier_load_never_helps(
    back: int, arms: int, legs: int, load: float, more: float
) -> None:
    lighter = owas_of_code(back, arms, legs=legs, load=load)
    assert owas_of_code(back, arms, legs=legs, load=load + more).category >= lighter.category


@pytest.mark.parametrize(
    "given",
    [
        {"trunk": math.nan},
        {"arms": (0.0, 4.0)},
        {"knees": (math.inf, 0.0)},
        {"load": -1.0},
        {"stance": "floating"},
        {"bent_back": -0.1},
    ],
)
def test_bad_postures_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be|no stance"):
        OwasPosture(**given)


@pytest.mark.parametrize("digits", [(0, 1, 1), (5, 1, 1), (1, 4, 1), (1, 1, 8)])
def test_unknown_digits_are_refused(digits: tuple[int, int, int]) -> None:
    back, arms, legs = digits
    with pytest.raises(ValueError, match="no digit"):
        owas_of_code(back, arms, legs=legs, load=0)
