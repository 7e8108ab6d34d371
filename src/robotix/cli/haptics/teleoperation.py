"""`robotix haptics teleoperation`: what a hand feels of a remote environment."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag, check_choice
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

__all__ = ["teleoperation"]

FREQUENCIES = (0.5, 1.0, 2.0)  # Hz, of the measurement


def teleoperation(
    *,
    k: Annotated[float, typer.Option(min=1, max=1e7, help="Stiffness there, N/m.")] = 1000.0,
    b: Annotated[float, typer.Option(min=0, max=1e5, help="Damping there, N s/m.")] = 5.0,
    delay: Annotated[float, typer.Option(min=0, max=10, help="Delay of each way, s.")] = 0.0,
    device: Annotated[
        str,
        typer.Option(metavar="NAME", help="vishard10: measure with it, along and about six axes."),
    ] = "",
    arm: Annotated[
        str, typer.Option(metavar="ROBOT", help="Of --device: the remote arm, a name or a file.")
    ] = "kuka_lwr",
    json: JsonFlag = False,
) -> None:
    """Compare two and four channels: how much of a remote spring a hand feels.

    With --device it is measured in the whole loop of the device, and stands beside the theory.
    """
    from robotix.haptics.teleoperation.channels import (
        ChannelArchitecture,
        RemoteEnvironment,
        Teleoperator,
        transmitted_impedance,
    )

    if device:
        _measure(device, arm, k=k, b=b, delay=delay, json=json)
        return
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


def _measure(device: str, arm: str, *, k: float, b: float, delay: float, json: bool) -> None:
    """Measure the transparency of all axes, and print it beside the closed form."""
    from robotix.haptics.capability.transparency import (
        UnstableTeleoperator,
        default_environment,
        make_teleoperator,
        measure_impedance,
    )
    from robotix.haptics.teleoperation.channels import ChannelArchitecture
    from robotix.haptics.teleoperation.spatial import spatial_impedance
    from robotix.model.robots import load

    check_choice("--device", device, ("vishard10",))
    system, there = make_teleoperator(load(arm), delay=delay), default_environment(k, b)
    document: dict[str, Any] = {"frequencies": FREQUENCIES}
    with Progress(12 * len(FREQUENCIES), "runs of the device") as bar:
        for each in ChannelArchitecture:
            theory = spatial_impedance(system, there, each, frequencies=FREQUENCIES)
            row: dict[str, Any] = {"theory": theory.ratios, "measured": None, "unstable": ""}
            try:
                found = measure_impedance(
                    system, there, each, frequencies=FREQUENCIES, advance=bar.advance
                )
                row |= {"measured": found.ratios, "error": found.errors,
                        "cross_talk": found.cross_talk}  # fmt: skip
            except UnstableTeleoperator as error:
                row["unstable"] = str(error)
            document[each.value] = row
    if json:
        print_json(document)
        return
    typer.echo(f"{k:g} N/m, {b:g} N s/m (about the axes a hundredth), {delay:g} s each way, {arm}")
    for each in ChannelArchitecture:
        _print_axes(each.value, document[each.value])


def _print_axes(name: str, row: dict[str, Any]) -> None:
    """Print what is felt of what is there, a line per axis: measured, and in closed form."""
    from robotix.haptics.teleoperation.spatial import AXES

    typer.echo(f"{name}: felt of what is there, measured (theory)")
    if row["unstable"]:
        typer.echo(f"  {row['unstable']}")
        return
    typer.echo(
        "           " + "".join(f"{f:g} Hz".rjust(14) for f in FREQUENCIES) + "   cross-talk"
    )
    for i, axis in enumerate(AXES):
        cells = "".join(
            f"{measured[i]:8.2f} ({theory[i]:.2f})".rjust(14)
            for measured, theory in zip(row["measured"], row["theory"], strict=True)
        )
        typer.echo(f"  {axis:<9}{cells}{row['cross_talk'][i]:13.2f}")
