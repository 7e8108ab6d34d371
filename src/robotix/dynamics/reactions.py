"""Reactions: the forces of floor, seat and handles, such that a floating root carries nothing.

Six virtual joints place the root of a body in the world, and nothing real drives them: the supports
must give what these joints would have to. Six equations leave many ways to share it among points;
taken is the one with the least sum of squared forces, each support pushing only, and within its
friction cone. `reaction_kernels` tells how it is found, and why no solver is borrowed.

Where no such forces exist (a body about to fall, a foot about to slide), the answer is the one that
lacks least, and says what is missing.
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

__all__ = ["BALANCED", "Reaction", "Reactions", "joined_reaction", "solve_reactions"]

BALANCED = 1e-6  # N and N m that virtual joints may carry: rounding


@dataclass(frozen=True, eq=False)
class Reaction:
    """What one support exerts in every posture, in the base frame."""

    name: str
    forces: Array  # (N, m, 3), N, at its points
    places: Array  # (N, m, 3), m, where they act
    pressures: Array  # (N, m), N, along the normal; the whole force for a grip

    @cached_property
    def force(self) -> Array:
        """The sum of its forces, (N, 3)."""
        return np.asarray(self.forces.sum(axis=1))

    @cached_property
    def centre(self) -> Array:
        """Centre of pressure, (N, 3), in m; not a number where nothing presses."""
        whole = self.pressures.sum(axis=1)
        shares = self.pressures / np.where(whole > 1e-9, whole, np.nan)[:, None]
        return np.asarray((shares[:, :, None] * self.places).sum(axis=1))

    def moment(self, about: ArrayLike) -> Array:
        """Moment of its forces about one place (3,) or a place a posture (N, 3), (N, 3), in N m."""
        arms = self.places - np.broadcast_to(about, self.force.shape)[:, None]
        return np.asarray(np.cross(arms, self.forces).sum(axis=1))


def joined_reaction(name: str, reactions: Sequence[Reaction]) -> Reaction:
    """Return what several supports exert together."""
    return Reaction(
        name,
        np.concatenate([each.forces for each in reactions], axis=1),
        np.concatenate([each.places for each in reactions], axis=1),
        np.concatenate([each.pressures for each in reactions], axis=1),
    )


@dataclass(frozen=True, eq=False)
class Reactions:
    """What the supports exert, and what the joints then carry."""

    parts: tuple[Reaction, ...]  # one a support, in their order
    tau: Array  # (N, n_dof), N m or N
    residual: Array  # (N, 6), what is left on the virtual joints: force in N, torque in N m

    @property
    def is_balanced(self) -> Flags:
        """Whether the supports can bear it, posture by posture, (N,)."""
        return np.asarray(abs(self.residual).max(axis=1) < BALANCED)


def solve_reactions(
    model: Model, q: ArrayLike, *, supports: Sequence[Support], tau: ArrayLike | None = None
) -> Reactions:
    """Return the reactions that leave nothing to the floating root, in postures `q` (N, n_dof).

    `tau` (N, n_dof) is what the joints would carry without supports: from `inverse_dynamics` or
    `static_efforts`, with all wrenches that act; gravity alone when None.
    """
    rows = as_rows(model, q, what="q")
    bare = static_efforts(model, rows) if tau is None else tau
    free = as_rows(model, bare, what="tau", count=len(rows))
    root, packed = _floating_root(model), pack_supports(supports, count=len(rows))
    points = pack_points(model, packed.points)
    _check_carried(model, root, packed, points)
    arms = -packed.radii[:, None] * packed.normals
    places = points.places(model, rows) + arms
    forces = np.empty_like(places)
    put_reactions(
        places, packed.normals, packed.frictions, packed.eases, root.wrenches(rows, free), forces
    )
    wrenches = np.concatenate([forces, np.cross(arms, forces)], axis=2)
    loaded = free + points.resisting_efforts(model, rows, wrenches=wrenches)
    residual = loaded[:, root.dof : root.dof + 6].copy()
    return Reactions(_parts(supports, packed, forces, places), loaded, residual)


def _check_carried(model: Model, root: _Root, packed: PackedSupports, points: PackedPoints) -> None:
    """Refuse points that do not move with the root: forces there could not hold it."""
    t = tables_of(model)
    for point, link in zip(packed.points, points.link, strict=True):
        columns = t.support[t.support_start[link] : t.support_start[link + 1]] if link >= 0 else ()
        if root.dof not in t.column_dof[np.asarray(columns, dtype=int)]:
            raise ValueError(f"{point!r} does not move with the floating root of {model.name}")


def _parts(
    supports: Sequence[Support], packed: PackedSupports, forces: Array, places: Array
) -> tuple[Reaction, ...]:
    """Cut the row of points into supports again."""
    along = (forces * packed.normals).sum(axis=2)
    pressures = np.where(np.isinf(packed.frictions), np.linalg.norm(forces, axis=2), along)
    parts, first = [], 0
    for each in supports:
        own = slice(first, first + len(each.points))
        parts.append(Reaction(each.name, forces[:, own], places[:, own], pressures[:, own]))
        first = own.stop
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class _Root:
    """The floating joint that holds a body in the world."""

    dof: int  # the first of six
    rotation: Array  # (3, 3), base_from_joint
    origin: Array  # (3,), m, of the joint frame in the base frame

    def wrenches(self, q: Array, tau: Array) -> Array:
        """Return what the six coordinates carry as wrenches at the origin of the base, (N, 6)."""
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
