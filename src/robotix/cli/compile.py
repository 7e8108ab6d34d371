"""`robotix compile`: compile the kernels and modules now, so that nobody waits for them later."""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

__all__ = ["compile_kernels", "compile_modules"]


def compile_kernels() -> None:
    """Compile the kernels now, once.

    Later runs find them on disk. Set-up does this, so that nobody waits in the middle of something.
    """
    from numba.core import event
    from rich.console import Console

    from robotix.cli.compiling import CompileCounter
    from robotix.cli.warm_up import MEANWHILE, SOLVING

    compile_modules()
    begin, counter = time.perf_counter(), CompileCounter()
    console = Console(stderr=True, highlight=False)
    stages = (*SOLVING, *MEANWHILE)
    with event.install_listener("numba:compile", counter), _second_process() as second:
        for number, (name, run) in enumerate(stages, start=1):
            console.print(f"compiling {number}/{len(stages)}: {name} …")
            if number == len(SOLVING) + 1:
                counter.count += _count_of(second)
            run()  # what the second process has compiled is on disk by now
    seconds = time.perf_counter() - begin
    if counter.count:
        typer.echo(f"kernels are ready: {counter.count} functions in {seconds:.0f} s")
    else:
        typer.echo("kernels are ready; they had been compiled before")


def compile_modules() -> bool:
    """Write the byte code of all modules, which halves the time of a start; tell whether it is so.

    Python does so itself, unless it is told not to (`PYTHONDONTWRITEBYTECODE`), or may not write
    where they lie.
    """
    import robotix

    return bool(compileall.compile_dir(Path(robotix.__file__).parent, quiet=2))


@contextmanager
def _second_process() -> Iterator[subprocess.Popen[bytes] | None]:
    """Start a process that compiles what takes no solver, if there is a core for it."""
    if (os.cpu_count() or 1) < 2:
        yield None
        return
    command = [sys.executable, "-m", "robotix.cli.warm_up"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.kill()


def _count_of(process: subprocess.Popen[bytes] | None) -> int:
    """Wait for the second process; return how many functions it has compiled.

    Should it have failed, all is compiled here, and what is wrong is heard then.
    """
    if process is None:
        return 0
    words = process.communicate()[0]
    return int(words) if process.returncode == 0 else 0
