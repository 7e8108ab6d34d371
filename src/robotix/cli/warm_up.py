"""Everything that is compiled, called once: what `robotix compile` does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias, get_args

import numpy as np
import typer
from numba.core import event

from robotix.cli.compiling import CompileCounter
from robotix.cli.warm_up_people import draw_body, perform_task, weigh_body
from robotix.cli.warm_up_rooms import run_room, touch_meshes
from robotix.collision.distance import nearest
from robotix.geometry import Box, Pose, Sphere
from robotix.kinematics import (
    Clearance,
    Obstacle,
    PointTask,
    PoseTask,
    Posture,
    Solver,
    Task,
    solve,
    solve_batch,
)
from robotix.kinematics.batch import (
    forward_batch,
    mass_centre_batch,
    mass_matrix_batch,
    singular_values_batch,
)
from robotix.kinematics.criteria import HoldingEffort
from robotix.kinematics.dexterity_criteria import Manipulability
from robotix.kinematics.solver import Method
from robotix.model.robots import load

__all__ = ["MEANWHILE", "SOLVING", "Stage"]

Stage: TypeAlias = tuple[str, Callable[[], object]]


@cache
def _posture() -> Posture:
    return Posture(load("kuka_lwr"), np.full(7, 0.3))


def _postures() -> None:
    posture = _posture()
    posture.pose()
    posture.jacobian_rate(np.ones(posture.model.n_dof))
    for what in ("body_poses", "com_jacobian", "gravity_torques", "mass_matrix"):
        getattr(posture, what)
    posture.velocity_to(posture.moved(np.ones(posture.model.n_dof)).q)


def _solvers() -> None:
    posture = _posture()
    goal, aside = Pose.at(0.4, 0.2, 0.5), np.zeros(3)
    tasks: list[Task] = [PoseTask(None, goal), PointTask("elbow", aside, priority=1)]
    for method in get_args(Method):
        Solver(posture.model, tasks, dt=0.01, method=method, order=1).step(posture.q)
        Solver(posture.model, tasks, dt=0.01, method=method, order=2).step(posture.q)


def _searches() -> None:
    posture = _posture()
    solve(posture.model, posture.pose(), restarts=1)
    solve_batch(posture.model, posture.position()[None], restarts=1)


def _clearance() -> Clearance:
    posture = _posture()
    ball = Sphere(0.1, Pose(translation=posture.position()))
    return Clearance(posture.model, {"ball": Obstacle(ball, velocity=np.array([0.0, 0.0, 0.1]))})


def _distances() -> None:
    nearest(Sphere(0.1), Box(np.ones(3)))
    _clearance().gaps(_posture())


def _obstacles() -> None:
    posture, clearance = _posture(), _clearance()
    task = PointTask(None, posture.position())
    room = clearance.max_gaps
    clearance.step(Solver(posture.model, [task], dt=0.01, max_inequalities=room), posture.q)


def _criteria() -> None:
    for criterion in (Manipulability(), HoldingEffort()):
        criterion(_posture())


def _batches() -> None:
    model, q = _posture().model, _posture().q[None]
    for run in (forward_batch, singular_values_batch, mass_centre_batch, mass_matrix_batch):
        run(model, q)


# All that takes a solver, which takes half of the time; and meanwhile, on another core, the rest.
SOLVING: tuple[Stage, ...] = (
    ("solvers", _solvers),
    ("searches", _searches),
    ("obstacles", _obstacles),
    ("rooms", run_room),
    ("tasks of people", perform_task),
)
MEANWHILE: tuple[Stage, ...] = (
    ("distances", _distances),
    ("postures", _postures),
    ("criteria", _criteria),
    ("batches", _batches),
    ("meshes", touch_meshes),
    ("people", weigh_body),
    ("pictures", draw_body),
)


def main() -> None:
    """Compile what takes no solver; tell how many functions that were."""
    counter = CompileCounter()
    with event.install_listener("numba:compile", counter):
        for _, run in MEANWHILE:
            run()
    typer.echo(counter.count)


if __name__ == "__main__":
    main()
