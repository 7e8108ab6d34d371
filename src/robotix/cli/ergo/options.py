"""What the assessments of tasks take on the command line, said once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.body_options import Mass, Percentile, Population, Stature
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.ergonomics import AbdominalPressure, BackModel, ReportDetails

__all__ = [
    "Abdominal",
    "BodyOptions",
    "JobOptions",
    "MuscleArm",
    "ReportOptions",
    "TenMuscleFlag",
    "back_of",
]

Often: TypeAlias = Annotated[
    float, typer.Option("--frequency", metavar="F", help="How often a minute it is done.")
]
Hours: TypeAlias = Annotated[
    float, typer.Option(metavar="H", help="For how long, before a longer rest; up to 8.")
]
CouplingOption: TypeAlias = Annotated[
    str, typer.Option("--coupling", metavar="GRIP", help="The grip: good, fair or poor.")
]
Age: TypeAlias = Annotated[str, typer.Option(help="For strength: 18-25, 55-65 or >65 years.")]
NeckDeg: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="A",
        help="Flexion of the neck, in degrees; default: what looking at the work needs.",
    ),
]
Static: TypeAlias = Annotated[
    bool, typer.Option("--static", help="Some part of the body is held for over a minute.")
]
MuscleArm: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="M", help="One muscle this far behind L5/S1, in m; usually 0.05."),
]
Abdominal: TypeAlias = Annotated[
    bool, typer.Option("--abdominal", help="One muscle, relieved by abdominal pressure.")
]
OneMuscleFlag: TypeAlias = Annotated[
    bool, typer.Option("--one-muscle", help="One muscle 5 cm behind L5/S1 instead of ten.")
]
TenMuscleFlag: TypeAlias = Annotated[
    bool, typer.Option("--ten-muscles", help="Share the moments at L5/S1 over ten muscles.")
]
AtRest: TypeAlias = Annotated[
    bool, typer.Option("--at-rest", help="Leave out what it takes to accelerate body and load.")
]
ReportFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write report.html, summary.json and tables there."),
]
ParquetOption: TypeAlias = Annotated[
    bool, typer.Option("--parquet", help="With --out: tables as .parquet, too.")
]
Title: TypeAlias = Annotated[str, typer.Option(help="With --out: title of the report.")]
Analyst: TypeAlias = Annotated[
    str, typer.Option(help="With --out: who assesses; adds lines to sign.")
]
ReportDate: TypeAlias = Annotated[str, typer.Option("--date", help="With --out: as it is printed.")]
Workplace: TypeAlias = Annotated[str, typer.Option(help="With --out: where the work is done.")]
Organisation: TypeAlias = Annotated[str, typer.Option(help="With --out: whose workplace it is.")]
Remarks: TypeAlias = Annotated[str, typer.Option(help="With --out: any text.")]
Photos: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--photo", metavar="FILE", help="With --out: PNG or JPEG; may be repeated."),
]
Language: TypeAlias = Annotated[str, typer.Option(help="With --out: of the report, en or de.")]
BodySex: TypeAlias = Annotated[
    str | None, typer.Option("--sex", help="f or m; m, or as a motion file says, when left out.")
]


@dataclass(frozen=True)
class BodyOptions:
    """Whose body it is."""

    sex: BodySex = None
    stature: Stature = None
    mass: Mass = None
    percentile: Percentile = None
    population: Population = "ansur2"


@dataclass(frozen=True)
class JobOptions:
    """The circumstances, and how the back is modelled."""

    frequency: Often = 0.2
    hours: Hours = 1.0
    coupling: CouplingOption = "fair"
    age: Age = "18-25"
    neck_deg: NeckDeg = None
    static: Static = False
    muscle_arm: MuscleArm = None
    abdominal: Abdominal = False
    one_muscle: OneMuscleFlag = False
    ten_muscles: TenMuscleFlag = False
    at_rest: AtRest = False

    def asked(self) -> dict[str, Any]:
        """Return what an assessment takes."""
        from robotix.ergonomics import Job

        job = Job(
            per_minute=self.frequency,
            hours=self.hours,
            coupling=self.coupling,
            age=self.age,
            neck=None if self.neck_deg is None else math.radians(self.neck_deg),
            is_static=self.static,
        )
        is_single = self.one_muscle or self.muscle_arm is not None or self.abdominal
        if self.one_muscle and self.ten_muscles:
            raise typer.BadParameter("--one-muscle and --ten-muscles exclude each other")
        back = back_of(
            self.muscle_arm,
            abdominal=self.abdominal,
            ten_muscles=self.ten_muscles or not is_single,
        )
        return {"job": job, "back": back, "dynamic": not self.at_rest}


@dataclass(frozen=True)
class ReportOptions:
    """What is done with the answer."""

    out: ReportFolder = None
    parquet: ParquetOption = False
    title: Title = ""
    analyst: Analyst = ""
    date: ReportDate = ""
    workplace: Workplace = ""
    organisation: Organisation = ""
    remarks: Remarks = ""
    photo: Photos = None
    language: Language = "en"
    json: JsonFlag = False

    def check(self) -> None:
        """Raise for what a report needs, before anything is computed."""
        if self.out is None:
            texts = ("title", "analyst", "date", "workplace", "organisation", "remarks", "photo")
            given = [f"--{name}" for name in texts if getattr(self, name)]
            given += ["--parquet"] * self.parquet + ["--language"] * (self.language != "en")
            if given:
                raise typer.BadParameter(f"{given[0]} says what to write; give --out DIR, too")
            return
        from robotix.ergonomics import languages
        from robotix.ergonomics.report.details import checked_photos

        if self.language not in languages():
            raise typer.BadParameter(
                f"--language is {' or '.join(languages())}, not {self.language!r}"
            )
        checked_photos(self.photo or ())

    def details(self) -> ReportDetails:
        """Return who, where and when."""
        from robotix.ergonomics import ReportDetails

        return ReportDetails(
            title=self.title,
            analyst=self.analyst,
            date=self.date,
            workplace=self.workplace,
            organisation=self.organisation,
            remarks=self.remarks,
            photos=tuple(self.photo or ()),
            language=self.language,
        )

    def give(
        self,
        found: Any,
        tell: Callable[[Any], None],
        *,
        inputs: Mapping[str, str] | None = None,
        details: ReportDetails | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """Save an answer if asked, and print it; `details` stand for those of the options.

        `more` are further keys of the JSON document.
        """
        if self.out is not None:
            from robotix.ergonomics import save_report
            from robotix.files.backup import keep_backups

            who = self.details() if details is None else details
            with keep_backups(self.out, is_folder=True) as folder:
                save_report(folder, found, parquet=self.parquet, inputs=inputs, details=who)
        if self.json:
            out = {"out": None if self.out is None else str(self.out)}
            print_json(found.as_dict() | dict(more or {}) | out)
            return
        tell(found)
        if self.out is not None:
            typer.echo(f"written: {self.out}")


def back_of(
    arm: float | None, *, abdominal: AbdominalPressure | bool | None, ten_muscles: bool
) -> BackModel:
    """Return the model of the back that the options describe."""
    from robotix.ergonomics import AbdominalPressure, SingleMuscle, TenMuscles

    if ten_muscles:
        if arm is not None or abdominal:
            raise typer.BadParameter("--ten-muscles takes neither --muscle-arm nor --abdominal")
        return TenMuscles()
    pressure = AbdominalPressure() if abdominal is True else abdominal or None
    return SingleMuscle(abdominal=pressure) if arm is None else SingleMuscle(arm, pressure)
