"""`robotix tour`: what there is, in a minute; what `make run` starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import joint_lines, print_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from robotix.cli.tour_scene import Tour
    from robotix.model import Model

__all__ = ["tour"]

NEXT = """\
  robotix robots                                what is in the library
  robotix solve kuka_lwr --xyz 0.4 0.2 0.6      joint positions for a place
  robotix workspace kuka_lwr --out reach.png    where it gets, and how well
  python examples/01_move_an_arm.py             the same from Python; docs/index.md explains"""


def tour(
    *,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the picture and the motion go.")
    ] = Path("out"),
    json: JsonFlag = False,
) -> None:
    """See what there is, in a minute.

    An arm on a wheelchair carries a cup past a lamp: solve, follow, keep clear, measure, save.
    """
    from rich.console import Console

    from robotix.cli.compiling import tell_when_compiling

    tell_when_compiling()
    from robotix.cli.tour_scene import ROBOT, take_tour

    console = Console(quiet=json, highlight=False)
    console.print(f"\n[bold]1  An arm on the rail of a wheelchair[/]: {ROBOT}\n")
    taken = take_tour()
    console.print(_chain(taken.model))
    _tell_solution(console, taken)
    _tell_drives(console, taken)
    console.print(_dexterity(taken))
    files = _save(out, taken)
    console.print("\n[bold]5  Written[/]\n")
    for file, what in files.items():
        console.print(f"  {file}  {what}", soft_wrap=True)
    console.print(f"\n[bold]What to try next[/]\n\n{NEXT}\n", soft_wrap=True)
    if json:
        print_json(_document(taken) | {"files": list(files)})


def _chain(model: Model) -> Table:
    from rich import box
    from rich.table import Table

    from robotix.motion import model_dofs

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("joint", style="bold")
    table.add_column("kind")
    for heading in ("from", "to", "speed"):
        table.add_column(heading, justify="right")
    joints = [joint for joint in model.joints if joint.n_dof]
    for joint, dof in zip(joints, model_dofs(model), strict=True):
        limits = (f"{joint.lower:.2f}", f"{joint.upper:.2f}", f"{joint.velocity:.2f} {dof.unit}/s")
        table.add_row(joint.name, joint.kind, *limits)
    return table


def _tell_solution(console: Console, taken: Tour) -> None:
    found = taken.solution
    x, y, z = taken.target.translation
    console.print("[bold]2  Solve[/]: the flange to the cup, facing forwards\n")
    verdict = "converged" if found.converged else "NOT converged"
    console.print(f"  target ({x:.2f}, {y:.2f}, {z:.2f}) m: {verdict}, error {found.error:.0e}")
    console.print("\n".join(joint_lines(taken.model, found.q)))


def _tell_drives(console: Console, taken: Tour) -> None:
    from robotix.cli.tour_scene import DT, KEEP

    plain, clear = taken.plain, taken.clear
    seconds = clear.motion.duration
    console.print(
        f"\n[bold]3  Follow[/] a straight line of {seconds:.0f} s, {1 / DT:.0f} ticks a second\n"
    )
    console.print(
        f"  left alone, the elbow goes [red]{-1e3 * plain.gap.min():.0f} mm into the lamp[/];\n"
        f"  told to keep {1e3 * KEEP:.0f} mm, it never comes nearer than "
        f"[green]{1e3 * clear.gap.min():.1f} mm[/],\n"
        f"  and the cup is at most [green]{1e3 * clear.error.max():.2f} mm[/] off its line: "
        f"{taken.model.n_dof} joints for 6 numbers."
    )


def _dexterity(taken: Tour) -> Any:
    from rich import box
    from rich.console import Group
    from rich.table import Table

    from robotix.kinematics import Posture
    from robotix.kinematics.dexterity import condition_number, manipulability, velocity_ellipsoid
    from robotix.kinematics.impact import effective_mass

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for heading in ("moment", "manipulability", "condition", "speeds", "felt mass"):
        table.add_column(heading, justify="left" if heading == "moment" else "right")
    nearest = int(taken.clear.gap.argmin())
    for moment, row in (("at the cup", 0), ("under the lamp", nearest), ("at the end", -1)):
        posture = Posture(taken.model, taken.clear.motion.q[row])
        fast, _, slow = velocity_ellipsoid(posture).half_lengths
        table.add_row(
            moment,
            f"{manipulability(posture):.3f}",
            f"{condition_number(posture):.2f}",
            f"{slow:.2f} … {fast:.2f} m/s",
            f"{effective_mass(posture, direction=[0, 1, 0]):.1f} kg",
        )
    note = "  speeds for joint rates of norm 1; mass that somebody feels who is hit sideways"
    return Group("\n[bold]4  Dexterity[/] of the flange on the way\n", table, note)


def _save(folder: Path, taken: Tour) -> dict[str, str]:
    from robotix.cli.tour_picture import save_picture
    from robotix.motion import save_motion

    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / "tour.png"
    save_picture(picture, taken)
    files = {str(picture): "the room, the arm, its way, the distance kept"}
    for suffix, what in (
        (".csv", "the motion, for spreadsheets"),
        (".mcap", "the same, for Foxglove"),
    ):
        file = folder / f"tour{suffix}"
        save_motion(file, taken.motion)
        files[str(file)] = what
    return files


def _document(taken: Tour) -> dict[str, Any]:
    clear, plain = taken.clear, taken.plain
    return {
        "robot": taken.model.name,
        "q": taken.solution.q,
        "converged": taken.solution.converged,
        "error": taken.solution.error,
        "nearest": clear.gap.min(),
        "nearest_left_alone": plain.gap.min(),
        "tip_error": clear.error.max(),
        "duration": taken.motion.duration,
    }
