"""Nothing that can be asked for breaks the loop: no NaN, no broken limit, no exception."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from random_trees import make_random_tree, random_posture

from robotix.geometry import Array, Pose, exp_rotation
from robotix.kinematics import (
    ComTask,
    Damping,
    Limits,
    PointTask,
    PoseTask,
    Posture,
    PostureTask,
    RelativeTask,
    Searcher,
    SlidingPointTask,
    Solver,
    Task,
)
from robotix.kinematics.arena import Block
from robotix.model import Model
from robotix.model.robots import load, robot_names

METHODS = ("dls", "nested", "strict", "qp")
LAWS = ("seed", "constant", "smallest")
EDGE = 1e-9
ABSURD = 1e11  # m/s: beyond this, rounding may leave nothing of the other numbers
TARGETS = 100_000
TREES = 10_000
Rng = np.random.Generator


def random_start(model: Model, rng: Rng) -> Array:
    """Return a posture inside, at limits, or all at zero, where many arms are singular."""
    inside = random_posture(model, rng)
    kind = rng.integers(4)
    if kind == 0:
        return np.array(model.neutral)
    if kind == 1:  # every joint at a limit
        ends = np.where(rng.random(model.n_dof) < 0.5, model.lower, model.upper)
        return np.where(np.isfinite(ends), ends, inside)
    return inside


def random_target(model: Model, rng: Rng) -> Pose:
    """Return a pose that is reachable, singular, at limits, just out of reach, or absurdly far."""
    pose = Posture(model, random_start(model, rng)).pose()
    kind = rng.integers(6)
    if kind == 0:
        return Pose(exp_rotation(rng.normal(size=3)), 3.0 * rng.normal(size=3))
    if kind == 1:
        return Pose(pose.rotation, pose.translation * 10.0 ** rng.uniform(0, 12))
    if kind == 2:  # half a turn away
        return Pose(exp_rotation([0.0, math.pi, 0.0]) @ pose.rotation, pose.translation)
    return pose


def random_gain(rng: Rng) -> float:
    return float(10 ** rng.uniform(-3, 4))


def random_dt(rng: Rng) -> float:
    return float(10 ** rng.uniform(-4, 0))


class Watch:
    """Collects what a solver did, and checks it all at once."""

    def __init__(self, solver: Solver, count: int) -> None:
        self.solver, self.limits = solver, Limits.of(solver.model)
        self.q = np.empty((count, solver.model.n_dof))
        self.dq = np.empty_like(self.q)
        self.count = 0

    def tick(self) -> None:
        status = self.solver.tick()
        wished = float(abs(self.solver.arena.flat(Block.VELOCITY)).max(initial=0.0))
        assert status == "solved" or (status == "stuck" and wished > ABSURD)
        self.q[self.count], self.dq[self.count] = self.solver.q, self.solver.dq
        self.count += 1

    def check(self) -> None:
        q, dq = self.q[: self.count], self.dq[: self.count]
        assert np.isfinite(q).all() and np.isfinite(dq).all()
        assert (q >= self.limits.lower - EDGE).all() and (q <= self.limits.upper + EDGE).all()
        most = np.minimum(self.limits.velocity, 0.5 / self.solver.dt)
        assert (abs(dq) <= most * (1 + 1e-12) + EDGE).all()


def random_solver(model: Model, tasks: list[Task], rng: Rng, method: Any) -> Solver:
    law: Any = LAWS[rng.integers(3)]
    wish = rng.normal(size=model.n_dof) * 10 ** rng.uniform(-2, 3)
    return Solver(
        model,
        tasks,
        dt=random_dt(rng),
        method=method,
        order=1 if rng.random() < 0.6 else 2,
        damping=Damping(float(10 ** rng.uniform(-6, 1)), law),
        weights=10 ** rng.uniform(-2, 2, model.n_dof) if rng.random() < 0.5 else None,
        criterion=(lambda _: wish) if rng.random() < 0.1 else None,
    )


@pytest.mark.parametrize("name", robot_names())
@pytest.mark.parametrize("method", METHODS)
def test_a_hundred_thousand_targets(name: str, method: Any) -> None:
    model, rng = load(name), np.random.default_rng(0)
    share, batch = TARGETS // (len(METHODS) * len(robot_names())), 60
    for _ in range(share // batch + 1):
        gain, body = random_gain(rng), model.bodies[2].name
        tasks: list[Task] = [
            PoseTask(None, Pose(), gain=gain),
            PointTask(body, np.zeros(3), "xz", gain=gain, priority=1),
            PostureTask(random_posture(model, rng), gain=gain, priority=2, weight=1e-2),
        ]
        solver = random_solver(model, tasks[: rng.integers(1, 4)], rng, method)
        watch = Watch(solver, batch)
        for i in range(batch):
            if i % 6 == 0:
                solver.q[:], solver.dq[:] = random_start(model, rng), 0.0
            goal = random_target(model, rng)
            solver.positions[:], solver.rotations[0] = goal.translation, goal.rotation
            watch.tick()
        watch.check()


def random_tasks(model: Model, rng: Rng) -> list[Task]:
    bodies = [body.name for body in model.bodies]
    point, base = bodies[rng.integers(len(bodies))], bodies[rng.integers(len(bodies))]
    pose = Pose(exp_rotation(rng.normal(size=3)), rng.normal(size=3))
    some: list[Task] = [
        PoseTask("tool", pose, gain=random_gain(rng)),
        PointTask(point, rng.normal(size=3), "yz", gain=random_gain(rng), priority=1),
        ComTask(rng.normal(size=3), gain=random_gain(rng)),
        RelativeTask(point, base, pose, gain=random_gain(rng), priority=2),
        PostureTask(random_posture(model, rng), gain=random_gain(rng), priority=1),
        SlidingPointTask(None, 0.3, rng.normal(size=3), 0.1, gain=random_gain(rng)),
    ]
    return [some[i] for i in rng.choice(len(some), int(rng.integers(1, 4)), replace=False)]


@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_trees(part: int) -> None:
    rng = np.random.default_rng(part)
    for i in range(TREES // 20):
        model = make_random_tree(rng, most=5)
        solver = random_solver(model, random_tasks(model, rng), rng, METHODS[i % 4])
        watch = Watch(solver, 3)
        solver.q[:] = random_start(model, rng)
        for _ in range(3):
            watch.tick()
        watch.check()


@pytest.mark.parametrize("seed", range(100))
def test_a_search_says_truly_whether_it_converged(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng, most=8) if seed % 2 else load(robot_names()[seed // 2 % 11])
    tip = [PoseTask(None, random_target(model, rng), weight=float(rng.uniform(0.1, 4)))]
    tasks: list[Task] = (
        [*tip, *random_tasks(model, rng)] if seed % 4 == 1 and "tool" in model.points else [*tip]
    )
    tolerance = float(10 ** rng.uniform(-9, -1))
    solution = Searcher(model, tasks, tolerance=tolerance, restarts=3).solve(
        q0=random_start(model, rng)
    )
    assert (solution.q >= model.lower).all() and (solution.q <= model.upper).all()
    posture = Posture(model, solution.q)
    error = math.sqrt(sum(task.weight * float(np.sum(task.error(posture) ** 2)) for task in tasks))
    assert solution.error == pytest.approx(error, rel=1e-6, abs=1e-9)
    assert solution.converged == (solution.error <= tolerance)
