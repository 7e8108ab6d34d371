"""`robotix ergo static` and `holds`: postures that are held still."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import JsonFlag, settings_of, spread
from robotix.cli.body_options import FileUnit, LoadMass, Markers, Settings, Standing, StyleName, Up
from robotix.cli.ergo.options import BodyOptions
from robotix.cli.ergo.output import print_result
from robotix.cli.ergo.subject import Subject, performance_of
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.ergonomics import Hold

__all__ = ["holds", "static"]


def static(
    part: Annotated[str, typer.Argument(metavar="PART", help="trunk, head or upper_arm.")],
    *,
    angle_deg: Annotated[
        float, typer.Option(metavar="A", help="Forward, or elevation of the arm, in degrees.")
    ],
    seconds: Annotated[float, typer.Option(metavar="S", help="How long it is held.")],
    supported: Annotated[bool, typer.Option("--supported", help="Fully supported.")] = False,
    asymmetric: Annotated[
        bool, typer.Option("--asymmetric", help="Twisted or bent to a side.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Compute how long a posture may be held (ISO 11226)."""
    from robotix.ergonomics import StaticPosture, static_posture

    found = static_posture(
        StaticPosture(
            part=part,
            angle=math.radians(angle_deg),
            seconds=seconds,
            is_supported=supported,
            is_asymmetric=asymmetric,
        )
    )
    values = {"longest": found.longest if math.isfinite(found.longest) else None}
    title = f"{part} at {angle_deg:g}°: {_limit(found.longest)}"
    print_result(found, values, title=title, as_json=json, decimals=1)


@spread
def holds(
    task_or_file: Annotated[
        str,
        typer.Argument(
            metavar="TASK_OR_FILE",
            help="A task of `robotix human`, or a motion: .csv, .mcap, .c3d, .bvh or .trc.",
        ),
    ],
    *,
    body: BodyOptions,
    load: LoadMass = None,
    style: StyleName = "natural",
    set_: Settings = None,
    markers: Markers = "cmu",
    unit: FileUnit = None,
    up: Up = None,
    standing: Standing = None,
    json: JsonFlag = False,
) -> None:
    """List the postures that a motion holds for 4 s or more (ISO 11226)."""
    subject = Subject(
        task_or_file,
        **asdict(body),
        style=style,
        parameters=settings_of(set_, load=load),
        markers=markers,
        unit=unit,
        up=up,
        static=standing,
    )
    from robotix.ergonomics import posture_angles, static_holds
    from robotix.human.motion.gaze import neck_angles

    with Progress(None, Path(task_or_file).name):
        performance = performance_of(subject)
        motion = performance.motion
        angles = posture_angles(performance.manikin, motion.q, neck_angles(performance))
        found = static_holds(angles, motion.times)
    if json:
        print_json({"holds": [_as_dict(hold) for hold in found]})
        return
    if not found:
        typer.echo("nothing is held for 4 s or more")
    for hold in found:
        result = hold.result
        typer.echo(
            f"{hold.start:7.1f} to {hold.end:6.1f} s  {hold.name:<16}"
            f"{math.degrees(result.posture.angle):6.0f}°  {_limit(result.longest):<18} "
            f"{result.verdict.name}"
        )


def _as_dict(hold: Hold) -> dict[str, object]:
    result = hold.result
    return {
        "part": hold.name,
        "start": hold.start,
        "end": hold.end,
        "angle_deg": math.degrees(result.posture.angle),
        "longest": result.longest if math.isfinite(result.longest) else None,
        "verdict": asdict(result.verdict),
    }


def _limit(longest: float) -> str:
    if math.isinf(longest):
        return "no limit of time"
    return f"at most {longest:.0f} s" if longest > 0 else "not at all"
