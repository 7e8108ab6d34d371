"""Sets of bodies."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.ergonomics import (
    percentile_bodies,
    sampled_bodies,
)
from robotix.errors import UnknownName
from robotix.human.body.survey import load_survey


def test_percentiles_make_a_family() -> None:
    bodies = percentile_bodies((5, 95), sexes="fm")
    assert [(body.sex, body.stature) for body in bodies] == sorted(
        (body.sex, body.stature) for body in bodies
    )
    with pytest.raises(UnknownName, match="population 'mars'"):
        percentile_bodies(population="mars")
    with pytest.raises(ValueError, match="at least one percentile"):
        percentile_bodies(())


def test_a_sample_is_like_its_population() -> None:
    bodies = sampled_bodies(400, seed=1, sexes="m")
    again = sampled_bodies(400, seed=1, sexes="m")
    assert [b.label for b in bodies] == [b.label for b in again]
    assert [b.label for b in bodies] != [b.label for b in sampled_bodies(400, seed=2, sexes="m")]
    survey = load_survey("ansur2", "male")
    tall = np.array([b.stature for b in bodies])
    heavy = np.array([b.mass for b in bodies])
    assert tall.mean() == pytest.approx(survey.stature.mean, abs=0.01)
    assert heavy.mean() == pytest.approx(survey.mass.mean, abs=2.0)
    assert np.corrcoef(tall, heavy)[0, 1] == pytest.approx(survey.correlation, abs=0.1)
    assert [b.sex for b in sampled_bodies(4)] == ["female", "male", "female", "male"]
    with pytest.raises(ValueError, match="from 1 to"):
        sampled_bodies(0)
