"""`robotix run`: run a scene and show it in the browser."""

from __future__ import annotations

import gc
import logging
import math
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, PackagesOption, XacroOption, xacro_arguments
from robotix.cli.compile import prepare_kernels
from robotix.cli.output import explain, print_json
from robotix.cli.trusting import TrustOption, plugin_trust
from robotix.errors import RobotixError

if TYPE_CHECKING:
    from robotix.cli.live import RunSummary
    from robotix.cli.watching import FileWatch
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import Loop, LoopReport
    from robotix.scene.scene import Scene
    from robotix.server import RoomService

__all__ = ["run"]

PORT = 8642
FAILURE_TIMEOUT = 10.0  # s to wait at most for a page that shows why there is no scene
SHOWN_TIMEOUT = 2.0  # s to wait at most until pages show the scene, before it starts

SceneOrRobotArgument: TypeAlias = Annotated[
    Path | None,
    typer.Argument(
        metavar="[SCENE|ROBOT]",
        help="A scene (.yaml, .vd2, .cfg), or a robot by name or file; default: a flat.",
    ),
]
PortOption: TypeAlias = Annotated[
    int, typer.Option(min=0, max=65535, help="Port of the page; 0 for any free port.")
]
LanOption: TypeAlias = Annotated[
    bool, typer.Option("--lan", help="Allow other machines and headsets, by HTTPS.")
]
NoOpenOption: TypeAlias = Annotated[
    bool, typer.Option("--no-open", help="Do not open the browser.")
]
NewTokenOption: TypeAlias = Annotated[
    bool, typer.Option("--new-token", help="Log out all pages that are logged in.")
]
HeadlessOption: TypeAlias = Annotated[bool, typer.Option("--headless", help="Run without a page.")]
SecondsOption: TypeAlias = Annotated[
    float | None, typer.Option(help="Duration in scene time; default: until Ctrl-C.")
]
RecordOption: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Record to a new .mcap file.")
]
RateOption: TypeAlias = Annotated[
    float | None, typer.Option(min=1, max=10_000, help="Ticks per second, instead of the scene's.")
]
FastOption: TypeAlias = Annotated[
    bool, typer.Option("--fast", help="Run as fast as possible, not in real time.")
]
DevicesOption: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE", help="A device mapping (.yaml), or recorded samples; may be repeated."
    ),
]
SaveOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="At the end, save the room as a scene file (.yaml)."),
]
WatchOption: TypeAlias = Annotated[
    bool,
    typer.Option("--watch", help="Load the scene again, and show it, whenever a file is saved."),
]
SceneSeedOption: TypeAlias = Annotated[
    int | None, typer.Option(min=0, help="Random seed, instead of the scene's.")
]


@dataclass(frozen=True)
class _Options:
    """The options of the command line, checked."""

    scene: Path | None  # None: the flat that comes with robotix
    seconds: float | None
    record: Path | None
    rate: float | None
    fast: bool
    devices: tuple[Path, ...]
    seed: int | None
    save: Path | None
    trust: bool
    json: bool
    watch: FileWatch | None
    arguments: Mapping[str, str]  # of a xacro file


@dataclass(frozen=True)
class _PageOptions:
    """Where the page is served."""

    port: int
    lan: bool
    opens: bool
    renews_token: bool


def run(
    scene: SceneOrRobotArgument = None,
    *,
    port: PortOption = PORT,
    lan: LanOption = False,
    no_open: NoOpenOption = False,
    new_token: NewTokenOption = False,
    headless: HeadlessOption = False,
    seconds: SecondsOption = None,
    record: RecordOption = None,
    rate: RateOption = None,
    fast: FastOption = False,
    devices: DevicesOption = None,
    seed: SceneSeedOption = None,
    save: SaveOption = None,
    trust: TrustOption = False,
    watch: WatchOption = False,
    arg: XacroOption = None,
    packages: PackagesOption = None,
    json: JsonFlag = False,
) -> None:
    """Run a scene and show it in the browser, until Ctrl-C or for a given time.

    At the end, print the number of ticks, the load of the computer, and what happened.
    """
    _check(headless=headless, fast=fast, seconds=seconds, record=record, save=save)
    files = _file_watch(scene, headless=headless, record=record) if watch else None
    mappings = tuple(devices or ())
    options = _Options(
        scene, seconds, record, rate, fast, mappings, seed, save, trust, json, files,
        xacro_arguments(arg, scene),
    )  # fmt: skip
    _silence_log()
    if headless:
        _run_scene(options, None)
        return
    page: _PageOptions | None = _PageOptions(port, lan, not no_open, new_token)
    while page is not None:
        page = _run_with_page(options, page)


def _file_watch(scene: Path | None, *, headless: bool, record: Path | None) -> FileWatch:
    """Return the watch of the files of a scene; raise BadParameter if there is nothing to watch."""
    from robotix.cli.watching import FileWatch

    if headless or record is not None:
        raise typer.BadParameter("--watch is for a page, without --headless and --record")
    if scene is None or not scene.parent.is_dir() or scene.suffix == "":
        raise typer.BadParameter(
            "--watch needs a scene file, such as robotix run room.yaml --watch"
        )
    return FileWatch(scene)


def _run_with_page(options: _Options, page: _PageOptions) -> _PageOptions | None:
    """Serve a page, and run the scene; return how to serve it again, None if it is over."""
    from robotix.cli.serving import serving

    with serving(
        port=page.port,
        lan=page.lan,
        opens=page.opens,
        renew=page.renews_token,
        to_stderr=options.json,
    ) as hosting:
        hosting.service.can_reset = options.record is None
        again = _PageOptions(hosting.port, page.lan, opens=False, renews_token=False)
        try:
            is_over = _run_scene(options, hosting.service)
        except (RobotixError, ValueError, OSError) as error:
            if not page.opens and options.watch is None:
                raise
            typer.echo(f"Error: {explain(error)}", err=True)
            # The browser is open already: the page says it, too, rather than wait for a room.
            timeout = FAILURE_TIMEOUT if options.watch is None else 0.0
            hosting.service.fail(explain(error), timeout=timeout)
            if options.watch is None:
                raise typer.Exit(1) from None
            typer.echo("waiting until a file is saved; Ctrl-C ends", err=True)
            options.watch.wait()
            is_over = False
    return None if is_over else again


def _run_scene(options: _Options, service: RoomService | None) -> bool:
    """Load the scene, run it, and report what happened.

    Return False if it is to be loaded again: a file was saved, or a page asked for it.
    """
    if not options.fast:
        prepare_kernels()
    with _garbage_collection_off():
        room = _load(options, service)

    from robotix.app.session import RecordTo, open_session
    from robotix.cli.live import RunSummary
    from robotix.cli.reporting import document_of, print_report
    from robotix.scene.console.console_input import ConsoleInput

    ticks = None if options.seconds is None else max(1, round(options.seconds / room.dt))
    summary = RunSummary()
    console = ConsoleInput(can_reset=service is not None and options.record is None)
    session = open_session(
        room,
        service=service,
        devices=options.devices,
        record=RecordTo.of(options.record, options.rate, options.seed, summary.add_problem),
        console=console,
        on_tick=[summary],
        on_end=[summary.count_messages],
        is_paced=not options.fast,
    )
    reset = threading.Event()
    if service is not None:
        service.recording = str(options.record or "")
    with (
        ExitStack() as stack,
        session as loop,
        _ended_by_signals(loop),
        _terminal(loop, summary, console, is_silent=options.json),
    ):
        if service is not None:  # pages show the scene before the kernels are loaded
            service.on_reset = partial(_end_for_reset, loop, reset)
            service.wait_until_shown(SHOWN_TIMEOUT)
        if not options.fast:
            _warm_up(room)
        if service is not None:
            stack.enter_context(_compiling_in_background())
        changed = stack.enter_context(options.watch.stopping(loop)) if options.watch else None
        report = _run(loop, ticks, speed=math.inf if options.fast else 1.0)
    if changed is not None and changed.is_set():
        typer.echo("a file was saved: the scene is loaded again", err=True)
        return False
    if reset.is_set() or console.has_reset:
        typer.echo("the scene is loaded again", err=True)
        return False
    if options.save is not None:
        _save(room, options.save)
    document = document_of(room, report, summary)
    document["recording"] = None if options.record is None else str(options.record)
    (print_json if options.json else print_report)(document)
    return True


def _end_for_reset(loop: Loop, reset: threading.Event) -> None:
    reset.set()
    loop.stop()


def _save(room: Scene, path: Path) -> None:
    """Save the room as it is at the end of the run."""
    from robotix.authoring import save_scene

    save_scene(room, path)
    typer.echo(f"saved {path}", err=True)


def _load(options: _Options, service: RoomService | None) -> Scene:
    """Load the scene; terminal and pages are asked about plug-ins that are not known."""
    from robotix.app.robot_scene import load_scene_or_robot
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    file = options.scene or _default_room()
    trust = plugin_trust(trust=options.trust, service=service, seconds=options.seconds)
    room = load_scene_or_robot(
        file, rate=options.rate, seed=options.seed, trust=trust, arguments=options.arguments
    )
    if options.scene is None:
        room.files.folder = Path.cwd()  # files are not saved in the package
    return room


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Disable garbage collection while loading, when most objects are kept."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _warm_up(room: Scene) -> None:
    """Load the kernels that the scene may use, before it runs in real time."""
    from robotix.warm_up.rooms import warm_up

    warm_up(room)


@contextmanager
def _compiling_in_background() -> Iterator[None]:
    """Compile the remaining kernels in the background, unless they are on disk."""
    from robotix.kernels.compiled_groups import is_compiled

    if is_compiled("all"):
        yield
        return
    from robotix.warm_up.compiling import compiling_in_background

    with compiling_in_background():
        yield


def _run(loop: Loop, ticks: int | None, *, speed: float) -> LoopReport:
    """Run the loop; the first tick loads much code, so real time starts after it."""
    report = loop.run(ticks=1)
    loop.set_speed(speed)
    if report.was_stopped or ticks == 1:
        return report
    return loop.run(ticks=None if ticks is None else ticks - 1)


def _default_room() -> Path:
    from robotix.authoring.rooms import default_room

    return default_room()


def _check(
    *, headless: bool, fast: bool, seconds: float | None, record: Path | None, save: Path | None
) -> None:
    """Raise BadParameter for options that are invalid or contradict each other."""
    if fast and not headless:
        raise typer.BadParameter("--fast runs without a page; add --headless")
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter(f"--seconds must be positive and finite, got {seconds}")
    if save is not None and save.suffix.lower() not in (".yaml", ".yml"):
        raise typer.BadParameter(f"--save must be a .yaml file, got {save}")
    if record is not None and record.suffix.lower() != ".mcap":
        raise typer.BadParameter(f"--record must be a new .mcap file, got {record}")


def _silence_log() -> None:
    """Keep log lines off the terminal; the summary lists problems."""
    logging.getLogger("robotix").addHandler(logging.NullHandler())


@contextmanager
def _terminal(
    loop: Loop, summary: RunSummary, console: ConsoleInput, *, is_silent: bool
) -> Iterator[None]:
    """Print the messages of the scene, unless silent, and read lines from a terminal or pipe."""
    from robotix.cli.live import HINT, LineReader, StatusPrinter, console_file, status
    from robotix.scene.console.preparation import preparation_of

    file = console_file()
    at_terminal = file is not None and os.isatty(file)
    with ExitStack() as stack:
        if not is_silent:  # no status line while the user types
            stack.enter_context(StatusPrinter(loop, summary, has_line=not at_terminal))
        if file is not None:

            def print_status() -> None:
                summary.lines.append(status(loop, summary))

            prepare = partial(preparation_of, loop.scene)
            reader = LineReader(file, console.lines, on_blank=print_status, preparation=prepare)
            stack.enter_context(reader)
        if at_terminal:
            summary.lines.append(HINT)
        yield


@contextmanager
def _ended_by_signals(loop: Loop) -> Iterator[None]:
    """Stop the loop at the first SIGINT or SIGTERM; the second one has its default effect."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, frame: object) -> None:
        loop.stop()
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
