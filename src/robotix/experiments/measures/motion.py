"""Measures of one motion: path length, smoothness, Fitts throughput, time near a singularity.

Smoothness is the spectral arc length SPARC [Balasubramanian2015] of the speed, and the logarithmic
dimensionless jerk LDLJ of the same work: both are negative, and smoother is nearer to zero.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array

__all__ = [
    "fitts_throughput",
    "index_of_difficulty",
    "log_dimensionless_jerk",
    "path_length",
    "spectral_arc_length",
    "speeds_of",
    "time_below",
]

SPARC_CUTOFF = 10.0  # Hz
SPARC_THRESHOLD = 0.05  # of the normalised spectrum
SPARC_PADDING = 4  # powers of two beyond the length of the signal


def path_length(positions: ArrayLike) -> float:
    """Return the length of a path through positions (N, 3), in their unit."""
    points = np.asarray(positions, dtype=float)
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def speeds_of(positions: ArrayLike, dt: float) -> Array:
    """Return the speed at every sample of positions (N, 3), by central differences."""
    if not dt > 0:
        raise ValueError(f"dt must be positive, got {dt}")
    points = np.asarray(positions, dtype=float)
    if len(points) < 2:
        return np.zeros(len(points))
    return np.asarray(np.linalg.norm(np.gradient(points, dt, axis=0), axis=1))


def spectral_arc_length(speeds: ArrayLike, dt: float) -> float | None:
    """Return SPARC of a speed profile sampled every `dt` seconds; None without any motion.

    The arc length of the normalised amplitude spectrum of the zero-padded speed, up to 10 Hz or
    where the amplitude stays below 5 % of that at 0 Hz.
    """
    speed = np.asarray(speeds, dtype=float)
    if len(speed) < 2 or not speed.any():
        return None
    size = 2 ** (math.ceil(math.log2(len(speed))) + SPARC_PADDING)
    spectrum = np.abs(np.fft.rfft(speed, size))
    spectrum /= spectrum[0]
    frequency = np.arange(len(spectrum)) / (size * dt)
    inside = frequency <= SPARC_CUTOFF
    frequency, spectrum = frequency[inside], spectrum[inside]
    last = int(np.flatnonzero(spectrum >= SPARC_THRESHOLD)[-1])
    frequency, spectrum = frequency[: last + 1], spectrum[: last + 1]
    if last == 0:
        return 0.0
    steps = np.diff(frequency) / frequency[-1]
    return -float(np.hypot(steps, np.diff(spectrum)).sum())


def log_dimensionless_jerk(speeds: ArrayLike, dt: float) -> float | None:
    """Return -ln((T³ / v²) ∫ |d²v/dt²|² dt) of a speed profile; None where it is undefined."""
    speed = np.asarray(speeds, dtype=float)
    if len(speed) < 4 or not speed.any():
        return None
    jerk = np.diff(speed, 2) / dt**2
    duration = (len(speed) - 1) * dt
    value = float((jerk**2).sum() * dt * duration**3 / speed.max() ** 2)
    return -math.log(value) if value > 0 else None


def index_of_difficulty(distance: float, width: float) -> float:
    """Return Fitts' index of difficulty, bits, in the Shannon form: log2(distance / width + 1)."""
    if distance < 0 or not width > 0:
        raise ValueError(f"a distance of {distance} m to a target of {width} m has no difficulty")
    return math.log2(distance / width + 1)


def fitts_throughput(distance: ArrayLike, width: ArrayLike, time: ArrayLike) -> float | None:
    """Return the mean throughput of aimed movements, bit/s: difficulty over time, one by one.

    None without movements of positive duration.
    """
    rows = np.broadcast_arrays(*(np.asarray(each, float) for each in (distance, width, time)))
    rates = [
        index_of_difficulty(float(d), float(w)) / float(t)
        for d, w, t in zip(*(row.ravel() for row in rows), strict=True)
        if t > 0
    ]
    return math.fsum(rates) / len(rates) if rates else None


def time_below(values: ArrayLike, threshold: float, dt: float) -> float:
    """Return how long a value, such as manipulability, stays below a threshold, s."""
    return float(np.count_nonzero(np.asarray(values, dtype=float) < threshold) * dt)
