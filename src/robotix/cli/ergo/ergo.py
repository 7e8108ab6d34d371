"""`robotix ergo`: assessments of tasks, and calculators of single methods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import DefaultCommandGroup, JsonFlag
from robotix.cli.ergo.arms import arm
from robotix.cli.ergo.handling import composite, lifft, lm_mmh, variable
from robotix.cli.ergo.hands import duet, rsi, shoulder
from robotix.cli.ergo.holding import holds, static
from robotix.cli.ergo.lifts import iso_lift, rnle, sex_of
from robotix.cli.ergo.options import Abdominal, MuscleArm, TenMuscleFlag, back_of
from robotix.cli.ergo.output import print_assessment_json, print_assessment_text
from robotix.cli.ergo.postures import owas, reba, rula
from robotix.cli.ergo.sheets import kim, ocra
from robotix.cli.ergo.tasks import assess, compare, family
from robotix.cli.ergo.work_day import job

if TYPE_CHECKING:
    from robotix.ergonomics import BackBand, LowBackLoad, Verdict

__all__ = ["ergo"]


class ErgoGroup(DefaultCommandGroup):
    """Commands; a task or file without a command is assessed."""

    default_command = "assess"


ergo = typer.Typer(
    cls=ErgoGroup,
    no_args_is_help=True,
    subcommand_metavar="TASK_OR_FILE|COMMAND [OPTIONS]",
    rich_markup_mode=None,
    help="Assess tasks, motions, lifts, postures and the low back by the usual methods.",
)


UpperWeight: TypeAlias = Annotated[
    float, typer.Option(metavar="N", help="Weight of the body above L5/S1, in N.")
]
UpperArm: TypeAlias = Annotated[
    float, typer.Option(metavar="M", help="How far its centre is in front of L5/S1, in m.")
]
LoadWeight: TypeAlias = Annotated[
    float, typer.Option(metavar="N", help="Weight in the hands, in N.")
]
LoadArm: TypeAlias = Annotated[
    float, typer.Option(metavar="M", help="How far it is in front of L5/S1, in m.")
]
DiscAngle: TypeAlias = Annotated[
    float, typer.Option(metavar="A", help="Plane of the disc from the horizontal, in degrees.")
]
SideMoment: TypeAlias = Annotated[
    float, typer.Option(metavar="M", help="Moment that bends the trunk to a side, in N m.")
]
TwistMoment: TypeAlias = Annotated[
    float, typer.Option(metavar="M", help="Moment that twists the trunk, in N m.")
]
HipAngle: TypeAlias = Annotated[
    float, typer.Option(metavar="A", help="Hip angle for the abdominal pressure, in degrees.")
]
LimitOption: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="N", help="Compression for the greatest load; default 3400 N."),
]
SexOption: TypeAlias = Annotated[
    str | None, typer.Option(help="f or m: also judge by the limits of women or men.")
]


def l5s1(
    *,
    upper_weight: UpperWeight,
    upper_arm: UpperArm,
    load: LoadWeight = 0.0,
    load_arm: LoadArm = 0.0,
    angle_deg: DiscAngle,
    side_moment: SideMoment = 0.0,
    twist_moment: TwistMoment = 0.0,
    muscle_arm: MuscleArm = None,
    abdominal: Abdominal = False,
    hip_deg: HipAngle = 90.0,
    ten_muscles: TenMuscleFlag = False,
    limit: LimitOption = None,
    sex: SexOption = None,
    json: JsonFlag = False,
) -> None:
    """Compute compression and shear of the lumbosacral disc.

    The verdict is against 3400 and 6400 N of compression and 700 and 1000 N of shear; the band
    is the range of the compression over published models: one muscle with several arms, with and
    without abdominal pressure, and ten muscles. The greatest load is the weight in the hands that
    reaches --limit.
    """
    from robotix.ergonomics import (
        AbdominalPressure,
        BackTask,
        greatest_load,
        low_back_band,
        low_back_load,
    )

    task = BackTask(
        upper_weight=upper_weight,
        upper_arm=upper_arm,
        load=load,
        load_arm=load_arm,
        angle=math.radians(angle_deg),
        side_moment=side_moment,
        twist_moment=twist_moment,
    )
    pressure = AbdominalPressure(math.radians(hip_deg))
    model = back_of(muscle_arm, abdominal=pressure if abdominal else None, ten_muscles=ten_muscles)
    found, band = low_back_load(task, model=model), low_back_band(task, abdominal=pressure)
    most = greatest_load(task, model=model, limit=limit)
    who = None if sex is None else _by_sex(found.compression, sex)
    if json:
        _print_back_json(found, band, most, who)
    else:
        words = "the action limit" if limit is None else f"{limit:g} N"
        _print_back_text(found, band, f"greatest load below {words} {most:.0f} N", who)


def _by_sex(compression: float, sex: str) -> Verdict:
    """Judge the compression by the limits of women or men."""
    from robotix.ergonomics import compression_levels_by_sex
    from robotix.ergonomics.methods.verdict import judge

    return judge(compression, compression_levels_by_sex(sex_of(sex)))


def _sex_source(who: Verdict | None) -> tuple[str, ...]:
    from robotix.ergonomics.methods.back.low_back_table import load_low_back

    return () if who is None else (load_low_back().limits.by_sex_provenance,)


def _print_back_json(found: LowBackLoad, band: BackBand, most: float, who: Verdict | None) -> None:
    print_assessment_json(
        {
            **({} if who is None else {"sex_verdict": str(who)}),
            "moment": found.moment,
            "muscle_force": found.muscle_force,
            "abdominal_force": found.abdominal_force,
            "compression": found.compression,
            "shear": found.shear,
            "compression_band": [band.low, band.high],
            "band_verdict": str(band.verdict),
            "greatest_load": most if math.isfinite(most) else None,
            "compression_verdict": str(found.compression_verdict),
            "shear_verdict": str(found.shear_verdict),
        },
        verdict=found.verdict,
        steps=found.steps,
        sources=(*found.sources, *_sex_source(who)),
    )


def _print_back_text(found: LowBackLoad, band: BackBand, most: str, who: Verdict | None) -> None:
    print_assessment_text(
        f"compression {found.compression:.0f} N, shear {found.shear:.0f} N; "
        f"{band.low:.0f} to {band.high:.0f} N over published models; "
        f"{most}",
        verdicts=(
            found.compression_verdict,
            *(() if who is None else (who,)),
            band.verdict,
            found.shear_verdict,
        ),
        steps=found.steps,
        sources=(*found.sources, *_sex_source(who)),
        decimals=1,
    )


for command in (
    assess,
    family,
    compare,
    job,
    l5s1,
    rnle,
    composite,
    variable,
    iso_lift,
    lm_mmh,
    lifft,
    rsi,
    duet,
    shoulder,
    arm,
    kim,
    ocra,
    static,
    holds,
    rula,
    reba,
    owas,
):
    ergo.command()(command)
