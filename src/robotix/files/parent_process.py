"""Worker processes that end with the process that started them, even if that was killed."""

from __future__ import annotations

import os
import threading
import time

__all__ = ["PARENT_VARIABLE", "end_with_parent", "named_parent"]

PARENT_VARIABLE = "ROBOTIX_PARENT"  # environment variable: the process that a worker ends with
WATCH_INTERVAL = 0.5  # s


def named_parent() -> dict[str, str]:
    """Return an environment variable that names this process to the workers that it starts."""
    return {PARENT_VARIABLE: str(os.getpid())}


def end_with_parent(parent: int | None = None) -> None:
    """End this process soon after its parent has ended.

    A thread watches the parent: Linux could send a signal instead, but does so already when the
    thread that started the worker ends. `parent` is the number of the process; by default that in
    the environment, or else the present parent.
    """
    number = parent or int(os.environ.get(PARENT_VARIABLE) or os.getppid())
    threading.Thread(target=_watch, args=(number,), name="parent watch", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_INTERVAL)
    os._exit(1)
