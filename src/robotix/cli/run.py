"""`robotix run`: let a room live."""

from __future__ import annotations

import logging
import math
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.cli.live import Tally
    from robotix.scene.console import Typist
    from robotix.scene.loop import Consumer, InputSource, Loop, LoopReport
    from robotix.scene.scene import Scene

__all__ = ["run"]

SceneFile: TypeAlias = Annotated[
    Path | None, typer.Argument(metavar="SCENE", help="A scene: .yaml, .vd2 or .cfg.")
]
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


def run(
    scene: SceneFile = None,
    *,
    headless: Annotated[bool, typer.Option("--headless", help="Without a window.")] = False,
    seconds: Seconds = None,
    record: Record = None,
    rate: Rate = None,
    fast: Fast = False,
    devices: Devices = None,
    seed: NewSeed = None,
    json: JsonFlag = False,
) -> None:
    """Let a room live: in real time, until Ctrl-C or for so many seconds.

    At the end it tells how many ticks were made, how busy the computer was, and what happened.
    """
    file = _checked(scene, headless=headless, seconds=seconds, record=record)
    from robotix.cli.compiling import tell_when_compiling
    from robotix.cli.live import Tally
    from robotix.cli.rooms import load_room, typing
    from robotix.scene.console import Typist
    from robotix.scene.loop import Loop

    tell_when_compiling()
    _leave_problems_to_the_summary()
    room = load_room(file, rate=rate, seed=seed)
    ticks = None if seconds is None else max(1, round(seconds / room.dt))
    tally = Tally()
    with ExitStack() as stack:
        stack.callback(room.plugins.close)
        consumers: list[Consumer] = []
        source = _open_devices(stack, room, devices, consumers, is_paced=not fast)
        if record is not None:
            consumers.append(_open_recorder(stack, room, record, tally, rate=rate, seed=seed))
        typist = Typist()
        source = typing(typist, source, on_quit=lambda: loop.stop())
        loop = Loop(room, source=source, on_tick=[*consumers, tally], speed=math.inf)
        stack.enter_context(_ended_by_signals(loop))
        with _talking(loop, tally, typist, is_silent=json):
            if not fast:
                _warm_up(room)
            report = _run(loop, ticks, speed=math.inf if fast else 1.0)
    document = _document(room, report, tally)
    document["recording"] = None if record is None else str(record)
    (print_json if json else _tell)(document)


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


def _checked(
    scene: Path | None, *, headless: bool, seconds: float | None, record: Path | None
) -> Path:
    """Refuse a wrong use; return the scene's file."""
    if scene is None:
        raise typer.BadParameter("name a scene: robotix run SCENE")
    if not headless:
        raise typer.BadParameter("there is no page to look at rooms yet; add --headless")
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter(f"--seconds must be a time of more than 0 s, got {seconds}")
    if record is not None and record.suffix.lower() != ".mcap":
        raise typer.BadParameter(f"--record takes the name of a new .mcap file, got {record}")
    return scene


def _leave_problems_to_the_summary() -> None:
    """Keep log lines off the terminal, a slow one would hold up the room; problems are told."""
    logging.getLogger("robotix").addHandler(logging.NullHandler())


def _open_devices(
    stack: ExitStack,
    room: Scene,
    file: Path | None,
    consumers: list[Consumer],
    *,
    is_paced: bool,
) -> InputSource | None:
    if file is None:
        return None
    from robotix.cli.rooms import make_controls, reading

    controls = stack.enter_context(make_controls(room, file))

    def tell_problems(scene: Scene) -> None:
        while controls.problems:
            scene.tell(controls.problems.popleft())

    consumers.append(tell_problems)
    return reading(controls, room, is_paced=is_paced)


def _open_recorder(
    stack: ExitStack,
    room: Scene,
    path: Path,
    tally: Tally,
    *,
    rate: float | None,
    seed: int | None,
) -> Consumer:
    from robotix.scene.origin import Origin, read_origin
    from robotix.scene.recording import Recorder

    file = room.source
    origin = Origin() if file is None else read_origin(file, path, rate=rate, seed=seed)
    recorder = Recorder(path, room, origin=origin)

    def close() -> None:
        recorder.close()
        problem = f"recording: {recorder.problem}"
        if recorder.problem and problem not in tally.problems:  # the last moment may have failed
            tally.problems[problem] += 1

    stack.callback(close)
    return recorder


@contextmanager
def _talking(loop: Loop, tally: Tally, typist: Typist, *, is_silent: bool) -> Iterator[None]:
    """Print what the room says, unless silent, and hear what is typed, if there is a place to."""
    from robotix.cli.live import HINT, LineReader, Teller, status, typed_file

    file = typed_file()
    at_terminal = file is not None and os.isatty(file)
    with ExitStack() as stack:
        if not is_silent:  # a line that changes all the time and typing do not go together
            stack.enter_context(Teller(loop, tally, has_line=not at_terminal))
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


def _document(room: Scene, report: LoopReport, tally: Tally) -> dict[str, Any]:
    return {
        "scene": str(room.source),
        "seconds": report.time,
        "ticks": report.ticks,
        "elapsed": report.elapsed,
        "overruns": report.overruns,
        "lost": report.lost,
        "load": report.load,
        "tick_time": {
            "mean": report.mean,
            "median": report.median,
            "p99": report.p99,
            "p99.9": report.p999,
            "worst": report.worst,
        },
        "nodes": len(room.graph),
        "robots": {name: robot.q for name, robot in room.robots.items()},
        "events": dict(tally.events),
        "said": tally.said,
        "problems": dict(tally.problems),
    }


def _tell(document: dict[str, Any]) -> None:
    ms = {name: f"{seconds * 1e3:.2f} ms" for name, seconds in document["tick_time"].items()}
    events = ", ".join(f"{count} {kind}" for kind, count in document["events"].items())
    lines = [
        f"{document['ticks']} ticks, {document['seconds']:.2f} s in {document['elapsed']:.2f} s",
        f"  load       {document['load']:.1%} of one core",
        f"  tick       {ms['median']}, 99.9 % within {ms['p99.9']}, worst {ms['worst']}",
        f"  overruns   {document['overruns']}, {document['lost']:.2f} s lost",
        f"  events     {events or 'none'}",
    ]
    lines += [f"  problem    {what} ({count}×)" for what, count in document["problems"].items()]
    if document["recording"] is not None:
        lines.append(f"  recorded   {document['recording']}")
    typer.echo("\n".join(lines))
