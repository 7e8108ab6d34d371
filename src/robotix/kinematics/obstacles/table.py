"""The obstacles of a robot in flat arrays, which are updated where one only moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance_kernels import ROTATION, ROW_SIZE, TRANSLATION
from robotix.errors import UnknownName
from robotix.geometry import Array, Mesh, Shape
from robotix.kinematics.obstacles.mesh_gaps import MeshGaps
from robotix.kinematics.obstacles.obstacle import Obstacle
from robotix.meshes.asset import load_mesh
from robotix.meshes.solids import GeometryCache, PackedSolids, is_same_solid
from robotix.meshes.tree import make_tree

__all__ = ["ObstacleTable"]


class ObstacleTable:
    """Obstacles by name, packed for the kernels; meshes, which `find_gaps` ignores, come last."""

    def __init__(
        self, solids: PackedSolids, links: NDArray[np.int64], obstacles: Mapping[str, Obstacle]
    ) -> None:
        """Take the solids of the robot with their links, and the first obstacles."""
        self._solids, self._links = solids, links
        self._geometry: GeometryCache = {}
        self._index: dict[str, int] = {}
        self.entries: dict[str, Obstacle] = dict(obstacles)
        self.names: tuple[str, ...] = ()
        self._pack(known={})

    def set(self, obstacles: Mapping[str, Obstacle]) -> None:
        """Add obstacles, or move them; the files of those that only move are not read again."""
        known = {
            name: k
            for name, k in self._index.items()
            if name not in obstacles
            or is_same_solid(self.entries[name].shape, obstacles[name].shape)
        }
        is_new = [name not in known for name in obstacles]
        for name in obstacles:
            if name not in known and self._has_changed(obstacles[name].shape):
                known = {}
        self.entries.update(obstacles)
        if any(is_new):
            self._pack(known)
        else:
            self._move(obstacles)

    def remove(self, names: Iterable[str]) -> None:
        """Remove obstacles."""
        removed = list(names)
        for name in removed:
            if name not in self.entries:
                raise UnknownName("obstacle", name, self.entries)
        for name in removed:
            del self.entries[name]
        if removed:
            self._pack({name: k for name, k in self._index.items() if name in self.entries})

    def rows_after(self, seconds: float) -> Array:
        """Return where the obstacles will be, (n, ROW_SIZE)."""
        if not seconds:
            return self.rows
        rows = self.rows.copy()
        rows[:, TRANSLATION:] += seconds * self.velocities
        return rows

    def _has_changed(self, shape: Shape) -> bool:
        """Read the file of a new mesh; return whether it differs from what was read before."""
        if not isinstance(shape, Mesh):
            return False
        tree = make_tree(load_mesh(shape.path), shape.scale)  # raises if it cannot be read
        kept = self._geometry.get((shape.path, shape.scale))
        if kept is None or kept[0] is tree:
            return False
        self._geometry.clear()
        return True

    def _move(self, obstacles: Mapping[str, Obstacle]) -> None:
        for name, obstacle in obstacles.items():
            k, pose = self._index[name], obstacle.shape.pose
            self.rows[k, ROTATION:TRANSLATION] = pose.rotation.ravel()
            self.rows[k, TRANSLATION:] = pose.translation
            self.distances[k], self.velocities[k] = obstacle.distance, obstacle.velocity

    def _pack(self, known: Mapping[str, int]) -> None:
        """Pack all obstacles; what was measured is kept for those that were at an index before."""
        order = sorted(self.entries.items(), key=lambda item: isinstance(item[1].shape, Mesh))
        obstacles = [obstacle for _, obstacle in order]
        shapes = (each.shape for each in obstacles)
        packed = PackedSolids.of(shapes, with_sides=True, cache=self._geometry)
        self.names = tuple(name for name, _ in order)
        self._index = {name: k for k, name in enumerate(self.names)}
        self.rows, self.radii = packed.rows.reshape(-1, ROW_SIZE), packed.radii
        self.n_plain = int((~packed.is_mesh).sum())
        self.distances = np.array([each.distance for each in obstacles], dtype=float)
        velocities = [each.velocity for each in obstacles]
        self.velocities = np.array(velocities, dtype=float).reshape(-1, 3)
        gaps = MeshGaps(self._solids, self._links, packed)
        if known:
            gaps.inherit(self.mesh_gaps, [known.get(name, -1) for name in self.names])
        self.mesh_gaps: MeshGaps = gaps
