"""Vectors in rows: arrays of shape (..., 3)."""

from __future__ import annotations

import numpy as np

from robotix.geometry.rotation import Array

__all__ = ["cross", "row_dots", "unit_rows"]


def cross(a: Array, b: Array) -> Array:
    """Return the vector product of two vectors, (3,); `np.cross` takes ten times as long."""
    (x, y, z), (u, v, w) = a, b
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def row_dots(a: Array, b: Array) -> Array:
    """Return the scalar products of rows, (...)."""
    return np.asarray((a * b).sum(axis=-1))


def unit_rows(vectors: Array) -> Array:
    """Return the rows normalised to length 1; no row may be zero."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
