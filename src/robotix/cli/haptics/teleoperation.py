"""`robotix haptics teleoperation`: what a hand feels of a remote environment."""

from __future__ import annotations

from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json

__all__ = ["teleoperation"]


def teleoperation(
    *,
    k: Annotated[float, typer.Option(min=1, max=1e7, help="Stiffness there, N/m.")] = 1000.0,
    b: Annotated[float, typer.Option(min=0, max=1e5, help="Damping there, N s/m.")] = 5.0,
    delay: Annotated[float, typer.Option(min=0, max=10, help="Delay of each way, s.")] = 0.0,
    json: JsonFlag = False,
) -> None:
    """Compare two and four channels: how much of a remote spring a hand feels."""
    from robotix.haptics.teleoperation.channels import (
        ChannelArchitecture,
        RemoteEnvironment,
        Teleoperator,
        transmitted_impedance,
    )

    system, there = Teleoperator(delay=delay), RemoteEnvironment(k, b)
    found = {each: transmitted_impedance(system, there, each) for each in ChannelArchitecture}
    if json:
        print_json({
            name.value: {
                "error": each.error, "passive": each.is_passive, "frequencies": each.frequencies,
                "felt": abs(each.felt), "there": abs(each.there),
            } for name, each in found.items()
        })  # fmt: skip
        return
    typer.echo(f"{k:g} N/m, {b:g} N s/m, {delay:g} s each way; felt of what is there, 0.1 to 30 Hz")
    for name, each in found.items():
        share = abs(each.felt / each.there)
        state = "passive" if each.is_passive else "not passive"
        typer.echo(
            f"  {name.value:<13} {share.min():.2f} to {share.max():.3g} times as hard, "
            f"error {each.error:.2f}, {state}"
        )
