"""Side criteria: what a redundant chain does with the freedom that its tasks leave.

A criterion is a scalar H(q), and **higher is better**: what should stay small, such as effort,
enters with a minus sign. Called with a posture it returns the desired joint velocity `gain` · ∇H;
the solver projects it onto the null space of the tasks (gradient projection, [Liegeois1977]). All
gradients are exact; those along a floating root are per unit of its twist.

Criteria of dexterity are in `dexterity_criteria`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array, skew
from robotix.kinematics.derivatives import gravity_slopes
from robotix.kinematics.kernels.tables import DOF, FLOATING, KIND, Ints, tables_of
from robotix.kinematics.posture import Posture
from robotix.kinematics.sampling import sample_postures
from robotix.model import Model

__all__ = [
    "CriterionTerm",
    "HoldingEffort",
    "LimitDistance",
    "PotentialEnergy",
    "ReferencePosture",
    "SideCriterion",
    "WeightedSum",
    "step_length_bounds",
    "weighted_sum",
]


@dataclass(frozen=True, eq=False, kw_only=True)
class SideCriterion(ABC):
    """A scalar H(q) to be increased, and its gradient."""

    gain: float = 1.0  # joint velocity per unit of gradient

    def __post_init__(self) -> None:
        """Raise ValueError unless 0 ≤ gain < ∞."""
        if not 0 <= self.gain < math.inf:
            raise ValueError(f"gain must be finite and not negative, got {self.gain}")

    @abstractmethod
    def value(self, posture: Posture) -> float:
        """Return H; higher is better."""

    @abstractmethod
    def gradient(self, posture: Posture) -> Array:
        """Return ∇H, (n_dof,)."""

    def __call__(self, posture: Posture) -> Array:
        """Return the desired joint velocity `gain` · ∇H, (n_dof,)."""
        return self.gain * self.gradient(posture)


# -- posture --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LimitDistance(SideCriterion):
    """Keeps joints in the middle of their range: H = −½ mean ((q − q_mid) / half range)².

    0 when all are in the middle, −½ when all are at a limit. Joints without two limits, and a
    floating root, do not count [Liegeois1977].
    """

    def value(self, posture: Posture) -> float:
        """Return H; higher is better."""
        _, off, _ = self._offsets(posture)
        return -0.5 * float(np.mean(off**2)) if len(off) else 0.0

    def gradient(self, posture: Posture) -> Array:
        """Return ∇H, (n_dof,)."""
        dofs, off, half = self._offsets(posture)
        out = np.zeros(posture.model.n_dof)
        out[dofs] = -off / half / max(len(dofs), 1)
        return out

    @staticmethod
    def _offsets(posture: Posture) -> tuple[Ints, Array, Array]:
        """Coordinates that count, their offsets (−1 to 1 inside limits), and half their range."""
        model = posture.model
        half = (model.upper - model.lower) / 2
        counts = np.isfinite(half) & (half > 0) & ~_floats(model)
        middle = (model.lower[counts] + model.upper[counts]) / 2
        return np.flatnonzero(counts), (posture.q[counts] - middle) / half[counts], half[counts]


@dataclass(frozen=True, eq=False)
class ReferencePosture(SideCriterion):
    """Draws the joints to a posture: H = −½ Σ wᵢ (targetᵢ ⊖ qᵢ)²."""

    target: Array  # (n_dof,)
    weights: Array | float = 1.0  # (n_dof,), or one for all

    def __post_init__(self) -> None:
        """Raise ValueError unless the target is finite and the weights are not negative."""
        super().__post_init__()
        target = np.array(self.target, dtype=float)
        weights = np.array(self.weights, dtype=float)
        if target.ndim != 1 or not np.isfinite(target).all():
            raise ValueError(f"target must be one finite number per joint, got {self.target!r}")
        fits = weights.shape in ((), target.shape)
        if not (fits and ((weights >= 0) & (weights < np.inf)).all()):
            raise ValueError(f"weights must be finite and not negative, got {self.weights!r}")
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "weights", weights)

    def value(self, posture: Posture) -> float:
        """Return H; higher is better."""
        distance = self._distance(posture)
        return -0.5 * float(np.sum(self.weights * distance**2))

    def gradient(self, posture: Posture) -> Array:
        """Return ∇H, (n_dof,)."""
        distance = self._distance(posture)
        out = np.asarray(self.weights * distance)
        for first in _root_rotations(posture.model):
            angular = slice(first, first + 3)
            out[angular] = _log_slope(distance[angular]).T @ out[angular]
        return out

    def _distance(self, posture: Posture) -> Array:
        if len(self.target) != posture.model.n_dof:
            name, n_dof = posture.model.name, posture.model.n_dof
            raise ValueError(f"{name} has {n_dof} joints, the reference {len(self.target)}")
        return posture.velocity_to(self.target)


def _log_slope(vector: Array) -> Array:
    """Return A, such that log(R exp(−ω)) = log(R) − A ω for a small ω, where R = exp(vector)."""
    angle = float(np.linalg.norm(vector))
    half = angle / 2
    bend = 1 / 12 if angle < 1e-4 else (1 - half / math.tan(half)) / angle**2
    K = skew(vector)
    return np.asarray(np.eye(3) + K / 2 + bend * K @ K)


def _root_rotations(model: Model) -> list[int]:
    """Return the first of the three rotation coordinates of every floating root."""
    links = tables_of(model).link_ints
    return [int(row[DOF]) + 3 for row in links if row[KIND] == FLOATING]


def _floats(model: Model) -> NDArray[np.bool_]:
    """Return which coordinates belong to a floating root, (n_dof,)."""
    out = np.zeros(model.n_dof, dtype=bool)
    for angular in _root_rotations(model):
        out[angular - 3 : angular + 3] = True
    return out


# -- effort ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class HoldingEffort(SideCriterion):
    """Lowers the motors' load: H = −½ Σ (gravity torque / effort limit)².

    A joint without an effort limit does not count; when no joint has one, all count with a limit of
    1 (N or N m). A floating root and joints whose limit is 0 have no motor.
    """

    def value(self, posture: Posture) -> float:
        """Return H; higher is better."""
        return -0.5 * float(
            np.sum((posture.gravity_torques * self._inverse_limits(posture.model)) ** 2)
        )

    def gradient(self, posture: Posture) -> Array:
        """Return ∇H, (n_dof,)."""
        scaled = posture.gravity_torques * self._inverse_limits(posture.model) ** 2
        return np.asarray(-gravity_slopes(posture) @ scaled)

    @staticmethod
    def _inverse_limits(model: Model) -> Array:
        """Return one over the effort limits, 0 for coordinates that do not count."""
        has_motor = (model.effort > 0) & ~_floats(model)
        if np.isinf(model.effort[has_motor]).all():
            return np.asarray(has_motor, dtype=float)
        return np.divide(1.0, model.effort, out=np.zeros(model.n_dof), where=has_motor)


@dataclass(frozen=True, eq=False)
class PotentialEnergy(SideCriterion):
    """Lowers the masses: H = m gᵀ com, minus the potential energy, in J."""

    def value(self, posture: Posture) -> float:
        """Return H; higher is better."""
        return posture.model.mass * float(posture.model.gravity @ posture.com)

    def gradient(self, posture: Posture) -> Array:
        """Return ∇H, (n_dof,)."""
        return -posture.gravity_torques


# -- sums -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CriterionTerm:
    """A criterion in a sum, scaled so that `worst` becomes 0 and `best` becomes 1."""

    criterion: SideCriterion  # its own gain does not matter here
    weight: float = 1.0
    worst: float = 0.0
    best: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError unless worst < best and the weight is not negative."""
        if not 0 <= self.weight < math.inf:
            raise ValueError(f"weight must be finite and not negative, got {self.weight}")
        if not 0 < self.best - self.worst < math.inf:
            raise ValueError(f"best must lie above worst, got {self.best} and {self.worst}")


@dataclass(frozen=True, eq=False)
class WeightedSum(SideCriterion):
    """Weighted sum Σ wᵢ (Hᵢ − worstᵢ) / (bestᵢ − worstᵢ); `weighted_sum` finds the scales."""

    terms: tuple[CriterionTerm, ...]

    def value(self, posture: Posture) -> float:
        """Return H; higher is better."""
        return sum(
            term.weight * (term.criterion.value(posture) - term.worst) / (term.best - term.worst)
            for term in self.terms
        )

    def gradient(self, posture: Posture) -> Array:
        """Return ∇H, (n_dof,)."""
        out = np.zeros(posture.model.n_dof)
        for term in self.terms:
            out += term.weight / (term.best - term.worst) * term.criterion.gradient(posture)
        return out


def weighted_sum(
    model: Model,
    weighted: Sequence[tuple[SideCriterion, float]],
    *,
    rng: np.random.Generator,
    samples: int = 200,
    gain: float = 1.0,
) -> WeightedSum:
    """Return a weighted sum of criteria, each scaled to the range from 0 to 1.

    0 and 1 are its worst and best values at `samples` random postures of the model.
    """
    postures = [Posture(model, q) for q in sample_postures(model, samples, rng=rng)]
    terms = []
    for criterion, weight in weighted:
        values = [criterion.value(posture) for posture in postures]
        worst, best = min(values), max(values)
        # What hardly varies is not scaled: that would amplify rounding.
        varies = best - worst > 1e-9 * max(abs(best), abs(worst))
        terms.append(CriterionTerm(criterion, weight, *((worst, best) if varies else (0.0, 1.0))))
    return WeightedSum(tuple(terms), gain=gain)


# -- step length ----------------------------------------------------------------------------


def step_length_bounds(
    dq_particular: ArrayLike, dq_homogeneous: ArrayLike, *, lower: ArrayLike, upper: ArrayLike
) -> tuple[float, float]:
    """Smallest and largest α for which `dq_particular + α dq_homogeneous` keeps rate limits.

    Every joint allows α between (lower − dq_p)/dq_h and (upper − dq_p)/dq_h, in whichever order;
    α_min is the highest lower end, α_max the lowest upper end. A joint that dq_h leaves alone
    allows any α, or none if it breaks its limit. α_min > α_max says that no α keeps all limits.
    """
    p, h, low, high = np.broadcast_arrays(
        *(np.asarray(a, dtype=float) for a in (dq_particular, dq_homogeneous, lower, upper))
    )
    if not (np.isfinite(p).all() and np.isfinite(h).all()) or not (low <= high).all():
        raise ValueError("velocities must be finite, and lower limits not above upper ones")
    is_broken = (p < low) | (p > high)  # and stays so where dq_h is 0
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        ends = np.sort([(low - p) / h, (high - p) / h], axis=0)
    ends = np.where(h != 0, ends, np.where(is_broken, [[np.inf], [-np.inf]], [[-np.inf], [np.inf]]))
    return float(ends[0].max(initial=-np.inf)), float(ends[1].min(initial=np.inf))
