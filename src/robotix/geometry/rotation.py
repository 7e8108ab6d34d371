"""Rotations as 3×3 matrices, and the ways to write them down.

Quaternions are `(w, x, y, z)`. Roll, pitch and yaw turn about the fixed x, y and z axes in that
order: `R = Rz(yaw) Ry(pitch) Rx(roll)`, as in URDF.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry.arrays import Array

__all__ = [
    "Array",
    "checked_array",
    "exp_rotation",
    "log_rotation",
    "quaternion_from_rotation",
    "quaternions_from_rotations",
    "rotation_about",
    "rotation_from_quaternion",
    "rotation_from_rpy",
    "rpy_from_rotation",
    "skew",
]


def checked_array(values: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """Return a new array of finite numbers in the given shape, or refuse `values` as bad `what`."""
    array = np.array(values, dtype=float)
    # Of a few numbers Python is done before NumPy has begun; this holds in all of this module.
    if array.shape != shape or not all(map(math.isfinite, array.ravel().tolist())):
        raise ValueError(f"{what} must be {shape} finite numbers, got {values!r}")
    return array


def skew(vector: ArrayLike) -> Array:
    """Return the matrix that multiplies as a cross product: `skew(a) @ b == cross(a, b)`."""
    x, y, z = checked_array(vector, (3,), "vector")
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def exp_rotation(rotation_vector: ArrayLike) -> Array:
    """Rotation by the length of the vector about its direction (Rodrigues)."""
    vector = checked_array(rotation_vector, (3,), "rotation vector")
    angle = math.hypot(*vector)
    if angle == 0.0:
        return np.eye(3)
    K = skew(vector / angle)
    # 1 - cos(a) would lose the digits of a small angle.
    return np.asarray(np.eye(3) + math.sin(angle) * K + 2 * math.sin(angle / 2) ** 2 * (K @ K))


def rotation_about(axis: ArrayLike, angle: float) -> Array:
    """Rotation by `angle` about the unit vector along `axis`."""
    direction = checked_array(axis, (3,), "axis")
    length = math.hypot(*direction)
    if length == 0.0:
        raise ValueError(f"axis must have a direction, got {axis!r}")
    return exp_rotation(direction / length * angle)


def log_rotation(rotation: ArrayLike) -> Array:
    """Return the rotation vector of `rotation`, with length in [0, π]; exact near 0 and near π."""
    w, x, y, z = quaternion_from_rotation(rotation)
    sine = math.hypot(x, y, z)  # of half the angle
    if sine == 0.0:
        return np.zeros(3)
    return np.array([x, y, z]) * (2.0 * math.atan2(sine, w) / sine)


def rotation_from_quaternion(quaternion: ArrayLike) -> Array:
    """Rotation of the quaternion `(w, x, y, z)`, which need not have unit length."""
    values = checked_array(quaternion, (4,), "quaternion").tolist()
    largest = max(map(abs, values))
    if largest == 0.0:
        raise BadField("quaternion", "other than zero", repr(quaternion))
    values = [value / largest for value in values]  # tiny or huge ones would be lost in the square
    length = math.hypot(*values)
    w, x, y, z = (value / length for value in values)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_from_rotation(rotation: ArrayLike) -> Array:
    """Return the unit quaternion `(w, x, y, z)` with `w >= 0` [Shepperd1978]."""
    R = checked_array(rotation, (3, 3), "rotation").tolist()
    diagonal = R[0][0], R[1][1], R[2][2]
    trace, i = sum(diagonal), max(range(3), key=diagonal.__getitem__)
    j, k = (i + 1) % 3, (i + 2) % 3
    values = [0.0] * 4
    if trace >= diagonal[i]:
        values[0] = 1 + trace
        values[1:] = R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]
    else:
        values[0] = R[k][j] - R[j][k]
        values[1 + i] = 1 + 2 * diagonal[i] - trace
        values[1 + j] = R[j][i] + R[i][j]
        values[1 + k] = R[k][i] + R[i][k]
    length = math.copysign(math.hypot(*values), values[0])
    return np.array([value / length for value in values])


def quaternions_from_rotations(rotations: Array) -> Array:
    """Return unit quaternions (..., 4) with `w >= 0` of rotations (..., 3, 3), unchecked.

    The row of 4 q qᵀ with the largest diagonal element, normalised [Shepperd1978]. A single one
    is ten times as fast by `quaternion_from_rotation`, which needs no arrays.
    """
    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotations.reshape(-1, 9).T
    squares = np.array([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz])
    w, x, y, z = squares
    rows = np.array(
        [
            [w, zy - yz, xz - zx, yx - xy],
            [zy - yz, x, xy + yx, xz + zx],
            [xz - zx, xy + yx, y, yz + zy],
            [yx - xy, xz + zx, yz + zy, z],
        ]
    )
    found = rows[squares.argmax(axis=0), :, np.arange(len(xx))]
    lengths = np.copysign(np.linalg.norm(found, axis=1), found[:, 0])
    return np.asarray((found / lengths[:, None]).reshape(*rotations.shape[:-2], 4))


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """Rotation of roll, pitch and yaw about the fixed x, y and z axes."""
    angles = checked_array([roll, pitch, yaw], (3,), "roll, pitch and yaw").tolist()
    (sr, sp, sy), (cr, cp, cy) = map(math.sin, angles), map(math.cos, angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_from_rotation(rotation: ArrayLike) -> Array:
    """Roll, pitch and yaw of `rotation`; at pitch ±π/2, where only one sum is fixed, roll is 0."""
    R = checked_array(rotation, (3, 3), "rotation")
    cos_pitch = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], cos_pitch)
    if cos_pitch < 1e-12:
        return np.array([0.0, pitch, math.atan2(-R[0, 1], R[1, 1])])
    yaw = math.atan2(R[1, 0], R[0, 0])
    # Near ±π/2 yaw is poorly known; a roll that goes with this yaw keeps the rotation exact.
    sy, cy = math.sin(yaw), math.cos(yaw)
    roll = math.atan2(sy * R[0, 2] - cy * R[1, 2], cy * R[1, 1] - sy * R[0, 1])
    return np.array([roll, pitch, yaw])
