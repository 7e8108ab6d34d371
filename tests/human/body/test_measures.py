"""The lengths of a body follow the survey, and joint centres the literature."""

from __future__ import annotations

import pytest

from robotix.human import make_anthropometry
from robotix.human.body.survey import load_survey

SEXES = ("female", "male")


# ansur2_regressions.csv, column mean_mm: what a line gives at the mean stature
MEANS = {
    "female": {"hip_height": 845.4, "knee_height": 465.9, "hand_length": 181.1},
    "male": {"hip_height": 900.9, "knee_height": 491.7, "hand_length": 193.3},
}


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
