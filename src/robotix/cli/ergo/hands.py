"""`robotix ergo rsi` and `duet`: repeated exertions of hand and forearm."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.ergo.output import print_assessment_json, print_assessment_text

if TYPE_CHECKING:
    from robotix.ergonomics import Exertion, RepeatedExertion

__all__ = ["duet", "rsi"]

EFFORT_NAMES = ("intensity", "per_minute", "seconds", "wrist_deg", "hours", "task")
EXERTION_NAMES = ("rating", "per_day")
Efforts: TypeAlias = Annotated[
    list[str],
    typer.Option("--effort", metavar="NAME=VALUE,…", help="One kind of effort; may be repeated."),
]
Exertions: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--exertion", metavar="NAME=VALUE,…", help="One kind of exertion; may be repeated."
    ),
]


def rsi(*, effort: Efforts, json: JsonFlag = False) -> None:
    """Compute the Revised Strain Index of hand and forearm.

    An effort is written as intensity=0.2,per_minute=5,seconds=3,wrist_deg=-5,hours=4: the share of
    the greatest strength, efforts a minute, duration of one, extension of the wrist (flexion is
    negative), hours of the task a day. Several efforts give the composite index (COSI); with
    task=NAME in each, several tasks of a day give the cumulative index (CUSI).
    """
    from robotix.ergonomics import strain_index

    found = strain_index([_exertion(word) for word in effort])
    if json:
        values = {
            "index": found.index,
            "name": found.name,
            "efforts": [{"rsi": each.index, **each.factors} for each in found.exertions],
            "tasks": found.composite,
        }
        print_assessment_json(
            values, verdict=found.verdict, steps=found.steps, sources=found.sources
        )
        return
    print_assessment_text(
        f"{found.name} {found.index:.2f}",
        verdicts=(found.verdict,),
        steps=found.steps,
        sources=found.sources,
        decimals=3,
    )


def duet(*, exertion: Exertions, json: JsonFlag = False) -> None:
    """Compute the damage of hand and forearm over a day.

    By the Distal Upper Extremity Tool. An exertion is written as rating=4,per_day=1200: how hard it
    is on the OMNI-RES scale (0 very easy, 2 easy, 4 somewhat easy, 6 somewhat hard, 8 hard, 10 very
    hard), and how often it is done.
    """
    from robotix.ergonomics import hand_fatigue

    found = hand_fatigue([_repeated(word) for word in exertion])
    if json:
        values = {
            "damage": found.damage,
            "probability": found.probability,
            "exertions": [
                {"rating": each.rating, "per_day": each.per_day, "damage": each.damage}
                for each in found.exertions
            ],
        }
        print_assessment_json(
            values, verdict=found.verdict, steps=found.steps, sources=found.sources
        )
        return
    print_assessment_text(
        f"damage {found.damage:.4g} a day; {100 * found.probability:.1f} % probability of "
        "a disorder",
        verdicts=(found.verdict,),
        steps=found.steps,
        sources=found.sources,
        decimals=5,
    )


def _exertion(word: str) -> Exertion:
    from robotix.ergonomics import Exertion

    given = _pairs("--effort", word, EFFORT_NAMES, required=("intensity", "per_minute", "seconds"))
    task = given.pop("task", "")
    numbers = {name: _number("--effort", name, text) for name, text in given.items()}
    wrist = math.radians(numbers.pop("wrist_deg", 0.0))
    return Exertion(**numbers, wrist=wrist, task=task)


def _repeated(word: str) -> RepeatedExertion:
    from robotix.ergonomics import RepeatedExertion

    given = _pairs("--exertion", word, EXERTION_NAMES, required=EXERTION_NAMES)
    values: dict[str, Any] = {
        name: _number("--exertion", name, text) for name, text in given.items()
    }
    if values["rating"] == int(values["rating"]):
        values["rating"] = int(values["rating"])
    return RepeatedExertion(**values)


def _pairs(
    option: str, word: str, names: tuple[str, ...], *, required: tuple[str, ...]
) -> dict[str, str]:
    """Return the values of NAME=VALUE,…; raise BadParameter for what is not that."""
    given: dict[str, str] = {}
    for part in word.split(","):
        name, equals, text = part.strip().partition("=")
        name = name.replace("-", "_")
        if not equals or name not in names:
            known = ", ".join(names)
            raise typer.BadParameter(f"{option} {word}: expected NAME=VALUE with one of {known}")
        given[name] = text
    missing = [name for name in required if name not in given]
    if missing:
        raise typer.BadParameter(f"{option} {word}: needs {missing[0]}")
    return given


def _number(option: str, name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{option}: {name} must be a number, got {text!r}") from None
