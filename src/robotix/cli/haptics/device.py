"""`robotix haptics device`: press ViSHARD10, all of it, against a wall."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag, check_choice
from robotix.cli.haptics.options import DelayOption, RateOption
from robotix.cli.output import print_json
from robotix.cli.progress import Progress
from robotix.files.output_file import check_new_file

if TYPE_CHECKING:
    from robotix.haptics.loop.loop import LoopHistory, LoopOutcome

__all__ = ["device"]


def device(
    *,
    mode: Annotated[
        str, typer.Option(help="admittance, position_impedance or impedance.")
    ] = "admittance",
    k: Annotated[float, typer.Option(min=0, max=1e7, help="Stiffness of the wall, N/m.")] = 3000.0,
    b: Annotated[float, typer.Option(min=0, max=1e5, help="Damping of the wall, N s/m.")] = 100.0,
    push: Annotated[float, typer.Option(min=0, max=120, help="Force of the hand, N.")] = 15.0,
    mass: Annotated[float, typer.Option(min=0.1, max=1e3, help="Virtual mass, kg.")] = 8.0,
    rate: RateOption = 1000.0,
    delay: DelayOption = 0.0,
    seconds: Annotated[float, typer.Option(min=0.05, max=100)] = 2.0,
    partitioned: Annotated[
        bool, typer.Option("--partitioned", help="Resolve the joints in three stages.")
    ] = False,
    passivity: Annotated[
        bool, typer.Option("--passivity", help="Observe the energy, and dissipate a deficit.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Draw the run to this file.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Run the whole loop of ViSHARD10: a hand pushes its handle into a virtual wall."""
    from robotix.haptics.loop.figures import run_page
    from robotix.haptics.loop.reference import press_wall
    from robotix.haptics.loop.settings import (
        DisplayMode,
        ForceSensor,
        LoopSettings,
        VirtualHandle,
    )

    check_choice("--mode", mode, DisplayMode)
    if out is not None:
        check_new_file(out)
    settings = LoopSettings(
        mode=DisplayMode(mode), rate=rate, is_partitioned=partitioned,
        has_passivity_control=passivity, handle=VirtualHandle(mass=mass),
        sensor=ForceSensor(delay=delay),
    )  # fmt: skip
    with Progress(None, f"{seconds:g} s of the device"):
        outcome, history = press_wall(settings, stiffness=k, damping=b, push=push, seconds=seconds)
    if out is not None:
        out.write_text(run_page(history, outcome), encoding="utf-8")
    document = _document(outcome, history)
    if json:
        print_json(document)
        return
    typer.echo(f"{mode}, {k:g} N/m, {b:g} N s/m at {rate:g} Hz: {_words(outcome, document)}")
    if out is not None:
        typer.echo(f"drawn to {out}")


def _document(outcome: LoopOutcome, history: LoopHistory) -> dict[str, Any]:
    felt = math.sqrt(sum(float(each) ** 2 for each in history.hand_forces[-1]))
    return {
        "stable": outcome.is_stable, "reason": outcome.reason.value,
        "max_penetration": outcome.max_penetration, "max_speed": outcome.max_speed,
        "energy_leak": outcome.energy_leak, "hand_force": felt,
        "load": float(history.loads.max()), "saturations": outcome.saturations,
    }  # fmt: skip


def _words(outcome: LoopOutcome, document: dict[str, Any]) -> str:
    state = "comes to rest" if outcome.is_settled else "does not come to rest"
    if outcome.stop_time is not None:
        state = f"is stopped after {outcome.stop_time:.3f} s ({outcome.reason.value})"
    return (
        f"the device {state}\n"
        f"  penetration   up to {outcome.max_penetration * 1e3:.3g} mm\n"
        f"  hand's force  {document['hand_force']:.3g} N at the end\n"
        f"  joint torque  up to {document['load']:.0%} of the limits\n"
        f"  environment   gives out {outcome.energy_leak:.3g} J"
    )
