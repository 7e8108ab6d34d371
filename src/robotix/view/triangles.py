"""All objects of an image as one set of triangles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array, Capsule, Pose, Sphere
from robotix.geometry.arrays import Int32Array
from robotix.model.capsules import capsules_along
from robotix.view.camera import Camera, Size
from robotix.view.shade_kernels import UNLIT_GLOSS
from robotix.view.solids_mesh import solid_mesh
from robotix.view.stage import linear
from robotix.view.things import Dots, Mesh3, Polyline, Thing

__all__ = ["Triangles", "collect"]


@dataclass(frozen=True, eq=False)
class Triangles:
    """Triangles in the world frame, with attributes per vertex or per face."""

    points: Array  # (n, 3)
    normals: Array  # (n, 3)
    colours: Array  # (n, 3), linear
    faces: Int32Array  # (m, 3)
    owners: Int32Array  # (m,), index of the object
    opacities: Array  # (m,)
    gloss: Array  # (m,)
    casts: NDArray[np.bool_]  # (m,)


def collect(things: Sequence[Thing], camera: Camera, size: Size) -> Triangles:
    """Return the triangles of all objects, in their order."""
    parts: list[tuple[int, Mesh3, float]] = []
    for number, thing in enumerate(things):
        if isinstance(thing, Mesh3):
            parts.append((number, thing, thing.gloss))
        else:
            parts += [(number, mesh, UNLIT_GLOSS) for mesh in _marks(thing, camera, size)]
    starts = np.cumsum([0, *(len(mesh.vertices) for _, mesh, _ in parts)])

    def per_face(values: list[float]) -> Array:
        counts = [len(mesh.faces) for _, mesh, _ in parts]
        return np.repeat(np.array(values, dtype=float), counts)

    meshes = [mesh for _, mesh, _ in parts]
    colours = [np.broadcast_to(linear(m.colour), (len(m.vertices), 3)) for m in meshes]
    faces = [m.faces + s for m, s in zip(meshes, starts[:-1], strict=True)]
    nothing = np.zeros((0, 3))
    return Triangles(
        np.concatenate([nothing, *(m.vertices for m in meshes)]),
        np.concatenate([nothing, *(m.smooth for m in meshes)]),
        np.concatenate([nothing, *colours]),
        np.concatenate([nothing, *faces]).astype(np.int32),
        per_face([number for number, _, _ in parts]).astype(np.int32),
        per_face([m.opacity for m in meshes]),
        per_face([gloss for _, _, gloss in parts]),
        per_face([m.casts and m.opacity > 0.5 for m in meshes]).astype(bool),
    )


def _marks(thing: Polyline | Dots, camera: Camera, size: Size) -> list[Mesh3]:
    """Return tubes and balls whose thickness is proportional to the distance from the eye."""
    points = np.asarray(thing.points, dtype=float).reshape(-1, 3)
    depths = np.maximum(camera.pixels(points, size)[:, 2], 1e-3)
    radii = thing.width / 2 * depths / camera.intrinsics(size)[0, 0]
    solids: list[Sphere | Capsule] = []
    if isinstance(thing, Dots):
        solids += [
            Sphere(r, Pose(translation=p)) for p, r in zip(points, radii.tolist(), strict=True)
        ]
    else:
        ends = np.roll(np.arange(len(points)), -1)[: None if thing.closed else -1]
        for start, end in enumerate(ends):
            radius = float(radii[start] + radii[end]) / 2
            solids += capsules_along([points[start], points[end]], radius=radius)
    return [solid_mesh(solid, colour=thing.colour, casts=False, around=12) for solid in solids]
