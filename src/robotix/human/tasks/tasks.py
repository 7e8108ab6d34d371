"""The whole-body tasks by name, and performing them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from robotix.errors import BadField, UnknownName
from robotix.human.body.manikin import Manikin
from robotix.human.motion.performance import Performance
from robotix.human.motion.rehearsal import rehearse
from robotix.human.motion.scenario import Scenario, run_scenario
from robotix.human.motion.styles import style_named
from robotix.human.tasks.climbing import climb_ladder
from robotix.human.tasks.handling import carry, lift, reach_on_table
from robotix.human.tasks.sitting import sit_down, stand_up, stand_up_at_table
from robotix.human.tasks.walking import climb_stairs, walk_ahead, walk_around_hole

__all__ = ["TASKS", "check_parameters", "perform", "task_parameters"]

TASKS: Mapping[str, Callable[..., Scenario]] = {
    "stand_up": stand_up,
    "sit_down": sit_down,
    "stand_up_at_table": stand_up_at_table,
    "reach": reach_on_table,
    "lift": lift,
    "carry": carry,
    "walk": walk_ahead,
    "walk_around_hole": walk_around_hole,
    "climb_stairs": climb_stairs,
    "climb_ladder": climb_ladder,
}


LENGTH_RANGE = (0.02, 20.0)  # m
PARAMETER_RANGES = {  # plausible values; whether a body can do it, the report says
    "load": (0.0, 1000.0),  # kg
    "aside": (-5.0, 5.0),
    "distance": (0.0, 100.0),
    "lean": (0.0, 1.2),  # rad
    "pace": (0.2, 2.0),
    "rungs": (1, 20),
    "seat_height": (0.1, 3.0),
    "steps": (1, 30),
    "table_height": (0.1, 3.0),
}


def task_parameters(task: str) -> dict[str, float | None]:
    """Return the parameters of a task and their defaults; None means scaled to the body."""
    parameters = inspect.signature(_find(task)).parameters.values()
    return {p.name: p.default for p in parameters if p.name not in ("manikin", "style")}


def perform(
    task: str,
    manikin: Manikin,
    *,
    style: str = "natural",
    parameters: Mapping[str, float] | None = None,
    rehearsed: bool = False,
) -> Performance:
    """Perform a task with a body, as far as it is feasible; `measure` evaluates the result.

    `rehearsed` repeats it until the zero-moment point of the whole body stays inside the support.

    Raises:
        UnknownName: There is no such task, style or parameter.
        ValueError: A parameter is outside its range.
    """
    make, given = _find(task), dict(parameters or {})
    check_parameters(task, given)
    how = style_named(style)
    if rehearsed:
        return rehearse(lambda: make(manikin, style=how, **given), task=task)
    return run_scenario(make(manikin, style=how, **given), task=task)


def check_parameters(task: str, parameters: Mapping[str, float]) -> None:
    """Raise UnknownName or ValueError for unknown or implausible parameters, as `perform` does."""
    known = task_parameters(task)
    for name, value in parameters.items():
        if name not in known:
            raise UnknownName(f"parameter of {task}", name, known)
        low, high = PARAMETER_RANGES.get(name, LENGTH_RANGE)
        if not low <= value <= high:
            raise BadField(name, f"from {low:g} to {high:g} for {task}", f"{value:g}")


def _find(task: str) -> Callable[..., Scenario]:
    try:
        return TASKS[task]
    except KeyError:
        raise UnknownName("task", task, TASKS) from None
