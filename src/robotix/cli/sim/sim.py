"""`robotix sim`: forward dynamics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from robotix.cli.arguments import DefaultCommandGroup, JsonFlag
from robotix.cli.output import print_json
from robotix.cli.progress import Progress, prints_to_terminal
from robotix.cli.sim.balance import balance
from robotix.cli.sim.compare import compare
from robotix.cli.sim.hold import hold

if TYPE_CHECKING:
    from robotix.dynamics.validation import Check

__all__ = ["sim"]


class SimGroup(DefaultCommandGroup):
    """Commands; a robot without a command is put on a floor and held."""

    default_command = "hold"


sim = typer.Typer(
    cls=SimGroup,
    no_args_is_help=True,
    subcommand_metavar="ROBOT_OR_SCENE|COMMAND [OPTIONS]",
    rich_markup_mode=None,
    help="Simulate with forces: contacts, servos, connections.",
)
sim.command()(hold)
sim.command()(balance)
sim.command()(compare)


@sim.command()
def validate(json: JsonFlag = False) -> None:
    """Check the simulation against closed forms and independent solutions.

    Every line is a deviation and how large it may be; the exit status is 1 if one is larger.
    """
    from robotix.dynamics.validation import run_checks

    checks = []
    is_shown = json or not prints_to_terminal()  # else every line says how far it is
    with Progress(None, "checks", is_shown=is_shown):
        for check in run_checks():
            checks.append(check)
            if not json:
                typer.echo(_line(check))
    passed = all(check.passed for check in checks)
    if json:
        print_json({"checks": [_document(check) for check in checks], "passed": passed})
    if not passed:
        raise typer.Exit(1)


def _document(check: Check) -> dict[str, Any]:
    return {
        "name": check.name,
        "value": check.value,
        "limit": check.limit,
        "unit": check.unit,
        "passed": check.passed,
    }


def _line(check: Check) -> str:
    verdict = "" if check.passed else "  FAILED"
    figures = f"{check.value:10.2e}  at most {check.limit:.0e} {check.unit}".rstrip()
    return f"{check.name:<36} {figures}{verdict}"
