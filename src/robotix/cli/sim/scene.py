"""`robotix sim SCENE`: a scene with physics, without a page and as fast as possible."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from robotix.cli.output import numbers, print_json
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["SCENE_SUFFIXES", "simulate_scene"]

SCENE_SUFFIXES = (".yaml", ".yml")


def simulate_scene(path: Path, seconds: float, *, record: Path | None, json: bool) -> None:
    """Run a scene file with physics, and print energy, momentum and contacts."""
    from robotix.authoring import load_scene
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    scene = load_scene(path)
    if not scene.physics.is_on:
        raise ValueError(
            f"{path} has no physics; add `physics: {{}}` to the file, or run it without: "
            f"robotix run {path} --headless --seconds {seconds:g}"
        )
    scene.physics.prepare()
    start = _energy(scene)
    problems = _run(scene, max(round(seconds / scene.dt), 1), record)
    document = {"scene": str(path), "seconds": scene.time, **_totals(scene, start)}
    document["problems"] = problems
    document["recording"] = None if record is None else str(record)
    if json:
        print_json(document)
    else:
        _print(document)


def _run(scene: Scene, ticks: int, record: Path | None) -> dict[str, int]:
    """Run, with a progress bar; return how often which problems occurred."""
    from robotix.app.session import RecordTo, open_session
    from robotix.cli.live import RunSummary

    summary = RunSummary()
    to = None if record is None else RecordTo(record, on_problem=summary.add_problem)
    with (
        Progress(ticks, f"{scene.name or 'scene'}, {ticks * scene.dt:g} s") as progress,
        open_session(scene, record=to, on_tick=[summary, progress.advance], is_paced=False) as loop,
    ):
        loop.set_speed(math.inf)
        loop.run(ticks=ticks)
    return dict(summary.problems)


def _totals(scene: Scene, start: float) -> dict[str, Any]:
    mirror = scene.physics.mirror
    if mirror is None:
        raise ValueError(f"{scene.files.source} has nothing to simulate")
    end, momentum = _energy(scene), mirror.room.simulation.momentum()
    lost = sorted(mirror.frozen | set(mirror.roots.stopped))
    return {
        "mass": momentum.mass,
        "energy": {"start": start, "end": end, "drift": end - start},
        "momentum": momentum.linear,
        "angular_momentum": momentum.angular,
        "contacts": len(mirror.contact_points()),
        "connections": list(scene.physics.connections),
        "fell": bool(lost),
        "lost": lost,
    }


def _energy(scene: Scene) -> float:
    mirror = scene.physics.mirror
    return 0.0 if mirror is None else float(mirror.room.simulation.energy().total)


def _print(document: dict[str, Any]) -> None:
    energy = document["energy"]
    lines = [
        f"{document['scene']}, {document['mass']:.3f} kg that moves, {document['seconds']:.3f} s",
        f"  energy            {energy['start']:.4f} J, then {energy['end']:.4f} J "
        f"({energy['drift']:+.4f} J)",
        f"  momentum          {numbers(document['momentum'], 'kg m/s')}",
        f"  angular momentum  {numbers(document['angular_momentum'], 'kg m²/s')}",
        f"  contacts          {document['contacts']}",
        f"  connections       {', '.join(document['connections']) or 'none'}",
        f"  lost              {', '.join(document['lost']) or 'nothing'}",
    ]
    lines += [f"  problem           {what} ({n}×)" for what, n in document["problems"].items()]
    if document["recording"] is not None:
        lines.append(f"  recorded          {document['recording']}")
    typer.echo("\n".join(lines))
