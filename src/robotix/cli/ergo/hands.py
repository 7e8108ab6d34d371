"""`robotix ergo rsi`, `duet` and `shoulder`: repeated exertions of hand, forearm, shoulder."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.ergo.output import print_result
from robotix.cli.ergo.rows import Columns, Entry, UsFlag, given_rows

__all__ = ["duet", "rsi", "shoulder"]

EFFORTS = Columns(
    "--effort",
    "effort",
    {
        "intensity": Entry("intensity", required=True),
        "per_minute": Entry("per_minute", required=True),
        "seconds": Entry("seconds", required=True),
        "wrist_deg": Entry("wrist", "angle"),
        "hours": Entry("hours"),
        "task": Entry("task", "word"),
    },
)
EXERTIONS = Columns(
    "--exertion",
    "exertion",
    {"rating": Entry("rating", required=True), "per_day": Entry("per_day", required=True)},
)
SHOULDER_TASKS = Columns(
    "--task",
    "task",
    {
        "force": Entry("force", "force", required=True),
        "arm": Entry("arm", "length", required=True),
        "per_day": Entry("per_day", required=True),
        "kind": Entry("kind", "word"),
    },
)
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
ShoulderTasks: TypeAlias = Annotated[
    list[str], typer.Option("--task", metavar="NAME=VALUE,…", help="One task; may be repeated.")
]


def rsi(*, effort: Efforts, json: JsonFlag = False) -> None:
    """Compute the Revised Strain Index of hand and forearm.

    An effort is written as intensity=0.2,per_minute=5,seconds=3,wrist_deg=-5,hours=4: the share of
    the greatest strength, efforts a minute, duration of one, extension of the wrist (flexion is
    negative), hours of the task a day. Several efforts give the composite index (COSI); with
    task=NAME in each, several tasks of a day give the cumulative index (CUSI).
    """
    from robotix.ergonomics import Exertion, strain_index

    found = strain_index([Exertion(**row) for row in given_rows(EFFORTS, effort)])
    values = {
        "index": found.index,
        "name": found.name,
        "efforts": [{"rsi": each.index, **each.factors} for each in found.exertions],
        "tasks": found.composite,
    }
    title = f"{found.name} {found.index:.2f}"
    print_result(found, values, title=title, as_json=json, decimals=3)


def duet(*, exertion: Exertions, json: JsonFlag = False) -> None:
    """Compute the damage of hand and forearm over a day.

    By the Distal Upper Extremity Tool. An exertion is written as rating=4,per_day=1200: how hard it
    is on the OMNI-RES scale (0 very easy, 2 easy, 4 somewhat easy, 6 somewhat hard, 8 hard, 10 very
    hard), and how often it is done.
    """
    from robotix.ergonomics import RepeatedExertion, hand_fatigue

    rows = given_rows(EXERTIONS, exertion)
    found = hand_fatigue([RepeatedExertion(**_whole(row, "rating")) for row in rows])
    values = {
        "damage": found.damage,
        "probability": found.probability,
        "exertions": [{**asdict(each), "damage": each.damage} for each in found.exertions],
    }
    title = (
        f"damage {found.damage:.4g} a day; {100 * found.probability:.1f} % probability of "
        "a disorder"
    )
    print_result(found, values, title=title, as_json=json, decimals=5)


def shoulder(*, task: ShoulderTasks, us: UsFlag = False, json: JsonFlag = False) -> None:
    """Compute the damage of one shoulder over a day.

    By The Shoulder Tool. A task is written as force=22.5,arm=0.46,per_day=4800: the force at the
    hand, in N, its lever arm, the distance from the acromion to the load where it is greatest, in
    m, and how often it is done. kind=handle (the default) adds the weight of the arm, kind=push is
    a horizontal push or pull, kind=push_down one downward. With --us in pounds and inches.
    """
    from robotix.ergonomics import ShoulderTask, shoulder_fatigue

    rows = given_rows(SHOULDER_TASKS, task, us=us)
    found = shoulder_fatigue([ShoulderTask(**row) for row in rows])
    values = {
        "damage": found.damage,
        "probability": found.probability,
        "tasks": [
            {**asdict(each), "moment": each.moment, "damage": each.damage, "share": share}
            for each, share in zip(found.tasks, found.shares, strict=True)
        ],
    }
    title = (
        f"damage {found.damage:.4g} a day; {100 * found.probability:.1f} % probability of "
        "a visit to the clinic for the shoulder"
    )
    print_result(found, values, title=title, as_json=json, decimals=5)


def _whole(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the row with a number as int where it is whole."""
    value = row[name]
    return {**row, name: int(value) if value == int(value) else value}
