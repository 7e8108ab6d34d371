"""Reports of a run as JSON and as text; collecting of logged warnings."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from robotix.cli.live import RunSummary
    from robotix.scene.loop import LoopReport
    from robotix.scene.scene import Scene

__all__ = ["collected_warnings", "document_of", "print_report"]


def document_of(room: Scene, report: LoopReport, summary: RunSummary) -> dict[str, Any]:
    """Return a run as a JSON document."""
    return {
        "scene": str(room.files.source),
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
        "events": dict(summary.events),
        "said": summary.said,
        "problems": dict(summary.problems),
    }


def print_report(document: dict[str, Any]) -> None:
    """Print a run in a few lines."""
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


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect logged warnings instead of printing them."""
    handler, log = _Collector(logging.WARNING), logging.getLogger("robotix")
    log.addHandler(handler)
    try:
        yield handler.messages
    finally:
        log.removeHandler(handler)


class _Collector(logging.Handler):
    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
