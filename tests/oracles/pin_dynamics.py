"""Efforts by Pinocchio, in our coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pinocchio as pin
from oracles.pin_oracle import Oracle

from robotix.geometry import Array
from robotix.model import Model


class EffortOracle(Oracle):
    """A model of ours and the same in Pinocchio, in one posture and moving."""

    def __init__(self, model: Model, theirs: Any, *, q: Array, dq: Array | None = None) -> None:
        super().__init__(model, theirs, q=q, dq=dq)
        self._dq = np.zeros(model.n_dof) if dq is None else dq

    def efforts(self, ddq: Array, *, wrenches: Iterable[tuple[str, Array]] = ()) -> Array:
        """Return the efforts of an acceleration, against wrenches at named points."""
        v, a = self._map @ self._dq, self._map @ ddq + self._map_rate
        tau = self._map.T @ pin.rnea(self.theirs, self.theirs.createData(), self._q, v, a)
        for name, wrench in wrenches:
            tau = tau - self.jacobian(name).T @ wrench
        return np.asarray(tau)
