import numpy as np
import pytest
from support.known_data import known_data, paired_samples, tidy

from robotix.experiments.analysis.mixed_model import fit_mixed_model
from robotix.experiments.analysis.tidy import TidyTable


def test_sleep_deprivation_has_the_published_variances() -> None:
    # VarCorr(lmer(Reaction ~ Days + (1 | Subject), sleepstudy)) of lme4 prints 1378.1785, 960.4566;
    # the fixed effects are 251.405 and 10.467.
    model = fit_mixed_model(tidy(known_data("sleep_deprivation")), "value", [], numeric=["day"])
    assert model is not None and model.has_converged
    assert model.participant_variance == pytest.approx(1378.1785, rel=1e-4)
    assert model.residual_variance == pytest.approx(960.4566, rel=1e-5)
    assert [each.estimate for each in model.effects] == pytest.approx([251.405, 10.467], abs=1e-3)
    assert (model.n, model.participants) == (180, 18)


def test_effects_are_differences_to_the_first_level() -> None:
    values = paired_samples(30, 3, seed=2)
    model = fit_mixed_model(tidy(values), "value", ["condition"])
    assert model is not None
    assert [each.name for each in model.effects] == ["intercept", "condition: c1", "condition: c2"]
    means = values.mean(axis=0)
    assert [each.estimate for each in model.effects] == pytest.approx(
        [means[0], means[1] - means[0], means[2] - means[0]], abs=1e-6
    )


def test_rows_of_incomplete_participants_count() -> None:
    rows = list(tidy(paired_samples(10, 3, seed=3)).rows())[:-1]
    model = fit_mixed_model(TidyTable.of(rows), "value", ["condition"])
    assert model is not None and model.n == 29


@pytest.mark.parametrize("people", [0, 1])
def test_too_little_data_gives_no_model(people: int) -> None:
    table = tidy(np.arange(3.0 * people).reshape(people, 3))
    names: dict[str, list[str]] = {"participant": [], "condition": [], "value": []}
    assert fit_mixed_model(table if people else TidyTable(names), "value", ["condition"]) is None
