"""`robotix lab arms`: arms and mountings over the points of the tasks, without trials."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import print_json
from robotix.files.output_file import check_new_file

if TYPE_CHECKING:
    from robotix.experiments.comparison.targets import TargetReach

__all__ = ["ComparisonFlag", "arms", "compare_for_report"]

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")
ComparisonFlag: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--comparison/--no-comparison",
        help="Compare arms and mountings without trials for the report, unless done before.",
    ),
]


def arms(
    *,
    arm: Annotated[
        list[str] | None, typer.Option(metavar="A", help="An arm of the library; may be repeated.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the figure: .svg or .pdf.")
    ] = None,
    study: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Compare arms and tasks of a study, for its report."),
    ] = None,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Compare arms and mountings over the points that the four tasks ask for.

    For every task, arm and mounting: how many points the hand reaches, and there the isotropy, the
    distance from joint limits and the clearance from the person of the most dexterous posture.
    """
    from robotix.experiments.comparison.files import comparable, save_comparison
    from robotix.experiments.report.comparison import comparison_figure
    from robotix.experiments.study.study_file import load_study
    from robotix.experiments.tasks.library import TASKS

    if out is not None:
        if out.suffix.lower() not in (".svg", ".pdf"):
            raise typer.BadParameter(f"{out}: the figure is drawn to a file .svg or .pdf")
        check_new_file(out)
    tasks, names = list(TASKS), arm or list(ARMS)
    if study is not None:
        tasks, known = comparable(load_study(study))
        names = arm or known
        if not tasks or not names:
            raise typer.BadParameter(f"{study}: no task of the laboratory, or no arm that is known")
    found = _compare(tasks, names, seed=seed)
    if study is not None:
        save_comparison(study, found)
    if out is not None:
        drawing = comparison_figure(found)
        is_pdf = out.suffix.lower() == ".pdf"
        out.write_bytes(drawing.pdf() if is_pdf else drawing.svg().encode())
    if json:
        print_json({"targets": [asdict(each) for each in found]})
        return
    typer.echo("task    arm              mounting   reached  isotropy  from limits  clearance m")
    for each in found:
        typer.echo(
            f"{each.task:<7} {each.arm:<16} {each.mounting:<9} {each.reached:>4}/{each.points:<4}"
            f"{each.isotropy:9.2f} {each.limit_distance:12.3f} {each.clearance:12.2f}"
        )
    if out is not None:
        typer.echo(f"drawn to {out}")
    if study is not None:
        typer.echo(f"kept in {study}; `robotix lab report {study}` shows it")


def compare_for_report(folder: Path) -> None:
    """Compare the arms of a study and keep the result there, unless that was done before."""
    from robotix.experiments.comparison.files import COMPARISON_FILE, comparable, save_comparison
    from robotix.experiments.study.study_file import load_study

    tasks, names = comparable(load_study(folder))
    if tasks and names and not (folder / COMPARISON_FILE).exists():
        save_comparison(folder, _compare(tasks, names, seed=0))


def _compare(tasks: list[str], names: list[str], *, seed: int) -> list[TargetReach]:
    from robotix.cli.progress import Progress
    from robotix.experiments.comparison.targets import compare_targets
    from robotix.experiments.wheelchair.mountings import MOUNTINGS

    with Progress(len(tasks) * len(names) * len(MOUNTINGS), "arms") as bar:
        return compare_targets(tasks, names, MOUNTINGS, seed=seed, advance=bar.advance)
