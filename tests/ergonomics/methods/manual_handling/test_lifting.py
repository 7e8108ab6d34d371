"""The revised NIOSH lifting equation: every cell of its tables, published examples, its laws."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lifts import lifts, make_lift

from robotix.ergonomics import Lift, lifting_index

TABLE = tomllib.loads((Path(__file__).parents[2] / "tables" / "rnle.toml").read_text())


KG, CM = 0.45359237, 2.54


LOW, HIGH = 0.5, 1.0  # heights of the hands, m


ROWS = [
    (f"le_{hours}h_V_{side}_75", hours, height)
    for hours in (1, 2, 8)
    for side, height in (("lt", LOW), ("ge", HIGH))
]


CELLS = [
    (per_minute, hours, height, value)
    for row, hours, height in ROWS
    for per_minute, value in zip(TABLE["FM"]["frequency_per_min"], TABLE["FM"][row], strict=True)
]


def multiplier(name: str, **changes: Any) -> float:
    steps = lifting_index(make_lift(**changes)).multipliers
    return next(step.score for step in steps if step.part == name)


def test_the_best_lift_may_weigh_the_load_constant() -> None:
    found = lifting_index(make_lift(load=23.0))
    assert found.weight_limit == pytest.approx(TABLE["LC_kg"])
    assert found.index == pytest.approx(1.0)
    assert [step.part for step in found.multipliers] == ["HM", "VM", "DM", "AM", "FM", "CM"]
    assert found.verdict.name == "acceptable"


@pytest.mark.parametrize("per_minute, hours, height, expected", CELLS)
def test_frequency_cells(per_minute: float, hours: float, height: float, expected: float) -> None:
    changes = {"per_minute": per_minute, "hours": hours, "vertical": height}
    assert multiplier("FM", **changes) == expected


@pytest.mark.parametrize("coupling", ["good", "fair", "poor"])
@pytest.mark.parametrize("column, height", [(0, LOW), (1, HIGH)])
def test_coupling_cells(coupling: str, column: int, height: float) -> None:
    expected = TABLE["CM"][coupling][column]
    assert multiplier("CM", coupling=coupling, vertical=height) == expected


@pytest.mark.parametrize("name", ["FM", "CM"])
def test_the_columns_part_at_75_cm(name: str) -> None:
    changes = {"coupling": "fair", "per_minute": 9, "hours": 8}
    assert multiplier(name, vertical=0.75, **changes) == multiplier(name, vertical=1.0, **changes)
    assert multiplier(name, vertical=0.7499, **changes) == multiplier(name, vertical=0, **changes)


@pytest.mark.parametrize(
    "hours, per_minute, expected",
    [(0.5, 1, 0.94), (1.01, 1, 0.88), (2, 1, 0.88), (2.01, 1, 0.75), (8, 1, 0.75), (8, 0, 0.85)],
)
def test_durations_and_rare_lifts(hours: float, per_minute: float, expected: float) -> None:
    assert multiplier("FM", hours=hours, per_minute=per_minute) == expected


@pytest.mark.parametrize(
    "per_minute, expected", [(1.5, 0.925), (12.5, 0.0), (15.5, 0.0), (100.0, 0.0)]
)
def test_between_the_frequencies(per_minute: float, expected: float) -> None:
    assert multiplier("FM", per_minute=per_minute, vertical=LOW) == pytest.approx(expected)


@pytest.mark.parametrize(
    "name, argument, value, expected",
    [
        ("HM", "horizontal", 0.0, 1.0),
        ("HM", "horizontal", 0.25, 1.0),
        ("HM", "horizontal", 0.40, 0.625),
        ("HM", "horizontal", 0.63, 25 / 63),
        ("HM", "horizontal", 0.6301, 0.0),
        ("VM", "vertical", 0.0, 0.775),
        ("VM", "vertical", 0.75, 1.0),
        ("VM", "vertical", 1.75, 0.7),
        ("VM", "vertical", 1.7501, 0.0),
        ("DM", "distance", 0.0, 1.0),
        ("DM", "distance", 0.25, 1.0),
        ("DM", "distance", 1.0, 0.865),
        ("DM", "distance", 1.75, 0.82 + 4.5 / 175),
        ("DM", "distance", 1.7501, 0.0),
        ("AM", "asymmetry", 0.0, 1.0),
        ("AM", "asymmetry", math.radians(90), 0.712),
        ("AM", "asymmetry", math.radians(135), 0.568),
        ("AM", "asymmetry", math.radians(135.1), 0.0),
    ],
)
def test_formulas(name: str, argument: str, value: float, expected: float) -> None:
    assert multiplier(name, **{argument: value}) == pytest.approx(expected)


def printed_lift(example: dict[str, Any]) -> Lift:
    return make_lift(
        load=example["load_lb"] * KG,
        horizontal=example["H_in"] * CM / 100,
        vertical=example["V_in"] * CM / 100,
        distance=example["D_in"] * CM / 100,
        asymmetry=math.radians(example["A_deg"]),
        per_minute=example["frequency_per_min"],
        coupling=example["coupling"],
    )


@pytest.mark.parametrize("example", TABLE["example"], ids=lambda e: f"{e['name']} {e['where']}")
def test_published_examples(example: dict[str, Any]) -> None:
    """The manual reads its multipliers off tables in inches; 10 inches are not quite 25 cm."""
    printed = example["multipliers_HM_VM_DM_AM_FM_CM"]
    assert TABLE["LC_lb"] * math.prod(printed) == pytest.approx(example["RWL_lb"], abs=0.05)
    found = lifting_index(printed_lift(example))
    assert [step.score for step in found.multipliers] == pytest.approx(printed, abs=0.016)
    assert found.weight_limit / KG == pytest.approx(example["RWL_lb"], rel=0.05)
    assert found.index == pytest.approx(example["LI"], abs=0.2)


@pytest.mark.parametrize("example", TABLE["example"], ids=lambda e: f"{e['name']} {e['where']}")
def test_published_examples_in_us_units(example: dict[str, Any]) -> None:
    """In inches and pounds only the rounding of printed multipliers is left."""
    found = lifting_index(printed_lift(example), form="us")
    printed = example["multipliers_HM_VM_DM_AM_FM_CM"]
    assert [step.score for step in found.multipliers] == pytest.approx(printed, abs=0.0058)
    assert found.weight_limit / KG == pytest.approx(example["RWL_lb"], rel=0.022)
    assert found.index == pytest.approx(example["LI"], abs=0.08)


def test_us_units() -> None:
    """51 lb at 10 inches, 30 inches high: exactly the load constant of that form."""
    best = make_lift(load=51 * KG, horizontal=0.254, vertical=0.762, distance=0.254)
    found = lifting_index(best, form="us")
    assert found.weight_limit == pytest.approx(51 * KG) and found.index == pytest.approx(1)
    assert found.single_lift_limit == pytest.approx(51 * KG)
    assert lifting_index(best).index > 1.02
    assert "10 in" in found.multipliers[0].reason and "30 in" in found.multipliers[4].reason
    assert lifting_index(make_lift(horizontal=0.64), form="us").index == math.inf
    with pytest.raises(ValueError, match="no form of the equation 'imperial'"):
        lifting_index(best, form="imperial")  # type: ignore[arg-type]


def test_nothing_may_be_lifted_too_far_away() -> None:
    found = lifting_index(make_lift(horizontal=0.7))
    assert (found.weight_limit, found.index) == (0.0, math.inf)
    assert found.verdict.name == "high risk"
    assert lifting_index(make_lift(horizontal=0.7, load=0.0)).index == 0.0


@given(lift=lifts)
def test_multipliers_are_shares(lift: Lift) -> None:
    found = lifting_index(lift)
    assert all(0 <= step.score <= 1 for step in found.multipliers)
    assert 0 <= found.weight_limit <= 23
    assert found.weight_limit <= found.single_lift_limit
    assert found.index >= found.single_lift_index


@given(lift=lifts, more=st.floats(0, 1))
def test_a_harder_lift_has_no_higher_limit(lift: Lift, more: float) -> None:
    def limit(**changes: Any) -> float:
        return lifting_index(Lift(**{**vars(lift), **changes})).weight_limit

    usual = lifting_index(lift).weight_limit + 1e-9
    assert limit(horizontal=lift.horizontal + more) <= usual
    assert limit(distance=min(lift.distance + more, 2.5)) <= usual
    assert limit(asymmetry=min(lift.asymmetry + more, math.pi)) <= usual
    assert limit(per_minute=lift.per_minute + more) <= usual
    assert limit(hours=min(lift.hours + more, 8)) <= usual


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"load": -1.0}, "load must be"),
        ({"load": math.nan}, "load must be"),
        ({"load": math.inf}, "load must be"),
        ({"horizontal": 40.0}, "horizontal must be from 0 to 2.5 m"),
        ({"vertical": -0.1}, "vertical must be"),
        ({"distance": math.nan}, "distance must be"),
        ({"asymmetry": -0.1}, "asymmetry must be from 0 to 180 degrees"),
        ({"asymmetry": 4.0}, "asymmetry must be"),
        ({"per_minute": -1.0}, "frequency must be"),
        ({"hours": 9.0}, "hours of lifting must be more than 0 and at most 8"),
        ({"hours": 0.0}, "hours of lifting must be more than 0"),
        ({"coupling": "god"}, "no coupling 'god'; did you mean 'good'?"),
    ],
)
def test_bad_lifts_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("?", r"\?")):
        make_lift(**changes)
