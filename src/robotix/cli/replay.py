"""`robotix replay`: replay a recorded scene."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json
from robotix.cli.trusting import TrustOption

if TYPE_CHECKING:
    from robotix.scene.recording.drift import Drift
    from robotix.scene.recording.recorder import Header
    from robotix.scene.recording.replay import ReplayReport

__all__ = ["replay"]

RecordingArgument: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="A recording by `robotix run --record`.")
]
CheckOption: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Compare every tick; exit with 1 when one differs.")
]
FolderOption: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Where the scene's files are, if they moved.")
]
ToleranceOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0.0, help="With --check: accept differences up to this, in rad or m; default: none."
    ),
]
ListOption: TypeAlias = Annotated[
    bool, typer.Option("--list", help="List the files in the recording; replay nothing.")
]


def replay(
    file: RecordingArgument,
    *,
    check: CheckOption = False,
    tolerance: ToleranceOption = None,
    folder: FolderOption = None,
    list_files: ListOption = False,
    trust: TrustOption = False,
    json: JsonFlag = False,
) -> None:
    """Replay a recorded scene.

    The scene is rebuilt from the recording and receives the recorded inputs. A recording holds the
    code of plug-ins: without --trust, only code runs that was accepted on this machine before.
    """
    if tolerance is not None and not check:
        raise typer.BadParameter("--tolerance says what --check accepts; give --check, too")
    if list_files:
        _list(file, json=json)
        return
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    from robotix.app.recorded_scene import load_recorded, rebuilt_scene
    from robotix.cli.reporting import collected_warnings
    from robotix.scene.recording.drift import TOLERANCE
    from robotix.scene.recording.replay import read_header
    from robotix.scene.recording.replay import replay as replay_file

    header = read_header(file)
    with rebuilt_scene(file, header, folder) as (scene, changed):
        with collected_warnings() as warnings:
            room = load_recorded(file, header, scene, trust=trust)
        warnings = [each.replace(f"{scene.parent}{os.sep}", "") for each in warnings]
        try:
            with collected_warnings():  # reported when it was recorded
                report = replay_file(
                    file,
                    load=lambda _: room,
                    check=check,
                    files_into=scene.parent,
                    tolerance=TOLERANCE if tolerance is None else tolerance,
                )
        finally:
            room.plugins.close()
    if json:
        document: dict[str, Any] = {"file": str(file), "scene": header.origin.name}
        document |= {"checked": check, "recorded_for": header.processor}
        document |= asdict(report)
        document |= {"digest_ok": report.digest_ok, "changed_files": changed}
        document["within_tolerance"] = None if report.drift is None else report.drift.is_within
        print_json(document | {"warnings": warnings})
    else:
        for warning in warnings:
            typer.echo(f"warning: {warning}")
        _print_report(report, changed, check=check)
        _print_processor(header, report)
    is_accepted = tolerance is not None and report.drift is not None and report.drift.is_within
    if not (report.digest_ok or is_accepted):
        raise typer.Exit(1)


def _list(file: Path, *, json: bool) -> None:
    """Print the files in a recording, without loading anything of them."""
    from robotix.app.recorded_scene import list_files
    from robotix.scene.recording.replay import read_header

    header, files = read_header(file), list_files(file)
    if json:
        document = {
            "file": str(file),
            "made_by": header.made_by,
            "files": [asdict(each) for each in files],
            "disabled_plugins": list(header.origin.disabled),
        }
        print_json(document)
        return
    typer.echo(f"{file}, by {header.made_by}")
    for each in files:
        size = "not inside" if each.size is None else f"{each.size} bytes"
        typer.echo(f"  {each.kind:<8}{size:>14}  {each.sha256}  {each.name}")
    for name in header.origin.disabled:
        typer.echo(f"  plug-in {name!r} did not run when this was recorded")


def _print_processor(header: Header, report: ReplayReport) -> None:
    """Print why a replay may differ: kernels compiled for another processor round otherwise."""
    from robotix.kernels.target import target_name

    if not report.digest_ok and header.processor != target_name():
        then = header.processor or "another processor, perhaps (it does not say)"
        typer.echo(f"  recorded by code for {then}, replayed by code for {target_name()}")


def _drift_words(drift: Drift) -> str:
    """Return the second verdict: how far the replay is from the recording."""
    verdict = "within" if drift.is_within else "NOT within"
    return (
        f"{verdict} {drift.tolerance:g} rad or m of the recording: joints differ by at most "
        f"{drift.joints:.3g}, positions by {drift.positions:.3g} m (largest at tick {drift.tick})"
    )


def _print_report(report: ReplayReport, changed: list[str], *, check: bool) -> None:
    for name in changed:
        typer.echo(f"{name} has changed since the recording")
    typer.echo(f"replayed {report.ticks} of {report.recorded} ticks, {report.time:.2f} s")
    if not report.is_complete:
        typer.echo("  the recording is incomplete; replayed to its end")
    difference = report.first_difference
    if difference is not None:
        start = f"tick {difference.tick}" if difference.tick else "the start"
        typer.echo(f"  DIFFERENT from {start} on ({difference.time:.3f} s): {difference.what}")
        if report.drift is not None:
            typer.echo(f"  {_drift_words(report.drift)}")
    elif check:
        typer.echo(f"  the same to the last bit; digest {report.digest}")
