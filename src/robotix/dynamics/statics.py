"""Statics: the efforts that hold a model at rest.

By virtual power, a force f at a point with the Jacobian J causes the efforts Jᵀ f. With the weights
m_i g of the segments at their mass centres among the forces f_i,

    tau = −Σ J_iᵀ f_i

are the efforts that hold the model, a sum with one term per cause.
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

__all__ = ["EffortContributions", "effort_contributions", "static_efforts"]


@dataclass(frozen=True, eq=False)
class EffortContributions:
    """Efforts by what causes them, each (N, n_dof), in N m or N."""

    gravity: Array
    wrenches: tuple[Array, ...]  # in the order they were given

    @property
    def total(self) -> Array:
        """Sum of all contributions, (N, n_dof)."""
        return np.asarray(self.gravity + sum(self.wrenches))


def static_efforts(model: Model, q: ArrayLike, *, wrenches: Sequence[PointWrench] = ()) -> Array:
    """Return the efforts that hold a model against gravity and wrenches, in the shape of `q`."""
    rows = as_rows(model, q, what="q")
    tau = mass_centre_batch(model, rows).gravity_torques
    if wrenches:
        tau = tau + resisting_efforts(model, rows, wrenches=wrenches)
    return tau.reshape(np.shape(q))


def effort_contributions(
    model: Model, q: ArrayLike, *, wrenches: Sequence[PointWrench]
) -> EffortContributions:
    """Return static efforts by cause: gravity, and every wrench."""
    rows = as_rows(model, q, what="q")
    return EffortContributions(
        mass_centre_batch(model, rows).gravity_torques,
        tuple(resisting_efforts(model, rows, wrenches=[each]) for each in wrenches),
    )
