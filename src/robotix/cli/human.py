"""`robotix human`: let a body carry out a task, and measure how it went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.human.performance import Performance
    from robotix.human.report import Report

__all__ = ["human"]

Task: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="TASK",
        help="stand_up, sit_down, stand_up_at_table, reach, lift, carry, walk, walk_around_hole, "
        "climb_stairs or climb_ladder.",
    ),
]
Sex: TypeAlias = Annotated[str, typer.Option(help="f or m.")]
Stature: TypeAlias = Annotated[float | None, typer.Option(help="Of the body, in m.")]
Mass: TypeAlias = Annotated[float | None, typer.Option(help="Of the body, in kg.")]
Percentile: TypeAlias = Annotated[
    float | None, typer.Option(help="Of stature and mass, instead of giving them.")
]
LoadMass: TypeAlias = Annotated[
    float | None, typer.Option("--load", help="What the hands carry, in kg.")
]
StyleName: TypeAlias = Annotated[str, typer.Option(help="natural, stoop or squat.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the task, in m or s; a wrong name lists those there are.",
    ),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write motion.csv, motion.mcap and report.json there."),
]


def human(
    task: Task,
    *,
    sex: Sex = "m",
    stature: Stature = None,
    mass: Mass = None,
    percentile: Percentile = None,
    load: LoadMass = None,
    style: StyleName = "natural",
    set_: Settings = None,
    out: Out = None,
    json: JsonFlag = False,
) -> None:
    """Let a virtual human carry out a task, and tell how it went.

    Told are the smallest margin of balance, the largest slip of a contact, the largest violation of
    a joint limit, the deepest penetration, the duration, and what could not be met.
    """
    parameters = _parse_settings(set_ or [])
    if load is not None:
        parameters["load"] = load
    from robotix.cli.compiling import tell_when_compiling
    from robotix.human import make_anthropometry, make_manikin

    body = make_anthropometry(sex=sex, stature=stature, mass=mass, percentile=percentile)
    tell_when_compiling()
    from robotix.human.report import measure
    from robotix.human.tasks import perform

    performance = perform(task, make_manikin(body), style=style, parameters=parameters)
    report = measure(performance)
    if out is not None:
        _save(out, performance, report)
    if json:
        print_json(report.document() | {"out": None if out is None else str(out)})
        return
    _tell(report)
    if out is not None:
        typer.echo(f"  written          {out}")


def _parse_settings(settings: list[str]) -> dict[str, float]:
    parameters = {}
    for setting in settings:
        name, separator, value = setting.partition("=")
        try:
            parameters[name.strip()] = float(value)
        except ValueError:
            separator = ""
        if not separator:
            raise typer.BadParameter(f"--set {setting}: give NAME=VALUE, the value a number")
    return parameters


def _save(folder: Path, performance: Performance, report: Report) -> None:
    from json import dumps

    from robotix.motion import save_motion

    folder.mkdir(parents=True, exist_ok=True)
    save_motion(folder / "motion.csv", performance.motion)
    save_motion(folder / "motion.mcap", performance.motion)
    text = dumps(report.document(), indent=2, ensure_ascii=False)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")


def _tell(report: Report) -> None:
    typer.echo(f"{report.task}: {report.body}, {report.style}")
    for label, value, unit in (
        ("balance margin", 100 * report.cop_margin, "cm"),
        ("slip", 1000 * report.foot_slip, "mm"),
        ("limit violation", report.limit_violation, "rad"),
        ("penetration", 1000 * report.penetration, "mm"),
        ("duration", report.duration, "s"),
    ):
        typer.echo(f"  {label:<16} {value:8.2f} {unit}")
    typer.echo(f"  success          {'yes' if report.success else 'no'}")
    for problem in report.problems:
        typer.echo(f"  {problem}")
