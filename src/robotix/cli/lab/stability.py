"""`robotix lab stability`: does the wheelchair stand, wherever the arm reaches?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import joint_lines, print_json
from robotix.cli.progress import Progress
from robotix.files.output_file import check_new_file

if TYPE_CHECKING:
    from robotix.experiments.wheelchair.stability import ChairLoad, StabilityResult, StabilitySample
    from robotix.model import Model

__all__ = ["stability"]


def stability(
    *,
    arm: Annotated[
        str, typer.Option(metavar="A", help="A name from `robotix robots`, or a file.")
    ] = "kuka_lwr",
    person: Annotated[bool, typer.Option(help="With a person of 75 kg in the chair.")] = True,
    anti_tip: Annotated[bool, typer.Option(help="With anti-tip wheels behind.")] = True,
    payload: Annotated[float, typer.Option(metavar="KG", help="Mass in the hand.")] = 0.0,
    chair_mass: Annotated[float, typer.Option(metavar="KG", help="Mass of the chair.")] = 60.0,
    tilt_deg: Annotated[
        float, typer.Option(metavar="A", help="Tilt of the rail; positive lowers the front.")
    ] = 0.0,
    samples: Annotated[
        int, typer.Option(min=100, max=10_000_000, help="Number of random postures.")
    ] = 100_000,
    mountings: Annotated[
        bool, typer.Option("--mountings", help="Also compare the reach of fixed arm and rail.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="SVG", help="Draw the map to this file.")
    ] = None,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Find the least stable posture of an arm on the wheelchair's rail.

    The tip angle is that by which the chair may be tilted before it falls: that of the worst
    posture in reach. Contacts of the arm with chair and person are ignored: on the safe side.
    """
    import math

    import numpy as np

    from robotix.experiments.wheelchair.chair import load_chair, load_rider, load_with_rail
    from robotix.experiments.wheelchair.stability import (
        ChairLoad,
        find_worst_posture,
        sample_stability,
    )

    if out is not None:
        check_new_file(out)
    chair = load_chair().with_mass(chair_mass)
    load = ChairLoad(chair, load_rider() if person else None, payload, anti_tip)
    model = load_with_rail(arm, tilt=math.radians(tilt_deg))
    rng = np.random.default_rng(seed)
    with Progress(None, f"{samples} postures"):
        sample = sample_stability(model, samples, load=load, rng=rng)
        worst = find_worst_posture(model, sample, load=load, rng=rng)
    document = _document(arm, load, worst)
    if mountings:
        document["mountings"] = _compare(arm, samples, seed)
    if out is not None:
        _draw(out, arm, sample, worst, load)
    if json:
        print_json(document | {"file": None if out is None else str(out)})
        return
    _print_report(model, document, worst)
    if out is not None:
        typer.echo(f"drawn to {out}")


def _draw(
    out: Path, arm: str, sample: StabilitySample, worst: StabilityResult, load: ChairLoad
) -> None:
    from robotix.experiments.wheelchair.stability_figure import make_stability_grid, stability_svg
    from robotix.model.rail import load_wheelchair_rail

    rail = load_wheelchair_rail().rail
    title = f"{arm}, {_describe(load)}"
    text = stability_svg(make_stability_grid(sample), worst, load=load, rail=rail, title=title)
    out.write_text(text, encoding="utf-8")


def _describe(load: ChairLoad) -> str:
    person = "a person" if load.rider is not None else "no person"
    wheels = "anti-tip wheels" if load.anti_tip else "no anti-tip wheels"
    return f"{load.chair.body.mass:g} kg chair, {person}, {wheels}, {load.payload:g} kg in the hand"


def _document(arm: str, load: ChairLoad, worst: StabilityResult) -> dict[str, Any]:
    import math

    return {
        "arm": arm,
        "chair": _describe(load),
        "tip_angle_deg": math.degrees(worst.tip_angle),
        "margin": worst.margin,
        "q": worst.q,
        "hand": worst.hand,
        "com": worst.com,
        "stable": worst.margin > 0,
        "target_deg": math.degrees(load.chair.target_tip_angle),
        "meets_target": worst.tip_angle >= load.chair.target_tip_angle,
    }


def _compare(arm: str, samples: int, seed: int) -> list[dict[str, Any]]:
    from dataclasses import asdict

    from robotix.experiments.wheelchair.mountings import compare_mountings, count_maps

    with Progress(count_maps(), "mountings") as bar:
        found = compare_mountings(arm, samples=samples, seed=seed, advance=bar.advance)
    return [asdict(each) for each in found]


def _print_report(model: Model, document: dict[str, Any], worst: StabilityResult) -> None:
    state = "stands everywhere" if document["stable"] else "FALLS in the worst posture"
    target = "at least" if document["meets_target"] else "less than"
    typer.echo(f"{document['arm']} on the rail: {document['chair']}")
    typer.echo(f"  the chair {state}")
    typer.echo(
        f"  smallest tip angle {document['tip_angle_deg']:.1f}°, {target} the "
        f"{document['target_deg']:g}° asked of chairs; margin {1e3 * worst.margin:.0f} mm"
    )
    typer.echo("\n".join(joint_lines(model, worst.q)))
    if "mountings" in document:
        typer.echo("mounting     reach m³  dexterous m³  floor m²  dexterous floor m²")
        for row in document["mountings"]:
            typer.echo(
                f"{row['mounting']:<10} {row['volume']:10.2f} {row['dexterous_volume']:13.2f} "
                f"{row['floor_area']:9.2f} {row['dexterous_floor_area']:19.2f}"
            )
