"""Kernels of solvers, searches, distances and batches, each called once."""

from __future__ import annotations

from functools import cache
from typing import get_args

import numpy as np

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

__all__ = [
    "avoid_obstacles",
    "evaluate_batches",
    "evaluate_criteria",
    "evaluate_postures",
    "measure_distances",
    "run_searches",
    "step_one_solver",
    "step_solvers",
]


@cache
def _posture() -> Posture:
    return Posture(load("kuka_lwr"), np.full(7, 0.3))


def evaluate_postures() -> None:
    """Evaluate poses, Jacobians, masses and torques."""
    posture = _posture()
    posture.pose()
    posture.jacobian_rate(np.ones(posture.model.n_dof))
    for what in ("body_poses", "com_jacobian", "gravity_torques", "mass_matrix"):
        getattr(posture, what)
    posture.velocity_to(posture.moved(np.ones(posture.model.n_dof)).q)


def step_one_solver() -> None:
    """Step one solver: all methods are one kernel, which takes longest to compile."""
    posture = _posture()
    Solver(posture.model, [PointTask(None, posture.position())], dt=0.01).step(posture.q)


def step_solvers() -> None:
    """Step solvers of every method and order."""
    posture = _posture()
    goal, aside = Pose.at(0.4, 0.2, 0.5), np.zeros(3)
    tasks: list[Task] = [PoseTask(None, goal), PointTask("elbow", aside, priority=1)]
    for method in get_args(Method):
        Solver(posture.model, tasks, dt=0.01, method=method, order=1).step(posture.q)
        Solver(posture.model, tasks, dt=0.01, method=method, order=2).step(posture.q)


def run_searches() -> None:
    """Search for a posture, and for many at once."""
    posture = _posture()
    solve(posture.model, posture.pose(), restarts=1)
    solve_batch(posture.model, posture.position()[None], restarts=1)


def _clearance() -> Clearance:
    posture = _posture()
    ball = Sphere(0.1, Pose(translation=posture.position()))
    return Clearance(posture.model, {"ball": Obstacle(ball, velocity=np.array([0.0, 0.0, 0.1]))})


def measure_distances() -> None:
    """Measure the distance between solids, and between an arm and a moving one."""
    nearest(Sphere(0.1), Box(np.ones(3)))
    _clearance().gaps(_posture())


def avoid_obstacles() -> None:
    """Step a solver that avoids an obstacle."""
    posture, clearance = _posture(), _clearance()
    task = PointTask(None, posture.position())
    slack = clearance.max_gaps
    clearance.step(Solver(posture.model, [task], dt=0.01, max_inequalities=slack), posture.q)
    clearance.slack_gradient(posture)


def evaluate_criteria() -> None:
    """Evaluate criteria."""
    for criterion in (Manipulability(), HoldingEffort()):
        criterion(_posture())


def evaluate_batches() -> None:
    """Evaluate many postures at once."""
    model, q = _posture().model, _posture().q[None]
    for run in (forward_batch, singular_values_batch, mass_centre_batch, mass_matrix_batch):
        run(model, q)
