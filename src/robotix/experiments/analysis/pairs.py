"""Comparisons of pairs of conditions, corrected for their number by Holm's method."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from robotix.experiments.analysis.effects import EffectSize, cohen_dz, rank_biserial
from robotix.experiments.analysis.scores import summarise
from robotix.geometry import Array

__all__ = ["PairComparison", "compare_pairs", "holm"]


@dataclass(frozen=True)
class PairComparison:
    """One pair: the difference first minus second, with its interval, test and effect size."""

    first: str
    second: str
    n: int
    difference: float
    low: float | None
    high: float | None
    statistic: float | None  # t, or W of Wilcoxon
    p: float | None
    p_holm: float | None
    effect_size: EffectSize | None


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's step-down method."""
    order = np.argsort(ps, kind="stable")
    corrected, worst = [0.0] * len(ps), 0.0
    for rank, k in enumerate(order):
        worst = max(worst, min(1.0, (len(ps) - rank) * ps[k]))
        corrected[k] = worst
    return corrected


def compare_pairs(
    values: Array, names: Sequence[str], *, is_parametric: bool = True
) -> tuple[PairComparison, ...]:
    """Return all pairs of the columns of values (participants, conditions).

    By Student's t for paired samples, or by Wilcoxon's signed ranks.
    """
    data = np.asarray(values, dtype=float)
    found = [
        _compare(data[:, a] - data[:, b], names[a], names[b], is_parametric)
        for a, b in itertools.combinations(range(data.shape[1]), 2)
    ]
    tested = [k for k, pair in enumerate(found) if pair.p is not None]
    corrected = holm([found[k].p or 0.0 for k in tested])
    for k, p in zip(tested, corrected, strict=True):
        found[k] = replace(found[k], p_holm=p)
    return tuple(found)


def _compare(differences: Array, first: str, second: str, is_parametric: bool) -> PairComparison:
    from scipy import stats

    mean = summarise(list(differences))
    statistic = p = None
    effect = cohen_dz(differences) if is_parametric else rank_biserial(differences)
    if len(differences) > 1 and effect is not None:
        if is_parametric:
            test = stats.ttest_1samp(differences, 0.0)
        else:
            test = stats.wilcoxon(differences)
        statistic, p = float(test.statistic), float(test.pvalue)
    return PairComparison(
        first, second, mean.n, mean.mean, mean.low, mean.high, statistic, p, None, effect
    )
