"""What is told about a room that has lived: for programs and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from robotix.cli.live import RunSummary
    from robotix.scene.loop import LoopReport
    from robotix.scene.scene import Scene

__all__ = ["document_of", "tell"]


def document_of(room: Scene, report: LoopReport, tally: RunSummary) -> dict[str, Any]:
    """Return all that is known about a run."""
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
        "events": dict(tally.events),
        "said": tally.said,
        "problems": dict(tally.problems),
    }


def tell(document: dict[str, Any]) -> None:
    """Print the same in a few lines."""
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
