"""`robotix human audit`: what physics says of the tasks, for several bodies."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json
from robotix.errors import UnknownName

__all__ = ["audit"]

HEADS = ("s", "CoM cm", "slip mm", "ZMP cm", "out %", "no force %", "accel", "self mm")


def audit(
    tasks: Annotated[
        list[str] | None, typer.Argument(metavar="[TASK]...", help="Tasks; all when left out.")
    ] = None,
    *,
    percentiles: Annotated[
        str, typer.Option(metavar="P,P,…", help="Bodies: one a percentile and sex.")
    ] = "5,50,95",
    sexes: Annotated[str, typer.Option(help="f, m or fm.")] = "fm",
    style: Annotated[str, typer.Option(help="How they move.")] = "natural",
    rehearsed: Annotated[
        bool, typer.Option("--rehearsed", help="Repeat tasks until the balance is that of motion.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Check tasks against physics, for several bodies.

    Columns: duration; smallest margin of the projected centre of mass; slip; smallest margin of
    the zero-moment point, and the time that it is outside the support; the time without feasible
    contact forces; the worst joint acceleration over its limit; the deepest overlap of the body
    with itself.
    """
    from robotix.human.tasks.tasks import TASKS

    names = list(TASKS) if not tasks else tasks
    unknown = next((name for name in names if name not in TASKS), None)
    if unknown is not None:
        raise UnknownName("task", unknown, TASKS)
    bodies = _bodies(percentiles, sexes)
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    if not json:
        typer.echo(f"{'task':<18} {'body':<27}" + "".join(f"{head:>11}" for head in HEADS))
    rows = []
    for name in names:
        for body in bodies:
            row = _audited(name, body, style, rehearsed=rehearsed)
            rows.append(row)
            if not json:
                typer.echo(_line(row))
    if json:
        print_json({"style": style, "rows": rows})
        return
    good = sum(row["is_feasible"] for row in rows)
    typer.echo(f"{good} of {len(rows)} are feasible with their inertia")


def _bodies(percentiles: str, sexes: str) -> list[Any]:
    from robotix.human import make_anthropometry

    if not sexes or set(sexes) - set("fm"):
        raise typer.BadParameter(f"--sexes is f, m or fm, not {sexes!r}")
    try:
        numbers = [float(word) for word in percentiles.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"--percentiles {percentiles}: give numbers with commas between"
        ) from None
    return [make_anthropometry(sex=sex, percentile=each) for sex in sexes for each in numbers]


def _audited(task: str, body: Any, style: str, *, rehearsed: bool) -> dict[str, Any]:
    from robotix.human import make_manikin
    from robotix.human.evaluation.dynamic_report import measure_dynamics
    from robotix.human.evaluation.report import measure
    from robotix.human.tasks.tasks import perform

    performance = perform(task, make_manikin(body), style=style, rehearsed=rehearsed)
    static, dynamic = measure(performance), measure_dynamics(performance)
    return {
        **dynamic.as_dict(),
        "duration": static.duration,
        "com_margin": static.com_margin,
        "foot_slip": static.foot_slip,
        "penetration": static.penetration,
        "success": static.success,
    }


def _line(row: dict[str, Any]) -> str:
    figures = (
        row["duration"],
        100 * row["com_margin"],
        1000 * row["foot_slip"],
        100 * row["zmp_margin"],
        100 * row["zmp_outside"],
        100 * row["infeasible"],
        row["acceleration_ratio"],
        1000 * row["self_penetration"],
    )
    return f"{row['task']:<18} {row['body']:<27}" + "".join(f"{each:11.2f}" for each in figures)
