"""Shelf (dexterity): a sphere from the middle marker to each of the others, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from robotix.experiments.tasks.geometry import hand_rotation, numbers_of, raised, task_table
from robotix.experiments.tasks.task import LabTask, Phase, TaskGoal, TaskPlace
from robotix.geometry import Array

__all__ = ["make_shelf_task"]

SPHERE = "sphere"
BOARD = 0.04  # m, thickness
START_Y = 0.40  # m: where the hand begins, in front of the carriage
RING_RADIUS, RING_HEIGHT, RING_POSTS = 0.03, 0.008, 8  # m: keeps the sphere from rolling away


def make_shelf_task() -> LabTask:
    """Return the task of the five markers."""
    table, person = task_table("shelf"), task_table("person")
    height, count = table.number("height"), round(table.number("markers"))
    front = person.number("chest_x") + table.number("distance")
    x, radius = front + table.number("marker_depth"), table.number("sphere_radius")
    span, depth = table.number("span"), table.number("shelf_depth")
    ys = np.linspace(span / 2, -span / 2, count)  # from left to right, as the person sees them
    points = [np.array([x, y, height + radius]) for y in ys]
    order = [round(each) for each in numbers_of(table, "order", count - 1)]
    middle, middle_x = (count + 1) // 2, front + depth / 2
    objects: dict[str, dict[str, Any]] = {
        "shelf": {
            "material": "walnut",
            "parts": [
                {"box": [depth, span + 0.3, BOARD], "at": [middle_x, 0, height - BOARD / 2]},
                {"box": [0.04, span + 0.2, height], "at": [front + depth - 0.02, 0, height / 2]},
            ],
        },
        SPHERE: {
            "sphere": radius,
            "at": raised(points[middle - 1], 0.001).tolist(),
            "material": "ball_orange",
            "body": {"mass": table.number("sphere_mass")},
        },
    }
    for number, point in enumerate(points, start=1):
        material = "mark_yellow" if number == middle else "mark_blue"
        objects |= _marker(number, raised(point, -radius), material)
    phases = []
    for number in order:
        place = TaskPlace(
            f"marker {number}", points[number - 1], np.full(3, 0.02), table.number("tolerance")
        )
        words = f"Take the sphere, and let it go on marker {number}."
        phases.append(Phase(words, (TaskGoal(SPHERE, (place,)),)))
    markers = tuple(
        TaskPlace(f"marker {k}", point, np.full(3, 0.02), table.number("tolerance"))
        for k, point in enumerate(points, start=1)
    )
    return LabTask(
        "shelf",
        "Shelf: the sphere to every marker",
        objects,
        (SPHERE,),
        tuple(phases),
        np.array([x - 0.11, START_Y, height + 0.12]),
        hand_rotation(fingers=np.array([1, 0, 0]), opening=np.array([0, 1, 0])),
        wrong_places=markers,
        keep_out=(np.array([[front, -2.0, 0.0], [front + 1.0, 2.0, height]]),),
        carry_offsets=(np.array([0.0, 0.0, 0.06]),),
        approach_offset=np.array([-0.11, 0.0, 0.0]),
        has_sides=True,
    )


def _marker(number: int, foot: Array, material: str) -> dict[str, dict[str, Any]]:
    """Return a disc, and a low ring of posts around it."""
    angles = 2 * np.pi * np.arange(RING_POSTS) / RING_POSTS
    posts = [
        {
            "cylinder": [0.003, RING_HEIGHT],
            "at": [RING_RADIUS * np.cos(a), RING_RADIUS * np.sin(a), RING_HEIGHT / 2],
        }
        for a in angles
    ]
    disc = {
        "cylinder": [0.045, 0.002],
        "at": raised(foot, 0.001).tolist(),
        "material": material,
        "collidable": False,
    }
    ring = {"parts": posts, "at": foot.tolist(), "material": material}
    return {f"marker_{number}": disc, f"marker_{number}_ring": ring}
