"""Inverse dynamics of closed chains, over-actuated ones too.

A closed chain is a tree whose loops are closed at pairs of control points. With τ_tree, the efforts
of the motion in the tree without its loops (`inverse_dynamics`), J the rows of relative velocity
that the loops do not allow, and λ the loads that the loops carry:

    τ_tree = τ + Jᵀ λ,  τ = 0 at joints that are not actuated,

floating roots among them. So λ must carry the passive joints, J_pᵀ λ = τ_p. Where there are as many
actuators as freedoms of motion this determines τ [Nakamura1989]; where there are more, a law
decides how they share the work: `LeastEffort` or `LeastLoad`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.inverse import inverse_dynamics
from robotix.dynamics.point_wrench import PointWrench
from robotix.dynamics.rows import as_rows
from robotix.errors import BadField, BadModel, UnknownName
from robotix.geometry import Array, Pose, log_rotation
from robotix.kinematics.posture import Posture
from robotix.model import Model

__all__ = [
    "ClosedChainEfforts",
    "ClosureKind",
    "EffortLaw",
    "LeastEffort",
    "LeastLoad",
    "LoopClosure",
    "closed_chain_efforts",
    "loop_jacobian",
]

RANK_TOLERANCE = 1e-9  # of singular values, relative to the largest
GAP_TOLERANCE = 1e-3  # m and rad; a loop that is further open is a mistake
BALANCE_TOLERANCE = 1e-6  # of the largest effort: less is rounding

ClosureKind: TypeAlias = Literal["weld", "ball", "hinge", "slider"]


@dataclass(frozen=True, eq=False)
class LoopClosure:
    """Two control points of a model that a joint holds together; without `second`, the base does.

    `axis` is that of a hinge or slider, in the frame of the first point. For `second=None` the
    point stays at `base_from_second`.
    """

    first: str
    second: str | None = None
    kind: ClosureKind = "weld"
    axis: ArrayLike = (0.0, 0.0, 1.0)
    base_from_second: Pose = field(default_factory=Pose)

    def __post_init__(self) -> None:
        if self.kind not in ("weld", "ball", "hinge", "slider"):
            raise BadField("kind", "weld, ball, hinge or slider", self.kind)
        axis = np.array(self.axis, dtype=float)
        length = float(np.linalg.norm(axis)) if axis.shape == (3,) else 0.0
        if not (np.isfinite(length) and length > 0):
            raise BadField("axis", "three finite numbers, not all zero", self.axis)
        object.__setattr__(self, "axis", axis / length)


@dataclass(frozen=True, eq=False)
class LeastEffort:
    """Share the work so that Σ w_i τ_i² is least; w_i is 1 where none is given.

    With w_i = 1 / limit_i² every actuator works in proportion to what it can.
    """

    weights: Mapping[str, float] = field(default_factory=dict)  # by coordinate, more than 0

    def __post_init__(self) -> None:
        for name, weight in self.weights.items():
            if not 0 < weight < np.inf:
                raise BadField(f"weight of {name!r}", "more than 0", weight)


@dataclass(frozen=True)
class LeastLoad:
    """Share the work so that the loops carry least: Σ λ² over N, and N m per `length` (m)."""

    length: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.length < np.inf:
            raise BadField("length", "more than 0 m", self.length)


EffortLaw: TypeAlias = LeastEffort | LeastLoad


@dataclass(frozen=True, eq=False)
class ClosedChainEfforts:
    """Efforts of the actuators, and the loads of the loops."""

    tau: Array  # in the shape of q, N m or N; zero where nothing is actuated
    loads: Array  # (N, loops, 6), wrench on the first point in the base frame: force, torque
    residual: Array  # (N, n_dof), what no actuator and no loop can carry, N m or N

    @property
    def is_possible(self) -> bool:
        """Whether the actuators can drive the motion, in every posture."""
        scale = max(float(abs(self.tau).max(initial=0.0)), 1.0)
        return float(abs(self.residual).max(initial=0.0)) < BALANCE_TOLERANCE * scale


def closed_chain_efforts(
    model: Model,
    q: ArrayLike,
    *,
    loops: Sequence[LoopClosure],
    actuated: Collection[str],
    dq: ArrayLike | None = None,
    ddq: ArrayLike | None = None,
    law: EffortLaw | None = None,
    wrenches: Sequence[PointWrench] = (),
) -> ClosedChainEfforts:
    """Return the efforts with which actuators drive a closed chain; postures (n,) or (N, n).

    `actuated` names coordinates; `law` is `LeastEffort()` when None. The motion must keep the loops
    closed. `wrenches` act as in `inverse_dynamics`.
    """
    rows = as_rows(model, q, what="q")
    rates = as_rows(model, dq, what="dq", count=len(rows))
    tree = inverse_dynamics(model, rows, dq=rates, ddq=ddq, wrenches=wrenches)
    solver = _Sharing(model, actuated, LeastEffort() if law is None else law)
    tau, loads, residual = np.zeros_like(rows), np.zeros((len(rows), len(loops), 6)), []
    for k, posture in enumerate(Posture(model, row) for row in rows):
        directions = [_directions(posture, loop) for loop in loops]
        J = loop_jacobian(posture, loops)
        _check_rates(J, rates[k])
        tau[k], carried = solver.share(tree[k], J, directions)
        residual.append(tree[k] - tau[k] - J.T @ carried)
        first = 0
        for i, P in enumerate(directions):
            loads[k, i] = P @ carried[first : first + P.shape[1]]
            first += P.shape[1]
    return ClosedChainEfforts(tau.reshape(np.shape(q)), loads, np.array(residual))


def loop_jacobian(posture: Posture, loops: Sequence[LoopClosure]) -> Array:
    """Return the relative velocities that loops do not allow, per dq, (k, n_dof)."""
    parts = [np.zeros((0, posture.model.n_dof))]
    for loop in loops:
        J = posture.jacobian(loop.first)
        if loop.second is not None:
            J = J - posture.jacobian(loop.second)
        parts.append(_directions(posture, loop).T @ J)
    return np.vstack(parts)


def _directions(posture: Posture, loop: LoopClosure) -> Array:
    """Return the directions that a loop holds, (6, k), and raise if the loop is open there."""
    one = posture.pose(loop.first)
    other = loop.base_from_second if loop.second is None else posture.pose(loop.second)
    axis = one.rotation @ np.asarray(loop.axis)
    across = np.linalg.svd(axis[None])[2][1:].T  # (3, 2)
    linear = across if loop.kind == "slider" else np.eye(3)
    angular = {"ball": np.zeros((3, 0)), "hinge": across}.get(loop.kind, np.eye(3))
    gap = abs(linear.T @ (other.translation - one.translation)).max(initial=0.0)
    if loop.kind in ("weld", "slider"):
        gap = max(gap, float(np.linalg.norm(log_rotation(other.rotation.T @ one.rotation))))
    if gap > GAP_TOLERANCE:
        raise BadModel(
            f"loop {loop.first!r} to {loop.second or 'the base'!r}",
            f"is open by {gap:.3g} m or rad in this posture; close it first",
        )
    P = np.zeros((6, linear.shape[1] + angular.shape[1]))
    P[:3, : linear.shape[1]], P[3:, linear.shape[1] :] = linear, angular
    return P


def _check_rates(J: Array, dq: Array) -> None:
    speed = float(abs(J @ dq).max(initial=0.0))
    if speed > GAP_TOLERANCE * max(1.0, float(abs(dq).max(initial=0.0))):
        raise BadField("dq", "a motion that keeps the loops closed", f"{speed:.3g} m/s or rad/s")


class _Sharing:
    """Finds the loads of the loops, and with them the efforts, by a law."""

    def __init__(self, model: Model, actuated: Collection[str], law: EffortLaw) -> None:
        self.law = law
        self.is_driven = np.zeros(model.n_dof, dtype=bool)
        self.is_driven[[model.dof_index(name) for name in actuated]] = True
        weights = np.ones(model.n_dof)
        if isinstance(law, LeastEffort):
            for name, weight in law.weights.items():
                if name not in actuated:
                    raise UnknownName("actuated coordinate", name, actuated)
                weights[model.dof_index(name)] = weight
        self.roots = np.sqrt(weights[self.is_driven])

    def share(self, tree: Array, J: Array, directions: Sequence[Array]) -> tuple[Array, Array]:
        """Return the efforts (n_dof,) and the loads along the rows of J."""
        scale = self._scale(directions)
        passive, driven = J[:, ~self.is_driven].T * scale, J[:, self.is_driven].T * scale
        load, idle = _least_norm(passive, tree[~self.is_driven])
        if isinstance(self.law, LeastEffort) and idle.shape[1]:
            weighted = self.roots[:, None] * driven
            short = self.roots * tree[self.is_driven] - weighted @ load
            load = load + idle @ _least_norm(weighted @ idle, short)[0]
        tau = np.zeros(len(tree))
        tau[self.is_driven] = tree[self.is_driven] - driven @ load
        return tau, scale * load

    def _scale(self, directions: Sequence[Array]) -> Array:
        """Return what one unit of each load is: 1 N, or a moment of 1 N m per length."""
        length = self.law.length if isinstance(self.law, LeastLoad) else 1.0
        parts = [np.where(abs(P[3:]).max(axis=0) > 0, length, 1.0) for P in directions]
        return np.concatenate([np.zeros(0), *parts])


def _least_norm(A: Array, b: Array) -> tuple[Array, Array]:
    """Return the shortest x that solves A x = b best, and a basis of what A does not see."""
    if not A.size:
        return np.zeros(A.shape[1]), np.eye(A.shape[1])
    U, s, Vt = np.linalg.svd(A)
    rank = int((s > RANK_TOLERANCE * max(s[0], 1e-300)).sum())
    return Vt[:rank].T @ ((U[:, :rank].T @ b) / s[:rank]), Vt[rank:].T
