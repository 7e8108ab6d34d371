"""Searches meet every task that they accept, of our kinds and of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from support.random_trees import random_posture
from support.task_kinds import TASKS, Rng, setting, weights

from robotix.geometry import Array, Pose
from robotix.kinematics import PointTask, Posture, PostureTask, Searcher, Task, TaskOptions, solve
from robotix.model.robots import load


@dataclass(frozen=True, eq=False)
class CoordinatesTask(TaskOptions):
    """A task of one's own that derives from the public base class: all coordinates by name."""

    target: Array

    def error(self, posture: Posture) -> Array:
        return posture.velocity_to(self.target)

    def jacobian(self, posture: Posture) -> Array:
        return np.eye(posture.model.n_dof)


@dataclass(frozen=True)
class HeightTask:
    """A task of one's own that only has what the protocol asks for: the height of the tip."""

    height: float
    gain: float = 20.0
    weight: float = 0.5
    priority: int = 0

    def error(self, posture: Posture) -> Array:
        return np.array([self.height - posture.position()[2]])

    def jacobian(self, posture: Posture) -> Array:
        return posture.jacobian()[2:3]


OWN_TASKS: dict[str, Callable[[Posture, Rng, float], Task]] = {
    "own, derived": lambda at, rng, away: CoordinatesTask(at.q, weight=2.0),
    "own, protocol": lambda at, rng, away: HeightTask(float(at.position()[2])),
}
SEARCHED = {name: case.make for name, case in TASKS.items()} | OWN_TASKS


@pytest.mark.parametrize("kind", SEARCHED)
@pytest.mark.parametrize("seed", range(8))
def test_a_search_meets_every_task_that_it_accepts(kind: str, seed: int) -> None:
    at, rng = setting(seed)
    task = SEARCHED[kind](at, rng, 0.0)
    solution = Searcher(at.model, [task], tolerance=1e-6).solve()
    error = np.linalg.norm(weights(task) * task.error(Posture(at.model, solution.q)))
    assert solution.error == pytest.approx(error, rel=1e-6, abs=1e-11)
    assert solution.converged
    assert error <= 1e-6 + 1e-11


@pytest.mark.parametrize("make", OWN_TASKS.values(), ids=OWN_TASKS.keys())
def test_own_tasks_and_ours_are_searched_together(make: Callable[..., Task]) -> None:
    model, rng = load("panda"), np.random.default_rng(4)
    at = Posture(model, random_posture(model, rng))
    tasks: list[Task] = [PointTask(None, at.position()), make(at, rng, 0.0)]
    searcher = Searcher(model, tasks)
    first, again = searcher.solve(), searcher.solve()
    assert first.converged
    np.testing.assert_array_equal(first.q, again.q)
    for task in tasks:
        np.testing.assert_allclose(task.error(Posture(model, first.q)), 0.0, atol=2e-6)


def test_a_search_with_an_own_task_out_of_reach_ends_nearest_to_it() -> None:
    model = load("panda")
    highest = solve(model, PointTask(None, np.array([0.0, 0.0, 9.0]), "z"), restarts=20)
    solution = solve(model, HeightTask(9.0, weight=1.0), restarts=20)
    assert not solution.converged
    assert solution.restarts == 20
    assert solution.error <= highest.error + 1e-6
    assert (solution.q >= model.lower).all() and (solution.q <= model.upper).all()


@pytest.mark.parametrize("task", [HeightTask(0.5), PostureTask(np.zeros(7))], ids=repr)
def test_a_first_task_without_a_target_pose_cannot_be_moved(task: Task) -> None:
    searcher = Searcher(load("panda"), [task])
    with pytest.raises(ValueError, match="no target pose"):
        searcher.solve(Pose())


def test_targets_of_a_batch_may_come_with_an_own_task() -> None:
    model = load("panda")
    low = Posture(model, np.array([0.1, 0.9, 0.3, -1.5, 0.1, 1.2, 0.3])).position()
    searcher = Searcher(model, [PointTask(None, np.zeros(3), "xy"), HeightTask(float(low[2]))])
    targets = np.array([[*np.eye(3).ravel(), *(low + shift)] for shift in np.eye(3) / 20])
    q, error, _ = searcher.solve_rows(targets, model.neutral, seed=1)
    assert (error <= 1e-6).all()
    for row, target in zip(q, targets, strict=True):
        np.testing.assert_allclose(
            Posture(model, row).position(), [target[9], target[10], low[2]], atol=2e-6
        )
