"""xacro in: the package xacro makes plain URDF of it, in a process of its own.

A xacro file computes, includes other files and reads the environment, so it is run with bounds on
processor time and memory. `$(find PACKAGE)` is looked for in the folders given, in those above the
file, then below `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH`; a folder is the package if it has its
name, or a `package.xml` with that name. Arguments may have their default where xacro itself would
not know it yet, such as in the name of the robot.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from robotix.errors import BadFile
from robotix.files.sandbox import IsolatedWorker, WorkerCrashed, WorkerTimeout
from robotix.files.source_file import read_source

__all__ = ["expand_xacro"]

DEFAULT_TIMEOUT = 60.0  # s of processor time
WAITING_FACTOR = 10.0  # real time per processor time, on a busy machine
MAX_MEMORY = 2 * 2**30  # bytes of address space
_WORKER = Path(__file__).with_name("xacro_worker.py")


def expand_xacro(
    path: str | os.PathLike[str],
    *,
    arguments: Mapping[str, str] | None = None,
    packages: Iterable[str | os.PathLike[str]] = (),
    timeout: float | None = None,
) -> bytes:
    """Return the URDF text that a xacro file stands for.

    Args:
        path: The file.
        arguments: Values of its `<xacro:arg>`, as `name:=value` on xacro's command line.
        packages: Folders that are, or hold, ROS packages.
        timeout: The processor time that it may take, in s; a minute when None.
    """
    read_source(path, what="a xacro robot description")
    name, seconds = os.fspath(path), DEFAULT_TIMEOUT if timeout is None else timeout
    request = {
        "path": os.path.abspath(path),
        "arguments": dict(arguments or {}),
        "packages": [os.path.abspath(folder) for folder in packages],
    }
    cpu_seconds = max(math.ceil(seconds), 1)
    with IsolatedWorker(_WORKER, memory=MAX_MEMORY, cpu_seconds=cpu_seconds) as worker:
        try:
            answer, text = worker.ask(request, timeout=WAITING_FACTOR * seconds)
        except ImportError:
            expected = "plain URDF, or the package xacro (pip install xacro)"
            raise BadFile(name, "a xacro file", expected) from None
        except WorkerTimeout:
            found = f"a file that xacro did not finish in {seconds:g} s"
            raise BadFile(name, found, "less to compute, or a longer timeout") from None
        except WorkerCrashed:
            raise BadFile(name, "a file on which xacro crashed", "a xacro file") from None
    if "error" in answer:
        expected = "a file that xacro can expand"
        if undefined := re.search(r"Undefined substitution argument (\w+)", answer["error"]):
            expected = f"a value for it, as by {undefined[1]}:=VALUE"
        elif answer["arguments"]:
            listed = ", ".join(answer["arguments"])
            expected += f", or other arguments (NAME:=VALUE); it takes {listed}"
        raise BadFile(name, f"xacro: {answer['error']}", expected)
    return text
