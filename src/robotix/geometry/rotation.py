"""Rotations as 3×3 matrices, and the ways to write them down.

Quaternions are `(w, x, y, z)`. Roll, pitch and yaw turn about the fixed x, y and z axes in that
order: `R = Rz(yaw) Ry(pitch) Rx(roll)`, as in URDF.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Array",
    "exp_rotation",
    "log_rotation",
    "quaternion_from_rotation",
    "rotation_about",
    "rotation_from_quaternion",
    "rotation_from_rpy",
    "rpy_from_rotation",
    "skew",
]

Array: TypeAlias = NDArray[np.float64]


def skew(vector: ArrayLike) -> Array:
    """Return the matrix that multiplies as a cross product: `skew(a) @ b == cross(a, b)`."""
    x, y, z = np.asarray(vector, dtype=float)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def exp_rotation(rotation_vector: ArrayLike) -> Array:
    """Rotation by the length of the vector about its direction (Rodrigues)."""
    vector = np.asarray(rotation_vector, dtype=float)
    angle = float(np.linalg.norm(vector))
    K = skew(vector)
    if angle < 1e-4:  # series: sin(a)/a and (1-cos(a))/a² lose digits
        return np.eye(3) + (1 - angle**2 / 6) * K + (0.5 - angle**2 / 24) * (K @ K)
    s, c = np.sin(angle) / angle, (1 - np.cos(angle)) / angle**2
    return np.asarray(np.eye(3) + s * K + c * (K @ K))


def rotation_about(axis: ArrayLike, angle: float) -> Array:
    """Rotation by `angle` about the unit vector along `axis`."""
    direction = np.asarray(axis, dtype=float)
    return exp_rotation(direction * (angle / np.linalg.norm(direction)))


def log_rotation(rotation: ArrayLike) -> Array:
    """Return the rotation vector of `rotation`, with length in [0, π]; exact near 0 and near π."""
    w, *xyz = quaternion_from_rotation(rotation)
    vector = np.array(xyz)
    sine = float(np.linalg.norm(vector))
    if sine < 1e-9:  # angle ≈ 2 sin(angle/2)
        return vector * (2.0 if w >= 0 else -2.0)
    return vector * (2.0 * np.arctan2(sine, w) / sine)


def rotation_from_quaternion(quaternion: ArrayLike) -> Array:
    """Rotation of the quaternion `(w, x, y, z)`, which need not have unit length."""
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_from_rotation(rotation: ArrayLike) -> Array:
    """Return the unit quaternion `(w, x, y, z)` with `w >= 0` (Shepperd's method)."""
    R = np.asarray(rotation, dtype=float)
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    i = int(np.argmax([R[0, 0], R[1, 1], R[2, 2]]))
    if trace >= R[i, i]:
        quaternion = np.array([1 + trace, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        quaternion = np.empty(4)
        quaternion[0] = R[k, j] - R[j, k]
        quaternion[1 + i] = 1 + 2 * R[i, i] - trace
        quaternion[1 + j] = R[j, i] + R[i, j]
        quaternion[1 + k] = R[k, i] + R[i, k]
    quaternion /= np.linalg.norm(quaternion)
    return -quaternion if quaternion[0] < 0 else quaternion


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """Rotation of roll, pitch and yaw about the fixed x, y and z axes."""
    (sr, sp, sy), (cr, cp, cy) = np.sin([roll, pitch, yaw]), np.cos([roll, pitch, yaw])
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_from_rotation(rotation: ArrayLike) -> Array:
    """Roll, pitch and yaw of `rotation`; at pitch = ±π/2 any of the possible pairs."""
    R = np.asarray(rotation, dtype=float)
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    yaw = np.arctan2(R[1, 0], R[0, 0])
    # Roll is read after the yaw is undone: exact also where both turn about the same axis.
    s, c = np.sin(yaw), np.cos(yaw)
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return np.array([roll, pitch, yaw])
