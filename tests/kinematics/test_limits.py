"""Joint limits hold in closed loop, whatever the target does."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.random_trees import make_random_tree, random_posture

from robotix.geometry import Array, Pose
from robotix.kinematics import Damping, Limits, PointTask, PoseTask, Posture, PostureTask, Solver
from robotix.model import Body, Joint, Model
from robotix.model.robots import load

METHODS = ("dls", "nested", "strict", "qp")
EDGE = 1e-9
Rng = np.random.Generator


def braking_distance(speed: Array, acceleration: Array, dt: float) -> Array:
    """Return how far joints go on that brake by `acceleration * dt` a tick from now on."""
    ticks = np.ceil(speed / (acceleration * dt)) - 1
    ticks = np.maximum(ticks, 0.0)
    return np.asarray(dt * (ticks * speed - acceleration * dt * ticks * (ticks + 1) / 2))


def assert_kept(solver: Solver, limits: Limits, before: Array) -> None:
    """Check position, rate and acceleration, and that every joint can still stop in time."""
    q, dq, dt = solver.q, solver.dq, solver.dt
    assert (q >= limits.lower - EDGE).all() and (q <= limits.upper + EDGE).all()
    assert (abs(dq) <= np.minimum(limits.velocity, 0.5 / dt) + EDGE).all()
    braked = np.isfinite(limits.acceleration)
    most = limits.acceleration[braked]
    assert (abs(dq - before)[braked] <= most * dt * (1 + 1e-9) + EDGE).all()
    for room, speed in ((limits.upper - q, dq), (q - limits.lower, -dq)):
        need = braking_distance(np.maximum(speed[braked], 0), most, dt)
        assert (need <= room[braked] + 1e-8).all()


def drive_wildly(solver: Solver, limits: Limits, rng: Rng, *, ticks: int) -> None:
    """Throw the target about, and sometimes leave it, while limits are watched."""
    for i in range(ticks):
        if i % 40 == 0:
            solver.positions[:] = rng.normal(size=solver.positions.shape) * rng.choice([0.5, 3.0])
        elif i % 40 < 10:
            solver.positions[:] += 0.1 * rng.normal(size=solver.positions.shape)
        before = solver.dq.copy()
        assert solver.tick() == "solved"
        assert_kept(solver, limits, before)


@pytest.mark.parametrize("name", ["panda", "scara", "kuka_lwr_rail", "vishard10"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("accelerate", [False, True])
def test_wild_targets_break_no_limit(name: str, method: Any, order: Any, accelerate: bool) -> None:
    model, rng = load(name), np.random.default_rng(0)
    limits = replace(
        Limits.of(model), acceleration=np.full(model.n_dof, 8.0 if accelerate else math.inf)
    )
    tasks = [
        PointTask(None, np.ones(3), gain=30.0),
        PointTask(model.bodies[3].name, np.ones(3), "xy", gain=30.0, priority=1),
    ]
    solver = Solver(model, tasks, dt=0.01, method=method, order=order, limits=limits)
    solver.q[:] = random_posture(model, rng)
    drive_wildly(solver, limits, rng, ticks=400)


@pytest.mark.parametrize("seed", range(60))
def test_wild_targets_break_no_limit_of_any_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng)
    limits = Limits.of(model, accelerate=bool(seed % 2))
    method: Any = METHODS[seed % 4]
    dt = float(10 ** rng.uniform(-3, -1))
    tasks = [
        PoseTask("tool", Pose(), gain=1 / dt),
        PointTask(model.bodies[-1].name, np.ones(3), priority=1),
    ]
    desired = rng.normal(size=model.n_dof)
    solver = Solver(
        model, tasks, dt=dt, method=method, limits=limits,
        criterion=(lambda _: desired) if seed % 3 == 0 else None,
    )  # fmt: skip
    solver.q[:] = random_posture(model, rng)
    drive_wildly(solver, limits, rng, ticks=150)


def hinge(**limits: Any) -> Model:
    return Model("hinge", (Body("link", Joint("hinge", "revolute", **limits)),))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("accelerate", [False, True])
def test_a_joint_outside_its_range_comes_back_at_its_rate(
    method: Any, order: Any, accelerate: bool
) -> None:
    model = hinge(lower=-1.0, upper=1.0, velocity=2.0, acceleration=5.0)
    solver = Solver(
        model, [PostureTask(np.array([9.0]))], dt=0.01, method=method, order=order,
        limits=Limits.of(model, accelerate=accelerate),
    )  # fmt: skip
    solver.q[:] = 1.5
    for i in range(25):
        solver.tick()
        assert solver.q[0] == pytest.approx(1.5 - 0.02 * (i + 1))
    for _ in range(300):  # it may have to brake first
        solver.tick()
        assert solver.q[0] <= 1.0 + EDGE
    assert solver.q[0] == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("order", [1, 2])
def test_full_speed_ahead_stops_softly_at_the_limit(order: Any) -> None:
    model = hinge(lower=-1.0, upper=1.0, velocity=2.0, acceleration=5.0)
    limits = Limits.of(model, accelerate=True)
    task = PostureTask(np.array([50.0]), gain=10.0)
    solver = Solver(model, [task], dt=0.01, order=order, limits=limits)
    solver.q[:] = -1.0
    top = 0.0
    for _ in range(400):
        before = solver.dq.copy()
        solver.tick()
        assert_kept(solver, limits, before)
        top = max(top, float(solver.dq[0]))
    assert top == pytest.approx(2.0, abs=0.06)  # it does use what it has
    assert solver.q[0] == pytest.approx(1.0, abs=1e-3)
    assert abs(solver.dq[0]) < 1e-2


def test_a_reversed_target_brakes_before_it_turns() -> None:
    model = hinge(velocity=3.0, acceleration=4.0)
    limits = Limits.of(model, accelerate=True)
    solver = Solver(model, [PostureTask(np.array([5.0]))], dt=0.01, limits=limits)
    speeds = []
    for i in range(200):
        if i == 100:
            solver.replace(0, PostureTask(np.array([-5.0])))
        solver.tick()
        speeds.append(float(solver.dq[0]))
    steps = np.diff(speeds)
    assert (abs(steps) <= 0.04 + EDGE).all()
    np.testing.assert_allclose(steps[100:170], -0.04, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_locked_joints_stand_still(method: Any) -> None:
    model = load("panda")
    lower, upper, velocity = np.array(model.lower), np.array(model.upper), np.array(model.velocity)
    q = random_posture(model, np.random.default_rng(1))
    lower[2] = upper[2] = q[2]
    velocity[4] = 0.0
    limits = Limits(lower, upper, velocity, np.full(7, np.inf))
    solver = Solver(model, [PointTask(None, np.ones(3))], dt=0.01, method=method, limits=limits)
    solver.q[:] = q
    for _ in range(50):
        assert solver.tick() == "solved"
    assert solver.q[2] == q[2]
    assert solver.q[4] == q[4]
    assert not np.allclose(solver.q, q)


def test_limits_can_change_while_running() -> None:
    model = hinge(lower=-3.0, upper=3.0, velocity=2.0)
    solver = Solver(model, [PostureTask(np.array([2.5]))], dt=0.01)
    for _ in range(300):
        solver.tick()
    assert solver.q[0] == pytest.approx(2.5, abs=1e-6)
    tight = Limits(np.array([-1.0]), np.array([1.0]), np.array([0.5]), np.array([np.inf]))
    solver.set_limits(tight)
    solver.tick()
    assert solver.dq[0] == pytest.approx(-0.5)
    for _ in range(400):
        solver.tick()
    assert solver.q[0] == pytest.approx(1.0)


def test_a_joint_without_a_rate_limit_still_makes_small_steps() -> None:
    model = hinge()
    step = Solver(model, [PostureTask(np.array([100.0]), gain=1e4)], dt=0.1).step([0.0])
    assert step.q[0] == pytest.approx(0.5)


def test_the_answer_under_limits_is_better_than_a_clamped_one() -> None:
    """Joints that can still move take over from those at their limits."""
    model, rng, wins = load("panda"), np.random.default_rng(2), 0
    task, damping = PointTask(None, np.zeros(3), gain=20.0), Damping(reach=0.0)
    solver = Solver(model, [task], dt=0.01, damping=damping)
    free = Solver(model, [task], dt=0.01, damping=damping, limits=Limits.none(model))
    for _ in range(100):
        q = random_posture(model, rng)
        goal = Posture(model, q).position() + 0.3 * rng.normal(size=3)
        solver.positions[0] = free.positions[0] = goal
        low = np.maximum((model.lower - q) / 0.01, -model.velocity)
        high = np.minimum((model.upper - q) / 0.01, model.velocity)
        clamped = np.clip(free.step(q).dq, low, high)
        step, J = solver.step(q), Posture(model, q).jacobian()[:3]
        v = 20.0 * (goal - Posture(model, q).position())
        ours, theirs = np.linalg.norm(J @ step.dq - v), np.linalg.norm(J @ clamped - v)
        assert ours <= theirs * (1 + 1e-2) + 1e-3
        wins += ours < 0.9 * theirs
    assert wins > 20


# -- refusals -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"lower": [1.0], "upper": [0.0]},
        {"lower": [math.nan]},
        {"velocity": [-1.0]},
        {"acceleration": [0.0]},
        {"velocity": [1.0, 1.0]},
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, list[float]]) -> None:
    right = {"lower": [-1.0], "upper": [1.0], "velocity": [1.0], "acceleration": [1.0]}
    values = {name: np.array(value) for name, value in {**right, **wrong}.items()}
    with pytest.raises(ValueError):
        Limits(**values)


def test_limits_of_another_robot_are_refused() -> None:
    with pytest.raises(ValueError, match="7 joints"):
        Solver(load("panda"), [], dt=0.01, limits=Limits.of(load("ur5")))
