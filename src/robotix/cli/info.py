"""`robotix info`: what a robot's file holds, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import (
    JsonFlag,
    PackagesOption,
    RobotArgument,
    XacroOption,
    xacro_arguments,
)
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.geometry import Mesh
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
    arg: XacroOption = None,
    packages: PackagesOption = None,
    json: JsonFlag = False,
) -> None:
    """Describe a robot: its joints, bodies, mass and meshes, and warnings about its file."""
    from robotix.model.robots import load

    model = load(robot, strict=strict, timeout=timeout, arguments=xacro_arguments(arg, robot))
    document = _document(model)
    if json:
        print_json(document)
    else:
        _print_report(document)


def _document(model: Model) -> dict[str, Any]:
    from robotix.model.tip import explain_tip

    meshes = {mesh.uri: bool(mesh.file) for mesh in _meshes(model)}
    return {
        "robot": model.name,
        "source": model.source,
        "dof": model.n_dof,
        "joints": [_joint(joint) for joint in model.joints if joint.kind != "fixed"],
        "bodies": [body.name for body in model.bodies],
        "points": list(model.points),
        "tip": model.tip,
        "tip_reason": explain_tip(model),
        "mass": model.mass,
        "meshes": {
            "found": [address for address, is_there in meshes.items() if is_there],
            "missing": [address for address, is_there in meshes.items() if not is_there],
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


def _meshes(model: Model) -> Iterator[Mesh]:
    from robotix.geometry import Mesh

    for body in model.bodies:
        for shape in (*body.collision, *(visual.shape for visual in body.visuals)):
            if isinstance(shape, Mesh):
                yield shape


def _print_report(document: dict[str, Any]) -> None:
    meshes, bodies = document["meshes"], document["bodies"]
    typer.echo(f"{document['robot']}: {document['dof']} DoF, {len(bodies)} bodies")
    typer.echo(f"  tip       {document['tip']} ({document['tip_reason']})")
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
