"""Girths of a mesh, as a tape measures them, and how much a body's own are wider."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.human.skin.body_template import Faces

__all__ = ["girth"]

DIRECTIONS = 64  # around a slice


def girth(vertices: Array, faces: Faces, *, at: Array, along: Array) -> float:
    """Return the length of a tape around the slice of triangles by a plane, m; 0 if it misses.

    The tape is the convex hull, whose length is the mean of its widths times π (Cauchy).
    """
    heights = (vertices - at) @ along
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    low, high = heights[edges[:, 0]], heights[edges[:, 1]]
    cut = (low < 0) != (high < 0)
    if not cut.any():
        return 0.0
    start, end = vertices[edges[cut, 0]], vertices[edges[cut, 1]]
    share = (low[cut] / (low[cut] - high[cut]))[:, None]
    points = start + share * (end - start) - at
    aside = np.cross(along, [1.0, 0.0, 0.0] if abs(along[0]) < 0.8 else [0.0, 1.0, 0.0])
    aside /= np.linalg.norm(aside)
    turn = np.linspace(0.0, 2 * np.pi, DIRECTIONS, endpoint=False)
    ways = np.outer(np.cos(turn), aside) + np.outer(np.sin(turn), np.cross(along, aside))
    return float((points @ ways.T).max(axis=0).mean() * 2 * np.pi)
