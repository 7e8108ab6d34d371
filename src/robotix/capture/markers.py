"""Recorded markers: named points over time, from motion capture or animation files.

Always in metres and seconds, with z up. A marker is NaN where it was not measured; gaps are kept
until they are filled explicitly.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.capture.marker_filter import fill_gaps, low_pass, runs_of, sample_at
from robotix.errors import BadFile, UnknownName
from robotix.geometry import Array, Pose

__all__ = [
    "UNITS",
    "AxisName",
    "MarkerGap",
    "MarkerSet",
    "make_markers",
    "metres_per",
    "numbered",
    "z_up",
]

AxisName: TypeAlias = Literal["x", "y", "z"]

UNITS: Mapping[str, float] = {  # metres
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "in": 0.0254,
    "ft": 0.3048,
    "cmu": 0.0254 / 0.45,  # the skeletons of the CMU motion capture database
}
_LONG_NAMES = {
    "meters": "m",
    "metres": "m",
    "meter": "m",
    "metre": "m",
    "mete": "m",
    "inches": "in",
}
# Cyclic, so that axes stay right-handed: the axis after the upward one becomes x.
_COLUMNS: Mapping[AxisName, list[int]] = {"x": [1, 2, 0], "y": [2, 0, 1], "z": [0, 1, 2]}


class MarkerGap(NamedTuple):
    """A gap of a marker: times of the last row before it and of the first row after it."""

    marker: str
    start: float  # s
    end: float  # s


@dataclass(frozen=True, eq=False)
class MarkerSet:
    """Points over time: `markers["LASI"]` is (k, 3), m, NaN where it was not measured."""

    names: tuple[str, ...]
    times: Array  # (k,), s, increasing
    positions: Array  # (k, n, 3), m, z up
    source: str = ""

    def __post_init__(self) -> None:
        times, positions = np.array(self.times, float), np.array(self.positions, float)
        if len(set(self.names)) != len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"two markers have the name {twice!r}")
        if times.ndim != 1 or not len(times) or not (np.diff(times) > 0).all():
            raise ValueError("markers need one time or more, each later than the one before")
        if not np.isfinite(times).all():
            raise ValueError("the times of markers must be finite")
        if positions.shape != (len(times), len(self.names), 3):
            wanted = (len(times), len(self.names), 3)
            raise ValueError(f"positions must be {wanted}, got {positions.shape}")
        seen = np.isfinite(positions).all(axis=2)
        positions[~seen] = np.nan  # partial positions count as missing
        times.flags.writeable = positions.flags.writeable = False
        for name, value in {"times": times, "positions": positions}.items():
            object.__setattr__(self, name, value)

    # -- reading ----------------------------------------------------------------------------

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> Array:
        try:
            return np.asarray(self.positions[:, self._index[name]])
        except KeyError:
            raise UnknownName("marker", name, self.names) from None

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __len__(self) -> int:
        return len(self.times)

    @property
    def rate(self) -> float:
        """Rows per second; 0 for a single row."""
        return (len(self) - 1) / float(self.times[-1] - self.times[0]) if len(self) > 1 else 0.0

    def middle(self, names: Sequence[str]) -> Array:
        """Return the mean of some markers, (k, 3), m; NaN where one of them is missing."""
        if not names:
            raise ValueError("middle needs at least one marker, got none")
        return np.asarray(np.mean([self[name] for name in names], axis=0))

    def gaps(self) -> list[MarkerGap]:
        """Return every gap; at the ends of the recording, from or to its first or last time."""
        found, last = [], len(self) - 1
        for name in self.names:
            for start, end in runs_of(np.isnan(self[name][:, 0])):
                before, after = max(start - 1, 0), min(end, last)
                found.append(MarkerGap(name, float(self.times[before]), float(self.times[after])))
        return found

    # -- making new ones --------------------------------------------------------------------

    def rows(self, start: int, end: int | None = None) -> MarkerSet:
        """Return the rows from `start` up to, but excluding, `end`; times are kept."""
        if not len(self.times[start:end]):
            raise ValueError(f"no rows from {start} to {end}: there are {len(self)}")
        return replace(self, times=self.times[start:end], positions=self.positions[start:end])

    def only(self, names: Sequence[str]) -> MarkerSet:
        """Return some of the markers."""
        columns = np.stack([self[name] for name in names], axis=1)
        return replace(self, names=tuple(names), positions=columns)

    def joined(self, others: Mapping[str, Array]) -> MarkerSet:
        """Return these markers and others, each (k, 3)."""
        extra = np.stack(list(others.values()), axis=1) if others else self.positions[:, :0]
        whole = np.concatenate([self.positions, extra], axis=1)
        return replace(self, names=(*self.names, *others), positions=whole)

    def moved(self, new_from_old: Pose) -> MarkerSet:
        """Return the markers transformed to another frame."""
        return replace(self, positions=new_from_old.apply(self.positions))

    def filled(self, *, longest: float = 0.25) -> MarkerSet:
        """Return the markers with gaps of up to `longest` seconds bridged by smooth curves.

        The curve starts and ends as fast as the marker moved around the gap. Longer gaps, and those
        at the ends of the recording, stay open.
        """
        return replace(self, positions=fill_gaps(self.times, self.positions, longest=longest))

    def smoothed(self, cutoff: float = 6.0) -> MarkerSet:
        """Return the markers, low-pass filtered at `cutoff` Hz without delay.

        A Butterworth filter of second order, forwards and backwards, between gaps. Needs rows at
        equal times.
        """
        steps = np.diff(self.times)
        if len(steps) and np.ptp(steps) > 1e-3 * steps.mean():
            raise ValueError("smoothing needs rows at equal times; resample the markers first")
        if len(self) < 3 or cutoff >= self.rate / 2:
            return self  # contains no such frequencies
        return replace(self, positions=low_pass(self.positions, rate=self.rate, cutoff=cutoff))

    def resampled(self, rate: float) -> MarkerSet:
        """Return the markers at `rate` rows a second, by cubic interpolation."""
        if not (np.isfinite(rate) and rate > 0):
            raise ValueError(f"rate must be positive, in Hz, got {rate!r}")
        duration = float(self.times[-1] - self.times[0])
        times = self.times[0] + np.arange(int(duration * rate + 1e-6) + 1) / rate
        return replace(
            self, times=times, positions=sample_at(times, self.times, positions=self.positions)
        )


def metres_per(unit: str | float) -> float:
    """Return the length of a unit in m: one of `UNITS`, or already the number."""
    if isinstance(unit, str):
        name = _LONG_NAMES.get(unit.strip().lower(), unit.strip().lower())
        if name not in UNITS:
            raise UnknownName("unit of length", unit, UNITS)
        return UNITS[name]
    if not (np.isfinite(unit) and unit > 0):
        raise ValueError(f"a unit is a positive number of metres, got {unit!r}")
    return float(unit)


def z_up(points: ArrayLike, up: AxisName) -> Array:
    """Return points (..., 3) whose axis `up` points upwards with z upwards.

    The axes are permuted cyclically: with y up, z of the file (forward by convention) becomes x.
    """
    if up not in _COLUMNS:
        raise ValueError(f"up is one of 'x', 'y' and 'z', not {up!r}")
    return np.asarray(points, dtype=float)[..., _COLUMNS[up]]


def numbered(names: Sequence[str]) -> list[str]:
    """Return names without duplicates: the second `RKNE` becomes `RKNE (2)`."""
    found: list[str] = []
    for name in names:
        unique, count = name, 2
        while unique in found:
            unique, count = f"{name} ({count})", count + 1
        found.append(unique)
    return found


def make_markers(
    path: str | os.PathLike[str], names: Sequence[str], *, times: Array, positions: Array
) -> MarkerSet:
    """Return markers read from a file; raise BadFile if they are inconsistent."""
    try:
        return MarkerSet(tuple(names), times, positions, os.fspath(path))
    except ValueError as error:
        raise BadFile(os.fspath(path), str(error), "markers, each with a name of its own") from None
