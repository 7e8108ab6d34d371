"""`robotix human`: perform a task, follow a recording, or compare a lift with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from typer.core import TyperGroup

from robotix.cli.arguments import HELP_FLAGS, JsonFlag, settings_of
from robotix.cli.body_options import (
    LoadMass,
    Mass,
    Percentile,
    Settings,
    SexOption,
    Stature,
    StyleName,
)
from robotix.cli.human_audit import audit
from robotix.cli.human_capture import compare, follow
from robotix.cli.output import print_json
from robotix.cli.progress import Progress
from robotix.errors import UnknownName

if TYPE_CHECKING:
    from robotix.human.evaluation.report import Report
    from robotix.human.motion.performance import Performance

__all__ = ["human"]

TASKS = {
    "stand_up": "Stand up from a chair.",
    "sit_down": "Sit down on a chair.",
    "stand_up_at_table": "Stand up between chair and table, and touch neither.",
    "reach": "Reach for a cup on a table and bring it to the chest.",
    "lift": "Lift a box from the floor or a stand onto a table.",
    "carry": "Lift a box, carry it to a table and put it there.",
    "walk": "Walk straight ahead.",
    "walk_around_hole": "Walk around a hole in the floor.",
    "climb_stairs": "Climb stairs.",
    "climb_ladder": "Climb a ladder with hands and feet.",
    "push": "Push against a bar with both hands.",
    "pull": "Pull at a bar with both hands.",
    "overhead": "Work over the head with a tool.",
    "kneel": "Work on both knees near the floor.",
    "seated": "Sit at a table, fetch a part and work on it.",
}
OutOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Write motion.csv, motion.mcap, curves.csv and report.json there."
    ),
]
CurvesParquetOption: TypeAlias = Annotated[
    bool, typer.Option("--parquet", help="With --out: also curves.parquet, for data frames.")
]
Bvh: TypeAlias = Annotated[
    bool, typer.Option("--bvh", help="With --out: also motion.bvh, skeleton and angles.")
]
ListFlag: TypeAlias = Annotated[
    bool, typer.Option("--list", help="Print what --set can change in this task, and stop.")
]
Glb: TypeAlias = Annotated[
    bool, typer.Option("--glb", help="With --out: also motion.glb, the skinned body moving.")
]


class TaskGroup(TyperGroup):
    """Commands that are tasks: options may precede them, and a wrong name gets a hint."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move the task to the front of the arguments."""
        if ctx.resilient_parsing:  # a shell completes the line
            return super().parse_args(ctx, args)
        named = next((word for word in args if word in self.commands), None)
        if named is not None and args[0].startswith("-"):
            at = args.index(named)
            args = [named, *args[:at], *args[at + 1 :]]
        elif not args or (args[0].startswith("-") and args[0] not in HELP_FLAGS):
            ctx.fail("Missing argument 'TASK'.")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the task."""
        if args[0] not in self.commands:
            raise UnknownName("task", args[0], self.commands)
        return super().resolve_command(ctx, args)


human = typer.Typer(
    cls=TaskGroup,
    rich_markup_mode=None,
    subcommand_metavar="TASK [OPTIONS]",
    help="Perform a task with a virtual human, or follow recorded people.",
)


def perform_task(
    context: typer.Context,
    *,
    sex: SexOption = "m",
    stature: Stature = None,
    mass: Mass = None,
    percentile: Percentile = None,
    load: LoadMass = None,
    style: StyleName = "natural",
    set_: Settings = None,
    list_: ListFlag = False,
    out: OutOption = None,
    parquet: CurvesParquetOption = False,
    bvh: Bvh = False,
    glb: Glb = False,
    json: JsonFlag = False,
) -> None:
    """Perform a task with a virtual human, and report how it went.

    Reported are the smallest margins of the projected centre of mass and of the centre of pressure
    inside the support, the time with the zero-moment point outside it, the time without feasible
    contact forces, the worst joint acceleration over its limit, the deepest overlap of the body
    with itself, the largest slip of a contact, the largest violation of a joint limit, the deepest
    penetration, the duration, and goals that were not met. Success means that all are as they
    should be; the slow style is judged as if it could stop at any instant.
    """
    if list_:
        _print_parameters(context.info_name or "", json=json)
        return
    also = _more_formats(out, {"parquet": parquet, "bvh": bvh, "glb": glb})
    parameters = settings_of(set_, load=load)
    from robotix.human import make_anthropometry, make_manikin
    from robotix.kernels.compile_events import announce_compiling

    body = make_anthropometry(sex=sex, stature=stature, mass=mass, percentile=percentile)
    announce_compiling()
    from robotix.human.evaluation.report import measure
    from robotix.human.tasks.tasks import perform

    task = context.info_name or ""
    with Progress(None, task):
        performance = perform(task, make_manikin(body), style=style, parameters=parameters)
        report = measure(performance)
    if out is not None:
        from robotix.files.backup import keep_backups

        with keep_backups(out, is_folder=True) as folder:
            _save(folder, performance, report, also=also)
    if json:
        print_json(report.as_dict() | {"out": None if out is None else str(out)})
        return
    _print_report(report)
    if out is not None:
        typer.echo(f"  written          {out}")
    given = {"--sex": sex if sex != "m" else None, "--stature": stature, "--mass": mass}
    given |= {"--percentile": percentile, "--load": load}
    given |= {"--style": style if style != "natural" else None}
    typer.echo(f"next, for the load on the back: {_ergo_command(task, given, set_ or [])}")


def _more_formats(out: Path | None, asked: dict[str, bool]) -> list[str]:
    """Return the formats that were asked for; they need a folder."""
    also = [name for name, is_asked in asked.items() if is_asked]
    if also and out is None:
        raise typer.BadParameter(f"--{also[0]} says what to write; give --out DIR, too")
    return also


def _print_parameters(task: str, *, json: bool) -> None:
    from robotix.human.tasks.tasks import PARAMETERS, task_parameters

    rows: list[dict[str, Any]] = []
    for name, default in task_parameters(task).items():
        known = PARAMETERS[name]
        rows.append(
            {"name": name, "unit": known.unit, "default": default, "low": known.low}
            | {"high": known.high, "what": known.what}
        )
    if json:
        print_json({"task": task, "parameters": rows})
        return
    typer.echo(f"{task}: {TASKS[task]} Set any of these with --set NAME=VALUE:")
    for row in rows:
        usual = "by the body" if row["default"] is None else f"{row['default']:g}"
        span = f"{row['low']:g} to {row['high']:g} {row['unit']}".rstrip()
        typer.echo(f"  {row['name']:<15} {usual:>11}   {span:<22} {row['what']}")


def _ergo_command(task: str, given: Mapping[str, object], settings: Sequence[str]) -> str:
    """Return the command that assesses the ergonomics of the same task with the same options."""
    words = [f"{option} {value}" for option, value in given.items() if value is not None]
    return " ".join([f"robotix ergo {task}", *words, *(f"--set {each}" for each in settings)])


def _save(folder: Path, performance: Performance, report: Report, *, also: list[str]) -> None:
    from robotix.files.json_text import json_text
    from robotix.human.evaluation.tables import performance_table
    from robotix.human.motion.gestures import make_gestures
    from robotix.motion import save_motion
    from robotix.motion.table_files import save_table

    curves = performance_table(performance)
    for suffix in ("csv", "parquet") if "parquet" in also else ("csv",):
        save_table(folder / f"curves.{suffix}", curves)
    save_motion(folder / "motion.csv", performance.motion)
    save_motion(folder / "motion.mcap", performance.motion)
    gestures = make_gestures(performance)
    if "bvh" in also:
        from robotix.human.export.bvh import save_bvh

        save_bvh(folder / "motion.bvh", performance.manikin, performance.motion, gestures=gestures)
    if "glb" in also:
        from robotix.human.export.gltf import save_gltf

        save_gltf(folder / "motion.glb", performance.manikin, performance.motion, gestures=gestures)
    (folder / "report.json").write_text(json_text(report.as_dict()), encoding="utf-8")


def _print_report(report: Report) -> None:
    typer.echo(f"{report.task}: {report.body}, {report.style}")
    for note in report.notes:
        typer.echo(f"  note: {note}")
    for label, value, unit in (
        ("CoM margin", 100 * report.com_margin, "cm"),
        ("CoP margin", 100 * (report.cop_margin or 0.0), "cm"),
        ("off balance", 100 * report.zmp_outside, "% of the time"),
        ("no forces", 100 * report.infeasible, "% of the time"),
        ("acceleration", report.acceleration_ratio, "of its limit"),
        ("self-overlap", 1000 * report.self_penetration, "mm"),
        ("slip", 1000 * report.foot_slip, "mm"),
        ("limit violation", report.limit_violation, "rad"),
        ("penetration", 1000 * report.penetration, "mm"),
        ("duration", report.duration, "s"),
    ):
        typer.echo(f"  {label:<16} {value:8.2f} {unit}")
    typer.echo(f"  success          {'yes' if report.success else 'no'}")
    for problem in report.problems:
        typer.echo(f"  {problem}")


for task, does in TASKS.items():
    human.command(task, short_help=does)(perform_task)
human.command("follow", short_help="Follow a motion capture file.")(follow)
human.command("audit", short_help="Check the tasks against physics.")(audit)
human.command("compare", short_help="Compare our lift with a recorded one.")(compare)
