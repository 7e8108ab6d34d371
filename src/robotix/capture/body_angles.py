"""Angles between joint centres; independent of any convention for joint axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES

__all__ = ["BENDS", "body_angles"]

BENDS: Mapping[str, tuple[str, str, str]] = {  # at the middle of three points; straight is 0
    "knee": ("hip", "knee", "ankle"),
    "hip": ("shoulder", "hip", "knee"),
    "elbow": ("shoulder", "elbow", "wrist"),
}
_PLACES = ("hip", "knee", "ankle", "toe", "shoulder", "elbow", "wrist")


def body_angles(
    positions: Mapping[str, Array], *, bends: Mapping[str, tuple[str, str, str]] = BENDS
) -> Iterator[tuple[str, Array]]:
    """Yield name and angle (k,), rad, for which the trajectories (k, 3) of points are given."""
    for side in SIDES:
        at = {
            name: positions[f"{side}_{name}"] for name in _PLACES if f"{side}_{name}" in positions
        }
        for name, (first, middle, last) in bends.items():
            if {first, middle, last} <= at.keys():
                yield f"{side}_{name}", _angle(at[middle] - at[first], at[last] - at[middle])
        if {"hip", "shoulder", "elbow"} <= at.keys():  # between trunk and upper arm
            raised = _angle(at["hip"] - at["shoulder"], at["elbow"] - at["shoulder"])
            yield f"{side}_shoulder", raised
    corners = [f"{side}_{name}" for name in ("hip", "shoulder") for side in SIDES]
    if all(corner in positions for corner in corners):
        yield "trunk_lean", _lean(*(positions[corner] for corner in corners))


def _lean(right_hip: Array, left_hip: Array, right_shoulder: Array, left_shoulder: Array) -> Array:
    """Return the forward lean of the trunk from the vertical in the sagittal plane, (k,), rad."""
    trunk = right_shoulder + left_shoulder - right_hip - left_hip
    left = left_hip - right_hip
    forward = np.column_stack([left[:, 1], -left[:, 0]])
    forward /= np.linalg.norm(forward, axis=1)[:, None]
    return np.asarray(np.arctan2((trunk[:, :2] * forward).sum(axis=1), trunk[:, 2]))


def _angle(a: Array, b: Array) -> Array:
    """Return the angle between vectors (k, 3)."""
    across = np.linalg.norm(np.cross(a, b), axis=-1)
    return np.asarray(np.arctan2(across, (a * b).sum(axis=-1)))
