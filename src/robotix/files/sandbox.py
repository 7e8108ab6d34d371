"""Sandboxed worker processes: fragile libraries read untrusted files outside of this process.

A worker is a Python file that calls `serve_requests`. It is run by path rather than imported, so it
loads only what it needs. Damaged files may crash it, keep it busy or make it allocate without end:
the parent bounds its waiting time, the worker itself its memory and processor time.

A request is one line of JSON on the worker's standard input. An answer is one line of JSON, whose
key `body_bytes` is the number of bytes that follow the line. Before the first request the worker
answers `{"ready": true}`, or `{"missing": reason}` when a library cannot be imported. Anything
else that the worker's libraries print is discarded.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeAlias

from robotix.errors import RobotixError
from robotix.files.closing import Closing
from robotix.files.parent_process import end_with_parent, named_parent

__all__ = [
    "IsolatedWorker",
    "WorkerCrashed",
    "WorkerTimeout",
    "run_isolated",
    "serve_requests",
]

CPU_SECONDS = 60  # of processor time per request, in case no parent is left to end the worker
MAX_REQUEST_BYTES = 2**15  # fits the buffer of a pipe, so that sending never blocks
START_TIMEOUT = 60.0  # s to import the libraries, even on a busy machine
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}  # little address space

WorkerAnswer: TypeAlias = tuple[dict[str, Any], bytes]


class WorkerTimeout(RobotixError, TimeoutError):
    """A worker did not answer in time, and was killed."""

    def __init__(self, timeout: float) -> None:
        super().__init__(timeout)

    def __str__(self) -> str:
        return f"no answer after {self.args[0]:g} s"


class WorkerCrashed(RobotixError, RuntimeError):
    """A worker ended, or answered with something else than the protocol says."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)


def run_isolated(
    worker: Path, request: Mapping[str, Any], *, timeout: float, memory: int
) -> WorkerAnswer:
    """Start a worker, send it one request, and return its answer; the worker is then ended.

    Args:
        worker: The Python file, which calls `serve_requests`.
        request: What is sent, as JSON.
        timeout: How long starting and answering may take together, in s.
        memory: The address space that the worker may use, in bytes; also bounds the answer.

    Raises:
        WorkerTimeout: There was no answer in time.
        WorkerCrashed: The worker ended without an answer, or sent something else.
        ImportError: The worker lacks a library.
    """
    end = time.monotonic() + timeout
    with IsolatedWorker(worker, memory=memory) as process:
        try:
            process.start(timeout=timeout)
            return process.ask(request, timeout=max(end - time.monotonic(), 0.0))
        except WorkerTimeout:
            raise WorkerTimeout(timeout) from None


class IsolatedWorker(Closing):
    """A worker process for many requests, started again after one that broke it.

    Use it as a context manager, from one thread at a time.
    """

    def __init__(self, worker: Path, *, memory: int, cpu_seconds: int = CPU_SECONDS) -> None:
        self.worker = worker
        self.memory = memory  # bytes of address space
        self.cpu_seconds = cpu_seconds  # of processor time per request
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._answers: queue.SimpleQueue[WorkerAnswer | None] = queue.SimpleQueue()

    def start(self, *, timeout: float = START_TIMEOUT) -> None:
        """Start the process unless it runs; raise as `run_isolated` does."""
        if self._process is not None:
            return
        command = [sys.executable, "-P", str(self.worker), str(self.memory), str(self.cpu_seconds)]
        path = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            command,  # -P: the worker's folder is no place to import from
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT, **named_parent(), "PYTHONPATH": path},
            start_new_session=True,  # so that its own children can be killed with it
        )
        assert self._process.stdout is not None
        self._answers = queue.SimpleQueue()
        arguments = (self._process.stdout, self._answers, self.memory)
        self._thread = threading.Thread(target=_receive, args=arguments, daemon=True)
        self._thread.start()
        with self._closing_on_failure():
            header, _ = self._next_answer(timeout)
            if "missing" in header:
                raise ImportError(str(header["missing"]))

    def ask(self, request: Mapping[str, Any], *, timeout: float) -> WorkerAnswer:
        """Return the answer to a request; raise as `run_isolated` does.

        `timeout` is the time for this request alone, in s. A worker that fails is ended, and
        started again for the next request.
        """
        line = json.dumps(request).encode() + b"\n"
        if len(line) > MAX_REQUEST_BYTES:
            raise ValueError(f"a request has at most {MAX_REQUEST_BYTES} bytes, got {len(line)}")
        self.start()
        assert self._process is not None and self._process.stdin is not None
        with self._closing_on_failure():
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except OSError:  # it ended between two requests
                raise WorkerCrashed("the process ended") from None
            return self._next_answer(timeout)

    def close(self) -> None:
        """Kill the process and its children, if there are any."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert self._thread is not None
        self._thread.join()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):  # a request that the process never read
                if stream is not None:
                    stream.close()

    def _next_answer(self, timeout: float) -> WorkerAnswer:
        try:
            answer = self._answers.get(timeout=timeout)
        except queue.Empty:
            raise WorkerTimeout(timeout) from None
        if answer is None:
            if self._was_stopped():
                raise WorkerTimeout(self.cpu_seconds)
            raise WorkerCrashed("the process ended without an answer")
        return answer

    def _was_stopped(self) -> bool:
        """Return whether the process ended because its processor time was used up."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):  # it has closed its output, and ends now
            return self._process.wait(timeout=1.0) == -signal.SIGXCPU
        return False

    @contextmanager
    def _closing_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise


def _receive(
    stream: IO[bytes], answers: queue.SimpleQueue[WorkerAnswer | None], max_bytes: int
) -> None:
    """Forward answers until the stream ends or breaks the protocol; None marks the end."""
    try:
        while True:
            answers.put(_read_answer(stream, max_bytes))
    except (OSError, ValueError, RecursionError):
        pass
    finally:
        answers.put(None)


def _read_answer(stream: IO[bytes], max_bytes: int) -> WorkerAnswer:
    """Return the next answer; raise ValueError when there is none."""
    header = json.loads(stream.readline(max_bytes))
    count = header.pop("body_bytes", None) if isinstance(header, dict) else None
    if not isinstance(count, int) or not 0 <= count <= max_bytes:
        raise ValueError("no answer")
    body = stream.read(count)
    if len(body) < count:
        raise ValueError("an answer cut short")
    return header, body


# -- in the worker --------------------------------------------------------------------------


def serve_requests(load: Callable[[], Callable[[dict[str, Any]], WorkerAnswer]]) -> None:
    """Answer the requests of a parent until its end of the pipe is closed.

    Args:
        load: Imports the libraries, under the bounds already, and returns the function that
            answers one request. It is called once; its ImportErrors are sent to the parent.
    """
    memory, cpu_seconds = int(sys.argv[1]), int(sys.argv[2])
    end_with_parent()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # output of libraries is not an answer
        _limit_memory(memory)
        _limit_cpu_time(cpu_seconds)
        try:
            answer = load()
        except ImportError as error:
            _send(answers, {"missing": str(error)})
            return
        _send(answers, {"ready": True})
        for line in sys.stdin.buffer:
            _limit_cpu_time(cpu_seconds)
            _send(answers, *answer(json.loads(line)))


def _send(answers: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    answers.write(json.dumps({**header, "body_bytes": len(body)}).encode() + b"\n" + body)
    answers.flush()


def _limit_memory(memory: int) -> None:
    import resource

    for kind, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        bound = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (bound, bound))


def _limit_cpu_time(seconds: int) -> None:
    """Let the process run for this much more processor time, in s, before it is ended."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    bound = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (bound, hard))
