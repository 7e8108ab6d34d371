"""Compiled rotations and vectors as plain tuples: nine numbers row by row, or three.

Tuples live in registers, so nothing is allocated and small formulas compose freely.
"""

from __future__ import annotations

import math

from robotix.kernels import inlined_part


@inlined_part
def rotation_of(row):
    """Read the nine numbers of a rotation out of a pose row."""
    return row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8]


@inlined_part
def put_rotation(row, R):
    """Write the nine numbers of a rotation into a pose row."""
    row[0], row[1], row[2] = R[0], R[1], R[2]
    row[3], row[4], row[5] = R[3], R[4], R[5]
    row[6], row[7], row[8] = R[6], R[7], R[8]


@inlined_part
def multiply(A, B):
    """Return the product of two rotations."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@inlined_part
def rotate(R, x, y, z):
    """Return the rotated vector."""
    return (
        R[0] * x + R[1] * y + R[2] * z,
        R[3] * x + R[4] * y + R[5] * z,
        R[6] * x + R[7] * y + R[8] * z,
    )


@inlined_part
def cross(ax, ay, az, bx, by, bz):
    """Return the cross product a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@inlined_part
def transpose(R):
    """Return the inverse rotation."""
    return R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]


@inlined_part
def exp_map(x, y, z):
    """Rotation of a rotation vector."""
    angle2 = x * x + y * y + z * z
    if angle2 < 1e-8:
        s, c = 1.0 - angle2 / 6.0, 0.5 - angle2 / 24.0
    else:
        angle = math.sqrt(angle2)
        s, c = math.sin(angle) / angle, (1.0 - math.cos(angle)) / angle2
    return (
        1.0 - c * (y * y + z * z),
        c * x * y - s * z,
        c * x * z + s * y,
        c * x * y + s * z,
        1.0 - c * (x * x + z * z),
        c * y * z - s * x,
        c * x * z - s * y,
        c * y * z + s * x,
        1.0 - c * (x * x + y * y),
    )


@inlined_part
def log_map(R):
    """Rotation vector (length 0..π) of a rotation; through the quaternion, so exact near π."""
    trace = R[0] + R[4] + R[8]
    if trace >= R[0] and trace >= R[4] and trace >= R[8]:
        w, x, y, z = 1.0 + trace, R[7] - R[5], R[2] - R[6], R[3] - R[1]
    elif R[0] >= R[4] and R[0] >= R[8]:
        w, x, y, z = R[7] - R[5], 1.0 + 2.0 * R[0] - trace, R[3] + R[1], R[6] + R[2]
    elif R[4] >= R[8]:
        w, x, y, z = R[2] - R[6], R[1] + R[3], 1.0 + 2.0 * R[4] - trace, R[7] + R[5]
    else:
        w, x, y, z = R[3] - R[1], R[2] + R[6], R[5] + R[7], 1.0 + 2.0 * R[8] - trace
    sine = math.sqrt(x * x + y * y + z * z)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    # atan2 does not mind the common scale of the quaternion; near 0 the ratio tends to 2 / w
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 1e-9 * w else 2.0 / w
    return scale * x, scale * y, scale * z
