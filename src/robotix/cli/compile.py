"""`robotix compile`: compile the kernels and modules now, so that nobody waits for them later."""

from __future__ import annotations

import compileall
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

if TYPE_CHECKING:
    from robotix.warm_up.compiling import StageReport

__all__ = ["compile_kernels", "compile_modules", "prepare_kernels"]

KernelGroupOption: TypeAlias = Annotated[
    Literal["room", "all"],
    typer.Option("--for", help="What they are for: `room`, which the flat needs, or `all`."),
]


def compile_kernels(group: KernelGroupOption = "all") -> None:
    """Compile the kernels now, once.

    Later runs find them on disk. Set-up does this, so that nobody waits in the middle of something.
    """
    from robotix.warm_up.compiling import compile_group

    if group == "all":
        compile_modules()
    begin = time.perf_counter()
    count = compile_group(group, _report)
    seconds = time.perf_counter() - begin
    if count:
        typer.echo(f"kernels are ready: {count} functions in {seconds:.0f} s")
    else:
        typer.echo("kernels are ready; they had been compiled before")


def prepare_kernels() -> None:
    """Compile what rooms need, in two processes, unless it is on disk."""
    from robotix.kernels.compiled_groups import is_compiled

    if is_compiled("room"):
        return
    from robotix.warm_up.compiling import compile_group

    compile_group("room", _report)


def _report(done: StageReport) -> None:
    """Print a line for a stage that had something to compile."""
    if done.functions:
        sys.stderr.write(f"{done}\n")
        sys.stderr.flush()


def compile_modules() -> bool:
    """Write the byte code of all modules, which halves the time of a start; tell whether it is so.

    Python does so itself, unless it is told not to (`PYTHONDONTWRITEBYTECODE`), or may not write
    where they lie.
    """
    import robotix

    return bool(compileall.compile_dir(Path(robotix.__file__).parent, quiet=2))
