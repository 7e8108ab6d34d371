"""Brings figures of people to the pages that watch them; the newest only, never a queue of old."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from robotix.server.live.hub import Hub
from robotix.server.wire.people import PersonState
from robotix.server.wire.protocol import Announced, People

if TYPE_CHECKING:
    from robotix.server.live.people_worker import AssessedBody
    from robotix.server.live.snapshot import PersonSnapshot

__all__ = ["PeopleFeed"]

LOG = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")
MOST_KNOWN = 64  # bodies and performances; when there are more, the process begins anew


@dataclass(frozen=True, eq=False)
class _Known:
    """What was worked out of a person last."""

    now: PersonSnapshot
    state: PersonState  # in the frame of the base


class PeopleFeed:
    """Works out what was noted of people, one after the other, and hands it to the pages."""

    def __init__(self, hub: Hub, *, start: Callable[[], Executor] | None = None) -> None:
        """Begin without a process; `start` makes the executor when it is needed."""
        self._hub = hub
        self._start = start or _start_process
        self._pool: Executor | None = None
        self._numbers: dict[
            int, tuple[int, AssessedBody]
        ] = {}  # by identity, as the process knows them
        self._known: dict[str, _Known] = {}
        self._told: list[PersonState] | None = None
        self._waiting: tuple[tuple[PersonSnapshot, ...], float] | None = None
        self._task: asyncio.Task[None] | None = None
        self._has_failed = False

    def take(self, people: tuple[PersonSnapshot, ...], time: float) -> None:
        """Take what was noted at a time of the room; what nobody has begun with is given up."""
        if self._has_failed:
            return
        self._waiting = people, time
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._waiting is not None:
            (people, time), self._waiting = self._waiting, None
            try:
                await self._work_out(people)
            except Exception as error:  # pages go on without figures, and hear why
                self._has_failed = True
                LOG.warning("figures of people cannot be worked out", exc_info=error)
                self._hub.tell_all(
                    Announced(f"{type(error).__name__}: {error}", "figures of people")
                )
                return
            self._tell(people, time)

    async def _work_out(self, people: Sequence[PersonSnapshot]) -> None:
        """Bring what is known up to date; who has not moved costs nothing."""
        moved = [now for now in people if not self._is_known(now)]
        if not moved:
            return
        from robotix.server.live.people_worker import Asked, work_out

        if len(self._numbers) + len(moved) > MOST_KNOWN:
            self._forget()
        asked = [Asked(await self._number(now.subject), now.q, now.act_time) for now in moved]
        states = await self._run(work_out, asked)
        for now, state in zip(moved, states, strict=True):
            self._known[now.name] = _Known(now, state)

    def _is_known(self, now: PersonSnapshot) -> bool:
        known = self._known.get(now.name)
        return (
            known is not None
            and known.now.q is now.q
            and known.now.subject is now.subject
            and known.now.act_time == now.act_time
        )

    async def _number(self, subject: AssessedBody) -> int:
        """Return the number under which the process knows a subject, telling it if need be."""
        from robotix.server.live.people_worker import learn

        if id(subject) not in self._numbers:
            number = len(self._numbers)
            await self._run(learn, number, subject)
            self._numbers[id(subject)] = number, subject
        return self._numbers[id(subject)][0]

    async def _run(self, work: Callable[P, R], *arguments: P.args, **_: P.kwargs) -> R:
        if self._pool is None:
            self._pool = self._start()
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    def _tell(self, people: Sequence[PersonSnapshot], time: float) -> None:
        from robotix.server.live.person_states import back_limits, in_world

        states = [
            in_world(self._known[now.name].state, name=now.name, base=now.base) for now in people
        ]
        if states == self._told:
            return
        self._told = states
        self._hub.room.take_people(People(time, back_limits(), states))
        self._hub.wake_all()

    def _forget(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        self._numbers.clear()

    def close(self) -> None:
        """End the process."""
        if self._task is not None:
            self._task.cancel()
        self._forget()


def _start_process() -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    from robotix.server.live.people_worker import prepare

    # A fresh process: one that is forked while threads run may never get going.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=prepare)
