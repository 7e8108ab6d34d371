"""ViSHARD10 in closed form [Ueberle2004]: its inverse function and its two stages.

Joints are numbered as in the paper, from 1; `q[0]` is θ1. Positions are in the base frame of the
library's model, whose origin lies on joint axis 1 at the height of joint axis 6.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array, Pose
from robotix.model import ControlPoint, Model
from robotix.model.dh_chain import make_dh_model
from robotix.model.robots import load

__all__ = [
    "HEIGHT_LINK",
    "SCARA_LINK",
    "device_angles",
    "height_joints",
    "height_rates",
    "inverse_function",
    "make_scara_stage",
    "make_wrist_stage",
    "posture_above",
    "stage_angles",
    "vishard10",
    "vishard10_gripped_behind",
]

SCARA_LINK = 0.25  # m, each of links 1 to 4
HEIGHT_LINK = 0.212  # m, links 6 and 7


@cache
def vishard10() -> Model:
    """Return the device of the library."""
    return load("vishard10")


@cache
def vishard10_gripped_behind(distance: float) -> Model:
    """Return the device held `distance` m behind the point where its axes meet, like a tool.

    Translation and rotation are coupled there, so that it can only be resolved in full.
    """
    if not 0 < distance < 0.5:
        raise BadField("distance", "between 0 and 0.5 m", distance)
    model = vishard10()
    tip = model.point(None)
    behind = ControlPoint(tip.body, tip.pose @ Pose.at(0.0, 0.0, -distance))
    return replace(model.with_point("grip", behind, tip=True), name="vishard10_behind")


def height_joints(z: float) -> tuple[float, float]:
    """Return θ6 = arccos(z / 2 l6) and θ7 = −2 θ6: the joints mimic a prismatic one."""
    if not abs(z) <= 2 * HEIGHT_LINK:
        raise BadField("z", f"between -{2 * HEIGHT_LINK} and {2 * HEIGHT_LINK} m", z)
    angle = math.acos(z / (2 * HEIGHT_LINK))
    return angle, -2 * angle


def height_rates(theta6: float, velocity: float) -> tuple[float, float]:
    """Return the rates of joints 6 and 7 for a vertical velocity, rad/s.

    From z = 2 l6 cos θ6; stretched (θ6 = 0 or π) the joints cannot lift, and the rates are 0.
    """
    slope = -2 * HEIGHT_LINK * math.sin(theta6)
    rate = velocity / slope if abs(slope) > 1e-9 else 0.0
    return rate, -2 * rate


def inverse_function(
    position: ArrayLike, *, theta5_0: float = math.pi / 2, wrist: ArrayLike = (0.0, 0.0, 0.0)
) -> Array:
    """Return the posture of the single inverse function, (10,).

    Joints 1–2, 3–4 and 6–7 mimic prismatic joints along y, x and z:

        θ1 = arccos(y/2l1) − 3π/2,  θ2 = −2 arccos(y/2l1) + 2π,
        θ3 = arccos(x/2l3) − θ1 − θ2,  θ4 = −2 arccos(x/2l3) + 2π,
        θ5 = θ5,0 − (θ1 + θ2 + θ3 + θ4).

    Closed paths of the tip give closed paths of the joints. `theta5_0` moves the singularity of the
    angular workspace; `wrist` is θ8* = θ8 + θ6 + θ7, θ9 and θ10. Raise `BadField` unless |x| and
    |y| ≤ 0.5 m and |z| ≤ 0.424 m.
    """
    x, y, z = np.asarray(position, dtype=float)
    for name, value in (("x", x), ("y", y)):
        if not abs(value) <= 2 * SCARA_LINK:
            raise BadField(name, f"between -{2 * SCARA_LINK} and {2 * SCARA_LINK} m", value)
    along_y, along_x = math.acos(y / (2 * SCARA_LINK)), math.acos(x / (2 * SCARA_LINK))
    theta1, theta2 = along_y - 1.5 * math.pi, 2 * math.pi - 2 * along_y
    theta3, theta4 = along_x - theta1 - theta2, 2 * math.pi - 2 * along_x
    scara = np.array([theta1, theta2, theta3, theta4])
    return device_angles(scara, height_joints(float(z)), np.array([theta5_0, *np.asarray(wrist)]))


def device_angles(scara: Array, height: tuple[float, float], wrist: Array) -> Array:
    """Return all joints from those of the stages: θ1…θ4, (θ6, θ7) and [θ5*, θ8*, θ9, θ10]."""
    theta5 = wrist[0] - scara.sum()
    theta8 = wrist[1] - height[0] - height[1]
    return np.array([*scara, theta5, *height, theta8, *wrist[2:]])


def stage_angles(q: Array) -> tuple[Array, Array]:
    """Return θ1…θ4 and [θ5*, θ8*, θ9, θ10], where θ5* = Σθ1…θ5 and θ8* = θ6 + θ7 + θ8."""
    return q[:4], np.array([q[:5].sum(), q[5:8].sum(), q[8], q[9]])


@cache
def make_scara_stage() -> Model:
    """Return the planar 4R arm of joints 1 to 4; its tip is joint axis 5."""
    return make_dh_model("vishard10_scara", [(SCARA_LINK, 0.0, 0.0, 0.0)] * 4)


@cache
def make_wrist_stage() -> Model:
    """Return the concurrent axes [θ5*, θ8*, θ9, θ10]; angular velocities are those of the tip."""
    right = math.pi / 2
    rows = [(0, right, 0, right), (0, -right, 0, 0), (0, right, 0, 0), (0, 0, 0, 0)]
    return make_dh_model("vishard10_wrist", rows)


def posture_above(
    x: float, *, bends: tuple[float, float], wrist: ArrayLike, height: tuple[float, float]
) -> Array:
    """Return the elbow-up posture with the tip over (x, 0), (10,).

    `bends` are θ2 and θ4, which are given; θ1 and θ3 follow from the position, with joint 3 at
    positive y. `wrist` is [θ5*, θ8*, θ9, θ10].
    """
    # Links 1–2 and links 3–4 are two rigid bars with an elbow at joint 3.
    first = SCARA_LINK * (1 + np.exp(1j * bends[0]))  # from joint 1 to joint 3, at θ1 = 0
    second = SCARA_LINK * (1 + np.exp(1j * bends[1]))  # from joint 3 to joint 5, at its angle 0
    a, b = abs(first), abs(second)
    if not abs(a - b) <= x <= a + b or x <= 0:
        raise BadField("x", f"between {abs(a - b):.3f} and {a + b:.3f} m", x)
    elevation = math.acos((a * a + x * x - b * b) / (2 * a * x))  # of joint 3 over the x-axis
    joint3 = a * np.exp(1j * elevation)
    theta1 = elevation - np.angle(first)
    theta3 = np.angle(x - joint3) - np.angle(second) - theta1 - bends[0]
    scara = np.array([theta1, bends[0], theta3, bends[1]])
    scara[[0, 2]] = (scara[[0, 2]] + math.pi) % (2 * math.pi) - math.pi
    return device_angles(scara, height, np.asarray(wrist, dtype=float))
