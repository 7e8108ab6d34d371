"""`robotix lab sensitivity`: which assumptions about operators turn the ranking of arms."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import print_json

__all__ = ["sensitivity"]

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")


def sensitivity(
    tasks: Annotated[
        list[str], typer.Argument(metavar="TASK…", help="books, shelf, chess or tables.")
    ],
    *,
    operators: Annotated[int, typer.Option(min=1, max=1000, help="Simulated operators.")] = 3,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Number of processes.")] = 2,
    time_limit: Annotated[
        float, typer.Option(metavar="S", min=1, max=3600, help="Of a trial, s.")
    ] = 600.0,
    study: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the tables in a study, for its report."),
    ] = None,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Change one assumption about simulated operators after the other, and compare rankings.

    Every number of an operator is an assumption. The ranking is by E = μ² + σ² of the times.
    """
    from robotix.cli.progress import Progress
    from robotix.errors import UnknownName
    from robotix.experiments.sensitivity import count_trials, run_sensitivity
    from robotix.experiments.sensitivity_file import save_sensitivity
    from robotix.experiments.study.study_file import load_study
    from robotix.experiments.tasks.library import TASKS

    for task in tasks:
        if task not in TASKS:
            raise UnknownName("task", task, TASKS)
    if study is not None:
        load_study(study)  # raises if there is none
    found = []
    with Progress(len(tasks) * count_trials(ARMS, operators), "trials") as bar:
        for task in dict.fromkeys(tasks):
            table = run_sensitivity(
                task,
                arms=ARMS,
                operators=operators,
                seed=seed,
                jobs=jobs,
                time_limit=time_limit,
                advance=bar.advance,
            )
            found.append(table)
            if study is not None:
                save_sensitivity(study, [table])
    if json:
        print_json({"tables": [asdict(table) for table in found]})
        return
    for table in found:
        typer.echo(f"{table.task}, {table.operators} operators: mean time in s, ranking by E")
        for row in table.rows:
            times = "  ".join(f"{arm} {mean:6.1f}" for arm, mean in row.means.items())
            turned = "  TURNED" if row.is_turned else ""
            typer.echo(f"{row.change:<26} {times}  {' < '.join(row.ranking)}{turned}")
    if study is not None:
        typer.echo(f"kept in {study}; `robotix lab report {study}` shows it")
