"""One Ctrl-C ends the command line, at any moment."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMPILE = """
import sys, threading, os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
from robotix import __main__
from robotix.warm_up import stages

def compile_for_long():
    from numba import njit
    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)
    threading.Timer(0.3, interrupt).start()
    while True:  # what compiling does with exceptions: callbacks of C lose them
        try:
            njit(lambda x: x + 1)(1)
        except KeyboardInterrupt:
            pass

stages.PLANS["room"] = stages.WarmUpPlan((stages.WarmUpStage("x", compile_for_long),), (), ())
sys.argv = ["robotix", "compile", "--for", "room"]
__main__.main()
"""


def test_it_is_obeyed_while_kernels_compile() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPILE], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGINT
    assert "Traceback" not in done.stderr


IMPORT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from robotix import __main__
sys.argv = ["robotix", "run", "--headless", "--seconds", "0.01", "planar_3r"]
__main__.main()
"""


@pytest.mark.parametrize(
    "module", ["typer", "robotix.cli.main", "numba", "robotix.app.session", "robotix.warm_up.rooms"]
)
def test_it_leaves_no_traceback_at_any_moment_of_the_start(module: str, tmp_path: Path) -> None:
    script = IMPORT.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode in (-signal.SIGINT, 0)  # 0: the scene ran already, and ended in order
    assert "Traceback" not in done.stderr
