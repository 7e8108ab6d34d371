"""Kineto-statics: what the joints of a model at rest carry.

A Jacobian that maps joint velocities to the velocity of a point maps, transposed, a force at that
point to the efforts it causes: both are the same power. So, with the weights m_i g of the segments
at their mass centres among the forces,

    tau = -Σ J_iᵀ f_i

are the efforts that hold the model, and each cause has its share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.point_wrench import PointWrench, resisting_efforts
from robotix.dynamics.rows import as_rows
from robotix.geometry import Array
from robotix.kinematics.batch import mass_centre_batch
from robotix.model import Model

__all__ = ["EffortShares", "effort_shares", "static_efforts"]


@dataclass(frozen=True, eq=False)
class EffortShares:
    """Efforts by what causes them, each (N, n_dof), in N m or N."""

    gravity: Array
    wrenches: tuple[Array, ...]  # in the order they were given

    @property
    def total(self) -> Array:
        """All of them together."""
        return np.asarray(self.gravity + sum(self.wrenches))


def static_efforts(model: Model, q: ArrayLike, *, wrenches: Sequence[PointWrench] = ()) -> Array:
    """Efforts that hold a model against gravity and wrenches, in the shape of `q`."""
    rows = as_rows(model, q, what="q")
    tau = mass_centre_batch(model, rows).gravity_torques
    if wrenches:
        tau = tau + resisting_efforts(model, rows, wrenches=wrenches)
    return tau.reshape(np.shape(q))


def effort_shares(model: Model, q: ArrayLike, *, wrenches: Sequence[PointWrench]) -> EffortShares:
    """Return the same, one by one: which effort comes from gravity, and which from what wrench."""
    rows = as_rows(model, q, what="q")
    return EffortShares(
        mass_centre_batch(model, rows).gravity_torques,
        tuple(resisting_efforts(model, rows, wrenches=[each]) for each in wrenches),
    )
