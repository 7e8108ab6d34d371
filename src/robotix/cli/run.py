"""`robotix run`: let a room live."""

from __future__ import annotations

import gc
import logging
import math
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.cli.live import RunSummary
    from robotix.devices import Controls
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import Consumer, InputSource, Loop, LoopReport
    from robotix.scene.scene import Scene
    from robotix.server import RoomService

__all__ = ["run"]

PORT = 8642
PATIENCE = 2.0  # s, at most, until pages see a room, before it begins to live

SceneFile: TypeAlias = Annotated[
    Path | None,
    typer.Argument(metavar="[SCENE]", help="A scene: .yaml, .vd2 or .cfg; a flat without one."),
]
Port: TypeAlias = Annotated[
    int, typer.Option(min=0, max=65535, help="Where the page is served; 0 for any that is free.")
]
Lan: TypeAlias = Annotated[
    bool, typer.Option("--lan", help="Let other machines and headsets in, by HTTPS.")
]
NoOpen: TypeAlias = Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")]
NewToken: TypeAlias = Annotated[
    bool, typer.Option("--new-token", help="Shut out the pages that were let in before.")
]
Headless: TypeAlias = Annotated[bool, typer.Option("--headless", help="Without a page.")]
Seconds: TypeAlias = Annotated[
    float | None, typer.Option(help="How long, in the room's time; until Ctrl-C when left out.")
]
Record: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Record to a new .mcap file.")
]
Rate: TypeAlias = Annotated[
    float | None, typer.Option(min=1, max=10_000, help="Ticks a second, instead of the scene's.")
]
Fast: TypeAlias = Annotated[bool, typer.Option("--fast", help="Do not wait for the clock.")]
Devices: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Which devices serve the scene (.yaml), or recorded samples of some."
    ),
]
NewSeed: TypeAlias = Annotated[
    int | None, typer.Option(min=0, help="Of the random numbers, instead of the scene's.")
]


@dataclass(frozen=True)
class _Wishes:
    """What the command line asks for, once it is known to make sense."""

    scene: Path | None  # None: the room that comes with robotix
    seconds: float | None
    record: Path | None
    rate: float | None
    fast: bool
    devices: Path | None
    seed: int | None
    json: bool


def run(
    scene: SceneFile = None,
    *,
    port: Port = PORT,
    lan: Lan = False,
    no_open: NoOpen = False,
    new_token: NewToken = False,
    headless: Headless = False,
    seconds: Seconds = None,
    record: Record = None,
    rate: Rate = None,
    fast: Fast = False,
    devices: Devices = None,
    seed: NewSeed = None,
    json: JsonFlag = False,
) -> None:
    """Let a room live, and show it in the browser: until Ctrl-C or for so many seconds.

    At the end it tells how many ticks were made, how busy the computer was, and what happened.
    """
    _check(headless=headless, fast=fast, seconds=seconds, record=record)
    wishes = _Wishes(scene, seconds, record, rate, fast, devices, seed, json)
    _leave_problems_to_the_summary()
    if headless:
        _live(wishes, None)
        return
    from robotix.cli.serving import serving

    with serving(port=port, lan=lan, opens=not no_open, renew=new_token, to_stderr=json) as service:
        _live(wishes, service)


def _live(wishes: _Wishes, service: RoomService | None) -> None:
    """Load the room, let it live, and tell about it."""
    with _collector_at_rest():
        room = _load(wishes)

    from robotix.cli.live import RunSummary
    from robotix.cli.reporting import document_of, tell
    from robotix.cli.rooms import typing
    from robotix.scene.console.console_input import ConsoleInput
    from robotix.scene.loop import Loop

    ticks = None if wishes.seconds is None else max(1, round(wishes.seconds / room.dt))
    tally, typist = RunSummary(), ConsoleInput()
    with ExitStack() as stack:
        stack.callback(room.plugins.close)
        source, consumers = _open_inputs(stack, room, wishes, service)
        if wishes.record is not None:
            consumers.append(_open_recorder(stack, room, wishes, tally))
        source = typing(typist, source, on_quit=lambda: loop.stop())
        loop = Loop(
            room,
            source=source,
            on_tick=[*consumers, tally],
            has_lines=lambda: typist.has_command() or (service is not None and service.has_lines()),
            on_still=service.on_still if service is not None else (),
            speed=math.inf,
        )
        if service is not None:
            service.attach(loop)
        stack.enter_context(_ended_by_signals(loop))
        with _talking(loop, tally, typist, is_silent=wishes.json):
            if service is not None:  # who looks on sees the room before all else is made ready
                service.wait_until_shown(PATIENCE)
            if not wishes.fast:
                _warm_up(room)
            report = _run(loop, ticks, speed=math.inf if wishes.fast else 1.0)
    document = document_of(room, report, tally)
    document["recording"] = None if wishes.record is None else str(wishes.record)
    (print_json if wishes.json else tell)(document)


def _load(wishes: _Wishes) -> Scene:
    """Load the room, and with it nearly all of the program."""
    from robotix.cli.compiling import tell_when_compiling
    from robotix.cli.rooms import load_room

    tell_when_compiling()
    room = load_room(wishes.scene or _default_room(), rate=wishes.rate, seed=wishes.seed)
    if wishes.scene is None:
        room.files.folder = Path.cwd()  # what is saved does not belong into the package
    return room


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Look for no garbage while hardly any is made: of all that is loaded, nearly all stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _warm_up(room: Scene) -> None:
    """Load what the room may use, before the clock counts."""
    from robotix.cli.warm_up_rooms import warm_up

    warm_up(room)


def _run(loop: Loop, ticks: int | None, *, speed: float) -> LoopReport:
    """Run; the first tick loads much that was never used before, so the pace begins after it."""
    report = loop.run(ticks=1)
    loop.set_speed(speed)
    if report.was_stopped or ticks == 1:
        return report
    return loop.run(ticks=None if ticks is None else ticks - 1)


def _default_room() -> Path:
    from robotix.authoring.rooms import default_room

    return default_room()


def _check(*, headless: bool, fast: bool, seconds: float | None, record: Path | None) -> None:
    """Refuse a wrong use."""
    if fast and not headless:
        raise typer.BadParameter("--fast is for rooms that nobody watches; add --headless")
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter(f"--seconds must be a time of more than 0 s, got {seconds}")
    if record is not None and record.suffix.lower() != ".mcap":
        raise typer.BadParameter(f"--record takes the name of a new .mcap file, got {record}")


def _leave_problems_to_the_summary() -> None:
    """Keep log lines off the terminal, a slow one would hold up the room; problems are told."""
    logging.getLogger("robotix").addHandler(logging.NullHandler())


# -- what takes part ------------------------------------------------------------------------


def _open_inputs(
    stack: ExitStack, room: Scene, wishes: _Wishes, service: RoomService | None
) -> tuple[InputSource | None, list[Consumer]]:
    """Return what the loop asks for inputs, and what it calls after every tick."""
    from robotix.cli.rooms import make_controls, reading

    if service is not None:
        controls = stack.enter_context(make_controls(room, wishes.devices))
        service.open(room, controls)
        service.recording = str(wishes.record or "")
        return service.source, [*service.on_tick]
    if wishes.devices is None:
        return None, []
    controls = stack.enter_context(make_controls(room, wishes.devices))
    return reading(controls, room, is_paced=not wishes.fast), [_teller_of(controls)]


def _teller_of(controls: Controls) -> Consumer:
    def tell_problems(scene: Scene) -> None:
        while controls.problems:
            scene.send(controls.problems.popleft())

    return tell_problems


def _open_recorder(stack: ExitStack, room: Scene, wishes: _Wishes, tally: RunSummary) -> Consumer:
    from robotix.scene.recording.origin import Origin, read_origin
    from robotix.scene.recording.recorder import Recorder

    path, file = wishes.record, room.files.source
    assert path is not None
    origin = Origin()
    if file is not None:
        origin = read_origin(file, path, rate=wishes.rate, seed=wishes.seed)
    recorder = Recorder(path, room, origin=origin)

    def close() -> None:
        recorder.close()
        problem = f"recording: {recorder.problem}"
        if recorder.problem and problem not in tally.problems:  # the last moment may have failed
            tally.problems[problem] += 1

    stack.callback(close)
    return recorder


@contextmanager
def _talking(
    loop: Loop, tally: RunSummary, typist: ConsoleInput, *, is_silent: bool
) -> Iterator[None]:
    """Print what the room says, unless silent, and hear what is typed, if there is a place to."""
    from robotix.cli.live import HINT, LineReader, StatusPrinter, status, typed_file

    file = typed_file()
    at_terminal = file is not None and os.isatty(file)
    with ExitStack() as stack:
        if not is_silent:  # a line that changes all the time and typing do not go together
            stack.enter_context(StatusPrinter(loop, tally, has_line=not at_terminal))
        if file is not None:

            def tell_status() -> None:
                tally.lines.append(status(loop, tally))

            stack.enter_context(LineReader(file, typist.lines, on_blank=tell_status))
        if at_terminal:
            tally.lines.append(HINT)
        yield


@contextmanager
def _ended_by_signals(loop: Loop) -> Iterator[None]:
    """End the loop at Ctrl-C or when asked to terminate; at the second time, end everything."""
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
