"""The console: robot commands as lines of text, in the legacy (RoboTiX) or the current spelling.

    move @500;(20,-30,40,*)          move "@500;R 2;(20,-30,40,*)"
    set_step +10                     setStep "+10"
    move_xyz (0.4, 0, 0.5)           move xyz "(0.4,0,0.5)"

Angles are in degrees, lengths in m. `emit NAME` sends a signal; interactive input (`ConsoleInput`)
also knows `press`, `release` and `quit`. Edits (`edit_lines`) can be undone.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from robotix.errors import RobotixError, UnknownName
from robotix.inputs.problem import Problem
from robotix.scene.commands.edits import SaveRoom
from robotix.scene.commands.moves import Play, Save
from robotix.scene.commands.robots import Init
from robotix.scene.console.edit_lines import EDIT_COMMANDS
from robotix.scene.console.line_parts import ConsoleCommand
from robotix.scene.console.robot_lines import LINE_COMMANDS
from robotix.scene.events.events import Event, Signal
from robotix.scene.events.messages import Announcement
from robotix.scene.scene import Command, Scene

__all__ = [
    "LINE_COMMANDS",
    "check_inside",
    "install_console",
    "parse_legacy_call",
    "parse_line",
    "run_command",
]

MAX_LINE_LENGTH = 10_000  # characters
MAX_WORDS = 5  # of a command name written with spaces
CONSOLE_SIGNAL = "console"  # the source of the events of typed commands
_NAME = re.compile(r"\s*(?:[\w.-]+:)?([A-Za-z]\w*)", re.ASCII)
_WORD = re.compile(r"\s+([A-Za-z]\w*)", re.ASCII)
_SPELLINGS = {name.replace("_", ""): command for name, command in LINE_COMMANDS.items()}


def _find(name: str) -> ConsoleCommand | None:
    return _SPELLINGS.get(re.sub(r"[\s_]", "", name).lower())


# -- lines ------------------------------------------------------------------------------------


def parse_legacy_call(function: str, argument: str | None = None) -> Command:
    """Return the command of a call in a legacy script, such as `setEventEOS` with its text.

    `loop` is not a command: the scene runs by itself.
    """
    command = _find(function)
    if command is None:
        raise UnknownName("robot command", function, LINE_COMMANDS)
    return command.parse(_unquoted(argument or ""))


def parse_line(line: str) -> tuple[ConsoleCommand, str]:
    """Split a line into its command and the command's argument."""
    if len(line) > MAX_LINE_LENGTH:
        raise ValueError(f"a line has at most {MAX_LINE_LENGTH} characters, this one {len(line)}")
    match = _NAME.match(line)
    if match is None:
        raise ValueError(f"a line starts with a command, such as move or stop, not {line[:60]!r}")
    name, end = match[1], match.end()
    found, rest = _find(name) or EDIT_COMMANDS.get(name.lower()), end
    for _ in range(MAX_WORDS - 1):  # `move xyz` is one command; the longest match wins
        word = _WORD.match(line, end)
        if word is None:
            break
        name, end = name + word[1], word.end()
        if (longer := _find(name)) is not None:
            found, rest = longer, end
    if found is None:
        raise UnknownName("command", match[1], (*LINE_COMMANDS, *EDIT_COMMANDS))
    return found, _unquoted(line[rest:])


def _unquoted(text: str) -> str:
    inside = text.strip()
    if len(inside) >= 2 and inside[0] == inside[-1] and inside[0] in "\"'":
        inside = inside[1:-1].strip()
    return inside


def run_command(scene: Scene, line: str, *, state: bool = True) -> str:
    """Run a line and return its messages; errors are reported, never raised.

    `off` as the argument means the state `off`: `move_p2p off` returns, `track_toggle off`
    disengages.
    """
    before = len(scene.messages)
    try:
        if line.strip().lower() in ("help", "?"):
            scene.say(_help())
        else:
            _run(scene, line, state=state)
    except Exception as error:  # an error in a command must not stop the scene
        scene.fail(f"command {line[:60]!r}", error)
    return "\n".join(_text(message) for message in scene.messages[before:])


def _run(scene: Scene, line: str, *, state: bool) -> None:
    typed, argument = parse_line(line)
    if argument.lower() == "off" and typed.name not in ("show", "hide", "let_go"):
        state = False
        command = _without_argument(typed, argument)
    else:
        command = typed.parse(argument)
    if isinstance(command, Save | Play | Init | SaveRoom):
        check_inside(command.file)
    action = command(scene, Event(Signal(CONSOLE_SIGNAL), state))
    if action is not None:
        scene.start(action, name=typed.name)


def _without_argument(command: ConsoleCommand, argument: str) -> Command:
    """Return the command without its argument, as the state `off` needs it."""
    try:
        return command.read("")
    except (ValueError, RobotixError):
        command.fail(argument)


def check_inside(file: str) -> None:
    """Raise ValueError for a path outside the scene's folder, since users may be remote."""
    path = PurePath(file)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{file!r} leads out of the scene's folder; name a file in it")


def _help() -> str:
    lines = (
        f"{c.name}: {c.usage or 'no argument'}"
        for c in (*LINE_COMMANDS.values(), *EDIT_COMMANDS.values())
    )
    return "\n".join(lines)


def _text(message: object) -> str:
    match message:
        case Announcement(text):
            return text
        case Problem(_, what):
            return what
    return ""


def install_console(scene: Scene) -> None:
    """Install the console in a scene."""

    def run(line: str) -> None:
        run_command(scene, line)

    scene.console = run
