"""Tables: a model packed into a few flat arrays, the form in which the compiled kernels read it.

A table has one row per link. Only moving bodies are links: bodies on fixed joints are merged into
the link that carries them. A link's own frame has its joint axis along z, so that a rotation mixes
two columns of a matrix; `body_link` and `body_offset` lead back to the model's frames.

Every coordinate contributes a *column*: the spatial velocity at the world origin (linear, then
angular) per unit of `dq`. A mimicking joint has a column of its own that adds to its source's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array, Pose, skew
from robotix.model import Body, Model

__all__ = ["FLOATING", "PATH", "PRISMATIC", "REVOLUTE", "Ints", "Tables", "tables_of"]

Ints = NDArray[np.int64]

REVOLUTE, PRISMATIC, PATH, FLOATING = 0, 1, 2, 3
_KINDS = {"revolute": REVOLUTE, "prismatic": PRISMATIC, "path": PATH, "floating": FLOATING}

# Columns of `link_ints` and `link_floats`.
PARENT, KIND, DOF, COLUMN, PIECE, N_PIECES = range(6)
ROTATION, TRANSLATION, RATIO, OFFSET, MASS, COM, INERTIA, HEADING, LENGTH = (
    0, 9, 12, 13, 14, 15, 18, 24, 25,
)  # fmt: skip
N_FLOATS = 26


@dataclass(frozen=True, eq=False)
class Tables:
    """The packed model.

    Not to be written to; the flag is left off because Numba compiles a second version of every
    kernel for read-only arrays.
    """

    n_dof: int
    link_ints: Ints  # (n_links, 6)
    link_floats: Array  # (n_links, N_FLOATS)
    column_dof: Ints  # (n_columns,)
    column_ratio: Array  # (n_columns,)
    column_link: Ints  # (n_columns,)
    support_start: Ints  # (n_links + 1,): columns that move link i are
    support: Ints  # support[support_start[i] : support_start[i + 1]]
    pieces: Array  # (n_pieces, 6), of all paths
    fixed_mass: Array  # (4,): mass that never moves, and mass times position
    gravity: Array  # (3,)
    armature: Array  # (n_dof,): inertia of the drives, kg m² or kg; those of mimics included
    body_link: Ints  # (n_bodies,): link that carries a body; -1 is the world
    body_offset: Array  # (n_bodies, 12): link_from_body, rotation then translation

    @property
    def n_links(self) -> int:
        """Number of moving bodies."""
        return len(self.link_ints)

    @property
    def n_columns(self) -> int:
        """Number of columns; more than `n_dof` where joints mimic others."""
        return len(self.column_dof)

    def offset(self, body: int) -> Pose:
        """Return link_from_body of a body."""
        row = self.body_offset[body]
        return Pose(row[:9].reshape(3, 3), row[9:])


_cache: WeakKeyDictionary[Model, Tables] = WeakKeyDictionary()


def tables_of(model: Model) -> Tables:
    """Return the tables of a model, made once."""
    tables = _cache.get(model)
    if tables is None:
        tables = _cache[model] = _make_tables(model)
    return tables


def _axis_frame(axis: Array) -> Pose:
    """Return joint_from_link: a frame whose z axis lies along `axis`."""
    z = axis
    if z[0] == z[1] == 0.0 < z[2]:
        return Pose()
    x = np.eye(3)[int(np.argmin(abs(z)))]
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    return Pose(np.column_stack([x, np.cross(z, x), z]))


def _flat(pose: Pose) -> Array:
    return np.concatenate([pose.rotation.ravel(), pose.translation])


class _Lump:
    """Mass gathered in one link: mass, mass times position, inertia about the link's origin."""

    def __init__(self) -> None:
        self.mass, self.moment, self.inertia = 0.0, np.zeros(3), np.zeros((3, 3))

    def add(self, body: Body, pose: Pose) -> None:
        com = pose.apply(body.com)
        spread = -body.mass * skew(com) @ skew(com)
        self.mass += body.mass
        self.moment = self.moment + body.mass * com
        self.inertia = self.inertia + pose.rotation @ body.inertia @ pose.rotation.T + spread

    def about_com(self) -> tuple[Array, Array]:
        com = self.moment / self.mass if self.mass > 0 else np.zeros(3)
        return com, self.inertia + self.mass * skew(com) @ skew(com)


def _make_tables(model: Model) -> Tables:
    ints: list[list[int]] = []
    floats: list[Array] = []
    lumps: list[_Lump] = []
    fixed = _Lump()
    link_of: dict[str | None, tuple[int, Pose]] = {None: (-1, Pose())}
    columns: list[tuple[int, float, int]] = []
    pieces: list[Array] = []
    n_pieces = 0
    for index, body in enumerate(model.bodies):
        joint = body.joint
        parent, link_from_parent = link_of[body.parent]
        placement = link_from_parent @ body.placement
        if joint.kind == "fixed":
            link_of[body.name] = parent, placement
            (lumps[parent] if parent >= 0 else fixed).add(body, placement)
            continue
        turn = _axis_frame(joint.axis) if joint.kind in ("revolute", "prismatic") else Pose()
        path = joint.path
        row = np.zeros(N_FLOATS)
        row[:12] = _flat(placement @ turn)
        row[RATIO] = joint.mimic.ratio if joint.mimic else 1.0
        row[OFFSET] = joint.mimic.offset if joint.mimic else 0.0
        if path is not None:
            row[HEADING], row[LENGTH] = path.heading, path.length
            pieces.append(path.pieces)
        count = 0 if path is None else len(path.pieces)
        start = model.dof_start[index]
        ints.append([parent, _KINDS[joint.kind], start, len(columns), n_pieces, count])
        n_pieces += count
        floats.append(row)
        lumps.append(_Lump())
        link = len(ints) - 1
        columns += [
            (start + i, row[RATIO], link) for i in range(6 if joint.kind == "floating" else 1)
        ]
        link_of[body.name] = link, turn.inverse()
        lumps[-1].add(body, turn.inverse())
    for row, lump in zip(floats, lumps, strict=True):
        com, inertia = lump.about_com()
        row[MASS], row[COM : COM + 3] = lump.mass, com
        row[INERTIA : INERTIA + 6] = inertia[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
    supports = _supports(ints, columns)
    tables = Tables(
        n_dof=model.n_dof,
        link_ints=np.array(ints, dtype=np.int64).reshape(-1, 6),
        link_floats=np.array(floats).reshape(-1, N_FLOATS),
        column_dof=np.array([c[0] for c in columns], dtype=np.int64),
        column_ratio=np.array([c[1] for c in columns], dtype=float),
        column_link=np.array([c[2] for c in columns], dtype=np.int64),
        support_start=np.cumsum([0, *map(len, supports)], dtype=np.int64),
        support=np.array([c for support in supports for c in support], dtype=np.int64),
        pieces=np.concatenate(pieces) if pieces else np.zeros((0, 6)),
        fixed_mass=np.array([fixed.mass, *fixed.moment]),
        gravity=np.array(model.gravity),
        armature=_armature(model),
        body_link=np.array([link_of[body.name][0] for body in model.bodies], dtype=np.int64),
        body_offset=np.array([_flat(link_of[body.name][1]) for body in model.bodies]),
    )
    return tables


def _armature(model: Model) -> Array:
    """Return what the drives add to the diagonal of the mass matrix; a mimic's counts ratio²."""
    out = np.zeros(model.n_dof)
    for joint, start in zip(model.joints, model.dof_start, strict=True):
        ratio = joint.mimic.ratio if joint.mimic else 1.0
        count = 1 if joint.mimic else joint.n_dof
        out[start : start + count] += ratio**2 * joint.armature
    return out


def _supports(ints: list[list[int]], columns: list[tuple[int, float, int]]) -> list[list[int]]:
    """Return for every link the columns that move it, base first."""
    own: list[list[int]] = [[] for _ in ints]
    for column, (_, _, link) in enumerate(columns):
        own[link].append(column)
    supports: list[list[int]] = []
    for link, row in enumerate(ints):
        above = supports[row[PARENT]] if row[PARENT] >= 0 else []
        supports.append([*above, *own[link]])
    return supports


def finite_rates(velocity: Array, dt: float, *, largest_step: float = 0.5) -> Array:
    """Return finite rate limits: an unlimited joint moves at most `largest_step` a tick."""
    return np.minimum(velocity, largest_step / dt if dt > 0 else math.inf)
