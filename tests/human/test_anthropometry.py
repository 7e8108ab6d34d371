"""Body measures against the survey they come from, and the arguments that make them."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.errors import UnknownName
from robotix.human import Anthropometry, make_anthropometry
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE
from robotix.human.body.survey import load_survey

SEXES = ("female", "male")

# ansur2_percentiles.csv, rows stature and weightkg: percentiles 5, 50, 95
STATURE = {"female": (1.525, 1.626, 1.740), "male": (1.648, 1.755, 1.870)}
MASS = {"female": (51.3, 66.8, 87.07), "male": (64.4, 84.6, 110.69)}

# ansur2_regressions.csv, column mean_mm: what a line gives at the mean stature
MEANS = {
    "female": {"hip_height": 845.4, "knee_height": 465.9, "hand_length": 181.1},
    "male": {"hip_height": 900.9, "knee_height": 491.7, "hand_length": 193.3},
}


@pytest.mark.parametrize("sex", SEXES)
@pytest.mark.parametrize("i", range(3))
def test_percentiles_are_those_of_the_survey(sex: str, i: int) -> None:
    body = make_anthropometry(sex=sex, percentile=(5, 50, 95)[i])
    assert body.stature == STATURE[sex][i]
    assert body.mass == MASS[sex][i]
    assert body.source("stature") == body.source("mass")
    assert body.source("mass").endswith(f"percentile {(5, 50, 95)[i]}")


@pytest.mark.parametrize("sex", SEXES)
def test_between_the_rows_of_the_table_percentiles_rise(sex: str) -> None:
    stature = load_survey("ansur2", "male" if sex == "male" else "female").stature
    values = [stature.at(1 + 0.5 * i) for i in range(197)]
    assert all(low < high for low, high in pairwise(values))
    # a normal distribution with the survey's own mean and SD, which it nearly is
    assert stature.at(69.146) == pytest.approx(stature.mean + stature.sd / 2, abs=0.004)


@pytest.mark.parametrize("sex", SEXES)
def test_every_length_grows_with_the_percentile(sex: str) -> None:
    small, middle, large = (make_anthropometry(sex=sex, percentile=p) for p in (5, 50, 95))
    assert list(small) == list(middle) == list(large)
    for name in middle:
        assert 0 < small[name] < middle[name] < large[name], name


@pytest.mark.parametrize("sex", SEXES)
def test_the_mean_person_has_the_mean_measures(sex: str) -> None:
    survey = load_survey("ansur2", "male" if sex == "male" else "female")
    body = make_anthropometry(sex=sex, stature=survey.stature.mean)
    assert body.mass == pytest.approx(survey.mass.mean)
    for name, mean_mm in MEANS[sex].items():
        assert 1000 * body[name] == pytest.approx(mean_mm, abs=0.2)
    assert body["waist_depth"] == pytest.approx(survey.distributions["waistdepth"].mean)
    assert body["head_length"] == pytest.approx(survey.distributions["headlength"].mean)


def test_joint_centres_agree_with_independent_figures() -> None:
    body = make_anthropometry(sex="m", stature=1.741)  # de Leva's mean man
    assert body["upper_arm_length"] == pytest.approx(0.2817, rel=0.02)
    assert body["forearm_length"] == pytest.approx(0.2689, rel=0.06)
    assert body["thigh_length"] == pytest.approx(0.4222, rel=0.05)
    assert body["shank_length"] == pytest.approx(0.4340, rel=0.06)
    assert body["hip_half_width"] == pytest.approx(0.085, abs=0.002)
    assert body["shoulder_half_width"] == pytest.approx(0.18, abs=0.003)
    assert body["l5s1_above_hip"] == pytest.approx(0.10, abs=0.003)
    assert body["t12l1_above_l5s1"] == pytest.approx(0.18, abs=0.003)
    # Drillis and Contini 1966: shares of stature
    assert body["shoulder_height"] / body.stature == pytest.approx(0.818, abs=0.025)
    assert body["foot_length"] / body.stature == pytest.approx(0.152, abs=0.004)


def test_stature_and_mass_complete_each_other() -> None:
    survey = load_survey("ansur2", "female")
    tall = make_anthropometry(sex="f", stature=1.80)
    slope = survey.correlation * survey.mass.sd / survey.stature.sd
    assert tall.mass == pytest.approx(survey.mass.mean + slope * (1.80 - survey.stature.mean))
    assert tall.source("stature") == "given" and "regression" in tall.source("mass")
    heavy = make_anthropometry(sex="f", mass=90.0)
    assert survey.stature.mean < heavy.stature < survey.stature.at(99)
    assert heavy.source("mass") == "given" and "regression" in heavy.source("stature")
    assert make_anthropometry(sex="f", mass=300.0).stature == survey.stature.at(99)
    both = make_anthropometry(sex="f", stature=1.80, mass=55.0)
    assert (both.stature, both.mass) == (1.80, 55.0)
    assert both["thigh_length"] == tall["thigh_length"]
    assert both["waist_depth"] < tall["waist_depth"]


def test_no_arguments_mean_the_median() -> None:
    assert make_anthropometry(sex="f") == make_anthropometry(sex="female", percentile=50)


@given(
    sex=st.sampled_from(["f", "m"]),
    stature=st.floats(*STATURE_RANGE),
    mass=st.floats(*MASS_RANGE),
)
def test_any_body_is_made_and_says_where_from(sex: str, stature: float, mass: float) -> None:
    body = make_anthropometry(sex=sex, stature=stature, mass=mass)
    assert all(math.isfinite(body[name]) and body[name] > 0 for name in body)
    assert all(body.source(name) for name in [*body, "stature", "mass"])
    lengths = body["ankle_height"] + body["shank_length"] + body["thigh_length"]
    assert lengths == pytest.approx(body["hip_height"])
    rising = ("ankle_height", "knee_height", "hip_height", "shoulder_height", "neck_height")
    heights = [0.0, *(body[name] for name in rising), body.stature]
    assert heights == sorted(heights)
    assert body["heel_to_ankle"] < body["heel_to_ball"] < body["foot_length"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sex": "x"}, "sex must be one of 'f', 'female', 'm', 'male', got 'x'"),
        ({"mass": -1.0}, r"mass must be from 20 to 300 kg, got -1\.0"),
        ({"mass": math.nan}, "mass must be"),
        ({"stature": 1.1}, r"stature must be from 1\.2 to 2\.3 m, got 1\.1"),
        ({"stature": 175.0}, "stature must be"),
        ({"stature": math.inf}, "stature must be"),
        ({"percentile": 0.5}, r"percentile must be from 1 to 99, got 0\.5"),
        ({"percentile": 100}, "percentile must be"),
        ({"percentile": math.nan}, "percentile must be"),
        ({"percentile": 50, "stature": 1.7}, "percentile must be given alone"),
        ({"percentile": 50, "mass": 70}, "percentile must be given alone"),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_anthropometry(**{"sex": "f", **wrong})


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownName, match="no population 'ansur1'; did you mean 'ansur2'"):
        make_anthropometry(sex="f", population="ansur1")
    with pytest.raises(UnknownName, match="did you mean 'thigh_length'"):
        make_anthropometry(sex="f")["thigh_lenght"]


def test_a_body_is_a_plain_value() -> None:
    body = make_anthropometry(sex="m", percentile=95)
    copy: Anthropometry = pickle.loads(pickle.dumps(body))
    assert copy == body and hash(copy) == hash(body)
    assert copy["thigh_length"] == body["thigh_length"]
    assert body.label == "male, 1.870 m, 110.7 kg"
