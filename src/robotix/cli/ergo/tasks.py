"""`robotix ergo TASK_OR_FILE`, `ergo family` and `ergo compare`: whole tasks."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import SeedOption, settings_of, spread
from robotix.cli.body_options import (
    Contacts,
    FileUnit,
    LoadMass,
    Markers,
    Population,
    Settings,
    Standing,
    StyleName,
    Up,
)
from robotix.cli.ergo.options import BodyOptions, JobOptions, ReportOptions
from robotix.cli.ergo.subject import Subject, performance_of
from robotix.cli.ergo.words import print_advice, print_comparison, print_family, print_task
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.ergonomics import Assessment

__all__ = ["assess", "compare", "family"]

MIN_PARALLEL_BODIES = 10  # fewer are assessed in one process

TaskOrFile: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="TASK_OR_FILE",
        help="A task of `robotix human`, or a motion: .csv, .mcap, .c3d, .bvh or .trc.",
    ),
]
Hands: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Which hands carry the load of a file that does not say: both, right, left."),
]
Percentiles: TypeAlias = Annotated[
    str, typer.Option(metavar="P,P,…", help="Bodies: one a percentile and sex.")
]
Sexes: TypeAlias = Annotated[str, typer.Option(help="f, m or fm.")]
SampleOption: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", help="Number of bodies to draw from the population instead."),
]
Workers: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Processes; one a core for many bodies.")
]
AdviceFlag: TypeAlias = Annotated[
    bool, typer.Option("--advice", help="Also print what would make the task acceptable.")
]
BackLimit: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="N", help="Also print the greatest load below this compression."),
]
LoadOfB: TypeAlias = Annotated[float | None, typer.Option(help="Of B, if it differs, in kg.")]
StyleOfB: TypeAlias = Annotated[str | None, typer.Option(help="Of B, if it differs.")]
SettingsOfB: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="A parameter of B, besides or instead of A's."),
]


@spread
def assess(
    task_or_file: TaskOrFile,
    *,
    body: BodyOptions,
    load: LoadMass = None,
    style: StyleName = "natural",
    set_: Settings = None,
    hands: Hands = None,
    markers: Markers = "cmu",
    unit: FileUnit = None,
    up: Up = None,
    standing: Standing = None,
    contact: Contacts = None,
    job: JobOptions,
    advice: AdviceFlag = False,
    limit: BackLimit = None,
    report: ReportOptions,
) -> None:
    """Assess a task or a recorded motion by all methods.

    Reported are the worst instant of every method, and its verdict.
    """
    report.check()
    asked = job.asked()
    subject = Subject(
        task_or_file,
        **asdict(body),
        style=style,
        parameters=settings_of(set_, load=load),
        hands=hands,
        markers=markers,
        unit=unit,
        up=up,
        static=standing,
        contacts=tuple(contact or ()),
    )
    _announce_compiling()
    from robotix.ergonomics import assess as assess_performance

    with Progress(None, f"{Path(task_or_file).name}, all methods"):
        found = assess_performance(performance_of(subject), **asked)
    given = {name: f"{value:g}" for name, value in subject.parameters.items()}
    with Progress(None, "advice", is_shown=advice or limit is not None):
        more = _advice(found, is_asked=advice, limit=limit)
    report.give(found, print_task, inputs=given, more=more)
    if not report.json:
        print_advice(more, limit=limit)


def _advice(found: Assessment, *, is_asked: bool, limit: float | None) -> dict[str, Any]:
    """Return what would make a task acceptable, and the greatest load (kg) below a limit (N)."""
    from robotix.ergonomics import greatest_carried_load, recommendations

    more: dict[str, Any] = {}
    if is_asked:
        more["recommendations"] = [asdict(each) for each in recommendations(found)]
    if limit is not None:
        more["greatest_load"] = greatest_carried_load(found, limit=limit)
    return more


@spread
def family(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task of `robotix human`.")],
    *,
    percentiles: Percentiles = "5,50,95",
    sexes: Sexes = "fm",
    sample: SampleOption = None,
    seed: SeedOption = 0,
    population: Population = "ansur2",
    load: LoadMass = None,
    style: StyleName = "natural",
    set_: Settings = None,
    job: JobOptions,
    workers: Workers = None,
    report: ReportOptions,
) -> None:
    """Assess a task for many bodies: who can do it, and who exceeds which limit.

    A body that cannot do it is reported with the reason.
    """
    report.check()
    asked = job.asked()
    bodies = _bodies(percentiles, sexes, sample, seed=seed, population=population)
    _announce_compiling()
    from robotix.ergonomics import assess_family

    with Progress(len(bodies), f"{task}, {len(bodies)} bodies") as progress:
        found = assess_family(
            task,
            bodies,
            style=style,
            parameters=settings_of(set_, load=load),
            **asked,
            workers=workers or _usual_workers(len(bodies)),
            on_done=progress.advance,
        )
    report.give(found, print_family)


@spread
def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="A task, or a motion file.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another one, or the same task.")],
    *,
    body: BodyOptions,
    load: LoadMass = None,
    load_b: LoadOfB = None,
    style: StyleName = "natural",
    style_b: StyleOfB = None,
    set_: Settings = None,
    set_b: SettingsOfB = None,
    hands: Hands = None,
    job: JobOptions,
    report: ReportOptions,
) -> None:
    """Compare two designs of a task, A before and B after.

    B has the body, the load, the style and the parameters of A unless given otherwise.
    """
    report.check()
    asked = job.asked()
    given, whose = settings_of(set_, load=load), asdict(body) | {"hands": hands}
    given_b = {**given, **settings_of(set_b, load=load_b, option="--set-b")}
    subjects = (
        Subject(before, **whose, style=style, parameters=given),
        Subject(after, **whose, style=style_b or style, parameters=given_b),
    )
    _announce_compiling()
    from robotix.ergonomics import assess as assess_performance
    from robotix.ergonomics import compare as compare_assessments

    found = []
    with Progress(len(subjects), "designs") as progress:
        for each in subjects:
            found.append(assess_performance(performance_of(each), **asked))
            progress.advance()
    report.give(compare_assessments(*found, names=_names(*subjects)), print_comparison)


# -- what they share ----------------------------------------------------------------------------


def _announce_compiling() -> None:
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()


def _bodies(
    percentiles: str, sexes: str, sample: int | None, *, seed: int, population: str
) -> tuple[Any, ...]:
    from robotix.ergonomics import percentile_bodies, sampled_bodies

    if not sexes or set(sexes) - set("fm"):
        raise typer.BadParameter(f"--sexes is f, m or fm, not {sexes!r}")
    if sample is not None:
        return sampled_bodies(sample, seed=seed, sexes=sexes, population=population)
    try:
        numbers = [float(word) for word in percentiles.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"--percentiles {percentiles}: give numbers with commas between"
        ) from None
    return percentile_bodies(numbers, sexes=sexes, population=population)


def _usual_workers(count: int) -> int:
    """Return one process per core; a single one for few bodies, as processes start slowly."""
    return 1 if count < MIN_PARALLEL_BODIES else min(os.cpu_count() or 1, count)


def _names(before: Subject, after: Subject) -> tuple[str, str]:
    """Return names that state the differences."""

    def words(one: Subject, other: Subject) -> str:
        given = [f"{k} {v:g}" for k, v in one.parameters.items() if other.parameters.get(k) != v]
        style = [one.style] if one.style != other.style else []
        return ", ".join([Path(one.what).name.replace("_", " "), *style, *given])

    names = words(before, after), words(after, before)
    return names if names[0] != names[1] else (f"{names[0]} (A)", f"{names[1]} (B)")
