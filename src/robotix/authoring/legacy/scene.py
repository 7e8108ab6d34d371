"""Rooms from a legacy RoboTiX script (.vd2), or from the robots of a `.cfg` alone.

Both end in the same objects as a native scene: robots, rules, commands, plug-ins. Functions of the
module `robotix` are robot commands; those of any other are callbacks of a plug-in of that name, a
Python file beside the script.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

from robotix.authoring.legacy.layout import LegacyRoom
from robotix.authoring.legacy.text import FunctionCall, Statement, Word, parse_script
from robotix.errors import BadFile, RobotixError
from robotix.files.source_file import read_text
from robotix.files.typed.fields import field_specs, markers_of
from robotix.files.typed.markers import Named
from robotix.scene import plugins
from robotix.scene.commands.attaching import Attach, Detach
from robotix.scene.commands.attributes import Hide, Show, Wireframe
from robotix.scene.commands.basic import Emit, PlaySound, Say, StopSound, TakeSnapshot
from robotix.scene.commands.checking import check_command
from robotix.scene.commands.falling import Fall
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.commands.sweeping import Sweep
from robotix.scene.console.console import install_console, parse_legacy_call
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event, Signal
from robotix.scene.scene import Command, Scene

__all__ = ["ACTIONS", "read_legacy_scene"]

ROBOT_MODULE = "robotix"  # the module whose functions are robot commands

# Basic actions by the script's words, each with the words that it takes. RoboTiX documents
# `wireframe` only; the others follow its manner.
ACTIONS: Mapping[str, tuple[str, Callable[..., Command]]] = {
    "wireframe": ("OBJECT", Wireframe),
    "show": ("OBJECT", Show),
    "hide": ("OBJECT", Hide),
    "grab": ("OBJECT HAND", Grab),
    "attach": ("OBJECT PARENT", Attach),
    "detach": ("OBJECT", Detach),
    "sweep": ("OBJECT", Sweep),
    "gravity": ("OBJECT FLOOR", lambda node, floor: Fall(node, floors=(floor,))),
    "say": ("TEXT", Say),
    "sound": ("FILE", PlaySound),
    "stop_sound": ("FILE", StopSound),
    "snapshot": ("FILE", TakeSnapshot),
    "emit": ("EVENT", Emit),
}


def read_legacy_scene(
    path: Path, *, is_check: bool = False, rate: float | None = None, seed: int | None = None
) -> tuple[Scene | None, list[BadFile]]:
    """Return the room that a `.vd2` or `.cfg` file describes, and all that is wrong with it.

    With `is_check` nothing is run: neither plug-ins nor what stands for the start.
    """
    scene = Scene(dt=1 / rate, seed=seed or 0) if rate else Scene(seed=seed or 0)
    scene.files.source = path
    reader = _Reader(path, scene, LegacyRoom(scene), is_check)
    try:
        if path.suffix.lower() == ".cfg":
            reader.room.add_robots(path)
        else:
            text = read_text(path, what="a script")
            reader.read(parse_script(text, path=os.fspath(path)))
    except BadFile as problem:
        reader.problems.append(problem)
    install_console(scene)
    scene.robot_loader = reader.load_robots
    return (None if reader.problems else scene), reader.problems


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
    problems: list[BadFile] = field(default_factory=list)

    def refuse(self, found: str, expected: str, *, at: Word) -> NoReturn:
        raise BadFile(os.fspath(self.path), found, expected, line=at.line, column=at.column)

    def read(self, statements: tuple[Statement, ...]) -> None:
        """Put everything into the room: first what is there, then what happens."""
        refused: set[int] = set()  # robots that were refused, which are not tried again
        for take in (self._robots, self._plugin, self._start, self._rule):
            for number, statement in enumerate(statements):
                try:
                    if number not in refused:
                        take(statement)
                except BadFile as problem:
                    self.problems.append(problem)
                    refused.add(number)

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
        self.room.add_robots(self.path.parent / call.argument, script=self.path)

    def _plugin(self, statement: Statement) -> None:
        call = statement.call
        if call is None or call.module == ROBOT_MODULE or call.module in self.scene.plugins:
            return
        try:
            if self.is_check:
                plugins.find_plugin(call.module, folder=self.path.parent)
            else:
                self.scene.plugins.add(call.module)
        except (RobotixError, ValueError) as error:
            self.refuse(
                str(error), f"a file {call.module}.py beside the script", at=statement.place
            )

    def load_robots(self, scene: Scene, name: str) -> None:
        """Add the robots of another file while the room is running."""
        self.room.add_robots(self.path.parent / name, script=self.path)

    # -- what happens -----------------------------------------------------------------------

    def _start(self, statement: Statement) -> None:
        """Run the commands of `appl init`, except those that added the robots."""
        call = statement.call
        if (
            call is None
            or call.stage != "init"
            or (call.module, call.function) == (ROBOT_MODULE, "init")
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
        name, command = f"{self.path.name}:{statement.place.line}", self._checked(statement)
        if statement.mode == "off":
            command = SwitchOff(command)
        self.scene.on(statement.source, command, mode=statement.mode, name=name)

    def _check_turn(self, statement: Statement) -> None:
        """Report an `appl loop` or `exit` whose function does not exist."""
        call = statement.call
        if call is None or call.module == ROBOT_MODULE or call.stage not in ("loop", "exit"):
            return
        if call.function != call.stage:
            expected = f"`{call.stage}`: a plug-in's function for this has that name"
            self.refuse(f"{call.function!r}", expected, at=statement.place)

    def _checked(self, statement: Statement) -> Command:
        command = self._command(statement)
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
        usage, make = ACTIONS[statement.action]
        if len(words) != len(usage.split()):
            found = f"{len(words)} words after {statement.action!r}"
            self.refuse(found, f"`{statement.action} {usage}`", at=statement.place)
        try:
            command = make(*(word.text for word in words))
        except ValueError as error:
            self.refuse(str(error), f"`{statement.action} {usage}`", at=statement.place)
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
        """Report names of unknown nodes; with stand-ins, add them as empty nodes instead."""
        for name in _nodes_named(value):
            if name in self.scene.graph or name == "*":
                continue
            word = next((word for word in words if word.text == name), words[0])
            if self.room.has_stand_ins:
                where = f"{self.path.name}:{word.line}"
                self.room.warn(where, f"no node {name!r}; an empty one stands in")
                self.scene.graph.add(name)
                continue
            try:
                self.scene.graph[name]
            except RobotixError as error:
                self.refuse(str(error), "the name of a node", at=word)


def _nodes_named(value: Any) -> Iterator[str]:
    """Yield the names of nodes that a source or a command holds."""
    for slot in field_specs(type(value)):
        if Named("node") in markers_of(slot.hint) and (name := getattr(value, slot.name)):
            yield name
