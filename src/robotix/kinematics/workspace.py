"""Workspace: where a control point can get to, and how dexterous the arm is there.

Found by sampling the joint ranges, so the truth is a little more: reach and box grow with the
number of samples, and so does the number of voxels that are seen to be reached.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.kinematics.batch import forward_batch, jacobian_batch, jacobian_singular_values
from robotix.kinematics.dexterity import MotionComponents, isotropy_of, rate_scales
from robotix.kinematics.kernels.tables import Ints
from robotix.kinematics.sampling import joint_ranges, sample_postures
from robotix.kinematics.tasks import Point
from robotix.model import Model

__all__ = [
    "Dexterity",
    "ReachabilityMap",
    "Workspace",
    "movable_part",
    "reachability_map",
    "sample_workspace",
]

Dexterity: TypeAlias = Literal["isotropy", "manipulability"]

CHUNK_SAMPLES = 50_000  # samples held at once while a map is made
FACE_TOLERANCE = 1e-9  # of an edge: points of a planar arm must not fall on both sides of a face
GOLDEN_RATIO = (math.sqrt(5) - 1) / 2
VOXEL_BITS = 20  # for the number of a voxel along each axis, besides its sign


def movable_part(model: Model, point: Point = None) -> MotionComponents:
    """Return the axes of the base frame along which a control point can move at all.

    `"linear"` for most arms, `"x y"` for one that is planar; `"linear"` too if it cannot move.
    """
    lower, upper = joint_ranges(model)
    steps = np.outer(np.arange(1, 17), np.arange(1, model.n_dof + 1))
    q = lower + (upper - lower) * (steps * GOLDEN_RATIO % 1.0)  # spread out, without chance
    speeds = abs(jacobian_batch(model, q, point=point)[:, :3]).max(axis=(0, 2), initial=0.0)
    axes = [axis for axis, speed in zip("xyz", speeds, strict=True) if speed > 1e-9 * max(speeds)]
    return "linear" if len(axes) in (0, 3) else " ".join(axes)


@dataclass(frozen=True, eq=False)
class Workspace:
    """Random postures, and what they let a control point do."""

    q: Array  # (N, n_dof)
    points: Array  # (N, 3), m, in the base frame
    manipulability: Array  # (N,), w of the Jacobian as it is
    isotropy: Array  # (N,), 1/κ of the normalised Jacobian

    @property
    def reach(self) -> float:
        """Largest distance from the origin of the base frame, in m."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @property
    def box(self) -> Array:
        """Lowest and highest corner of the box around all points, (2, 3)."""
        return np.stack([self.points.min(axis=0), self.points.max(axis=0)])


def sample_workspace(
    model: Model,
    samples: int,
    *,
    rng: np.random.Generator,
    point: Point = None,
    part: MotionComponents | None = None,
    threads: int = 1,
) -> Workspace:
    """Move a control point to random postures, uniform over the joint ranges.

    `joint_ranges` says what stands in for missing limits. `part` is what dexterity looks at:
    `movable_part` when None.
    """
    part = movable_part(model, point) if part is None else part
    q = sample_postures(model, samples, rng=rng, point=point)
    positions, _ = forward_batch(model, q, point=point, threads=threads)
    jacobians = jacobian_batch(model, q, point=point, threads=threads)
    plain, normalised = (
        jacobian_singular_values(jacobians, part=part, scales=scales, threads=threads)
        for scales in (np.ones(model.n_dof), rate_scales(model, point))
    )
    return Workspace(q, positions, np.prod(plain, axis=1), isotropy_of(normalised))


@dataclass(frozen=True, eq=False)
class ReachabilityMap:
    """Cubes of space that a control point was seen in, with the best dexterity it had there.

    The cubes fill space, with a corner at the origin of the base frame; only those that were
    reached are listed.
    """

    voxel: float  # edge of a cube, m
    cells: Ints  # (k, 3): cube i spans cells[i] * voxel to (cells[i] + 1) * voxel; sorted
    count: Ints  # (k,), samples in it
    best: Array  # (k,), best dexterity in it
    dexterity: Dexterity  # what `best` is
    reach: float  # largest distance from the origin of the base frame, m
    box: Array  # (2, 3), lowest and highest corner of the box around all samples, m

    @property
    def centres(self) -> Array:
        """Centres of the cubes, (k, 3)."""
        return np.asarray((self.cells + 0.5) * self.voxel)

    @property
    def volume(self) -> float:
        """Volume of all cubes that were reached, in m³; those on the surface count in full."""
        return len(self.cells) * self.voxel**3

    def best_at(self, points: ArrayLike) -> Array:
        """Best dexterity around points (..., 3); 0 where the control point was never seen."""
        wanted = _grid(np.asarray(points, dtype=float), self.voxel)
        is_near = (abs(wanted) < 2**VOXEL_BITS).all(axis=-1)
        keys = _keys(np.where(is_near[..., None], wanted, 0).astype(np.int64))
        known = _keys(self.cells)
        slot = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(is_near & (known[slot] == keys), self.best[slot], 0.0)


def reachability_map(
    model: Model,
    *,
    voxel: float,
    samples: int,
    rng: np.random.Generator,
    point: Point = None,
    dexterity: Dexterity = "isotropy",
    part: MotionComponents | None = None,
    threads: int = 1,
    on_progress: Callable[[int], object] = lambda done: None,
) -> ReachabilityMap:
    """Sort random postures into cubes of edge `voxel`, and keep the best dexterity of each.

    Samples, `part` and dexterity are those of `sample_workspace`; `on_progress` is called with the
    number of samples that were added.
    """
    if not 0 < voxel < math.inf:
        raise ValueError(f"voxel must be a positive length in m, got {voxel}")
    if samples < 1:
        raise ValueError(f"the number of samples must be at least 1, got {samples}")
    if dexterity not in get_args(Dexterity):
        raise ValueError(f"dexterity is one of {get_args(Dexterity)}, not {dexterity!r}")
    heaps: list[_Heap] = []
    spaces: list[tuple[float, Array]] = []
    for start in range(0, samples, CHUNK_SAMPLES):
        size = min(CHUNK_SAMPLES, samples - start)
        space = sample_workspace(model, size, rng=rng, point=point, part=part, threads=threads)
        keys = _keys(_cells(space.points, voxel))
        heaps.append(_gather(keys, np.ones(size, dtype=np.int64), getattr(space, dexterity)))
        spaces.append((space.reach, space.box))
        on_progress(size)
    keys, count, best = _gather(*(np.concatenate(column) for column in zip(*heaps, strict=True)))
    boxes = np.stack([box for _, box in spaces])
    return ReachabilityMap(
        voxel,
        _cells_of(keys),
        count,
        best,
        dexterity,
        max(reach for reach, _ in spaces),
        np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)]),
    )


_Heap: TypeAlias = tuple[Ints, Ints, Array]  # keys, counts, best


def _grid(points: Array, voxel: float) -> Array:
    """Return the cells that points are in, as floats: they may be too far away to be counted."""
    with np.errstate(over="ignore"):
        return np.floor(points / voxel + FACE_TOLERANCE)


def _cells(points: Array, voxel: float) -> Ints:
    cells = _grid(points, voxel)
    if not (abs(cells) < 2**VOXEL_BITS).all():
        least = float(abs(points).max()) / 2**VOXEL_BITS
        raise ValueError(
            f"a voxel of {voxel} m is too small for this arm; take at least {least:.2g} m"
        )
    return cells.astype(np.int64)


def _keys(cells: Ints) -> Ints:
    """Return one number for each cell, in the order of the cells."""
    x, y, z = np.moveaxis(cells + 2**VOXEL_BITS, -1, 0)
    width = VOXEL_BITS + 1
    return np.asarray(x << 2 * width | y << width | z)


def _cells_of(keys: Ints) -> Ints:
    """Return the cells that the keys stand for."""
    width = VOXEL_BITS + 1
    mask = 2**width - 1
    return np.asarray(
        np.stack([keys >> 2 * width, keys >> width & mask, keys & mask], -1) - 2**VOXEL_BITS
    )


def _gather(keys: Ints, count: Ints, best: Array) -> _Heap:
    """Put together what has the same key."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return (
        ordered[starts],
        np.add.reduceat(count[order], starts),
        np.maximum.reduceat(best[order], starts),
    )
