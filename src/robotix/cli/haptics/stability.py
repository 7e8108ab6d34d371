"""`robotix haptics map`: where a wall is stable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import JsonFlag, check_choice
from robotix.cli.haptics.device_map import map_device
from robotix.cli.haptics.options import (
    CellsOption,
    DampingOption,
    DelayOption,
    DeviceOption,
    MapPushOption,
    MassOption,
    MaxDampingOption,
    MaxStiffnessOption,
    ModeOption,
    RateOption,
)
from robotix.cli.output import print_json
from robotix.cli.progress import Progress
from robotix.files.output_file import check_new_file

if TYPE_CHECKING:
    from robotix.haptics.walls.wall import WallTrial

__all__ = ["stability_map"]


def stability_map(
    *,
    x: Annotated[
        str, typer.Option(metavar="NAME", help="Parameter to the right; see --y.")
    ] = "stiffness",
    y: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Parameter upwards: stiffness, damping, rate, delay, device_mass, "
            "device_damping, hand_mass, hand_stiffness or hand_damping.",
        ),
    ] = "damping",
    k: Annotated[float, typer.Option(min=0, max=1e9, help="Stiffness, where no axis.")] = 1e4,
    b: Annotated[float, typer.Option(min=0, max=1e6, help="Damping, where no axis.")] = 0.0,
    max_k: MaxStiffnessOption = None,
    max_b: MaxDampingOption = None,
    cells: CellsOption = None,
    device: DeviceOption = "",
    mode: ModeOption = "",
    rate: RateOption = 1000.0,
    mass: MassOption = 2.0,
    damping: DampingOption = 5.0,
    delay: DelayOption = 0.0,
    push: MapPushOption = None,
    out: Annotated[
        Path | None, typer.Option(metavar="SVG", help="Draw the map to this file.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Map stability over two parameters of a wall, one simulated contact per cell.

    With --device the whole device is simulated, beside one degree of freedom that feels alike.
    """
    from robotix.haptics.walls.wall import OperatorHand, SampledDevice, VirtualWall, WallTrial

    if out is not None:
        check_new_file(out)
    if mode and not device:
        raise typer.BadParameter("--mode is for --device; give both, or leave it out")
    sampled = SampledDevice(mass, damping, rate=rate, delay=delay)
    if device:
        map_device(
            VirtualWall(k, b), sampled, device=device, mode=mode or "admittance", x=x, y=y,
            ranges=(max_k or 1e6, max_b or 400.0, cells or 14), push=30.0 if push is None else push,
            out=out, json=json,
        )  # fmt: skip
        return
    cells, max_k, max_b = cells or 40, max_k or 4e4, max_b or 40.0
    hand = OperatorHand(push=5.0 if push is None else push)
    trial = WallTrial(VirtualWall(k, b), sampled, hand)
    if (x, y) != ("stiffness", "damping"):
        _map_parameters(trial, x, y, cells=cells, out=out, json=json)
        return
    _map_wall(trial, max_k=max_k, max_b=max_b, cells=cells, out=out, json=json)


def _map_wall(
    trial: WallTrial, *, max_k: float, max_b: float, cells: int, out: Path | None, json: bool
) -> None:
    """Map stiffness and damping, with the limits in closed form."""
    import numpy as np

    from robotix.haptics.walls.figure import map_svg
    from robotix.haptics.walls.stability_map import make_stability_map

    stiffness = np.linspace(0, max_k, cells + 1)[1:]
    with Progress(cells * cells, "walls") as bar:
        found = make_stability_map(trial, stiffness, np.linspace(0, max_b, cells), advance=bar.add)
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


def _map_parameters(
    trial: WallTrial, x: str, y: str, *, cells: int, out: Path | None, json: bool
) -> None:
    """Map any two parameters over their usual ranges."""
    import os

    from robotix.haptics.walls.figure import parameter_map_svg
    from robotix.haptics.walls.parameter_map import MAP_PARAMETERS, MapAxis, make_parameter_map

    for hint, name in (("--x", x), ("--y", y)):
        check_choice(hint, name, MAP_PARAMETERS)
    with Progress(cells * cells, "walls") as bar:
        found = make_parameter_map(
            trial, MapAxis.usual(x, cells), MapAxis.usual(y, cells),
            threads=os.cpu_count() or 1, advance=bar.add,
        )  # fmt: skip
    if out is not None:
        out.write_text(parameter_map_svg(found), encoding="utf-8")
    if json:
        print_json({
            "x": {"name": x, "values": found.x.values}, "y": {"name": y, "values": found.y.values},
            "stable": found.is_stable, "energy_leak": found.energy_leak,
            "passive": found.is_passive,
        })  # fmt: skip
        return
    typer.echo(f"{y + ', ' + found.y.unit:>24}   stable up to {x}, {found.x.unit}")
    for j in range(0, cells, max(cells // 8, 1)):
        typer.echo(f"{found.y.values[j]:24.4g}   {found.stable_limits[j]:.4g}")
    typer.echo(f"{found.is_stable.mean():.0%} of {cells * cells} cells are stable")
    if out is not None:
        typer.echo(f"drawn to {out}")
