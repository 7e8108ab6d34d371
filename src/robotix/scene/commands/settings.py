"""Commands that set how a robot moves, what it tells, what it keeps clear of and who leads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

from robotix.errors import BadField, UnknownName
from robotix.inputs.device_kinds import has_axes, has_pose
from robotix.kinematics.solver import Method
from robotix.scene.commands.checking import check_robots
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import (
    DeviceName,
    MaterialName,
    NodeName,
    RobotName,
    SignalName,
)
from robotix.scene.graph.node import Material
from robotix.scene.robots.lookup import robot_of
from robotix.scene.robots.tracking import LARGEST, TrackAxes, Tracking, TrackOptions

if TYPE_CHECKING:
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
    "TrackExit",
    "TrackInit",
    "TrackInitScale",
    "TrackSetScale",
    "TrackToggle",
]

MAX_STEPS = 100_000
FARTHEST = 10.0  # m to keep clear of something
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
    if scale is not None and not 0 < abs(scale) <= LARGEST:
        raise BadField("scale", f"other than 0 and at most {LARGEST:g}", scale)


def _check_damping(k: float) -> None:
    if not 0 <= k <= MAX_DAMPING:
        raise BadField("k", f"a damping factor in 0..{MAX_DAMPING:g}", k)


@dataclass(frozen=True)
class SetStep:
    """Set how many ticks a move takes by default; `relative` adds to it."""

    steps: int
    relative: bool = False
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what takes no time, or for ever."""
        low = -MAX_STEPS if self.relative else 1
        if not low <= self.steps <= MAX_STEPS:
            raise BadField("steps", f"{low} to {MAX_STEPS} ticks", self.steps)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            robot = robot_of(scene, self.robot)
            steps = self.steps + robot.steps if self.relative else self.steps
            robot.steps = min(max(steps, 1), MAX_STEPS)


@dataclass(frozen=True)
class SetFirstJoint:
    """Choose the first joint, counted from 1, that inverse kinematics may use."""

    joint: int
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what no robot has."""
        _check_joint(self.joint)

    def check(self, scene: Scene) -> None:
        """Refuse a joint that the robot has not got."""
        check_robots(scene, self.robot, _has_joint("joint", self.joint))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            robot = robot_of(scene, self.robot)
            robot.set_part(first=self.joint, last=robot.part.last)


@dataclass(frozen=True)
class SetEndEffector:
    """Choose the last joint, counted from 1, that inverse kinematics may use; its link is moved."""

    joint: int
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what no robot has."""
        _check_joint(self.joint)

    def check(self, scene: Scene) -> None:
        """Refuse a joint that the robot has not got."""
        check_robots(scene, self.robot, _has_joint("joint", self.joint))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            robot = robot_of(scene, self.robot)
            robot.set_part(first=robot.part.first, last=self.joint)


@dataclass(frozen=True)
class SetEventEos:
    """Name the signal that follows whether a joint of the robot is at the end of its stroke."""

    signal: SignalName
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.state:
            robot_of(scene, self.robot).stroke_signal = self.signal


@dataclass(frozen=True)
class SetEventMove:
    """Name the signal that follows whether the robot moves."""

    signal: SignalName
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.state:
            robot_of(scene, self.robot).motion_signal = self.signal


@dataclass(frozen=True)
class SetObstacle:
    """Keep a robot at a distance, in m, from a node and all below it; when off, no longer."""

    node: NodeName
    distance: float = 0.05
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse a distance that nobody keeps."""
        if not 0 <= self.distance <= FARTHEST:
            raise BadField("distance", f"from 0 to {FARTHEST:g} m", self.distance)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Keep clear, or forget it."""
        robot = robot_of(scene, self.robot)
        if event.state:
            robot.keep_clear(self.node, self.distance)
        elif robot.keeping is not None:
            robot.keeping.remove(self.node)


@dataclass(frozen=True)
class ClearObstacles:
    """Let a robot keep clear of nothing any more."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Forget all of them when on."""
        keeping = robot_of(scene, self.robot).keeping
        if event.is_trigger and keeping is not None:
            for node in tuple(keeping.distances):
                keeping.remove(node)


@dataclass(frozen=True)
class DisplayEllipsoid:
    """Show the manipulability ellipsoid of the end-effector, or hide it if it is shown."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Toggle it when on, hide it when off."""
        view = robot_of(scene, self.robot).ellipsoid
        if event.state and not view.is_shown:
            view.show()
        else:
            view.hide()


@dataclass(frozen=True)
class InitEllipsoid:
    """Choose the material of the ellipsoid; the usual one when none is named."""

    material: MaterialName = ""
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            material = _material(scene, self.material) if self.material else None
            robot_of(scene, self.robot).ellipsoid.set_material(material)


def _material(scene: Scene, name: str) -> Material:
    if name not in scene.materials:
        raise UnknownName("material", name, scene.materials)
    return scene.materials[name]


# -- devices ------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrackInit:
    """Bind a device that will move the robot once `track_toggle` engages it.

    Three axes move the end-effector at `scale` m/s, along the `axes` of what carries the robot or
    of the world; a tracked hand moves it like itself times `scale`, and `turn` turns it too. With
    `joints` (counted from 1), each axis moves one joint.
    """

    device: DeviceName
    scale: float | None = None
    joints: tuple[int, ...] = ()
    turn: bool = False
    robot: RobotName = ""
    axes: TrackAxes = "carrier"

    def __post_init__(self) -> None:
        """Refuse what would run away, or never move."""
        _check_scale(self.scale)
        if any(joint < 1 for joint in self.joints):
            raise BadField("joints", "numbers of 1 or more", self.joints)

    def check(self, scene: Scene) -> None:
        """Refuse joints that the robot has not got, and a device that moves nothing."""
        for joint in self.joints:
            check_robots(scene, self.robot, _has_joint("joints", joint))
        can_lead = has_axes(self.device, scene.devices) or has_pose(self.device, scene.devices)
        if not self.joints and not can_lead:
            raise BadField("device", "a device with axes or a pose", repr(self.device))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Bind it when on, let go of it when off."""
        robot = robot_of(scene, self.robot)
        _let_go(robot)
        if event.state:
            scale = robot.track_options.scale if self.scale is None else self.scale
            options = TrackOptions(scale, self.joints, self.turn, self.axes)
            robot.tracking = Tracking(robot, self.device, options)


def _let_go(robot: Robot) -> None:
    if robot.tracking is not None:
        robot.tracking.disengage(robot)
    robot.tracking = None


@dataclass(frozen=True)
class TrackInitScale:
    """Set the scale that devices bound from now on have."""

    scale: float
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what would run away, or never move."""
        _check_scale(self.scale)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            robot = robot_of(scene, self.robot)
            robot.track_options = replace(robot.track_options, scale=self.scale)


@dataclass(frozen=True)
class TrackSetScale:
    """Set the scale of the device that moves the robot now."""

    scale: float
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what would run away, or never move."""
        _check_scale(self.scale)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            tracking = _tracking(robot_of(scene, self.robot))
            tracking.options = replace(tracking.options, scale=self.scale)


def _tracking(robot: Robot) -> Tracking:
    if robot.tracking is None:
        raise ValueError(f"{robot.name} has no device; bind one with track_init first")
    return robot.tracking


@dataclass(frozen=True)
class SetDamping:
    """Set the damping factor k of inverse kinematics: larger is calmer, and less exact."""

    k: float
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse a factor that divides by nothing, or stops everything."""
        _check_damping(self.k)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            robot_of(scene, self.robot).solvers.set_damping(self.k)


@dataclass(frozen=True)
class SetMethod:
    """Choose how inverse kinematics resolves redundancy: dls, nested, strict or qp."""

    method: Method
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what is no method."""
        if self.method not in get_args(Method):
            known = ", ".join(get_args(Method))
            raise BadField("method", f"one of {known}", repr(self.method))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when on."""
        if event.is_trigger:
            robot_of(scene, self.robot).solvers.set_method(self.method)


@dataclass(frozen=True)
class TrackToggle:
    """Let the bound device move the robot, or no longer; when off, no longer."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Engage or disengage."""
        robot = robot_of(scene, self.robot)
        tracking = _tracking(robot)
        if event.state and not tracking.is_engaged(robot):
            tracking.engage(robot)
        else:
            tracking.disengage(robot)


@dataclass(frozen=True)
class TrackExit:
    """Let go of the device."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Let go, whatever the state."""
        _let_go(robot_of(scene, self.robot))
