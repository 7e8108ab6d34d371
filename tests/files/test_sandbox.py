"""Sandboxed workers: whatever they do, the parent gets an answer or an error, in time."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from robotix.files.sandbox import (
    MAX_REQUEST_BYTES,
    IsolatedWorker,
    WorkerCrashed,
    WorkerTimeout,
    run_isolated,
)

MEMORY = 2**30
TIMEOUT = 60.0  # s; a busy machine starts a process slowly

WORKER = """
import ctypes, os, signal, subprocess, sys, time
from robotix.files.sandbox import serve_requests

def load():
    {load}
    return answer

def answer(request):
    {answer}

serve_requests(load)
"""


@pytest.fixture
def worker(tmp_path: Path) -> Iterator["WorkerFile"]:
    file = WorkerFile(tmp_path)
    yield file
    file.check_ended()


class WorkerFile:
    """A worker of a few lines that notes its process id, to see that nothing is left of it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "worker.py"
        self.notes = folder / "pids"

    def write(self, answer: str, *, load: str = "pass") -> Path:
        note = f"open({str(self.notes)!r}, 'a').write(f'{{os.getpid()}}\\n'); "
        self.path.write_text(WORKER.format(load=note + load, answer=answer))
        return self.path

    def check_ended(self) -> None:
        pids = self.notes.read_text().split() if self.notes.exists() else []
        deadline = time.monotonic() + 10.0  # orphans are reaped by another process
        while any(is_running(int(pid)) for pid in pids) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not [pid for pid in pids if is_running(int(pid))]


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_an_answer_has_a_header_and_a_body(worker: WorkerFile) -> None:
    path = worker.write("return {'sum': sum(request['terms'])}, bytes(range(256)) * 1000")
    header, body = run_isolated(path, {"terms": [1, 2]}, timeout=TIMEOUT, memory=MEMORY)
    assert header == {"sum": 3} and body == bytes(range(256)) * 1000
    assert worker.notes.exists()


def test_a_worker_answers_many_requests(worker: WorkerFile) -> None:
    path = worker.write("return {'pid': os.getpid()}, b''")
    with IsolatedWorker(path, memory=MEMORY) as process:
        first, second = (process.ask({}, timeout=TIMEOUT)[0]["pid"] for _ in range(2))
        assert first == second != os.getpid()
        process.close()
        assert process.ask({}, timeout=TIMEOUT)[0]["pid"] != first


def test_a_worker_that_hangs_is_ended(worker: WorkerFile) -> None:
    path = worker.write("\n    while True: pass")
    start = time.monotonic()
    with pytest.raises(WorkerTimeout, match=r"no answer after 3 s"):
        run_isolated(path, {}, timeout=3.0, memory=MEMORY)
    assert time.monotonic() - start < 30.0


def test_a_worker_that_never_starts_is_ended(worker: WorkerFile) -> None:
    path = worker.write("return {}, b''", load="time.sleep(1000)")
    with pytest.raises(WorkerTimeout, match=r"no answer after 0\.5 s"):
        run_isolated(path, {}, timeout=0.5, memory=MEMORY)


def test_memory_is_bounded(worker: WorkerFile) -> None:
    path = worker.write(
        "\n    try: return {'got': len(bytearray(request['bytes']))}, b''"
        "\n    except MemoryError: return {'got': None}, b''"
    )
    with IsolatedWorker(path, memory=MEMORY) as process:
        assert process.ask({"bytes": 2**20}, timeout=TIMEOUT)[0] == {"got": 2**20}
        assert process.ask({"bytes": 2 * MEMORY}, timeout=TIMEOUT)[0] == {"got": None}


def test_processor_time_is_bounded_for_each_request(worker: WorkerFile) -> None:
    path = worker.write(
        "\n    import resource"
        "\n    soft, _ = resource.getrlimit(resource.RLIMIT_CPU)"
        "\n    used = resource.getrusage(resource.RUSAGE_SELF)"
        "\n    return {'left': soft - used.ru_utime - used.ru_stime}, b''"
    )
    left = run_isolated(path, {}, timeout=TIMEOUT, memory=MEMORY)[0]["left"]
    assert 55.0 < left <= 60.0


def test_a_worker_that_computes_for_ever_is_ended(worker: WorkerFile) -> None:
    path = worker.write("\n    while True: pass")
    with IsolatedWorker(path, memory=MEMORY, cpu_seconds=1) as process:
        with pytest.raises(WorkerTimeout, match="after 1 s"):
            process.ask({}, timeout=TIMEOUT)


@pytest.mark.parametrize(
    "crash",
    ["os.abort()", "ctypes.string_at(0)", "raise KeyError('a bug')", "os._exit(0)"],
)
def test_a_crash_is_an_error(crash: str, worker: WorkerFile) -> None:
    with pytest.raises(WorkerCrashed, match="ended without an answer"):
        run_isolated(worker.write(crash), {}, timeout=TIMEOUT, memory=MEMORY)


def test_after_a_crash_the_next_request_is_answered(worker: WorkerFile) -> None:
    path = worker.write("return {'quotient': 1 // request['by']}, b''")
    with IsolatedWorker(path, memory=MEMORY) as process:
        with pytest.raises(WorkerCrashed):
            process.ask({"by": 0}, timeout=TIMEOUT)
        assert process.ask({"by": 1}, timeout=TIMEOUT)[0] == {"quotient": 1}


def test_what_libraries_print_is_no_answer(worker: WorkerFile) -> None:
    path = worker.write(
        "print('garbage', flush=True); os.write(1, b'{}'); os.system('echo more'); "
        "return {'well': True}, b''",
        load="print('a banner', flush=True)",
    )
    assert run_isolated(path, {}, timeout=TIMEOUT, memory=MEMORY)[0] == {"well": True}


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage\n",
        b"\xff\xfe\n",
        b"{}\n",
        b"[1]\n",
        b"null\n",
        b'{"body_bytes": -1}\n',
        b'{"body_bytes": 1e999}\n',
        b'{"body_bytes": 99999999999999}\n',
        b'{"body_bytes": 10}\nshort',
        b"[" * 100_000 + b"\n",
    ],
    ids=repr,
)
def test_an_answer_that_is_none_is_an_error(garbage: bytes, worker: WorkerFile) -> None:
    worker.path.write_bytes(b"import sys\nsys.stdout.buffer.write(%r)\n" % garbage[:200])
    if len(garbage) > 200:
        worker.path.write_bytes(b"import sys\nsys.stdout.buffer.write(b'[' * 100_000 + b'\\n')\n")
    with pytest.raises(WorkerCrashed):
        run_isolated(worker.path, {}, timeout=TIMEOUT, memory=MEMORY)


def test_a_missing_library_is_an_import_error(worker: WorkerFile) -> None:
    path = worker.write("return {}, b''", load="import no_such_library")
    with pytest.raises(ImportError, match="no_such_library"):
        run_isolated(path, {}, timeout=TIMEOUT, memory=MEMORY)


def test_children_of_a_worker_end_with_it(worker: WorkerFile) -> None:
    child = "child = subprocess.Popen(['sleep', '1000'])"
    note = f"open({str(worker.notes)!r}, 'a').write(f'{{child.pid}}\\n')"
    path = worker.write(f"{child}; {note}; return {{}}, b''")
    run_isolated(path, {}, timeout=TIMEOUT, memory=MEMORY)
    assert len(worker.notes.read_text().split()) == 2


def test_long_requests_are_refused(worker: WorkerFile) -> None:
    path = worker.write("return {}, b''")
    with pytest.raises(ValueError, match="a request has at most"):
        run_isolated(path, {"text": "a" * MAX_REQUEST_BYTES}, timeout=TIMEOUT, memory=MEMORY)
