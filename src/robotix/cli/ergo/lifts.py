"""`robotix ergo rnle` and `iso-lift`: one lift by the lifting equation and by ISO 11228-1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, spread
from robotix.cli.ergo.output import print_result
from robotix.cli.ergo.rows import INCH, POUND, UsFlag

if TYPE_CHECKING:
    from robotix.ergonomics import Lift

__all__ = ["Sex", "iso_lift", "rnle", "sex_of"]

SEXES = {"f": "female", "m": "male", "female": "female", "male": "male"}

Sex: TypeAlias = Annotated[str, typer.Option(help="f or m: who does the work.")]


def sex_of(word: str) -> str:
    """Return `female` or `male`."""
    if word not in SEXES:
        raise typer.BadParameter(f"--sex is f or m, not {word!r}")
    return SEXES[word]


@dataclass(frozen=True)
class LiftOptions:
    """One lift, as the lifting equation sees it."""

    load: Annotated[float, typer.Option(metavar="KG", help="The whole mass lifted, in kg.")]
    horizontal: Annotated[
        float, typer.Option(metavar="M", help="From between the ankles to the hands, in m.")
    ]
    vertical: Annotated[float, typer.Option(metavar="M", help="Height of the hands, in m.")]
    distance: Annotated[
        float, typer.Option(metavar="M", help="Vertical travel of the hands, in m.")
    ]
    asymmetry_deg: Annotated[
        float, typer.Option(metavar="A", help="Turn of the load to a side, in degrees.")
    ] = 0.0
    frequency: Annotated[float, typer.Option(metavar="F", help="Lifts a minute.")] = 0.2
    hours: Annotated[float, typer.Option(metavar="H", help="Time of lifting, up to 8.")] = 1.0
    coupling: Annotated[str, typer.Option(metavar="GRIP", help="The grip: good, fair or poor.")] = (
        "good"
    )

    def lift(self, *, us: bool = False) -> Lift:
        """Return the lift; with `us` from inches and pounds."""
        from robotix.ergonomics import Lift

        length, mass = (INCH, POUND) if us else (1.0, 1.0)
        return Lift(
            load=self.load * mass,
            horizontal=self.horizontal * length,
            vertical=self.vertical * length,
            distance=self.distance * length,
            asymmetry=math.radians(self.asymmetry_deg),
            per_minute=self.frequency,
            hours=self.hours,
            coupling=self.coupling,
        )


@spread
def rnle(*, options: LiftOptions, us: UsFlag = False, json: JsonFlag = False) -> None:
    """Compute the recommended weight limit and the lifting index.

    By the revised NIOSH lifting equation, for one place of the lift: give its origin or its
    destination, and keep the worse one. With --us, lengths are in inches and the load in pounds.
    """
    from robotix.ergonomics import lifting_index

    found = lifting_index(options.lift(us=us), form="us" if us else "metric")
    limit = f"{found.weight_limit / POUND:.1f} lb" if us else f"{found.weight_limit:.2f} kg"
    values = {
        "rwl": found.weight_limit,
        **({"rwl_lb": found.weight_limit / POUND} if us else {}),
        "li": found.index,
        "multipliers": {step.part: step.score for step in found.steps},
    }
    title = f"recommended weight limit {limit}, lifting index {found.index:.2f}"
    print_result(found, values, title=title, as_json=json, decimals=3)


@spread
def iso_lift(
    *,
    options: LiftOptions,
    sex: Sex,
    age: Annotated[float, typer.Option(metavar="YEARS", help="Age of those who lift.")] = 30.0,
    one_hand: Annotated[bool, typer.Option("--one-hand", help="Lifted with one hand.")] = False,
    persons: Annotated[int, typer.Option(metavar="N", help="1 or 2, who share the load.")] = 1,
    shift_hours: Annotated[float, typer.Option(metavar="H", help="The shift, up to 12.")] = 8.0,
    json: JsonFlag = False,
) -> None:
    """Compute mass limit and lifting index for given people (ISO 11228-1).

    The lifting equation with the reference mass of women or men, below 20, from 20 to 45 and above
    45 years, for one or two persons and one or both hands.
    """
    from robotix.ergonomics import Lifters, reference_mass_index

    people = Lifters(
        sex=sex_of(sex), age=age, one_hand=one_hand, persons=persons, shift_hours=shift_hours
    )
    found = reference_mass_index(options.lift(), people)
    reference = found.lifters.reference_mass
    values = {
        "reference_mass": reference,
        "mass": found.mass,
        "mass_limit": found.mass_limit,
        "li": found.index,
        "multipliers": {step.part: step.score for step in found.steps},
    }
    title = (
        f"reference mass {reference:g} kg, mass limit {found.mass_limit:.2f} kg a person, "
        f"lifting index {found.index:.2f}"
    )
    print_result(found, values, title=title, as_json=json, decimals=3)
