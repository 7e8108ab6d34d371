"""`robotix ergo`: the calculators of the ergonomist, numbers in, score and sub-scores out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.ergo_output import print_assessment, tell_assessment
from robotix.cli.ergo_postures import owas, reba, rula

if TYPE_CHECKING:
    from robotix.ergonomics import (
        AbdominalPressure,
        BackBand,
        BackModel,
        LiftingResult,
        LowBackLoad,
    )

__all__ = ["ergo"]

ergo = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Assess lifts, postures and the low back by the usual methods.",
)


def l5s1(
    *,
    upper_weight: Annotated[
        float, typer.Option(metavar="N", help="Weight of the body above L5/S1, in N.")
    ],
    upper_arm: Annotated[
        float, typer.Option(metavar="M", help="How far its centre is in front of L5/S1, in m.")
    ],
    load: Annotated[float, typer.Option(metavar="N", help="Weight in the hands, in N.")] = 0.0,
    load_arm: Annotated[
        float, typer.Option(metavar="M", help="How far it is in front of L5/S1, in m.")
    ] = 0.0,
    angle_deg: Annotated[
        float,
        typer.Option(metavar="A", help="Plane of the disc from the horizontal, in degrees."),
    ],
    muscle_arm: Annotated[
        float | None,
        typer.Option(metavar="M", help="Of the muscle behind L5/S1, in m; 0.05 when left out."),
    ] = None,
    abdominal: Annotated[
        bool, typer.Option("--abdominal", help="Count the relief by abdominal pressure.")
    ] = False,
    hip_deg: Annotated[
        float, typer.Option(metavar="A", help="Hip angle for the abdominal pressure, in degrees.")
    ] = 90.0,
    ten_muscles: Annotated[
        bool, typer.Option("--ten-muscles", help="Share the moment over ten muscles instead.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Compute compression and shear of the lumbosacral disc.

    The verdict is against 3400 and 6400 N of compression and 700 and 1000 N of shear; the band
    tells how far the compression depends on the muscle arm and on abdominal pressure.
    """
    from robotix.ergonomics import AbdominalPressure, BackTask, low_back_band, low_back_load

    task = BackTask(
        upper_weight=upper_weight,
        upper_arm=upper_arm,
        load=load,
        load_arm=load_arm,
        angle=math.radians(angle_deg),
    )
    pressure = AbdominalPressure(math.radians(hip_deg))
    model = _model(muscle_arm, pressure if abdominal else None, ten_muscles=ten_muscles)
    found, band = low_back_load(task, model=model), low_back_band(task, abdominal=pressure)
    (_print_back if json else _tell_back)(found, band)


def _model(
    arm: float | None, pressure: AbdominalPressure | None, *, ten_muscles: bool
) -> BackModel:
    from robotix.ergonomics import SingleMuscle, TenMuscles

    if not ten_muscles:
        return SingleMuscle(abdominal=pressure) if arm is None else SingleMuscle(arm, pressure)
    if arm is not None or pressure is not None:
        raise typer.BadParameter("--ten-muscles takes neither --muscle-arm nor --abdominal")
    return TenMuscles()


def _print_back(found: LowBackLoad, band: BackBand) -> None:
    print_assessment(
        {
            "moment": found.moment,
            "muscle_force": found.muscle_force,
            "abdominal_force": found.abdominal_force,
            "compression": found.compression,
            "shear": found.shear,
            "compression_band": [band.low, band.high],
            "compression_verdict": str(found.compression_verdict),
            "shear_verdict": str(found.shear_verdict),
        },
        verdict=found.verdict,
        steps=found.steps,
        shown=found.shown,
    )


def _tell_back(found: LowBackLoad, band: BackBand) -> None:
    tell_assessment(
        f"compression {found.compression:.0f} N, shear {found.shear:.0f} N; "
        f"{band.low:.0f} to {band.high:.0f} N over published muscle arms and abdominal pressure",
        verdicts=(found.compression_verdict, found.shear_verdict),
        steps=found.steps,
        shown=found.shown,
        decimals=1,
    )


def rnle(
    *,
    load: Annotated[float, typer.Option(metavar="KG", help="Mass lifted, in kg.")],
    horizontal: Annotated[
        float, typer.Option(metavar="M", help="From between the ankles to the hands, in m.")
    ],
    vertical: Annotated[float, typer.Option(metavar="M", help="Height of the hands, in m.")],
    distance: Annotated[
        float, typer.Option(metavar="M", help="Vertical travel of the hands, in m.")
    ],
    asymmetry_deg: Annotated[
        float, typer.Option(metavar="A", help="Turn of the load to a side, in degrees.")
    ] = 0.0,
    frequency: Annotated[float, typer.Option(metavar="F", help="Lifts a minute.")] = 0.2,
    hours: Annotated[float, typer.Option(metavar="H", help="Time of lifting, up to 8.")] = 1.0,
    coupling: Annotated[
        str, typer.Option(metavar="GRIP", help="The grip: good, fair or poor.")
    ] = "good",
    json: JsonFlag = False,
) -> None:
    """Compute the recommended weight limit and the lifting index.

    By the revised NIOSH lifting equation, for one place of the lift: give its origin or its
    destination, and keep the worse one.
    """
    from robotix.ergonomics import Lift, lifting_index

    lift = Lift(
        load=load,
        horizontal=horizontal,
        vertical=vertical,
        distance=distance,
        asymmetry=math.radians(asymmetry_deg),
        per_minute=frequency,
        hours=hours,
        coupling=coupling,
    )
    (_print_lift if json else _tell_lift)(lifting_index(lift))


def _print_lift(found: LiftingResult) -> None:
    print_assessment(
        {
            "rwl": found.weight_limit,
            "li": found.index,
            "multipliers": {step.part: step.score for step in found.multipliers},
        },
        verdict=found.verdict,
        steps=found.multipliers,
        shown=found.shown,
    )


def _tell_lift(found: LiftingResult) -> None:
    tell_assessment(
        f"recommended weight limit {found.weight_limit:.2f} kg, lifting index {found.index:.2f}",
        verdicts=(found.verdict,),
        steps=found.multipliers,
        shown=found.shown,
        decimals=3,
    )


for command in (l5s1, rnle, rula, reba, owas):
    ergo.command()(command)
