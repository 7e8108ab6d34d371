"""What the assessments of tasks take on the command line, said once."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from robotix.ergonomics import AbdominalPressure, BackModel, Job

__all__ = [
    "Abdominal",
    "Age",
    "AtRest",
    "Grip",
    "Hours",
    "MuscleArm",
    "NeckDeg",
    "Often",
    "Population",
    "ReportFolder",
    "Static",
    "TenMuscleFlag",
    "back_of",
    "job_of",
]

Population: TypeAlias = Annotated[str, typer.Option(help="Survey that percentiles come from.")]
Often: TypeAlias = Annotated[
    float, typer.Option("--frequency", metavar="F", help="How often a minute it is done.")
]
Hours: TypeAlias = Annotated[
    float, typer.Option(metavar="H", help="For how long, before a longer rest; up to 8.")
]
Grip: TypeAlias = Annotated[
    str, typer.Option("--coupling", metavar="GRIP", help="The grip: good, fair or poor.")
]
Age: TypeAlias = Annotated[str, typer.Option(help="For strength: 18-25, 55-65 or >65 years.")]
NeckDeg: TypeAlias = Annotated[
    float,
    typer.Option(metavar="A", help="Flexion of the neck, in degrees: the body has no joint there."),
]
Static: TypeAlias = Annotated[
    bool, typer.Option("--static", help="Some part of the body is held for over a minute.")
]
MuscleArm: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="M", help="Of the muscle behind L5/S1, in m; 0.05 when left out."),
]
Abdominal: TypeAlias = Annotated[
    bool, typer.Option("--abdominal", help="Count the relief by abdominal pressure.")
]
TenMuscleFlag: TypeAlias = Annotated[
    bool, typer.Option("--ten-muscles", help="Share the moment at L5/S1 over ten muscles.")
]
AtRest: TypeAlias = Annotated[
    bool, typer.Option("--at-rest", help="Leave out what it takes to accelerate body and load.")
]
ReportFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write report.html, summary.json and tables there."),
]


def job_of(
    *, frequency: float, hours: float, coupling: str, age: str, neck_deg: float, static: bool
) -> Job:
    """Return the circumstances that the options describe."""
    from robotix.ergonomics import Job

    return Job(
        per_minute=frequency,
        hours=hours,
        coupling=coupling,
        age=age,
        neck=math.radians(neck_deg),
        is_static=static,
    )


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
