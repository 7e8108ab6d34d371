"""Tables (free motion): glasses from one table to another, and back again."""

from __future__ import annotations

from typing import Any

import numpy as np

from robotix.experiments.tasks.geometry import hand_rotation, numbers_of, raised, task_table
from robotix.experiments.tasks.task import LabTask, Phase, TaskGoal, TaskPlace
from robotix.geometry import Array

__all__ = ["make_tables_task"]

TOP = 0.04  # m, thickness
FIRST_MARK, MARK_SPACING = 0.04, 0.085  # m from the near edge, and from mark to mark
MARK_INSET = 0.04  # m from the facing edge


def make_tables_task() -> LabTask:
    """Return the task of the two tables."""
    table = task_table("tables")
    near, height, middle = (table.number(key) for key in ("front_x", "height", "middle_y"))
    length, width = numbers_of(table, "size", 2)
    half_gap = table.number("gap") / 2
    tall, radius = table.number("glass_height"), table.number("glass_radius")
    count = round(table.number("glasses"))

    def marks(side: float) -> list[Array]:
        y = middle + side * (half_gap + MARK_INSET)
        return [np.array([near + FIRST_MARK + MARK_SPACING * i, y, height]) for i in range(count)]

    objects: dict[str, dict[str, Any]] = {}
    for name, side, material in (("start", 1.0, "mark_yellow"), ("goal", -1.0, "mark_blue")):
        edge = middle + side * half_gap
        objects[f"{name}_table"] = _table(near, edge, edge + side * width, height, length)
        objects[f"{name}_marks"] = {
            "material": material,
            "collidable": False,
            "parts": [{"cylinder": [0.042, 0.002], "at": mark.tolist()} for mark in marks(side)],
        }
    lift = np.array([0.0, 0.0, tall / 2])
    for number, mark in enumerate(marks(1.0), start=1):
        objects[f"glass_{number}"] = {
            "cylinder": [radius, tall],
            "at": raised(mark + lift, 0.001).tolist(),
            "material": "clear_glass",
            "body": {"mass": table.number("glass_mass")},
        }
    names = tuple(f"glass_{number}" for number in range(1, count + 1))

    def phase(words: str, side: float, colour: str) -> Phase:
        places = tuple(
            TaskPlace(f"a {colour} mark", mark + lift, np.full(3, 0.02), table.number("tolerance"))
            for mark in marks(side)
        )
        return Phase(words, tuple(TaskGoal(name, places) for name in names))

    return LabTask(
        "tables",
        "Tables: the glasses there and back",
        objects,
        names,
        (
            phase("Bring the glasses to the blue marks of the other table.", -1.0, "blue"),
            phase("Bring the glasses back to the yellow marks.", 1.0, "yellow"),
        ),
        np.array([near + FIRST_MARK, middle, height + 0.2]),
        hand_rotation(fingers=np.array([0, 0, -1]), opening=np.array([0, 1, 0])),
        fragile=names,
        seat_view_yaw=0.5,
        grip_offset=np.array([0.0, 0.0, 0.02]),
        carry_offsets=(np.array([0.0, 0.0, 0.05]),),
        approach_offset=np.array([0.0, 0.0, 0.09]),
    )


def _table(near: float, edge: float, far: float, height: float, length: float) -> dict[str, Any]:
    middle, width = (edge + far) / 2, abs(far - edge)
    x = near + length / 2
    top = {"box": [length, width, TOP], "at": [x, middle, height - TOP / 2]}
    leg_height = height - TOP
    legs = [
        {"box": [0.05, 0.05, leg_height], "at": [px, py, leg_height / 2]}
        for px in (near + length - 0.05,)
        for py in (middle - width / 2 + 0.05, middle + width / 2 - 0.05)
    ]
    return {"material": "oak", "parts": [top, *legs]}
