"""Joint velocities of a redundant device: pseudoinverse and self-motion.

    dq = J† v + α (I − J†J) ∇H

[Liegeois1977], either of all joints at once or of stages that do not disturb each other. The step
length α is reduced where a joint would exceed its rate limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import (
    height_rates,
    make_scara_stage,
    make_wrist_stage,
    stage_angles,
)
from robotix.kinematics import Posture
from robotix.kinematics.criteria import SideCriterion, step_length_bounds

__all__ = ["FullResolution", "PartitionedResolution", "Resolution", "resolve"]

SINGULAR = 1e-6  # singular values below this fraction of the largest count as zero


class Resolution(Protocol):
    """Chooses one of the joint velocities that move the tip as desired."""

    def velocity(self, posture: Posture, twist: Array) -> Array:
        """Return dq, (n_dof,), for a twist of the tip: linear, then angular velocity."""
        ...


def resolve(
    jacobian: Array,
    velocity: Array,
    *,
    gradient: Array | None = None,
    step_length: float = 1.0,
    max_rate: float = math.inf,
) -> Array:
    """Return J† v + α (I − J†J) ∇H, with α within the bounds that keep all |dq| ≤ `max_rate`.

    If the pseudoinverse alone exceeds the rate, there is no self-motion.
    """
    inverse = np.linalg.pinv(jacobian, rcond=SINGULAR)
    dq = inverse @ velocity
    if gradient is None:
        return np.asarray(dq)
    homogeneous = gradient - inverse @ (jacobian @ gradient)
    if not math.isfinite(max_rate):
        return np.asarray(dq + step_length * homogeneous)
    lower, upper = step_length_bounds(dq, homogeneous, lower=-max_rate, upper=max_rate)
    alpha = float(np.clip(step_length, lower, upper)) if lower <= upper else 0.0
    return np.asarray(dq + alpha * homogeneous)


@dataclass(frozen=True, eq=False)
class FullResolution:
    """All joints of any device at once."""

    criterion: SideCriterion | None = None  # H, to be raised
    step_length: float = 1.0  # α
    max_rate: float = math.inf  # rad/s, of every joint

    def velocity(self, posture: Posture, twist: Array) -> Array:
        """Return dq, (n_dof,)."""
        gradient = None if self.criterion is None else self.criterion.gradient(posture)
        return resolve(
            posture.jacobian(), twist,
            gradient=gradient, step_length=self.step_length, max_rate=self.max_rate,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class PartitionedResolution:
    """ViSHARD10 in three stages: the SCARA in the plane, joints 6 and 7 as a lift, the wrist.

    The criteria are those of the stages alone: H_xy(θ1 … θ4) and H_rot(θ5*, θ8*, θ9, θ10).
    """

    scara_criterion: SideCriterion | None = None
    wrist_criterion: SideCriterion | None = None
    step_length: float = 1.0
    max_rate: float = math.inf  # rad/s

    def velocity(self, posture: Posture, twist: Array) -> Array:
        """Return dq, (10,)."""
        q = np.asarray(posture.q)
        scara, wrist = stage_angles(q)
        at_scara = Posture(make_scara_stage(), scara)
        dq_scara = self._resolve(at_scara, self.scara_criterion, slice(0, 2), twist[:2])
        rates = height_rates(q[5], twist[2])
        at_wrist = Posture(make_wrist_stage(), wrist)
        dq_wrist = self._resolve(at_wrist, self.wrist_criterion, slice(3, 6), twist[3:])
        dq5 = dq_wrist[0] - dq_scara.sum()
        dq8 = dq_wrist[1] - rates[0] - rates[1]
        return np.array([*dq_scara, dq5, *rates, dq8, *dq_wrist[2:]])

    def _resolve(
        self, stage: Posture, criterion: SideCriterion | None, rows: slice, velocity: Array
    ) -> Array:
        gradient = None if criterion is None else criterion.gradient(stage)
        return resolve(
            stage.jacobian()[rows], velocity,
            gradient=gradient, step_length=self.step_length, max_rate=self.max_rate,
        )  # fmt: skip
