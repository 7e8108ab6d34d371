"""Commands for the device that leads a robot, and for the point that it leads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from robotix.errors import BadField
from robotix.geometry import Pose
from robotix.inputs.device_kinds import has_axes, has_pose
from robotix.model import ControlPoint
from robotix.scene.commands.checking import check_robots
from robotix.scene.commands.robot_command import RobotCommand
from robotix.scene.commands.settings import has_joint
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import DeviceName, RobotName
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import (
    MAX_SCALE,
    TrackAxes,
    Tracking,
    TrackOptions,
    TrackReference,
)
from robotix.scene.scene import Scene

__all__ = [
    "ControlledPoint",
    "SetControlPoint",
    "TrackExit",
    "TrackInit",
    "TrackInitScale",
    "TrackSetScale",
    "TrackToggle",
    "TrackTurn",
]

ControlledPoint: TypeAlias = Literal["hand", "elbow", "nearest"]
WRIST_JOINTS = 4  # of an arm, from the elbow to the hand


def _check_scale(scale: float | None) -> None:
    if scale is not None and not 0 < abs(scale) <= MAX_SCALE:
        raise BadField("scale", f"other than 0 and at most {MAX_SCALE:g}", scale)


@dataclass(frozen=True)
class TrackInit:
    """Bind a device, which moves the robot once `track_toggle` engages it.

    Three axes move the end-effector at up to `scale` m/s, along the `axes` of the carrier of the
    robot or of the world. The motion of a tracked hand is repeated times `scale`; `turn` repeats
    its rotation, too. With `joints` (counted from 1), each axis moves one joint. With `upright`
    axes keep the rotation of the end-effector, so that a glass in it is not spilt. With the
    `reference` position, axes give the distance from where the end-effector was engaged.
    """

    device: DeviceName
    scale: float | None = None
    joints: tuple[int, ...] = ()
    turn: bool = False
    robot: RobotName = ""
    axes: TrackAxes = "carrier"
    upright: bool = False
    reference: TrackReference = "velocity"

    def __post_init__(self) -> None:
        """Raise ValueError for a scale or a joint that is out of range."""
        _check_scale(self.scale)
        if any(joint < 1 for joint in self.joints):
            raise BadField("joints", "numbers of 1 or more", self.joints)
        TrackOptions(self.scale, reference=self.reference)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for joints that the robot lacks and for devices without axes or pose."""
        for joint in self.joints:
            check_robots(scene, self.robot, has_joint("joints", joint))
        can_lead = has_axes(self.device, scene.devices) or has_pose(self.device, scene.devices)
        if not self.joints and not can_lead:
            raise BadField("device", "a device with axes or a pose", repr(self.device))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Bind the device when the event is on, release it when off."""
        robot = scene.robot(self.robot)
        before = robot.tracking
        _release_device(robot)
        if event.state:
            scale = robot.track_options.scale if self.scale is None else self.scale
            options = TrackOptions(
                scale, self.joints, self.turn, self.axes, self.upright, self.reference
            )
            robot.tracking = Tracking(robot, self.device, options)
            if before is not None and before.device == self.device:
                robot.tracking.is_lent = before.is_lent


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


@dataclass(frozen=True)
class TrackTurn(RobotCommand):
    """Let the bound device turn the end-effector instead of moving it, or move it again."""

    robot: RobotName = ""

    def apply(self, robot: Robot) -> None:
        """Switch between the two; the end-effector stays where it is."""
        tracking = _bound_device(robot)
        tracking.is_turning = not tracking.is_turning
        if tracking.is_engaged(robot):
            tracking.engage(robot)
        robot.say(f"the stick {'turns' if tracking.is_turning else 'moves'} the hand")


@dataclass(frozen=True)
class SetControlPoint:
    """Choose the point that devices lead: hand, elbow, or the one `nearest` to a collision.

    That is the point of a link that is nearest to one of the robot's obstacles.
    """

    point: ControlledPoint
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise BadField for an unknown point."""
        if self.point not in get_args(ControlledPoint):
            raise BadField("point", f"one of {', '.join(get_args(ControlledPoint))}", self.point)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Choose it when the event triggers; a moving robot stops."""
        if not event.is_trigger:
            return
        robot = scene.robot(self.robot)
        if self.point == "nearest":
            point = _nearest_point(scene, robot)
            robot.set_chain(point=point)
            scene.say(f"The stick moves {robot.name}'s {point.body}, the nearest to a collision.")
            return
        last = max(1, robot.model.n_dof - WRIST_JOINTS) if self.point == "elbow" else None
        robot.set_chain(last=last)
        scene.say(f"The stick moves the {self.point}.")


def _nearest_point(scene: Scene, robot: Robot) -> ControlPoint:
    """Return the point of a robot's links that is nearest to one of its obstacles."""
    names = () if robot.avoidance is None else tuple(robot.avoidance.distances)
    if not names:
        raise ValueError(f"{robot.name} has no obstacles; add some by set_obstacle")
    moving = [body.name for body in robot.model.chain() if body.joint.n_dof][1:]
    gaps = [
        (scene.contacts.distance(robot.links[body].name, name), body)
        for body in moving
        if robot.links[body].solids
        for name in names
    ]
    if not gaps:
        raise ValueError(f"no link of {robot.name} has a shape")
    found, body = min(gaps, key=lambda each: each[0].distance)
    on_body = robot.links[body].world_pose.inverse().apply(found.point_a)
    return ControlPoint(body, Pose(translation=on_body))
