"""Rigid transforms of plain numbers, without arrays and without checks.

Devices may send any numbers, so these functions must not raise; non-finite values propagate and are
detected by the watchdog.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from robotix.devices.sample import Quaternion, Vector

__all__ = ["RigidTransform", "angle_between", "compose", "conjugate", "from_xr", "product", "unit"]


@dataclass(frozen=True)
class RigidTransform:
    """Position (m) and quaternion (w, x, y, z); as `a_from_b` it maps points of b to a."""

    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)


def compose(a_from_b: RigidTransform, b_from_c: RigidTransform) -> RigidTransform:
    """Return `a_from_c`; the first quaternion has unit length."""
    _, x, y, z = product(
        product(a_from_b.quaternion, (0.0, *b_from_c.position)), conjugate(a_from_b.quaternion)
    )
    x0, y0, z0 = a_from_b.position
    return RigidTransform(
        (x0 + x, y0 + y, z0 + z), product(a_from_b.quaternion, b_from_c.quaternion)
    )


def from_xr(position: Sequence[float], orientation: Sequence[float]) -> RigidTransform:
    """Return a WebXR pose in our axes.

    There x is right, y up and z backwards, and quaternions end with w; here x is forwards, y left
    and z up. The axes of both the room and the object are converted.
    """
    (right, up, back), (qx, qy, qz, qw) = position, orientation
    return RigidTransform((-back, -right, up), (qw, -qz, -qx, qy))


def angle_between(first: Quaternion, second: Quaternion) -> float:
    """Return the angle between two rotations, rad."""
    w, x, y, z = product(second, conjugate(first))
    return 2.0 * math.atan2(math.hypot(x, y, z), abs(w))


def conjugate(quaternion: Quaternion) -> Quaternion:
    """Return the inverse rotation of a unit quaternion."""
    w, x, y, z = quaternion
    return w, -x, -y, -z


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the quaternion product a b: rotation `b` followed by rotation `a`."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def unit(quaternion: Quaternion) -> Quaternion:
    """Return the quaternion normalised to unit length; it must not be zero."""
    w, x, y, z = quaternion
    length = math.hypot(w, x, y, z)
    return w / length, x / length, y / length, z / length
