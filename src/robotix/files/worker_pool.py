"""A pool of processes that ends with the process that started it: killed, failed or by Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from robotix.files.parent_process import end_with_parent

__all__ = ["WorkerPool"]

P = ParamSpec("P")
R = TypeVar("R")
QUIET = "ignore:resource_tracker:UserWarning"  # as Python's option -W


class WorkerPool(ProcessPoolExecutor):
    """Worker processes to which Ctrl-C does not apply: it ends this process, and this ends them.

    They are spawned, since a fork copies locks that another thread may hold.
    """

    def __init__(self, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        _start_tracker()
        super().__init__(
            count, mp_context=context, initializer=end_with_parent, initargs=(os.getpid(),)
        )

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Start a call in a process of the pool."""
        with _ctrl_c_blocked():  # processes start here, and keep what is blocked from the beginning
            return super().submit(function, *args, **kwargs)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Wait for the processes; after an error end them, since nobody wants their results."""
        if error is not None:
            processes: Any = self._processes  # None once it was shut down
            for process in list((processes or {}).values()):
                process.terminate()
        return super().__exit__(kind, error, trace)


def _start_tracker() -> None:
    """Start the process by which Python cleans up after pools, if there is none, without warnings.

    It would warn of leaks whenever this process ends by a signal, although it then closes them.
    """
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [before, QUIET]))
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Hold Ctrl-C back; it is obeyed at the end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
