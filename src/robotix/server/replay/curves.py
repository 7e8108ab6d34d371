"""Curves over time, thinned for drawing so that no peak is lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array

__all__ = ["Series", "envelope", "value_at"]


@dataclass(frozen=True, eq=False)
class Series:
    """Values of a channel over time."""

    times: Array  # (n,), s, rising
    values: Array  # (n,); NaN where unknown
    unit: str
    is_held: bool = False  # a value stays until the next; otherwise it is interpolated
    is_sampled: bool = False  # evaluated at some times, not recorded at every tick


def envelope(series: Series, *, start: float, end: float, count: int) -> tuple[Array, Array, Array]:
    """Return times, lowest and highest values of at most `count` parts of a range, with its ends.

    Where there are few values, they are returned themselves, lowest and highest being the same.
    """
    first = max(int(np.searchsorted(series.times, start, side="left")) - 1, 0)
    last = min(int(np.searchsorted(series.times, end, side="right")) + 1, len(series.times))
    times, values = series.times[first:last], series.values[first:last]
    if len(times) <= 2 * count:
        return times, values, values
    starts = np.unique(np.linspace(0, len(times), count, endpoint=False).astype(int))
    with np.errstate(invalid="ignore"):
        low, high = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
    return times[starts], low, high


def value_at(series: Series, times: Array) -> Array:
    """Return the values at given times; NaN before the first, and after the last where sampled."""
    if not len(series.times):
        return np.full(len(times), np.nan)
    if series.is_held:
        k = np.searchsorted(series.times, times, side="right") - 1
        found = series.values[np.maximum(k, 0)]
    else:
        found = np.interp(times, series.times, series.values)
        found = np.where(times > series.times[-1], np.nan, found)
    return np.where(times < series.times[0], np.nan, found)
