"""`robotix ergo kim` and `ocra`: work sheets of loads and repetitive work."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import JsonFlag, spread
from robotix.cli.ergo.lifts import Sex, sex_of
from robotix.cli.ergo.output import print_result

if TYPE_CHECKING:
    from robotix.ergonomics import KeyIndicatorResult, RepetitiveWorkResult

__all__ = ["kim", "ocra"]


@dataclass(frozen=True)
class KimOptions:
    """What the sheet of the Key Indicator Method asks for."""

    start: Annotated[
        str, typer.Option(help="Posture at the start: upright, raised, leaning, bent, crouched.")
    ] = "upright"
    end: Annotated[str, typer.Option(help="Posture at the end, likewise.")] = "upright"
    handling: Annotated[str, typer.Option(help="symmetric, asymmetric or one_hand.")] = "symmetric"
    twist: Annotated[
        str, typer.Option(help="Twisted or bent to a side: never, occasional, frequent.")
    ] = "never"
    away: Annotated[str, typer.Option(help="Load away from the body, likewise.")] = "never"
    arms_raised: Annotated[
        str, typer.Option(help="Hands between elbow and shoulder height, likewise.")
    ] = "never"
    above_shoulder: Annotated[str, typer.Option(help="Hands above the shoulders, likewise.")] = (
        "never"
    )
    joint_limits: Annotated[
        str, typer.Option(help="Hand or arm at the end of its range, likewise.")
    ] = "never"
    grip: Annotated[str, typer.Option(help="good, restricted or poor.")] = "good"
    weather: Annotated[str, typer.Option(help="good or poor.")] = "good"
    space: Annotated[str, typer.Option(help="good, restricted or poor.")] = "good"
    clothing: Annotated[str, typer.Option(help="good or poor.")] = "good"
    holding: Annotated[
        str, typer.Option(help="short, long (5 to 10 s, 2 to 5 m) or very_long.")
    ] = "short"
    organisation: Annotated[str, typer.Option(help="good, restricted or poor.")] = "good"


@spread
def kim(
    *,
    load: Annotated[float, typer.Option(metavar="KG", help="Mass for one person, 3 kg or more.")],
    per_day: Annotated[float, typer.Option(metavar="N", help="How often a day.")],
    sex: Sex,
    how: KimOptions,
    interpolated: Annotated[
        bool, typer.Option("--interpolated", help="Interpolate the points of time.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Compute the Key Indicator Method of lifting, holding and carrying (KIM-LHC, form of 2019)."""
    from robotix.ergonomics import KeyIndicators, key_indicators

    task = KeyIndicators(load=load, per_day=per_day, sex=sex_of(sex), **asdict(how))
    found = key_indicators(task, interpolated=interpolated)
    _print_sheet(found, title=f"KIM-LHC {found.score:g} points", decimals=1, json=json)


@dataclass(frozen=True)
class OcraOptions:
    """What the OCRA checklist asks for, but numbers."""

    recovery: Annotated[
        str,
        typer.Option(
            help="Breaks: every_hour, four_breaks, three_breaks, two_breaks, one_break or none."
        ),
    ] = "every_hour"
    short_pauses: Annotated[
        bool, typer.Option(help="Whether the pace allows short interruptions.")
    ] = True
    static_actions: Annotated[
        str, typer.Option(help="Objects held for 5 s or more: none, two_thirds or all.")
    ] = "none"
    moderate_force: Annotated[
        str, typer.Option(help="Time with Borg 3 to 4: none, third, half, most or all.")
    ] = "none"
    strong_force: Annotated[
        str, typer.Option(help="Borg 5 to 7: none, brief, percent, five_percent or more.")
    ] = "none"
    maximal_force: Annotated[str, typer.Option(help="Borg 8 and more, likewise.")] = "none"
    shoulder: Annotated[
        str,
        typer.Option(help="Arm at shoulder height: none, slight, tenth, third, half or all."),
    ] = "none"
    elbow: Annotated[str, typer.Option(help="none, third, half or all of the time.")] = "none"
    wrist: Annotated[str, typer.Option(help="Likewise.")] = "none"
    hand: Annotated[str, typer.Option(help="Pinch, hook or palm grip, likewise.")] = "none"
    stereotypy: Annotated[
        str, typer.Option(help="The same movements: none, two_thirds or all.")
    ] = "none"
    physical: Annotated[
        str, typer.Option(help="Gloves, blows, cold, vibration …: none, some or all.")
    ] = "none"
    pace: Annotated[str, typer.Option(help="Set by: free, buffered or machine.")] = "free"


@spread
def ocra(
    *,
    actions: Annotated[
        float, typer.Option(metavar="N", help="Technical actions of the arm, a minute.")
    ],
    minutes: Annotated[
        float, typer.Option(metavar="MIN", help="Repetitive work in the shift, net.")
    ],
    how: OcraOptions,
    json: JsonFlag = False,
) -> None:
    """Compute the OCRA checklist of repetitive work of one arm."""
    from robotix.ergonomics import RepetitiveWork, ocra_checklist

    work = RepetitiveWork(actions_per_minute=actions, minutes=minutes, **asdict(how))
    found = ocra_checklist(work)
    _print_sheet(found, title=f"OCRA checklist {found.score:g}", decimals=2, json=json)


def _print_sheet(
    found: KeyIndicatorResult | RepetitiveWorkResult, *, title: str, decimals: int, json: bool
) -> None:
    """Print a score that is made of points."""
    points = {step.part: step.score for step in found.steps}
    values = {"score": found.score, "points": points}
    print_result(found, values, title=title, as_json=json, decimals=decimals)
