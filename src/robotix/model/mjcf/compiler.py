"""MuJoCo's compiler in a sandboxed process, with bounds on processor time and memory."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

from robotix.errors import BadField
from robotix.files.closing import Closing
from robotix.files.sandbox import IsolatedWorker, WorkerCrashed, WorkerTimeout
from robotix.model.tree import MAX_BODIES

__all__ = ["DEFAULT_TIMEOUT", "MjcfCompiler"]

DEFAULT_TIMEOUT = 60.0  # s of processor time; the largest public robots take about 3
WAITING_FACTOR = 10.0  # real time per processor time, on a busy machine
MAX_MEMORY = 8 * 2**30  # bytes of address space
_WORKER = Path(__file__).with_name("worker.py")


class MjcfCompiler(Closing):
    """Compiles MJCF files one after the other, in one process until a file crashes it.

    Use it as a context manager, from one thread at a time. Sharing one pays off only for many
    files: starting takes about half a second.
    """

    def __init__(self, *, timeout: float = DEFAULT_TIMEOUT) -> None:
        if not 0 <= timeout < math.inf:
            raise BadField("timeout", "a finite number of seconds, at least 0", timeout)
        self.timeout = timeout  # s of processor time per file
        cpu_seconds = max(math.ceil(timeout), 1)
        self._worker = IsolatedWorker(_WORKER, memory=MAX_MEMORY, cpu_seconds=cpu_seconds)

    def compile(self, path: str) -> dict[str, Any]:
        """Return the compiled model as plain lists, or the key `error` with what went wrong."""
        try:
            self._worker.start()
        except ImportError as error:
            raise ImportError(f"MJCF files need the package mujoco: {error}") from None
        except (WorkerTimeout, WorkerCrashed):
            reason = "its process did not start"
            raise ImportError(f"MJCF files need the package mujoco: {reason}") from None
        request = {"path": os.path.abspath(path), "max_bodies": MAX_BODIES}
        try:
            compiled, _ = self._worker.ask(request, timeout=WAITING_FACTOR * self.timeout)
        except WorkerTimeout:
            reason = f"the compiler was stopped after {self.timeout:g} s"
            return {"error": f"{reason}; allow it more with `timeout`"}
        except WorkerCrashed:
            return {"error": "the compiler crashed on this file"}
        return compiled

    def close(self) -> None:
        """End the process, if there is one."""
        self._worker.close()
