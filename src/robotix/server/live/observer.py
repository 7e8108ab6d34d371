"""Looks at the room after every tick, in the loop's thread, and hands on what pages should know.

Places and states are handed on as they are now, and replace what nobody has taken yet; what
happened is handed on once, in order.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from robotix.scene.events import messages as told
from robotix.scene.events.events import Collision, EndOfStroke, Event, RegionEntry, Signal
from robotix.server.live.snapshot import (
    NodeSnapshot,
    PersonSnapshot,
    RobotDescription,
    RobotSnapshot,
    SceneSnapshot,
    note_nodes,
    note_person_now,
    note_robot,
    note_robot_now,
)
from robotix.server.wire.protocol import Announced, Happened, SoundChanged

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Observer", "PendingUpdate"]

FRAME = 1 / 60  # s between two views of the room
STATES = 1 / 20  # s between two looks at the robots
PEOPLE = 1 / 10  # s between two looks at what people carry
MOST_WORDS = 50  # messages, and as many events, that a parcel holds; more are a flood

Notification: TypeAlias = Announced | SoundChanged | Happened | told.SnapshotAsked


@dataclass
class PendingUpdate:
    """What the server has not taken yet."""

    view: SceneSnapshot | None = None
    robots: tuple[RobotSnapshot, ...] | None = None
    people: tuple[PersonSnapshot, ...] | None = None
    time: float = 0.0  # s of the room, of the robots and people
    happenings: list[Notification] = field(default_factory=list)
    switched: dict[tuple[str, ...], Happened] = field(default_factory=dict)
    missed: int = 0


class Observer:
    """One of a loop's `on_tick`. `deliver` is called when there is something to take."""

    def __init__(
        self,
        deliver: Callable[[], None],
        *,
        is_private: Callable[[told.Message], bool] = lambda message: False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.watched: frozenset[str] = frozenset()  # robots that somebody wants to know all about
        self.watches_people = False  # somebody wants to know what they carry
        self._deliver = deliver
        self._is_private = is_private  # words that only one page needs, and gets otherwise
        self._clock = clock
        self._lock = threading.Lock()
        self._parcel = PendingUpdate()
        self._is_told = False  # of the parcel
        self._next_view = self._next_states = self._next_people = 0.0
        self._nodes: tuple[NodeSnapshot, ...] | None = None
        self._robots: tuple[RobotDescription, ...] = ()
        self._seen = (-1, -1)  # structure and touches of the graph

    def __call__(self, scene: Scene) -> None:
        """Note what this tick was like."""
        now, slack = self._clock(), scene.dt / 4
        view = robots = people = None
        if now >= self._next_view - slack:
            self._next_view = max(self._next_view + FRAME, now)
            view = self.look(scene)
        if now >= self._next_states - slack:
            self._next_states = max(self._next_states + STATES, now)
            robots = self._look_at_robots(scene)
        if self.watches_people and scene.people and now >= self._next_people - slack:
            self._next_people = max(self._next_people + PEOPLE, now)
            people = self._look_at_people(scene)
        is_new = view is not None or robots is not None or people is not None
        if not is_new and not scene.messages and not scene.events:
            return
        with self._lock:
            self._note(scene, view=view, robots=robots, people=people)
            self._note_happenings(scene, self._parcel)
        self._hand_over()

    def stand_still(self, scene: Scene) -> None:
        """Note how the room is now, between two ticks: no other will follow soon.

        What happened, if a tick was begun, is told when it is finished.
        """
        view, robots = self.look(scene), self._look_at_robots(scene)
        people = self._look_at_people(scene) if self.watches_people else None
        with self._lock:
            self._note(scene, view=view, robots=robots, people=people)
        self._hand_over()

    def _note(
        self,
        scene: Scene,
        *,
        view: SceneSnapshot | None,
        robots: tuple[RobotSnapshot, ...] | None,
        people: tuple[PersonSnapshot, ...] | None,
    ) -> None:
        parcel = self._parcel
        parcel.view = view or parcel.view
        if robots is not None:
            parcel.robots, parcel.time = robots, scene.time
        if people is not None:
            parcel.people, parcel.time = people, scene.time

    def _hand_over(self) -> None:
        with self._lock:
            is_told, self._is_told = self._is_told, True
        if not is_told:
            self._deliver()

    def take(self) -> PendingUpdate:
        """Hand over what there is, in any thread."""
        with self._lock:
            parcel, self._parcel = self._parcel, PendingUpdate()
            self._is_told = False
        return parcel

    def look(self, scene: Scene) -> SceneSnapshot:
        """Return the room as it is now."""
        graph = scene.graph
        graph.update()
        seen = graph.structure, graph.touches
        if self._nodes is None or seen != self._seen:
            self._nodes, self._seen = note_nodes(scene, self._nodes), seen
        robots = tuple(note_robot(scene, robot) for robot in scene.robots.values())
        if len(robots) != len(self._robots) or not all(
            new.is_as(old) for new, old in zip(robots, self._robots, strict=True)
        ):
            self._robots = robots
        return SceneSnapshot(
            structure=graph.structure,
            tick=scene.tick,
            time=scene.time,
            world=graph.world.copy(),
            nodes=self._nodes,
            robots=self._robots,
            postures={name: scene.robots[name].q for name in scene.people},
            active=scene.robot().name if scene.robots else "",
            can_undo=scene.history.can_undo,
            can_redo=scene.history.can_redo,
        )

    def _look_at_robots(self, scene: Scene) -> tuple[RobotSnapshot, ...]:
        watched = self.watched
        return tuple(
            note_robot_now(scene, robot, is_watched=robot.name in watched)
            for robot in scene.robots.values()
        )

    def _look_at_people(self, scene: Scene) -> tuple[PersonSnapshot, ...]:
        scene.graph.update()
        return tuple(note_person_now(scene, person) for person in scene.people.values())

    def _note_happenings(self, scene: Scene, parcel: PendingUpdate) -> None:
        for message in scene.messages:
            if self._is_private(message):
                continue
            if len(parcel.happenings) < MOST_WORDS:
                parcel.happenings.append(_in_words(message))
            else:
                parcel.missed += 1
        for event in scene.events:
            happened = _happened(event)
            if happened is not None and len(parcel.switched) < MOST_WORDS:
                parcel.switched[happened.what, *happened.names] = happened


def _in_words(message: told.Message) -> Notification:
    match message:
        case told.Announcement(text):
            return Announced(text)
        case told.Problem(who, what):
            return Announced(what, who)
        case told.SoundStarted(uri, node, loop, volume):
            return SoundChanged(uri, node, True, loop, volume)
        case told.SoundStopped(uri, node):
            return SoundChanged(uri, node, False, False, 0.0)
        case told.SnapshotAsked():
            return message


def _happened(event: Event) -> Happened | None:
    match event.source:
        case Collision(first, second):
            return Happened("collision", [first, second], event.state)
        case RegionEntry(region, node):
            return Happened("region", [region, node], event.state)
        case EndOfStroke(robot, joint) if joint:
            return Happened("end_of_stroke", [robot, joint], event.state)
        case Signal(name):
            return Happened("signal", [name], event.state)
    return None
