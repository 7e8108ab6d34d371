"""Compiled skinning by blended dual quaternions [Kavan2008].

Blending rigid motions instead of matrices keeps the volume of a twisted or bent limb.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry.arrays import Int32Array, Quaternion
from robotix.geometry.rotation import Array
from robotix.kernels import kernel, part

__all__ = ["deform", "face_normals"]


@part
def _quaternion(R: Array) -> Quaternion:
    """Return a unit quaternion of a rotation, dividing by its largest component [Shepperd1978]."""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    if trace >= max(R[0, 0], R[1, 1], R[2, 2]):
        w = 1.0 + trace
        x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    elif R[0, 0] >= R[1, 1] and R[0, 0] >= R[2, 2]:
        w, x = R[2, 1] - R[1, 2], 1.0 + 2.0 * R[0, 0] - trace
        y, z = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]
    elif R[1, 1] >= R[2, 2]:
        w, y = R[0, 2] - R[2, 0], 1.0 + 2.0 * R[1, 1] - trace
        x, z = R[0, 1] + R[1, 0], R[1, 2] + R[2, 1]
    else:
        w, z = R[1, 0] - R[0, 1], 1.0 + 2.0 * R[2, 2] - trace
        x, y = R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return (w * scale, x * scale, y * scale, z * scale)


@part
def _dual_quaternion(R: Array, t: Array, out: Array) -> None:
    """Write a rigid motion as a dual quaternion: rotation, and half the translation times it."""
    w, x, y, z = _quaternion(R)
    out[0], out[1], out[2], out[3] = w, x, y, z
    out[4] = -0.5 * (t[0] * x + t[1] * y + t[2] * z)
    out[5] = 0.5 * (t[0] * w + t[1] * z - t[2] * y)
    out[6] = 0.5 * (t[1] * w + t[2] * x - t[0] * z)
    out[7] = 0.5 * (t[2] * w + t[0] * y - t[1] * x)


@part
def _move(motion: Array, point: Array, out: Array) -> None:
    """Write the image of a point under a blended motion."""
    scale = 1.0 / math.sqrt(motion[0] ** 2 + motion[1] ** 2 + motion[2] ** 2 + motion[3] ** 2)
    w, x, y, z = motion[0] * scale, motion[1] * scale, motion[2] * scale, motion[3] * scale
    a, b, c, d = motion[4] * scale, motion[5] * scale, motion[6] * scale, motion[7] * scale
    px, py, pz = point[0], point[1], point[2]
    u = y * pz - z * py + w * px
    v = z * px - x * pz + w * py
    s = x * py - y * px + w * pz
    out[0] = px + 2.0 * (y * s - z * v) + 2.0 * (w * b - a * x + y * d - z * c)
    out[1] = py + 2.0 * (z * u - x * s) + 2.0 * (w * c - a * y + z * b - x * d)
    out[2] = pz + 2.0 * (x * v - y * u) + 2.0 * (w * d - a * z + x * c - y * b)


@kernel
def deform(
    rotations: Array,
    translations: Array,
    points: Array,
    starts: Int32Array,
    bones: Int32Array,
    weights: Array,
    out: Array,
) -> None:
    """Write the deformed points; the bones of point i are `bones[starts[i] : starts[i + 1]]`.

    The first bone of a point must have its largest weight; the signs of the others follow it.
    """
    duals, motion = np.empty((len(rotations), 8)), np.empty(8)
    for bone in range(len(rotations)):
        _dual_quaternion(rotations[bone], translations[bone], duals[bone])
    for i in range(len(points)):
        motion[:] = 0.0
        first = duals[bones[starts[i]]]
        for entry in range(starts[i], starts[i + 1]):
            dual = duals[bones[entry]]
            same = dual[0] * first[0] + dual[1] * first[1] + dual[2] * first[2] + dual[3] * first[3]
            share = weights[entry] if same >= 0 else -weights[entry]
            for k in range(8):
                motion[k] += share * dual[k]
        _move(motion, points[i], out[i])


@kernel
def face_normals(points: Array, faces: Int32Array, out: Array) -> None:
    """Write unit normals of points: area-weighted means over the adjacent triangles."""
    out[:] = 0.0
    for face in range(len(faces)):
        a, b, c = points[faces[face, 0]], points[faces[face, 1]], points[faces[face, 2]]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        for corner in range(3):
            row = out[faces[face, corner]]
            row[0] += uy * vz - uz * vy
            row[1] += uz * vx - ux * vz
            row[2] += ux * vy - uy * vx
    for i in range(len(out)):
        length = math.sqrt(out[i, 0] ** 2 + out[i, 1] ** 2 + out[i, 2] ** 2)
        if length > 0:
            out[i] /= length
