"""`robotix lab sensitivity`: which assumptions about operators turn the ranking of arms."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import print_json

__all__ = ["sensitivity"]

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")


def sensitivity(
    task: Annotated[str, typer.Argument(help="books, shelf, chess or tables.")],
    *,
    operators: Annotated[int, typer.Option(min=1, max=1000, help="Simulated operators.")] = 3,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Number of processes.")] = 2,
    time_limit: Annotated[
        float, typer.Option(metavar="S", min=1, max=3600, help="Of a trial, s.")
    ] = 600.0,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Change one assumption about simulated operators after the other, and compare rankings.

    Every number of an operator is an assumption. The ranking is by E = μ² + σ² of the times.
    """
    from rich.progress import Progress

    from robotix.experiments.sensitivity import count_trials, run_sensitivity

    with Progress(disable=json, transient=True) as bar:
        progress = bar.add_task("trials", total=count_trials(ARMS, operators))
        table = run_sensitivity(
            task,
            arms=ARMS,
            operators=operators,
            seed=seed,
            jobs=jobs,
            time_limit=time_limit,
            advance=lambda: bar.advance(progress),
        )
    if json:
        print_json(asdict(table))
        return
    typer.echo(f"{table.task}, {table.operators} operators: mean time in s, ranking by E")
    for row in table.rows:
        times = "  ".join(f"{arm} {mean:6.1f}" for arm, mean in row.means.items())
        turned = "  TURNED" if row.is_turned else ""
        typer.echo(f"{row.change:<26} {times}  {' < '.join(row.ranking)}{turned}")
