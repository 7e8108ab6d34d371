"""`robotix compile`: compile the kernels now, so that nobody waits for them later."""

from __future__ import annotations

import time

import typer

__all__ = ["compile_kernels"]


def compile_kernels() -> None:
    """Compile the kernels now, once.

    Later runs find them on disk. Set-up does this, so that nobody waits in the middle of something.
    """
    from numba.core import event
    from rich.console import Console

    from robotix.cli.compiling import CompileCounter
    from robotix.cli.warm_up import STAGES

    begin, counter = time.perf_counter(), CompileCounter()
    console = Console(stderr=True, highlight=False)
    with event.install_listener("numba:compile", counter):
        for number, (name, run) in enumerate(STAGES, start=1):
            console.print(f"compiling {number}/{len(STAGES)}: {name} …")
            run()
    seconds = time.perf_counter() - begin
    if counter.count:
        typer.echo(f"kernels are ready: {counter.count} functions in {seconds:.0f} s")
    else:
        typer.echo("kernels are ready; they had been compiled before")
