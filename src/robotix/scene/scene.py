"""The room: what is in it, what happens in it, one tick after the other.

A scene that starts the same and is fed the same inputs does the same, to the last bit.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.geometry import Pose
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs
from robotix.model import Model
from robotix.scene.contact.contacts import Contacts
from robotix.scene.events.action import Action, ActionRunner, Running
from robotix.scene.events.claims import NodeClaims
from robotix.scene.events.detector import EventDetector, Timers
from robotix.scene.events.events import Event, Mode, Signal, Source
from robotix.scene.events.isolate import call_safely
from robotix.scene.events.layers import Layers
from robotix.scene.events.messages import Announcement, Message
from robotix.scene.events.rules import Command, Rule, RuleBook
from robotix.scene.graph.graph import Graph
from robotix.scene.graph.node import Material, Node
from robotix.scene.history import History
from robotix.scene.people.person import Person
from robotix.scene.plugins import Plugins
from robotix.scene.robots.lookup import remove_robot
from robotix.scene.robots.robot import Robot

if TYPE_CHECKING:
    from robotix.human import Manikin
    from robotix.scene.commands.animation import Clip
    from robotix.scene.commands.guides import Guided
    from robotix.scene.people.task_stage import TaskStep

__all__ = ["Scene", "TickHook"]

LOG = logging.getLogger(__name__)
MAX_EVENTS = 1_000  # that rules may set off in a tick; those that would for ever stop there


@dataclass(frozen=True)
class TickHook:
    """Something that takes part in every tick, such as a plug-in: called with `dt`."""

    name: str
    step: Callable[[float], None]


class Scene:
    """The room. `step` advances it by `dt` seconds."""

    def __init__(self, *, dt: float = 1 / 120, seed: int = 0, name: str = "") -> None:
        """Make an empty room; `seed` starts everything random in it, `name` is for people."""
        if not (math.isfinite(dt) and 0 < dt <= 1):
            raise BadField("dt", "a time of at most 1 s", dt)
        self.name = name
        self.dt = dt
        self.seed = seed
        self.tick = 0
        self.rng = np.random.default_rng(seed)
        self.graph = Graph()
        self.source: Path | None = None  # the file it was read from
        self.folder: Path | None = None  # for files of its own; None: that of its source
        self.devices: dict[str, str] = {}  # logical devices it knows, and their kinds
        self.robots: dict[str, Robot] = {}
        self.people: dict[str, Person] = {}  # those of the robots that are people
        self.tasks: dict[
            str, tuple[TaskStep, ...]
        ] = {}  # that people can perform, besides the usual
        self.active = ""  # the robot that commands mean when they name none; empty: the first
        self.inputs = Inputs()
        self.is_begun = False  # a tick, and it is not finished yet
        self.rules = RuleBook()
        self.timers = Timers(dt)
        self.contacts = Contacts(self.graph)
        self.stage = ActionRunner(lambda: self.tick, self.fail)
        self.materials: dict[str, Material] = {}  # by the name that commands call them
        self.clips: dict[str, Clip] = {}  # recorded animations
        self.guides: dict[str, Guided] = {}  # how far doors and drawers are open, by node
        self.history = History(self.graph)  # what people changed by hand, to be taken back
        self.layers = Layers()  # what commands changed, and what was before
        self.holds = NodeClaims()  # who moves what
        self.plugins = Plugins(self)
        self.parts: list[TickHook] = [TickHook("plug-ins", self.plugins.step)]
        self.events: list[Event] = []  # of this tick
        self.messages: list[Message] = []  # of this tick
        self.on_command: Callable[[str], None] = self._no_console
        self.load_robots: Callable[[Scene, str], None] | None = None  # from a file; set by readers
        self._watch = EventDetector()
        self._queue: deque[Event] = deque()

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.tick * self.dt

    # -- what is in it ----------------------------------------------------------------------

    def add_robot(
        self, name: str, model: Model, *, pose: Pose | None = None, parent: Node | str | None = None
    ) -> Robot:
        """Put a robot into the room: a node `name`, and below it one for every body and point.

        Those are called `name/body` and `name/point`. What it stands on must be of scale 1.
        """
        robot = Robot(name, model, self, pose=pose, parent=parent)
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
        """Put a person into the room, standing at ease; the joints are those of a robot."""
        robot = self.add_robot(name, manikin.model, pose=pose, parent=parent)
        robot.set_q(manikin.relaxed)
        self.people[name] = person = Person(manikin, robot)
        return person

    def person(self, name: str) -> Person:
        """Return the person called `name`."""
        try:
            return self.people[name]
        except KeyError:
            raise UnknownName("person", name, self.people) from None

    def remove_robot(self, name: str) -> None:
        """Take a robot out of the room; what it held stays where it is."""
        if name not in self.robots:
            raise UnknownName("robot", name, self.robots)
        remove_robot(self, name)

    def robot(self, name: str = "") -> Robot:
        """Return the robot called `name`; the active one when the name is empty."""
        if not self.robots:
            raise ValueError("there is no robot in this room; add one first")
        try:
            return self.robots[name or self.active or next(iter(self.robots))]
        except KeyError:
            raise UnknownName("robot", name, self.robots) from None

    # -- what happens in it -----------------------------------------------------------------

    def on(self, source: Source, command: Command, *, mode: Mode = "on", name: str = "") -> Rule:
        """Add a rule: when the source switches, do the command."""
        rule = Rule(source, command, mode, name)
        self.rules.add(rule)
        return rule

    def off(self, rule: Rule) -> None:
        """Take a rule away, and stop what it started."""
        self.rules.remove(rule)
        if rule.running is not None:
            self.stage.stop(rule.running)

    def emit(self, event: Event | str, *, state: bool = True) -> None:
        """Let an event happen; a bare name is that of a signal. Rules hear of it this tick."""
        self._queue.append(Event(Signal(event), state) if isinstance(event, str) else event)

    def start(self, action: Action, *, name: str = "") -> Running:
        """Start an action."""
        return self.stage.start(action, name=name)

    def say(self, text: str) -> None:
        """Tell the people in the room something."""
        self.messages.append(Announcement(text))

    def tell(self, message: Message) -> None:
        """Send a message to those who watch."""
        self.messages.append(message)

    def fail(self, who: str, error: Exception) -> None:
        """Report that something went wrong; the room goes on."""
        problem = Problem(who, f"{type(error).__name__}: {error}")
        LOG.warning("%s: %s", problem.who, problem.what)
        self.messages.append(problem)

    def step(self, inputs: Inputs | None = None) -> None:
        """Advance by one tick: lines, devices, events, actions, robots, places."""
        self.begin(inputs or Inputs())
        self.finish()

    def begin(self, inputs: Inputs) -> None:
        """Begin a tick: run the lines that came in, and nothing else.

        Until `finish` it can be called again; then only the lines count, as further ones of the
        same tick. So a room that stands still can be worked on, and does the same when the tick is
        made again at once.
        """
        if self.is_begun:
            self.inputs = replace(self.inputs, commands=self.inputs.commands + inputs.commands)
        else:
            if self.tick:  # what was said before the first tick belongs to it
                self.events, self.messages = [], []
            self.tick += 1
            self.inputs, self.is_begun = inputs, True
        for line in inputs.commands:
            self._guard(f"command {line!r}", partial(self.on_command, line))

    def finish(self) -> None:
        """Finish the tick that was begun."""
        self.is_begun = False
        self._guard("events", self._look)
        self._dispatch()
        for part in tuple(self.parts):
            self._guard(part.name, partial(part.step, self.dt))
        self.stage.advance()
        self._dispatch()
        for robot in tuple(self.robots.values()):
            self._guard(f"robot {robot.name}", partial(self._move, robot))
        self.graph.update()

    def _look(self) -> None:
        self._queue.extend(self._watch.look(self, self.inputs))

    def _move(self, robot: Robot) -> None:
        self._queue.extend(robot.step())

    def _dispatch(self) -> None:
        """Let rules hear what happened, and what that sets off, which must come to an end."""
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
                self._guard(rule.name, partial(rule.follow, self, event))

    def _guard(self, who: str, call: Callable[[], object]) -> None:
        call_safely(who, call, self.fail)

    def _no_console(self, line: str) -> None:
        raise ValueError("this room has no console")
