"""Compiles the next simulation of a room while the present one runs.

It takes over at a tick that was fixed when it was asked for, so that a replay is the same to the
last bit however fast the machine is; if it is not finished by then, that tick waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["LATENCY", "Pending"]

LATENCY = 0.1  # s from a change of the room until it is simulated
Made = TypeVar("Made")


class Pending(Generic[Made]):
    """Something that a thread makes, due at a tick."""

    def __init__(self, make: Callable[[], Made], *, due: int) -> None:
        self.due = due
        self._make = make
        self._made: Made | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="physics")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._made = self._make()
        except Exception as error:  # raised again by `result`, in the thread of the room
            self._error = error

    def result(self) -> Made:
        """Wait for it; raise what went wrong."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._made is not None
        return self._made
