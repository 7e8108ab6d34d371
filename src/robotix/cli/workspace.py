"""`robotix workspace`: the reachable workspace of a control point, and its dexterity."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import (
    JsonFlag,
    PackagesOption,
    PointOption,
    RobotArgument,
    SeedOption,
    XacroOption,
    xacro_arguments,
)
from robotix.cli.output import numbers, print_json, print_notes
from robotix.cli.progress import Progress
from robotix.files.output_file import check_writable

if TYPE_CHECKING:
    from robotix.kinematics.workspace import ReachabilityMap

__all__ = ["workspace"]

SUFFIXES = (".csv", ".png")


SamplesOption: TypeAlias = Annotated[
    int, typer.Option(min=1, max=100_000_000, help="Number of random postures.")
]
VoxelOption: TypeAlias = Annotated[float, typer.Option(help="Edge length of the voxels, in m.")]
DexterityPartOption: TypeAlias = Annotated[
    str | None, typer.Option(help='Motion that dexterity refers to: linear, angular, both, "x y" …')
]
MapFileOption: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the map as .csv or .png.")
]


def workspace(
    robot: RobotArgument,
    *,
    point: PointOption = None,
    samples: SamplesOption = 200_000,
    voxel: VoxelOption = 0.05,
    part: DexterityPartOption = None,
    out: MapFileOption = None,
    seed: SeedOption = 0,
    arg: XacroOption = None,
    packages: PackagesOption = None,
    json: JsonFlag = False,
) -> None:
    """Map the reachable workspace of a control point, and its dexterity.

    Random postures are sampled, and the voxels that the point reaches are counted. Dexterity is the
    isotropy of the best posture in a voxel: 1 if all directions are equal, 0 at a singularity.
    """
    if out is not None:
        if out.suffix.lower() not in SUFFIXES:
            raise typer.BadParameter(f"--out {out}: the suffix must be {' or '.join(SUFFIXES)}")
        check_writable(out)
    from robotix.kernels.compile_events import announce_compiling
    from robotix.model.robots import load

    model = load(robot, arguments=xacro_arguments(arg, robot))
    print_notes(model)
    announce_compiling()
    import numpy as np

    from robotix.files.backup import keep_backups
    from robotix.kinematics.workspace import reachability_map
    from robotix.view.reachability_files import save_map

    rng = np.random.default_rng(seed)
    with Progress(samples, "postures") as progress:
        reached = reachability_map(
            model,
            voxel=voxel,
            samples=samples,
            rng=rng,
            point=point,
            part=part,
            on_progress=progress.add,
        )
    name = model.tip if point is None else point
    if out is not None:
        with keep_backups(out) as path:
            save_map(path, reached, model=model, point=name)
    if json:
        about = {"robot": model.name, "point": name, "samples": samples}
        print_json(about | _document(reached) | {"file": None if out is None else str(out)})
        return
    _print_report(reached, f"{name} of {model.name}", samples=samples)
    if out is not None:
        typer.echo(f"  written    {out}")


def _document(reached: ReachabilityMap) -> dict[str, Any]:
    return {
        "voxel": reached.voxel,
        "voxels": len(reached.cells),
        "volume": reached.volume,
        "reach": reached.reach,
        "box": reached.box,
        reached.dexterity: {"best": reached.best.max(), "mean": reached.best.mean()},
    }


def _print_report(reached: ReachabilityMap, what: str, *, samples: int) -> None:
    low, high = reached.box
    typer.echo(f"{what}, {samples} postures")
    typer.echo(f"  reach      {numbers([reached.reach], 'm')} from the base")
    typer.echo(f"  volume     {numbers([reached.volume], 'm³')}, {len(reached.cells)} cubes")
    typer.echo(f"  from       {numbers(low, 'm')}")
    typer.echo(f"  to         {numbers(high, 'm')}")
    best, mean = reached.best.max(), reached.best.mean()
    typer.echo(f"  {reached.dexterity:<10} {numbers([best])} at best, {mean:.4f} on average")
