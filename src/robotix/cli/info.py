"""`robotix info`: what a robot's file holds, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, RobotArgument
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.model import Joint, Model

__all__ = ["StrictFlag", "TimeoutOption", "info"]

StrictFlag: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Refuse a URDF with flaws, instead of listing them.")
]
TimeoutOption: TypeAlias = Annotated[
    float | None,
    typer.Option(min=0, help="Processor time for MJCF and xacro, in s; default: a minute."),
]


def info(
    robot: RobotArgument,
    *,
    strict: StrictFlag = False,
    timeout: TimeoutOption = None,
    json: JsonFlag = False,
) -> None:
    """Describe a robot: its joints, bodies, mass and meshes, and warnings about its file."""
    from robotix.model.robots import load

    model = load(robot, strict=strict, timeout=timeout)
    document = _document(model, Path(robot).parent)
    if json:
        print_json(document)
    else:
        _print_report(document)


def _document(model: Model, folder: Path) -> dict[str, Any]:
    addresses = list(dict.fromkeys(_mesh_addresses(model)))
    found = [address for address in addresses if _find_mesh(address, folder)]
    return {
        "robot": model.name,
        "source": model.source,
        "dof": model.n_dof,
        "joints": [_joint(joint) for joint in model.joints if joint.kind != "fixed"],
        "bodies": [body.name for body in model.bodies],
        "points": list(model.points),
        "tip": model.tip,
        "mass": model.mass,
        "meshes": {
            "found": found,
            "missing": [address for address in addresses if address not in found],
        },
        "warnings": list(model.notes),
    }


def _joint(joint: Joint) -> dict[str, Any]:
    return {
        "name": joint.name,
        "kind": joint.kind,
        "lower": joint.lower,
        "upper": joint.upper,
        "velocity": joint.velocity,
        "effort": joint.effort,
        "mimics": joint.mimic.source if joint.mimic else None,
    }


def _mesh_addresses(model: Model) -> Iterator[str]:
    from robotix.geometry import Mesh

    for body in model.bodies:
        for shape in (*body.collision, *(visual.shape for visual in body.visuals)):
            if isinstance(shape, Mesh):
                yield shape.uri


def _find_mesh(address: str, folder: Path) -> bool:
    """Return whether a mesh is where its address says, or in a package above the robot's file."""
    path = address.removeprefix("file://")
    if not address.startswith("package://"):
        return (folder / path).is_file()
    path = address.removeprefix("package://")
    package, _, inside = path.partition("/")
    parents = folder.resolve()
    return any(
        (above / path).is_file() or (above.name == package and (above / inside).is_file())
        for above in (parents, *parents.parents)
    )


def _print_report(document: dict[str, Any]) -> None:
    meshes, bodies = document["meshes"], document["bodies"]
    size = f"{document['dof']} DoF, {len(bodies)} bodies, tip {document['tip']}"
    typer.echo(f"{document['robot']}: {size}")
    typer.echo(f"  mass      {document['mass']:.4g} kg")
    typer.echo(f"  meshes    {len(meshes['found'])} found, {len(meshes['missing'])} missing")
    width = max((len(joint["name"]) for joint in document["joints"]), default=0)
    for joint in document["joints"]:
        typer.echo(f"  {joint['name']:<{width}}  {_range(joint)}")
    for address in meshes["missing"]:
        typer.echo(f"missing: {address}")
    for warning in document["warnings"]:
        typer.echo(f"warning: {warning}")


def _range(joint: dict[str, Any]) -> str:
    if joint["mimics"]:
        return f"{joint['kind']:<10} follows {joint['mimics']}"
    slides = joint["kind"] in ("prismatic", "path")
    lower, upper = joint["lower"], joint["upper"]
    if math.isinf(lower) and math.isinf(upper):
        return f"{joint['kind']:<10} unlimited"
    if slides:
        return f"{joint['kind']:<10} {lower:.4g} to {upper:.4g} m"
    return f"{joint['kind']:<10} {math.degrees(lower):.4g}° to {math.degrees(upper):.4g}°"
