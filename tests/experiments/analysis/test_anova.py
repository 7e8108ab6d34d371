from __future__ import annotations

import numpy as np
import pytest
from oracles.pingouin_oracle import as_frame, pingouin
from support.known_data import known_data, paired_samples

from robotix.experiments.analysis.anova import repeated_anova
from robotix.geometry import Array

EXACT = 1e-9
SAMPLES = [
    known_data("drugs"),
    known_data("sleep_aids"),
    known_data("sleep_deprivation"),
    paired_samples(6, 3, seed=1),
    paired_samples(12, 5, seed=2),
]


def test_the_drugs_have_the_published_f() -> None:
    (effect,) = repeated_anova(known_data("drugs"), [("drug", 4)])
    assert (effect.df, effect.error_df) == (3, 12)
    assert effect.f == pytest.approx(24.7589, abs=5e-5)
    assert effect.p is not None and effect.p < 1e-4
    assert effect.name == "drug"


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # in pingouin
@pytest.mark.parametrize("values", SAMPLES)
def test_one_factor_equals_pingouin(values: Array) -> None:
    pg, frame = pingouin(), as_frame(values)
    known = pg.rm_anova(frame, dv="y", within="a", subject="participant", detailed=True,
                        correction=True, effsize="np2")  # fmt: skip
    (effect,) = repeated_anova(values, [("a", values.shape[1])])
    row = known.iloc[0]
    ours = np.array([effect.sum_of_squares, effect.error_sum_of_squares, effect.f, effect.p], float)
    theirs = [row["SS"], known.iloc[1]["SS"], row["F"], row["p_unc"]]
    np.testing.assert_allclose(ours, theirs, rtol=EXACT)
    assert effect.p_greenhouse_geisser == pytest.approx(row["p_GG_corr"], rel=EXACT)
    assert effect.effect_size is not None
    assert effect.effect_size.value == pytest.approx(row["np2"], rel=EXACT)
    check = pg.sphericity(frame, dv="y", within="a", subject="participant")
    sphericity = effect.sphericity
    assert sphericity.w == pytest.approx(check.W, rel=EXACT)
    assert sphericity.chi_squared == pytest.approx(check.chi2, rel=EXACT)
    assert sphericity.p == pytest.approx(check.pval, rel=EXACT)
    for name, epsilon in (("gg", sphericity.greenhouse_geisser), ("hf", sphericity.huynh_feldt)):
        theirs_epsilon = pg.epsilon(
            frame, dv="y", within="a", subject="participant", correction=name
        )
        assert epsilon == pytest.approx(theirs_epsilon, rel=EXACT)


def test_two_factors_equal_pingouin() -> None:
    values = paired_samples(9, 3, 4, seed=3)
    known = pingouin().rm_anova(
        as_frame(values), dv="y", within=["a", "b"], subject="participant", effsize="np2"
    )
    effects = repeated_anova(values, [("a", 3), ("b", 4)])
    assert [each.name for each in effects] == ["a", "b", "a x b"]
    for (_, row), effect in zip(known.iterrows(), effects, strict=True):
        ours = np.array([effect.sum_of_squares, effect.f, effect.p], float)
        np.testing.assert_allclose(ours, [row["SS"], row["F"], row["p_unc"]], rtol=EXACT)
    for (_, row), effect in zip(known.iterrows(), effects, strict=True):
        assert effect.sphericity.greenhouse_geisser == pytest.approx(row["eps"], rel=EXACT)
        assert effect.p_greenhouse_geisser == pytest.approx(row["p_GG_corr"], rel=EXACT)


def test_three_factors_equal_statsmodels() -> None:
    import pandas
    from statsmodels.stats.anova import AnovaRM

    values = paired_samples(7, 2, 3, 2, seed=4)
    rows = [
        {"s": i, "a": a, "b": b, "c": c, "y": values[i, a, b, c]}
        for i, a, b, c in np.ndindex(values.shape)
    ]
    known = AnovaRM(pandas.DataFrame(rows), "y", "s", within=["a", "b", "c"]).fit().anova_table
    effects = repeated_anova(values, [("a", 2), ("b", 3), ("c", 2)])
    for effect in effects:
        row = known.loc[":".join(effect.factors)]
        assert effect.f == pytest.approx(row["F Value"], rel=1e-7)
        assert effect.p == pytest.approx(row["Pr > F"], rel=1e-6)


def test_two_levels_are_a_paired_t_test_and_need_no_sphericity() -> None:
    from scipy import stats

    values = paired_samples(8, 2, seed=5)
    (effect,) = repeated_anova(values, [("a", 2)])
    t = stats.ttest_rel(values[:, 0], values[:, 1])
    assert effect.f == pytest.approx(t.statistic**2, rel=EXACT)
    assert effect.p == pytest.approx(t.pvalue, rel=EXACT)
    assert effect.sphericity.w is None and effect.p_huynh_feldt == effect.p


def test_few_participants_and_equal_values_give_no_test_but_no_error() -> None:
    (few,) = repeated_anova(paired_samples(3, 5, seed=6), [("a", 5)])
    assert few.sphericity.w is None and few.f is not None
    (same,) = repeated_anova(np.tile([1.0, 2.0, 3.0], (4, 1)), [("a", 3)])
    assert same.f is None and same.p is None


def test_wrong_values_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        repeated_anova(np.zeros((4, 3)), [("a", 2)])
    with pytest.raises(ValueError, match="two participants"):
        repeated_anova(np.zeros((1, 3)), [("a", 3)])
    with pytest.raises(ValueError, match="missing"):
        repeated_anova(np.array([[1.0, np.nan], [1, 2]]), [("a", 2)])
