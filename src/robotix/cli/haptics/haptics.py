"""`robotix haptics …`: one module per command."""

from __future__ import annotations

import typer

from robotix.cli.haptics.claims import claims
from robotix.cli.haptics.device import device
from robotix.cli.haptics.experiments import experiments
from robotix.cli.haptics.faults import faults
from robotix.cli.haptics.play import play
from robotix.cli.haptics.stability import stability_map
from robotix.cli.haptics.teleoperation import teleoperation
from robotix.cli.haptics.wall import wall

__all__ = ["haptics"]

haptics = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Haptic interfaces: walls, stability maps, ViSHARD10 in its loop, faults, a labyrinth.",
)
haptics.command()(experiments)
haptics.command()(claims)
haptics.command()(wall)
haptics.command("map")(stability_map)
haptics.command()(device)
haptics.command()(faults)
haptics.command()(play)
haptics.command()(teleoperation)
