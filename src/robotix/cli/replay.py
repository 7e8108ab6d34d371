"""`robotix replay`: replay a recorded scene."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json

if TYPE_CHECKING:
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


def replay(
    file: RecordingArgument,
    *,
    check: CheckOption = False,
    folder: FolderOption = None,
    json: JsonFlag = False,
) -> None:
    """Replay a recorded scene.

    The scene is rebuilt from the recording and receives the recorded inputs.
    """
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    from robotix.app.recorded_scene import rebuilt_scene
    from robotix.authoring import load_scene
    from robotix.cli.reporting import collected_warnings
    from robotix.scene.recording.replay import read_header
    from robotix.scene.recording.replay import replay as replay_file

    header = read_header(file)
    with rebuilt_scene(file, header, folder) as (scene, changed):
        origin = header.origin
        with collected_warnings() as warnings:
            room = load_scene(scene, rate=origin.rate, seed=origin.seed)
        warnings = [each.replace(f"{scene.parent}{os.sep}", "") for each in warnings]
        try:
            with collected_warnings():  # reported when it was recorded
                report = replay_file(file, load=lambda _: room, check=check)
        finally:
            room.plugins.close()
    if json:
        document = {"file": str(file), "scene": origin.name, "checked": check, **asdict(report)}
        document |= {"digest_ok": report.digest_ok, "changed_files": changed}
        print_json(document | {"warnings": warnings})
    else:
        for warning in warnings:
            typer.echo(f"warning: {warning}")
        _print_report(report, changed, check=check)
    if not report.digest_ok:
        raise typer.Exit(1)


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
    elif check:
        typer.echo(f"  the same to the last bit; digest {report.digest}")
