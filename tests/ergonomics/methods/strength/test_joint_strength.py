"""Joint strength: every row of the published tables, percentages, and honest refusals."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import robotix.ergonomics.methods.strength.joint_strength as strength_module
from robotix.ergonomics import JointStrength, assess_strength, joint_strength, strength_joints
from robotix.ergonomics.assessment.finding import severity_of

TABLES = Path(__file__).parents[2] / "tables"
MASS, STATURE = 70.0, 1.75


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((TABLES / name).read_text().splitlines()))


ANDERSON = rows("joint_strength_anderson2007.csv")
PER_KG = [  # what is in both tables is taken from the first
    row
    for row in rows("joint_strength_per_kg.csv")
    if row["joint"] not in ("hip", "knee", "ankle")
    or row["direction"].split("flexion")[0] not in ("", "extension", "plantar", "dorsi")
]


def direction_of(row: dict[str, str]) -> str:
    is_extension = row["direction"].startswith("extension")
    if row["joint"] == "ankle":
        return "plantarflexion" if is_extension else "dorsiflexion"
    return "extension" if is_extension else "flexion"


def strength(**changes: Any) -> JointStrength:
    usual: dict[str, Any] = {"joint": "knee", "direction": "extension", "sex": "male"}
    given = {**usual, "mass": MASS, "stature": STATURE, **changes}
    return joint_strength(given.pop("joint"), given.pop("direction"), **given)


@pytest.mark.parametrize(
    "row", ANDERSON, ids=lambda r: f"{r['joint']} {direction_of(r)} {r['sex']} {r['age']}"
)
def test_every_row_of_anderson(row: dict[str, str]) -> None:
    joint, direction = row["joint"], direction_of(row)
    best = strength(
        joint=joint,
        direction=direction,
        sex=row["sex"],
        age=row["age"],
        angle=float(row["C3_rad"]),
    )
    peak = float(row["C1_torque_over_massxheightxg"]) * MASS * STATURE * 9.81
    assert best.mean == pytest.approx(peak)
    away = strength(joint=joint, direction=direction, sex=row["sex"], age=row["age"], angle=0.3)
    turn = float(row["C2_rad-1"]) * (0.3 - float(row["C3_rad"]))
    assert away.mean == pytest.approx(peak * math.cos(turn))
    assert best.sd is not None and 0 < best.sd < best.mean


@pytest.mark.parametrize("row", PER_KG, ids=lambda r: f"{r['joint']} {r['direction']}")
def test_every_other_row_per_kg(row: dict[str, str]) -> None:
    found = strength(joint=row["joint"], direction=row["direction"])
    assert found.mean == pytest.approx(float(row["max_isometric_Nm_per_kg_body_mass"]) * MASS)
    assert found.sd is None


def test_ten_rows_per_kg_are_regressions_of_harbo() -> None:
    noted = {
        (row["joint"], row["direction"]): row["max_isometric_Nm_per_kg_body_mass"]
        for row in rows("joint_strength_per_kg.csv")
    }
    different = set()
    for row in rows("joint_strength_harbo2012.csv"):
        constant, per_year, per_m, per_kg = (
            float(row[name]) for name in ("constant", "per_year", "per_m", "per_kg")
        )
        moment = constant + per_year * 25 + per_m * 1.80 + per_kg * 80.0
        name = row["joint"], row["direction"]
        rounding = 0.5 * 10.0 ** -len(noted[name].partition(".")[2])
        if abs(moment / 80.0 - float(noted[name])) > rounding + 1e-9:
            different.add(name)
    assert different == {("knee", "flexion"), ("ankle", "plantarflexion")}


def test_percent_capable() -> None:
    found = strength()
    assert found.sd is not None
    assert assess_strength(found.mean, found).percent_capable == pytest.approx(50)
    weak = assess_strength(found.mean - found.sd, found)
    assert weak.percent_capable == pytest.approx(100 * NormalDist().cdf(1))
    assert weak.demand == pytest.approx(1 - found.sd / found.mean)


@pytest.mark.parametrize(
    "sex, sds, level",
    [
        ("male", -2.4, 1),
        ("male", -2.2, 2),
        ("male", 0.7, 3),
        ("female", -0.7, 1),
        ("female", -0.6, 2),
        ("female", 2.4, 3),
    ],
)
def test_levels_if_the_percentages_were_verified(
    sex: str, sds: float, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """99 % of men and 75 % of women below, 25 % and 1 % above."""
    believe(monkeypatch, "criteria")
    found = strength(sex=sex)
    assert found.sd is not None
    assert assess_strength(found.mean + sds * found.sd, found).verdict.level == level


def believe(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """Take a part of the data as verified."""
    sources = strength_module._sources()
    trusted = replace(sources, **{part: replace(getattr(sources, part), unverified=False)})
    monkeypatch.setattr(strength_module, "_sources", lambda: trusted)


@pytest.mark.parametrize("joint, moment", [("knee", 10.0), ("knee", 900.0), ("trunk", 900.0)])
def test_unverified_limits_give_no_verdict(joint: str, moment: float) -> None:
    found = assess_strength(moment, strength(joint=joint))
    assert not found.verdict.is_given and found.verdict.name == "unverified"
    assert severity_of(found.verdict) == "unverified"
    assert any("unverified" in line for line in found.sources)


def test_beyond_the_range_there_is_no_strength() -> None:
    found = strength(angle=math.pi)
    assert found.mean == 0
    assert assess_strength(1.0, found).demand == math.inf
    assert assess_strength(1.0, found).percent_capable == 0


def test_without_a_spread_there_is_no_percentage(monkeypatch: pytest.MonkeyPatch) -> None:
    believe(monkeypatch, "per_kg")
    trunk = strength(joint="trunk")
    assert assess_strength(100.0, trunk).percent_capable is None
    assert assess_strength(100.0, trunk).verdict.name == "within strength"
    assert assess_strength(300.0, trunk).verdict.name == "beyond strength"
    assert "no women" in " ".join(trunk.sources)


@given(moment=st.floats(0, 500), more=st.floats(0, 500))
def test_fewer_can_hold_more(moment: float, more: float) -> None:
    light, heavy = (assess_strength(m, strength()) for m in (moment, moment + more))
    assert light.percent_capable is not None and heavy.percent_capable is not None
    assert 0 <= heavy.percent_capable <= light.percent_capable <= 100


def test_joints_are_listed() -> None:
    assert {("knee", "extension"), ("trunk", "rotation")} <= set(strength_joints())


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"joint": "kne"}, "did you mean 'knee extension'"),
        ({"sex": "other"}, "no sex 'other'"),
        ({"age": "30"}, "no age '30'"),
        ({"mass": -70.0}, "mass must be"),
        ({"stature": 175.0}, "stature must be from 1.2 to 2.3 m"),
        ({"angle": math.nan}, "angle of the knee must be"),
        ({"joint": "trunk", "sex": "female"}, "known for young men only"),
        ({"joint": "elbow", "age": ">65"}, "known for young men only"),
    ],
)
def test_bad_questions_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        strength(**changes)


@pytest.mark.parametrize("moment", [-1.0, math.nan, math.inf])
def test_bad_moments_are_refused(moment: float) -> None:
    with pytest.raises(ValueError, match="moment must be"):
        assess_strength(moment, strength())
