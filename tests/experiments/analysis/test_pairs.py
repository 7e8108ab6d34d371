import itertools

import numpy as np
import pytest
from oracles.pingouin_oracle import as_frame, pingouin
from support.known_data import known_data, paired_samples

from robotix.experiments.analysis.effects import cohen_dz, partial_eta_squared, rank_biserial
from robotix.experiments.analysis.pairs import compare_pairs, holm
from robotix.geometry import Array

SAMPLES = [known_data("drugs"), known_data("sleep_aids"), paired_samples(10, 4, seed=1)]


@pytest.mark.parametrize("values", SAMPLES)
def test_paired_t_tests_equal_pingouin(values: Array) -> None:
    known = pingouin().pairwise_tests(
        as_frame(values), dv="y", within="a", subject="participant", padjust="holm"
    )
    pairs = compare_pairs(values, [f"a{k}" for k in range(values.shape[1])])
    assert [(p.first, p.second) for p in pairs] == list(zip(known["A"], known["B"], strict=True))
    ours = np.array([(pair.statistic, pair.p, pair.p_holm) for pair in pairs], dtype=float)
    np.testing.assert_allclose(ours, known[["T", "p_unc", "p_corr"]].to_numpy(float), rtol=1e-9)


@pytest.mark.parametrize("values", SAMPLES[2:])
def test_signed_ranks_equal_pingouin(values: Array) -> None:
    pg = pingouin()
    pairs = compare_pairs(values, "abcd", is_parametric=False)
    for pair, (i, j) in zip(pairs, itertools.combinations(range(4), 2), strict=True):
        known = pg.wilcoxon(values[:, i], values[:, j]).iloc[0]
        assert pair.p == pytest.approx(known["p_val"], rel=1e-9)
        assert pair.effect_size is not None
        assert pair.effect_size.value == pytest.approx(known["RBC"], rel=1e-9)


def test_holm_of_known_values() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_equal_conditions_have_no_test() -> None:
    (pair,) = compare_pairs(np.ones((4, 2)), "ab")
    assert pair.p is None and pair.effect_size is None and pair.difference == 0


def test_intervals_of_effect_sizes_hold_what_they_promise() -> None:
    from scipy import stats

    rng = np.random.default_rng(7)
    data = rng.normal(0.8, 1.0, 20)
    d = cohen_dz(data)
    assert d is not None and d.low is not None and d.high is not None
    t = d.value * np.sqrt(20)
    assert stats.nct.sf(t, 19, d.low * np.sqrt(20)) == pytest.approx(0.025, abs=1e-6)
    assert stats.nct.cdf(t, 19, d.high * np.sqrt(20)) == pytest.approx(0.025, abs=1e-6)
    eta = partial_eta_squared(5.0, 3, 27)
    assert eta.low is not None and eta.high is not None
    assert 0 < eta.low < eta.value < eta.high < 1
    nothing = partial_eta_squared(0.2, 3, 27)
    assert nothing.low == 0.0


@pytest.mark.parametrize("differences", [[1.0, 1.001], [1e6, 1e6 + 1, 1e6 + 2], [5.0, -5.0]])
def test_few_values_with_large_effects_have_at_worst_no_interval(differences: list[float]) -> None:
    d = cohen_dz(differences)
    assert d is not None and np.isfinite(d.value)
    assert d.low is None or d.low <= d.value
    assert partial_eta_squared(1e9, 2, 2).value == pytest.approx(1.0)


def test_the_interval_of_the_rank_biserial_correlation_covers_the_true_value() -> None:
    rng = np.random.default_rng(3)
    wide = rng.normal(0.4, 1.0, 20_000)
    true = rank_biserial(wide)
    assert true is not None
    found = [rank_biserial(rng.normal(0.4, 1.0, 25)) for _ in range(200)]
    inside = [
        each.low <= true.value <= each.high
        for each in found
        if each is not None and each.low is not None and each.high is not None
    ]
    assert len(inside) > 190
    assert 0.88 < np.mean(inside) < 0.99
    few = rank_biserial([1.0, -2.0, 3.0])
    assert few is not None and few.low is None
    alike = rank_biserial([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert alike is not None and alike.value == 1 and alike.low is None
