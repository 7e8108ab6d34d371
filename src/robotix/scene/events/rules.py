"""Rules: when this switches, do that. A thousand of them cost no more than one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias, get_args, runtime_checkable

from robotix.errors import BadField
from robotix.scene.events.action import Action, Running
from robotix.scene.events.events import POLLED, Event, Mode, Source

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Command", "Composite", "Rule", "RuleBook", "run_command"]

# What a rule does: it is called with the scene and the event, acts at once, and hands back an
# action when there is more to do in later ticks.
Command: TypeAlias = Callable[["Scene", Event], Action | None]


@dataclass(eq=False)
class Rule:
    """Does its command when its source switches.

    `on` and `off` do it at that edge; `change` does it at both, and the command is told which.
    `reflect` lets the command follow the source: it begins when on; when off, what still goes on is
    stopped, and all that has begun is told.
    """

    source: Source
    command: Command
    mode: Mode = "on"
    name: str = ""
    running: Running | None = field(default=None, repr=False)
    begun: list[Command] = field(default_factory=list, repr=False)  # and to be told when it is off

    def __post_init__(self) -> None:
        """Refuse a mode that does not exist."""
        if self.mode not in get_args(Mode):
            raise BadField("mode", f"one of {', '.join(get_args(Mode))}", repr(self.mode))
        self.name = self.name or f"when {self.source}"

    def follow(self, scene: Scene, event: Event) -> None:
        """Act on an event of this rule's source. A command still under way is stopped first."""
        if self.mode in ("on", "off") and event.state != (self.mode == "on"):
            return
        if self.running is not None:
            scene.stage.stop(self.running)
            self.running = None
        if self.mode == "reflect":
            event = replace(event, lasts=True)
            if not event.state:
                self._let_go(scene, event)
                return
        elif self.mode == "off":
            event = replace(event, state=True)  # it is to be done, not to be undone
        action = run_command(self.command, scene, event, begun=self.begun)
        if action is not None:
            self.running = scene.start(action, name=self.name)

    def _let_go(self, scene: Scene, event: Event) -> None:
        begun, self.begun = self.begun, []
        for command in begun:
            action = command(scene, event)
            if action is not None:
                action.close()  # there is nothing to keep doing once it is off


@runtime_checkable
class Composite(Protocol):
    """A command that is made of others."""

    @property
    def do(self) -> tuple[Command, ...]:
        """Return its parts."""

    def play(self, scene: Scene, event: Event, *, begun: list[Command]) -> Action:
        """Return the action that does its parts, and notes each in `begun` when it begins."""


def run_command(
    command: Command, scene: Scene, event: Event, *, begun: list[Command]
) -> Action | None:
    """Begin a command, and note it in `begun`; of a composite one, each part in its time."""
    if isinstance(command, Composite):
        return command.play(scene, event, begun=begun)
    if command not in begun:
        begun.append(command)
    return command(scene, event)


class RuleBook:
    """Rules by source."""

    def __init__(self) -> None:
        self._by_source: dict[Source, list[Rule]] = {}
        self.polled: tuple[Source, ...] = ()  # those that must be looked at every tick

    def __iter__(self) -> Iterator[Rule]:
        for rules in self._by_source.values():
            yield from rules

    def __len__(self) -> int:
        return sum(map(len, self._by_source.values()))

    def add(self, rule: Rule) -> None:
        """Add a rule; those of one source act in the order in which they were added."""
        if rule.source not in self._by_source and isinstance(rule.source, POLLED):
            self.polled += (rule.source,)
        self._by_source.setdefault(rule.source, []).append(rule)

    def remove(self, rule: Rule) -> None:
        """Take a rule away."""
        rules = self._by_source[rule.source]
        rules.remove(rule)
        if not rules:
            del self._by_source[rule.source]
            self.polled = tuple(source for source in self.polled if source != rule.source)

    def of(self, source: Source) -> tuple[Rule, ...]:
        """Return the rules that wait for a source."""
        return tuple(self._by_source.get(source, ()))
