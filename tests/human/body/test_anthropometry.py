"""Body measures: the arguments that define a body."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.errors import UnknownName
from robotix.human import Anthropometry, make_anthropometry
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE, survey_notes
from robotix.human.body.survey import load_survey


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


@pytest.mark.parametrize(
    "sex, stature, mass, words",
    [
        ("m", 1.61, 21.0, ["mass of 21 kg is outside", "21 kg at 1.61 m is a build"]),
        ("m", 2.05, 100.0, ["stature of 2.05 m is outside"]),
        ("f", 1.50, 130.0, ["mass of 130 kg is outside", "130 kg at 1.5 m"]),
        ("f", 1.63, 67.0, []),
    ],
)
def test_bodies_outside_of_the_survey_are_told(
    sex: str, stature: float, mass: float, words: list[str]
) -> None:
    notes = survey_notes(make_anthropometry(sex=sex, stature=stature, mass=mass))
    assert len(notes) == len(words)
    assert all(word in note for word, note in zip(words, notes, strict=True))
