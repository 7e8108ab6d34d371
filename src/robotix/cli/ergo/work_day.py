"""`robotix ergo job FILE.toml`: several tasks of a working day in one report."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import spread
from robotix.cli.ergo.options import ReportOptions
from robotix.cli.ergo.subject import Subject, performance_of
from robotix.cli.progress import Progress
from robotix.errors import BadFile

if TYPE_CHECKING:
    from robotix.ergonomics import Assessment, ReportDetails, WorkDay

__all__ = ["job"]

EXPECTED = "a working day: title, analyst, … and tables [body] and [[task]]"


@dataclass(frozen=True)
class BodyTable:
    """Whose body it is, as on the command line."""

    sex: str | None = None
    stature: float | None = None
    mass: float | None = None
    percentile: float | None = None
    population: str = "ansur2"


@dataclass(frozen=True)
class TaskTable:
    """One task of the day."""

    what: str  # a task, or a motion file, from the folder of the file
    name: str = ""
    load: float | None = None
    style: str = "natural"
    hands: str | None = None
    frequency: float = 0.2  # a minute
    hours: float = 1.0
    coupling: str = "fair"
    age: str = "18-25"
    neck_deg: float | None = None
    static: bool = False
    markers: str = "cmu"
    up: str | None = None  # of a recording, as `robotix ergo FILE` takes them
    unit: str | None = None
    standing: str | None = None
    contacts: list[str] = field(default_factory=list)
    set: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class WorkDayTable:
    """The whole file."""

    task: list[TaskTable]
    body: BodyTable = BodyTable()
    title: str = ""
    analyst: str = ""
    date: str = ""
    workplace: str = ""
    organisation: str = ""
    remarks: str = ""
    photos: list[str] = field(default_factory=list)
    language: str = "en"


@spread
def job(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tasks of the day.")],
    *,
    report: ReportOptions,
) -> None:
    """Assess several tasks of a working day, and report them together.

    The file names the body, and for every task what it is, its load, frequency and hours; see the
    page on ergonomics. Options of the report stand for what the file says.
    """
    report.check()
    table = _read(file)
    if not table.task:
        raise BadFile(str(file), "no task", EXPECTED)
    from robotix.ergonomics import make_work_day
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    found: list[tuple[str, Assessment]] = []
    with Progress(len(table.task), f"{file.name}, {len(table.task)} tasks") as progress:
        for each in table.task:
            found.append((each.name or each.what.replace("_", " "), _assessed(each, table, file)))
            progress.advance(each)
    details = _details(table, report.details(), file.parent)
    report.give(make_work_day(found), print_work_day, details=details)


def print_work_day(found: WorkDay) -> None:
    """Print one line per task, and what they add up to."""
    for name, each in found.tasks.items():
        worst = max(
            (f for f in each.findings if f.severity == each.severity), key=lambda f: f.verdict.level
        )
        typer.echo(f"  {each.severity:<10} {name:<24} {worst.what} {worst.figure}: {worst.verdict}")
    if found.fatigue is not None:
        day = found.fatigue
        typer.echo(f"LiFFT over the day: damage {day.damage:.3g}, {day.verdict}")
    if found.composite is not None:
        typer.echo(
            f"composite lifting index {found.composite.index:.2f}: {found.composite.verdict}"
        )


def _read(path: Path) -> WorkDayTable:
    import msgspec

    try:
        data = msgspec.toml.decode(path.read_bytes())
        found = msgspec.convert(data, WorkDayTable, strict=True)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise BadFile(str(path), str(error), EXPECTED) from None
    tables = [
        (data, WorkDayTable),
        (data.get("body", {}), BodyTable),
        *((each, TaskTable) for each in data["task"]),
    ]
    for table, kind in tables:
        names = [each.name for each in fields(kind)]
        for name in table:
            if name not in names:
                raise BadFile(str(path), f"{name!r}", f"one of {', '.join(names)}")
    return found


def _assessed(task: TaskTable, day: WorkDayTable, path: Path) -> Assessment:
    from robotix.ergonomics import Job, assess

    here = path.parent / task.what
    what = str(here) if here.suffix and here.exists() else task.what
    plan = path.parent / task.markers
    load = {} if task.load is None else {"load": task.load}
    body: dict[str, Any] = vars(day.body)
    subject = Subject(
        what,
        **body,
        style=task.style,
        parameters={**task.set, **load},
        hands=task.hands,
        markers=str(plan) if plan.suffix and plan.exists() else task.markers,
        up=task.up,
        unit=task.unit,
        static=None if task.standing is None else path.parent / task.standing,
        contacts=task.contacts,
    )
    circumstances = Job(
        per_minute=task.frequency,
        hours=task.hours,
        coupling=task.coupling,
        age=task.age,
        neck=None if task.neck_deg is None else math.radians(task.neck_deg),
        is_static=task.static,
    )
    return assess(performance_of(subject), job=circumstances)


def _details(table: WorkDayTable, options: ReportDetails, folder: Path) -> ReportDetails:
    """Return what the file says, with what the options say instead."""
    names = ("title", "analyst", "date", "workplace", "organisation", "remarks")
    texts = {name: getattr(options, name) or getattr(table, name) for name in names}
    photos = options.photos or tuple(folder / name for name in table.photos)
    language = options.language if options.language != "en" else table.language
    return replace(options, **texts, photos=photos, language=language)
