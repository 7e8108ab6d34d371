"""`robotix convert`: write a robot in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import PackagesOption, RobotArgument, XacroOption, xacro_arguments
from robotix.cli.info import StrictFlag, TimeoutOption
from robotix.cli.output import print_notes

if TYPE_CHECKING:
    from robotix.model import Model

__all__ = ["convert"]

WRITTEN = (".urdf", ".xml", ".mjcf", ".cfg")


def convert(
    robot: RobotArgument,
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write: .urdf, .xml/.mjcf or .cfg.")
    ],
    *,
    approximate: Annotated[
        bool,
        typer.Option("--approximate", help="Replace what the format cannot express."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file.")] = False,
    strict: StrictFlag = False,
    timeout: TimeoutOption = None,
    arg: XacroOption = None,
    packages: PackagesOption = None,
) -> None:
    """Read a robot and write it as URDF, MJCF or RoboTiX.

    ROBOT is a name of the library or a file: URDF, xacro, MJCF, a DH table, RoboTiX. Meshes are
    named as they were; they are not copied.
    """
    suffix = out.suffix.lower()
    if suffix not in WRITTEN:
        raise typer.BadParameter(f"OUT must end in one of {', '.join(WRITTEN)}, got {out}")
    if out.exists() and not force:
        raise typer.BadParameter(f"{out} exists already; --force overwrites it")
    from robotix.model.robots import load

    model = load(robot, strict=strict, timeout=timeout, arguments=xacro_arguments(arg, robot))
    if suffix == ".urdf":
        lost = _write_urdf(model, out, approximate=approximate)
    elif suffix == ".cfg":
        from robotix.model.legacy.writer import save_robotix

        save_robotix([model], out)
        lost = ("masses, rates and efforts",)
    else:
        from robotix.model.mjcf.writer import lost_in_mjcf, save_mjcf

        save_mjcf(model, out, approximate=approximate)
        lost = lost_in_mjcf(model)
    print_notes(model)
    for what in lost:
        typer.echo(f"warning: left out of {out.name}: {what}", err=True)
    typer.echo(f"wrote {out}: {model.n_dof} DoF, {len(model.bodies)} bodies")


def _write_urdf(model: Model, out: Path, *, approximate: bool) -> tuple[str, ...]:
    """Write a URDF file, without the floor unless approximately; return what was left out."""
    from robotix.model.urdf.writer import lost_in_urdf, save_urdf, without_floors

    robot = model if approximate else without_floors(model)
    save_urdf(robot, out, approximate=approximate)
    shapes = [sum(len(b.collision) + len(b.visuals) for b in m.bodies) for m in (model, robot)]
    floor = "the floor (--approximate writes a flat box instead)"
    return (*lost_in_urdf(model), *([floor] if shapes[0] > shapes[1] else []))
