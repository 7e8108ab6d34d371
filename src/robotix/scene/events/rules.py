"""Rules: run a command when a source of events switches.

The types are generic over the scene that commands act on; `robotix.scene` exports them for `Scene`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeAlias, TypeVar, get_args, runtime_checkable

from robotix.errors import BadField
from robotix.scene.events.action import Action, Running
from robotix.scene.events.context import ActionHost
from robotix.scene.events.events import POLLED, Event, Mode, Source

__all__ = ["CommandOf", "Composite", "Rule", "RuleBook", "run_command"]

HostT = TypeVar("HostT", bound=ActionHost)

# A command is called with the scene and the event, acts at once, and returns an action when there
# is more to do in later ticks.
CommandOf: TypeAlias = Callable[[HostT, Event], Action | None]


@dataclass(eq=False)
class Rule(Generic[HostT]):
    """Runs its command when its source switches.

    The modes `on` and `off` run it at that edge, `change` at both edges. With `reflect` the command
    follows the source: it starts when the source switches on; when the source switches off, running
    actions are stopped and every command that was started receives the off event.
    """

    source: Source
    command: CommandOf[HostT]
    mode: Mode = "on"
    name: str = ""
    running: Running | None = field(default=None, repr=False)
    begun: list[CommandOf[HostT]] = field(default_factory=list, repr=False)  # await the off event

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown mode."""
        if self.mode not in get_args(Mode):
            raise BadField("mode", f"one of {', '.join(get_args(Mode))}", repr(self.mode))
        self.name = self.name or f"when {self.source}"

    def handle(self, scene: HostT, event: Event) -> None:
        """React to an event of this rule's source; an action still running is stopped first."""
        if self.mode in ("on", "off") and event.state != (self.mode == "on"):
            return
        if self.running is not None:
            scene.stop(self.running)
            self.running = None
        if self.mode == "reflect":
            event = replace(event, lasts=True)
            if not event.state:
                self._end(scene, event)
                return
        elif self.mode == "off":
            event = replace(event, state=True)  # run the command, do not undo it
        action = run_command(self.command, scene, event, begun=self.begun)
        if action is not None:
            self.running = scene.start(action, name=self.name)

    def _end(self, scene: HostT, event: Event) -> None:
        begun, self.begun = self.begun, []
        for command in begun:
            action = command(scene, event)
            if action is not None:
                action.close()  # nothing continues once the source is off


@runtime_checkable
class Composite(Protocol[HostT]):
    """A command that consists of others."""

    @property
    def do(self) -> tuple[CommandOf[HostT], ...]:
        """Return its parts."""

    def play(self, scene: HostT, event: Event, *, begun: list[CommandOf[HostT]]) -> Action:
        """Return the action that runs the parts and adds each to `begun` when it starts."""


def run_command(
    command: CommandOf[HostT], scene: HostT, event: Event, *, begun: list[CommandOf[HostT]]
) -> Action | None:
    """Start a command and add it to `begun`; a composite adds its parts when they start."""
    if isinstance(command, Composite):
        return command.play(scene, event, begun=begun)
    if command not in begun:
        begun.append(command)
    return command(scene, event)


class RuleBook(Generic[HostT]):
    """Rules by source, so that the cost of an event does not grow with the number of rules."""

    def __init__(self) -> None:
        self._by_source: dict[Source, list[Rule[HostT]]] = {}
        self.polled: tuple[Source, ...] = ()  # sources to evaluate in every tick

    def __iter__(self) -> Iterator[Rule[HostT]]:
        for rules in self._by_source.values():
            yield from rules

    def __len__(self) -> int:
        return sum(map(len, self._by_source.values()))

    def copied(self) -> RuleBook[HostT]:
        """Return a book with the same rules."""
        other = copy.copy(self)
        other._by_source = {source: list(rules) for source, rules in self._by_source.items()}
        return other

    def add(self, rule: Rule[HostT]) -> None:
        """Add a rule; rules of one source run in the order in which they were added."""
        if rule.source not in self._by_source and isinstance(rule.source, POLLED):
            self.polled += (rule.source,)
        self._by_source.setdefault(rule.source, []).append(rule)

    def remove(self, rule: Rule[HostT]) -> None:
        """Remove a rule."""
        rules = self._by_source[rule.source]
        rules.remove(rule)
        if not rules:
            del self._by_source[rule.source]
            self.polled = tuple(source for source in self.polled if source != rule.source)

    def of(self, source: Source) -> tuple[Rule[HostT], ...]:
        """Return the rules of a source."""
        return tuple(self._by_source.get(source, ()))
