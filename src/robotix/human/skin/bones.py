"""The bones of the skin, and the weights of its vertices.

A bone maps the template's pose to the posture: it rotates about a joint centre with a body of the
model. Where a segment twists about its own axis (forearm, upper arm, thigh), the twist is
distributed over several bones, so that the skin does not collapse at the upper joint. Neck, head
and fingers have joints that the model lacks: each of their bones is carried by another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.body.head_and_hands import RELAXED_FINGERS, HeadAndHands, neck_rotations
from robotix.human.body.landmarks import LIMB_ORIGINS, TRUNK_ORIGINS, segment_body
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.skin.fit import SizedBody
from robotix.human.skin.hand import FINGER_JOINTS, THUMB_SHARE, Hand
from robotix.kinematics import Posture

__all__ = ["Bone", "Rig", "make_rig"]

DOWN, FORWARD = np.array([0.0, 0.0, -1.0]), np.array([1.0, 0.0, 0.0])
PARENTS = {
    "lumbar": "pelvis",
    "thorax": "lumbar",
    "thigh": "pelvis",
    "shank": "thigh",
    "foot": "shank",
    "toes": "foot",
    "upper_arm": "thorax",
    "forearm": "upper_arm",
    "hand": "forearm",
}
# Fraction of the segment's twist, and of its length where that bone has the full weight.
TWISTS = {
    "upper_arm": ((0.15, 0.05), (1.0, 0.80)),
    "forearm": ((0.0, 0.05), (0.5, 0.5), (1.0, 0.95)),
    "thigh": ((0.25, 0.05), (1.0, 0.70)),
}
# The shoulder blade lifts by this ratio of the elevation of the arm beyond the start angle.
SHOULDER_LIFT_RATIO, SHOULDER_LIFT_START = 0.28, np.radians(30.0)
BEND_SPREAD = {"l5s1": 0.55, "t12l1": 0.65}  # of a bend of the spine, in lumbar lengths


@dataclass(frozen=True, eq=False)
class Bone:
    """One bone: centre, rotation to `q = 0`, and the segment that it follows."""

    name: str
    segment: str
    parent: str  # segment; empty for the root
    centre: Array  # in the template's pose
    zero: Array  # (3, 3), from the template's pose to the manikin's zero
    axis: Array  # (3,), of the segment in the template's pose
    twist: float = 1.0  # fraction of the segment's twist that it follows
    raised_by: str = ""  # segment whose elevation lifts it: the arm for the shoulder blade
    carried_by: str = ""  # bone that carries it, where the model has no joint: neck, fingers
    bend: float = 0.0  # fraction of the bend of the fingers, about the axis


@dataclass(frozen=True, eq=False)
class Rig:
    """All bones, and their weights at each vertex."""

    bones: tuple[Bone, ...]
    weights: Array  # (n, bones)
    body_rows: NDArray[np.intp]  # of each bone's segment in the model
    parent_bones: NDArray[np.intp]  # an untwisted bone of the parent segment
    offsets: Array  # (k, 3), of the bones' centres from the joints of their segments, at zero

    def placed(self, posture: Posture, extra: HeadAndHands | None = None) -> tuple[Array, Array]:
        """Return rotations (k, 3, 3) and translations (k, 3): from the template's pose.

        `extra` is what neck and fingers do; without it, they are relaxed.
        """
        poses = posture.body_poses[self.body_rows]
        rotations = poses[:, :9].reshape(-1, 3, 3) @ np.stack([bone.zero for bone in self.bones])
        whole = rotations.copy()
        for k, bone in enumerate(self.bones):
            if bone.twist < 1:
                angle = _twist(whole[self.parent_bones[k]].T @ whole[k], bone.axis)
                rotations[k] = whole[k] @ _about(bone.axis, (bone.twist - 1) * angle)
            elif bone.raised_by:
                arm = next(b for b in self.bones if b.name == bone.raised_by)
                direction = whole[k].T @ whole[self.bones.index(arm)] @ arm.axis
                lift = SHOULDER_LIFT_RATIO * max(
                    np.arccos(np.clip(direction @ DOWN, -1.0, 1.0)) - SHOULDER_LIFT_START, 0.0
                )
                rotations[k] = whole[k] @ _about(bone.axis, lift)
        centres = np.stack([bone.centre for bone in self.bones])
        moves = poses[:, 9:] + np.einsum("kij,kj->ki", whole, self.offsets)
        moves -= np.einsum("kij,kj->ki", rotations, centres)
        self._place_carried(rotations, moves, extra or HeadAndHands())
        return rotations, moves

    def _place_carried(self, rotations: Array, moves: Array, extra: HeadAndHands) -> None:
        """Write the bones of neck, head and fingers, each about its centre on another bone."""
        flexion, rotation = np.array(extra.neck_flexion), np.array(extra.neck_rotation)
        neck = neck_rotations(flexion / 2, rotation / 2)
        turns = {"neck": neck, "head": neck.T @ neck_rotations(flexion, rotation)}
        for k, bone in enumerate(self.bones):
            if not bone.carried_by:
                continue
            if bone.name not in turns:
                side: Side = "right" if bone.name.startswith("right") else "left"
                angle = bone.bend * extra.fingers.get(side, RELAXED_FINGERS)
                turns[bone.name] = _about(bone.axis, angle)
            p = self.parent_bones[k]
            rotations[k] = rotations[p] @ turns[bone.name]
            moves[k] = rotations[p] @ bone.centre + moves[p] - rotations[k] @ bone.centre


def make_rig(body: SizedBody, manikin: Manikin, hands: Mapping[Side, Hand]) -> Rig:
    """Return the bones of a body and the weights of its vertices."""
    zeros = _zero_turns(body, hands)
    bones = []
    for segment, side, name in _segments():
        origins = LIMB_ORIGINS if side else TRUNK_ORIGINS
        prefix = f"{side}_" if side else ""
        parent = PARENTS.get(name, "")
        parent = prefix + parent if prefix + parent in zeros else parent
        for number, (fraction, _) in enumerate(TWISTS.get(name, ((1.0, 0.0),))):
            bones.append(
                Bone(
                    segment if fraction == 1 else f"{segment}_{number + 1}",
                    segment,
                    parent,
                    body.centres[prefix + origins[name]],
                    zeros[segment],
                    body.directions.get(segment, DOWN),
                    fraction,
                )
            )
    bones += [_shoulder_blade(body, side) for side in SIDES]
    bones += [*_neck(body, manikin), *(bone for side in SIDES for bone in _fingers(hands, side))]
    names = [b.name for b in manikin.model.bodies]
    wholes = {bone.name: k for k, bone in enumerate(bones)}
    return Rig(
        tuple(bones),
        _weights(body, bones, hands),
        np.array([names.index(segment_body(bone.segment)) for bone in bones]),
        np.array([wholes.get(bone.carried_by or bone.parent, 0) for bone in bones]),
        np.stack([bone.centre - bones[wholes[bone.segment]].centre for bone in bones]),
    )


def _shoulder_blade(body: SizedBody, side: Side) -> Bone:
    """Return the bone between sternum and shoulder, which lifts while the arm is raised."""
    shoulder, sign = body.centres[f"{side}_shoulder"], SIDES[side]
    return Bone(
        f"{side}_shoulder_blade",
        "thorax",
        "thorax",
        shoulder * (1, 0.15, 1),
        np.eye(3),
        sign * FORWARD,
        raised_by=f"{side}_upper_arm",
    )


def _neck(body: SizedBody, manikin: Manikin) -> list[Bone]:
    """Return the bones of neck and head; each does half of what the neck does."""
    return [
        Bone(name, "thorax", "thorax", centre, np.eye(3), DOWN, carried_by=carrier)
        for name, centre, carrier in (
            ("neck", body.centres["neck"], "thorax"),
            ("head", manikin.skeleton["head"], "neck"),
        )
    ]


def _fingers(hands: Mapping[Side, Hand], side: Side) -> list[Bone]:
    """Return the bones of the four fingers, from the knuckles on, and of the thumb."""
    hand, segment = hands[side], f"{side}_hand"
    bones, carrier = [], segment
    for number, centre in enumerate(hand.finger_centres()):
        name, share = f"{side}_fingers_{number + 1}", 1 / len(FINGER_JOINTS)
        axis = hand.finger_axis
        bones.append(
            Bone(name, segment, segment, centre, np.eye(3), axis, carried_by=carrier, bend=share)
        )
        carrier = name
    thumb = Bone(
        f"{side}_thumb", segment, segment, hand.thumb_centre(), np.eye(3), hand.thumb_axis,
        carried_by=segment, bend=THUMB_SHARE,
    )  # fmt: skip
    return [*bones, thumb]


def _segments() -> list[tuple[str, Side | None, str]]:
    """Return segment, side and name without side, parents before children."""
    found: list[tuple[str, Side | None, str]] = [
        (name, None, name) for name in TRUNK_ORIGINS if name != "head"
    ]
    for side in SIDES:
        found += [(f"{side}_{name}", side, name) for name in LIMB_ORIGINS]
    return found


# -- from the template's pose to zero ---------------------------------------------------------


def _zero_turns(body: SizedBody, hands: Mapping[Side, Hand]) -> dict[str, Array]:
    """Return the rotation of every segment from the template's pose to the manikin's zero."""
    rotations = {name: np.eye(3) for name in TRUNK_ORIGINS}
    for side in SIDES:
        directions = {name: body.directions[f"{side}_{name}"] for name in ("thigh", "shank")}
        rotations |= {
            f"{side}_{name}": _shortest(direction, DOWN) for name, direction in directions.items()
        }
        rotations[f"{side}_foot"] = rotations[f"{side}_toes"] = np.eye(3)
        upper, lower = (body.directions[f"{side}_{name}"] for name in ("upper_arm", "forearm"))
        thumb = hands[side].axes[1]
        rotations[f"{side}_upper_arm"] = _aligning(upper, lower)  # the elbow bends forwards
        rotations[f"{side}_forearm"] = _aligning(lower, thumb)  # palms face the thighs
        rotations[f"{side}_hand"] = _aligning(hands[side].axes[0], thumb)
    return rotations


def _aligning(along: Array, ahead: Array) -> Array:
    """Return the rotation that maps one direction to down, and another towards forward."""

    def frame(first: Array, second: Array) -> Array:
        x = first / np.linalg.norm(first)
        y = second - (second @ x) * x
        y = y / np.linalg.norm(y)
        return np.stack([x, y, np.cross(x, y)], axis=1)

    return np.asarray(frame(DOWN, FORWARD) @ frame(along, ahead).T)


def _shortest(start: Array, end: Array) -> Array:
    axis = np.cross(start, end)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return np.eye(3)
    return _about(axis / sine, float(np.arctan2(sine, start @ end)))


def _about(axis: Array, angle: float) -> Array:
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K)


def _twist(rotation: Array, axis: Array) -> float:
    """Return the twist angle of a rotation about an axis (swing-twist decomposition), rad."""
    R = rotation
    vector = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return float(2 * np.arctan2(vector @ axis, 1 + np.trace(R)))


# -- weights ----------------------------------------------------------------------------------


def _weights(body: SizedBody, bones: list[Bone], hands: Mapping[Side, Hand]) -> Array:
    template = body.template
    out = np.zeros((len(template.vertices), len(bones)))
    shares = {**_spine_weights(body), **_hand_weights(body, hands)}
    shares |= {name: template.weight_of(name) for name in ("neck", "head")}
    for side in SIDES:
        blade = _blade_weight(body, side) * shares["thorax"]
        shares[f"{side}_shoulder_blade"] = blade
        shares["thorax"] = shares["thorax"] - blade
    for k, bone in enumerate(bones):
        own = bone.raised_by or bone.carried_by
        share = shares.get(bone.name if own else bone.segment)
        out[:, k] = template.weight_of(bone.segment) if share is None else share
        name = bone.segment.partition("_")[2]
        if name in TWISTS and not own:
            out[:, k] *= _twist_weight(body, bone, TWISTS[name])
    out[out < 1e-4] = 0.0
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def _hand_weights(body: SizedBody, hands: Mapping[Side, Hand]) -> dict[str, Array]:
    """Return the weights of hands, fingers and thumbs at each vertex, each (n,)."""
    shares = {}
    for side, hand in hands.items():
        whole = body.template.weight_of(f"{side}_hand")
        fingers, thumb = hand.weights()
        for number, part in enumerate([*fingers.T, thumb]):
            name = (
                f"{side}_fingers_{number + 1}" if number < len(FINGER_JOINTS) else f"{side}_thumb"
            )
            share = np.zeros_like(whole)
            share[hand.rows] = part * whole[hand.rows]
            shares[name] = share
        shares[f"{side}_hand"] = whole - sum(
            shares[name] for name in shares if name.startswith(side)
        )
    return shares


def _twist_weight(body: SizedBody, bone: Bone, knots: tuple[tuple[float, float], ...]) -> Array:
    """Return the weight of one twist bone at the vertices of its segment, (n,)."""
    name = bone.segment.partition("_")[2]
    ends = {"upper_arm": "elbow", "forearm": "wrist", "thigh": "knee"}
    side = bone.segment.partition("_")[0]
    length = float(np.linalg.norm(body.centres[f"{side}_{ends[name]}"] - bone.centre))
    along = (body.vertices - bone.centre) @ bone.axis / length
    positions = [position for _, position in knots]
    hat = [1.0 if fraction == bone.twist else 0.0 for fraction, _ in knots]
    return np.interp(along, positions, hat)


def _spine_weights(body: SizedBody) -> dict[str, Array]:
    """Return the weights of pelvis, lumbar and thorax at each vertex, smooth over height.

    The template's own weights belong to joints elsewhere on the spine.
    """
    trunk = body.template.weight_of("pelvis", "lumbar", "thorax")
    low, high = body.centres["l5s1"][2], body.centres["t12l1"][2]
    z = body.vertices[:, 2]
    over = {
        name: _smooth((z - position) / (BEND_SPREAD[name] * (high - low)) + 0.5)
        for name, position in (("l5s1", low), ("t12l1", high))
    }
    return {
        "pelvis": trunk * (1 - over["l5s1"]),
        "lumbar": trunk * over["l5s1"] * (1 - over["t12l1"]),
        "thorax": trunk * over["l5s1"] * over["t12l1"],
    }


def _blade_weight(body: SizedBody, side: Side) -> Array:
    """Return the fraction of the thorax weight that belongs to a shoulder blade, (n,)."""
    shoulder = body.centres[f"{side}_shoulder"]
    out = body.vertices[:, 1] / shoulder[1]
    up = (body.vertices[:, 2] - shoulder[2]) / abs(shoulder[1])
    return _smooth((out - 0.45) / 0.5) * _smooth((up + 0.7) / 0.8)


def _smooth(fraction: Array) -> Array:
    t = np.clip(fraction, 0.0, 1.0)
    return np.asarray(t * t * (3 - 2 * t))
