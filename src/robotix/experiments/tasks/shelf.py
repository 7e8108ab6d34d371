"""Shelf (dexterity): a sphere from the middle marker to each of the others, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from robotix.experiments.tasks.geometry import hand_rotation, numbers_of, raised, task_table
from robotix.experiments.tasks.task import LabTask, Phase, TaskGoal, TaskPlace
from robotix.geometry import Array

__all__ = ["make_shelf_task"]

SPHERE = "sphere"
RING_RADIUS, RING_HEIGHT, RING_POSTS = 0.03, 0.008, 8  # m: keeps the sphere from rolling away


def make_shelf_task() -> LabTask:
    """Return the task of the five markers."""
    table, person = task_table("shelf"), task_table("person")
    height, count = table.number("height"), round(table.number("markers"))
    front = person.number("chair_side_y") + table.number("distance")
    y, radius = front + table.number("marker_depth"), table.number("sphere_radius")
    span, centre_x = table.number("span"), table.number("centre_x")
    xs = centre_x + np.linspace(span / 2, -span / 2, count)  # from left to right, facing the shelf
    points = [np.array([x, y, height + radius]) for x in xs]
    order = [round(each) for each in numbers_of(table, "order", count - 1)]
    middle = (count + 1) // 2
    objects: dict[str, dict[str, Any]] = {
        "shelf": {
            "material": "walnut",
            "parts": [
                {"box": [span + 0.3, 0.3, 0.04], "at": [centre_x, front + 0.15, height - 0.02]},
                {"box": [span + 0.2, 0.04, height], "at": [centre_x, front + 0.27, height / 2]},
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
        np.array([centre_x, front - 0.05, height + 0.12]),
        hand_rotation(fingers=np.array([0, 1, 0]), opening=np.array([1, 0, 0])),
        wrong_places=markers,
        seat_view_yaw=1.3,
        keep_out=(np.array([[-2.0, front, 0.0], [2.0, front + 1.0, 2.5]]),),
        carry_offsets=(np.array([0.0, 0.0, 0.06]),),
        approach_offset=np.array([0.0, -0.11, 0.0]),
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
