"""Books (reaching): twelve books of four colours, each to the shelf of its colour."""

from __future__ import annotations

from typing import Any

import numpy as np

from robotix.experiments.tasks.geometry import hand_rotation, numbers_of, task_table
from robotix.experiments.tasks.task import LabTask, Phase, TaskGoal, TaskPlace
from robotix.geometry import Array

__all__ = ["make_books_task"]

COLOURS = ("red", "blue", "green", "yellow")  # from the lowest shelf to the highest
SLOTS = 6  # places side by side on a shelf
BOARD = 0.02  # m, thickness
REST_GAP = 0.001  # m above the board, where physics lets a thing begin
GRIP_BELOW_MIDDLE = 0.055  # m: so that arms of short reach get to the top and the lowest shelf
GRIP_DEPTH = 0.02  # m behind the front edge of a book


def make_books_task() -> LabTask:
    """Return the task of the books."""
    table, person = task_table("books"), task_table("person")
    heights = numbers_of(table, "shelf_heights", len(COLOURS))
    depth, thickness, height = numbers_of(table, "book_size", 3)
    width, shelf_depth = table.number("shelf_width"), table.number("shelf_depth")
    front = person.number("chair_side_y") + table.number("distance")
    centre_x, spacing = table.number("centre_x"), table.number("book_spacing")
    y = front + depth / 2
    slots = [
        [
            np.array([centre_x + (i - (SLOTS - 1) / 2) * spacing, y, z + height / 2 + REST_GAP])
            for i in range(SLOTS)
        ]
        for z in heights
    ]
    objects: dict[str, dict[str, Any]] = {
        "bookshelf": _shelf(centre_x, front, heights, width, shelf_depth)
    }
    for colour, z in zip(COLOURS, heights, strict=True):
        objects[f"shelf_label_{colour}"] = {
            "box": [0.2, 0.004, 0.018],
            "at": [centre_x, front - 0.003, z - BOARD / 2],
            "material": f"book_{colour}",
            "collidable": False,
        }
    goals = []
    for k, colour in enumerate(COLOURS):
        shelf = TaskPlace(
            f"the {colour} shelf",
            np.array([centre_x, front + shelf_depth / 2, heights[k] + height / 2]),
            np.array([width / 2, shelf_depth / 2 + 0.05, height / 2 + 0.02]),
        )
        others = [j for j in range(len(COLOURS)) if j != k]
        for number, j in enumerate(others, start=1):
            name = f"book_{colour}_{number}"
            taken = [c for c in range(len(COLOURS)) if c != j].index(k)
            objects[name] = {
                "box": [thickness, depth, height],
                "at": slots[j][2 * taken].tolist(),
                "material": f"book_{colour}",
                "body": {"mass": table.number("book_mass")},
            }
            goals.append(TaskGoal(name, (shelf,), tuple(slots[k])))
    return LabTask(
        "books",
        "Books: every book to the shelf of its colour",
        objects,
        tuple(goal.thing for goal in goals),
        (Phase("Bring every book to the shelf whose label has its colour.", tuple(goals)),),
        np.array([centre_x, front - 0.06, 0.95]),
        hand_rotation(fingers=np.array([0, 1, 0]), opening=np.array([1, 0, 0])),
        upright=tuple(goal.thing for goal in goals),
        wrong_places=_shelves(goals),
        seat_view_yaw=1.3,
        keep_out=(np.array([[-2.0, front, 0.0], [2.0, front + 1.0, 2.5]]),),
        grip_offset=np.array([0.0, -depth / 2 + GRIP_DEPTH, -GRIP_BELOW_MIDDLE]),
        carry_offsets=(np.array([0.0, 0.0, 0.02]), np.array([0.0, -depth - 0.03, 0.02])),
        approach_offset=np.array([0.0, -0.1, 0.0]),
    )


def _shelves(goals: list[TaskGoal]) -> tuple[TaskPlace, ...]:
    """Return every shelf once: a book on the wrong one was put down there."""
    return tuple({goal.places[0].name: goal.places[0] for goal in goals}.values())


def _shelf(
    x: float, front: float, heights: tuple[float, ...], width: float, depth: float
) -> dict[str, Any]:
    top = heights[-1] + 0.40
    middle = front + depth / 2
    sides: list[tuple[Array, Array]] = [
        (np.array([BOARD, depth, top]), np.array([x + side * (width + BOARD) / 2, middle, top / 2]))
        for side in (-1, 1)
    ]
    boards = [
        (np.array([width, depth, BOARD]), np.array([x, middle, z - BOARD / 2])) for z in heights
    ]
    back = (np.array([width, 0.012, top]), np.array([x, front + depth + 0.006, top / 2]))
    parts = [*sides, *boards, back]
    return {
        "material": "birch",
        "parts": [{"box": size.tolist(), "at": place.tolist()} for size, place in parts],
    }
