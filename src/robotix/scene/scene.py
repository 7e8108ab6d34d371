"""The scene: what is in it, and how it advances, one tick after the other.

A scene with the same initial state and the same inputs is reproducible to the last bit.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from robotix.errors import BadField, UnknownName, describe_error
from robotix.geometry import Pose
from robotix.inputs.problem import Problem
from robotix.inputs.readings import ALL_ROBOTS, Inputs
from robotix.meshes.stand_ins import with_stand_ins
from robotix.model import Model
from robotix.scene.assets import SceneAssets
from robotix.scene.contact.contacts import Contacts
from robotix.scene.events.action import Action, ActionRunner, Running
from robotix.scene.events.control import NodeControl
from robotix.scene.events.detector import EventDetector
from robotix.scene.events.events import Event, Mode, Signal, Source
from robotix.scene.events.isolate import call_safely
from robotix.scene.events.messages import Announcement, Message
from robotix.scene.events.rules import Rule, RuleBook
from robotix.scene.events.timers import Timers
from robotix.scene.faults import SceneFaults
from robotix.scene.files import SceneFiles
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.history import History
from robotix.scene.page_controls import PageControls
from robotix.scene.people.person import Person
from robotix.scene.physics.physics import Physics
from robotix.scene.plugins import Plugins
from robotix.scene.robots.robot import Robot
from robotix.scene.task_display import TaskDisplay

if TYPE_CHECKING:
    from robotix.human import Manikin

__all__ = ["Command", "RoomSaver", "Scene", "SceneRule"]

LOG = logging.getLogger(__name__)
MAX_EVENTS = 1_000  # that rules may cause in one tick; stops endless chains


class RoomSaver(Protocol):
    """Writes a room to a file."""

    def __call__(self, scene: Scene, file: str = "", *, robot: str = "") -> Path:
        """Write the room, or only one robot of it; without a file, to its own. Return the path."""


class Scene:
    """A scene graph with robots and people, rules and plug-ins; `step` advances it by `dt`.

    - Time: `dt` (s), `tick`, `time`; `rng` is seeded with `seed`.
    - Contents: `graph`, `robots`, `people`, `devices` (kinds of the logical devices, by name),
      `assets` (materials, clips and tasks, by name), `files`.
    - Behaviour: `rules`, `timers`, `actions`, `plugins`; `control` holds what commands do to nodes,
      `history` what users can undo, `contacts` answers which nodes touch, `physics` (off unless
      started) moves what is free, `faults` lets things fail on purpose.
    - For pages: `page_controls`, sliders and buttons that a program adds; `task_display`, what the
      person who drives is asked to do.
    - Of the current tick: `inputs`, `events`, `messages`.

    Examples:
        >>> scene = rx.Scene(dt=0.01)
        >>> for _ in range(10):
        ...     scene.step()
        >>> scene.tick
        10
    """

    def __init__(self, *, dt: float = 1 / 120, seed: int = 0, name: str = "") -> None:
        """Make an empty scene; `seed` is that of its random numbers, `name` its title."""
        if not (math.isfinite(dt) and 0 < dt <= 1):
            raise BadField("dt", "a time of at most 1 s", dt)
        self.name = name
        self.dt = dt
        self.seed = seed
        self.tick = 0
        self.rng = np.random.default_rng(seed)
        self.files = SceneFiles()
        self.graph = Graph()
        self.devices: dict[str, str] = {}
        self.assets = SceneAssets()
        self.robots: dict[str, Robot] = {}
        self.people: dict[str, Person] = {}  # each is a robot, too
        self.active_robot = ""  # of commands that name none; empty: the first
        self.robot_loader: Callable[[Scene, str], None] | None = None  # reads robots from a file
        self.saver: RoomSaver | None = None  # writes the room, or a robot of it, to a file
        self.rules: RuleBook[Scene] = RuleBook()
        self.timers = Timers(dt)
        self.actions = ActionRunner(lambda: self.tick, self.fail)
        self.plugins = Plugins(self)
        self.control = NodeControl()
        self.contacts = Contacts(self.graph)
        self.history = History(self.graph)
        self.page_controls = PageControls()
        self.task_display: TaskDisplay | None = None
        self.physics = Physics(self)
        self.faults = SceneFaults(self)
        self.console: Callable[[str], None] | None = None  # runs a line of text
        self.stops_with_page = True  # a move ends when the page that commanded it is lost
        self.poll_stops: Callable[[], tuple[str, ...]] | None = None  # `Inputs.stops` of this tick
        self.inputs = Inputs()
        self.events: list[Event] = []
        self.messages: list[Message] = []
        self._detector = EventDetector()
        self._hooks: list[tuple[str, Callable[[float], None]]] = []
        self._queue: deque[Event] = deque()
        self._is_in_tick = False

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.tick * self.dt

    @property
    def is_in_tick(self) -> bool:
        """Whether a tick was begun and not finished yet."""
        return self._is_in_tick

    # -- contents ---------------------------------------------------------------------------

    def add_robot(
        self, name: str, model: Model, *, pose: Pose | None = None, parent: Node | str | None = None
    ) -> Robot:
        """Add a robot: a node `name`, and below it one per body and control point.

        Those are called `name/body` and `name/point`. The parent must have scale 1. Links whose
        meshes cannot be read get capsules; a message reports them.
        """
        problems = list(model.notes)
        model = with_stand_ins(model, problems.append)
        robot = Robot(name, model, self, pose=pose, parent=parent)
        for problem in problems:
            self.send(Problem(f"robot {name}", problem))
        self.robots[name] = robot
        return robot

    def add_person(
        self,
        name: str,
        manikin: Manikin,
        *,
        pose: Pose | None = None,
        parent: Node | str | None = None,
    ) -> Person:
        """Add a standing person; its joints are those of a robot of the same name."""
        robot = self.add_robot(name, manikin.model, pose=pose, parent=parent)
        robot.set_q(manikin.relaxed)
        sex = manikin.anthropometry.sex
        outfit = sum(one.manikin.anthropometry.sex == sex for one in self.people.values())
        self.people[name] = person = Person(manikin, robot, outfit=outfit)
        return person

    def person(self, name: str) -> Person:
        """Return the person called `name`."""
        try:
            return self.people[name]
        except KeyError:
            raise UnknownName("person", name, self.people) from None

    def robot(self, name: str = "") -> Robot:
        """Return a robot by name, or by its number from 1; the active one if the name is empty."""
        if not self.robots:
            raise ValueError("there is no robot in this room; add one first")
        if name.isdecimal() and name not in self.robots:
            numbers = {str(k): robot for k, robot in enumerate(self.robots.values(), 1)}
            if str(int(name)) not in numbers:
                raise UnknownName("robot", name, numbers)
            return numbers[str(int(name))]
        try:
            return self.robots[name or self.active_robot or next(iter(self.robots))]
        except KeyError:
            raise UnknownName("robot", name, self.robots) from None

    def stop_robots(self, name: str = "") -> None:
        """Stop a robot, or all (`ALL_ROBOTS`), and the action that moves it, with all its steps."""
        is_all = name == ALL_ROBOTS and name not in self.robots
        for robot in self.robots.values() if is_all else [self.robot(name)]:
            action, robot.action = robot.action, None
            if action is not None and not action.is_done and action is not self.actions.current:
                self.actions.stop(action)
            robot.stop()

    def remove_robot(self, name: str) -> None:
        """Remove a robot or person; nodes attached to it stay where they are."""
        if name not in self.robots:
            raise UnknownName("robot", name, self.robots)
        robot = self.robots.pop(name)
        self.people.pop(name, None)
        robot.stop()
        robot.ellipsoid.hide()
        above = robot.node.parent or self.graph.root
        for node in list(robot.node.branch()):
            is_foreign = node.robot != name and (node.parent is None or node.parent.robot == name)
            if is_foreign:
                self.graph.attach(node, above)
        self.graph.remove(robot.node, with_robots=True)
        if self.active_robot == name:
            self.active_robot = ""

    # -- behaviour --------------------------------------------------------------------------

    def on(
        self, source: Source, command: Command, *, mode: Mode = "on", name: str = ""
    ) -> SceneRule:
        """Add a rule: run a command when a source switches."""
        rule = Rule(source, command, mode, name)
        self.rules.add(rule)
        return rule

    def off(self, rule: SceneRule) -> None:
        """Remove a rule, and stop the action that it started."""
        self.rules.remove(rule)
        if rule.running is not None:
            self.stop(rule.running)

    def emit(self, event: Event | str, *, state: bool = True) -> None:
        """Emit an event; a plain name is that of a signal. Rules handle it in this tick."""
        self._queue.append(Event(Signal(event), state) if isinstance(event, str) else event)

    def start(self, action: Action, *, name: str = "") -> Running:
        """Start an action."""
        return self.actions.start(action, name=name)

    def stop(self, running: Running) -> None:
        """Stop an action."""
        self.actions.stop(running)

    def add_hook(self, name: str, step: Callable[[float], None]) -> None:
        """Call `step(dt)` in every tick, after the plug-ins; its errors are reported by name."""
        self._hooks.append((name, step))

    def say(self, text: str) -> None:
        """Show a text to the users."""
        self.messages.append(Announcement(text))

    def send(self, message: Message) -> None:
        """Send a message to the clients."""
        self.messages.append(message)

    def fail(self, who: str, error: Exception) -> None:
        """Report an error; the scene continues."""
        problem = Problem(who, describe_error(error))
        LOG.warning("%s: %s", problem.who, problem.what)
        self.messages.append(problem)

    def run_line(self, line: str) -> None:
        """Run a line of the console, if one is installed."""
        if self.console is None:
            raise ValueError("this room has no console")
        self.console(line)

    # -- running ----------------------------------------------------------------------------

    def step(self, inputs: Inputs | None = None) -> None:
        """Advance by one tick: console lines, events, plug-ins, actions, robots, physics."""
        self.begin_tick(inputs or Inputs())
        self.finish_tick()

    def begin_tick(self, inputs: Inputs) -> None:
        """Begin a tick: run its console lines, and nothing else.

        It can be called again before `finish_tick`; then only lines and stops of the inputs are
        used, as further ones of the same tick. This lets a paused scene be edited reproducibly.
        """
        if self._is_in_tick:
            self.inputs = replace(
                self.inputs,
                commands=self.inputs.commands + inputs.commands,
                stops=self.inputs.stops + inputs.stops,
            )
        else:
            if self.tick:  # messages sent before the first tick belong to it
                self.events, self.messages = [], []
            self.tick += 1
            self.inputs, self._is_in_tick = self.faults.transmit(inputs), True
        for line in inputs.commands:
            self._isolate(f"command {line!r}", partial(self.run_line, line))

    def finish_tick(self) -> None:
        """Finish the tick that was begun."""
        self._is_in_tick = False
        self._isolate("events", self._detect)
        self._dispatch()
        self._isolate("plug-ins", partial(self.plugins.step, self.dt))
        for name, step in tuple(self._hooks):
            self._isolate(name, partial(step, self.dt))
        self.actions.advance()
        self._dispatch()
        self._obey_stops()
        for robot in tuple(self.robots.values()):
            self._isolate(f"robot {robot.name}", partial(self._move, robot))
        if self.physics.is_on:
            self._isolate("physics", self.physics.step)
        self.graph.update()
        self._isolate("faults", self.faults.step)

    def _detect(self) -> None:
        self._queue.extend(self._detector.detect(self, self.rules.polled))

    def _obey_stops(self) -> None:
        """Stop robots as asked while this tick ran: however long it took, they do not move."""
        asked = self.poll_stops() if self.poll_stops is not None else ()
        if asked:
            self.inputs = replace(self.inputs, stops=self.inputs.stops + asked)
        for name in self.inputs.stops:
            self._isolate(f"stop {name}", partial(self.stop_robots, name))

    def _move(self, robot: Robot) -> None:
        self._queue.extend(robot.step())

    def _dispatch(self) -> None:
        """Let rules handle the queued events and those that they cause, up to `MAX_EVENTS`."""
        left = len(self._queue) + MAX_EVENTS
        while self._queue:
            event = self._queue.popleft()
            if left == 0:
                self._queue.clear()
                what = (
                    f"rules set each other off {MAX_EVENTS} times in a tick; the last was {event}"
                )
                self.fail("rules", RuntimeError(what))
                return
            left -= 1
            self.events.append(event)
            for rule in self.rules.of(event.source):
                self._isolate(rule.name, partial(rule.handle, self, event))

    def _isolate(self, who: str, call: Callable[[], object]) -> None:
        call_safely(who, call, self.fail)


# Called with the scene and the event; returns an action when there is more to do in later ticks.
Command: TypeAlias = Callable[[Scene, Event], Action | None]
SceneRule: TypeAlias = Rule[Scene]
