"""Descriptive statistics of one sample, and the published score E = μ² + σ²."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["SampleSummary", "score_e", "summarise"]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class SampleSummary:
    """A sample in numbers. `sd` is that of the population, estimated (n - 1); None below two."""

    n: int
    mean: float
    sd: float | None
    low: float | None  # of the confidence interval of the mean, by Student's t
    high: float | None
    median: float
    e: float | None  # mean² + sd²


def score_e(mean: float, sd: float) -> float:
    """Return E = μ² + σ² of completion times; lower is better."""
    return mean**2 + sd**2


def summarise(values: Sequence[float], *, confidence: float = CONFIDENCE) -> SampleSummary:
    """Return the summary of a sample of one value or more."""
    data = np.asarray(values, dtype=float)
    if not data.size:
        raise ValueError("nothing to summarise")
    mean, n = float(data.mean()), len(data)
    if n < 2:
        return SampleSummary(n, mean, None, None, None, float(np.median(data)), None)
    from scipy import stats

    sd = float(data.std(ddof=1))
    reach = float(stats.t.ppf((1 + confidence) / 2, n - 1)) * sd / math.sqrt(n)
    return SampleSummary(
        n, mean, sd, mean - reach, mean + reach, float(np.median(data)), score_e(mean, sd)
    )
