"""Motions of a manikin as BVH files, for animation programs.

Y is up, z forward, x to the left; centimetres and degrees, as most programs expect. Rest is the
manikin's zero. Joints rotate about x, z and y in this order, which are flexion, abduction and axial
rotation of the manikin, so that both have the same singularities. The pelvis rotates about y first,
so that any heading is possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from robotix.geometry import Array
from robotix.human.body.head_and_hands import neck_rotations
from robotix.human.body.landmarks import origin_of, segment_body
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.gestures import Gestures
from robotix.kinematics import Posture
from robotix.motion import Motion

__all__ = ["save_bvh", "times_at_rate"]

CENTIMETRE = 0.01
Y_UP = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])  # from ours
ROOT_ORDER, ORDER = "YXZ", "XZY"
LIMBS = {
    "leg": ("thigh", "shank", "foot", "toes"),
    "arm": ("upper_arm", "forearm", "hand"),
}
ENDS = {"head": "crown", "toes": "toe_tip", "hand": "fingertip"}  # of the skeleton


@dataclass(frozen=True)
class _Joint:
    segment: str
    parent: _Joint | None
    children: list[_Joint]

    def walk(self) -> Iterator[_Joint]:
        """Yield this one and all below, as the file lists them."""
        yield self
        for child in self.children:
            yield from child.walk()


def save_bvh(
    path: str | Path,
    manikin: Manikin,
    motion: Motion,
    *,
    rate: float = 60.0,
    gestures: Gestures | None = None,
) -> None:
    """Write a motion of a manikin as BVH, sampled at `rate` Hz; `gestures` move the head."""
    motion.check_model(manikin.model)
    root = _hierarchy()
    times = times_at_rate(motion, rate)
    angles = _channels(manikin, motion, root=root, times=times, gestures=gestures)
    lines = ["HIERARCHY", *_tree(manikin, root, ""), "MOTION", f"Frames: {len(times)}"]
    lines += [f"Frame Time: {1 / rate:.9f}"]
    lines += [" ".join(f"{value:.7f}" for value in row) for row in angles]
    Path(path).write_text("\n".join(lines) + "\n", encoding="ascii")


def times_at_rate(motion: Motion, rate: float) -> Array:
    """Return times at `rate` Hz from the first row of a motion to the last or just beyond, s."""
    if not rate > 0:
        raise ValueError(f"rate must be positive, got {rate}")
    count = int(np.ceil(motion.duration * rate - 1e-6)) + 1
    return np.asarray(motion.times[0] + np.arange(count) / rate)


def _hierarchy() -> _Joint:
    def chain(parent: _Joint, *segments: str) -> _Joint:
        for segment in segments:
            joint = _Joint(segment, parent, [])
            parent.children.append(joint)
            parent = joint
        return parent

    root = _Joint("pelvis", None, [])
    thorax = chain(root, "lumbar", "thorax")
    chain(thorax, "head")
    for side in SIDES:
        chain(root, *(f"{side}_{name}" for name in LIMBS["leg"]))
        chain(thorax, *(f"{side}_{name}" for name in LIMBS["arm"]))
    return root


def _tree(manikin: Manikin, joint: _Joint, indent: str) -> Iterator[str]:
    skeleton = manikin.skeleton
    position = origin_of(joint.segment, skeleton)
    above = np.zeros(3) if joint.parent is None else origin_of(joint.parent.segment, skeleton)
    order = ORDER if joint.parent else ROOT_ORDER
    turns = " ".join(f"{axis}rotation" for axis in order)
    yield f"{indent}{'JOINT' if joint.parent else 'ROOT'} {joint.segment}"
    yield f"{indent}{{"
    yield f"{indent}  OFFSET {_triple(position - above)}"
    moves = "" if joint.parent else "Xposition Yposition Zposition "
    yield f"{indent}  CHANNELS {3 if joint.parent else 6} {moves}{turns}"
    for child in joint.children:
        yield from _tree(manikin, child, indent + "  ")
    if not joint.children:
        side, _, name = joint.segment.rpartition("_")
        end = skeleton[f"{side}_{ENDS[name]}" if side else ENDS[name]]
        yield f"{indent}  End Site"
        yield f"{indent}  {{"
        yield f"{indent}    OFFSET {_triple(end - position)}"
        yield f"{indent}  }}"
    yield f"{indent}}}"


def _triple(offset: Array) -> str:
    return " ".join(f"{value:.7f}" for value in Y_UP @ offset / CENTIMETRE)


def _channels(
    manikin: Manikin, motion: Motion, *, root: _Joint, times: Array, gestures: Gestures | None
) -> Array:
    """Return the channels of all rows: position of the pelvis, then the angles of every joint."""
    joints = list(root.walk())
    positions, rotations = np.empty((len(times), 3)), np.empty((len(times), len(joints), 3, 3))
    for row, time in enumerate(times.tolist()):
        posture = Posture(manikin.model, motion.at(time))
        poses = {j.segment: posture.pose(segment_body(j.segment)) for j in joints}
        positions[row] = Y_UP @ poses["pelvis"].translation / CENTIMETRE
        for column, joint in enumerate(joints):
            R = poses[joint.segment].rotation
            rotations[row, column] = (
                R if joint.parent is None else poses[joint.parent.segment].rotation.T @ R
            )
        if gestures is not None:
            head = gestures.at(time)
            neck = neck_rotations(np.array(head.neck_flexion), np.array(head.neck_rotation))
            rotations[row, [j.segment for j in joints].index("head")] = neck
    rotations = Y_UP @ rotations @ Y_UP.T
    columns = [positions]
    for column, joint in enumerate(joints):
        angles = euler_angles(rotations[:, column], ORDER if joint.parent else ROOT_ORDER)
        columns.append(np.degrees(np.unwrap(angles, axis=0)))
    return np.concatenate(columns, axis=1)


def euler_angles(rotations: Array, order: str) -> Array:
    """Return Euler angles (k, 3), rad, of rotations (k, 3, 3), about intrinsic axes in `order`."""
    a, b, c = ("XYZ".index(axis) for axis in order)
    sign = 1.0 if (b - a) % 3 == 1 else -1.0
    R = rotations
    middle = np.arcsin(np.clip(sign * R[:, a, c], -1.0, 1.0))
    first = np.arctan2(-sign * R[:, b, c], R[:, c, c])
    last = np.arctan2(-sign * R[:, a, b], R[:, a, a])
    locked = abs(R[:, a, c]) > 1 - 1e-12  # first and last about one axis: all to the first
    turned = np.arctan2(sign * R[:, c, b], R[:, b, b])
    return np.stack([np.where(locked, turned, first), middle, np.where(locked, 0.0, last)], axis=1)
