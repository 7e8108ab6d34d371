"""`robotix sim SCENE`: a scene with physics, without a page and as fast as possible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from robotix.cli.output import numbers, print_json

__all__ = ["SCENE_SUFFIXES", "simulate_scene"]

SCENE_SUFFIXES = (".yaml", ".yml")


def simulate_scene(path: Path, seconds: float, *, json: bool) -> None:
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
    ticks = max(round(seconds / scene.dt), 1)
    for _ in range(ticks):
        scene.step()
    mirror = scene.physics.mirror
    simulation = mirror.room.simulation if mirror is not None else None
    if mirror is None or simulation is None:
        raise ValueError(f"{path} has nothing to simulate")
    end, momentum = _energy(scene), simulation.momentum()
    lost = sorted(mirror.frozen)
    document = {
        "scene": str(path),
        "seconds": ticks * scene.dt,
        "mass": momentum.mass,
        "energy": {"start": start, "end": end, "drift": end - start},
        "momentum": momentum.linear,
        "angular_momentum": momentum.angular,
        "contacts": len(simulation.contacts()),
        "fell": bool(lost),
        "lost": lost,
    }
    if json:
        print_json(document)
    else:
        _print(document)


def _energy(scene: Any) -> float:
    mirror = scene.physics.mirror
    return 0.0 if mirror is None else float(mirror.room.simulation.energy().total)


def _print(document: dict[str, Any]) -> None:
    energy = document["energy"]
    lost = ", ".join(document["lost"]) or "nothing"
    lines = [
        f"{document['scene']}, {document['mass']:.3f} kg that moves, {document['seconds']:.3f} s",
        f"  energy            {energy['start']:.4f} J, then {energy['end']:.4f} J "
        f"({energy['drift']:+.4f} J)",
        f"  momentum          {numbers(document['momentum'], 'kg m/s')}",
        f"  angular momentum  {numbers(document['angular_momentum'], 'kg m²/s')}",
        f"  contacts          {document['contacts']}",
        f"  lost              {lost}",
    ]
    typer.echo("\n".join(lines))
