"""Nothing that can be asked for breaks the loop: no NaN, no broken limit, no exception."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.library_arms import ARMS
from support.random_trees import make_random_tree, random_posture

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
from robotix.kinematics.batch import forward_batch
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.model import Model
from robotix.model.robots import load

METHODS = ("dls", "nested", "strict", "qp")
LAWS = ("adaptive", "constant", "smallest")
EDGE = 1e-9
ABSURD = 1e6  # m/s or m/s²: beyond this, rounding may leave little of the other numbers
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


def random_targets(model: Model, rng: Rng, count: int) -> tuple[Array, Array]:
    """Return places and rotations: reachable, singular, at limits, out of reach, absurdly far."""
    places, turns = forward_batch(model, [random_start(model, rng) for _ in range(count)])
    kinds = rng.integers(6, size=count)
    anywhere, far, turned = kinds == 0, kinds == 1, kinds == 2
    places[anywhere] = 3.0 * rng.normal(size=(int(anywhere.sum()), 3))
    places[far] *= 10.0 ** rng.uniform(0, 12, (int(far.sum()), 1))
    turns[turned] = np.diag([-1.0, 1.0, -1.0]) @ turns[turned]  # half a turn away
    return places, turns


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
        requested = float(abs(self.solver.arena.flat(FloatBlock.VELOCITY)).max(initial=0.0))
        assert status == "solved" or (status == "stuck" and requested > ABSURD)
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
    desired = rng.normal(size=model.n_dof) * 10 ** rng.uniform(-2, 3)
    return Solver(
        model,
        tasks,
        dt=random_dt(rng),
        method=method,
        order=1 if rng.random() < 0.6 else 2,
        damping=Damping(float(10 ** rng.uniform(-6, 1)), law),
        weights=10 ** rng.uniform(-2, 2, model.n_dof) if rng.random() < 0.5 else None,
        criterion=(lambda _: desired) if rng.random() < 0.1 else None,
    )


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("method", METHODS)
def test_a_hundred_thousand_targets(name: str, method: Any) -> None:
    model, rng = load(name), np.random.default_rng(0)
    share, batch = TARGETS // (len(METHODS) * len(ARMS)), 60
    for _ in range(share // batch + 1):
        gain, body = random_gain(rng), model.bodies[2].name
        tasks: list[Task] = [
            PoseTask(None, Pose(), gain=gain),
            PointTask(body, np.zeros(3), "xz", gain=gain, priority=1),
            PostureTask(random_posture(model, rng), gain=gain, priority=2, weight=1e-2),
        ]
        solver = random_solver(model, tasks[: rng.integers(1, 4)], rng, method)
        watch = Watch(solver, batch)
        for i, (place, turn) in enumerate(zip(*random_targets(model, rng, batch), strict=True)):
            if i % 6 == 0:
                solver.q[:], solver.dq[:] = random_start(model, rng), 0.0
            solver.positions[:], solver.rotations[0] = place, turn
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
    is_tree = seed % 2 == 1
    model = make_random_tree(rng, most=8) if is_tree else load(ARMS[seed // 2 % len(ARMS)])
    (place,), (turn,) = random_targets(model, rng, 1)
    tasks: list[Task] = [PoseTask(None, Pose(turn, place), weight=float(rng.uniform(0.1, 4)))]
    if is_tree and seed % 4 == 1:
        tasks += random_tasks(model, rng)
    tolerance = float(10 ** rng.uniform(-9, -1))
    searcher = Searcher(model, tasks, tolerance=tolerance, restarts=3)
    solution = searcher.solve(q0=random_start(model, rng))
    assert (solution.q >= model.lower).all() and (solution.q <= model.upper).all()
    posture = Posture(model, solution.q)
    error = math.sqrt(sum(task.weight * float(np.sum(task.error(posture) ** 2)) for task in tasks))
    assert solution.error == pytest.approx(error, rel=1e-6, abs=1e-9)
    assert solution.converged == (error <= tolerance) or error == pytest.approx(tolerance, rel=1e-6)
