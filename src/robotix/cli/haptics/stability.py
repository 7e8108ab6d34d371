"""`robotix haptics map`: where a wall is stable."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.haptics.options import (
    DampingOption,
    DelayOption,
    MassOption,
    PushOption,
    RateOption,
)
from robotix.cli.output import print_json

__all__ = ["stability_map"]


def stability_map(
    *,
    max_k: Annotated[float, typer.Option(min=1, max=1e9, help="Largest stiffness, N/m.")] = 4e4,
    max_b: Annotated[float, typer.Option(min=0.1, max=1e6, help="Largest damping, N s/m.")] = 40.0,
    cells: Annotated[int, typer.Option(min=2, max=400, help="Cells along each axis.")] = 40,
    rate: RateOption = 1000.0,
    mass: MassOption = 2.0,
    damping: DampingOption = 5.0,
    delay: DelayOption = 0.0,
    push: PushOption = 5.0,
    out: Annotated[
        Path | None, typer.Option(metavar="SVG", help="Draw the map to this file.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Map stability over stiffness and damping of a wall, one simulated contact per cell."""
    import numpy as np
    from rich.progress import Progress

    from robotix.haptics.walls.figure import map_svg
    from robotix.haptics.walls.stability_map import make_stability_map
    from robotix.haptics.walls.wall import OperatorHand, SampledDevice, VirtualWall, WallTrial

    if out is not None and out.exists():
        raise FileExistsError(17, "is there already; choose a new name", str(out))
    trial = WallTrial(
        VirtualWall(0.0),
        SampledDevice(mass, damping, rate=rate, delay=delay),
        OperatorHand(push=push),
    )
    stiffness = np.linspace(0, max_k, cells + 1)[1:]
    with Progress(disable=json, transient=True) as bar:
        task = bar.add_task("walls", total=cells * cells)
        found = make_stability_map(
            trial, stiffness, np.linspace(0, max_b, cells), advance=lambda n: bar.advance(task, n)
        )
    if out is not None:
        out.write_text(map_svg(found), encoding="utf-8")
    if json:
        print_json({
            "stiffness": found.stiffness, "damping": found.damping, "stable": found.is_stable,
            "energy_leak": found.energy_leak, "passive_limit": found.passivity_limits,
            "linear_limit": found.linear_limits, "measured_limit": found.measured_limits,
        })  # fmt: skip
        return
    typer.echo("damping N s/m   stable to N/m   linear theory   passive (any operator)")
    for j in range(0, cells, max(cells // 8, 1)):
        typer.echo(
            f"{found.damping[j]:13.4g} {found.measured_limits[j]:15.4g} "
            f"{found.linear_limits[j]:15.4g} {found.passivity_limits[j]:15.4g}"
        )
    typer.echo(f"{found.is_stable.mean():.0%} of {cells * cells} cells are stable")
    if out is not None:
        typer.echo(f"drawn to {out}")
