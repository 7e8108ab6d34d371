"""`robotix fk`: forward kinematics, the pose of a control point."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import (
    JsonFlag,
    PackagesOption,
    PointOption,
    RobotArgument,
    XacroOption,
    only_one,
    xacro_arguments,
)
from robotix.cli.output import numbers, print_json, print_notes

if TYPE_CHECKING:
    from robotix.kinematics import Posture
    from robotix.model import Model

__all__ = ["fk"]


def fk(
    robot: RobotArgument,
    *,
    q: Annotated[
        list[float] | None,
        typer.Option(metavar="Q1 Q2 …", help="Joint positions, in rad and m."),
    ] = None,
    q_deg: Annotated[
        list[float] | None,
        typer.Option(metavar="Q1 Q2 …", help="The same, with angles in degrees."),
    ] = None,
    point: PointOption = None,
    arg: XacroOption = None,
    packages: PackagesOption = None,
    json: JsonFlag = False,
) -> None:
    """Print the pose of a control point.

    Q1 Q2 … are the joint positions from base to tip, all 0 when left out; `robotix robots` lists
    the number of joints.
    """
    only_one(q=q, q_deg=q_deg)
    from robotix.kernels.compile_events import announce_compiling
    from robotix.model.robots import load

    model = load(robot, arguments=xacro_arguments(arg, robot))
    print_notes(model)
    given = q or q_deg or [0.0] * model.n_dof
    announce_compiling()
    from robotix.kinematics.posture import Posture

    _check_count(model, given)
    posture = Posture(model, _radians(model, given) if q_deg else given)
    name = model.tip if point is None else point
    (_print_document if json else _print_report)(posture, name)


def _print_document(posture: Posture, point: str) -> None:
    pose = posture.pose(point)
    print_json(
        {
            "robot": posture.model.name,
            "point": point,
            "q": posture.q,
            "beyond_limits": _beyond_limits(posture),
            "position": pose.translation,
            "rotation": pose.rotation,
            "rpy": pose.rpy,
        }
    )


def _print_report(posture: Posture, point: str) -> None:
    pose = posture.pose(point)
    typer.echo(f"{point} of {posture.model.name}")
    typer.echo(f"  position  {numbers(pose.translation, 'm')}")
    for label, row in zip(("rotation", "", ""), pose.rotation, strict=True):
        typer.echo(f"  {label:<8}  {numbers(row)}")
    typer.echo(f"  rpy       {numbers(pose.rpy, 'rad')}")
    if beyond := _beyond_limits(posture):
        typer.echo(f"  beyond its limits: {', '.join(beyond)}")


def _check_count(model: Model, values: list[float]) -> None:
    if len(values) != model.n_dof:
        known = ", ".join(model.dof_names)
        raise ValueError(f"{model.name} has {model.n_dof} joints, not {len(values)}: {known}")


def _radians(model: Model, values: list[float]) -> list[float]:
    """Convert degrees to radians; values of prismatic joints, in m, are unchanged."""
    from robotix.motion.coordinates import model_dofs

    pairs = zip(values, model_dofs(model), strict=True)
    return [value if dof.unit == "m" else math.radians(value) for value, dof in pairs]


def _beyond_limits(posture: Posture) -> list[str]:
    model, q = posture.model, posture.q
    outside = (q < model.lower - 1e-9) | (q > model.upper + 1e-9)
    return [name for name, is_out in zip(model.dof_names, outside, strict=True) if is_out]
