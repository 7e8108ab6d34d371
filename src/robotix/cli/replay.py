"""`robotix replay`: replay a recorded scene."""

from __future__ import annotations

import math
import os
import signal
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.compile import prepare_kernels
from robotix.cli.output import print_json
from robotix.cli.reporting import collected_warnings
from robotix.cli.run import PORT, LanOption, NoOpenOption, PortOption
from robotix.cli.serving import serving
from robotix.cli.trusting import TrustOption

if TYPE_CHECKING:
    from robotix.scene.recording.drift import Drift
    from robotix.scene.recording.recorder import Header
    from robotix.scene.recording.replay import ReplayReport
    from robotix.scene.scene import Scene
    from robotix.server import RoomService

__all__ = ["replay"]

TICKS_A_STATUS = 100  # ticks between two updates of the terminal

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
ShowOption: TypeAlias = Annotated[
    bool, typer.Option("--show", help="Show it in the browser, with a timeline; run nothing.")
]
CompareOption: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="With --show: lay another recording over it.")
]
OffsetOption: TypeAlias = Annotated[
    float, typer.Option(help="With --compare: seconds by which the other one starts later.")
]


def replay(
    file: RecordingArgument,
    *,
    show: ShowOption = False,
    compare: CompareOption = None,
    offset: OffsetOption = 0.0,
    port: PortOption = PORT,
    lan: LanOption = False,
    no_open: NoOpenOption = False,
    check: CheckOption = False,
    tolerance: ToleranceOption = None,
    folder: FolderOption = None,
    list_files: ListOption = False,
    trust: TrustOption = False,
    json: JsonFlag = False,
) -> None:
    """Replay a recorded scene, or show it in the browser.

    The scene is rebuilt from the recording and receives the recorded inputs. A recording holds the
    code of plug-ins: without --trust, only code runs that was accepted on this machine before.
    With --show nothing is run again: the page shows recorded poses, at any time.
    """
    if tolerance is not None and not check:
        raise typer.BadParameter("--tolerance says what --check accepts; give --check, too")
    _check_options(show=show, compare=compare, offset=offset, is_checked=check or list_files)
    if list_files:
        _list(file, json=json)
        return
    if show:
        _check_files(file, *([] if compare is None else [compare]))
        with serving(port=port, lan=lan, opens=not no_open, renew=False, to_stderr=json) as hosting:
            _show(hosting.service, file, compare=compare, offset=offset, folder=folder, trust=trust)
        return
    _replay(file, check=check, tolerance=tolerance, folder=folder, trust=trust, json=json)


class _Counter:
    """Shows on a terminal how far a replay is, in seconds of the scene."""

    def __enter__(self) -> _Counter:
        from rich.console import Console
        from rich.status import Status

        self._console = Console(stderr=True)
        self._status = Status("replaying", console=self._console)
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def __call__(self, scene: Scene) -> None:
        """Count a tick."""
        if self._console.is_terminal and scene.tick % TICKS_A_STATUS == 0:
            self._status.update(f"replaying: {scene.time:.0f} s")


def _replay(
    file: Path,
    *,
    check: bool,
    tolerance: float | None,
    folder: Path | None,
    trust: bool,
    json: bool,
) -> None:
    """Run a recorded scene again, and report whether it was the same."""
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    from robotix.app.recorded_scene import load_recorded, rebuilt_scene
    from robotix.scene.recording.drift import TOLERANCE
    from robotix.scene.recording.replay import read_header
    from robotix.scene.recording.replay import replay as replay_file

    header = read_header(file)
    with rebuilt_scene(file, header, folder) as (scene, changed):
        with collected_warnings() as warnings:
            room = load_recorded(file, header, scene, trust=trust)
        warnings = [each.replace(f"{scene.parent}{os.sep}", "") for each in warnings]
        try:
            with collected_warnings(), _Counter() as counter:  # reported when it was recorded
                report = replay_file(
                    file,
                    load=lambda _: room,
                    on_tick=[counter],
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


def _check_options(*, show: bool, compare: Path | None, offset: float, is_checked: bool) -> None:
    """Raise BadParameter for options that are invalid or contradict each other."""
    if compare is not None and not show:
        raise typer.BadParameter("--compare lays a recording over another one; add --show")
    if offset and compare is None:
        raise typer.BadParameter("--offset moves the recording of --compare; add that one")
    if not math.isfinite(offset):
        raise typer.BadParameter(f"--offset must be finite, got {offset}")
    if show and is_checked:
        raise typer.BadParameter("--show replays nothing; leave out --check and --list")


def _check_files(*files: Path) -> None:
    """Raise `BadFile` or OSError for a file that is no recording, before a browser is opened."""
    from robotix.scene.recording.replay import read_header

    for file in files:
        read_header(file)


def _show(
    service: RoomService,
    file: Path,
    *,
    compare: Path | None,
    offset: float,
    folder: Path | None,
    trust: bool,
) -> None:
    """Show a recording until Ctrl-C."""
    from robotix.app.replay_session import open_replay
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    prepare_kernels()
    opened = open_replay(
        file, service=service, second=compare, offset=offset, folder=folder, trust=trust
    )
    with collected_warnings() as warnings, opened as player:
        for warning in warnings:
            if not warning.startswith("plug-in "):  # the page says which did not run
                typer.echo(f"warning: {warning}", err=True)
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        for number in before:
            signal.signal(number, lambda *_: player.stop())
        try:
            player.run()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


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
