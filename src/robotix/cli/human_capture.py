"""`robotix human follow` and `compare`: recorded people, from motion capture files."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.body_options import (
    Contacts,
    FileUnit,
    LoadMass,
    Markers,
    Mass,
    SexOption,
    Standing,
    Stature,
    StyleName,
    Up,
)
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.capture.markers import AxisName

__all__ = ["compare", "follow"]

File: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", help="A .bvh, .c3d or .trc file.")]
CaptureOutOption: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write motion.csv and report.json there.")
]
Forces: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="What force plates measured (.mot, .sto, .c3d)."),
]
AXES = ("x", "y", "z")


def follow(
    file: File,
    *,
    markers: Markers = "cmu",
    unit: FileUnit = None,
    up: Up = None,
    sex: SexOption = "m",
    stature: Stature = None,
    mass: Mass = None,
    standing: Standing = None,
    forces: Forces = None,
    contact: Contacts = None,
    out: CaptureOutOption = None,
    json: JsonFlag = False,
) -> None:
    """Track a recording by a few points: hands, feet, pelvis and head.

    Reported are the errors at the points that drove the body, and at those that were not used.
    """
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    from robotix.capture.body_contacts import parse_contacts
    from robotix.capture.follow_run import report_lines, run_follow
    from robotix.files.backup import keep_backups

    with ExitStack() as stack:
        draft = None
        if out is not None:
            draft = stack.enter_context(keep_backups(out, is_folder=True))
        stack.enter_context(Progress(None, file.name))
        report = run_follow(
            file,
            markers=markers,
            out=draft,
            unit=_unit(unit),
            up=_axis(up),
            sex=sex,
            stature=stature,
            mass=mass,
            static=standing,
            forces=forces,
            contacts=parse_contacts(contact or ()),
        )
    if json:
        written = None if out is None else str(out)
        print_json({"file": str(file), **report.as_dict(), "out": written})
        return
    for line in report_lines(report):
        typer.echo(line)
    if out is not None:
        typer.echo(f"written {out}")


def compare(
    file: File,
    *,
    style: StyleName = "natural",
    load: LoadMass = None,
    markers: Markers = "cmu",
    unit: FileUnit = None,
    up: Up = None,
    sex: SexOption = "m",
    stature: Stature = None,
    mass: Mass = None,
    json: JsonFlag = False,
) -> None:
    """Compare the simulated lift with a recorded pick-up from the floor, by joint angles.

    The simulated body has the size of the recorded one. Time is normalised over going down and
    coming up again, since both have their own durations.
    """
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    from robotix.capture.likeness import compare_with_recording, likeness_lines

    with Progress(None, file.name):
        likeness = compare_with_recording(
            file,
            style=style,
            load=load,
            markers=markers,
            unit=_unit(unit),
            up=_axis(up),
            sex=sex,
            stature=stature,
            mass=mass,
        )
    if json:
        print_json({"file": str(file), **likeness.as_dict()})
        return
    for line in likeness_lines(likeness):
        typer.echo(line)


def _unit(text: str | None) -> str | float | None:
    """Return a unit by name, or as a number of metres."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _axis(text: str | None) -> AxisName | None:
    match text:
        case "x" | "y" | "z" | None:
            return text
    raise typer.BadParameter(f"--up is one of {', '.join(AXES)}, not {text!r}")
