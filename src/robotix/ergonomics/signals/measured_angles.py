"""Posture angles of a manikin, as the scoring methods need them.

Definitions, all 0 while standing upright with hanging arms; flexion is positive:

- trunk: the line from the middle of the hips to the neck. Its flexion is its angle to the vertical
  in the sagittal plane of the pelvis, its side bend the angle out of that plane. Its twist is the
  rotation of the line of the shoulders against the pelvis, about the trunk.
- upper arm: the smallest rotation, in the frame of the thorax, from hanging to the direction from
  shoulder to elbow. Its size is the elevation, its forward part the flexion, its outward part
  the abduction.
- elbow, forearm, wrist and knee: the coordinates of these joints.

- neck: the head against the thorax, as far as looking at the work needs it.

The shoulder has no collar bone, so raised shoulders cannot be measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.geometry.vectors import row_dots, unit_rows
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.gaze import NeckAngles
from robotix.kinematics.batch import forward_batch

__all__ = ["ArmAngles", "PostureAngles", "posture_angles", "sagittal_frames"]

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class ArmAngles:
    """One arm at every row, rad and m, each (N,)."""

    flexion: Array
    abduction: Array  # outwards
    elevation: Array  # 0 or more, in any direction
    off_plumb: Array  # between the upper arm and the vertical; 0 while hanging
    elbow: Array
    pronation: Array
    wrist: Array
    deviation: Array  # of the wrist, towards the thumb
    outside: Array  # m, of the wrist beyond the shoulder; negative inwards
    across: Array  # m, of the wrist beyond the middle of the trunk; negative on its own side


@dataclass(frozen=True, eq=False)
class PostureAngles:
    """A manikin at every row, rad, each (N,)."""

    trunk: Array
    trunk_side: Array  # to the left
    trunk_twist: Array  # to the left
    arms: Mapping[Side, ArmAngles]
    knees: Mapping[Side, Array]
    neck: NeckAngles

    @property
    def knee(self) -> Array:
        """Flexion of the more flexed knee, (N,), rad."""
        return np.maximum(self.knees["right"], self.knees["left"])

    def columns(self) -> dict[str, Array]:
        """Return all angles by name, in degrees, for a table."""
        named = {
            "trunk": self.trunk,
            "trunk_side_bend": self.trunk_side,
            "trunk_twist": self.trunk_twist,
            "neck": self.neck.flexion,
            "neck_twist": self.neck.rotation,
        }
        for side, arm in self.arms.items():
            named |= {
                f"{side}_upper_arm": arm.flexion,
                f"{side}_arm_abduction": arm.abduction,
                f"{side}_elbow": arm.elbow,
                f"{side}_wrist": arm.wrist,
                f"{side}_wrist_deviation": arm.deviation,
                f"{side}_pronation": arm.pronation,
                f"{side}_knee": self.knees[side],
            }
        return {f"{name} [deg]": np.degrees(values) for name, values in named.items()}


def posture_angles(manikin: Manikin, q: Array, neck: NeckAngles | None = None) -> PostureAngles:
    """Measure postures, (N, n_dof); the neck is straight unless it is given."""
    pelvis, rotation = forward_batch(manikin.model, q, point="pelvis")
    top = forward_batch(manikin.model, q, point=manikin.centres["neck"])[0]
    forward, left, up = sagittal_frames(rotation)
    trunk = unit_rows(top - pelvis)
    sideways = np.clip(row_dots(trunk, left), -1.0, 1.0)
    shoulders = {side: _centre(manikin, q, f"{side}_shoulder") for side in SIDES}
    return PostureAngles(
        np.arctan2(row_dots(trunk, forward), row_dots(trunk, up)),
        np.arcsin(sideways),
        _turn_about(trunk, left, shoulders["left"] - shoulders["right"]),
        {side: _arm(manikin, q, side, shoulders[side]) for side in SIDES},
        {side: _joint(manikin, q, f"{side}_knee_flexion") for side in SIDES},
        NeckAngles(np.zeros(len(q)), np.zeros(len(q))) if neck is None else neck,
    )


def sagittal_frames(rotation: Array) -> tuple[Array, Array, Array]:
    """Return forward, left and up of pelves with rotations (N, 3, 3), each (N, 3).

    Left is the axis of the pelvis; up is the vertical orthogonalised against it, or the axis of the
    pelvis if the person lies on the side.
    """
    left = rotation[:, :, 1]
    up = UP - row_dots(left, UP)[:, None] * left
    lying = np.linalg.norm(up, axis=1) < 1e-6
    up = unit_rows(np.where(lying[:, None], rotation[:, :, 2], up))
    return np.cross(left, up), left, up


def _arm(manikin: Manikin, q: Array, side: Side, shoulder: Array) -> ArmAngles:
    elbow, wrist = (_centre(manikin, q, f"{side}_{name}") for name in ("elbow", "wrist"))
    neck, thorax = forward_batch(manikin.model, q, point=manikin.centres["neck"])
    upper = unit_rows(elbow - shoulder)
    ahead, aside, down = np.einsum("nij,ni->jn", thorax, upper) * [[1.0], [SIDES[side]], [-1.0]]
    elevation = np.arccos(np.clip(down, -1.0, 1.0))
    level = np.hypot(ahead, aside)
    ratio = np.divide(elevation, level, out=np.ones_like(level), where=level > 1e-9)
    outwards = SIDES[side] * thorax[:, :, 1]
    return ArmAngles(
        flexion=ratio * ahead,
        abduction=ratio * aside,
        elevation=elevation,
        off_plumb=np.arccos(np.clip(-upper[:, 2], -1.0, 1.0)),
        elbow=_joint(manikin, q, f"{side}_elbow_flexion"),
        pronation=_joint(manikin, q, f"{side}_forearm_pronation"),
        wrist=_joint(manikin, q, f"{side}_wrist_flexion"),
        deviation=_joint(manikin, q, f"{side}_wrist_radial_deviation"),
        outside=row_dots(wrist - shoulder, outwards),
        across=-row_dots(wrist - neck, outwards),
    )


def _joint(manikin: Manikin, q: Array, name: str) -> Array:
    return np.asarray(q[:, manikin.model.dof_index(name)])


def _centre(manikin: Manikin, q: Array, name: str) -> Array:
    return forward_batch(manikin.model, q, point=manikin.centres[name])[0]


def _turn_about(axis: Array, start: Array, end: Array) -> Array:
    """Return the angles from one direction to another, seen along an axis, each (N, 3)."""
    flat = start - row_dots(start, axis)[:, None] * axis
    return np.arctan2(row_dots(axis, np.cross(flat, end)), row_dots(flat, end))
