"""`robotix lab …`: one module per command."""

from __future__ import annotations

import typer

from robotix.cli.lab.new import new
from robotix.cli.lab.stability import stability

__all__ = ["lab"]

lab = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The usability laboratory: studies with people and simulated operators.",
)
lab.command()(new)
lab.command()(stability)


@lab.callback()
def options() -> None:
    """The usability laboratory: studies with people and simulated operators."""
