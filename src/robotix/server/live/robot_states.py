"""Converts snapshots of robots to messages: joints, dexterity, obstacles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from robotix.geometry import Array
from robotix.kinematics import Posture, dynamic_ellipsoid, impact_ellipsoid
from robotix.kinematics.dexterity import part_rows
from robotix.kinematics.workspace import movable_part
from robotix.server.live.snapshot import ObstacleProximity, RobotDescription, RobotSnapshot
from robotix.server.wire.messages import Vector
from robotix.server.wire.protocol import ObstacleState, RobotState

__all__ = ["StateMaker"]

MAX_HALF_AXIS = 1e3  # N s; the impact ellipsoid is unbounded where no joint yields


class StateMaker:
    """Makes the states of robots; caches the movable directions of each end-effector."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[RobotDescription, Array]] = {}

    def state(
        self, now: RobotSnapshot, robots: Mapping[str, RobotDescription], *, whole: bool
    ) -> RobotState:
        """Return the state of a robot; `whole` adds dexterity and obstacles."""
        plain = RobotState(
            name=now.name,
            q=now.q.tolist(),
            at_stop=now.at_stop.tolist(),
            is_moving=now.is_moving,
            drive=now.drive,
            tracked_by=now.tracked_by,
            tip=_vector(now.tip),
        )
        if not whole or now.jacobian is None or now.base is None or now.name not in robots:
            return plain
        return self._whole(plain, now, robots[now.name])

    def _whole(self, plain: RobotState, now: RobotSnapshot, robot: RobotDescription) -> RobotState:
        assert now.jacobian is not None and now.base is not None
        used = np.linalg.svd(now.jacobian[self._movable(robot)], compute_uv=False)
        J = np.vstack([now.base @ now.jacobian[:3], now.base @ now.jacobian[3:]])
        axes, values, _ = np.linalg.svd(_wide(J[:3]), full_matrices=False)
        even = float(used[-1] / used[0]) if len(used) and used[0] > 0 else 0.0
        return RobotState(
            **{name: getattr(plain, name) for name in plain.__struct_fields__[:7]},
            manipulability=float(np.prod(used)),
            singular_values=values.tolist(),
            condition=1 / even if even > 1e-9 else None,
            jacobian=J.tolist(),
            ellipsoid=_half_axes(axes, values),
            obstacles=[_obstacle(each) for each in now.obstacles],
            **_with_masses(now, robot, base=now.base),
        )

    def _movable(self, robot: RobotDescription) -> Array:
        """Return the rows of the Jacobian along which the end-effector can move."""
        known = self._rows.get(robot.name)
        if known is None or known[0].model is not robot.model or known[0].point is not robot.point:
            rows = part_rows(movable_part(robot.model, robot.point))
            known = self._rows[robot.name] = robot, np.asarray(rows)
        return known[1]


def _with_masses(now: RobotSnapshot, robot: RobotDescription, *, base: Array) -> dict[str, Any]:
    """Return acceleration and impact ellipsoids in the world; nothing without masses."""
    posture = Posture(robot.model, now.q)
    try:
        found = {
            "acceleration": dynamic_ellipsoid(posture, robot.point),
            "impact": impact_ellipsoid(posture, robot.point),
        }
    except ValueError:
        return {}
    return {
        name: _half_axes(base @ each.axes, np.minimum(each.half_lengths, MAX_HALF_AXIS))
        for name, each in found.items()
    }


def _half_axes(axes: Array, lengths: Array) -> list[Vector]:
    return [_vector(axes[:, i] * lengths[i]) for i in range(3)]


def _wide(J: Array) -> Array:
    """Return a Jacobian of at least three columns, so that there are three singular values."""
    return np.pad(J, ((0, 0), (0, max(0, 3 - J.shape[1]))))


def _obstacle(near: ObstacleProximity) -> ObstacleState:
    distance = near.distance if math.isfinite(near.distance) else 1e9
    return ObstacleState(near.node, near.keep, distance, _vector(near.here), _vector(near.there))


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
