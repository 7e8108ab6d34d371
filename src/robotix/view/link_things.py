"""What is to be seen of a robot's links: drawn shapes, meshes from files, procedural surfaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from robotix.geometry import Array, Halfspace, Mesh, Pose
from robotix.geometry.arrays import Faces
from robotix.meshes import Material, MeshAsset, load_mesh
from robotix.meshes.shading import shaded_mesh
from robotix.model import Body, Model, Visual
from robotix.view.solids_mesh import solid_mesh
from robotix.view.things import Mesh3
from robotix.visuals.link_shape import LinkMesh
from robotix.visuals.looks import link_looks

__all__ = ["body_things", "look_things", "visual_things"]


def body_things(model: Model, body: Body) -> Iterator[Mesh3]:
    """Yield what a body of a model shows, in the frame of the body; infinite floors are left out.

    Raises:
        BadFile: A mesh cannot be read.
    """
    looks = link_looks(model).get(body.name, ())
    yield from look_things(looks)
    if not looks:
        for visual in body.visuals or map(Visual, body.collision):
            yield from visual_things(visual)


def look_things(parts: Iterable[LinkMesh]) -> Iterator[Mesh3]:
    """Yield procedural surfaces."""
    for part in parts:
        yield _placed(Pose(), part.vertices, part.faces, part.normals, part.material)


def visual_things(
    visual: Visual, *, material: Material | None = None, folder: Path | None = None
) -> Iterator[Mesh3]:
    """Yield a drawn shape; a material replaces its own, meshes are looked for in a folder."""
    red, green, blue, opacity = visual.rgba
    look = material or Material((red, green, blue), opacity)
    shape = visual.shape
    if isinstance(shape, Halfspace):
        return
    if not isinstance(shape, Mesh):
        yield solid_mesh(
            shape, colour=look.colour, opacity=look.opacity, gloss=_gloss(look),
            casts=look.opacity > 0.5,
        )  # fmt: skip
        return
    asset = load_mesh(shape.path if folder is None else folder / shape.path)
    for k, part in enumerate(asset.parts):
        vertices, normals, faces = _shaded_part(asset, k)
        scaled = normals / np.asarray(shape.scale)
        unit = scaled / np.maximum(np.linalg.norm(scaled, axis=1, keepdims=True), 1e-12)
        yield _placed(
            shape.pose,
            vertices * np.asarray(shape.scale),
            faces,
            unit,
            part.material if material is None and part.material is not None else look,
        )


@lru_cache(maxsize=512)
def _shaded_part(asset: MeshAsset, index: int) -> tuple[Array, Array, Faces]:
    part = asset.parts[index]
    return shaded_mesh(np.asarray(part.vertices, float), np.asarray(part.faces, np.int64))


def _placed(pose: Pose, vertices: Array, faces: Faces, normals: Array, material: Material) -> Mesh3:
    return Mesh3(
        pose.apply(vertices),
        faces,
        normals @ pose.rotation.T,
        material.colour,
        material.opacity,
        gloss=_gloss(material),
        casts=material.opacity > 0.5,
    )


def _gloss(material: Material) -> float:
    """Return how much a surface shines."""
    return 0.25 * (1 - material.roughness)
