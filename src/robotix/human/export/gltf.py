"""Motions of a manikin as glTF files: the skinned body, its bones and the animation.

glTF blends four bones per vertex linearly; `Skin.at` blends dual quaternions of all bones. The two
differ slightly where a joint is bent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from robotix.geometry import Array, quaternions_from_rotations
from robotix.human.body.manikin import Manikin
from robotix.human.export.bvh import times_at_rate
from robotix.human.export.glb_file import INDICES, VERTICES, GlbFile
from robotix.human.motion.gestures import Gestures
from robotix.human.skin.binding import bind_skin
from robotix.human.skin.skin import Skin, make_skin
from robotix.kinematics import Posture
from robotix.motion import Motion

__all__ = ["save_gltf"]

Z_UP_ROTATION = [-float(np.sqrt(0.5)), 0.0, 0.0, float(np.sqrt(0.5))]  # our z is glTF's y


def save_gltf(
    path: str | Path,
    manikin: Manikin,
    motion: Motion,
    *,
    rate: float = 30.0,
    skin: Skin | None = None,
    gestures: Gestures | None = None,
) -> None:
    """Write a motion of a manikin as a binary glTF file (`.glb`), sampled at `rate` Hz.

    `skin` is the skin of the manikin, if it exists already; `gestures` move neck and fingers.
    """
    motion.check_model(manikin.model)
    if Path(path).suffix.lower() != ".glb":
        raise ValueError(f"{Path(path).name!r}: a binary glTF file ends in .glb")
    body = skin or make_skin(manikin)
    file = GlbFile({"asset": {"version": "2.0", "generator": "robotix"}, "scene": 0})
    count = len(body.rig.bones)
    times = times_at_rate(motion, rate)
    rotations, positions = _local_transforms(body, motion, times, gestures)
    mesh = _mesh(file, body)
    nodes = [
        _bone_node(body, k, rotation=rotations[0, k], position=positions[0, k])
        for k in range(count)
    ]
    nodes.append({"name": manikin.model.name, "mesh": mesh, "skin": 0})
    nodes.append({"name": "z_up", "rotation": Z_UP_ROTATION, "children": [0, count]})
    inverse = np.tile(np.eye(4), (count, 1, 1))
    inverse[:, :3, 3] = [-bone.centre for bone in body.rig.bones]
    binding = file.add(inverse.transpose(0, 2, 1).astype("<f4"))  # column by column
    file.document |= {
        "scenes": [{"nodes": [count + 1]}],
        "nodes": nodes,
        "skins": [{"joints": list(range(count)), "inverseBindMatrices": binding, "skeleton": 0}],
        "animations": [_animation(file, times, rotations=rotations, root=positions[:, 0])],
    }
    file.save(path)


# -- bones --------------------------------------------------------------------------------------


def _parents(skin: Skin) -> list[int | None]:
    """Return each bone's parent; the pelvis has none."""
    return [int(p) if k else None for k, p in enumerate(skin.rig.parent_bones)]


def _bone_node(skin: Skin, bone: int, *, rotation: Array, position: Array) -> dict[str, Any]:
    node: dict[str, Any] = {
        "name": skin.rig.bones[bone].name,
        "rotation": rotation.tolist(),
        "translation": position.tolist(),
    }
    children = [k for k, parent in enumerate(_parents(skin)) if parent == bone]
    return node | {"children": children} if children else node


def _local_transforms(
    skin: Skin, motion: Motion, times: Array, gestures: Gestures | None
) -> tuple[Array, Array]:
    """Return quaternions xyzw (k, bones, 4) and positions (k, bones, 3) relative to parents."""
    count, parents = len(skin.rig.bones), _parents(skin)
    centres = np.stack([bone.centre for bone in skin.rig.bones])
    rotations, positions = np.empty((len(times), count, 3, 3)), np.empty((len(times), count, 3))
    for row, time in enumerate(times.tolist()):
        extra = None if gestures is None else gestures.at(time)
        R, t = skin.rig.placed(Posture(skin.manikin.model, motion.at(time)), extra)
        at = np.einsum("kij,kj->ki", R, centres) + t
        for k, parent in enumerate(parents):
            rotation = R[k] if parent is None else R[parent].T @ R[k]
            away = at[k] if parent is None else R[parent].T @ (at[k] - at[parent])
            rotations[row, k], positions[row, k] = rotation, away
    quaternions = quaternions_from_rotations(rotations)[..., [1, 2, 3, 0]]
    for row in range(1, len(times)):  # the shorter rotation from each row to the next
        flipped = np.einsum("ki,ki->k", quaternions[row], quaternions[row - 1]) < 0
        quaternions[row, flipped] *= -1
    return quaternions, positions


def _animation(file: GlbFile, times: Array, *, rotations: Array, root: Array) -> dict[str, Any]:
    """Return the animation: rotations of all bones, and the translation of the pelvis."""
    clock = file.add((times - times[0]).astype("<f4"), bounds=True)
    samplers, channels = [], []
    for node in range(rotations.shape[1]):
        output = file.add(rotations[:, node].astype("<f4"))
        samplers.append({"input": clock, "output": output, "interpolation": "LINEAR"})
        channels.append({"sampler": node, "target": {"node": node, "path": "rotation"}})
    samplers.append({"input": clock, "output": file.add(root.astype("<f4"))})
    channels.append({"sampler": len(samplers) - 1, "target": {"node": 0, "path": "translation"}})
    return {"name": "motion", "samplers": samplers, "channels": channels}


# -- mesh ---------------------------------------------------------------------------------------


def _mesh(file: GlbFile, skin: Skin) -> int:
    """Add the body in its rest pose, one primitive per part, with shared vertices."""
    bound = bind_skin(skin)
    attributes = {
        "POSITION": file.add(bound.vertices.astype("<f4"), use=VERTICES, bounds=True),
        "NORMAL": file.add(bound.normals.astype("<f4"), use=VERTICES),
        "JOINTS_0": file.add(bound.bones, use=VERTICES),
        "WEIGHTS_0": file.add(bound.weights.astype("<f4"), use=VERTICES),
    }
    primitives, materials = [], []
    for number, part in enumerate(skin.parts):
        corners = file.add(part.faces.reshape(-1, 1).astype("<u4"), use=INDICES)
        primitives.append({"attributes": attributes, "indices": corners, "material": number})
        colour = [*_light(np.array(part.colour)).tolist(), 1.0]
        look = {"baseColorFactor": colour, "metallicFactor": 0.0, "roughnessFactor": 0.85}
        materials.append({"name": part.name, "pbrMetallicRoughness": look, "doubleSided": True})
    file.document |= {"meshes": [{"name": "body", "primitives": primitives}]}
    file.document |= {"materials": materials}
    return 0


def _light(colour: Array) -> Array:
    """Convert sRGB to linear light."""
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
