"""The console: robot commands as lines of text, in the seed's spelling or in ours.

    move @500;(20,-30,40,*)          move "@500;R 2;(20,-30,40,*)"
    set_step +10                     setStep "+10"
    move_xyz (0.4, 0, 0.5)           move xyz "(0.4,0,0.5)"

Angles are in degrees, lengths in m. Besides, `emit NAME` sends a signal, and who types into a room
(`Typist`) can `press` and `release` keys, and `quit`.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, NoReturn

from robotix.errors import RobotixError, UnknownName
from robotix.scene import move_deeds as moving
from robotix.scene import robot_deeds as robots
from robotix.scene import setting_deeds as setting
from robotix.scene.basic_deeds import Emit
from robotix.scene.events import KEYBOARD, Button, Event, Signal
from robotix.scene.inputs import Inputs, Reading
from robotix.scene.messages import Problem, Said
from robotix.scene.rules import Deed
from robotix.scene.vocabulary import BadField

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = [
    "COMMANDS",
    "Command",
    "Typist",
    "install_console",
    "parse_line",
    "parse_seed_call",
    "run_command",
]

MAX_LINE = 10_000  # characters
MAX_WORDS = 5  # of a command's name written with spaces
MOST_COMMANDS = 32  # a tick, that are typed; more wait for the next ones
SIGNAL = "console"  # the source of what is typed
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_NAME = re.compile(r"\s*(?:[\w.-]+:)?([A-Za-z]\w*)", re.ASCII)
_WORD = re.compile(r"\s+([A-Za-z]\w*)", re.ASCII)
_KEY = re.compile(r"\s*(press|release)\s+(\S{1,40})\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    """A command of the console."""

    name: str
    usage: str  # of its argument
    read: Callable[[str], Deed]  # raises ValueError on a wrong argument

    def refuse(self, argument: str) -> NoReturn:
        """Say what would be right."""
        found = f"not {argument[:60]!r}" if argument else "and here it is missing"
        what = self.usage or "no argument"
        raise ValueError(f"{self.name} takes {what}, {found}")

    def parse(self, argument: str) -> Deed:
        """Return the deed; raise ValueError with the usage."""
        try:
            return self.read(argument)
        except BadField as error:  # well written, but it cannot work
            raise ValueError(f"{self.name}, {error.field}: {error}") from None
        except (ValueError, RobotixError):
            self.refuse(argument)


# -- arguments --------------------------------------------------------------------------------


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _whole(text: str) -> int:
    if not re.fullmatch(r"[-+]?\d{1,9}", text.strip(), re.ASCII):
        raise ValueError(text)
    return int(text)


def _numbers(text: str) -> list[float | None]:
    """Read numbers between commas, in parentheses or not; a star is None."""
    inside = text.strip()
    if inside.startswith("(") and inside.endswith(")"):
        inside = inside[1:-1]
    return [None if cell.strip() == "*" else _number(cell) for cell in inside.split(",")]


def _plain(text: str) -> list[float]:
    values = _numbers(text)
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        raise ValueError(text)
    return numbers


def _vector(text: str) -> tuple[float, float, float]:
    x, y, z = _plain(text)
    return x, y, z


def _word(text: str) -> str:
    if not text or not text.isprintable():
        raise ValueError(text)
    return text


def _no_argument(make: Callable[[], Deed]) -> Callable[[str], Deed]:
    def read(text: str) -> Deed:
        if text:
            raise ValueError(text)
        return make()

    return read


def _move(text: str) -> Deed:
    steps, robot = None, ""
    *options, posture = text.split(";")
    for option in map(str.strip, options):
        if option.startswith("@"):
            steps = _whole(option[1:])
        elif option[:1] in ("R", "r"):
            robot = str(_whole(option[1:]))
        elif option:
            raise ValueError(option)
    return moving.Move(tuple(_numbers(posture)), steps=steps, robot=robot, degrees=True)


def _set_step(text: str) -> Deed:
    return setting.SetStep(_whole(text), relative=text.strip()[:1] in ("+", "-"))


def _set_obstacle(text: str) -> Deed:
    node, distance = text.rsplit(";", 1)
    return setting.SetObstacle(_word(node.strip()), _number(distance))


def _move_p2p(text: str) -> Deed:
    return moving.MoveP2p(_vector(text) if text else None)


def _motion_file(text: str) -> str:
    """Name a motion file; one without a suffix that says what it is gets one."""
    path = PurePath(_word(text))
    return text if path.suffix.lower() in (".csv", ".mcap") else f"{text}.csv"


def _drag(text: str) -> Deed:
    body, hand = text.split(";")
    return moving.Drag(_word(body.strip()), _word(hand.strip()))


def _emit(text: str) -> Deed:
    name, _, state = text.rpartition(" ")
    if state.lower() != "off" or not name:
        return Emit(_word(text))
    return lambda scene, event: Emit(_word(name.strip()))(scene, replace(event, state=False))


def _not_here(text: str) -> Deed:
    raise ValueError(text)  # what `Typist` understands is no command of the room


_FILE, _SIGNAL, _JOINT, _FLOAT = (
    "a file",
    "the name of a signal",
    "the number of a joint",
    "a number",
)
_PLACE = "a place in m, such as (0.4, 0, 0.5)"
COMMANDS = {
    command.name: command
    for command in (
        Command("init", f"{_FILE} of robots", lambda text: robots.Init(_word(text))),
        Command("renew", "", _no_argument(robots.Renew)),
        Command("set_robot", "the number or name of a robot", lambda t: robots.SetRobot(_word(t))),
        Command("printvar", "", _no_argument(robots.PrintPosture)),
        Command(
            "step",
            "an increment for every joint in degrees or m, such as (1, 0, 0, 0)",
            lambda text: moving.Step(tuple(_plain(text)), degrees=True),
        ),
        Command(
            "move",
            "a position for every joint in degrees or m, such as @500;R 2;(20, -30, 40, *)",
            _move,
        ),
        Command("move_xyz", _PLACE, lambda text: moving.MoveXyz(_vector(text))),
        Command("move_p2p", f"{_PLACE}; off goes back", _move_p2p),
        Command("stop", "", _no_argument(moving.Stop)),
        Command("save", _FILE, lambda text: moving.Save(_motion_file(text))),
        Command("play", _FILE, lambda text: moving.Play(_motion_file(text))),
        Command("set_step", "a number of ticks, such as 200, +10 or -10", _set_step),
        Command("set_first_joint", _JOINT, lambda text: setting.SetFirstJoint(_whole(text))),
        Command("set_end_effector", _JOINT, lambda text: setting.SetEndEffector(_whole(text))),
        Command("set_event_eos", _SIGNAL, lambda text: setting.SetEventEos(_word(text))),
        Command("set_event_move", _SIGNAL, lambda text: setting.SetEventMove(_word(text))),
        Command("set_obstacle", "an object and a distance in m, such as ball; 0.05", _set_obstacle),
        Command("display_ellipsoid", "", _no_argument(setting.DisplayEllipsoid)),
        Command("init_ellipsoid", "a material or nothing", setting.InitEllipsoid),
        Command("track_init", "the name of a device", lambda text: setting.TrackInit(_word(text))),
        Command("track_init_scale", _FLOAT, lambda text: setting.TrackInitScale(_number(text))),
        Command("track_set_scale", _FLOAT, lambda text: setting.TrackSetScale(_number(text))),
        Command(
            "track_init_damping_factor",
            _FLOAT,
            lambda text: setting.TrackInitDampingFactor(_number(text)),
        ),
        Command("track_toggle", "", _no_argument(setting.TrackToggle)),
        Command("track_exit", "", _no_argument(setting.TrackExit)),
        Command("drag", "a body and a tracked hand, such as wrist; glove", _drag),
    )
}
_KEYS = "the name of a key, such as Left or Enter"
_TYPED = {
    command.name: command
    for command in (
        Command("emit", f"{_SIGNAL}; with off behind it, that it is over", _emit),
        Command("press", f"{_KEYS}; it stays down", _not_here),
        Command("release", _KEYS, _not_here),
        Command("quit", "", _not_here),
    )
}
_SPELLINGS = {name.replace("_", ""): command for name, command in COMMANDS.items()}


def _known(name: str) -> Command | None:
    return _SPELLINGS.get(re.sub(r"[\s_]", "", name).lower())


# -- lines ------------------------------------------------------------------------------------


def parse_seed_call(function: str, argument: str | None = None) -> Deed:
    """Return the deed that a seed script calls, such as `setEventEOS` with its text.

    `loop` is no command: the room turns by itself.
    """
    command = _known(function)
    if command is None:
        raise UnknownName("robot command", function, COMMANDS)
    return command.parse(_unquoted(argument or ""))


def parse_line(line: str) -> tuple[Command, str]:
    """Split a line into its command and the command's argument."""
    if len(line) > MAX_LINE:
        raise ValueError(f"a line has at most {MAX_LINE} characters, this one {len(line)}")
    match = _NAME.match(line)
    if match is None:
        raise ValueError(f"a line starts with a command, such as move or stop, not {line[:60]!r}")
    name, end = match[1], match.end()
    found, rest = _known(name) or _TYPED.get(name.lower()), end
    for _ in range(MAX_WORDS - 1):  # `move xyz` is one command, and the longest name counts
        word = _WORD.match(line, end)
        if word is None:
            break
        name, end = name + word[1], word.end()
        if (longer := _known(name)) is not None:
            found, rest = longer, end
    if found is None:
        raise UnknownName("command", match[1], (*COMMANDS, *_TYPED))
    return found, _unquoted(line[rest:])


def _unquoted(text: str) -> str:
    inside = text.strip()
    if len(inside) >= 2 and inside[0] == inside[-1] and inside[0] in "\"'":
        inside = inside[1:-1].strip()
    return inside


def run_command(scene: Scene, line: str, *, state: bool = True) -> str:
    """Do what a line says, and return what there is to say about it; nothing is raised.

    `off` as the argument is the same as the state `off`: `move_p2p off` goes back, `track_toggle
    off` lets go.
    """
    before = len(scene.messages)
    try:
        if line.strip().lower() in ("help", "?"):
            scene.say(_help())
        else:
            _run(scene, line, state=state)
    except Exception as error:  # a command may fail in any way; the room goes on
        scene.fail(f"command {line[:60]!r}", error)
    return "\n".join(_text(message) for message in scene.messages[before:])


def _run(scene: Scene, line: str, *, state: bool) -> None:
    command, argument = parse_line(line)
    if argument.lower() == "off":
        state = False
        deed = _let_go(command, argument)
    else:
        deed = command.parse(argument)
    if isinstance(deed, moving.Save | moving.Play | robots.Init):
        _check_inside(deed.file)
    action = deed(scene, Event(Signal(SIGNAL), state))
    if action is not None:
        scene.start(action, name=command.name)


def _let_go(command: Command, argument: str) -> Deed:
    """Return the deed of a command that can be let go of without its argument."""
    try:
        return command.read("")
    except (ValueError, RobotixError):
        command.refuse(argument)


def _check_inside(file: str) -> None:
    """Refuse a path out of the scene's folder: whoever types may be far away."""
    path = PurePath(file)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{file!r} leads out of the scene's folder; name a file in it")


def _help() -> str:
    lines = (
        f"{c.name}: {c.usage or 'no argument'}" for c in (*COMMANDS.values(), *_TYPED.values())
    )
    return "\n".join(lines)


def _text(message: object) -> str:
    match message:
        case Said(text):
            return text
        case Problem(_, what):
            return what
    return ""


def install_console(scene: Scene) -> None:
    """Let the scene understand the lines that reach it as commands."""

    def run(line: str) -> None:
        run_command(scene, line)

    scene.on_command = run


class Typist:
    """What somebody types, line by line, as inputs: keys that are held, commands for the room.

    Keys go into the logical keyboard, beside those that devices hold, so that rules, recordings and
    replays see no difference. A key that changes twice does so in two ticks: none is overlooked.
    """

    def __init__(self) -> None:
        self.lines: deque[str] = deque()  # to be read; may be filled by another thread
        self.has_quit = False
        self._keys: frozenset[str] | None = None  # that are down; None before the first

    def add_to(self, inputs: Inputs) -> Inputs:
        """Return the inputs of a tick with what was typed."""
        commands, changed = list[str](), set[str]()
        while self.lines and len(commands) < MOST_COMMANDS and not self.has_quit:
            line = self.lines[0]
            if (match := _KEY.fullmatch(line)) is not None:
                key = Button(KEYBOARD, match[2][0].upper() + match[2][1:]).button
                if key in changed:
                    break
                changed.add(key)
                down = self._keys or frozenset()
                self._keys = down | {key} if match[1].lower() == "press" else down - {key}
            elif line.strip().lower() == "quit":
                self.has_quit = True
            elif line.strip():
                commands.append(line.strip())
            self.lines.popleft()
        return self._joined(inputs, tuple(commands))

    def _joined(self, inputs: Inputs, commands: tuple[str, ...]) -> Inputs:
        if self._keys is not None:
            given = inputs.devices.get(KEYBOARD)
            known = given if given is not None and given.live else Reading()
            held = replace(known, buttons=known.buttons | self._keys)
            inputs = replace(inputs, devices={**inputs.devices, KEYBOARD: held})
        return replace(inputs, commands=inputs.commands + commands) if commands else inputs
