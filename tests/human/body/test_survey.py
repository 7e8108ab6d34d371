"""Surveys: percentiles and regression lines."""

from __future__ import annotations

from itertools import pairwise

import pytest

from robotix.human import make_anthropometry
from robotix.human.body.survey import load_survey

SEXES = ("female", "male")


# ansur2_percentiles.csv, rows stature and weightkg: percentiles 5, 50, 95
STATURE = {"female": (1.525, 1.626, 1.740), "male": (1.648, 1.755, 1.870)}


MASS = {"female": (51.3, 66.8, 87.07), "male": (64.4, 84.6, 110.69)}


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
