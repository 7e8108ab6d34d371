"""MuJoCo's compiler at arm's length: in a process of its own, with bounds on time and memory."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from robotix.files.closing import Closing
from robotix.model.tree import MAX_BODIES

__all__ = ["MjcfCompiler"]

START_SECONDS = 60.0  # to import MuJoCo, even on a machine that is busy with other things
_FRUGAL = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}  # fit many cores in the bounds
_WORKER = Path(__file__).with_name("worker.py")


class MjcfCompiler(Closing):
    """Compiles MJCF files one after the other; one process serves as long as none breaks it.

    Use it as a context manager, from one thread at a time. It is worth keeping only for many
    files: starting takes about half a second.
    """

    def __init__(self, *, timeout: float = 5.0) -> None:
        self.timeout = timeout  # s a file
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def compile(self, path: str) -> dict[str, Any]:
        """Return the compiled model as plain lists, or the key `error` with what went wrong."""
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        request = {"path": os.path.abspath(path), "most_bodies": MAX_BODIES}
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=self.timeout)
        except queue.Empty:
            self.close()
            return {"error": f"the compiler was stopped after {self.timeout:g} s"}
        except OSError:  # the process died between two files
            line = None
        if line is None:
            self.close()
            return {"error": "the compiler crashed on this file"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:  # a request that the process never read
                pass

    def _start(self) -> None:
        environment = {**os.environ, **_FRUGAL}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER)],  # -P: the worker's folder holds no libraries
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            encoding="utf-8",
        )
        self._lines = queue.SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(
            target=_forward, args=(self._process.stdout, self._lines), daemon=True
        ).start()
        try:
            line = self._lines.get(timeout=START_SECONDS)
        except queue.Empty:
            line = None
        answer = json.loads(line) if line else {"missing": "its process did not start"}
        if "missing" in answer:
            self.close()
            raise ImportError(f"MJCF files need the package mujoco: {answer['missing']}")


def _forward(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    try:
        for line in stream:
            lines.put(line)
    except (OSError, ValueError):  # closed while reading
        pass
    lines.put(None)
