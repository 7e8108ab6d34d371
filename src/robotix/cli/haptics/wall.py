"""`robotix haptics wall`: touch a virtual wall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from robotix.haptics.walls.wall import WallResult, WallTrial

__all__ = ["wall"]


def wall(
    *,
    k: Annotated[float, typer.Option(metavar="K", min=0, max=1e9, help="Stiffness, N/m.")],
    b: Annotated[float, typer.Option(metavar="B", min=0, max=1e6, help="Damping, N s/m.")] = 0.0,
    rate: RateOption = 1000.0,
    mass: MassOption = 2.0,
    damping: DampingOption = 5.0,
    delay: DelayOption = 0.0,
    push: PushOption = 5.0,
    speed: Annotated[
        float, typer.Option(metavar="V", min=0, max=100, help="Speed at the wall, m/s.")
    ] = 0.1,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.01, max=1000)] = 2.0,
    passivity: Annotated[
        bool, typer.Option("--passivity", help="Limit the force so that no energy is given out.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Press a device of one degree of freedom against a sampled virtual wall.

    Prints whether it comes to rest, how much energy the wall has given out, and the limits in
    closed form.
    """
    from robotix.haptics.walls.wall import (
        OperatorHand,
        PassivityControl,
        SampledDevice,
        VirtualWall,
        WallTrial,
        run_wall,
    )

    trial = WallTrial(
        VirtualWall(k, b),
        SampledDevice(mass, damping, rate=rate, delay=delay),
        OperatorHand(push=push),
        speed=speed,
        seconds=seconds,
        control=PassivityControl.bounded if passivity else PassivityControl.none,
    )
    result = run_wall(trial)
    document = _document(trial, result)
    if json:
        print_json(document)
        return
    state = "comes to rest" if result.is_stable else "oscillates"
    leak = "no energy" if result.is_passive else f"{result.energy_leak:.3g} J"
    limits = document["limits"]
    typer.echo(
        f"{k:g} N/m, {b:g} N s/m at {rate:g} Hz: the device {state}; the wall gives out {leak}\n"
        f"  penetration   up to {result.max_penetration * 1e3:.3g} mm\n"
        f"  passive       up to {limits['passive']:.4g} N/m for any operator\n"
        f"  stable        up to {limits['stable']:.4g} N/m as a spring, in linear theory\n"
        f"  optimal       {limits['optimal']:.4g} N/m for this damping and mass"
    )


def _document(trial: WallTrial, result: WallResult) -> dict[str, Any]:
    from robotix.haptics.walls.limits import (
        linear_stability_limit,
        optimal_stiffness,
        passivity_limit,
    )

    device, b = trial.device, trial.wall.damping
    return {
        "stable": result.is_stable,
        "passive": result.is_passive,
        "energy_leak": result.energy_leak,
        "wall_leak": result.wall_leak,
        "max_penetration": result.max_penetration,
        "limits": {
            "passive": passivity_limit(device, b),
            "stable": linear_stability_limit(device, b),
            "optimal": optimal_stiffness(b, device.mass),
        },
    }
