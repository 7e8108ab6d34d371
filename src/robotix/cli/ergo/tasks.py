"""`robotix ergo TASK_OR_FILE`, `ergo family` and `ergo compare`: whole tasks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, Seed, settings_of
from robotix.cli.ergo.options import (
    Abdominal,
    Age,
    AtRest,
    Grip,
    Hours,
    MuscleArm,
    NeckDeg,
    Often,
    Population,
    ReportFolder,
    Static,
    TenMuscleFlag,
    back_of,
    job_of,
)
from robotix.cli.ergo.subject import Subject, performance_of
from robotix.cli.ergo.words import Progress, print_comparison, print_family, print_task
from robotix.cli.human import LoadMass, Mass, Percentile, Settings, Stature, StyleName
from robotix.cli.human_capture import FileUnit, Markers, Up
from robotix.cli.output import print_json

__all__ = ["assess", "compare", "family"]

MIN_PARALLEL_BODIES = 10  # fewer are assessed in one process

TaskOrFile: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="TASK_OR_FILE",
        help="A task of `robotix human`, or a motion: .csv, .mcap, .c3d, .bvh or .trc.",
    ),
]
Parquet: TypeAlias = Annotated[
    bool, typer.Option("--parquet", help="With --out: tables as .parquet, too.")
]
Hands: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Which hands carry the load of a file that does not say: both, right, left."),
]
BodySex: TypeAlias = Annotated[
    str | None, typer.Option("--sex", help="f or m; m, or as a motion file says, when left out.")
]


def assess(
    task_or_file: TaskOrFile,
    *,
    sex: BodySex = None,
    stature: Stature = None,
    mass: Mass = None,
    percentile: Percentile = None,
    population: Population = "ansur2",
    load: LoadMass = None,
    style: StyleName = "natural",
    set_: Settings = None,
    hands: Hands = None,
    markers: Markers = "cmu",
    unit: FileUnit = None,
    up: Up = None,
    frequency: Often = 0.2,
    hours: Hours = 1.0,
    coupling: Grip = "fair",
    age: Age = "18-25",
    neck_deg: NeckDeg = 0.0,
    static: Static = False,
    muscle_arm: MuscleArm = None,
    abdominal: Abdominal = False,
    ten_muscles: TenMuscleFlag = False,
    at_rest: AtRest = False,
    out: ReportFolder = None,
    parquet: Parquet = False,
    json: JsonFlag = False,
) -> None:
    """Assess a task or a recorded motion by all methods.

    Reported are the worst instant of every method, and its verdict.
    """
    _check_folder(out, parquet)
    job = job_of(
        frequency=frequency, hours=hours, coupling=coupling, age=age, neck_deg=neck_deg,
        static=static,
    )  # fmt: skip
    back = back_of(muscle_arm, abdominal=abdominal, ten_muscles=ten_muscles)
    subject = Subject(
        task_or_file, sex, stature, mass, percentile, population, style,
        settings_of(set_, load=load), hands, markers, unit, up,
    )  # fmt: skip
    _tell_when_compiling()
    from robotix.ergonomics import assess as assess_performance

    found = assess_performance(performance_of(subject), job=job, back=back, dynamic=not at_rest)
    given = {name: f"{value:g}" for name, value in subject.parameters.items()}
    _save(out, found, parquet=parquet, inputs=given)
    if json:
        print_json(found.document() | {"out": None if out is None else str(out)})
    else:
        print_task(found)
        _tell_folder(out)


def family(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task of `robotix human`.")],
    *,
    percentiles: Annotated[
        str, typer.Option(metavar="P,P,…", help="Bodies: one a percentile and sex.")
    ] = "5,50,95",
    sexes: Annotated[str, typer.Option(help="f, m or fm.")] = "fm",
    sample: Annotated[
        int | None,
        typer.Option(metavar="N", help="Draw so many bodies from the population instead."),
    ] = None,
    seed: Seed = 0,
    population: Population = "ansur2",
    load: LoadMass = None,
    style: StyleName = "natural",
    set_: Settings = None,
    frequency: Often = 0.2,
    hours: Hours = 1.0,
    coupling: Grip = "fair",
    age: Age = "18-25",
    neck_deg: NeckDeg = 0.0,
    static: Static = False,
    muscle_arm: MuscleArm = None,
    abdominal: Abdominal = False,
    ten_muscles: TenMuscleFlag = False,
    at_rest: AtRest = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; one a core for many bodies.")
    ] = None,
    out: ReportFolder = None,
    parquet: Parquet = False,
    json: JsonFlag = False,
) -> None:
    """Assess a task for many bodies: who can do it, and who exceeds which limit.

    A body that cannot do it is reported with the reason.
    """
    _check_folder(out, parquet)
    job = job_of(
        frequency=frequency, hours=hours, coupling=coupling, age=age, neck_deg=neck_deg,
        static=static,
    )  # fmt: skip
    back = back_of(muscle_arm, abdominal=abdominal, ten_muscles=ten_muscles)
    bodies = _bodies(percentiles, sexes, sample, seed=seed, population=population)
    _tell_when_compiling()
    from robotix.ergonomics import assess_family

    with Progress(len(bodies), f"{task}, {len(bodies)} bodies") as progress:
        found = assess_family(
            task,
            bodies,
            style=style,
            parameters=settings_of(set_, load=load),
            job=job,
            back=back,
            dynamic=not at_rest,
            workers=workers or _usual_workers(len(bodies)),
            on_done=progress.advance,
        )
    _save(out, found, parquet=parquet)
    if json:
        print_json(found.document() | {"out": None if out is None else str(out)})
    else:
        print_family(found)
        _tell_folder(out)


def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="A task, or a motion file.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another one, or the same task.")],
    *,
    sex: BodySex = None,
    stature: Stature = None,
    mass: Mass = None,
    percentile: Percentile = None,
    population: Population = "ansur2",
    load: LoadMass = None,
    load_b: Annotated[float | None, typer.Option(help="Of B, if it differs, in kg.")] = None,
    style: StyleName = "natural",
    style_b: Annotated[str | None, typer.Option(help="Of B, if it differs.")] = None,
    set_: Settings = None,
    set_b: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A parameter of B, besides or instead of A's."),
    ] = None,
    hands: Hands = None,
    frequency: Often = 0.2,
    hours: Hours = 1.0,
    coupling: Grip = "fair",
    age: Age = "18-25",
    neck_deg: NeckDeg = 0.0,
    static: Static = False,
    muscle_arm: MuscleArm = None,
    abdominal: Abdominal = False,
    ten_muscles: TenMuscleFlag = False,
    at_rest: AtRest = False,
    out: ReportFolder = None,
    parquet: Parquet = False,
    json: JsonFlag = False,
) -> None:
    """Compare two designs of a task, A before and B after.

    B has the body, the load, the style and the parameters of A unless given otherwise.
    """
    _check_folder(out, parquet)
    job = job_of(
        frequency=frequency, hours=hours, coupling=coupling, age=age, neck_deg=neck_deg,
        static=static,
    )  # fmt: skip
    back = back_of(muscle_arm, abdominal=abdominal, ten_muscles=ten_muscles)
    given = settings_of(set_, load=load)
    body = (sex, stature, mass, percentile, population)
    subjects = (
        Subject(before, *body, style, given, hands),
        Subject(
            after, *body, style_b or style,
            {**given, **settings_of(set_b, load=load_b, option="--set-b")}, hands,
        ),
    )  # fmt: skip
    _tell_when_compiling()
    from robotix.ergonomics import assess as assess_performance
    from robotix.ergonomics import compare as compare_assessments

    first, second = (
        assess_performance(performance_of(subject), job=job, back=back, dynamic=not at_rest)
        for subject in subjects
    )
    found = compare_assessments(first, second, names=_names(*subjects))
    _save(out, found, parquet=parquet)
    if json:
        print_json(found.document() | {"out": None if out is None else str(out)})
    else:
        print_comparison(found)
        _tell_folder(out)


# -- what they share ----------------------------------------------------------------------------


def _check_folder(out: Path | None, parquet: bool) -> None:
    if parquet and out is None:
        raise typer.BadParameter("--parquet says what to write; give --out DIR, too")


def _tell_when_compiling() -> None:
    from robotix.cli.compiling import tell_when_compiling

    tell_when_compiling()


def _save(out: Path | None, found: Any, *, parquet: bool, inputs: Any = None) -> None:
    if out is not None:
        from robotix.ergonomics import save_report

        save_report(out, found, parquet=parquet, inputs=inputs)


def _tell_folder(out: Path | None) -> None:
    if out is not None:
        typer.echo(f"written: {out}")


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
