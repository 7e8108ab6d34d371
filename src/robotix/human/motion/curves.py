"""Smooth curves over time, sampled once per tick, and elementary rotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array

__all__ = [
    "clamped_spline",
    "lower_envelope",
    "minimum_jerk",
    "partial_rotations",
    "pitch_rotations",
    "ramp",
    "sampled_curve",
    "smooth_below",
    "translated",
    "yaw_rotations",
]


def minimum_jerk(part: ArrayLike) -> Array:
    """Return 10 w³ - 15 w⁴ + 6 w⁵, the minimum-jerk law over w in [0, 1] [Flash1985]."""
    w = np.clip(np.asarray(part, dtype=float), 0.0, 1.0)
    return np.asarray(w**3 * (10 - 15 * w + 6 * w * w))


def ramp(ticks: int) -> Array:
    """Return the minimum-jerk law at the ends of `ticks` ticks, from rest to rest, (ticks,)."""
    return minimum_jerk(np.arange(1, ticks + 1) / ticks)


def clamped_spline(times: ArrayLike, points: ArrayLike, *, at: ArrayLike) -> Array:
    """Return the clamped cubic spline through points (k, d) at given times, (len(at), d).

    It is at rest at both ends, has continuous acceleration, and minimises its integral square.
    """
    t, p, x = (np.asarray(values, dtype=float) for values in (times, points, at))
    h = np.diff(t)
    slope = np.diff(p, axis=0) / h[:, None]
    k = len(t)
    A, b = np.eye(k), np.zeros_like(p)  # unknown: velocities at the points, zero at the ends
    for i in range(1, k - 1):
        A[i, i - 1 : i + 2] = h[i], 2 * (h[i - 1] + h[i]), h[i - 1]
        b[i] = 3 * (h[i] * slope[i - 1] + h[i - 1] * slope[i])
    v = np.linalg.solve(A, b)
    j = np.clip(np.searchsorted(t, x, side="right") - 1, 0, k - 2)
    w, width, displacement = ((x - t[j]) / h[j])[:, None], h[j][:, None], (p[1:] - p[:-1])[j]
    leave, arrive = width * v[j] - displacement, displacement - width * v[j + 1]
    return np.asarray(p[j] + w * displacement + w * (1 - w) * ((1 - w) * leave + w * arrive))


def sampled_curve(points: ArrayLike, ticks: int) -> Array:
    """Return a smooth path through points (k, d) with a minimum-jerk time law, (ticks, d).

    Cubic Hermite segments over the chord length; the path starts and ends at rest.
    """
    positions = np.asarray(points, dtype=float)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    apart = np.concatenate([[True], steps > 1e-9])
    positions, knots = positions[apart], np.concatenate([[0.0], np.cumsum(steps[steps > 1e-9])])
    if len(positions) < 2:
        return np.tile(positions[-1], (ticks, 1))
    s = ramp(ticks) * knots[-1]
    slopes = np.gradient(positions, knots, axis=0)  # of the curve at its points
    i = np.clip(np.searchsorted(knots, s, side="right") - 1, 0, len(knots) - 2)
    h = (knots[i + 1] - knots[i])[:, None]
    w = (s - knots[i])[:, None] / h
    displacement = positions[i + 1] - positions[i]
    leave, arrive = h * slopes[i] - displacement, displacement - h * slopes[i + 1]
    return np.asarray(
        positions[i] + w * displacement + w * (1 - w) * ((1 - w) * leave + w * arrive)
    )


def translated(point: ArrayLike, *, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Array:
    """Return a point, (2,) or (3,), displaced along the axes, m."""
    out = np.array(point, dtype=float)
    out += np.array([x, y, z])[: len(out)]
    return out


def lower_envelope(values: Array, *, width: int) -> Array:
    """Return a smooth curve that nowhere exceeds the values (n,); `width` in rows.

    A sliding minimum, smoothed by a triangular window of the same width.
    """
    reach = max(width, 1)
    padded = np.pad(values, reach, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)
    least = np.pad(windows.min(axis=1), reach, mode="edge")
    hat = np.bartlett(2 * reach + 1)
    return np.convolve(least, hat / hat.sum(), mode="valid")


def smooth_below(values: Array, *, width: int, rounds: int = 60) -> Array:
    """Return a smooth curve near the values (n,) that exceeds them nowhere; `width` in rows.

    The values are lowered where the smoothed ones exceed them, until they do not any more.
    """
    reach = max(width, 1)
    hat = np.bartlett(2 * reach + 3)
    hat = np.convolve(hat, hat) / hat.sum() ** 2
    lowered, smooth = values.copy(), values
    for _ in range(rounds):
        padded = np.pad(lowered, len(hat) // 2, mode="edge")
        smooth = np.convolve(padded, hat, mode="valid")
        lowered -= np.maximum(smooth - values, 0.0)
    return smooth - max(float((smooth - values).max()), 0.0)


def partial_rotations(rotation_vector: Array, fractions: Array) -> Array:
    """Return the rotations by fractions (n,) of a rotation vector, (n, 3, 3) (Rodrigues 1840)."""
    angle = float(np.linalg.norm(rotation_vector))
    x, y, z = rotation_vector / max(angle, 1e-12)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    theta = (angle * fractions)[:, None, None]
    return np.asarray(np.eye(3) + np.sin(theta) * K + (1 - np.cos(theta)) * (K @ K))


def yaw_rotations(yaw: ArrayLike) -> Array:
    """Return rotations about z, (..., 3, 3)."""
    angle = np.asarray(yaw, dtype=float)
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    rows = [[c, -s, zero], [s, c, zero], [zero, zero, one]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def pitch_rotations(pitch: ArrayLike) -> Array:
    """Return rotations about y, (..., 3, 3): a positive angle pitches x downwards."""
    angle = np.asarray(pitch, dtype=float)
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    rows = [[c, zero, s], [zero, one, zero], [-s, zero, c]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
