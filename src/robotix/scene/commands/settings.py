"""Commands that set how a robot moves, its signals and its obstacles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.kinematics.solver import DampingLaw, Method
from robotix.scene.commands.checking import check_robots
from robotix.scene.commands.robot_command import RobotCommand
from robotix.scene.events.events import Event
from robotix.scene.graph.content import Material
from robotix.scene.graph.field_types import (
    MaterialName,
    NodeName,
    RobotName,
    SignalName,
)
from robotix.scene.robots.contact_stop import ContactStop
from robotix.scene.robots.obstacles import MAX_DISTANCE
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = [
    "ClearObstacles",
    "DisplayEllipsoid",
    "InitEllipsoid",
    "SetDamping",
    "SetEndEffector",
    "SetEventEos",
    "SetEventMove",
    "SetFirstJoint",
    "SetMethod",
    "SetObstacle",
    "SetStep",
    "SetWeights",
    "StopAtContact",
    "has_joint",
]

MAX_DEFAULT_TICKS = 100_000
MAX_DAMPING = 100.0


def has_joint(field: str, joint: int) -> Callable[[Robot], None]:
    """Return a check that raises BadField for a robot without this joint, counted from 1."""

    def check(robot: Robot) -> None:
        if not 1 <= joint <= robot.model.n_dof:
            raise BadField(field, f"1 to {robot.model.n_dof}, a joint of {robot.name!r}", joint)

    return check


def _check_damping(k: float) -> None:
    if not 0 <= k <= MAX_DAMPING:
        raise BadField("k", f"a damping factor in 0..{MAX_DAMPING:g}", k)


@dataclass(frozen=True)
class SetStep(RobotCommand):
    """Set the default duration of moves, in ticks; `relative` adds to it."""

    steps: int
    relative: bool = False
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise BadField unless the number of ticks is in range."""
        low = -MAX_DEFAULT_TICKS if self.relative else 1
        if not low <= self.steps <= MAX_DEFAULT_TICKS:
            raise BadField("steps", f"{low} to {MAX_DEFAULT_TICKS} ticks", self.steps)

    def apply(self, robot: Robot) -> None:
        """Set or change the default duration of moves."""
        ticks = self.steps + robot.move_ticks if self.relative else self.steps
        robot.move_ticks = min(max(ticks, 1), MAX_DEFAULT_TICKS)


@dataclass(frozen=True)
class _ChainCommand(RobotCommand):
    """Chooses a joint, counted from 1, as an end of the chain of inverse kinematics."""

    joint: int
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the joint is 1 or more."""
        if self.joint < 1:
            raise BadField("joint", "1 or more", self.joint)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for a joint that the robot does not have."""
        check_robots(scene, self.robot, has_joint("joint", self.joint))


@dataclass(frozen=True)
class SetFirstJoint(_ChainCommand):
    """Choose the first joint, counted from 1, that inverse kinematics may move."""

    def apply(self, robot: Robot) -> None:
        """Change the first joint of the sub-chain."""
        robot.set_chain(first=self.joint, last=robot.chain.last)


@dataclass(frozen=True)
class SetEndEffector(_ChainCommand):
    """Choose the last joint, counted from 1, that inverse kinematics may move, with its link."""

    def apply(self, robot: Robot) -> None:
        """Change the last joint of the sub-chain."""
        robot.set_chain(first=robot.chain.first, last=self.joint)


@dataclass(frozen=True)
class SetEventEos:
    """Set the signal that follows whether any joint is at an end of its range (end of stroke)."""

    signal: SignalName
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set the signal when the event is on."""
        if event.state:
            scene.robot(self.robot).stroke_signal = self.signal


@dataclass(frozen=True)
class SetEventMove:
    """Set the signal that follows whether the robot moves."""

    signal: SignalName
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set the signal when the event is on."""
        if event.state:
            scene.robot(self.robot).motion_signal = self.signal


@dataclass(frozen=True)
class SetObstacle:
    """Keep a robot at a distance, in m, from a node and its branch; when off, no longer.

    If that is not possible, the robot stops.
    """

    node: NodeName
    distance: float = 0.05
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise BadField unless the distance is in range."""
        if not 0 <= self.distance <= MAX_DISTANCE:
            raise BadField("distance", f"from 0 to {MAX_DISTANCE:g} m", self.distance)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Add the obstacle when the event is on, remove it when off."""
        robot = scene.robot(self.robot)
        if event.state:
            try:
                robot.add_obstacle(self.node, self.distance)
            except Exception:
                robot.stop()  # better than to move on unprotected
                raise
        elif robot.avoidance is not None:
            robot.avoidance.remove(self.node)

    def check(self, scene: Scene) -> None:
        """Raise an error if the robot, or the node, has nothing to measure distances with."""
        if self.node in scene.graph:
            check_robots(scene, self.robot, lambda robot: robot.check_obstacle(self.node))


@dataclass(frozen=True)
class ClearObstacles(RobotCommand):
    """Remove all obstacles of a robot."""

    robot: RobotName = ""

    def apply(self, robot: Robot) -> None:
        """Remove all obstacles of the robot."""
        if robot.avoidance is not None:
            for node in tuple(robot.avoidance.distances):
                robot.avoidance.remove(node)


@dataclass(frozen=True)
class DisplayEllipsoid:
    """Show the manipulability ellipsoid of the end-effector, or hide it if it is shown."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Toggle the ellipsoid when the event is on, hide it when off."""
        view = scene.robot(self.robot).ellipsoid
        if event.state and not view.is_shown:
            view.show()
        else:
            view.hide()


@dataclass(frozen=True)
class InitEllipsoid:
    """Set the material of the ellipsoid; the default if none is named."""

    material: MaterialName = ""
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set the material when the event triggers."""
        if event.is_trigger:
            material = _material(scene, self.material) if self.material else None
            scene.robot(self.robot).ellipsoid.set_material(material)


def _material(scene: Scene, name: str) -> Material:
    if name not in scene.assets.materials:
        raise UnknownName("material", name, scene.assets.materials)
    return scene.assets.materials[name]


# -- devices ------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetDamping(RobotCommand):
    """Set the damping factor k of inverse kinematics: larger is smoother, but less exact.

    `law` is smallest (by the smallest singular value), adaptive (that of RoboTiX) or constant.
    """

    k: float
    robot: RobotName = ""
    law: DampingLaw = "smallest"

    def __post_init__(self) -> None:
        """Raise ValueError unless k is in range and the law is known."""
        _check_damping(self.k)
        if self.law not in get_args(DampingLaw):
            raise BadField("law", f"one of {', '.join(get_args(DampingLaw))}", repr(self.law))

    def apply(self, robot: Robot) -> None:
        """Set the damping of the robot."""
        robot.solvers.set_damping(self.k, law=self.law)


@dataclass(frozen=True)
class SetMethod(RobotCommand):
    """Choose how inverse kinematics resolves redundancy: dls, nested, strict or qp."""

    method: Method
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown method."""
        if self.method not in get_args(Method):
            known = ", ".join(get_args(Method))
            raise BadField("method", f"one of {known}", repr(self.method))

    def apply(self, robot: Robot) -> None:
        """Set the method of the robot."""
        robot.solvers.set_method(self.method)


@dataclass(frozen=True)
class SetWeights(RobotCommand):
    """Set how much the motion of each joint costs in inverse kinematics; without weights, equally.

    A joint with a larger weight moves less.
    """

    weights: tuple[float, ...] = ()
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the weights are positive."""
        if not all(0 < each < math.inf for each in self.weights):
            raise BadField("weights", "positive numbers", repr(self.weights))

    def apply(self, robot: Robot) -> None:
        """Set the weights of the robot."""
        count = robot.model.n_dof
        if self.weights and len(self.weights) != count:
            raise BadField("weights", f"{count} numbers, one for each joint", repr(self.weights))
        robot.solvers.weights = np.array(self.weights) if self.weights else None
        robot.solvers.clear()


@dataclass(frozen=True)
class StopAtContact:
    """Let a robot stop where it, its tool or what it holds touches something; when off, no longer.

    In a room with physics, what is free does not stop it but is pushed.
    """

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Follow the state of the event."""
        robot = scene.robot(self.robot)
        robot.guard = (
            ContactStop(scene.contacts, scene.physics.is_simulated) if event.state else None
        )
