"""`robotix sim ROBOT`: a robot on a floor, its posture held by servos."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import numbers, print_json
from robotix.cli.progress import Progress
from robotix.cli.sim.scene import SCENE_SUFFIXES, simulate_scene
from robotix.files.output_file import check_writable

if TYPE_CHECKING:
    from robotix.dynamics.simulation.drop import DropResult
    from robotix.model import Model

__all__ = ["hold"]

PARTS = 100  # of the progress bar


def hold(
    robot: Annotated[
        str,
        typer.Argument(
            metavar="ROBOT_OR_SCENE",
            help="A name from `robotix robots`, or a file of a robot or scene.",
        ),
    ],
    *,
    seconds: Annotated[
        float, typer.Option(min=0.001, max=3600, help="How long to simulate, in s.")
    ] = 2.0,
    q: Annotated[
        list[float] | None,
        typer.Option(
            metavar="Q1 Q2 …",
            help="Joint positions to hold, in rad and m; the neutral posture when left out.",
        ),
    ] = None,
    free: Annotated[
        bool, typer.Option("--free", help="Let a root that the file fixes to the world float.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the motion of a robot (.csv, .mcap), or record a scene (.mcap).",
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Simulate a robot on a floor, with servos that hold its posture, or a scene with physics.

    Every joint has a position servo with stiffness J ω² and damping 2 J ω, where J is the inertia
    that the joint moves and ω = 30 rad/s. Robots with a floating root, and all with --free, start
    1 mm above the floor; the others stay fixed. Meshes collide as convex hulls of their pieces.
    """
    if record is not None and record.suffix.lower() not in (".csv", ".mcap"):
        raise typer.BadParameter(f"--record {record}: a motion file is called .csv or .mcap")
    if Path(robot).suffix.lower() in SCENE_SUFFIXES:
        if q or free:
            raise typer.BadParameter("--q and --free are for robots, not for scenes")
        if record is not None and record.suffix.lower() != ".mcap":
            raise typer.BadParameter(f"--record {record}: a scene is recorded to a .mcap file")
        simulate_scene(Path(robot), seconds, record=record, json=json)
        return
    if record is not None:
        check_writable(record)
    model = _load(robot, free=free)
    result = _drop(model, None if q is None else _posture(model, q), seconds)
    if record is not None:
        _save(record, model, result)
    if json:
        print_json(_document(model, result))
    else:
        _print(model, result)


def _load(robot: str, *, free: bool) -> Model:
    """Return a robot whose meshes can be read; what cannot is reported, and replaced."""
    from robotix.dynamics.simulation.drop import free_root
    from robotix.meshes.stand_ins import with_stand_ins
    from robotix.model.robots import load

    model = load(robot)
    return with_stand_ins(free_root(model) if free else model, _warn)


def _drop(model: Model, q: list[float] | None, seconds: float) -> DropResult:
    from robotix.dynamics.simulation.drop import drop
    from robotix.scene.physics.hulls import convex_pieces

    with Progress(PARTS, f"{model.name}, {seconds:g} s") as progress:
        done = 0

        def show(time: float) -> None:
            nonlocal done
            while done < min(PARTS, int(PARTS * time / seconds + 1e-9)):
                done += 1
                progress.advance()

        return drop(model, q, seconds=seconds, meshes=convex_pieces, on_sample=show)


def _warn(text: str) -> None:
    """Print a warning to stderr."""
    typer.echo(f"warning: {text}", err=True)


def _posture(model: Model, values: list[float]) -> list[float]:
    """Return joint positions with those of a floating root, which may be left out, before them."""
    if len(values) == model.n_dof:
        return values
    root = 6 if any(joint.kind == "floating" for joint in model.joints) else 0
    if root and len(values) == model.n_dof - root and "_x" in model.dof_names[0]:
        return [0.0] * root + values
    known = ", ".join(model.dof_names)
    raise ValueError(f"{model.name} has {model.n_dof} coordinates, not {len(values)}: {known}")


def _save(path: Path, model: Model, result: DropResult) -> None:
    from robotix.motion import Motion, save_motion

    save_motion(path, Motion.of(model, result.times, q=result.q))


def _document(model: Model, result: DropResult) -> dict[str, Any]:
    return {
        "robot": model.name,
        "seconds": result.seconds,
        "mass": result.mass,
        "energy": {
            "start": result.start.total,
            "end": result.end.total,
            "drift": result.end.total - result.start.total,
            "max_kinetic": result.max_kinetic,
        },
        "momentum": result.momentum,
        "angular_momentum": result.angular_momentum,
        "contacts": result.contacts,
        "contact_force": result.contact_force,
        "max_speed": result.max_speed,
        "fell": result.fell,
        "q": result.q[-1],
    }


def _print(model: Model, result: DropResult) -> None:
    start, end = result.start.total, result.end.total
    weight = f"{result.contact_force:.2f} N on {result.contacts} points"
    lines = [
        f"{model.name}, {result.mass:.3f} kg, {result.seconds:.3f} s: "
        + ("fell" if result.fell else "did not fall"),
        f"  energy            {start:.4f} J, then {end:.4f} J ({end - start:+.4f} J)",
        f"  momentum          {numbers(result.momentum, 'kg m/s')}",
        f"  angular momentum  {numbers(result.angular_momentum, 'kg m²/s')}",
        f"  floor             {weight}",
    ]
    typer.echo("\n".join(lines))
