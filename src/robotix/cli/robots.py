"""`robotix robots`: list the robots of the library."""

from __future__ import annotations

import shutil
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.model.robots import RobotSummary

__all__ = ["robots"]


def robots(*, json: JsonFlag = False) -> None:
    """List the robots of the library.

    Confidence is how well the sources support the numbers; --json lists the sources of each.
    """
    from robotix.model.robots import describe_robot, robot_names

    known = [describe_robot(name) for name in robot_names()]
    if json:
        print_json([_document(info) for info in known])
        return
    heading = f"{'robot':<22}{'DoF':>4}{'reach':>10}{'mass':>10}  {'confidence':<12}source below"
    typer.echo(typer.style(heading, dim=True))
    for info in known:
        _print_robot(info)


def _document(info: RobotSummary) -> dict[str, object]:
    document = asdict(info)
    document["dof"] = document.pop("n_dof")
    document["reach"] = info.reach or None
    return document


def _print_robot(info: RobotSummary) -> None:
    reach = f"{info.reach:.3f} m" if info.reach else "–"
    columns = f"{info.n_dof:>4}{reach:>10}{info.mass:>7.1f} kg  {info.confidence}"
    typer.echo(typer.style(f"{info.name:<22}", bold=True) + columns)
    width = max(shutil.get_terminal_size().columns, 40)
    indent = " " * 4
    typer.echo(textwrap.fill(info.source, width, initial_indent=indent, subsequent_indent=indent))
