"""Commands that set how a robot moves, its signals, its obstacles and the device that leads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import get_args

from robotix.errors import BadField, UnknownName
from robotix.inputs.device_kinds import has_axes, has_pose
from robotix.kinematics.solver import DampingLaw, Method
from robotix.scene.commands.checking import check_robots
from robotix.scene.commands.robot_command import RobotCommand
from robotix.scene.events.events import Event
from robotix.scene.graph.content import Material
from robotix.scene.graph.field_types import (
    DeviceName,
    MaterialName,
    NodeName,
    RobotName,
    SignalName,
)
from robotix.scene.robots.obstacles import MAX_DISTANCE
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import MAX_SCALE, TrackAxes, Tracking, TrackOptions
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
    "TrackExit",
    "TrackInit",
    "TrackInitScale",
    "TrackSetScale",
    "TrackToggle",
]

MAX_DEFAULT_TICKS = 100_000
MAX_DAMPING = 100.0


def _check_joint(joint: int) -> None:
    if joint < 1:
        raise BadField("joint", "1 or more", joint)


def _has_joint(field: str, joint: int) -> Callable[[Robot], None]:
    def check(robot: Robot) -> None:
        if not 1 <= joint <= robot.model.n_dof:
            raise BadField(field, f"1 to {robot.model.n_dof}, a joint of {robot.name!r}", joint)

    return check


def _check_scale(scale: float | None) -> None:
    if scale is not None and not 0 < abs(scale) <= MAX_SCALE:
        raise BadField("scale", f"other than 0 and at most {MAX_SCALE:g}", scale)


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
class SetFirstJoint(RobotCommand):
    """Choose the first joint, counted from 1, that inverse kinematics may move."""

    joint: int
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the joint is 1 or more."""
        _check_joint(self.joint)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for a joint that the robot does not have."""
        check_robots(scene, self.robot, _has_joint("joint", self.joint))

    def apply(self, robot: Robot) -> None:
        """Change the first joint of the sub-chain."""
        robot.set_chain(first=self.joint, last=robot.chain.last)


@dataclass(frozen=True)
class SetEndEffector(RobotCommand):
    """Choose the last joint, counted from 1, that inverse kinematics may move, with its link."""

    joint: int
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the joint is 1 or more."""
        _check_joint(self.joint)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for a joint that the robot does not have."""
        check_robots(scene, self.robot, _has_joint("joint", self.joint))

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
class TrackInit:
    """Bind a device, which moves the robot once `track_toggle` engages it.

    Three axes move the end-effector at up to `scale` m/s, along the `axes` of the carrier of the
    robot or of the world. The motion of a tracked hand is repeated times `scale`; `turn` repeats
    its rotation, too. With `joints` (counted from 1), each axis moves one joint. With `upright`
    axes keep the rotation of the end-effector, so that a glass in it is not spilt.
    """

    device: DeviceName
    scale: float | None = None
    joints: tuple[int, ...] = ()
    turn: bool = False
    robot: RobotName = ""
    axes: TrackAxes = "carrier"
    upright: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a scale or a joint that is out of range."""
        _check_scale(self.scale)
        if any(joint < 1 for joint in self.joints):
            raise BadField("joints", "numbers of 1 or more", self.joints)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for joints that the robot lacks and for devices without axes or pose."""
        for joint in self.joints:
            check_robots(scene, self.robot, _has_joint("joints", joint))
        can_lead = has_axes(self.device, scene.devices) or has_pose(self.device, scene.devices)
        if not self.joints and not can_lead:
            raise BadField("device", "a device with axes or a pose", repr(self.device))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Bind the device when the event is on, release it when off."""
        robot = scene.robot(self.robot)
        _release_device(robot)
        if event.state:
            scale = robot.track_options.scale if self.scale is None else self.scale
            options = TrackOptions(scale, self.joints, self.turn, self.axes, self.upright)
            robot.tracking = Tracking(robot, self.device, options)


def _release_device(robot: Robot) -> None:
    if robot.tracking is not None:
        robot.tracking.disengage(robot)
    robot.tracking = None


@dataclass(frozen=True)
class TrackInitScale(RobotCommand):
    """Set the scale of devices that are bound later."""

    scale: float
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a scale or a joint that is out of range."""
        _check_scale(self.scale)

    def apply(self, robot: Robot) -> None:
        """Set the default scale of the robot."""
        robot.track_options = replace(robot.track_options, scale=self.scale)


@dataclass(frozen=True)
class TrackSetScale(RobotCommand):
    """Set the scale of the bound device."""

    scale: float
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a scale or a joint that is out of range."""
        _check_scale(self.scale)

    def apply(self, robot: Robot) -> None:
        """Set the scale of the bound device."""
        tracking = _bound_device(robot)
        tracking.options = replace(tracking.options, scale=self.scale)


def _bound_device(robot: Robot) -> Tracking:
    if robot.tracking is None:
        raise ValueError(f"{robot.name} has no device; bind one with track_init first")
    return robot.tracking


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
class TrackToggle:
    """Engage the bound device, or disengage it if it is engaged; when off, disengage it."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Engage or disengage the device."""
        robot = scene.robot(self.robot)
        tracking = _bound_device(robot)
        if event.state and not tracking.is_engaged(robot):
            tracking.engage(robot)
        else:
            tracking.disengage(robot)


@dataclass(frozen=True)
class TrackExit:
    """Release the bound device."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Release it for both states."""
        _release_device(scene.robot(self.robot))
