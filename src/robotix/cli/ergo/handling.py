"""`robotix ergo composite`, `variable`, `lm-mmh` and `lifft`: loads handled over a working day."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, spread
from robotix.cli.ergo.output import print_assessment_json, print_assessment_text
from robotix.errors import BadFile

if TYPE_CHECKING:
    from robotix.ergonomics import AcceptableLoad, Handling, Lift, RepeatedLift

__all__ = ["INCH", "POUND", "UsFlag", "composite", "lifft", "lm_mmh", "variable"]

INCH, POUND = 0.0254, 0.45359237  # m, kg
LIFT_NAMES = {  # of a lift on the command line or in a table: name in `Lift`, and what it measures
    "load": ("load", "mass"),
    "horizontal": ("horizontal", "length"),
    "vertical": ("vertical", "length"),
    "distance": ("distance", "length"),
    "asymmetry_deg": ("asymmetry", "angle"),
    "frequency": ("per_minute", ""),
    "coupling": ("coupling", "word"),
}
REPEATED_NAMES = {
    "load": ("load", "mass"),
    "arm": ("arm", "length"),
    "per_day": ("per_day", ""),
}
Names: TypeAlias = Mapping[str, tuple[str, str]]

UsFlag: TypeAlias = Annotated[
    bool, typer.Option("--us", help="In inches and pounds, by the form in these units.")
]
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

    rows = [dict(row) for row in _rows(lift, table, LIFT_NAMES, us=us)]
    lifts: list[Lift] = [Lift(**row, hours=hours) for row in rows]
    found = composite_lifting_index(lifts, form="us" if us else "metric")
    worst = found.results[0]
    if json:
        print_assessment_json(
            {
                "cli": found.index,
                "lifts": [
                    {"load": r.lift.load, "rwl": r.weight_limit, "li": r.index}
                    for r in found.results
                ],
            },
            verdict=found.verdict,
            steps=found.steps,
            sources=found.sources,
        )
        return
    print_assessment_text(
        f"composite lifting index {found.index:.2f} of {len(lifts)} lifts; "
        f"the worst alone {worst.index:.2f}",
        verdicts=(found.verdict,),
        steps=found.steps,
        sources=found.sources,
        decimals=3,
    )


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

    rows = [dict(row) for row in _rows(lift, table, LIFT_NAMES, us=us)]
    lifts: list[Lift] = [Lift(**row, hours=hours) for row in rows]
    found = variable_lifting_index(lifts, form="us" if us else "metric")
    if json:
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
        print_assessment_json(
            {"vli": found.index, "categories": categories},
            verdict=found.verdict,
            steps=found.steps,
            sources=found.sources,
        )
        return
    print_assessment_text(
        f"variable lifting index {found.index:.2f} of {len(lifts)} lifts "
        f"in {len(found.categories)} categories",
        verdicts=(found.verdict,),
        steps=found.steps,
        sources=found.sources,
        decimals=3,
    )


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
    if json:
        values = {name: _as_dict(each) for name, each in people.items()}
        print_assessment_json(
            values, verdict=found.verdict, steps=found.steps, sources=found.sources
        )
        return
    title = "; ".join(_in_words(name, each, is_force, us=us) for name, each in people.items())
    print_assessment_text(
        title,
        verdicts=(found.verdict,),
        steps=found.steps,
        sources=found.sources,
        decimals=3,
    )


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

    rows = [dict(row) for row in _rows(lift, table, REPEATED_NAMES, us=us)]
    lifts: list[RepeatedLift] = [RepeatedLift(**row) for row in rows]
    found = lifting_fatigue(lifts)
    if json:
        values = {
            "damage": found.damage,
            "probability": found.probability,
            "lifts": [
                {**asdict(each), "moment": each.moment, "damage": step.score, "share": share}
                for each, step, share in zip(found.lifts, found.steps, found.shares, strict=True)
            ],
        }
        print_assessment_json(
            values, verdict=found.verdict, steps=found.steps, sources=found.sources
        )
        return
    print_assessment_text(
        f"damage {found.damage:.4f} a day; {100 * found.probability:.0f} % probability of a "
        "high-risk job",
        verdicts=(found.verdict,),
        steps=found.steps,
        sources=found.sources,
        decimals=5,
    )


# -- lifts on the command line and in tables ----------------------------------------------------


def _rows(
    words: Iterable[str] | None, table: Path | None, names: Names, *, us: bool
) -> Iterator[dict[str, Any]]:
    """Yield the arguments of every lift, in SI units."""
    if not words and table is None:
        raise typer.BadParameter("give lifts by --lift or by --table")
    for word in words or ():
        pairs = [part.partition("=") for part in word.split(",") if part.strip()]
        unnamed = [name for name, equals, _ in pairs if not equals]
        if unnamed:
            raise typer.BadParameter(f"--lift {word}: expected NAME=VALUE, got {unnamed[0]!r}")
        given = {name.strip().replace("-", "_"): value for name, _, value in pairs}
        try:
            yield _converted(given, names, us=us)
        except ValueError as error:
            raise typer.BadParameter(f"--lift {word}: {error}") from None
    if table is not None:
        yield from _table_rows(table, names, us=us)


def _table_rows(path: Path, names: Names, *, us: bool) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(str(path), str(error), "a table of lifts as text, .csv") from None
    for line, row in enumerate(csv.DictReader(text.splitlines()), start=2):
        given = {
            str(name).strip().replace("-", "_"): str(value) for name, value in row.items() if value
        }
        try:
            yield _converted(given, names, us=us)
        except ValueError as error:
            expected = f"a lift with {', '.join(names)}"
            raise BadFile(str(path), str(error), expected, line=line) from None


def _converted(given: Mapping[str, str], names: Names, *, us: bool) -> dict[str, Any]:
    units = {"length": INCH, "mass": POUND} if us else {}
    found: dict[str, Any] = {}
    for name, text in given.items():
        if name not in names:
            raise ValueError(f"no {name!r} in a lift; known: {', '.join(names)}")
        key, kind = names[name]
        if kind == "word":
            found[key] = text.strip()
            continue
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"{name} must be a number, got {text!r}") from None
        found[key] = math.radians(value) if kind == "angle" else value * units.get(kind, 1.0)
    required = ("load", *(name for name, (_, kind) in names.items() if kind == "length"))
    missing = [name for name in required if name not in given]
    if missing:
        raise ValueError(f"a lift needs {missing[0]}")
    return found


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
