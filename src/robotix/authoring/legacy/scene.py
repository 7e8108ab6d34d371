"""Rooms from a legacy RoboTiX script (.vd2), or from the robots of a `.cfg` alone.

Both end in the same objects as a native scene: robots, rules, commands, plug-ins. Functions of the
module `robotix` are robot commands; those of any other are callbacks of a plug-in of that name, a
Python file beside the script.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

from robotix.authoring.legacy.actions import ACTIONS
from robotix.authoring.legacy.layout import LegacyRoom
from robotix.authoring.legacy.names import USUAL_DEVICES, colour_material, names_of
from robotix.authoring.legacy.text import FunctionCall, Statement, Word, parse_script
from robotix.authoring.trust import ONLY_KNOWN, PluginPolicy
from robotix.errors import BadFile, RobotixError
from robotix.files.source_file import read_text
from robotix.files.typed.colours import COLOURS
from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.commands.checking import check_command
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.console.console import install_console, parse_legacy_call
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event, Signal
from robotix.scene.files import check_inside
from robotix.scene.plugins import PluginRequest, find_plugin
from robotix.scene.scene import Command, Scene

__all__ = ["LegacyScene", "ScriptPlace", "read_legacy", "read_legacy_scene"]

ROBOT_MODULE = "robotix"  # the module whose functions are robot commands

MAX_SCRIPTS = 50  # with all that is included


@dataclass(frozen=True)
class ScriptPlace:
    """Where something stands in a script."""

    word: Word

    def fault(self, found: str, expected: str) -> BadFile:
        """Return the error that something is wrong here."""
        word = self.word
        return BadFile(word.path, found, expected, line=word.line, column=word.column)


@dataclass(frozen=True, eq=False)
class LegacyScene:
    """A script as it was understood."""

    scene: Scene
    problems: list[BadFile]
    parsed: list[tuple[Any, ScriptPlace]]  # sources and commands
    plugins: tuple[PluginRequest, ...] = ()  # that it names


def read_legacy_scene(
    path: Path,
    *,
    is_check: bool = False,
    rate: float | None = None,
    seed: int | None = None,
    policy: PluginPolicy = ONLY_KNOWN,
) -> tuple[Scene | None, list[BadFile]]:
    """Return the room that a `.vd2` or `.cfg` file describes, and all that is wrong with it."""
    found = read_legacy(path, is_check=is_check, rate=rate, seed=seed, policy=policy)
    return (None if found.problems else found.scene), found.problems


def read_legacy(
    path: Path,
    *,
    is_check: bool = False,
    rate: float | None = None,
    seed: int | None = None,
    policy: PluginPolicy = ONLY_KNOWN,
) -> LegacyScene:
    """Return what a `.vd2` or `.cfg` file describes.

    With `is_check` nothing is run: neither plug-ins nor what stands for the start.
    """
    scene = Scene(dt=1 / rate, seed=seed or 0) if rate else Scene(seed=seed or 0)
    scene.files.source = path
    reader = _Reader(path, scene, LegacyRoom(scene), is_check, policy)
    try:
        if path.suffix.lower() == ".cfg":
            for robot in reader.room.add_robots(path):
                robot.source_file = path.name
        else:
            reader.read(reader.statements(path))
    except BadFile as problem:
        reader.problems.append(problem)
    except (RobotixError, ValueError) as error:
        expected = "robots that a room can have"
        reader.problems.append(BadFile(os.fspath(path), str(error), expected))
    install_console(scene)
    scene.robot_loader = reader.load_robots
    plugins = tuple(reader.requests.values())
    return LegacyScene(scene, reader.problems, reader.parsed, plugins)


@dataclass(frozen=True)
class SwitchOff:
    """Run a command with the state off: legacy scripts pass on the state, whatever the mode."""

    command: Command

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Do it with state 0."""
        return self.command(scene, replace(event, state=False))


@dataclass
class _Reader:
    path: Path
    scene: Scene
    room: LegacyRoom
    is_check: bool
    policy: PluginPolicy
    requests: dict[str, PluginRequest] = field(default_factory=dict)  # plug-ins that were found
    problems: list[BadFile] = field(default_factory=list)
    parsed: list[tuple[Any, ScriptPlace]] = field(default_factory=list)
    scripts: list[Path] = field(default_factory=list)  # read so far
    arguments: dict[str, str] = field(default_factory=dict)  # of the `init` of each plug-in

    def refuse(self, found: str, expected: str, *, at: Word) -> NoReturn:
        path = at.path or os.fspath(self.path)
        raise BadFile(path, found, expected, line=at.line, column=at.column)

    def statements(self, path: Path) -> tuple[Statement, ...]:
        """Return the statements of a script, those of included ones in their place."""
        self.scripts.append(path.resolve())
        text = read_text(path, what="a script")
        found: list[Statement] = []
        for statement in parse_script(text, path=os.fspath(path)):
            if statement.action == "include":
                found += self._included(statement.arguments[0])
            else:
                found.append(statement)
        return tuple(found)

    def _included(self, word: Word) -> tuple[Statement, ...]:
        folder = self.path.parent
        other = folder / word.text
        if not other.resolve().is_relative_to(folder.resolve()):
            self.refuse(f"{word.text!r}, which is outside", "a script of this folder", at=word)
        if other.resolve() in self.scripts:
            self.refuse(f"{word.text!r} a second time", "every script once", at=word)
        if len(self.scripts) >= MAX_SCRIPTS:
            self.refuse("too many scripts", f"at most {MAX_SCRIPTS}", at=word)
        if not other.is_file():
            self.refuse(f"no file {word.text!r}", "a script beside this one", at=word)
        return self.statements(other)

    def read(self, statements: tuple[Statement, ...]) -> None:
        """Put everything into the room: first what is there, then what happens."""
        for statement in statements:
            call = statement.call
            if call is not None and (call.stage, call.function) == ("init", "init"):
                self.arguments.setdefault(call.module, call.argument or "")
        refused: set[int] = set()  # robots that were refused, which are not tried again
        for take in (self._robots, self._plugin, self._start, self._rule):
            for number, statement in enumerate(statements):
                try:
                    if number not in refused:
                        take(statement)
                except (RobotixError, ValueError) as error:
                    self.problems.append(self._located(error, statement.place))
                    refused.add(number)

    def _located(self, error: Exception, at: Word) -> BadFile:
        """Return an error with its place: that of the statement, unless it has one of its own."""
        if isinstance(error, BadFile):
            return error
        expected = "something that this room can have"
        return BadFile(os.fspath(self.path), str(error), expected, line=at.line, column=at.column)

    # -- what is there ----------------------------------------------------------------------

    def _robots(self, statement: Statement) -> None:
        call = statement.call
        if call is None or (call.stage, call.module, call.function) != (
            "init",
            ROBOT_MODULE,
            "init",
        ):
            return
        if not call.argument:
            self.refuse(
                "init without a file", 'a robot file, such as "robot.cfg"', at=statement.place
            )
        path = self.path.parent / call.argument
        for robot in self.room.add_robots(path, script=self.path):
            robot.source_file = call.argument

    def _plugin(self, statement: Statement) -> None:
        call = statement.call
        if call is None or call.module == ROBOT_MODULE or call.module in self.requests:
            return
        try:
            found = find_plugin(call.module, folder=self.path.parent)
            request = self.requests[call.module] = PluginRequest(call.module, found)
            if not self.is_check:
                arguments = self.arguments.get(call.module, "")
                self.policy.add(self.scene, request, module=call.module, args=arguments)
        except (RobotixError, ValueError) as error:
            self.refuse(
                str(error), f"a file {call.module}.py beside the script", at=statement.place
            )

    def load_robots(self, scene: Scene, name: str) -> None:
        """Add the robots of another file while the room is running."""
        path = self.path.parent / name
        scene.files.use(
            name, path if Path(name).is_absolute() else check_inside(path, self.path.parent)
        )
        room = self.room if scene is self.scene else LegacyRoom(scene)
        room.add_robots(path, script=self.path)

    # -- what happens -----------------------------------------------------------------------

    def _start(self, statement: Statement) -> None:
        """Run the commands of `appl init`, except those that added the robots."""
        call = statement.call
        if (
            call is None
            or call.stage != "init"
            or call.function == "init"  # the robots are there, the plug-in was started with it
        ):
            return
        command = self._checked(statement)
        if self.is_check:
            return
        try:
            action = command(self.scene, Event(Signal("start")))
        except (RobotixError, ValueError) as error:
            self.refuse(str(error), "something that can be done at the start", at=statement.place)
        if action is not None:
            self.scene.start(action, name=statement.place.text)

    def _rule(self, statement: Statement) -> None:
        if statement.source is None:
            self._check_turn(statement)
            return
        self._check_names(statement.source, statement.source_words)
        self.parsed.append((statement.source, ScriptPlace(statement.source_words[0])))
        name, command = f"{self.path.name}:{statement.place.line}", self._checked(statement)
        if statement.mode == "off":
            command = SwitchOff(command)
        self.scene.on(statement.source, command, mode=statement.mode, name=name)

    def _check_turn(self, statement: Statement) -> None:
        """Report an `appl loop` or `exit` whose function does not exist."""
        call = statement.call
        if call is None or call.stage not in ("loop", "exit"):
            return
        if call.module == ROBOT_MODULE:
            if call.function != "loop":
                where = f"{self.path.name}:{statement.place.line}"
                what = f"`appl {call.stage}` of {call.function!r} has no effect"
                self.room.warn(where, f"{what}; use `appl callback` with an event")
            return
        if call.function != call.stage:
            expected = f"`{call.stage}`: a plug-in's function for this has that name"
            self.refuse(f"{call.function!r}", expected, at=statement.place)

    def _checked(self, statement: Statement) -> Command:
        command = self._command(statement)
        self.parsed.append((command, ScriptPlace(statement.place)))
        try:
            check_command(command, self.scene)
        except (RobotixError, ValueError) as error:
            self.refuse(str(error), "something that can be done here", at=statement.place)
        return command

    def _command(self, statement: Statement) -> Command:
        if statement.call is not None:
            return self._called(statement.call, statement.place)
        words = statement.arguments
        if statement.action not in ACTIONS:
            known = f"appl or one of {', '.join(ACTIONS)}"
            self.refuse(f"action {statement.action!r}", known, at=statement.place)
        action = ACTIONS[statement.action]
        if not action.takes(len(words)):
            found = f"{len(words)} words after {statement.action!r}"
            self.refuse(found, f"`{statement.action} {action.usage}`", at=statement.place)
        try:
            command = action.make(*(word.text for word in words))
        except ValueError as error:
            self.refuse(str(error), f"`{statement.action} {action.usage}`", at=statement.place)
        self._check_names(command, words)
        return command

    def _called(self, call: FunctionCall, place: Word) -> Command:
        if call.module == ROBOT_MODULE:
            try:
                command = parse_legacy_call(call.function, call.argument)
            except (RobotixError, ValueError) as error:
                self.refuse(str(error), "a robot command with its argument", at=place)
            self._check_names(command, (place,))
            return command
        if not self.is_check:
            plugin = self.scene.plugins[call.module]
            if plugin.is_on and call.function not in plugin.functions:
                known = ", ".join(plugin.functions) or "none"
                found = f"{call.function!r}, which {call.module}.py does not have"
                self.refuse(found, f"one of its functions: {known}", at=place)
        return CallPlugin(call.module, call.function, call.argument or "")

    # -- names ------------------------------------------------------------------------------

    def _check_names(self, value: object, words: tuple[Word, ...]) -> None:
        """Report unknown names; with stand-ins, add nodes as empty ones instead."""
        for name in names_of(value, "node"):
            self._check_node(name, _word_of(name, words))
        for name in names_of(value, "robot"):
            try:
                self.scene.robot(name)
            except (RobotixError, ValueError) as error:
                self.refuse(str(error), "the name or number of a robot", at=_word_of(name, words))
        for name in names_of(value, "material"):
            self._check_material(name, _word_of(name, words))
        for name in names_of(value, "device"):
            self._check_device(name, _word_of(name, words))

    def _check_node(self, name: str, word: Word) -> None:
        if name in self.scene.graph or name == "*":
            return
        if self.room.has_stand_ins:
            where = f"{self.path.name}:{word.line}"
            self.room.warn(where, f"no node {name!r}; an empty one stands in")
            self.scene.graph.add(name)
            return
        try:
            self.scene.graph[name]
        except RobotixError as error:
            self.refuse(str(error), "the name of a node", at=word)

    def _check_material(self, name: str, word: Word) -> None:
        """Add the material that the name of a colour stands for; report any other."""
        if name in self.scene.assets.materials:
            return
        material = colour_material(name)
        if material is None:
            self.refuse(f"no material {name!r}", f"one of {', '.join(COLOURS)}", at=word)
        self.scene.assets.materials[name] = material

    def _check_device(self, name: str, word: Word) -> None:
        """Add a device that goes by its usual name; warn of any other."""
        if name == KEYBOARD or name in self.scene.devices:
            return
        if name in USUAL_DEVICES:
            self.scene.devices[name] = USUAL_DEVICES[name]
            return
        where = f"{self.path.name}:{word.line}"
        known = ", ".join(USUAL_DEVICES)
        self.room.warn(where, f"device {name!r} needs a mapping of its own; usual: {known}")


def _word_of(name: str, words: tuple[Word, ...]) -> Word:
    return next((word for word in words if word.text == name), words[0])
