"""Large targets: places that forgive twice as much, and are drawn so; an aid to access."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from robotix.experiments.tasks.task import LabTask, TaskPlace

__all__ = ["TARGETS", "with_large_targets"]

TARGETS = ("normal", "large")
FACTOR = 2.0  # of the radius within which a thing may be put down
MARK_THICKNESS = 0.001  # m


def with_large_targets(task: LabTask) -> LabTask:
    """Return the task with places twice as large; places without a radius, as shelves, stay."""

    def large(place: TaskPlace) -> TaskPlace:
        return place if place.radius is None else replace(place, radius=FACTOR * place.radius)

    phases = tuple(
        replace(
            phase,
            goals=tuple(
                replace(goal, places=tuple(map(large, goal.places))) for goal in phase.goals
            ),
        )
        for phase in task.phases
    )
    places = {
        tuple(place.centre.round(4)): place
        for goal in (goal for phase in phases for goal in phase.goals)
        for place in goal.places
        if place.radius is not None
    }
    marks = {
        f"large_target_{k}": {
            "cylinder": [place.radius, MARK_THICKNESS],
            "at": (place.centre - np.array([0.0, 0.0, _height(task, place)])).tolist(),
            "material": "mark_blue",
            "collidable": False,
        }
        for k, place in enumerate(places.values(), start=1)
    }
    return replace(
        task,
        objects={**task.objects, **marks},
        phases=phases,
        wrong_places=tuple(map(large, task.wrong_places)),
    )


def _height(task: LabTask, place: TaskPlace) -> float:
    """Return the height of the middle of the thing that belongs to a place above its foot, m."""
    for goal in task.goals:
        if any(np.allclose(each.centre, place.centre) for each in goal.places):
            entry = task.objects[goal.thing]
            if "sphere" in entry:
                return float(entry["sphere"])
            if "cylinder" in entry:
                return float(entry["cylinder"][1]) / 2
            return float(entry["box"][2]) / 2
    return 0.0
