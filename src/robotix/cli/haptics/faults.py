"""`robotix haptics faults`: break something while a hand pushes into a wall."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

__all__ = ["faults"]


def faults(
    *,
    trials: Annotated[int, typer.Option(min=1, max=100_000, help="Number of trials.")] = 100,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="Of the first trial.")] = 0,
    json: JsonFlag = False,
) -> None:
    """Break something while a hand pushes a device into a stiff wall, and time its stop.

    Exits with 1 if a trial does not reach the safe state within the stated time.
    """
    import os

    from robotix.haptics.loop.faults import STATED_TIMES, run_fault_campaign, summarise_faults

    with Progress(trials, "trials") as bar:
        done = run_fault_campaign(
            trials, seed=seed, threads=os.cpu_count() or 1, advance=bar.advance
        )
    found = summarise_faults(done)
    is_safe = all(each.safe == each.trials for each in found)
    if json:
        rows = [
            asdict(each) | {"fault": each.fault.value, "stated_time": STATED_TIMES[each.fault]}
            for each in found
        ]
        print_json({"faults": rows, "safe": is_safe})
    else:
        typer.echo(f"{'fault':<18}{'safe':>10}{'stated ms':>11}{'worst ms':>10}{'then m/s':>10}")
        for each in found:
            typer.echo(
                f"{each.fault.value:<18}{f'{each.safe}/{each.trials}':>10}"
                f"{STATED_TIMES[each.fault] * 1e3:>11.0f}{each.worst_brake * 1e3:>10.0f}"
                f"{each.worst_speed:>10.2f}"
            )
        bad = [each for each in done if not each.is_safe]
        for one in bad[:10]:
            typer.echo(f"not safe: {one.fault.value}, seed {one.seed}: {one.reason.value}")
    if not is_safe:
        raise typer.Exit(1)
