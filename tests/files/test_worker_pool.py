"""Processes of a pool end with the process that started them, and print nothing then."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from robotix.files.worker_pool import WorkerPool

SOURCES = Path(__file__).parent.parent.parent / "src" / "robotix"
# These start their process in another way, with `end_with_parent` too.
OTHERS = {"server/live/people_publisher.py", "server/http/workspace_api.py"}
SCRIPT = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)  # as the command line does
from robotix.files.worker_pool import WorkerPool
with WorkerPool(2) as pool:
    waiting = pool.submit(time.sleep, 99)  # the other process has nothing to do
    time.sleep(float(sys.argv[1]))
    print("on", flush=True)
    waiting.result()
"""


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3, 2.0])  # s: while processes start, and later
def test_one_ctrl_c_ends_all_without_a_word(delay: float) -> None:
    path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(delay)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "on\n"
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)  # which also waits for the workers
    assert process.returncode == -signal.SIGINT
    assert errors == ""


def test_after_an_error_nobody_waits_for_the_others() -> None:
    begin = time.monotonic()
    with pytest.raises(ZeroDivisionError), WorkerPool(2) as pool:
        pool.submit(time.sleep, 99)
        pool.submit(divmod, 1, 0).result()
    assert time.monotonic() - begin < 60


def test_ctrl_c_is_obeyed_afterwards() -> None:
    with WorkerPool(1) as pool:
        assert pool.submit(abs, -2).result() == 2
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_every_pool_is_one_of_these() -> None:
    found = {
        file.relative_to(SOURCES).as_posix()
        for file in SOURCES.rglob("*.py")
        if "ProcessPoolExecutor" in file.read_text()
    }
    assert found == {"files/worker_pool.py"} | OTHERS
