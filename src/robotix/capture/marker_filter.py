"""Filters for recorded trajectories: zero-phase low pass, gap filling, resampling."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array

__all__ = ["fill_gaps", "low_pass", "runs_of", "sample_at"]

SLOPE_ROWS = 4  # over which the velocity beside a gap is estimated
PAD_ROWS = 60  # largest padding on both sides before filtering


def runs_of(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where a mask is true: first index, and the one after the last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def low_pass(positions: Array, *, rate: float, cutoff: float) -> Array:
    """Return trajectories (k, n, 3), low-pass filtered at `cutoff` Hz between gaps (NaN)."""
    out = positions.copy()
    for column in range(positions.shape[1]):
        for start, end in runs_of(np.isfinite(positions[:, column, 0])):
            if end - start > 2:
                run = positions[start:end, column]
                out[start:end, column] = _there_and_back(run, rate=rate, cutoff=cutoff)
    return out


def _there_and_back(curve: Array, *, rate: float, cutoff: float) -> Array:
    """Filter forwards and backwards; both ends are padded by point reflection."""
    pad = min(len(curve) - 1, PAD_ROWS)
    before = 2 * curve[0] - curve[pad:0:-1]
    after = 2 * curve[-1] - curve[-2 : -pad - 2 : -1]
    whole = np.concatenate([before, curve, after])
    # Two passes narrow the band; [Winter2009] §3.4.4.2 widens each one in turn.
    b, a = _butterworth(cutoff / (math.sqrt(2) - 1) ** 0.25, rate=rate)
    once = _filter(whole, b, a=a)
    return np.asarray(_filter(once[::-1], b, a=a)[::-1][pad : pad + len(curve)])


def _butterworth(cutoff: float, *, rate: float) -> tuple[Array, Array]:
    """Return the coefficients of a second-order low pass, by the bilinear transform."""
    c = math.tan(math.pi * min(cutoff / rate, 0.49))
    scale = 1 + math.sqrt(2) * c + c * c
    b = np.array([c * c, 2 * c * c, c * c]) / scale
    return b, np.array([1.0, 2 * (c * c - 1) / scale, (1 - math.sqrt(2) * c + c * c) / scale])


def _filter(x: Array, b: Array, *, a: Array) -> Array:
    """Return the output of a filter in steady state at the first value."""
    y = np.empty_like(x)
    x1 = x2 = y1 = y2 = x[0]
    for i, now in enumerate(x):
        y[i] = b[0] * now + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x1, x2, y1, y2 = now, x1, y[i], y1
    return y


def fill_gaps(times: Array, positions: Array, *, longest: float) -> Array:
    """Return trajectories (k, n, 3) with inner gaps of at most `longest` seconds filled."""
    out = positions.copy()
    for column in range(positions.shape[1]):
        curve = positions[:, column]
        for start, end in runs_of(np.isnan(curve[:, 0])):
            if start == 0 or end == len(times) or times[end] - times[start - 1] > longest + 1e-9:
                continue
            knots = np.array([start - 1, end])
            slopes = np.stack(
                [_slope(times, curve, at=start - 1, direction=-1), _slope(times, curve, at=end)]
            )
            out[start:end, column] = _hermite(
                times[start:end], times[knots], values=curve[knots], slopes=slopes
            )
    return out


def _slope(times: Array, curve: Array, *, at: int, direction: int = 1) -> Array:
    """Return the velocity at a row beside a gap, from the rows on the other side of it.

    It is the slope of the parabola through the row and two others, as far away as rows exist.
    """
    far = at
    while abs(far - at) < SLOPE_ROWS and 0 <= far + direction < len(times):
        if not np.isfinite(curve[far + direction, 0]):
            break
        far += direction
    if far == at:
        return np.zeros(3)
    whole = (curve[far] - curve[at]) / (times[far] - times[at])
    if abs(far - at) == 1:
        return np.asarray(whole)
    mid = (at + far) // 2
    half = (curve[mid] - curve[at]) / (times[mid] - times[at])
    bend = (whole - half) / (times[far] - times[mid])
    return np.asarray(half - bend * (times[mid] - times[at]))


def sample_at(new: Array, times: Array, *, positions: Array) -> Array:
    """Return trajectories (k, n, 3) at new times by cubic interpolation; NaN in gaps."""
    if len(times) == 1:
        return np.repeat(positions, len(new), axis=0)
    flat = positions.reshape(len(times), -1)
    velocities: Array = np.asarray(np.gradient(flat, times, axis=0))
    # beside a gap, the one-sided difference keeps the last row that was seen
    ahead, behind = np.empty_like(flat), np.empty_like(flat)
    rates = np.diff(flat, axis=0) / np.diff(times)[:, None]
    ahead[:-1], ahead[-1] = rates, np.nan
    behind[1:], behind[0] = rates, np.nan
    for one_sided in (ahead, behind):
        velocities = np.where(np.isnan(velocities), one_sided, velocities)
    left = np.clip(np.searchsorted(times, new, side="right") - 1, 0, len(times) - 2)
    out = np.empty((len(new), flat.shape[1]))
    for row, (t, i) in enumerate(zip(new, left, strict=True)):
        pair = slice(int(i), int(i) + 2)
        out[row] = _hermite(
            np.array([t]), times[pair], values=np.nan_to_num(flat[pair]), slopes=velocities[pair]
        )[0]
        near = int(np.abs(times[pair] - t).argmin()) + int(i)
        if abs(times[near] - t) < 1e-9:
            out[row] = flat[near]
        else:
            out[row][np.isnan(flat[pair]).any(axis=0)] = np.nan
    return out.reshape(len(new), *positions.shape[1:])


def _hermite(t: Array, ends: Array, *, values: Array, slopes: Array) -> Array:
    """Return the cubic between two rows (2, m) with given velocities, at times `t`, (len(t), m)."""
    h = ends[1] - ends[0]
    s = ((t - ends[0]) / h)[:, None]
    return np.asarray(
        (2 * s**3 - 3 * s**2 + 1) * values[0]
        + (s**3 - 2 * s**2 + s) * h * slopes[0]
        + (3 * s**2 - 2 * s**3) * values[1]
        + (s**3 - s**2) * h * slopes[1]
    )
