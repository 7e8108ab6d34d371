"""Assesses people in a separate process, and publishes the latest result."""

from __future__ import annotations

import asyncio
import logging
import time
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

__all__ = ["PeoplePublisher"]

LOG = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")
MAX_SUBJECTS = 64  # bodies and performances; beyond, the process is restarted
ANSWER_TIMEOUT = 60.0  # s; the process, which may have to start and compile, is killed after it
MIN_RETRY_WAIT, MAX_RETRY_WAIT = 1.0, 60.0  # s between a failure and the next attempt


@dataclass(frozen=True, eq=False)
class _Evaluated:
    """The last result for a person."""

    now: PersonSnapshot
    state: PersonState  # in the frame of the base


class PeoplePublisher:
    """Evaluates snapshots of people one after the other, and publishes the states.

    When its process fails or does not answer, another one is started after a while.
    """

    def __init__(
        self,
        hub: Hub,
        *,
        start: Callable[[], Executor] | None = None,
        clock: Callable[[], float] = time.monotonic,
        timeout: float = ANSWER_TIMEOUT,
    ) -> None:
        """Start without a process; `start` makes the executor when it is needed."""
        self._hub = hub
        self._start = start or _start_process
        self._clock = clock
        self._timeout = timeout
        self._pool: Executor | None = None
        self._numbers: dict[
            int, tuple[int, AssessedBody]
        ] = {}  # number in the process, by identity
        self._known: dict[str, _Evaluated] = {}
        self._published: list[PersonState] | None = None
        self._waiting: tuple[tuple[PersonSnapshot, ...], float] | None = None
        self._task: asyncio.Task[None] | None = None
        self._retry_at = -1e9
        self._retry_wait = MIN_RETRY_WAIT
        self._reported = ""  # the last failure

    def update(self, people: tuple[PersonSnapshot, ...], time: float) -> None:
        """Submit snapshots at a scene time; they replace a submission that has not been started."""
        if self._clock() < self._retry_at:
            return
        self._waiting = people, time
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._process_pending())

    async def _process_pending(self) -> None:
        while self._waiting is not None:
            (people, time), self._waiting = self._waiting, None
            try:
                await self._evaluate(people)
            except Exception as error:  # pages continue without these figures
                self._recover(error)
                return
            self._retry_wait, self._reported = MIN_RETRY_WAIT, ""
            self._publish(people, time)

    def _recover(self, error: Exception) -> None:
        """Drop the process, and wait before the next one is started; report a failure once."""
        self._stop_process()
        self._waiting = None
        self._retry_at = self._clock() + self._retry_wait
        self._retry_wait = min(2 * self._retry_wait, MAX_RETRY_WAIT)
        problem = f"{type(error).__name__}: {error}"
        if isinstance(error, TimeoutError):
            problem = f"no answer within {self._timeout:g} s"
        if problem != self._reported:
            LOG.warning("people cannot be assessed", exc_info=error)
            self._hub.send_all(Announced(problem, "figures of people"))
        self._reported = problem

    async def _evaluate(self, people: Sequence[PersonSnapshot]) -> None:
        """Evaluate the people that have changed."""
        moved = [now for now in people if not self._is_known(now)]
        if not moved:
            return
        from robotix.server.live.people_worker import PostureQuery, evaluate

        if len(self._numbers) + len(moved) > MAX_SUBJECTS:
            self._stop_process()
        asked = [
            PostureQuery(await self._subject_number(now.subject), now.q, now.act_time)
            for now in moved
        ]
        states = await self._run(evaluate, asked)
        for now, state in zip(moved, states, strict=True):
            self._known[now.name] = _Evaluated(now, state)

    def _is_known(self, now: PersonSnapshot) -> bool:
        known = self._known.get(now.name)
        return (
            known is not None
            and known.now.q is now.q
            and known.now.subject is now.subject
            and known.now.act_time == now.act_time
        )

    async def _subject_number(self, subject: AssessedBody) -> int:
        """Return the number of a subject in the process; register it if it is new."""
        from robotix.server.live.people_worker import register_subject

        if id(subject) not in self._numbers:
            number = len(self._numbers)
            await self._run(register_subject, number, subject)
            self._numbers[id(subject)] = number, subject
        return self._numbers[id(subject)][0]

    async def _run(self, work: Callable[P, R], *arguments: P.args, **_: P.kwargs) -> R:
        if self._pool is None:
            self._pool = self._start()
        answer = asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
        return await asyncio.wait_for(answer, self._timeout)

    def _publish(self, people: Sequence[PersonSnapshot], time: float) -> None:
        from robotix.server.live.person_states import back_limits, in_world

        states = [
            in_world(self._known[now.name].state, name=now.name, base=now.base) for now in people
        ]
        if states == self._published:
            return
        self._published = states
        self._hub.room.update_people(People(time, back_limits(), states))
        self._hub.wake_all()

    def _stop_process(self) -> None:
        if self._pool is not None:
            _kill(self._pool)
        self._pool = None
        self._numbers.clear()

    def close(self) -> None:
        """Stop the process."""
        if self._task is not None:
            self._task.cancel()
        self._stop_process()


def _start_process() -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    from robotix.server.live.people_worker import initialize_process

    # Spawned: forking a process with threads may deadlock.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=context, initializer=initialize_process)


def _kill(pool: Executor) -> None:
    """End an executor and its process: one that hangs would keep this process from ending."""
    # Public from Python 3.14 on, as `kill_workers`.
    processes = tuple((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
