"""`robotix ergo arm`: the strength of an arm by the place of the hand."""

from __future__ import annotations

from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.ergo.output import print_result

__all__ = ["arm"]


def arm(
    *,
    hand: Annotated[
        str, typer.Option(metavar="F,O,U", help="Knuckles from the shoulder: forward, outward, up.")
    ],
    direction: Annotated[
        str, typer.Option(metavar="F,O,U", help="Of the force on the object, likewise.")
    ],
    force: Annotated[float, typer.Option(metavar="N", help="The force, in N.")],
    elbow: Annotated[
        str | None, typer.Option(metavar="F,O,U", help="With --wrist: the arm's weight counts.")
    ] = None,
    wrist: Annotated[str | None, typer.Option(metavar="F,O,U", help="See --elbow.")] = None,
    json: JsonFlag = False,
) -> None:
    """Compute how many women can exert a force with one arm (Arm Force Field).

    Lengths are in m, in the axes of the trunk; outward is to the side of the arm.
    """
    from robotix.ergonomics import ArmExertion, arm_strength

    found = arm_strength(
        ArmExertion(
            hand=_vector("--hand", hand),
            direction=_vector("--direction", direction),
            force=force,
            elbow=None if elbow is None else _vector("--elbow", elbow),
            wrist=None if wrist is None else _vector("--wrist", wrist),
        )
    )
    values = {
        "percent_capable": found.percent_capable,
        "mean": found.mean,
        "sd": found.sd,
        "assist": found.assist,
        "for_75_percent": found.for_percent(75),
        "for_90_percent": found.for_percent(90),
    }
    title = (
        f"{found.percent_capable:.0f} % of women can exert {force:g} N; "
        f"75 % can exert {found.for_percent(75):.0f} N"
    )
    print_result(found, values, title=title, as_json=json, decimals=1)


def _vector(option: str, text: str) -> tuple[float, float, float]:
    """Return three numbers; raise BadParameter for what is not that."""
    try:
        first, second, third = (float(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{option} {text}: expected three numbers, F,O,U") from None
    return first, second, third
