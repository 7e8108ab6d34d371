"""Console commands for robots."""

from __future__ import annotations

from pathlib import PurePath
from typing import get_args

from robotix.inputs.readings import ALL_ROBOTS
from robotix.kinematics.solver import Method
from robotix.scene.commands import drag as dragging
from robotix.scene.commands import moves as moving
from robotix.scene.commands import postures, robots, tracking
from robotix.scene.commands import settings as setting
from robotix.scene.commands.edits import end_drags
from robotix.scene.commands.settings import StopAtContact
from robotix.scene.console.line_parts import (
    ConsoleCommand,
    finite_numbers,
    integer,
    no_argument,
    number,
    numbers,
    parse_name,
    vector,
)
from robotix.scene.console.safety_lines import SAFETY_LINES
from robotix.scene.events.events import Event
from robotix.scene.scene import Command, Scene

__all__ = ["LINE_COMMANDS"]


def _move(text: str) -> Command:
    steps, robot = None, ""
    *options, posture = text.split(";")
    for option in map(str.strip, options):
        if option.startswith("@"):
            steps = integer(option[1:])
        elif option[:1] in ("R", "r"):
            robot = str(integer(option[1:]))
        elif option:
            raise ValueError(option)
    return moving.Move(tuple(numbers(posture)), steps=steps, robot=robot, degrees=True)


def _stop(text: str) -> Command:
    return _stop_all if text.lower() == ALL_ROBOTS else moving.Stop(text)


def _stop_all(scene: Scene, event: Event) -> None:
    scene.stop_robots(ALL_ROBOTS)


def _follow(text: str) -> Command:
    return moving.Follow(parse_name(text)) if text else moving.Stop()


def _set_step(text: str) -> Command:
    return setting.SetStep(integer(text), relative=text.strip()[:1] in ("+", "-"))


def _set_obstacle(text: str) -> Command:
    node, distance = text.rsplit(";", 1)
    return setting.SetObstacle(parse_name(node.strip()), number(distance))


def _move_p2p(text: str) -> Command:
    return moving.MoveP2p(vector(text) if text else None)


def _motion_file(text: str) -> str:
    """Return the name of a motion file, with the default suffix if it has none."""
    path = PurePath(parse_name(text))
    return text if path.suffix.lower() in (".csv", ".mcap") else f"{text}.csv"


def _drag(text: str) -> Command:
    return dragging.Drag(*_node_and_hand(text)) if text else _end_drags


def _drag_pose(text: str) -> Command:
    return dragging.DragPose(*_node_and_hand(text)) if text else _end_drags


def _node_and_hand(text: str) -> tuple[str, str]:
    node, hand = text.split(";")
    return parse_name(node.strip()), parse_name(hand.strip())


def _end_drags(scene: Scene, event: Event) -> None:
    if event.state:
        raise ValueError("say what to drag, and by which hand, such as wrist; glove")
    end_drags(scene)


def _joint(text: str) -> Command:
    name, value = text.rsplit(";", 1)
    return moving.JointTo(parse_name(name.strip()), number(value), degrees=True)


def _method(text: str) -> Command:
    method = next((each for each in get_args(Method) if each == text.strip().lower()), None)
    if method is None:
        raise ValueError(text)
    return setting.SetMethod(method)


def _control_point(text: str) -> Command:
    point = next((p for p in get_args(tracking.ControlledPoint) if p == text.strip().lower()), None)
    if point is None:
        raise ValueError(text)
    return tracking.SetControlPoint(point)


def _prefer(text: str) -> Command:
    return postures.PreferPosture(tuple(numbers(text)) if text else (), degrees=True)


def _track_init(text: str) -> Command:
    device, _, option = text.partition(";")
    word = option.strip().lower()
    if word not in ("", "turn", "upright"):
        raise ValueError(text)
    name = parse_name(device.strip())
    return tracking.TrackInit(name, turn=word == "turn", upright=word == "upright")


_FILE, _SIGNAL, _JOINT, _FLOAT = (
    "a file",
    "the name of a signal",
    "the number of a joint",
    "a number",
)
_POSTURE = "the name of a posture"
_POSITION = "a position in m, such as (0.4, 0, 0.5)"
LINE_COMMANDS = {
    command.name: command
    for command in (
        ConsoleCommand("init", f"{_FILE} of robots", lambda text: robots.Init(parse_name(text))),
        ConsoleCommand("renew", "", no_argument(robots.Renew)),
        ConsoleCommand(
            "set_robot", "the number or name of a robot", lambda t: robots.SetRobot(parse_name(t))
        ),
        ConsoleCommand("printvar", "", no_argument(robots.PrintPosture)),
        ConsoleCommand(
            "step",
            "an increment for every joint in degrees or m, such as (1, 0, 0, 0)",
            lambda text: moving.JogJoints(tuple(finite_numbers(text)), degrees=True),
        ),
        ConsoleCommand(
            "move",
            "a position for every joint in degrees or m, such as @500;R 2;(20, -30, 40, *)",
            _move,
        ),
        ConsoleCommand("joint", "a joint and a position in degrees or m, such as a2; 30", _joint),
        ConsoleCommand("home", "", no_argument(moving.Home)),
        ConsoleCommand("go_back", "", no_argument(postures.GoBack)),
        ConsoleCommand("go_to", _POSTURE, lambda t: postures.GoToPosture(parse_name(t))),
        ConsoleCommand("keep_posture", _POSTURE, lambda t: postures.KeepPosture(parse_name(t))),
        ConsoleCommand(
            "prefer_posture",
            "a position in rad or m for every joint, such as (0.5, *, 0), or nothing",
            lambda t: postures.PreferPosture(tuple(numbers(t)) if t else ()),
        ),
        ConsoleCommand("forget_posture", _POSTURE, lambda t: postures.ForgetPosture(parse_name(t))),
        ConsoleCommand("move_xyz", _POSITION, lambda text: moving.MoveXyz(vector(text))),
        ConsoleCommand("move_p2p", f"{_POSITION}; off returns", _move_p2p),
        ConsoleCommand(
            "follow", "an object, with which the end-effector moves; off ends it", _follow
        ),
        ConsoleCommand("stop", "nothing, the name of a robot, or all", _stop),
        ConsoleCommand("save", _FILE, lambda text: moving.Save(_motion_file(text))),
        ConsoleCommand("play", _FILE, lambda text: moving.Play(_motion_file(text))),
        ConsoleCommand("set_step", "a number of ticks, such as 200, +10 or -10", _set_step),
        ConsoleCommand(
            "set_first_joint", _JOINT, lambda text: setting.SetFirstJoint(integer(text))
        ),
        ConsoleCommand(
            "set_end_effector", _JOINT, lambda text: setting.SetEndEffector(integer(text))
        ),
        ConsoleCommand(
            "set_event_eos", _SIGNAL, lambda text: setting.SetEventEos(parse_name(text))
        ),
        ConsoleCommand(
            "set_event_move", _SIGNAL, lambda text: setting.SetEventMove(parse_name(text))
        ),
        ConsoleCommand(
            "set_obstacle", "an object and a distance in m, such as ball; 0.05", _set_obstacle
        ),
        ConsoleCommand("clear_obstacles", "", no_argument(setting.ClearObstacles)),
        ConsoleCommand("stop_at_contact", "", no_argument(StopAtContact)),
        ConsoleCommand("set_damping", _FLOAT, lambda text: setting.SetDamping(number(text))),
        ConsoleCommand("set_method", "dls, nested, strict or qp", _method),
        ConsoleCommand(
            "set_weights",
            "nothing, or a positive number for each joint, such as 1, 1, 5",
            lambda text: setting.SetWeights(tuple(finite_numbers(text)) if text else ()),
        ),
        ConsoleCommand("display_ellipsoid", "", no_argument(setting.DisplayEllipsoid)),
        ConsoleCommand("init_ellipsoid", "a material or nothing", setting.InitEllipsoid),
        ConsoleCommand(
            "track_init",
            "a device; followed by ; turn, it also rotates the end-effector, by ; upright, it "
            "keeps the end-effector's rotation",
            _track_init,
        ),
        ConsoleCommand(
            "track_init_scale", _FLOAT, lambda text: tracking.TrackInitScale(number(text))
        ),
        ConsoleCommand(
            "track_set_scale", _FLOAT, lambda text: tracking.TrackSetScale(number(text))
        ),
        ConsoleCommand(
            "track_init_damping_factor",  # as RoboTiX calls it
            _FLOAT,
            lambda text: setting.SetDamping(number(text)),
        ),
        ConsoleCommand("track_toggle", "", no_argument(tracking.TrackToggle)),
        ConsoleCommand("track_exit", "", no_argument(tracking.TrackExit)),
        ConsoleCommand("track_turn", "", no_argument(tracking.TrackTurn)),
        ConsoleCommand("set_control_point", "hand, elbow or nearest", _control_point),
        ConsoleCommand(
            "prefer_posture",
            "a position for every joint in degrees or m, such as (20, -30, 40, *); nothing: none",
            _prefer,
        ),
        ConsoleCommand(
            "drag", "a body and a tracked hand, such as wrist; glove; off releases", _drag
        ),
        ConsoleCommand("drag_pose", "a body and a tracked hand; off releases", _drag_pose),
    )
} | SAFETY_LINES
