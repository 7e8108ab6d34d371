"""Groups of kernels, and the stages that compile them in two processes side by side.

`room` contains the kernels of the flat, including those of all its keys; `all` contains every one.
The first process compiles the solver, which takes as long as all other kernels of a room. The
second compiles kernels that do not need the solver. Then the first process runs stages that need
both, and finds almost all kernels on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from robotix.warm_up import haptics, kinematics, people, rooms

__all__ = ["PLANS", "KernelGroup", "WarmUpPlan", "WarmUpStage"]

KernelGroup: TypeAlias = Literal["room", "all"]


@dataclass(frozen=True)
class WarmUpStage:
    """A function that calls some kernels once."""

    name: str
    run: Callable[[], None]


@dataclass(frozen=True)
class WarmUpPlan:
    """Stages of a group; no kernel belongs to both `first` and `second`."""

    first: tuple[WarmUpStage, ...]
    second: tuple[WarmUpStage, ...]  # in another process, at the same time
    last: tuple[WarmUpStage, ...]  # in the first process, after both


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
            WarmUpStage("loads of people", people.compute_joint_loads),
            _ASSESSMENT,
            WarmUpStage("pictures", people.draw_body),
            WarmUpStage("haptic devices", haptics.touch_walls),
        ),
        last=(
            _FLAT,
            WarmUpStage("obstacles", kinematics.avoid_obstacles),
            WarmUpStage("rooms", rooms.run_room),
            WarmUpStage("tasks of people", people.perform_task),
        ),
    ),
}
