"""`robotix lab …`: one module per command."""

from __future__ import annotations

import typer

from robotix.cli.lab.analyse import analyse
from robotix.cli.lab.arms import arms
from robotix.cli.lab.design import design
from robotix.cli.lab.export import export
from robotix.cli.lab.forget import forget
from robotix.cli.lab.new import new
from robotix.cli.lab.pilot import pilot
from robotix.cli.lab.report import report
from robotix.cli.lab.run import run
from robotix.cli.lab.sensitivity import sensitivity
from robotix.cli.lab.shared import shared
from robotix.cli.lab.stability import stability
from robotix.cli.lab.status import status

__all__ = ["lab"]

lab = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The usability laboratory: studies with people and simulated operators.",
)
for command in (
    new,
    run,
    status,
    pilot,
    analyse,
    report,
    export,
    forget,
    stability,
    sensitivity,
    arms,
    design,
    shared,
):
    lab.command()(command)


@lab.callback()
def options() -> None:
    """The usability laboratory: studies with people and simulated operators."""
