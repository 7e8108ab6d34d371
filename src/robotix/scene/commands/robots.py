"""Robot commands as commands: for rules, scene files, the console and programs.

An empty `robot` is the active one; a number counts them from 1, in the order they were added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robotix.scene.commands import drag as dragging
from robotix.scene.commands import moves as moving
from robotix.scene.commands import settings as setting
from robotix.scene.events.events import Event
from robotix.scene.events.rules import Command
from robotix.scene.graph.field_types import FileName, RobotName
from robotix.scene.robots.lookup import remove_robot, robot_of

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["ROBOT_COMMANDS", "Init", "PrintPosture", "Renew", "SetRobot"]


@dataclass(frozen=True)
class Init:
    """Load robots from a configuration file."""

    file: FileName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Load them when on."""
        if not event.is_trigger:
            return
        if scene.load_robots is None:
            raise ValueError("this room cannot read robot files; load it with load_scene")
        before = set(scene.robots)
        scene.load_robots(scene, self.file)
        for name in scene.robots.keys() - before:
            scene.robots[name].config = self.file


@dataclass(frozen=True)
class Renew:
    """Read all configuration files again; their robots start anew, and keep only their signals."""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Reload when on. A file that cannot be read leaves everything as it is."""
        if not event.is_trigger:
            return
        files = dict.fromkeys(robot.config for robot in scene.robots.values() if robot.config)
        if scene.load_robots is None or not files:
            raise ValueError("no robot here was read from a configuration file")
        trial = type(scene)(dt=scene.dt)
        trial.source = scene.source
        for file in files:
            scene.load_robots(trial, file)
        old = {name: robot for name, robot in scene.robots.items() if robot.config}
        for name in old:
            remove_robot(scene, name)
        for name in trial.graph.names[1:]:
            if name in scene.graph and name not in scene.robots:
                scene.graph.remove(name)
        for file in files:
            Init(file)(scene, event)
        for name in old.keys() & scene.robots.keys():
            scene.robots[name].stroke_signal = old[name].stroke_signal
            scene.robots[name].motion_signal = old[name].motion_signal


@dataclass(frozen=True)
class SetRobot:
    """Make a robot the one that commands mean."""

    robot: RobotName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Choose it when on."""
        if event.is_trigger:
            scene.active = robot_of(scene, self.robot).name


@dataclass(frozen=True)
class PrintPosture:
    """Say the posture of a robot."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Say it when on."""
        if event.is_trigger:
            scene.say(robot_of(scene, self.robot).describe())


ROBOT_COMMANDS: Mapping[str, type[Command]] = {
    "init": Init,
    "renew": Renew,
    "set_robot": SetRobot,
    "printvar": PrintPosture,
    "step": moving.JogJoints,
    "move": moving.Move,
    "joint": moving.JointTo,
    "home": moving.Home,
    "move_xyz": moving.MoveXyz,
    "move_p2p": moving.MoveP2p,
    "stop": moving.Stop,
    "save": moving.Save,
    "play": moving.Play,
    "set_step": setting.SetStep,
    "set_first_joint": setting.SetFirstJoint,
    "set_end_effector": setting.SetEndEffector,
    "set_event_eos": setting.SetEventEos,
    "set_event_move": setting.SetEventMove,
    "set_damping": setting.SetDamping,
    "set_method": setting.SetMethod,
    "set_obstacle": setting.SetObstacle,
    "clear_obstacles": setting.ClearObstacles,
    "display_ellipsoid": setting.DisplayEllipsoid,
    "init_ellipsoid": setting.InitEllipsoid,
    "track_init": setting.TrackInit,
    "track_init_scale": setting.TrackInitScale,
    "track_toggle": setting.TrackToggle,
    "track_set_scale": setting.TrackSetScale,
    "track_exit": setting.TrackExit,
    "drag": dragging.Drag,
    "drag_pose": dragging.DragPose,
}
