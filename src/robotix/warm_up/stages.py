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

__all__ = ["PLANS", "KernelGroup", "WarmUpPlan", "WarmUpStage"]

KernelGroup: TypeAlias = Literal["room", "all"]


@dataclass(frozen=True)
class WarmUpStage:
    """A function that calls some kernels once."""

    name: str
    run: Callable[[], None]


@dataclass(frozen=True)
class WarmUpPlan:
    """How a group is compiled; no kernel belongs to both `first` and `second`."""

    first: tuple[WarmUpStage, ...]
    second: tuple[WarmUpStage, ...]  # meanwhile, in another process
    last: tuple[WarmUpStage, ...]  # in the first process, when both are done


_SOLVER = WarmUpStage("solver", kinematics.step_one_solver)
_ROBOTS = WarmUpStage("robots and contacts", rooms.move_arm)
_DISTANCES = WarmUpStage("distances", kinematics.measure_distances)
_ASSESSMENT = WarmUpStage("assessment of people", people.assess_posture)
_FLAT = WarmUpStage("the flat", rooms.run_flat)

PLANS: dict[KernelGroup, WarmUpPlan] = {
    "room": WarmUpPlan(first=(_SOLVER,), second=(_ROBOTS, _DISTANCES, _ASSESSMENT), last=(_FLAT,)),
    "all": WarmUpPlan(
        first=(
            _SOLVER,
            WarmUpStage("solvers", kinematics.step_solvers),
            WarmUpStage("searches", kinematics.run_searches),
        ),
        second=(
            _ROBOTS,
            _DISTANCES,
            WarmUpStage("postures", kinematics.evaluate_postures),
            WarmUpStage("criteria", kinematics.evaluate_criteria),
            WarmUpStage("batches", kinematics.evaluate_batches),
            WarmUpStage("meshes", rooms.touch_meshes),
            WarmUpStage("loads of people", people.weigh_body),
            _ASSESSMENT,
            WarmUpStage("pictures", people.draw_body),
        ),
        last=(
            _FLAT,
            WarmUpStage("obstacles", kinematics.avoid_obstacles),
            WarmUpStage("rooms", rooms.run_room),
            WarmUpStage("tasks of people", people.perform_task),
        ),
    ),
}
