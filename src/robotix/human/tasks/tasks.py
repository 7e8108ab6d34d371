"""The whole-body tasks by name, and performing them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from robotix.errors import BadField, UnknownName
from robotix.human.body.manikin import Manikin
from robotix.human.motion.performance import Performance
from robotix.human.motion.rehearsal import rehearse
from robotix.human.motion.scenario import Scenario, run_scenario
from robotix.human.motion.styles import style_named
from robotix.human.tasks.climbing import climb_ladder
from robotix.human.tasks.exerting import pull, push
from robotix.human.tasks.handling import reach_on_table
from robotix.human.tasks.lifting import carry, lift
from robotix.human.tasks.sitting import sit_down, stand_up, stand_up_at_table
from robotix.human.tasks.walking import climb_stairs, walk_ahead, walk_around_hole
from robotix.human.tasks.working import kneel, overhead, seated_work

__all__ = [
    "PARAMETERS",
    "TASKS",
    "TaskParameter",
    "check_parameters",
    "perform",
    "task_parameters",
]

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
    "push": push,
    "pull": pull,
    "overhead": overhead,
    "kneel": kneel,
    "seated": seated_work,
}


@dataclass(frozen=True)
class TaskParameter:
    """What a task takes: meaning, unit and plausible values.

    Whether a body can do it, the report says.
    """

    what: str
    unit: str = "m"
    low: float = 0.02
    high: float = 20.0
    is_whole: bool = False


PARAMETERS: Mapping[str, TaskParameter] = {
    "aside": TaskParameter("of the thing to the left of the middle", "m", -5.0, 5.0),
    "bar_distance": TaskParameter("of the bar in front of the middle of the ankles"),
    "bar_height": TaskParameter("of the bar above the floor"),
    "box_depth": TaskParameter("of the box, from front to back"),
    "box_distance": TaskParameter("from the ankles to the centre of the box"),
    "box_height": TaskParameter("of the box, from bottom to top"),
    "box_width": TaskParameter("of the box, from hand to hand"),
    "distance": TaskParameter("walked, or of the thing in front of the body", "m", 0.0, 100.0),
    "force": TaskParameter("of both hands together, horizontal", "N", 0.0, 2000.0),
    "handle_height": TaskParameter("of the hands above the bottom of the box", "m", 0.0, 2.0),
    "hands": TaskParameter("1 (the right one) or 2", "", 1, 2, is_whole=True),
    "height": TaskParameter("of the hands at work"),
    "hole_radius": TaskParameter("of the hole"),
    "lean": TaskParameter("of the ladder from the vertical", "rad", 0.0, 1.2),
    "load": TaskParameter("what the hands carry", "kg", 0.0, 1000.0),
    "origin_height": TaskParameter("of the surface under the box at first", "m", 0.0, 2.5),
    "pace": TaskParameter("times are divided by it", "", 0.2, 2.0),
    "riser": TaskParameter("height of a step"),
    "rungs": TaskParameter("to climb", "", 1, 20, is_whole=True),
    "seat_height": TaskParameter("of the seat", "m", 0.1, 3.0),
    "seconds": TaskParameter("of work, or of full force", "s", 0.1, 60.0),
    "spacing": TaskParameter("of the rungs"),
    "speed": TaskParameter("of walking", "m/s", 0.3, 2.0),
    "stagger": TaskParameter("from the rear ankle to the front one", "m", 0.0, 1.5),
    "stance_width": TaskParameter("from ankle to ankle", "m", 0.12, 1.0),
    "step_length": TaskParameter("from one foot to the other"),
    "steps": TaskParameter("of the stairs", "", 1, 30, is_whole=True),
    "straddle": TaskParameter("1: feet on both sides of the box", "", 0, 1, is_whole=True),
    "table_distance": TaskParameter("of the table from the ankles"),
    "table_height": TaskParameter("of the table; of a lift, where the box ends", "m", 0.1, 3.0),
    "tread": TaskParameter("depth of a step"),
    "turn_deg": TaskParameter("of the box to the left of straight ahead", "degrees", -120.0, 120.0),
}
OTHER = TaskParameter("of the task")
OTHER_NAMES = {"destination_height": "table_height"}  # as lifting equations call it


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
    rehearsed: bool | None = None,
) -> Performance:
    """Perform a task with a body, as far as it is feasible; `measure` evaluates the result.

    With `rehearsed` it is repeated until the zero-moment point of the whole body stays inside the
    support; None means unless the style is static.

    Raises:
        UnknownName: There is no such task, style or parameter.
        ValueError: A parameter is outside its range.

    Examples:
        >>> man = rx.make_manikin(rx.make_anthropometry(sex="m"))
        >>> rx.perform("reach", man, rehearsed=False).task
        'reach'
    """
    make = _find(task)
    check_parameters(task, parameters or {})
    given = {OTHER_NAMES.get(name, name): value for name, value in (parameters or {}).items()}
    how = style_named(style)
    if rehearsed is None:
        rehearsed = not how.is_static
    if rehearsed:
        found = rehearse(lambda: make(manikin, style=how, **given), task=task)
    else:
        found = run_scenario(make(manikin, style=how, **given), task=task)
    return replace(found, parameters=given)


def check_parameters(task: str, parameters: Mapping[str, float]) -> None:
    """Raise UnknownName or ValueError for unknown or implausible parameters, as `perform` does."""
    known = task_parameters(task)
    for given, value in parameters.items():
        name = OTHER_NAMES.get(given, given)
        if name not in known:
            raise UnknownName(f"parameter of {task}", name, known)
        limits = PARAMETERS.get(name, OTHER)
        if not limits.low <= value <= limits.high:
            raise BadField(
                given, f"from {limits.low:g} to {limits.high:g} for {task}", f"{value:g}"
            )
        if limits.is_whole and value != int(value):
            raise BadField(given, f"a whole number for {task}", f"{value:g}")


def _find(task: str) -> Callable[..., Scenario]:
    try:
        return TASKS[task]
    except KeyError:
        raise UnknownName("task", task, TASKS) from None
