"""Console commands for edits, signals and interactive input."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from robotix.files.typed.colours import COLOURS, colour_of
from robotix.geometry import Box, Cylinder, Shape, Sphere
from robotix.scene.commands import edits as editing
from robotix.scene.commands import physics, things
from robotix.scene.commands.basic import Emit
from robotix.scene.console.line_parts import (
    ConsoleCommand,
    finite_numbers,
    no_argument,
    number,
    parse_name,
    vector,
)
from robotix.scene.events.events import Event
from robotix.scene.scene import Command, Scene

__all__ = ["EDIT_COMMANDS"]


def _place(text: str) -> Command:
    node, at, *rest = text.split(";")
    if not rest:
        return editing.PlaceNode(parse_name(node.strip()), vector(at))
    (quaternion,) = rest
    w, x, y, z = finite_numbers(quaternion)
    return editing.PlaceNode(parse_name(node.strip()), vector(at), (w, x, y, z))


def _wireframe(text: str) -> Command:
    node, _, state = text.partition(";")
    is_on = {"": True, "on": True, "off": False}[state.strip().lower()]
    return editing.SetVisibility(parse_name(node.strip()), wireframe=is_on)


def _grab(text: str) -> Command:
    node, hand = text.split(";")
    return editing.GrabNode(parse_name(node.strip()), parse_name(hand.strip()))


def _emit(text: str) -> Command:
    name, _, state = text.rpartition(" ")
    if state.lower() != "off" or not name:
        return Emit(parse_name(text))
    return lambda scene, event: Emit(parse_name(name.strip()))(scene, replace(event, state=False))


def _connect(text: str) -> Command:
    node, to, *rest = (part.strip() for part in text.split(";"))
    word, *others = rest or ["weld"]
    at, axis = (vector(others[k]) if len(others) > k else None for k in (0, 1))
    joint = next((each for each in physics.JOINT_WORDS if each == word), None)
    if joint is None or len(others) > 2:
        raise ValueError(text)
    return physics.Connect(
        parse_name(node), parse_name(to), joint, at, (0.0, 0.0, 1.0) if axis is None else axis
    )


def _push(text: str) -> Command:
    node, force, *rest = text.split(";")
    (seconds,) = (number(part) for part in rest or ["0.1"])
    return physics.PushNode(parse_name(node.strip()), vector(force), seconds)


def _shape(text: str) -> Shape:
    """Parse a shape and its lengths in m, such as box (0.1, 0.2, 0.3)."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    match match[1].lower(), finite_numbers(match[2]):
        case "box", [a, b, c]:
            return Box(np.array([a, b, c]))
        case "sphere", [radius]:
            return Sphere(radius)
        case "cylinder", [radius, length]:
            return Cylinder(radius, length)
    raise ValueError(text)


def _add(text: str) -> Command:
    name, shape, *rest = text.split(";")
    (at,) = (vector(part) for part in rest or ["(0, 0, 0)"])
    return things.AddShape(parse_name(name.strip()), _shape(shape.strip()), at)


def _colour(text: str) -> Command:
    node, colour = text.rsplit(";", 1)
    return things.ColourNode(parse_name(node.strip()), colour_of(colour.strip()))


def _use(text: str) -> Command:
    name, _, value = text.partition(";")
    to = number(value) if value.strip() else 0.0
    return lambda scene, event: scene.page_controls.use(parse_name(name.strip()), to)


def _save_room(text: str) -> Command:
    return editing.SaveRoom(text)


def _cannot_reset(scene: Scene, event: Event) -> None:
    # Where a room can be loaded again, the program that runs it takes this line.
    raise ValueError("this room cannot be reset from here: start it again")


def _press(text: str) -> Command:
    parse_name(text)
    return _cannot_press


def _cannot_press(scene: Scene, event: Event) -> None:
    # `ConsoleInput` takes these lines of a terminal; a page has keys and buttons of its own.
    raise ValueError("keys are pressed on the keyboard here, or by the room's buttons")


def _not_a_command(text: str) -> Command:
    raise ValueError(text)  # handled by `ConsoleInput`, not by the scene


_SHAPE = re.compile(r"(\w+)\s*(\(.*\))", re.ASCII)
_NODE = "the name of a node"
_KEYS = "the name of a key, such as Left or Enter"
EDIT_COMMANDS = {
    command.name: command
    for command in (
        ConsoleCommand(
            "place",
            "a node, a position in the world in m and perhaps a quaternion (w, x, y, z), such as "
            "cup; (1, 0, 0.8); (1, 0, 0, 0)",
            _place,
        ),
        ConsoleCommand(
            "show", _NODE, lambda text: editing.SetVisibility(parse_name(text), visible=True)
        ),
        ConsoleCommand(
            "hide", _NODE, lambda text: editing.SetVisibility(parse_name(text), visible=False)
        ),
        ConsoleCommand("wireframe", f"{_NODE}; on or off, such as table; off", _wireframe),
        ConsoleCommand(
            "add",
            "a name, a shape with lengths in m (box, sphere, cylinder) and perhaps a position, "
            "such as post; cylinder (0.05, 1); (1, 0, 0.5)",
            _add,
        ),
        ConsoleCommand("copy", _NODE, lambda text: things.CopyNode(parse_name(text))),
        ConsoleCommand("delete", _NODE, lambda text: things.DeleteNode(parse_name(text))),
        ConsoleCommand(
            "colour",
            f"{_NODE} and a colour (#rrggbb, {', '.join(COLOURS)}), such as cup; red",
            _colour,
        ),
        ConsoleCommand("undo", "", no_argument(editing.Undo)),
        ConsoleCommand("redo", "", no_argument(editing.Redo)),
        ConsoleCommand(
            "save_room", "a scene file of this folder; without one, the room's own", _save_room
        ),
        ConsoleCommand(
            "save_robot",
            "the name of a robot, to be written into the room's file",
            lambda text: editing.SaveRobot(parse_name(text)),
        ),
        ConsoleCommand("grab", "a node and a tracked hand, such as cup; glove", _grab),
        ConsoleCommand("let_go", "a hand", lambda text: editing.LetGo(parse_name(text))),
        ConsoleCommand(
            "connect",
            "two nodes, perhaps a joint (weld, ball, hinge, slider), a point and an axis, such as "
            "bar; hand; hinge; (0, 0, 1); (1, 0, 0)",
            _connect,
        ),
        ConsoleCommand("cut", "a connection", lambda text: physics.Cut(parse_name(text))),
        ConsoleCommand(
            "push", "a node, a force in N and perhaps seconds, such as cup; (5, 0, 0); 0.2", _push
        ),
        ConsoleCommand("link_table", "", no_argument(physics.PrintLinks)),
        ConsoleCommand(
            "use",
            "a slider and its value, or a button, that a program added, such as gain; 0.5",
            _use,
        ),
        ConsoleCommand("emit", "the name of a signal; followed by off, its end", _emit),
        ConsoleCommand("press", f"{_KEYS}; it stays down (terminal only)", _press),
        ConsoleCommand("release", f"{_KEYS} (terminal only)", _press),
        ConsoleCommand("reset_room", "", no_argument(lambda: _cannot_reset)),
        ConsoleCommand("quit", "", _not_a_command),
    )
}
