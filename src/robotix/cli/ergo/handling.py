"""`robotix ergo composite`, `variable`, `lm-mmh` and `lifft`: loads handled over a working day."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, spread
from robotix.cli.ergo.output import print_result
from robotix.cli.ergo.rows import INCH, POUND, Columns, Entry, UsFlag, given_rows

if TYPE_CHECKING:
    from robotix.ergonomics import AcceptableLoad, Handling

__all__ = ["composite", "lifft", "lm_mmh", "variable"]

LIFTS = Columns(
    "--lift",
    "lift",
    {
        "load": Entry("load", "mass", required=True),
        "horizontal": Entry("horizontal", "length", required=True),
        "vertical": Entry("vertical", "length", required=True),
        "distance": Entry("distance", "length", required=True),
        "asymmetry_deg": Entry("asymmetry", "angle"),
        "frequency": Entry("per_minute"),
        "coupling": Entry("coupling", "word"),
    },
)
REPEATED_LIFTS = Columns(
    "--lift",
    "lift",
    {
        "load": Entry("load", "mass", required=True),
        "arm": Entry("arm", "length", required=True),
        "per_day": Entry("per_day", required=True),
    },
)
LiftWords: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--lift", metavar="NAME=VALUE,…", help="One lift; may be repeated."),
]
LiftTable: TypeAlias = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE.csv", help="The lifts as rows, with the same names."),
]
Sort: TypeAlias = Annotated[
    Literal["lift", "lower", "push_start", "push_on", "pull_start", "pull_on", "carry"],
    typer.Argument(metavar="KIND", help="lift, lower, carry, push_start, push_on, pull_start, …"),
]


def composite(
    *,
    lift: LiftWords = None,
    table: LiftTable = None,
    hours: Annotated[float, typer.Option(metavar="H", help="Time of lifting, up to 8.")] = 8.0,
    us: UsFlag = False,
    json: JsonFlag = False,
) -> None:
    """Compute the composite lifting index of a job with several lifts.

    By the revised NIOSH lifting equation. A lift is written as
    load=12,horizontal=0.4,vertical=0.5,distance=0.6,frequency=2 and, if need be,
    asymmetry_deg=30,coupling=fair: in kg and m, with --us in pounds and inches.
    """
    from robotix.ergonomics import Lift, composite_lifting_index

    lifts = [Lift(**row, hours=hours) for row in given_rows(LIFTS, lift, table, us=us)]
    found = composite_lifting_index(lifts, form="us" if us else "metric")
    values = {
        "cli": found.index,
        "lifts": [
            {"load": each.lift.load, "rwl": each.weight_limit, "li": each.index}
            for each in found.results
        ],
    }
    title = (
        f"composite lifting index {found.index:.2f} of {len(lifts)} lifts; "
        f"the worst alone {found.results[0].index:.2f}"
    )
    print_result(found, values, title=title, as_json=json, decimals=3)


def variable(
    *,
    lift: LiftWords = None,
    table: LiftTable = None,
    hours: Annotated[float, typer.Option(metavar="H", help="Time of lifting, up to 8.")] = 8.0,
    us: UsFlag = False,
    json: JsonFlag = False,
) -> None:
    """Compute the variable lifting index of a job with many different lifts.

    The lifts are those of `ergo composite`, usually as a table: loads, places and frequencies of
    one shift. They are grouped into six categories of the frequency-independent index.
    """
    from robotix.ergonomics import Lift, variable_lifting_index

    lifts = [Lift(**row, hours=hours) for row in given_rows(LIFTS, lift, table, us=us)]
    found = variable_lifting_index(lifts, form="us" if us else "metric")
    categories = [
        {
            "fili": each.single_lift_index,
            "low": each.low,
            "high": each.high,
            "frequency": each.per_minute,
            "lifts": len(each.results),
        }
        for each in found.categories
    ]
    values = {"vli": found.index, "categories": categories}
    title = (
        f"variable lifting index {found.index:.2f} of {len(lifts)} lifts "
        f"in {len(found.categories)} categories"
    )
    print_result(found, values, title=title, as_json=json, decimals=3)


@dataclass(frozen=True)
class HandlingOptions:
    """Where and how often a load is handled."""

    frequency: Annotated[float, typer.Option(metavar="F", help="How often a minute.")]
    horizontal: Annotated[
        float, typer.Option(metavar="M", help="Lifting: from between the ankles to the hands.")
    ] = 0.0
    start: Annotated[
        float, typer.Option(metavar="M", help="Lifting: height of the hands at the start.")
    ] = 0.0
    end: Annotated[
        float, typer.Option(metavar="M", help="Lifting: height of the hands at the end.")
    ] = 0.0
    handles: Annotated[str, typer.Option(help="Lifting: good, poor or none.")] = "good"
    height: Annotated[
        float, typer.Option(metavar="M", help="Other kinds: height of the hands.")
    ] = 0.0
    distance: Annotated[float, typer.Option(metavar="M", help="Other kinds: the way.")] = 0.0

    def handling(self, kind: str, load: float, *, length: float) -> Handling:
        """Return it with its load (kg); lengths are in units of `length` (m)."""
        from robotix.ergonomics import Handling

        lengths = ("horizontal", "start", "end", "height", "distance")
        return Handling(
            kind=kind,
            load=load,
            per_minute=self.frequency,
            handles=self.handles,
            **{name: getattr(self, name) * length for name in lengths},
        )


@spread
def lm_mmh(
    kind: Sort,
    *,
    load: Annotated[
        float | None, typer.Option(metavar="KG", help="Of lifting, lowering, carrying: in kg.")
    ] = None,
    force: Annotated[
        float | None, typer.Option(metavar="N", help="Of pushing and pulling: in N.")
    ] = None,
    how: HandlingOptions,
    us: UsFlag = False,
    json: JsonFlag = False,
) -> None:
    """Compute which part of women and men accepts a load over 8 h.

    By the Liberty Mutual (LM-MMH) equations, for lifting, lowering, carrying, and for pushing and
    pulling, to start and to keep a load moving. With --us lengths are in inches, loads and forces
    in pounds.
    """
    from robotix.ergonomics import assess_handling
    from robotix.ergonomics.methods.manual_handling.acceptable_loads import STANDARD_GRAVITY

    is_force = kind.startswith(("push", "pull"))
    given = force if is_force else load
    if given is None:
        raise typer.BadParameter(f"{kind} needs {'--force' if is_force else '--load'}")
    unit = POUND if us else 1 / STANDARD_GRAVITY if is_force else 1.0
    found = assess_handling(how.handling(kind, given * unit, length=INCH if us else 1.0))
    people = {"women": found.women, "men": found.men}
    values = {name: _as_dict(each) for name, each in people.items()}
    title = "; ".join(_in_words(name, each, is_force, us=us) for name, each in people.items())
    print_result(found, values, title=title, as_json=json, decimals=3)


def lifft(
    *,
    lift: LiftWords = None,
    table: LiftTable = None,
    us: UsFlag = False,
    json: JsonFlag = False,
) -> None:
    """Compute the damage of the low back over a day of lifting.

    By the Lifting Fatigue Failure Tool. A lift is written as load=12,arm=0.4,per_day=400: in kg and
    m from L5/S1 to the load, with --us in pounds and inches.
    """
    from robotix.ergonomics import RepeatedLift, lifting_fatigue

    rows = given_rows(REPEATED_LIFTS, lift, table, us=us)
    found = lifting_fatigue([RepeatedLift(**row) for row in rows])
    values = {
        "damage": found.damage,
        "probability": found.probability,
        "lifts": [
            {**asdict(each), "moment": each.moment, "damage": step.score, "share": share}
            for each, step, share in zip(found.lifts, found.steps, found.shares, strict=True)
        ],
    }
    title = (
        f"damage {found.damage:.4f} a day; {100 * found.probability:.0f} % probability of a "
        "high-risk job"
    )
    print_result(found, values, title=title, as_json=json, decimals=5)


def _as_dict(found: AcceptableLoad | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "percent": found.percent,
        "median": found.median,
        "sd": found.sd,
        "for_75_percent": found.for_percent(75),
        "for_90_percent": found.for_percent(90),
        "factors": {step.part: step.score for step in found.steps},
    }


def _in_words(name: str, found: AcceptableLoad | None, is_force: bool, *, us: bool) -> str:
    if found is None:
        return f"{name}: outside of the range of the equation"
    limit = found.for_percent(75)
    if us:
        words = f"{limit / POUND:.1f} lb"
    elif is_force:
        from robotix.ergonomics.methods.manual_handling.acceptable_loads import STANDARD_GRAVITY

        words = f"{limit * STANDARD_GRAVITY:.0f} N"
    else:
        words = f"{limit:.1f} kg"
    return f"{found.percent:.0f} % of {name} accept it, 75 % accept {words}"
