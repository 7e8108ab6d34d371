"""Commands that load, choose and print robots, and the table of all robot commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robotix.scene.commands import drag, moves, postures, settings, tracking
from robotix.scene.commands.robot_command import RobotCommand
from robotix.scene.commands.safety import SAFETY_COMMANDS
from robotix.scene.commands.settings import StopAtContact
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import FileName, RobotName
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Command, Scene

__all__ = ["ROBOT_COMMANDS", "Init", "PrintPosture", "Renew", "SetRobot", "make_trial"]


@dataclass(frozen=True)
class Init:
    """Load robots from a configuration file."""

    file: FileName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Load them when the event triggers."""
        if not event.is_trigger:
            return
        if scene.robot_loader is None:
            raise ValueError("this room cannot read robot files; load it with load_scene")
        before = set(scene.robots)
        scene.robot_loader(scene, self.file)
        for name in scene.robots.keys() - before:
            scene.robots[name].source_file = self.file


@dataclass(frozen=True)
class Renew:
    """Read all configuration files again; their robots are reset, except for their signals."""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Reload when the event triggers. If a file cannot be read, nothing changes."""
        if not event.is_trigger:
            return
        files = self.files_of(scene)
        if scene.robot_loader is None or not files:
            raise ValueError("no robot here was read from a configuration file")
        trial = make_trial(scene)
        trial.files.accept_age(scene.files.read_ahead.max_age)
        trial.files.read_ahead.update(scene.files.read_ahead)
        for file in files:
            scene.robot_loader(trial, file)
        scene.files.read_ahead.update(trial.files.read_ahead)  # so every file is read once
        old = {name: robot for name, robot in scene.robots.items() if robot.source_file}
        for name in old:
            scene.remove_robot(name)
        for name in trial.graph.names[1:]:
            if name in scene.graph and name not in scene.robots:
                scene.graph.remove(name)
        for file in files:
            Init(file)(scene, event)
        for name in old.keys() & scene.robots.keys():
            scene.robots[name].stroke_signal = old[name].stroke_signal
            scene.robots[name].motion_signal = old[name].motion_signal

    @staticmethod
    def files_of(scene: Scene) -> tuple[str, ...]:
        """Return the configuration files of the robots of a scene."""
        files = (robot.source_file for robot in tuple(scene.robots.values()))
        return tuple(dict.fromkeys(file for file in files if file))


def make_trial(scene: Scene) -> Scene:
    """Return an empty scene in the same folder, which keeps the robots' files that it reads."""
    trial = type(scene)(dt=scene.dt)
    trial.files.source, trial.files.folder = scene.files.source, scene.files.folder
    trial.files.is_trial = True
    return trial


@dataclass(frozen=True)
class SetRobot:
    """Choose the active robot, which commands mean if they name none."""

    robot: RobotName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Choose it when the event triggers."""
        if event.is_trigger:
            scene.active_robot = scene.robot(self.robot).name


@dataclass(frozen=True)
class PrintPosture(RobotCommand):
    """Show the joint positions of a robot."""

    robot: RobotName = ""

    def apply(self, robot: Robot) -> None:
        """Show them."""
        robot.context.say(robot.describe())


ROBOT_COMMANDS: Mapping[str, type[Command]] = {
    "init": Init,
    "renew": Renew,
    "set_robot": SetRobot,
    "printvar": PrintPosture,
    "step": moves.JogJoints,
    "move": moves.Move,
    "joint": moves.JointTo,
    "home": moves.Home,
    "go_back": postures.GoBack,
    "go_to": postures.GoToPosture,
    "keep_posture": postures.KeepPosture,
    "forget_posture": postures.ForgetPosture,
    "prefer_posture": postures.PreferPosture,
    "move_xyz": moves.MoveXyz,
    "move_p2p": moves.MoveP2p,
    "follow": moves.Follow,
    "stop": moves.Stop,
    "save": moves.Save,
    "play": moves.Play,
    "set_step": settings.SetStep,
    "set_first_joint": settings.SetFirstJoint,
    "set_end_effector": settings.SetEndEffector,
    "set_event_eos": settings.SetEventEos,
    "set_event_move": settings.SetEventMove,
    "set_damping": settings.SetDamping,
    "set_method": settings.SetMethod,
    "set_weights": settings.SetWeights,
    "set_obstacle": settings.SetObstacle,
    "clear_obstacles": settings.ClearObstacles,
    "stop_at_contact": StopAtContact,
    **SAFETY_COMMANDS,
    "display_ellipsoid": settings.DisplayEllipsoid,
    "init_ellipsoid": settings.InitEllipsoid,
    "track_init": tracking.TrackInit,
    "track_init_scale": tracking.TrackInitScale,
    "track_toggle": tracking.TrackToggle,
    "track_set_scale": tracking.TrackSetScale,
    "track_exit": tracking.TrackExit,
    "track_turn": tracking.TrackTurn,
    "set_control_point": tracking.SetControlPoint,
    "drag": drag.Drag,
    "drag_pose": drag.DragPose,
}
