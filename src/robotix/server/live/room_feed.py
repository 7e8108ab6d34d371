"""Brings what the loop's thread has noted to the pages, in the server's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from robotix.server.live.hub import Hub
from robotix.server.live.people_feed import PeopleFeed
from robotix.server.live.snapshots import NoPage, NoPicture, Snapshots, save_picture
from robotix.server.live.sounds import Sounds
from robotix.server.wire.protocol import Announced, Happened, SoundChanged

if TYPE_CHECKING:
    from robotix.scene.events.messages import SnapshotAsked
    from robotix.server.live.describe import Describer
    from robotix.server.live.observer import Notification, PendingUpdate
    from robotix.server.live.snapshot import SceneSnapshot

__all__ = ["RoomFeed"]

LOG = logging.getLogger(__name__)
DESCRIBE_EVERY = 1 / 30  # s; looks change no oftener than this


class RoomFeed:
    """Takes parcels, keeps the description of the room up to date, lets pages be told."""

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
        self._pictures = pictures  # the folder for them
        self._on_described = on_described  # told whenever pages can see something new
        self._people = PeopleFeed(hub)
        self._view: SceneSnapshot | None = None
        self._has_changed = asyncio.Event()
        self._saving: set[asyncio.Task[None]] = set()

    def show(self, view: SceneSnapshot) -> None:
        """Take over the newest view of the room."""
        self._view = view
        self._room.take_places(view)
        if self._room.needs_description(view):
            self._has_changed.set()

    def take(self, parcel: PendingUpdate) -> None:
        """Take over all that is in a parcel."""
        if parcel.view is not None:
            self.show(parcel.view)
        if parcel.robots is not None:
            self._room.take_robots(parcel.robots, parcel.time)
        if parcel.people is not None:
            self._people.take(parcel.people, parcel.time)
        for happening in (*parcel.happenings, *parcel.switched.values()):
            self._pass_on(happening)
        if parcel.missed:
            self._hub.tell_all(Announced(f"… and {parcel.missed} more messages"))
        self._hub.wake_all()

    def _pass_on(self, happening: Notification) -> None:
        match happening:
            case SoundChanged():
                self._sounds.take(happening)
                self._hub.tell_all(happening)
            case Announced() | Happened():
                self._hub.tell_all(happening)
            case _:
                task = asyncio.create_task(self._save_snapshot(happening))
                self._saving.add(task)
                task.add_done_callback(self._saving.discard)

    async def _save_snapshot(self, asked: SnapshotAsked) -> None:
        """Let a page draw what a rule asked for, and save it."""
        try:
            picture = await self._snapshots.take(viewpoint=asked.viewpoint)
            path = await asyncio.to_thread(save_picture, self._pictures, asked.path, picture)
        except (NoPage, NoPicture, OSError) as error:
            self._hub.tell_all(Announced(str(error), f"snapshot {asked.path}"))
        else:
            self._hub.tell_all(Announced(f"saved {path.name}"))

    async def describe_forever(self) -> None:
        """Describe the room whenever it has changed, in a thread of its own."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            try:
                # The skins of people take a while: they come after all else.
                if self._view is not None and not await self._describe(self._view, is_quick=True):
                    await self._describe(self._view, is_quick=False)
            except Exception as error:  # pages see the room as it was, and hear why
                LOG.warning("a view cannot be described", exc_info=error)
                self._hub.tell_all(Announced(f"{type(error).__name__}: {error}", "description"))
            await asyncio.sleep(DESCRIBE_EVERY)

    async def _describe(self, view: SceneSnapshot, *, is_quick: bool) -> bool:
        """Describe a view; return whether nothing was put off."""
        describer = self._describer
        known = len(describer.problems)
        description = await asyncio.to_thread(describer.describe, view, is_quick=is_quick)
        self._room.take_description(description)
        self.show(self._view or view)
        for problem in describer.problems[known:]:
            self._hub.tell_all(Announced(problem, "mesh"))
        self._hub.wake_all()
        self._on_described()
        return description.is_whole

    def close(self) -> None:
        """Stop what is still under way."""
        self._people.close()
        for task in self._saving:
            task.cancel()


def every(seconds: float, act: Callable[[], None]) -> asyncio.Task[None]:
    """Do something again and again, in the server's thread."""

    async def go_on() -> None:
        while True:
            await asyncio.sleep(seconds)
            act()

    return asyncio.create_task(go_on())
