"""A skin for graphics hardware: a mesh at rest, four bones per vertex, one matrix per bone.

Hardware blends four matrices linearly; `Skin.at` blends dual quaternions of all bones. The two
differ slightly where a joint is bent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.body.head_and_hands import HeadAndHands
from robotix.human.skin.look import SkinPart
from robotix.human.skin.skin import Skin
from robotix.human.skin.skin_kernels import face_normals
from robotix.kinematics import Posture

__all__ = ["BONES_PER_VERTEX", "SkinBinding", "bind_skin", "bone_matrices"]

BONES_PER_VERTEX = 4


@dataclass(frozen=True, eq=False)
class SkinBinding:
    """Constant data of a skin. Vertex position: sum of weight · matrix · vertex over its bones."""

    vertices: Array  # (n, 3), m, at rest: in the template's pose
    normals: Array  # (n, 3), at rest
    bones: NDArray[np.uint8]  # (n, 4), by descending weight
    weights: Array  # (n, 4), rows sum to 1
    parts: tuple[SkinPart, ...]  # triangles and colours; all share the vertices
    bone_names: tuple[str, ...]  # (k,)
    parents: tuple[int, ...]  # (k,), of the bones; -1 for the first, the pelvis
    centres: Array  # (k, 3), m, centres of rotation of the bones, at rest


def bind_skin(skin: Skin) -> SkinBinding:
    """Return a skin with the four bones of largest weight per vertex."""
    normals = np.empty_like(skin.rest)
    face_normals(skin.rest, skin.faces, normals)
    weights = skin.rig.weights
    bones = np.argsort(-weights, axis=1, kind="stable")[:, :BONES_PER_VERTEX]
    largest = np.take_along_axis(weights, bones, axis=1)
    largest /= largest.sum(axis=1, keepdims=True)
    parents = tuple(int(p) if k else -1 for k, p in enumerate(skin.rig.parent_bones))
    return SkinBinding(
        skin.rest,
        normals,
        np.where(largest > 0, bones, 0).astype(np.uint8),
        largest,
        skin.parts,
        tuple(bone.name for bone in skin.rig.bones),
        parents,
        np.stack([bone.centre for bone in skin.rig.bones]),
    )


def bone_matrices(skin: Skin, posture: Posture, extra: HeadAndHands | None = None) -> Array:
    """Return base_from_rest of every bone in a posture, (k, 4, 4); `extra`: neck and fingers."""
    rotations, translations = skin.rig.placed(posture, extra)
    matrices = np.zeros((len(rotations), 4, 4))
    matrices[:, :3, :3], matrices[:, :3, 3], matrices[:, 3, 3] = rotations, translations, 1.0
    return matrices
