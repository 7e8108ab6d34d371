"""`robotix compile`: compile kernels and modules ahead of their first use."""

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
    typer.Option("--for", help="Which kernels: `room`, those of the default scene, or `all`."),
]


def compile_kernels(group: KernelGroupOption = "all") -> None:
    """Compile all kernels ahead of their first use.

    They are cached on disk. `make setup` runs this command.
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
        typer.echo("kernels are ready; all were in the cache")


def prepare_kernels() -> None:
    """Compile the kernels of scenes, in two processes, unless they are on disk."""
    from robotix.kernels.compiled_groups import is_compiled

    if is_compiled("room"):
        return
    from robotix.warm_up.compiling import compile_group

    compile_group("room", _report)


def _report(done: StageReport) -> None:
    """Print a line for a stage that compiled any functions."""
    if done.functions:
        sys.stderr.write(f"{done}\n")
        sys.stderr.flush()


def compile_modules() -> bool:
    """Write the byte code of all modules, which halves the start-up time; return success.

    Python does so itself, unless `PYTHONDONTWRITEBYTECODE` is set or the folder is not writable.
    """
    import robotix

    return bool(compileall.compile_dir(Path(robotix.__file__).parent, quiet=2))
