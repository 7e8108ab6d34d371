"""Strategies of redundancy resolution: which dexterity the self-motion raises.

Translational and rotational indices are combined as ψ = w₁C₁ + w₂C₂. Each C is normalised by the
mean of its maxima over a set of poses, so that indices of different units can be added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np

from robotix.haptics.devices.vishard10 import make_scara_stage, make_wrist_stage
from robotix.haptics.redundancy.resolution import (
    FullResolution,
    PartitionedResolution,
    Resolution,
    resolve,
)
from robotix.kinematics import Posture
from robotix.kinematics.criteria import CriterionTerm, SideCriterion, WeightedSum
from robotix.kinematics.dexterity_criteria import (
    DirectionalManipulability,
    EllipsoidVolume,
    Isotropy,
)
from robotix.kinematics.sampling import sample_postures
from robotix.model import Model

__all__ = ["Approach", "ResolutionSettings", "Strategy", "make_resolution", "mean_maximum"]

ASCENT_STEPS = 150
ASCENT_ANGLE = 0.05  # rad, of the fastest joint per step


class Strategy(StrEnum):
    """What the self-motion raises."""

    plain = "plain"  # nothing: the pseudoinverse alone
    manipulability = "manipulability"  # the volume of the velocity ellipsoid
    directional = "directional"  # volume over condition number
    condition = "condition"  # the inverse of the condition number


class Approach(StrEnum):
    """Which joints are resolved together."""

    full = "full"  # all
    partitioned = "partitioned"  # ViSHARD10: SCARA, lift, wrist


@dataclass(frozen=True)
class ResolutionSettings:
    """How a redundancy is resolved."""

    approach: Approach = Approach.full
    strategy: Strategy = Strategy.plain
    step_length: float = 1.0  # α
    translational_weight: float = 1.0
    rotational_weight: float = 1.0
    max_rate: float = math.inf  # rad/s, of every joint


_CRITERIA: dict[Strategy, type[EllipsoidVolume | DirectionalManipulability | Isotropy]] = {
    Strategy.manipulability: EllipsoidVolume,
    Strategy.directional: DirectionalManipulability,
    Strategy.condition: Isotropy,
}


def make_resolution(model: Model, settings: ResolutionSettings) -> Resolution:
    """Return the resolution that the settings describe; only ViSHARD10 can be partitioned."""
    alpha, rate = settings.step_length, settings.max_rate
    if settings.approach is Approach.partitioned:
        if model.name != "vishard10":
            raise ValueError(
                f"only vishard10 can be partitioned, not {model.name!r}; use approach full"
            )
        if settings.strategy is Strategy.plain:
            return PartitionedResolution(None, None, alpha, rate)
        scara = _term(make_scara_stage(), settings.strategy, "x y", settings.translational_weight)
        wrist = _term(make_wrist_stage(), settings.strategy, "angular", settings.rotational_weight)
        return PartitionedResolution(WeightedSum((scara,)), WeightedSum((wrist,)), alpha, rate)
    if settings.strategy is Strategy.plain:
        return FullResolution(None, alpha, rate)
    terms = (
        _term(model, settings.strategy, "linear", settings.translational_weight),
        _term(model, settings.strategy, "angular", settings.rotational_weight),
    )
    return FullResolution(WeightedSum(terms), alpha, rate)


def _term(model: Model, strategy: Strategy, part: str, weight: float) -> CriterionTerm:
    return CriterionTerm(
        _CRITERIA[strategy](part=part), weight, worst=0.0, best=_scale(model, strategy, part)
    )


@cache
def _scale(model: Model, strategy: Strategy, part: str) -> float:
    return mean_maximum(model, _CRITERIA[strategy](part=part), part=part)


def mean_maximum(
    model: Model, criterion: SideCriterion, *, part: str, poses: int = 8, seed: int = 0
) -> float:
    """Return the mean, over random poses, of the largest value that self-motion reaches.

    From each pose the criterion is raised along its gradient in the null space of all components
    that the stage controls: the largest value found on that path counts.
    """
    rows = {"x y": slice(0, 2), "angular": slice(3, 6)}
    controlled = rows.get(part, slice(0, 6)) if model.n_dof < 6 else slice(0, 6)
    found = []
    for q in sample_postures(model, poses, rng=np.random.default_rng(seed)):
        best = 0.0
        for _ in range(ASCENT_STEPS):
            posture = Posture(model, q)
            best = max(best, criterion.value(posture))
            J = posture.jacobian()[controlled]
            step = resolve(J, np.zeros(len(J)), gradient=criterion.gradient(posture))
            fastest = abs(step).max()
            if fastest < 1e-9:
                break
            q = q + step * min(1.0, ASCENT_ANGLE / fastest)
        found.append(best)
    return float(np.mean(found))
