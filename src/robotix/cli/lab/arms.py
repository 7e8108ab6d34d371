"""`robotix lab arms`: arms and mountings over the points of the tasks, without trials."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import print_json

__all__ = ["arms"]

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")


def arms(
    *,
    arm: Annotated[
        list[str] | None, typer.Option(metavar="A", help="An arm of the library; may be repeated.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="SVG", help="Draw the figure to this file.")
    ] = None,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Compare arms and mountings over the points that the four tasks ask for.

    For every task, arm and mounting: how many points the hand reaches, and there the isotropy, the
    distance from joint limits and the clearance from the person of the most dexterous posture.
    """
    from rich.progress import Progress

    from robotix.experiments.comparison.figure import comparison_svg
    from robotix.experiments.comparison.targets import compare_targets
    from robotix.experiments.tasks.library import TASKS
    from robotix.experiments.wheelchair.mountings import MOUNTINGS

    if out is not None and out.exists():
        raise FileExistsError(17, "is there already; choose a new name", str(out))
    names = arm or list(ARMS)
    with Progress(disable=json, transient=True) as bar:
        task = bar.add_task("arms", total=len(TASKS) * len(names) * len(MOUNTINGS))
        found = compare_targets(
            list(TASKS), names, MOUNTINGS, seed=seed, advance=lambda: bar.advance(task)
        )
    if out is not None:
        out.write_text(comparison_svg(found), encoding="utf-8")
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
