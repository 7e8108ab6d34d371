"""Takes snapshots of the scene after ticks, on the loop's thread, for the server's thread.

A new snapshot replaces one that has not been read yet; notifications are delivered once, in order.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from robotix.inputs.problem import Problem
from robotix.scene.events import messages as scene_messages
from robotix.scene.events.events import Collision, EndOfStroke, Event, RegionEntry, Signal
from robotix.server.live.snapshot import (
    NodeSnapshot,
    PersonSnapshot,
    RobotDescription,
    RobotSnapshot,
    SceneSnapshot,
    describe_robot,
    snapshot_nodes,
    snapshot_person,
    snapshot_robot,
)
from robotix.server.live.touches import snapshot_touches
from robotix.server.live.viewing import snapshot_devices
from robotix.server.wire.physics import Touches
from robotix.server.wire.protocol import Announced, Happened, SoundChanged
from robotix.server.wire.viewing import DevicePoses

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Observer", "PendingUpdate"]

VIEW_INTERVAL = 1 / 60  # s between snapshots of the scene
ROBOTS_INTERVAL = 1 / 20  # s between snapshots of the robots
PEOPLE_INTERVAL = 1 / 10  # s between snapshots of the people
TOUCHES_INTERVAL = 1 / 15  # s between snapshots of contacts
MAX_NOTIFICATIONS = 50  # per update, and as many events; more are dropped

Notification: TypeAlias = Announced | SoundChanged | Happened | scene_messages.SnapshotAsked


@dataclass
class PendingUpdate:
    """Updates that the server has not read yet."""

    view: SceneSnapshot | None = None
    robots: tuple[RobotSnapshot, ...] | None = None
    people: tuple[PersonSnapshot, ...] | None = None
    touches: Touches | None = None
    devices: DevicePoses | None = None
    time: float = 0.0  # s, scene time of `robots` and `people`
    notifications: list[Notification] = field(default_factory=list)
    event_states: dict[tuple[str, ...], Happened] = field(default_factory=dict)
    n_dropped: int = 0


class Observer:
    """A consumer for the loop's `on_tick`; calls `deliver` when an update is pending."""

    def __init__(
        self,
        deliver: Callable[[], None],
        *,
        is_private: Callable[[scene_messages.Message], bool] = lambda message: False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.watched: frozenset[str] = frozenset()  # robots whose full state is needed
        self.watches_people = False  # the state of people is needed
        self.watches_touches = False  # contacts of robots are needed
        self.watches_forces = False  # and those of physics
        self.watches_devices = False  # poses of tracked devices are needed
        self._deliver = deliver
        self._is_private = is_private  # messages that are sent to one client only
        self._clock = clock
        self._lock = threading.Lock()
        self._pending = PendingUpdate()
        self._is_notified = False  # `deliver` was called for the pending update
        self._next_view = self._next_states = self._next_people = self._next_touches = 0.0
        self._nodes: tuple[NodeSnapshot, ...] | None = None
        self._robots: tuple[RobotDescription, ...] = ()
        self._seen = (-1, -1)  # structure and change counter of the graph

    def __call__(self, scene: Scene) -> None:
        """Take the snapshots that are due, and store the messages and events of this tick."""
        now, slack = self._clock(), scene.dt / 4
        view = robots = people = None
        if now >= self._next_view - slack:
            self._next_view = max(self._next_view + VIEW_INTERVAL, now)
            view = self.snapshot(scene)
            if self.watches_devices:
                self._pending.devices = snapshot_devices(scene)
        if now >= self._next_states - slack:
            self._next_states = max(self._next_states + ROBOTS_INTERVAL, now)
            robots = self._snapshot_robots(scene)
        if self.watches_people and scene.people and now >= self._next_people - slack:
            self._next_people = max(self._next_people + PEOPLE_INTERVAL, now)
            people = self._snapshot_people(scene)
        if self.watches_touches and now >= self._next_touches - slack:
            self._next_touches = max(self._next_touches + TOUCHES_INTERVAL, now)
            self._pending.touches = snapshot_touches(scene, forces=self.watches_forces)
        is_new = view is not None or robots is not None or people is not None
        if not is_new and not scene.messages and not scene.events:
            return
        with self._lock:
            self._store(scene, view=view, robots=robots, people=people)
            self._store_notifications(scene, self._pending)
        self._notify()

    def update_paused(self, scene: Scene) -> None:
        """Take a snapshot while the scene is paused.

        Messages and events follow at the end of the next tick.
        """
        view, robots = self.snapshot(scene), self._snapshot_robots(scene)
        people = self._snapshot_people(scene) if self.watches_people else None
        with self._lock:
            self._store(scene, view=view, robots=robots, people=people)
        self._notify()

    def _store(
        self,
        scene: Scene,
        *,
        view: SceneSnapshot | None,
        robots: tuple[RobotSnapshot, ...] | None,
        people: tuple[PersonSnapshot, ...] | None,
    ) -> None:
        pending = self._pending
        pending.view = view or pending.view
        if robots is not None:
            pending.robots, pending.time = robots, scene.time
        if people is not None:
            pending.people, pending.time = people, scene.time

    def _notify(self) -> None:
        with self._lock:
            was_notified, self._is_notified = self._is_notified, True
        if not was_notified:
            self._deliver()

    def pop(self) -> PendingUpdate:
        """Return the pending update and start a new one; thread-safe."""
        with self._lock:
            pending, self._pending = self._pending, PendingUpdate()
            self._is_notified = False
        return pending

    def snapshot(self, scene: Scene) -> SceneSnapshot:
        """Return a snapshot of the scene."""
        graph = scene.graph
        graph.update()
        seen = graph.structure, graph.touches
        if self._nodes is None or seen != self._seen:
            self._nodes, self._seen = snapshot_nodes(scene, self._nodes), seen
        robots = tuple(describe_robot(scene, robot) for robot in scene.robots.values())
        if len(robots) != len(self._robots) or not all(
            new.is_same_as(old) for new, old in zip(robots, self._robots, strict=True)
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
            heads={name: person.head_and_hands() for name, person in scene.people.items()},
            active=scene.robot().name if scene.robots else "",
            can_undo=scene.history.can_undo,
            can_redo=scene.history.can_redo,
            controls=scene.page_controls.all,
            task=scene.task_display,
        )

    def _snapshot_robots(self, scene: Scene) -> tuple[RobotSnapshot, ...]:
        watched = self.watched
        return tuple(
            snapshot_robot(scene, robot, is_watched=robot.name in watched)
            for robot in scene.robots.values()
        )

    def _snapshot_people(self, scene: Scene) -> tuple[PersonSnapshot, ...]:
        scene.graph.update()
        return tuple(snapshot_person(scene, person) for person in scene.people.values())

    def _store_notifications(self, scene: Scene, pending: PendingUpdate) -> None:
        for message in scene.messages:
            if self._is_private(message):
                continue
            if len(pending.notifications) < MAX_NOTIFICATIONS:
                pending.notifications.append(_notification(message))
            else:
                pending.n_dropped += 1
        for event in scene.events:
            happened = _event_message(event)
            if happened is not None and len(pending.event_states) < MAX_NOTIFICATIONS:
                pending.event_states[happened.what, *happened.names] = happened


def _notification(message: scene_messages.Message) -> Notification:
    match message:
        case scene_messages.Announcement(text):
            return Announced(text)
        case Problem(who, what):
            return Announced(what, who)
        case scene_messages.SoundStarted(uri, node, loop, volume):
            return SoundChanged(uri, node, True, loop, volume)
        case scene_messages.SoundStopped(uri, node):
            return SoundChanged(uri, node, False, False, 0.0)
        case scene_messages.SnapshotAsked():
            return message


def _event_message(event: Event) -> Happened | None:
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
