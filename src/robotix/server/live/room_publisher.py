"""Publishes updates of the scene to all clients, on the server's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from robotix.server.live.hub import Hub
from robotix.server.live.people_publisher import PeoplePublisher
from robotix.server.live.pictures import NoPage, NoPicture, Snapshots, save_picture
from robotix.server.live.sounds import Sounds
from robotix.server.wire.protocol import Announced, Happened, SoundChanged

if TYPE_CHECKING:
    from robotix.scene.events.messages import SnapshotAsked
    from robotix.server.live.describe import Describer
    from robotix.server.live.observer import Notification, PendingUpdate
    from robotix.server.live.snapshot import SceneSnapshot

__all__ = ["RoomPublisher"]

LOG = logging.getLogger(__name__)
DESCRIBE_INTERVAL = 1 / 30  # s between descriptions
MAX_RETRY_WAIT = 10.0  # s, after descriptions that failed


class RoomPublisher:
    """Processes updates, keeps the description of the scene current, notifies clients."""

    def __init__(
        self,
        hub: Hub,
        describer: Describer,
        *,
        sounds: Sounds,
        snapshots: Snapshots,
        pictures: Path,
        on_described: Callable[[], None] = lambda: None,
    ) -> None:
        self._hub = hub
        self._room = hub.room
        self._describer = describer
        self._sounds = sounds
        self._snapshots = snapshots
        self._pictures = pictures  # the folder
        self._on_described = on_described  # called after every description
        self._people = PeoplePublisher(hub)
        self._view: SceneSnapshot | None = None
        self._has_changed = asyncio.Event()
        self._saving: set[asyncio.Task[None]] = set()

    def update_view(self, view: SceneSnapshot) -> None:
        """Set the latest snapshot of the scene."""
        self._view = view
        self._room.update_poses(view)
        if self._room.needs_description(view):
            self._has_changed.set()

    def publish(self, update: PendingUpdate) -> None:
        """Publish an update."""
        if update.view is not None:
            self.update_view(update.view)
        if update.robots is not None:
            self._room.update_robots(update.robots, update.time)
        if update.people is not None:
            self._people.update(update.people, update.time)
        if update.touches is not None:
            self._room.update_touches(update.touches)
        if update.devices is not None:
            self._room.update_devices(update.devices)
        for notification in (*update.notifications, *update.event_states.values()):
            self._send_notification(notification)
        if update.n_dropped:
            self._hub.send_all(Announced(f"… and {update.n_dropped} more messages"))
        self._hub.wake_all()

    def _send_notification(self, notification: Notification) -> None:
        match notification:
            case SoundChanged():
                self._sounds.record(notification)
                self._hub.send_all(notification)
            case Announced() | Happened():
                self._note_collision(notification)
                self._hub.send_all(notification)
            case _:
                task = asyncio.create_task(self._save_snapshot(notification))
                self._saving.add(task)
                task.add_done_callback(self._saving.discard)

    def _note_collision(self, message: Announced | Happened) -> None:
        """Keep a collision that lasts, for pages that come later."""
        if isinstance(message, Happened) and message.what == "collision":
            if message.state:
                self._room.collisions[tuple(message.names)] = message
            else:
                self._room.collisions.pop(tuple(message.names), None)

    async def _save_snapshot(self, asked: SnapshotAsked) -> None:
        """Save a picture that a rule requested."""
        try:
            picture = await self._snapshots.request(viewpoint=asked.viewpoint)
            path = await asyncio.to_thread(save_picture, self._pictures, asked.path, picture)
        except (NoPage, NoPicture, OSError) as error:
            self._hub.send_all(Announced(str(error), f"snapshot {asked.path}"))
        else:
            self._hub.send_all(Announced(f"saved {path.name}"))

    async def describe_changes(self) -> None:
        """Describe the scene whenever it has changed, in another thread."""
        wait, reported = DESCRIBE_INTERVAL, ""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            try:
                # Skins of people are slow: they follow in a second description.
                if self._view is not None and not await self._describe(self._view, is_quick=True):
                    await self._describe(self._view, is_quick=False)
                wait, reported = DESCRIBE_INTERVAL, ""
            except Exception as error:  # pages keep the previous description
                wait, problem = min(2 * wait, MAX_RETRY_WAIT), f"{type(error).__name__}: {error}"
                if problem != reported:
                    LOG.warning("the scene cannot be described", exc_info=error)
                    self._hub.send_all(Announced(problem, "description"))
                reported = problem
            await asyncio.sleep(wait)

    async def _describe(self, view: SceneSnapshot, *, is_quick: bool) -> bool:
        """Describe a snapshot; return whether it is complete."""
        describer = self._describer
        known = len(describer.problems)
        description = await asyncio.to_thread(describer.describe, view, is_quick=is_quick)
        self._room.update_description(description)
        self.update_view(self._view or view)
        for problem in describer.problems[known:]:
            self._hub.send_all(Announced(problem, "mesh"))
        self._hub.wake_all()
        self._on_described()
        return description.is_whole

    def close(self) -> None:
        """Cancel pending work."""
        self._people.close()
        for task in self._saving:
            task.cancel()


def call_periodically(seconds: float, act: Callable[[], None]) -> asyncio.Task[None]:
    """Call a function periodically on the server's thread."""

    async def repeat() -> None:
        while True:
            await asyncio.sleep(seconds)
            act()

    return asyncio.create_task(repeat())
