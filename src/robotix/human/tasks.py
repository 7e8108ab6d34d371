"""The whole-body tasks by name, and how to have one performed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from robotix.errors import UnknownName
from robotix.human.manikin import Manikin
from robotix.human.performance import Performance
from robotix.human.staging import Staging, play
from robotix.human.styles import style_named
from robotix.human.tasks_climbing import climb_ladder
from robotix.human.tasks_handling import carry, lift, reach_on_table
from robotix.human.tasks_sitting import sit_down, stand_up, stand_up_at_table
from robotix.human.tasks_walking import climb_stairs, walk_ahead, walk_around_hole

__all__ = ["TASKS", "perform", "task_parameters"]

TASKS: Mapping[str, Callable[..., Staging]] = {
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


def task_parameters(task: str) -> dict[str, float | None]:
    """Return the numbers a task takes, with their defaults; None means that it fits the body."""
    parameters = inspect.signature(_find(task)).parameters.values()
    return {p.name: p.default for p in parameters if p.name not in ("manikin", "style")}


def perform(
    task: str,
    manikin: Manikin,
    *,
    style: str = "natural",
    parameters: Mapping[str, float] | None = None,
) -> Performance:
    """Let a body carry out a task, as far as it can; `measure` tells how well it went.

    Raises:
        UnknownName: There is no such task, style or parameter.
        ValueError: A parameter makes no sense.
    """
    make, given = _find(task), dict(parameters or {})
    known = task_parameters(task)
    for name, value in given.items():
        if name not in known:
            raise UnknownName(f"parameter of {task}", name, known)
        if not 0 <= value < float("inf") and name != "aside":
            raise ValueError(f"{name} of {task} must be finite and not negative, got {value}")
    return play(make(manikin, style=style_named(style), **given), task=task)


def _find(task: str) -> Callable[..., Staging]:
    try:
        return TASKS[task]
    except KeyError:
        raise UnknownName("task", task, TASKS) from None
