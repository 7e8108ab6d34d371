"""The humanoid testbed as a standing robot: its feet, and postures on one or both of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from robotix.dynamics.balance.controller import Ankle
from robotix.dynamics.simulation import Mechanism, Simulation, World
from robotix.errors import BadModel, UnknownName
from robotix.geometry import Array, Box, Pose, log_rotation
from robotix.model import Model
from robotix.model.robots import load

__all__ = ["ROOT", "feet_of", "humanoid", "stance"]

ROOT = "pelvis"
TOLERANCE = 1e-6  # m, of the centre of mass over the ankle
MAX_ITERATIONS = 30


@cache
def humanoid() -> Model:
    """Return the testbed of the library."""
    return load("vhrp26")


def feet_of(model: Model) -> tuple[Ankle, Ankle]:
    """Return the left and the right foot of a model with the names of the testbed."""
    return _foot_of(model, "left"), _foot_of(model, "right")


def _foot_of(model: Model, side: str) -> Ankle:
    body = model.body(f"{side}_foot")
    boxes = [shape for shape in body.collision if isinstance(shape, Box)]
    if len(boxes) != 1:
        raise BadModel(f"body {body.name!r}", f"has {len(boxes)} boxes; a sole is one")
    size, centre = boxes[0].size, boxes[0].pose.translation
    return Ankle(
        body.name,
        f"{side}_ankle_pitch",
        f"{side}_ankle_roll",
        heel=float(size[0] / 2 - centre[0]),
        toe=float(size[0] / 2 + centre[0]),
        half_width=float(size[1] / 2 - abs(centre[1])),
    )


def stance(model: Model, joints: Mapping[str, float], *, foot: str = "left") -> Array:
    """Return a posture on one foot, (n_dof,): flat on the floor, with the CoM over its ankle.

    `joints` sets joints by name (rad), zero for others; ankle pitch and roll of the standing foot
    are found, and its hip rolls against the ankle, so that the trunk stays upright. The standing
    foot stays where it is in the neutral posture.
    """
    q = model.neutral.copy()
    for name, value in joints.items():
        q[_dof(model, name)] = value
    scratch = Simulation(World(mechanisms=(Mechanism("robot", model),)))
    sole = _sole_height(model, foot)
    scratch.set_state("robot", model.neutral)
    target = Pose(translation=scratch.pose(f"robot/{foot}_foot").translation * (1, 1, 0))

    def placed(angles: Array) -> tuple[Array, Array]:
        q[_dof(model, f"{foot}_ankle_roll")] = angles[0]
        q[_dof(model, f"{foot}_hip_roll")] = -angles[0]
        q[_dof(model, f"{foot}_ankle_pitch")] = angles[1]
        q[:6] = 0.0
        scratch.set_state("robot", q)
        root = scratch.pose(f"robot/{ROOT}")
        on_foot = scratch.pose(f"robot/{foot}_foot") @ Pose.at(0, 0, -sole)
        moved = target @ on_foot.inverse() @ root
        start = model.body(ROOT).placement
        q[:3] = moved.translation - start.translation
        q[3:6] = log_rotation(moved.rotation)
        scratch.set_state("robot", q)
        return q.copy(), (scratch.momentum().com - target.translation)[:2]

    return _solve(placed, np.array([0.0, q[_dof(model, f"{foot}_ankle_pitch")]]))


def _solve(placed: Callable[[Array], tuple[Array, Array]], angles: Array) -> Array:
    """Bring the offset of `placed` to zero by Newton's method, with differences as Jacobian."""
    step = 1e-5  # rad
    for _ in range(MAX_ITERATIONS):
        q, offset = placed(angles)
        if np.hypot(*offset) < TOLERANCE:
            return np.asarray(q)
        columns = [(placed(angles + step * axis)[1] - offset) / step for axis in np.eye(2)]
        change = np.linalg.solve(np.stack(columns, axis=1), offset)
        angles = angles - np.clip(change, -0.2, 0.2)
    raise BadModel("posture", "has no ankle angles that bring the centre of mass over the foot")


def _sole_height(model: Model, side: str) -> float:
    """Return how far the ankle is above the sole, m."""
    (box,) = (s for s in model.body(f"{side}_foot").collision if isinstance(s, Box))
    return float(box.size[2] / 2 - box.pose.translation[2])


def _dof(model: Model, joint: str) -> int:
    if joint not in model.dof_names:
        raise UnknownName("joint", joint, model.dof_names)
    return model.dof_index(joint)
