"""`robotix solve`: inverse kinematics, joint positions for a target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import (
    JsonFlag,
    PackagesOption,
    PointOption,
    RobotArgument,
    SeedOption,
    XacroOption,
    only_one,
    xacro_arguments,
)
from robotix.cli.output import joint_lines, numbers, print_json, print_notes

if TYPE_CHECKING:
    from robotix.geometry import Pose
    from robotix.kinematics import Solution
    from robotix.model import Model

__all__ = ["solve"]

Three: TypeAlias = tuple[float, float, float]


def solve(
    robot: RobotArgument,
    *,
    xyz: Annotated[Three, typer.Option(metavar="X Y Z", help="Target position, in m.")],
    rpy: Annotated[
        Three | None,
        typer.Option(
            metavar="R P Y", help="Target roll, pitch and yaw, in rad; default: any orientation."
        ),
    ] = None,
    rpy_deg: Annotated[
        Three | None, typer.Option(metavar="R P Y", help="The same, in degrees.")
    ] = None,
    point: PointOption = None,
    tolerance: Annotated[
        float, typer.Option(help="Largest norm of the error of a solution, m and rad.")
    ] = 1e-6,
    seed: SeedOption = 0,
    arg: XacroOption = None,
    packages: PackagesOption = None,
    json: JsonFlag = False,
) -> None:
    """Find joint positions for a target.

    They respect the joint limits and bring a control point to a position, and to an orientation if
    one is given. If the target cannot be reached, the nearest posture found and its error are
    printed.
    """
    only_one(rpy=rpy is not None, rpy_deg=rpy_deg is not None)
    from robotix.geometry import Pose
    from robotix.kernels.compile_events import announce_compiling
    from robotix.model.robots import load

    angles = rpy if rpy_deg is None else tuple(map(math.radians, rpy_deg))
    model = load(robot, arguments=xacro_arguments(arg, robot))
    print_notes(model)
    announce_compiling()
    from robotix import kinematics

    target = xyz if angles is None else Pose.at(*xyz, rpy=angles)
    found = kinematics.solve(model, target, point=point, tolerance=tolerance, seed=seed)
    name = model.tip if point is None else point
    (_print_document if json else _print_report)(model, found, name)


def _print_document(model: Model, found: Solution, point: str) -> None:
    pose = _pose(model, found, point)
    print_json(
        {
            "robot": model.name,
            "point": point,
            "converged": found.converged,
            "error": found.error,
            "q": found.q,
            "position": pose.translation,
            "rotation": pose.rotation,
            "iterations": found.iterations,
            "restarts": found.restarts,
        }
    )


def _print_report(model: Model, found: Solution, point: str) -> None:
    work = f"{found.iterations} iterations, {found.restarts} restarts"
    if found.converged:
        typer.echo(
            f"converged: {point} of {model.name} reaches the target, "
            f"error {found.error:.1e} ({work})"
        )
    else:
        typer.echo(
            f"NOT converged: {point} of {model.name} does not reach the target; "
            f"the nearest posture found has an error of {found.error:.4g} ({work})"
        )
    typer.echo("\n".join(joint_lines(model, found.q)))
    typer.echo(f"position {numbers(_pose(model, found, point).translation, 'm')}")


def _pose(model: Model, found: Solution, point: str) -> Pose:
    from robotix.kinematics import Posture

    return Posture(model, found.q).pose(point)
