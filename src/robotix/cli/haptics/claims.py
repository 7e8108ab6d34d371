"""`robotix haptics claims`: the published targets of ViSHARD10, checked on the model."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json
from robotix.cli.progress import Progress
from robotix.files.output_file import check_new_file

__all__ = ["claims"]


def claims(
    *,
    radii: Annotated[int, typer.Option(min=2, max=200, help="Radii of the cylinder.")] = 12,
    heights: Annotated[int, typer.Option(min=2, max=50, help="Heights of it.")] = 5,
    out: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Draw claims, maps and designs.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Check the published targets of ViSHARD10 over its cylinder, and compare designs."""
    from robotix.haptics.capability.claims import check_claims, map_capability
    from robotix.haptics.capability.designs import arm_dexterity, planar_dexterity
    from robotix.haptics.capability.figures import capability_page
    from robotix.model.robots import load

    if out is not None:
        check_new_file(out)
    with Progress(radii * heights, "places") as bar:
        found = map_capability(radii=radii, heights=heights, advance=bar.advance)
    checked = check_claims(found)
    arms = [planar_dexterity(n) for n in (2, 3, 4)]
    arms += [arm_dexterity(load(name)) for name in ("ur5", "kuka_lwr", "vishard10")]
    if out is not None:
        out.write_text(capability_page(found, checked, arms), encoding="utf-8")
    if json:
        print_json({
            "claims": [asdict(each) for each in checked],
            "radii": found.radii, "heights": found.heights, "force": found.force,
            "torque": found.torque, "speed": found.speed,
            "felt_light": found.felt_light, "felt_heavy": found.felt_heavy,
            "designs": [
                {"name": arm.name, "radii": arm.radii, "best": arm.best,
                 "near_singular": arm.near_singular} for arm in arms
            ],
        })  # fmt: skip
        return
    words = {True: "met", False: "NOT met", None: "undecided"}
    for each in checked:
        typer.echo(f"{each.name}: {each.published}\n     {each.ours}\n     {words[each.is_met]}")
    typer.echo("best dexterity near the first axis, and share of nearly singular postures there")
    for arm in arms:
        typer.echo(f"  {arm.name:<12}{arm.best[0]:8.3f} {arm.near_singular[0]:8.0%}")
    if out is not None:
        typer.echo(f"drawn to {out}")
