"""`robotix human audit`: what physics says of the tasks, for several bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json
from robotix.cli.progress import Progress, prints_to_terminal
from robotix.errors import UnknownName

__all__ = ["audit"]

HEADS = (
    "s", "m/s", "sway cm", "CoM cm", "slip mm", "CoP cm", "ZMP out %", "no force %", "accel",
    "self mm",
)  # fmt: skip


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
    json: JsonFlag = False,
) -> None:
    """Check tasks against physics, for several bodies.

    Columns: duration; speed of the fastest stride, and sway of the centre of mass from side to side
    in a stride; smallest margin of the projected centre of mass; slip; smallest margin of the
    centre of pressure, and the time that the zero-moment point is outside the support; the time
    without feasible contact forces; the worst joint acceleration over its limit; the deepest
    overlap of the body with itself. Success means that all of them are as they should be.
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
    found: dict[str, dict[str, dict[str, Any]]] = {}
    is_shown = json or not prints_to_terminal()  # else every line says how far it is
    with Progress(len(names) * len(bodies), "tasks", is_shown=is_shown) as progress:
        for name in names:
            found[name] = {}
            for key, body in bodies.items():
                row = _audited(name, body, style)
                found[name][key] = row
                progress.advance()
                if not json:
                    typer.echo(_line(name, row))
    if json:
        print_json({"style": style, "tasks": found})
        return
    rows = [row for each in found.values() for row in each.values()]
    _print_problems(found)
    typer.echo(f"{sum(row['success'] for row in rows)} of {len(rows)} succeed")


def _print_problems(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    for name, bodies in found.items():
        for row in bodies.values():
            for problem in row["problems"]:
                typer.echo(f"  {name}, {row['body']}: {problem}")


def _bodies(percentiles: str, sexes: str) -> dict[str, Any]:
    """Return the bodies by sex and percentile, such as f50."""
    from robotix.human import make_anthropometry

    if not sexes or set(sexes) - set("fm"):
        raise typer.BadParameter(f"--sexes is f, m or fm, not {sexes!r}")
    try:
        numbers = [float(word) for word in percentiles.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"--percentiles {percentiles}: give numbers with commas between"
        ) from None
    return {
        f"{sex}{each:g}": make_anthropometry(sex=sex, percentile=each)
        for sex in sexes
        for each in numbers
    }


def _audited(task: str, body: Any, style: str) -> dict[str, Any]:
    from robotix.human import make_manikin
    from robotix.human.evaluation.dynamic_report import measure_dynamics
    from robotix.human.evaluation.report import measure
    from robotix.human.tasks.tasks import perform

    performance = perform(task, make_manikin(body), style=style)
    static, dynamic = measure(performance), measure_dynamics(performance)
    return {
        **dynamic.as_dict(),
        "duration": static.duration,
        "com_margin": static.com_margin,
        "foot_slip": static.foot_slip,
        "limit_violation": static.limit_violation,
        "penetration": static.penetration,
        "problems": list(dict.fromkeys((*static.problems, *dynamic.problems))),
        "success": static.success and dynamic.is_feasible,
    }


def _line(task: str, row: dict[str, Any]) -> str:
    figures = (
        row["duration"],
        row["speed"],
        None if row["sway"] is None else 100 * row["sway"],
        100 * row["com_margin"],
        1000 * row["foot_slip"],
        100 * row["cop_margin"],
        100 * row["zmp_outside"],
        100 * row["infeasible"],
        row["acceleration_ratio"],
        1000 * row["self_penetration"],
    )
    words = ("" if each is None else f"{each:.2f}" for each in figures)
    return f"{task:<18} {row['body']:<27}" + "".join(f"{word:>11}" for word in words)
