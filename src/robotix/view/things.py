"""Drawable objects: triangle meshes, lines and dots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from robotix.geometry import Array
from robotix.geometry.arrays import Faces, Rgb

__all__ = ["Dots", "Faces", "Mesh3", "Polyline", "Rgb", "Thing", "smooth_normals"]


GREY: Rgb = (0.72, 0.73, 0.75)


@dataclass(frozen=True, eq=False)
class Mesh3:
    """Triangles in the world's frame, counter-clockwise from outside."""

    vertices: Array  # (n, 3), m
    faces: Faces  # (m, 3)
    normals: Array | None = None  # (n, 3); None: means of the adjacent triangles
    colour: Array | Rgb = GREY  # (3,), or one per vertex (n, 3)
    opacity: float = 1.0
    gloss: float = 0.05  # strength of highlights, 0 to 1
    casts: bool = True  # whether it casts shadows

    def __post_init__(self) -> None:
        count = len(self.vertices)
        if np.shape(self.vertices) != (count, 3) or np.ndim(self.faces) != 2:
            raise ValueError("a mesh needs vertices (n, 3) and faces (m, 3)")
        if len(self.faces) and not 0 <= np.min(self.faces) <= np.max(self.faces) < count:
            raise ValueError(f"a triangle has a corner that is not one of the {count} vertices")
        if np.shape(self.colour) not in ((3,), (count, 3)):
            raise ValueError(f"colour must be one or {count} triples, not {np.shape(self.colour)}")
        if not (0 <= self.opacity <= 1 and self.gloss >= 0):
            raise ValueError("opacity must be from 0 to 1, gloss 0 or more")

    @cached_property
    def smooth(self) -> Array:
        """The normals, computed if None."""
        return smooth_normals(self.vertices, self.faces) if self.normals is None else self.normals


@dataclass(frozen=True, eq=False)
class Polyline:
    """A line through points with constant width in the image; it casts no shadow."""

    points: Array  # (k, 3), m
    colour: Rgb = (0.1, 0.35, 0.75)
    width: float = 3.0  # pixels
    closed: bool = False


@dataclass(frozen=True, eq=False)
class Dots:
    """Round marks with constant size in the image; they cast no shadow."""

    points: Array  # (k, 3), m
    colour: Rgb = (0.85, 0.2, 0.15)
    width: float = 9.0  # pixels


Thing: TypeAlias = Mesh3 | Polyline | Dots


def smooth_normals(vertices: Array, faces: Faces) -> Array:
    """Return unit normals of vertices, (n, 3): area-weighted means over the adjacent triangles."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    out = np.empty((len(vertices), 3))
    for axis in range(3):
        weights = np.repeat(flat[:, axis], 3)
        out[:, axis] = np.bincount(faces.ravel(), weights, minlength=len(vertices))
    lengths = np.linalg.norm(out, axis=1, keepdims=True)
    return np.asarray(np.divide(out, lengths, out=np.zeros_like(out), where=lengths > 0))
