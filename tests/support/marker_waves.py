"""Markers on smooth curves, for tests."""

from __future__ import annotations

import numpy as np

from robotix.capture.markers import MarkerSet


def wave(rows: int = 101, *, rate: float = 100.0) -> MarkerSet:
    """Two markers on smooth curves."""
    t = np.arange(rows) / rate
    a = np.stack([np.sin(2 * t), np.cos(t), 0.3 * t], axis=1)
    return MarkerSet(("a", "b"), t, np.stack([a, 2 * a], axis=1))


def with_gap(markers: MarkerSet, name: str, *, rows: slice) -> MarkerSet:
    positions = markers.positions.copy()
    positions[rows, markers.names.index(name)] = np.nan
    return MarkerSet(markers.names, markers.times, positions)
