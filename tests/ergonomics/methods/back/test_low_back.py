"""Forces at L5/S1: published examples to the newton, an independent optimiser, its laws."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics import (
    AbdominalPressure,
    BackModel,
    BackTask,
    SingleMuscle,
    TenMuscles,
    greatest_load,
    hand_calculated_compression,
    low_back_band,
    low_back_load,
    sacral_angle,
)
from robotix.ergonomics.methods.back.low_back import band_verdict

FILE = Path(__file__).parents[2] / "tables" / "l5s1_validation.csv"


ROWS = {row["id"]: row for row in csv.DictReader(FILE.read_text().splitlines())}


EXACT = [name for name, row in ROWS.items() if "exact" in row["use"]]


MOMENTS = [name for name, row in ROWS.items() if row["use"] == "moment only"]


ROUNDED = [name for name, row in ROWS.items() if "three digits" in row["use"]]


MODELS = [SingleMuscle(), SingleMuscle(0.06), TenMuscles()]


def published_task(row: dict[str, str]) -> BackTask:
    # V03 measures along a spine of 55° from the vertical, the others give horizontal arms
    share = math.sin(math.radians(55)) if "sin55" in row["posture"] else 1.0
    return BackTask(
        upper_weight=float(row["W_upper_N"]),
        upper_arm=share * float(row["arm_upper_m"]),
        load=float(row["load_N"]),
        load_arm=share * float(row["arm_load_m"]),
        angle=math.radians(float(row["trunk_flexion_deg"] or 0)),
    )


def make_task(**changes: float) -> BackTask:
    usual = {"upper_weight": 450.0, "upper_arm": 0.25, "load": 200.0, "load_arm": 0.4}
    return BackTask(**{**usual, "angle": math.radians(35), **changes})


def test_the_rows_are_there() -> None:
    assert EXACT == ["V01", "V03"]
    assert MOMENTS == ["V02a", "V02b", "V02c", "V02d"]
    assert ROUNDED == ["V04a", "V04b"]


@pytest.mark.parametrize("name", EXACT)
def test_exact_rows_to_the_newton(name: str) -> None:
    row = ROWS[name]
    model = SingleMuscle(float(row["muscle_arm_m"]))
    found = low_back_load(published_task(row), model=model)
    assert found.moment == pytest.approx(float(row["M_Nm"]), abs=0.01)
    assert found.muscle_force == pytest.approx(float(row["Fm_N"]), abs=1)
    assert found.compression == pytest.approx(float(row["Fc_N"]), abs=1)
    assert found.shear == pytest.approx(float(row["Fs_N"]), abs=1)


@pytest.mark.parametrize("name", ROUNDED)
def test_rounded_rows(name: str) -> None:
    row = ROWS[name]
    found = low_back_load(published_task(row), model=SingleMuscle(float(row["muscle_arm_m"])))
    assert found.moment == pytest.approx(float(row["M_Nm"]), abs=0.5)
    assert found.muscle_force == pytest.approx(float(row["Fm_N"]), abs=5)
    assert found.compression == pytest.approx(float(row["Fc_N"]), abs=5)


def test_resultant_of_the_first_example() -> None:
    assert low_back_load(published_task(ROWS["V01"])).resultant == pytest.approx(4398, abs=1)


@pytest.mark.parametrize("name", MOMENTS)
def test_moment_rows(name: str) -> None:
    assert published_task(ROWS[name]).moment == pytest.approx(float(ROWS[name]["M_Nm"]))


@pytest.mark.parametrize(
    "torso, knee, expected", [(0, 180, 39.6), (90, 180, 88.74), (0, 90, 37.125)]
)
def test_sacral_angle(torso: float, knee: float, expected: float) -> None:
    found = sacral_angle(math.radians(torso), knee=math.radians(knee))
    assert math.degrees(found) == pytest.approx(expected)


def test_hand_calculation_example() -> None:
    """180 lb, 45°, 40 lb at 20 inch: 886 lb, 3940 N."""
    lb = 4.4482216152605
    found = hand_calculated_compression(
        body_weight=180 * lb, torso=math.pi / 4, load=40 * lb, hand_distance=20 * 0.0254
    )
    assert found == pytest.approx(3940, abs=1)


def test_other_forces_add_their_moment() -> None:
    found = low_back_load(make_task(more_moment=10.0))
    assert found.muscle_force == pytest.approx(202.5 / 0.05)


@pytest.mark.parametrize(
    "load_arm, level, words",
    [(0.1, 1, "below the action limit"), (0.4, 2, "3400 N"), (1.0, 3, "6400 N")],
)
def test_compression_limits(load_arm: float, level: int, words: str) -> None:
    found = low_back_load(make_task(load_arm=load_arm))
    assert found.compression_verdict.level == level
    assert words in str(found.compression_verdict)
    assert found.verdict == found.compression_verdict


@pytest.mark.parametrize("weight, level", [(700.0, 1), (700.1, 2), (1000.0, 2), (1000.1, 3)])
def test_shear_limits(weight: float, level: int) -> None:
    task = BackTask(upper_weight=weight, upper_arm=0.0, angle=math.pi / 2)
    assert low_back_load(task).shear_verdict.level == level


def test_the_band_holds_the_usual_model() -> None:
    band = low_back_band(make_task())
    assert band.low < low_back_load(make_task()).compression < band.high
    assert len(band.cases) == 13
    stiff = low_back_load(make_task(), model=SingleMuscle(0.044))
    assert band.high == pytest.approx(stiff.compression)
    assert band.low < low_back_load(make_task(), model=TenMuscles()).compression < band.high


@pytest.mark.parametrize(
    "low, high, level, words",
    [
        (1000, 3400, 1, "below the action limit"),
        (3300, 3500, 2, "in some models"),
        (3300, 6500, 2, "even above the maximum"),
        (3500, 6400, 3, "in all models: act"),
        (3500, 6500, 3, "in some above the maximum"),
        (6500, 7000, 3, "not allowed"),
    ],
)
def test_the_verdict_by_the_band(low: float, high: float, level: int, words: str) -> None:
    found = band_verdict(low, high)
    assert (found.level, found.levels) == (level, 3)
    assert words in str(found)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_greatest_load_reaches_the_limit(model: BackModel) -> None:
    for limit in (3400.0, 6400.0):
        load = greatest_load(make_task(), limit=limit, model=model)
        at_limit = low_back_load(make_task(load=load), model=model).compression
        assert at_limit == pytest.approx(limit, abs=0.1)
    assert greatest_load(make_task(), limit=500.0, model=model) == 0
    assert greatest_load(make_task(load_arm=0.2)) > greatest_load(make_task(load_arm=0.5))


def test_no_load_hanging_along_a_steep_disc_reaches_the_limit() -> None:
    task = make_task(upper_arm=0.0, load_arm=0.0, angle=math.pi / 2)
    assert greatest_load(task, model=SingleMuscle()) == math.inf


def test_unverified_arms_are_cases_but_do_not_widen_the_band() -> None:
    band = low_back_band(make_task())
    doubtful = [case for case in band.cases if "unverified" in case.reason]
    assert len(doubtful) == 6
    assert min(case.score for case in doubtful) < band.low
    best = low_back_load(make_task(), model=SingleMuscle(0.05, AbdominalPressure()))
    assert band.low == pytest.approx(best.compression)
    assert "unverified" in " ".join(low_back_load(make_task(), model=SingleMuscle(0.06)).sources)


def test_sources_are_shown() -> None:
    found = low_back_load(make_task(), model=SingleMuscle(abdominal=AbdominalPressure()))
    words = " ".join(found.sources)
    for name in ("Chaffin", "Morris", "NIOSH", "Gallagher", "0.05 m"):
        assert name in words


positive = st.floats(0, 2000)


arms = st.floats(0, 1)


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(weight=positive, load=positive, arm=arms, load_arm=arms, angle=st.floats(0, 1.5))
def test_forces_are_bounded_below(
    model: BackModel, weight: float, load: float, arm: float, load_arm: float, angle: float
) -> None:
    task = BackTask(upper_weight=weight, upper_arm=arm, load=load, load_arm=load_arm, angle=angle)
    found = low_back_load(task, model=model)
    assert found.muscle_force >= 0 and found.shear >= 0
    assert found.compression >= task.weight * math.cos(angle) - 1e-6
    assert found.shear <= task.weight + 1e-6


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(load=positive, more=st.floats(0, 500), reach=st.floats(0, 0.5))
def test_more_load_and_more_reach_press_more(
    model: BackModel, load: float, more: float, reach: float
) -> None:
    def pressed(**changes: float) -> float:
        return low_back_load(make_task(**changes), model=model).compression

    assert pressed(load=load + more) >= pressed(load=load) - 1e-6
    assert pressed(load=load, load_arm=0.4 + reach) >= pressed(load=load) - 1e-6


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"upper_weight": -1.0}, "weight of the upper body must be"),
        ({"load": math.nan}, "load must be"),
        ({"load": math.inf}, "load must be"),
        ({"upper_arm": 25.0}, "arm of the upper body must be from -3 to 3 m"),
        ({"load_arm": math.nan}, "arm of the load must be"),
        ({"angle": 4.0}, "angle of the disc must be from -90 to 180 degrees"),
        ({"angle": math.nan}, "angle of the disc"),
        ({"more_moment": math.inf}, "more_moment must be"),
        ({"side_moment": math.nan}, "side_moment must be"),
    ],
)
def test_bad_tasks_are_refused(changes: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_task(**changes)


def test_bad_angles_are_refused() -> None:
    with pytest.raises(ValueError, match="hip angle"):
        AbdominalPressure(-0.1)
    with pytest.raises(ValueError, match="torso"):
        sacral_angle(3.0)
    with pytest.raises(ValueError, match="knee"):
        sacral_angle(0.0, knee=0.0)
    options: dict[str, Any] = {"torso": 0.0, "load": 0.0, "hand_distance": 0.3}
    with pytest.raises(ValueError, match="body weight"):
        hand_calculated_compression(body_weight=-1, **options)
