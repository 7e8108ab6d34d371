"""Console lines that need a long file: it is read before they are queued, in another thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

__all__ = ["PreparedLines"]

MAX_WAITING = 100  # lines

Queue: TypeAlias = Callable[[bool], None]  # called with whether the line is still wanted


class PreparedLines:
    """Lets the lines of a page wait, in their order, until their files were read."""

    def __init__(self) -> None:
        self._last: dict[str, asyncio.Task[None]] = {}  # by client
        self._n_waiting = 0
        self._stops = 0

    def add(self, client: str, queue: Queue, prepare: Callable[[], object] | None) -> bool:
        """Queue a line once it is prepared; return False if too many wait."""
        before = self._last.get(client)
        if prepare is None and before is None:
            queue(True)
            return True
        if self._n_waiting >= MAX_WAITING:
            return False
        self._n_waiting += 1
        task = asyncio.create_task(self._wait(before, prepare, queue, self._stops))
        self._last[client] = task
        task.add_done_callback(partial(self._done, client))
        return True

    def drop(self) -> None:
        """Give up all lines that wait, since a stop came after them."""
        self._stops += 1

    async def _wait(
        self,
        before: asyncio.Task[None] | None,
        prepare: Callable[[], object] | None,
        queue: Queue,
        stops: int,
    ) -> None:
        if before is not None:
            await asyncio.wait([before])
        if prepare is not None and stops == self._stops:
            with suppress(Exception):  # the line itself will say what is wrong
                await asyncio.to_thread(prepare)
        queue(stops == self._stops)

    def _done(self, client: str, task: asyncio.Task[None]) -> None:
        self._n_waiting -= 1
        if self._last.get(client) is task:
            del self._last[client]
