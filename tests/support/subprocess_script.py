"""Scripts in a process of their own, whose last line of output is JSON."""

import json
import subprocess
import sys
from typing import Any


def run_script(script: str, *arguments: str) -> Any:
    """Run a script; return what its last line says."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
