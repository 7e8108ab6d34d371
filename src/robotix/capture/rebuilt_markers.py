"""Markers that were taken off after a static trial, rebuilt from others of their segment."""

from __future__ import annotations

import numpy as np

from robotix.capture.marker_plan import MarkerPlan
from robotix.capture.markers import MarkerSet
from robotix.geometry import Array

__all__ = ["with_rebuilt"]


def with_rebuilt(markers: MarkerSet, plan: MarkerPlan, *, static: MarkerSet) -> MarkerSet:
    """Return a recording with the markers of the plan that only the static trial has.

    The segment is rigid: the rotation and translation that map its other markers from the first row
    of the static trial to a row, by least squares, also map the missing one.
    """
    added = {}
    for name, cluster in plan.rebuilt.items():
        seen = [each for each in cluster if each in markers and each in static]
        if name in markers or name not in static or len(seen) < 3:
            continue
        still = np.array([static[each][0] for each in seen])
        moving = np.stack([markers[each] for each in seen], axis=1)
        added[name] = _carried(static[name][0], still, moving=moving)
    return markers.joined(added) if added else markers


def _carried(point: Array, still: Array, *, moving: Array) -> Array:
    """Return where a point of a rigid segment is in every row, (k, 3); NaN where it is not seen."""
    found = np.full((len(moving), 3), np.nan)
    is_seen = np.isfinite(moving).all(axis=(1, 2))
    if not (is_seen.any() and np.isfinite(still).all() and np.isfinite(point).all()):
        return found
    rows, middle = moving[is_seen], still.mean(axis=0)
    centres = rows.mean(axis=1)
    spread = np.einsum("kci,cj->kij", rows - centres[:, None], still - middle)
    left, _, right = np.linalg.svd(spread)
    signs = np.ones((len(rows), 3))
    signs[:, 2] = np.linalg.det(left @ right)  # a rotation, not a reflection
    turns = (left * signs[:, None, :]) @ right
    found[is_seen] = centres + turns @ (point - middle)
    return found
