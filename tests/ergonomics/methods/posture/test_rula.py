"""RULA: every cell of its tables reached through a posture, its bands, its laws."""

from __future__ import annotations

import math
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics import Effort, RulaPosture, rula

TABLE = tomllib.loads((Path(__file__).parents[2] / "tables" / "rula.toml").read_text())
Parts = dict[str, Any]


def deg(**angles: float) -> Parts:
    return {name: math.radians(angle) for name, angle in angles.items()}


# score -> what gives it
UPPER_ARM: dict[int, Parts] = {
    1: deg(upper_arm=0),
    2: deg(upper_arm=30),
    3: deg(upper_arm=60),
    4: deg(upper_arm=100),
    5: {**deg(upper_arm=100), "arm_abducted": True},
    6: {**deg(upper_arm=100), "arm_abducted": True, "shoulder_raised": True},
}
LOWER_ARM: dict[int, Parts] = {
    1: deg(lower_arm=80),
    2: deg(lower_arm=30),
    3: {**deg(lower_arm=120), "arm_crosses": True},
}
WRIST: dict[int, Parts] = {
    1: deg(wrist=0),
    2: deg(wrist=-10),
    3: deg(wrist=20),
    4: {**deg(wrist=-20), "wrist_deviated": True},
}
TWIST: dict[int, Parts] = {1: {}, 2: {"wrist_twisted": True}}
NECK: dict[int, Parts] = {
    1: deg(neck=5),
    2: deg(neck=15),
    3: deg(neck=25),
    4: deg(neck=-5),
    5: {**deg(neck=-5), "neck_twisted": True},
    6: {**deg(neck=-5), "neck_twisted": True, "neck_side_bent": True},
}
TRUNK: dict[int, Parts] = {
    1: deg(trunk=0),
    2: deg(trunk=10),
    3: deg(trunk=40),
    4: deg(trunk=70),
    5: {**deg(trunk=70), "trunk_twisted": True},
    6: {**deg(trunk=70), "trunk_twisted": True, "trunk_side_bent": True},
}
LEGS: dict[int, Parts] = {1: {}, 2: {"legs_supported": False}}

CELLS_A = list(product(UPPER_ARM, LOWER_ARM, WRIST, TWIST))
CELLS_B = list(product(NECK, TRUNK, LEGS))


def arm(upper: int, lower: int, wrist: int, twist: int) -> Parts:
    return {**UPPER_ARM[upper], **LOWER_ARM[lower], **WRIST[wrist], **TWIST[twist]}


def body(neck: int, trunk: int, legs: int) -> Parts:
    return {**NECK[neck], **TRUNK[trunk], **LEGS[legs]}


def cell_a(upper: int, lower: int, wrist: int, twist: int) -> int:
    return int(TABLE["table_A"][upper - 1][lower - 1][wrist - 1][twist - 1])


def cell_b(neck: int, trunk: int, legs: int) -> int:
    return int(TABLE["table_B"][neck - 1][trunk - 1][legs - 1])


ARMS = {cell_a(*cell): arm(*cell) for cell in CELLS_A}  # score A -> what gives it
BODIES = {cell_b(*cell): body(*cell) for cell in CELLS_B}


@pytest.mark.parametrize("cell", CELLS_A, ids=str)
def test_table_a(cell: tuple[int, int, int, int]) -> None:
    found = rula(RulaPosture(**arm(*cell)))
    assert [step.score for step in found.steps[:4]] == list(cell)
    assert found.posture_a == cell_a(*cell)


@pytest.mark.parametrize("cell", CELLS_B, ids=str)
def test_table_b(cell: tuple[int, int, int]) -> None:
    found = rula(RulaPosture(**body(*cell)))
    assert [step.score for step in found.steps[6:9]] == list(cell)
    assert found.posture_b == cell_b(*cell)


@pytest.mark.parametrize("c", range(1, 10))
@pytest.mark.parametrize("d", range(1, 10))
def test_table_c(c: int, d: int) -> None:
    found = rula(RulaPosture(**ARMS[c], **BODIES[d]))
    assert (found.score_c, found.score_d) == (c, d)
    assert found.score == TABLE["table_C"][min(c, 8) - 1][min(d, 7) - 1]
    low, high = TABLE["action_levels"][str(found.verdict.level)]
    assert low <= found.score <= high


@pytest.mark.parametrize(
    "angles, part, expected",
    [
        (deg(upper_arm=20), "upper arm", 1),
        (deg(upper_arm=20.1), "upper arm", 2),
        (deg(upper_arm=-20), "upper arm", 1),
        (deg(upper_arm=-20.1), "upper arm", 2),
        (deg(upper_arm=-80), "upper arm", 2),
        (deg(upper_arm=45), "upper arm", 2),
        (deg(upper_arm=90), "upper arm", 3),
        (deg(upper_arm=90.1), "upper arm", 4),
        ({"arm_supported": True}, "upper arm", 1),
        (deg(lower_arm=60), "lower arm", 1),
        (deg(lower_arm=100), "lower arm", 1),
        (deg(lower_arm=100.1), "lower arm", 2),
        (deg(wrist=15), "wrist", 2),
        (deg(wrist=-15.1), "wrist", 3),
        (deg(neck=10), "neck", 1),
        (deg(neck=20), "neck", 2),
        (deg(neck=-0.1), "neck", 4),
        (deg(neck=-0.1, neutral=5), "neck", 1),
        (deg(trunk=4, neutral=5), "trunk", 1),
        (deg(trunk=20), "trunk", 2),
        (deg(trunk=60), "trunk", 3),
        (deg(trunk=-10), "trunk", 2),
        ({**deg(trunk=40), "trunk_supported": True}, "trunk", 1),
    ],
)
def test_bands(angles: Parts, part: str, expected: int) -> None:
    steps = {step.part: step for step in rula(RulaPosture(**angles)).steps}
    assert steps[part].score == expected, steps[part].reason


@pytest.mark.parametrize(
    "load, kind, expected",
    [
        (0.0, "intermittent", 0),
        (1.9, "static", 0),
        (2.0, "intermittent", 1),
        (10.0, "intermittent", 1),
        (10.1, "intermittent", 2),
        (2.0, "static", 2),
        (10.0, "repeated", 2),
        (10.1, "static", 3),
        (10.1, "repeated", 3),
        (0.5, "shock", 3),
    ],
)
def test_loads(load: float, kind: str, expected: int) -> None:
    """As in the paper: over 10 kg scores 2 now and then, 3 held or repeated, 3 as a jolt."""
    found = rula(RulaPosture(arm_effort=Effort(load=load, kind=kind)))
    assert found.score_c - found.posture_a == expected
    assert found.score_d == found.posture_b


def test_muscle_use_adds_one() -> None:
    found = rula(RulaPosture(body_effort=Effort(is_lasting=True)))
    assert found.score_d == found.posture_b + 1


def test_reasons_and_sources_are_shown() -> None:
    found = rula(RulaPosture(**deg(upper_arm=50), arm_abducted=True, arm_supported=True))
    assert found.steps[0].reason == "flexed by 50°: 3; abducted: +1; supported or leaning: -1"
    assert "McAtamney" in " ".join(found.sources)


angle = st.floats(-math.pi, math.pi)
efforts = st.builds(
    Effort,
    load=st.floats(0, 50),
    kind=st.sampled_from(["intermittent", "static", "repeated", "shock"]),
    is_lasting=st.booleans(),
)
postures = st.builds(
    RulaPosture,
    **{name: angle for name in ("upper_arm", "lower_arm", "wrist", "neck", "trunk")},
    **{
        name: st.booleans()
        for name in ("shoulder_raised", "arm_abducted", "arm_supported", "arm_crosses")
    },
    **{name: st.booleans() for name in ("neck_twisted", "neck_side_bent", "trunk_twisted")},
    arm_effort=efforts,
    body_effort=efforts,
)


@given(posture=postures)
def test_every_posture_has_a_score(posture: RulaPosture) -> None:
    found = rula(posture)
    assert 1 <= found.score <= 7
    assert found.verdict.level == (found.score + 1) // 2


@given(posture=postures, name=st.sampled_from(["arm_abducted", "arm_crosses", "neck_twisted"]))
def test_an_extra_strain_never_helps(posture: RulaPosture, name: str) -> None:
    eased = rula(RulaPosture(**{**vars(posture), name: False}))
    strained = rula(RulaPosture(**{**vars(posture), name: True}))
    assert strained.score >= eased.score


@pytest.mark.parametrize("part", ["upper_arm", "lower_arm", "wrist", "neck", "trunk"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 3.5])
def test_bad_angles_are_refused(part: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{part.replace('_', ' ')} must be from -180 to 180"):
        RulaPosture(**deg(**{part: math.degrees(value)}))


def test_bad_efforts_are_refused() -> None:
    with pytest.raises(ValueError, match="load must be"):
        Effort(load=-1)
    with pytest.raises(ValueError, match="no kind of load 'statc'; did you mean 'static'"):
        Effort(kind="statc")
