"""REBA: every cell of its tables reached through a posture, its bands, its laws."""

from __future__ import annotations

import math
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics import RebaPosture, reba

TABLE = tomllib.loads((Path(__file__).parents[2] / "tables" / "reba.toml").read_text())
Parts = dict[str, Any]


def deg(**angles: float) -> Parts:
    return {name: math.radians(angle) for name, angle in angles.items()}


# score -> what gives it
NECK: dict[int, Parts] = {
    1: deg(neck=10),
    2: deg(neck=25),
    3: {**deg(neck=-5), "neck_twisted": True},
}
TRUNK: dict[int, Parts] = {
    1: deg(trunk=0),
    2: deg(trunk=-10),
    3: deg(trunk=40),
    4: deg(trunk=70),
    5: {**deg(trunk=70), "trunk_twisted": True},
}
LEGS: dict[int, Parts] = {
    1: deg(knee=10),
    2: deg(knee=45),
    3: deg(knee=70),
    4: {**deg(knee=70), "on_one_leg": True},
}
UPPER_ARM: dict[int, Parts] = {
    1: deg(upper_arm=10),
    2: deg(upper_arm=-30),
    3: deg(upper_arm=60),
    4: deg(upper_arm=100),
    5: {**deg(upper_arm=100), "arm_abducted": True},
    6: {**deg(upper_arm=100), "arm_abducted": True, "shoulder_raised": True},
}
LOWER_ARM: dict[int, Parts] = {1: deg(lower_arm=80), 2: deg(lower_arm=30)}
WRIST: dict[int, Parts] = {
    1: deg(wrist=10),
    2: deg(wrist=-20),
    3: {**deg(wrist=20), "wrist_twisted": True},
}
LOAD: dict[int, Parts] = {
    0: {"load": 4.9},
    1: {"load": 5.0},
    2: {"load": 10.1},
    3: {"load": 10.1, "shock": True},
}
COUPLING: dict[int, Parts] = {
    0: {"coupling": "good"},
    1: {"coupling": "fair"},
    2: {"coupling": "poor"},
    3: {"coupling": "unacceptable"},
}
CELLS_A = list(product(NECK, TRUNK, LEGS))
CELLS_B = list(product(UPPER_ARM, LOWER_ARM, WRIST))


def body(neck: int, trunk: int, legs: int) -> Parts:
    return {**NECK[neck], **TRUNK[trunk], **LEGS[legs]}


def arm(upper: int, lower: int, wrist: int) -> Parts:
    return {**UPPER_ARM[upper], **LOWER_ARM[lower], **WRIST[wrist]}


def cell(table: str, indices: tuple[int, int, int]) -> int:
    i, j, k = indices
    return int(TABLE[table][i - 1][j - 1][k - 1])


BODIES = {
    cell("table_A", indices) + more: {**body(*indices), **LOAD[more]}
    for indices, more in product(CELLS_A, LOAD)
}
ARMS = {
    cell("table_B", indices) + more: {**arm(*indices), **COUPLING[more]}
    for indices, more in product(CELLS_B, COUPLING)
}


@pytest.mark.parametrize("indices", CELLS_A, ids=str)
def test_table_a(indices: tuple[int, int, int]) -> None:
    found = reba(RebaPosture(**body(*indices)))
    assert [step.score for step in found.steps[:3]] == list(indices)
    assert found.score_a == cell("table_A", indices)


@pytest.mark.parametrize("indices", CELLS_B, ids=str)
def test_table_b(indices: tuple[int, int, int]) -> None:
    found = reba(RebaPosture(**arm(*indices)))
    assert [step.score for step in found.steps[4:7]] == list(indices)
    assert found.score_b == cell("table_B", indices)


@pytest.mark.parametrize("a", range(1, 13))
@pytest.mark.parametrize("b", range(1, 13))
def test_table_c(a: int, b: int) -> None:
    found = reba(RebaPosture(**BODIES[a], **ARMS[b]))
    assert (found.score_a, found.score_b) == (a, b)
    assert found.score == found.score_c == TABLE["table_C"][a - 1][b - 1]


@pytest.mark.parametrize("more", LOAD)
def test_load_is_added_to_a(more: int) -> None:
    assert reba(RebaPosture(**LOAD[more])).score_a == 1 + more


@pytest.mark.parametrize("more", COUPLING)
def test_coupling_is_added_to_b(more: int) -> None:
    assert reba(RebaPosture(**COUPLING[more])).score_b == 1 + more


@pytest.mark.parametrize("score", range(1, 16))
def test_risk_bands(score: int) -> None:
    activity = max(0, score - 12)
    flags: Parts = dict.fromkeys(("is_static", "is_repeated", "is_rapid")[:activity], True)
    wanted = next(
        (a, b)
        for a, b in product(BODIES, ARMS)
        if a <= 12 and b <= 12 and TABLE["table_C"][a - 1][b - 1] == score - activity
    )
    found = reba(RebaPosture(**BODIES[wanted[0]], **ARMS[wanted[1]], **flags))
    assert found.score == score
    name = found.verdict.name.removesuffix(" risk").replace(" ", "_")
    low, high = TABLE["risk_bands"][name]
    assert low <= score <= high


@pytest.mark.parametrize(
    "given, part, expected",
    [
        (deg(neck=20), "neck", 1),
        (deg(neck=20.1), "neck", 2),
        (deg(neck=-1), "neck", 2),
        (deg(neck=-1, neutral=2), "neck", 1),
        (deg(trunk=1, neutral=2), "trunk", 1),
        (deg(trunk=20), "trunk", 2),
        (deg(trunk=-20), "trunk", 2),
        (deg(trunk=-20.1), "trunk", 3),
        (deg(trunk=-80), "trunk", 3),
        (deg(trunk=60), "trunk", 3),
        (deg(trunk=60.1), "trunk", 4),
        (deg(knee=30), "legs", 1),
        (deg(knee=60), "legs", 2),
        (deg(knee=60.1), "legs", 3),
        ({**deg(knee=90), "is_sitting": True}, "legs", 1),
        (deg(upper_arm=20), "upper arm", 1),
        (deg(upper_arm=45), "upper arm", 2),
        (deg(upper_arm=90), "upper arm", 3),
        ({"arm_supported": True}, "upper arm", 1),
        (deg(lower_arm=60), "lower arm", 1),
        (deg(lower_arm=59.9), "lower arm", 2),
        (deg(wrist=-15), "wrist", 1),
        (deg(wrist=15.1), "wrist", 2),
        ({"load": 10.0}, "load", 1),
    ],
)
def test_bands(given: Parts, part: str, expected: int) -> None:
    steps = {step.part: step for step in reba(RebaPosture(**given)).steps}
    assert steps[part].score == expected, steps[part].reason


angle = st.floats(-math.pi, math.pi)
flag = st.booleans()
postures = st.builds(
    RebaPosture,
    **{name: angle for name in ("neck", "trunk", "knee", "upper_arm", "lower_arm", "wrist")},
    **{name: flag for name in ("neck_twisted", "trunk_twisted", "on_one_leg", "is_sitting")},
    **{name: flag for name in ("arm_abducted", "shoulder_raised", "arm_supported")},
    **{name: flag for name in ("wrist_twisted", "shock", "is_static", "is_repeated", "is_rapid")},
    load=st.floats(0, 100),
    coupling=st.sampled_from(["good", "fair", "poor", "unacceptable"]),
)


@given(posture=postures)
def test_every_posture_has_a_score(posture: RebaPosture) -> None:
    found = reba(posture)
    assert 1 <= found.score <= 15
    assert found.score_a <= 12 and found.score_b <= 12


@given(posture=postures, more=st.floats(0, 50))
def test_a_heavier_load_never_helps(posture: RebaPosture, more: float) -> None:
    heavier = RebaPosture(**{**vars(posture), "load": posture.load + more})
    assert reba(heavier).score >= reba(posture).score


@pytest.mark.parametrize("part", ["neck", "trunk", "knee", "upper_arm", "lower_arm", "wrist"])
@pytest.mark.parametrize("value", [math.nan, -math.inf, 4.0])
def test_bad_angles_are_refused(part: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{part.replace('_', ' ')} must be from -180 to 180"):
        RebaPosture(**deg(**{part: math.degrees(value)}))


def test_bad_loads_are_refused() -> None:
    with pytest.raises(ValueError, match="load must be"):
        RebaPosture(load=-0.1)
    with pytest.raises(ValueError, match="no coupling 'pour'; did you mean 'poor'"):
        RebaPosture(coupling="pour")
