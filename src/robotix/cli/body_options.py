"""What all commands about people take: the body, what it does, and the file it is taken from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

__all__ = [
    "Contacts",
    "FileUnit",
    "LoadMass",
    "Markers",
    "Mass",
    "Percentile",
    "Population",
    "Settings",
    "SexOption",
    "Standing",
    "Stature",
    "StyleName",
    "Up",
]

SexOption: TypeAlias = Annotated[str, typer.Option(help="Of the body: f or m.")]
Stature: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Of the body, in m; of a recording, by default from the markers."),
]
Mass: TypeAlias = Annotated[
    float | None, typer.Option(help="Of the body, in kg; as goes with the stature when left out.")
]
Percentile: TypeAlias = Annotated[
    float | None, typer.Option(help="Of stature and mass, instead of giving them.")
]
Population: TypeAlias = Annotated[str, typer.Option(help="Survey that percentiles come from.")]
LoadMass: TypeAlias = Annotated[
    float | None, typer.Option("--load", help="What the hands carry, in kg.")
]
StyleName: TypeAlias = Annotated[str, typer.Option(help="natural, stoop or squat.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the task; `robotix human TASK --list` tells those there are.",
    ),
]
Standing: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--standing",
        metavar="FILE",
        help="A recording in whose first row the person stands: the body has its lengths.",
    ),
]
Contacts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--contact",
        metavar="PART[=START:END]",
        help="What touches something when, in s: right_hand, left_hand, hands, right_knee, "
        "left_knee, knees or seat; =none: never. Other parts are found from the recording.",
    ),
]
Markers: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="PLAN",
        help="Which marker is where: cmu, mixamo, xsens (BVH), cmu_c3d, plug_in_gait (C3D), "
        "opencap (TRC), or a .toml file.",
    ),
]
FileUnit: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Of length in the file: mm, cm, m, in, cmu, or its size in m; by default the file's."
    ),
]
Up: TypeAlias = Annotated[
    str | None, typer.Option(help="The file's upward axis, where it does not say: y or z.")
]
