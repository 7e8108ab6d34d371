"""`robotix lab pilot`: try a study with simulated operators."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.lab.arms import ComparisonFlag, compare_for_report
from robotix.cli.lab.options import StudyFolder
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.experiments.trial import TrialRunner

__all__ = ["pilot"]

OPERATORS = "robotix.experiments.runner:run_trial"


def pilot(
    folder: StudyFolder,
    *,
    operators: Annotated[int, typer.Option(min=1, max=10_000, help="How many operators.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed of the operators; that of the study if left out."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=256, help="Worker processes; as many as processors.")
    ] = None,
    runner: Annotated[
        str,
        typer.Option(metavar="MODULE:FUNCTION", help="What runs a trial, if not the operators."),
    ] = OPERATORS,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write the report at the end.")
    ] = True,
    comparison: ComparisonFlag = True,
    json: JsonFlag = False,
) -> None:
    """Run all trials of a study with simulated operators, and write the report.

    A pilot that was ended goes on where it was. Training and questionnaires are left out.
    """
    from robotix.cli.progress import Progress
    from robotix.experiments.pilot import count_pilot_trials, run_pilot
    from robotix.experiments.store.store import StudyStore
    from robotix.experiments.study.study_file import load_study, study_path
    from robotix.experiments.study_check import check_study

    chosen = _load_runner(runner)
    if runner == OPERATORS:
        check_study(load_study(folder), str(study_path(folder)), is_simulated=True)
    with StudyStore(folder) as store:
        with Progress(count_pilot_trials(store, operators), "trials") as bar:
            done = run_pilot(
                store,
                chosen,
                operators=operators,
                seed=seed,
                jobs=jobs or os.cpu_count() or 1,
                advance=bar.advance,
            )
    document = asdict(done)
    if report:
        from robotix.experiments.report.files import write_report

        if comparison:
            compare_for_report(folder)
        document["report"] = str(write_report(folder))
    if json:
        print_json(document)
        return
    typer.echo(
        f"{done.finished} of {done.trials} trials finished, {done.timeouts} timeouts,"
        f" {done.interrupted} interrupted and repeated; {done.run} run in {done.seconds:.1f} s"
    )
    if report:
        typer.echo(f"report: {document['report']}")


def _load_runner(name: str) -> TrialRunner:
    """Return a function by the name of its module and its own."""
    import importlib

    module, _, function = name.partition(":")
    try:
        found: TrialRunner = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise typer.BadParameter(
            f"no runner {name!r} ({error}); expected MODULE:FUNCTION"
        ) from error
    return found
