"""Reactions: the forces of floor, seat and handles that balance a body with a floating root.

Six virtual joints connect the root of a body to the world. Nothing drives them, so the supports
must supply their efforts τ_root. The forces f_i at the support points solve

    min ½ Σ w_i ‖f_i‖²  subject to  Σ G_i f_i = b,  f_i in its friction cone,

where b is the wrench of τ_root and G_i maps a force at a point to a wrench; see
`reaction_kernels`. The joint efforts are then τ − Σ J_iᵀ f_i.

Where no such forces exist (a body about to fall, a foot about to slide), the residual wrench is the
smallest possible, and is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.reaction_kernels import put_reactions
from robotix.dynamics.rows import PackedPoints, as_rows, pack_points
from robotix.dynamics.statics import static_efforts
from robotix.dynamics.supports import Flags, PackedSupports, Support, pack_supports
from robotix.geometry import Array
from robotix.kinematics.kernels.tables import DOF, FLOATING, KIND, PARENT, TRANSLATION, tables_of
from robotix.model import Model

__all__ = ["BALANCE_TOLERANCE", "Reaction", "Reactions", "joined_reaction", "solve_reactions"]

BALANCE_TOLERANCE = 1e-6  # N and N m on the virtual joints: less is rounding


@dataclass(frozen=True, eq=False)
class Reaction:
    """Forces that one support exerts in every posture, in the base frame."""

    name: str
    forces: Array  # (N, m, 3), N, at its points
    positions: Array  # (N, m, 3), m, of these points
    pressures: Array  # (N, m), N, along the normal; the whole force for a grip

    @cached_property
    def force(self) -> Array:
        """The sum of its forces, (N, 3)."""
        return np.asarray(self.forces.sum(axis=1))

    @cached_property
    def centre(self) -> Array:
        """Centre of pressure, (N, 3), in m; NaN where there is no pressure."""
        whole = self.pressures.sum(axis=1)
        weights = self.pressures / np.where(whole > 1e-9, whole, np.nan)[:, None]
        return np.asarray((weights[:, :, None] * self.positions).sum(axis=1))

    def moment(self, about: ArrayLike) -> Array:
        """Moment (N, 3) of its forces about one point (3,) or one per posture (N, 3), in N m."""
        arms = self.positions - np.broadcast_to(about, self.force.shape)[:, None]
        return np.asarray(np.cross(arms, self.forces).sum(axis=1))


def joined_reaction(name: str, reactions: Sequence[Reaction]) -> Reaction:
    """Return the reactions of several supports as those of one."""
    return Reaction(
        name,
        np.concatenate([each.forces for each in reactions], axis=1),
        np.concatenate([each.positions for each in reactions], axis=1),
        np.concatenate([each.pressures for each in reactions], axis=1),
    )


@dataclass(frozen=True, eq=False)
class Reactions:
    """Forces of the supports, and the joint efforts that result."""

    parts: tuple[Reaction, ...]  # one per support, in the same order
    tau: Array  # (N, n_dof), N m or N
    residual: Array  # (N, 6), left on the virtual joints: force in N, torque in N m

    @property
    def is_balanced(self) -> Flags:
        """Whether the supports can balance the body, per posture, (N,)."""
        return np.asarray(abs(self.residual).max(axis=1) < BALANCE_TOLERANCE)


def solve_reactions(
    model: Model, q: ArrayLike, *, supports: Sequence[Support], tau: ArrayLike | None = None
) -> Reactions:
    """Return the reactions that unload the floating root, in postures `q` (N, n_dof).

    `tau` (N, n_dof) are the efforts without supports: from `inverse_dynamics` or `static_efforts`,
    with all external wrenches; those of gravity when None.
    """
    rows = as_rows(model, q, what="q")
    bare = static_efforts(model, rows) if tau is None else tau
    free = as_rows(model, bare, what="tau", count=len(rows))
    root, packed = _floating_root(model), pack_supports(supports, count=len(rows))
    points = pack_points(model, packed.points)
    _check_carried(model, root, packed, points)
    arms = -packed.radii[:, None] * packed.normals
    positions = points.positions(model, rows) + arms
    forces = np.empty_like(positions)
    put_reactions(
        positions,
        packed.normals,
        packed.frictions,
        packed.inverse_weights,
        root.wrenches(rows, free),
        forces,
    )
    wrenches = np.concatenate([forces, np.cross(arms, forces)], axis=2)
    loaded = free + points.resisting_efforts(model, rows, wrenches=wrenches)
    residual = loaded[:, root.dof : root.dof + 6].copy()
    return Reactions(_parts(supports, packed, forces, positions), loaded, residual)


def _check_carried(model: Model, root: _Root, packed: PackedSupports, points: PackedPoints) -> None:
    """Raise ValueError if a point does not move with the root: its force could not hold it."""
    t = tables_of(model)
    for point, link in zip(packed.points, points.link, strict=True):
        columns = t.support[t.support_start[link] : t.support_start[link + 1]] if link >= 0 else ()
        if root.dof not in t.column_dof[np.asarray(columns, dtype=int)]:
            raise ValueError(f"{point!r} does not move with the floating root of {model.name}")


def _parts(
    supports: Sequence[Support], packed: PackedSupports, forces: Array, positions: Array
) -> tuple[Reaction, ...]:
    """Split the points by support."""
    along = (forces * packed.normals).sum(axis=2)
    pressures = np.where(np.isinf(packed.frictions), np.linalg.norm(forces, axis=2), along)
    parts, first = [], 0
    for each in supports:
        own = slice(first, first + len(each.points))
        parts.append(Reaction(each.name, forces[:, own], positions[:, own], pressures[:, own]))
        first = own.stop
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class _Root:
    """The floating joint between a body and the world."""

    dof: int  # the first of six
    rotation: Array  # (3, 3), base_from_joint
    origin: Array  # (3,), m, of the joint frame in the base frame

    def wrenches(self, q: Array, tau: Array) -> Array:
        """Return the efforts of the six coordinates as wrenches at the base origin, (N, 6)."""
        d = self.dof
        force, torque = tau[:, d : d + 3] @ self.rotation.T, tau[:, d + 3 : d + 6] @ self.rotation.T
        at = self.origin + q[:, d : d + 3] @ self.rotation.T
        return np.hstack([force, torque + np.cross(at, force)])


def _floating_root(model: Model) -> _Root:
    t = tables_of(model)
    free = np.flatnonzero((t.link_ints[:, KIND] == FLOATING) & (t.link_ints[:, PARENT] < 0))
    if len(free) != 1:
        raise ValueError(
            f"{model.name} has {len(free)} floating roots; reactions are found for exactly one"
        )
    floats = t.link_floats[free[0]]
    return _Root(
        int(t.link_ints[free[0], DOF]),
        floats[:9].reshape(3, 3),
        floats[TRANSLATION : TRANSLATION + 3],
    )
