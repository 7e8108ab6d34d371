"""Clips: the motion of nodes in their parents, sampled at even times."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array, Pose

__all__ = ["Clip"]


@dataclass(frozen=True, eq=False)
class Clip:
    """Poses of some nodes in their parents, at even times.

    `poses` has one row per time and one column per node: translation, then quaternion.
    """

    nodes: tuple[str, ...]
    dt: float  # s between two rows
    poses: Array  # (n_times, n_nodes, 7)

    def __post_init__(self) -> None:
        poses = np.array(self.poses, dtype=float)
        if poses.ndim != 3 or poses.shape[1:] != (len(self.nodes), 7) or not len(poses):
            raise BadField("poses", f"of shape (times, {len(self.nodes)}, 7)", poses.shape)
        if not (np.isfinite(poses).all() and math.isfinite(self.dt) and self.dt > 0):
            raise BadField("", "finite poses and a positive dt", f"dt {self.dt}")
        norms = np.linalg.norm(poses[..., 3:], axis=-1)
        if not (norms > 1e-6).all():
            raise BadField("poses", "with quaternions other than zero", "zeros")
        poses[..., 3:] /= norms[..., None]
        # q and -q are the same rotation; choose signs so that neighbours are close.
        dots = np.einsum("ijk,ijk->ij", poses[1:, :, 3:], poses[:-1, :, 3:])
        signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
        poses[1:, :, 3:] *= signs[..., None]
        poses.flags.writeable = False
        object.__setattr__(self, "poses", poses)

    @property
    def duration(self) -> float:
        """Seconds from the first to the last row."""
        return (len(self.poses) - 1) * self.dt

    def at(self, time: float) -> tuple[Pose, ...]:
        """Return parent_from_node of every node; constant before the start and after the end.

        Rows are interpolated by a Catmull-Rom spline: positions and velocities are continuous.
        """
        rows, last = self.poses, len(self.poses) - 1
        if last == 0:
            rows, last = np.repeat(rows, 2, axis=0), 1
        x = min(max(time / self.dt, 0.0), float(last))
        i = min(int(x), last - 1)
        p1, p2 = rows[i], rows[i + 1]
        p0 = rows[i - 1] if i > 0 else 2 * p1 - p2
        p3 = rows[i + 2] if i + 2 <= last else 2 * p2 - p1
        s = x - i
        mixed = p1 + s * 0.5 * (
            p2 - p0 + s * (2 * p0 - 5 * p1 + 4 * p2 - p3 + s * (3 * (p1 - p2) + p3 - p0))
        )
        return tuple(Pose.from_quaternion(row[:3], row[3:]) for row in mixed)
