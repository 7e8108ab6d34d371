"""Workers end with the process that started them, however that ends."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

PATIENCE = 20.0  # s

# Each starts a worker and prints the numbers of all processes below it; then it waits.
WORKERS = {
    "subprocess": """
import os, subprocess, sys, time
from robotix.files.parent_process import named_parent
code = '''
import time
from robotix.files.parent_process import end_with_parent
end_with_parent()
print("on", flush=True)
time.sleep(99)
'''
environment = os.environ | named_parent()
child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
child.stdout.readline()
""",
    "sandbox": """
from pathlib import Path
import robotix.model.mjcf.worker as worker
from robotix.files.sandbox import IsolatedWorker
sandboxed = IsolatedWorker(Path(worker.__file__), memory=8 << 30)
sandboxed.start()
""",
    "people": """
from robotix.server.live.people_publisher import _start_process
pool = _start_process()
pool.submit(int, 1).result()
""",
    "compile": """
import threading
from robotix.warm_up.compiling import _second_process
second = _second_process("room", lambda done: None)
second.__enter__()
""",
}
TAIL = """
import os, time
from pathlib import Path
here = Path(f"/proc/{os.getpid()}/task")
numbers = [each for task in here.iterdir() for each in (task / "children").read_text().split()]
print(*numbers, flush=True)
time.sleep(99)
"""


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("kind", WORKERS)
def test_a_killed_process_leaves_nobody_behind(kind: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WORKERS[kind] + TAIL], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        children = [int(each) for each in process.stdout.readline().split()]
        try:
            assert children and all(map(is_running, children))
        finally:
            process.kill()
    end = time.monotonic() + PATIENCE
    while any(map(is_running, children)):
        assert time.monotonic() < end, f"{[each for each in children if is_running(each)]} go on"
        time.sleep(0.05)
