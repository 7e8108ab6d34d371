"""Effect sizes with intervals, by inversion of noncentral distributions or by resampling."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array

__all__ = ["EffectSize", "cohen_dz", "kendall_w", "partial_eta_squared", "rank_biserial"]

CONFIDENCE = 0.95
RESAMPLES = 2000
MIN_RESAMPLED = 5  # differences, for an interval by resampling


@dataclass(frozen=True)
class EffectSize:
    """An effect size with its confidence interval; the bounds are None where there is none."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def cohen_dz(differences: ArrayLike, *, confidence: float = CONFIDENCE) -> EffectSize | None:
    """Return the mean of paired differences over their standard deviation; None if that is 0."""
    from scipy import stats

    data = np.asarray(differences, dtype=float)
    n = len(data)
    sd = float(data.std(ddof=1)) if n > 1 else 0.0
    if sd == 0:
        return None
    d = float(data.mean()) / sd
    t, tail = d * math.sqrt(n), (1 - confidence) / 2
    low = _solve(lambda nc: float(stats.nct.cdf(t, n - 1, nc)) - (1 - tail), t, falling=True)
    high = _solve(lambda nc: float(stats.nct.cdf(t, n - 1, nc)) - tail, t, falling=True)
    return EffectSize("dz", d, _over(low, math.sqrt(n)), _over(high, math.sqrt(n)))


def partial_eta_squared(
    f: float, df_effect: float, df_error: float, *, confidence: float = 0.90
) -> EffectSize:
    """Return partial η² of an F test, with the interval that excludes 0 where p < 0.05.

    A share of variance cannot be negative, so the interval has 90 % where others have 95 %.
    """
    from scipy import stats

    value = f * df_effect / (f * df_effect + df_error)
    tail = (1 - confidence) / 2

    def share(noncentrality: float | None) -> float | None:
        if noncentrality is None:
            return None
        return noncentrality / (noncentrality + df_effect + df_error + 1)

    def chance(nc: float) -> float:
        if nc <= 0:
            return float(stats.f.cdf(f, df_effect, df_error))
        return float(stats.ncf.cdf(f, df_effect, df_error, nc))

    start = f * df_effect
    low = 0.0 if chance(0) < 1 - tail else _solve(lambda nc: chance(nc) - (1 - tail), start)
    high = 0.0 if chance(0) < tail else _solve(lambda nc: chance(nc) - tail, start)
    return EffectSize("partial η²", value, share(low), share(high))


def kendall_w(chi_squared: float, participants: int, conditions: int) -> EffectSize:
    """Return Kendall's W of a Friedman test: 0 for no agreement, 1 for full agreement."""
    return EffectSize("Kendall's W", chi_squared / (participants * (conditions - 1)))


def rank_biserial(differences: ArrayLike, *, confidence: float = CONFIDENCE) -> EffectSize | None:
    """Return the matched-pairs rank-biserial correlation; None if all differences are 0.

    Its interval is that of percentiles of resampled differences, with a fixed random seed; None
    below `MIN_RESAMPLED` of them, and where all have one sign: then every sample has the same.
    """
    data = np.asarray(differences, dtype=float)
    data = data[data != 0]
    n = data.size
    if not n:
        return None
    value = float(_rank_biserial(data[None])[0])
    if n < MIN_RESAMPLED or abs(value) == 1:
        return EffectSize("rank-biserial correlation", value)
    drawn = np.random.default_rng(0).integers(0, n, (RESAMPLES, n))
    tail = (1 - confidence) / 2
    low, high = np.quantile(_rank_biserial(data[drawn]), [tail, 1 - tail])
    return EffectSize("rank-biserial correlation", value, float(low), float(high))


def _rank_biserial(rows: Array) -> Array:
    """Return the correlation of each row of differences, none of them 0."""
    from scipy import stats

    ranks = stats.rankdata(np.abs(rows), axis=1)
    return np.asarray((np.sign(rows) * ranks).sum(axis=1) / ranks.sum(axis=1))


def _over(value: float | None, by: float) -> float | None:
    return None if value is None else value / by


def _solve(
    function: Callable[[float], float], start: float, *, falling: bool = True
) -> float | None:
    """Return the root of a falling function near a start; None if it cannot be bracketed.

    Noncentral distributions have no numbers far out in their tails, where few participants with
    large effects lead; then there is no root, either.
    """
    from scipy import optimize

    assert falling
    low, high, width = start - 1.0, start + 1.0, 1.0
    for _ in range(60):
        at_low, at_high = function(low), function(high)
        if not (math.isfinite(at_low) and math.isfinite(at_high)):
            return None
        if at_low < 0:
            low, width = low - width, width * 2
        elif at_high > 0:
            high, width = high + width, width * 2
        else:
            try:
                return float(optimize.brentq(function, low, high, xtol=1e-12))
            except ValueError:  # not a number in between
                return None
    return None
