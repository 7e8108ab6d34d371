"""Vectors in rows: arrays of shape (..., 3)."""

from __future__ import annotations

import numpy as np

from robotix.geometry.rotation import Array

__all__ = ["row_dots", "unit_rows"]


def row_dots(a: Array, b: Array) -> Array:
    """Return the scalar products of rows, (...)."""
    return np.asarray((a * b).sum(axis=-1))


def unit_rows(vectors: Array) -> Array:
    """Return rows of length 1 with the same directions; none of them is zero."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
