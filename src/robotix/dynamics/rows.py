"""Arguments of this package: postures as rows of an array, and points of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics import inverse_kernels
from robotix.geometry import Array
from robotix.kinematics.kernels.tables import Ints, tables_of
from robotix.kinematics.point_location import locate_point
from robotix.kinematics.tasks import Point
from robotix.model import Model

__all__ = ["PackedPoints", "as_rows", "pack_points"]


def as_rows(
    model: Model, values: ArrayLike | None, *, what: str, count: int | None = None
) -> Array:
    """Return a copy as rows of finite numbers, (N, n_dof); zeros when None."""
    if values is None:
        return np.zeros((count or 1, model.n_dof))
    rows = np.atleast_2d(np.array(values, dtype=float, order="C"))
    if rows.ndim != 2 or rows.shape[1] != model.n_dof or count not in (None, len(rows)):
        wanted = f"({'N' if count is None else count}, {model.n_dof})"
        raise ValueError(f"{what} of {model.name} must have the shape {wanted}, got {rows.shape}")
    if not np.isfinite(rows).all():
        bad = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise ValueError(f"{what} must be finite; row {bad} is {rows[bad]}")
    return rows


@dataclass(frozen=True, eq=False)
class PackedPoints:
    """Control points as the kernels read them."""

    link: Ints  # (k,); -1 is the world
    offset: Array  # (k, 12)

    def positions(self, model: Model, rows: Array) -> Array:
        """Positions in the base frame, (N, k, 3)."""
        t = tables_of(model)
        out = np.empty((len(rows), len(self.link), 3))
        inverse_kernels.put_positions(
            t.link_ints, t.link_floats, t.pieces, t.column_dof, self.link, self.offset, rows, out
        )
        return out

    def resisting_efforts(self, model: Model, rows: Array, *, wrenches: Array) -> Array:
        """Efforts (N, n_dof) against wrenches (N, k, 6) at the points: −Σ Jᵀ f."""
        t, tau = tables_of(model), np.zeros_like(rows)
        inverse_kernels.add_wrench_efforts(
            t.link_ints, t.link_floats, t.pieces, t.column_dof, t.column_ratio, t.column_link,
            self.link, self.offset, rows, wrenches, tau,
        )  # fmt: skip
        return tau


def pack_points(model: Model, points: Sequence[Point]) -> PackedPoints:
    """Locate points on a model; repeated points are located once."""
    found = {id(point): locate_point(model, point) for point in points}
    located = [found[id(point)] for point in points]
    return PackedPoints(
        np.array([at.link for at in located], dtype=np.int64),
        np.array([at.offset for at in located]).reshape(-1, 12),
    )
