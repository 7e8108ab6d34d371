"""`robotix`: one module per command; each imports what it needs when it runs.

The exit status is 2 for wrong usage and 1 for invalid input, with one message and no traceback.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from robotix.cli.arguments import HELP_FLAGS, split_list_options
from robotix.cli.check import check
from robotix.cli.compile import compile_kernels
from robotix.cli.convert import convert
from robotix.cli.ergo.ergo import ergo
from robotix.cli.fk import fk
from robotix.cli.haptics.haptics import haptics
from robotix.cli.human import human
from robotix.cli.info import info
from robotix.cli.lab.lab import lab
from robotix.cli.new import examples, new
from robotix.cli.output import explain, with_plain_words
from robotix.cli.replay import replay
from robotix.cli.robots import robots
from robotix.cli.run import run
from robotix.cli.sim.sim import sim
from robotix.cli.solve import solve
from robotix.cli.workspace import workspace
from robotix.errors import RobotixError

__all__ = ["app", "main"]

# Packages that only some commands need, and the extra of robotix that installs each.
EXTRAS = {
    "ezc3d": "mocap",
    "pyarrow": "tables",
    "rerun": "rerun",
    "scipy": "lab",
    "statsmodels": "lab",
    "xacro": "xacro",
}

app = typer.Typer(
    name="robotix",
    no_args_is_help=True,
    context_settings={"help_option_names": list(HELP_FLAGS)},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # without rich, help starts twice as fast
)


def _print_version(wanted: bool) -> None:
    if wanted:
        import robotix

        typer.echo(f"robotix {robotix.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Simulate people and robots in a shared virtual room, and measure how they interact.

    Run rooms in the browser; load, move and solve for robots; let people perform tasks; assess
    postures and tasks by ergonomic methods.
    """


for command in (run, check, new, examples, replay, robots, info, convert, fk, solve, workspace):
    app.command()(command)
app.command("compile")(compile_kernels)
app.add_typer(human, name="human")
app.add_typer(ergo, name="ergo")
app.add_typer(sim, name="sim")
app.add_typer(haptics, name="haptics")
app.add_typer(lab, name="lab")


def main() -> None:
    """Run the command that the arguments name."""
    try:
        with _ended_by_ctrl_c():
            command = with_plain_words(typer.main.get_command(app))
            command(args=split_list_options(sys.argv[1:]), prog_name="robotix")
    except (RobotixError, ValueError, OSError) as error:
        typer.echo(f"Error: {explain(error)}", err=True)
        raise SystemExit(1) from None
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package not in EXTRAS:
            raise
        typer.echo(
            f"Error: this command needs {package}; install it by: "
            f"pip install 'robotix[{EXTRAS[package]}]'",
            err=True,
        )
        raise SystemExit(1) from None


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """Let the first Ctrl-C end the process at once; while a scene runs, `run` does it in order.

    As an exception it would be lost while kernels compile, in callbacks that ignore errors.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or not _is_main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
