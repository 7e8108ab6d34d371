"""`robotix haptics map --device vishard10`: where the whole device is stable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from robotix.cli.arguments import check_choice
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.haptics.capability.device_map import DeviceStabilityMap
    from robotix.haptics.walls.wall import SampledDevice, VirtualWall

__all__ = ["map_device"]

DEVICES = ("vishard10",)


def map_device(
    wall: VirtualWall,
    sampled: SampledDevice,
    *,
    device: str,
    mode: str,
    x: str,
    y: str,
    ranges: tuple[float, float, int],  # largest stiffness and damping, number of cells
    push: float,
    out: Path | None,
    json: bool,
) -> None:
    """Map stiffness and one other parameter; print the limits of device and single axis."""
    import numpy as np

    from robotix.haptics.capability.device_map import (
        DEVICE_AXES,
        default_trial,
        make_device_map,
    )
    from robotix.haptics.capability.map_figure import device_map_svg
    from robotix.haptics.loop.settings import DisplayMode
    from robotix.haptics.walls.parameter_map import MapAxis

    for hint, name, known in (
        ("--device", device, DEVICES), ("--mode", mode, tuple(DisplayMode)),
        ("--x", x, ("stiffness",)), ("--y", y, DEVICE_AXES),
    ):  # fmt: skip
        check_choice(hint, name, known)
    if y == "delay" and mode == DisplayMode.impedance:
        raise typer.BadParameter(
            "the delay is that of the force sensor, which impedance display does not use",
            param_hint="'--y'",
        )
    max_k, max_b, cells = ranges
    axis = MapAxis.usual(y, cells)
    if y == "damping":
        axis = MapAxis(y, np.linspace(0, max_b, cells))
    trial = replace(default_trial(), wall=wall, device=sampled)
    trial = replace(trial, hand=replace(trial.hand, push=push))
    with Progress(cells * cells, "runs of the device") as bar:
        found = make_device_map(
            trial, np.geomspace(max_k / 1e3, max_k, cells), axis, mode=DisplayMode(mode),
            advance=bar.add,
        )  # fmt: skip
    if out is not None:
        out.write_text(device_map_svg(found), encoding="utf-8")
    if json:
        print_json(_document(found))
        return
    _print_limits(found, device)
    if out is not None:
        typer.echo(f"drawn to {out}")


def _print_limits(found: DeviceStabilityMap, device: str) -> None:
    (whole, single), y = found.stable_limits, found.device.y
    typer.echo(f"{y.name + ', ' + y.unit:>24}   {device} stable to N/m   one degree of freedom")
    for j in range(0, len(y.values), max(len(y.values) // 8, 1)):
        typer.echo(f"{y.values[j]:24.4g} {whole[j]:25.4g} {single[j]:23.4g}")
    typer.echo(
        f"{found.device.is_stable.mean():.0%} of {found.device.is_stable.size} cells are stable; "
        f"of one axis {found.single.is_stable.mean():.0%}"
    )


def _document(found: DeviceStabilityMap) -> dict[str, object]:
    whole, single = found.stable_limits
    return {
        "mode": found.mode.value, "stiffness": found.device.x.values,
        "y": {"name": found.device.y.name, "values": found.device.y.values},
        "stable": found.device.is_stable, "energy_leak": found.device.energy_leak,
        "reasons": [[each.value for each in row] for row in found.reasons],
        "stable_limit": whole, "single": {
            "mass": found.equivalent.mass, "damping": found.equivalent.damping,
            "stable": found.single.is_stable, "passive": found.single.is_passive,
            "stable_limit": single,
        },
    }  # fmt: skip
