"""Lifting by ISO 11228-1, against the lifts of a real risk assessment.

The inputs and the indices printed in the assessment of a tunnel site of 2026, for men of 18 to 45
years and for younger or older ones, are in theveldtstudio/monitor-igiene-dvr @f7344a0,
src/dvr/mmc/__fixtures__/xenia2026.ts. The assessment rounds its multipliers to two digits, and the
weight limit to 0.1 kg.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from support.lifts import make_lift

from robotix.ergonomics import Lift, Lifters, lifting_index, reference_mass_index

# load kg, height cm, travel cm, reach cm, turn degrees, persons; printed index: adults, others
PRINTED = [
    ("controls of an erector", (3.8, 75, 40, 30, 0, 1), 0.19, 0.25),
    ("lamps onto a van", (4, 0, 100, 25, 30, 1), 0.26, 0.33),
    ("lamps, from the basket up", (4, 0, 100, 30, 0, 1), 0.29, 0.36),
    ("emergency lamps onto a van", (20, 0, 100, 25, 30, 2), 0.78, 0.98),
    ("emergency lamps, from the basket up", (20, 0, 100, 30, 0, 2), 0.86, 1.07),
    ("joystick", (3, 75, 40, 30, 0, 1), 0.16, 0.19),
    ("hooks and chains", (10, 0, 25, 25, 30, 1), 0.58, 0.72),
    ("store", (15, 25, 100, 25, 0, 1), 0.80, 1.01),
    ("pipes", (15, 25, 50, 30, 0, 1), 0.94, 1.17),
    ("parts of machines", (10, 50, 50, 30, 0, 1), 0.57, 0.71),
    ("fire boxes", (10, 0, 100, 25, 0, 1), 0.59, 0.75),
    ("extinguishers", (6, 0, 100, 25, 0, 1), 0.36, 0.45),
    ("buckets of mortar", (10, 50, 50, 30, 60, 1), 0.70, 0.88),
]


def lift_of(load: float, *centimetres: float) -> Lift:
    height, travel, reach, turn, _ = centimetres
    return Lift(
        load=load,
        vertical=height / 100,
        distance=travel / 100,
        horizontal=reach / 100,
        asymmetry=math.radians(turn),
    )


@pytest.mark.parametrize(
    ("numbers", "adults", "others"), [row[1:] for row in PRINTED], ids=[row[0] for row in PRINTED]
)
def test_printed_indices(numbers: tuple[float, ...], adults: float, others: float) -> None:
    lift, persons = lift_of(*numbers), int(numbers[-1])
    young = reference_mass_index(lift, Lifters(sex="male", age=30, persons=persons))
    older = reference_mass_index(lift, Lifters(sex="male", age=50, persons=persons))
    assert young.index == pytest.approx(adults, rel=0.025, abs=0.01)
    assert older.index == pytest.approx(others, rel=0.025, abs=0.01)


def test_weight_limits_of_two_persons() -> None:
    """12.8 and 10.2 kg each, in calcolo.test.ts of the same repository."""
    lift = lift_of(20, 0, 100, 25, 30, 2)
    found = reference_mass_index(lift, Lifters(sex="male", persons=2))
    assert found.mass == 10 and found.mass_limit == pytest.approx(12.8, abs=0.12)
    older = reference_mass_index(lift, Lifters(sex="male", age=46, persons=2))
    assert older.mass_limit == pytest.approx(10.2, abs=0.12)


def test_reference_masses() -> None:
    people = [
        ("male", 20),
        ("male", 45),
        ("male", 19),
        ("male", 46),
        ("female", 30),
        ("female", 60),
    ]
    found = [Lifters(sex=sex, age=age).reference_mass for sex, age in people]
    assert found == [25, 25, 20, 20, 20, 15]


@pytest.mark.parametrize(
    ("how", "factor"),
    [
        ({}, 1.0),
        ({"one_hand": True}, 0.6),
        ({"shift_hours": 8.5}, 0.97),
        ({"shift_hours": 9}, 0.97),
        ({"shift_hours": 10}, 0.93),
        ({"shift_hours": 12}, 0.85),
    ],
)
def test_more_multipliers(how: dict[str, Any], factor: float) -> None:
    lift = make_lift(load=15.0, horizontal=0.4, per_minute=3)
    found = reference_mass_index(lift, Lifters(sex="male", **how))
    assert found.mass_limit == pytest.approx(lifting_index(lift).weight_limit * 25 / 23 * factor)


def test_bands() -> None:
    women = Lifters(sex="female")
    levels = [
        reference_mass_index(make_lift(load=load), women).verdict.name
        for load in (17.0, 17.1, 19.9, 20.0)
    ]
    assert levels == ["green", "yellow", "yellow", "red"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sex": "m"}, "no sex 'm'"),
        ({"sex": "male", "age": 200}, "age must be from 14 to 80"),
        ({"sex": "male", "persons": 3}, "1 or 2 persons"),
        ({"sex": "male", "shift_hours": 13}, "from 0 to 12"),
    ],
)
def test_bad_inputs(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Lifters(**wrong)
    assert math.isinf(reference_mass_index(make_lift(horizontal=0.8), Lifters(sex="male")).index)
