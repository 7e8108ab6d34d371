"""Analysis of variance with repeated measures, for any number of factors within participants.

Every effect is a set of orthonormal contrasts between cells. The sums of squares of effect and
error, and the covariance of the contrasts from which the corrections for sphericity follow, are
those of the contrasts' values per participant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from robotix.experiments.analysis.effects import EffectSize, partial_eta_squared
from robotix.geometry import Array

__all__ = ["RepeatedEffect", "Sphericity", "repeated_anova", "test_sphericity"]


@dataclass(frozen=True)
class Sphericity:
    """Mauchly's test, and the factors by which degrees of freedom shrink without sphericity."""

    w: float | None  # Mauchly's W; None with two levels, or too few participants
    chi_squared: float | None
    p: float | None
    greenhouse_geisser: float
    huynh_feldt: float


@dataclass(frozen=True)
class RepeatedEffect:
    """One effect of the analysis, a factor or an interaction."""

    factors: tuple[str, ...]
    sum_of_squares: float
    df: int
    error_sum_of_squares: float
    error_df: int
    f: float | None  # None without any error
    p: float | None  # assuming sphericity
    p_greenhouse_geisser: float | None
    p_huynh_feldt: float | None
    sphericity: Sphericity
    effect_size: EffectSize | None

    @property
    def name(self) -> str:
        """The factors, as `arm x task`."""
        return " x ".join(self.factors)


def repeated_anova(cells: Array, factors: Sequence[tuple[str, int]]) -> tuple[RepeatedEffect, ...]:
    """Return all effects of a complete design.

    Args:
        cells: Values (participants, levels of the first factor, levels of the second …).
        factors: Name and number of levels of each factor within participants.
    """
    data = np.asarray(cells, dtype=float)
    counts = [count for _, count in factors]
    if data.shape[1:] != tuple(counts) or min(counts, default=0) < 2:
        raise ValueError(f"values of shape {data.shape} do not fit {dict(factors)}")
    if len(data) < 2:
        raise ValueError("an analysis of variance needs two participants or more")
    if not np.isfinite(data).all():
        raise ValueError("a cell is missing; leave out its participant")
    flat = data.reshape(len(data), -1)
    return tuple(
        _effect(flat, factors, chosen)
        for size in range(1, len(factors) + 1)
        for chosen in itertools.combinations(range(len(factors)), size)
    )


def _effect(
    flat: Array, factors: Sequence[tuple[str, int]], chosen: tuple[int, ...]
) -> RepeatedEffect:
    from scipy import stats

    parts = [
        _contrasts(count) if k in chosen else np.full((1, count), 1 / math.sqrt(count))
        for k, (_, count) in enumerate(factors)
    ]
    values = flat @ reduce(np.kron, parts).T  # (participants, contrasts)
    n, df = values.shape
    means = values.mean(axis=0)
    effect = float(n * (means**2).sum())
    error = float(((values - means) ** 2).sum())
    error_df = df * (n - 1)
    sphericity = test_sphericity(values, math.prod(factors[k][1] for k in chosen))
    names = tuple(factors[k][0] for k in chosen)
    if error <= 1e-12 * max(effect, 1e-300):
        return RepeatedEffect(
            names, effect, df, error, error_df, None, None, None, None, sphericity, None
        )
    f = (effect / df) / (error / error_df)

    def p(epsilon: float) -> float:
        return float(stats.f.sf(f, epsilon * df, epsilon * error_df))

    return RepeatedEffect(
        names, effect, df, error, error_df, f, p(1.0),
        p(sphericity.greenhouse_geisser), p(sphericity.huynh_feldt), sphericity,
        partial_eta_squared(f, df, error_df),
    )  # fmt: skip


def _contrasts(count: int) -> Array:
    """Return orthonormal contrasts (count - 1, count) between levels (Helmert)."""
    rows = []
    for k in range(1, count):
        row = np.zeros(count)
        row[:k], row[k] = 1.0, -float(k)
        rows.append(row / math.sqrt(k * (k + 1)))
    return np.array(rows)


def test_sphericity(contrasts: Array, conditions: int) -> Sphericity:
    """Return tests and corrections of sphericity from values of orthonormal contrasts (n, k).

    Mauchly's W and its χ² approximation; ε of Greenhouse and Geisser, and of Huynh and Feldt. The
    term of second order of the p-value has the number of conditions where Anderson's derivation
    has that of contrasts, as in R and in pingouin: whoever checks there finds the same number.
    """
    from scipy import stats

    n, k = contrasts.shape
    if k == 1:
        return Sphericity(None, None, None, 1.0, 1.0)
    covariance = np.cov(contrasts, rowvar=False)
    trace = float(np.trace(covariance))
    squares = float((covariance**2).sum())
    gg = trace**2 / (k * squares) if squares > 0 else 1.0
    gg = min(max(gg, 1 / k), 1.0)
    denominator = k * (n - 1 - k * gg)
    hf = min(1.0, (n * k * gg - 2) / denominator) if denominator > 0 else 1.0
    if n - 1 < k or trace <= 0:  # the covariance has no full rank
        return Sphericity(None, None, None, gg, hf)
    w = float(np.linalg.det(covariance) / (trace / k) ** k)
    if w <= 0:
        return Sphericity(w, None, None, gg, hf)
    df = k * (k + 1) // 2 - 1
    scale = 1 - (2 * k**2 + k + 2) / (6 * k * (n - 1))
    chi = -(n - 1) * scale * math.log(w)
    w2 = (k + 2) * (k - 1) * (k - 2) * (2 * k**3 + 6 * k**2 + 3 * conditions + 2)
    w2 /= 288 * ((n - 1) * k * scale) ** 2
    p = float(stats.chi2.sf(chi, df))
    p += w2 * (float(stats.chi2.sf(chi, df + 4)) - p)
    return Sphericity(w, chi, p, gg, hf)


test_sphericity.__test__ = False  # type: ignore[attr-defined]
