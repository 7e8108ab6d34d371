"""Workers end with the process that started them, however that ends."""

import os
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
import threading
from pathlib import Path
from robotix.files.sandbox import IsolatedWorker
sandboxed = IsolatedWorker(Path("busy_worker.py"), memory=8 << 30)
sandboxed.start()
threading.Thread(target=sandboxed.ask, args=({},), kwargs={"timeout": 99}, daemon=True).start()
""",
    "people": """
from robotix.server.live.people_publisher import _start_process
pool = _start_process()
pool.submit(int, 1).result()
""",
    "pool": """
import time
from robotix.files.worker_pool import WorkerPool
pool = WorkerPool(2)
pool.submit(int, 1).result()
for _ in range(2):
    pool.submit(time.sleep, 99)
""",
    "compile": """
import threading
from robotix.warm_up.compiling import _second_process
second = _second_process("room", lambda done: None)
second.__enter__()
""",
}
# Work that takes long, since one that waits for more ends when its pipe is closed.
BUSY_WORKER = """
import time
from robotix.files.sandbox import serve_requests
serve_requests(lambda: lambda request: time.sleep(99))
"""
BUSY_COMPILER = """
import time
import robotix.warm_up.compiling as compiling
compiling.run_stages = lambda *stages: time.sleep(99)
"""
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
def test_a_killed_process_leaves_nobody_behind(kind: str, tmp_path: Path) -> None:
    (tmp_path / "busy_worker.py").write_text(BUSY_WORKER)
    (tmp_path / "sitecustomize.py").write_text(BUSY_COMPILER)
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    with subprocess.Popen(
        [sys.executable, "-c", WORKERS[kind] + TAIL],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=os.environ | ({"PYTHONPATH": path} if kind == "compile" else {}),
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
