"""Groups of kernels, and the stages that compile them in two processes side by side.

`room` is what the flat needs, from its first picture to all that its keys do; `all` is everything.
The first process compiles the solver, which takes as long as all the rest of a room. The second
compiles what needs no solver. When both are done, the first runs what needs the work of both, which
finds nearly everything on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from robotix.warm_up import kinematics, people, rooms

__all__ = ["PLANS", "Group", "Plan", "Stage"]

Group: TypeAlias = Literal["room", "all"]


@dataclass(frozen=True)
class Stage:
    """A function that calls some kernels once."""

    name: str
    run: Callable[[], None]


@dataclass(frozen=True)
class Plan:
    """How a group is compiled; no kernel belongs to both `first` and `second`."""

    first: tuple[Stage, ...]
    second: tuple[Stage, ...]  # meanwhile, in another process
    last: tuple[Stage, ...]  # in the first process, when both are done


_SOLVER = Stage("solver", kinematics.step_one_solver)
_ROBOTS = Stage("robots and contacts", rooms.move_arm)
_DISTANCES = Stage("distances", kinematics.measure_distances)
_ASSESSMENT = Stage("assessment of people", people.assess_posture)
_FLAT = Stage("the flat", rooms.run_flat)

PLANS: dict[Group, Plan] = {
    "room": Plan(first=(_SOLVER,), second=(_ROBOTS, _DISTANCES, _ASSESSMENT), last=(_FLAT,)),
    "all": Plan(
        first=(
            _SOLVER,
            Stage("solvers", kinematics.step_solvers),
            Stage("searches", kinematics.run_searches),
        ),
        second=(
            _ROBOTS,
            _DISTANCES,
            Stage("postures", kinematics.evaluate_postures),
            Stage("criteria", kinematics.evaluate_criteria),
            Stage("batches", kinematics.evaluate_batches),
            Stage("meshes", rooms.touch_meshes),
            Stage("loads of people", people.weigh_body),
            _ASSESSMENT,
            Stage("pictures", people.draw_body),
        ),
        last=(
            _FLAT,
            Stage("obstacles", kinematics.avoid_obstacles),
            Stage("rooms", rooms.run_room),
            Stage("tasks of people", people.perform_task),
        ),
    ),
}
