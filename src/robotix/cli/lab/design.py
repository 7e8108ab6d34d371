"""`robotix lab design`: where an arm is best mounted, and how long its links are best."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.experiments.design.rating import DesignRating
    from robotix.experiments.design.search import DesignStudy

__all__ = ["design"]


ArmName = Annotated[str, typer.Option(metavar="A", help="A name from `robotix robots`, or a file.")]
Mounting = Annotated[str, typer.Option(metavar="M", help="fixed (beside the seat) or rail.")]
Tasks = Annotated[
    list[str] | None,
    typer.Option(metavar="T", help="Tasks whose points count; all four if left out."),
]
Varied = Annotated[
    list[str] | None,
    typer.Option(
        metavar="P",
        help="fixed: forward, left, up, yaw_deg, lean_deg; rail: tilt_deg; both: upper_arm, "
        "forearm. May be repeated; all if left out.",
    ),
]
Bounds = Annotated[
    list[str] | None,
    typer.Option(metavar="P=LOW:HIGH", help="Other bounds, such as up=0.4:0.8."),
]
Weights = Annotated[
    list[str] | None,
    typer.Option(metavar="W=NUMBER", help="Of reach, dexterity, limits or clearance."),
]
Count = Annotated[int, typer.Option(min=10, max=1_000_000, help="How many designs are rated.")]
Folder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write the best arm as URDF, and a scene with it."),
]


def design(
    *,
    arm: ArmName = "kuka_lwr",
    mounting: Mounting = "fixed",
    task: Tasks = None,
    vary: Varied = None,
    bounds: Bounds = None,
    weight: Weights = None,
    evaluations: Count = 300,
    out: Folder = None,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Search for the mounting and link lengths of an arm that suit the points of tasks best.

    The rating of a design, 0 to 1, weighs how many points the hand reaches, and there the isotropy,
    the distance from joint limits and the clearance from the person. Collisions with furniture,
    masses and motors are not looked at.
    """
    from robotix.cli.progress import Progress
    from robotix.experiments.design.files import write_design
    from robotix.experiments.design.rating import weights_from
    from robotix.experiments.design.search import optimise_design
    from robotix.experiments.tasks.library import TASKS

    if out is not None and out.exists():
        raise FileExistsError(17, "is there already; choose a new name", str(out))
    weights = weights_from({name: _number(text) for name, text in _pairs(weight, "W=NUMBER")})
    given = {name: _range(text) for name, text in _pairs(bounds, "P=LOW:HIGH")}
    tasks = list(dict.fromkeys(task or TASKS))
    with Progress(evaluations, "designs") as bar:
        study = optimise_design(
            arm,
            mounting,
            tasks=tasks,
            vary=vary or (),
            bounds=given,
            weights=weights,
            evaluations=evaluations,
            seed=seed,
            advance=bar.advance,
        )
    scene = None if out is None else write_design(out, study.best, tasks)
    if json:
        print_json(_document(study) | {"scene": None if scene is None else str(scene)})
        return
    _print(study)
    if scene is not None:
        typer.echo(f"wrote {scene}; `robotix run {scene}` shows it")


def _pairs(texts: list[str] | None, form: str) -> list[tuple[str, str]]:
    found = []
    for text in texts or ():
        name, sign, value = text.partition("=")
        if not sign:
            raise typer.BadParameter(f"{text!r} is not of the form {form}")
        found.append((name.strip(), value))
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number") from None


def _range(text: str) -> tuple[float, float]:
    low, sign, high = text.partition(":")
    if not sign:
        raise typer.BadParameter(f"{text!r} is not of the form LOW:HIGH")
    return _number(low), _number(high)


def _document(study: DesignStudy) -> dict[str, Any]:
    return {
        "arm": study.best.arm,
        "mounting": study.best.mounting,
        "evaluations": study.evaluations,
        "seed": study.seed,
        "weights": asdict(study.weights),
        "varied": [asdict(each) for each in study.parameters],
        "built": {"values": dict(study.built.values)} | asdict(study.built_rating),
        "best": {"values": dict(study.best.values)} | asdict(study.best_rating),
        "at_bounds": study.at_bounds,
    }


def _print(study: DesignStudy) -> None:
    best, built = study.best, study.built
    typer.echo(
        f"{best.arm}, {best.mounting}: rating {built_and_best(study)} "
        f"after {study.evaluations} designs"
    )
    typer.echo("parameter      as built       best   bounds")
    for each in study.parameters:
        typer.echo(
            f"{each.name:<12} {built.values[each.name]:10.3f} {best.values[each.name]:10.3f}"
            f"   {each.low:g} to {each.high:g} {each.unit}"
        )
    typer.echo("task     design    rating  reached  isotropy  from limits  clearance m")
    for name, rating in (("as built", study.built_rating), ("best", study.best_rating)):
        _print_tasks(name, rating)
    if study.at_bounds:
        typer.echo(f"at a bound: {', '.join(study.at_bounds)}; wider bounds may give more")


def built_and_best(study: DesignStudy) -> str:
    """Return both ratings."""
    return f"{study.built_rating.rating:.3f} as built, {study.best_rating.rating:.3f} at best"


def _print_tasks(name: str, rating: DesignRating) -> None:
    for each in rating.tasks:
        typer.echo(
            f"{each.task:<8} {name:<9} {each.rating:6.3f} {each.reached:>4}/{each.points:<4}"
            f"{each.isotropy:9.2f} {each.limit_distance:12.3f} {each.clearance:12.2f}"
        )
