"""A solver in a loop: tracking, bad input, changes while running, threads."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from support.public_robots import public_urdfs

from robotix.geometry import Array, Pose, exp_rotation
from robotix.kinematics import (
    ComTask,
    Damping,
    Limits,
    OrientationTask,
    PointTask,
    PoseTask,
    Posture,
    PostureTask,
    RelativeTask,
    Solver,
    Task,
    solve_step,
)
from robotix.kinematics.solver import Method
from robotix.model import Body, Joint, Model
from robotix.model.robots import load
from robotix.model.urdf.reader import load_urdf

METHODS: tuple[Method, ...] = ("dls", "nested", "strict", "qp")
BENT = np.array([0.1, 0.2, 0.3, -1.5, 0.1, 1.2, 0.3])  # a Panda away from singularities
EXACT = Damping(1e-5, "constant")


def gantry() -> Model:
    bodies: list[Body] = []
    for name, axis in zip("xyz", np.eye(3), strict=True):
        parent = bodies[-1].name if bodies else None
        bodies.append(Body(name, Joint(f"slide {name}", "prismatic", axis), parent))
    return Model("gantry", tuple(bodies))


def circle(t: float) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of a target on a circle."""
    c, s, w = math.cos(2 * t), math.sin(2 * t), 2.0
    at = np.array([0.45 + 0.1 * c, 0.1 * s, 0.5])
    return at, 0.1 * w * np.array([-s, c, 0.0]), -0.1 * w * w * np.array([c, s, 0.0])


# -- tracking (K4) --------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_first_order_error_decays_as_predicted_and_then_vanishes(method: Any) -> None:
    """On a gantry, e ← (1 − gain·dt) e holds exactly, for a target of constant speed."""
    model, dt, gain = gantry(), 0.01, 20.0
    start, speed = np.array([0.3, -0.2, 0.1]), np.array([0.5, 0.1, -0.2])
    task = PointTask(None, start, velocity=speed, gain=gain)
    solver = Solver(model, [task], dt=dt, method=method, damping=Damping(0.0, reach=0.0))
    for i in range(100):
        error = start + i * dt * speed - solver.q
        np.testing.assert_allclose(error, (1 - gain * dt) ** i * start, atol=1e-9)
        solver.positions[0] = start + i * dt * speed
        solver.tick()
    assert np.linalg.norm(start + 100 * dt * speed - solver.q) < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_an_arm_follows_a_circle_with_feed_forward(method: Any) -> None:
    model, dt = load("panda"), 0.001
    worst = {}
    for feeds in (True, False):
        solver = Solver(model, [PointTask(None, np.zeros(3))], dt=dt, method=method, damping=EXACT)
        solver.q[:] = BENT
        errors = []
        for i in range(1500):
            at, velocity, _ = circle(i * dt)
            task = PointTask(None, at, velocity=velocity if feeds else np.zeros(3), gain=20.0)
            solver.replace(0, task)
            assert solver.tick() == "solved"
            errors.append(
                np.linalg.norm(circle((i + 1) * dt)[0] - Posture(model, solver.q).position())
            )
        worst[feeds] = max(errors[800:])
    assert worst[True] < 3e-5
    assert worst[False] == pytest.approx(0.2 / 20, rel=0.1)  # lags by speed / gain


def decay(t: float, *, gain: float, ratio: float) -> float:
    """Error of a spring and damper released at 1, at rest."""
    if ratio == 1:
        return (1 + gain * t) * math.exp(-gain * t)
    w = gain * math.sqrt(1 - ratio**2)
    return math.exp(-ratio * gain * t) * (math.cos(w * t) + ratio * gain / w * math.sin(w * t))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_second_order_error_decays_like_a_spring_and_damper(method: Any, ratio: float) -> None:
    """K4, second order, on an arm that turns: J̇q̇ must be right for this."""
    model, dt, gain = load("panda"), 1e-4, 15.0
    start = Posture(model, BENT)
    shift = np.array([0.08, -0.06, 0.05])
    task = PointTask(None, start.position() + shift, gain=gain, damping_ratio=ratio)
    solver = Solver(model, [task], dt=dt, order=2, method=method, damping=EXACT,
                    limits=Limits.none(model))  # fmt: skip
    solver.q[:] = BENT
    for i in range(1, 4001):
        solver.tick()
        if i % 500 == 0:
            error = task.error(Posture(model, solver.q))
            expected = decay(i * dt, gain=gain, ratio=ratio) * shift
            np.testing.assert_allclose(error, expected, atol=3e-4)


def test_second_order_tracks_a_circle_with_its_acceleration() -> None:
    model, dt = load("panda"), 1e-3
    at, velocity, _ = circle(0.0)
    solver = Solver(model, [PointTask(None, at)], dt=dt, order=2, damping=EXACT)
    solver.q[:] = BENT
    errors = []
    for i in range(2500):
        at, velocity, acceleration = circle(i * dt)
        solver.replace(
            0, PointTask(None, at, velocity=velocity, acceleration=acceleration, gain=20.0)
        )
        solver.tick()
        errors.append(np.linalg.norm(circle((i + 1) * dt)[0] - Posture(model, solver.q).position()))
    assert max(errors[1500:]) < 5e-5


@pytest.mark.parametrize("name", ["panda", "kuka_lwr", "ur5"])
def test_damped_enough_an_arm_comes_to_rest_at_what_it_cannot_reach(name: str) -> None:
    model = load(name)
    task = PointTask(None, np.array([1.5, 0.8, 0.9]), gain=10.0)
    solver = Solver(model, [task], dt=0.01, damping=Damping(0.3, "constant"))
    solver.q[:] = 0.5
    for _ in range(1500):
        solver.tick()
    assert abs(solver.dq).max() < 1e-3


def test_first_order_turns_the_short_way_even_from_half_a_turn() -> None:
    model = Model("root", (Body("base", Joint("root", "floating")),))
    for angle in (3.0, math.pi - 1e-9, math.pi):
        target = exp_rotation([0.0, angle, 0.0])
        solver = Solver(model, [OrientationTask(None, target, gain=5.0)], dt=0.01)
        for _ in range(400):
            assert solver.tick() == "solved"
            assert np.isfinite(solver.q).all()
        np.testing.assert_allclose(Posture(model, solver.q).pose().rotation, target, atol=1e-6)


# -- bad input ------------------------------------------------------------------------------


def spoil_q(solver: Solver) -> None:
    solver.q[1] = math.nan


def spoil_dq(solver: Solver) -> None:
    solver.dq[1] = math.inf


def spoil_target(solver: Solver) -> None:
    solver.positions[0, 2] = math.nan


def spoil_target_by_infinity(solver: Solver) -> None:
    solver.positions[0, 2] = -math.inf


def spoil_rotation(solver: Solver) -> None:
    solver.rotations[0, 1, 1] = math.nan


@pytest.mark.parametrize(
    "spoil", [spoil_q, spoil_dq, spoil_target, spoil_target_by_infinity, spoil_rotation]
)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("order", [1, 2])
def test_bad_input_moves_nothing_and_the_next_good_tick_recovers(
    spoil: Callable[[Solver], None], method: Any, order: Any
) -> None:
    model, target = load("panda"), Pose(translation=np.array([0.4, 0.1, 0.5]))
    solver = Solver(model, [PoseTask(None, target)], dt=0.01, method=method, order=order)
    solver.q[:] = BENT
    for _ in range(3):
        solver.tick()
    good = solver.q.copy()
    spoil(solver)
    spoilt = solver.q.copy()
    assert solver.tick() == "bad input"
    np.testing.assert_array_equal(solver.q, spoilt)
    np.testing.assert_array_equal(solver.dq, 0.0)
    step = solver.step(solver.q, solver.dq)
    if spoil is not spoil_dq:  # that one has been put right by standing still
        assert step.status == "bad input"
        np.testing.assert_array_equal(step.dq, 0.0)
        assert step.residual == math.inf
    solver.replace(0, PoseTask(None, target))
    solver.q[:] = good
    fresh = Solver(model, [PoseTask(None, target)], dt=0.01, method=method, order=order)
    fresh.q[:] = good
    for _ in range(5):
        assert solver.tick() == fresh.tick() == "solved"
        np.testing.assert_allclose(solver.q, fresh.q, atol=1e-12)
    assert not np.allclose(solver.q, good)


@dataclass(frozen=True)
class HeightTask:
    """A task of one's own: the height of the tip."""

    height: float
    gain: float = 20.0
    weight: float = 1.0
    priority: int = 0
    spoilt: bool = False

    def error(self, posture: Posture) -> Array:
        return np.array([self.height - posture.position()[2]])

    def jacobian(self, posture: Posture) -> Array:
        return posture.jacobian()[2:3] * (math.nan if self.spoilt else 1.0)


@pytest.mark.parametrize("method", METHODS)
def test_a_criterion_or_task_that_gives_nonsense_moves_nothing(method: Any) -> None:
    model, desired = load("panda"), np.full(7, math.nan)
    solver = Solver(model, [PointTask(None, np.ones(3))], dt=0.01, method=method,
                    criterion=lambda _: desired)  # fmt: skip
    assert solver.step(BENT).status == "bad input"
    desired[:] = 1.0
    assert solver.step(BENT).status == "solved"
    for task in (HeightTask(math.nan), HeightTask(0.5, spoilt=True)):
        solver = Solver(model, [task], dt=0.01, method=method)
        step = solver.step(BENT)
        assert step.status == "bad input"
        np.testing.assert_array_equal(step.q, BENT)


@pytest.mark.parametrize(
    "options",
    [{"dt": 0.0}, {"dt": -1.0}, {"dt": math.nan}, {"dt": math.inf}, {"method": "magic"},
     {"order": 3}, {"weights": np.zeros(7)}, {"weights": [1.0, 2.0]}, {"weights": math.nan}],
)  # fmt: skip
def test_wrong_arguments_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Solver(load("panda"), [], **{"dt": 0.01, **options})


@pytest.mark.parametrize(
    "wrong",
    [{"k": -1.0}, {"k": math.nan}, {"reach": -1.0}, {"reach": math.inf}, {"threshold": 0.0},
     {"law": "mine"}],
)  # fmt: skip
def test_damping_that_would_divide_by_zero_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Damping(**wrong)


# -- own tasks, changes while running -------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_task_of_ones_own_works_like_one_of_ours(method: Any) -> None:
    model, other = load("panda"), ComTask(np.array([0.1, 0.1, 0.3]), "xy", priority=1)
    own, ours = HeightTask(0.6), PointTask(None, np.array([0.0, 0.0, 0.6]), "z")
    assert isinstance(own, Task)
    two = [Solver(model, [task, other], dt=0.01, method=method) for task in (own, ours)]
    for solver in two:
        solver.q[:] = BENT
        for _ in range(20):
            assert solver.tick() == "solved"
    np.testing.assert_allclose(two[0].q, two[1].q, atol=1e-10)
    two[0].replace(0, HeightTask(0.3))
    two[1].positions[0] = 0.0, 0.0, 0.3
    for solver in two:
        for _ in range(100):
            solver.tick()
    np.testing.assert_allclose(two[0].q, two[1].q, atol=1e-9)
    assert Posture(model, two[0].q).position()[2] == pytest.approx(0.3, abs=1e-4)


def test_the_same_task_given_twice_is_replaced_once() -> None:
    own = HeightTask(0.6)
    solver = Solver(load("panda"), [own, own], dt=0.01)
    solver.replace(1, HeightTask(0.2))
    assert solver.step(BENT).residual == pytest.approx(
        np.linalg.norm([0.6 - Posture(load("panda"), BENT).position()[2],
                        0.2 - Posture(load("panda"), BENT).position()[2]])
    )  # fmt: skip


def test_second_order_refuses_a_task_without_a_second_order_form() -> None:
    with pytest.raises(ValueError, match="second-order"):
        Solver(load("panda"), [HeightTask(0.5)], dt=0.01, order=2)


def test_a_replaced_task_is_as_good_as_a_new_one() -> None:
    model, rng = load("panda"), np.random.default_rng(0)
    tasks: list[tuple[Task, Task]] = [
        (PointTask(None, np.ones(3)), PointTask("panda_link4", np.zeros(3), gain=3, weight=2)),
        (PoseTask(None, Pose()), PoseTask("panda_link5", Pose(translation=np.ones(3)))),
        (OrientationTask(None, np.eye(3), "xz"),
         OrientationTask("panda_link6", exp_rotation([1, 0, 0]), "xz")),
        (ComTask(np.zeros(3), "xy"), ComTask(np.ones(3), "xy", weight=0.1)),
        (RelativeTask(None, "panda_link2", Pose()),
         RelativeTask("panda_link6", "panda_link1", Pose())),
        (PostureTask(np.zeros(7), np.eye(7)[2]), PostureTask(np.ones(7), 3 * np.eye(7)[2])),
        (PointTask(None, np.ones(3)), PointTask(None, np.ones(3), frame=exp_rotation([0, 1, 0]))),
    ]  # fmt: skip
    for old, new in tasks:
        fixed = PointTask("panda_link3", rng.normal(size=3), "x", priority=1)
        for method in METHODS:
            changed = Solver(model, [old, fixed], dt=0.01, method=method)
            changed.step(BENT)
            changed.replace(0, new)
            fresh = Solver(model, [new, fixed], dt=0.01, method=method).step(BENT)
            np.testing.assert_allclose(changed.step(BENT).dq, fresh.dq, atol=1e-10)


@pytest.mark.parametrize(
    "other",
    [PointTask(None, np.ones(3), "xy"), PointTask(None, np.ones(3), priority=1),
     ComTask(np.ones(3)),
     PostureTask(np.zeros(7)), HeightTask(1.0)],
)  # fmt: skip
def test_a_task_of_another_shape_is_refused_as_a_replacement(other: Task) -> None:
    solver = Solver(load("panda"), [PointTask(None, np.ones(3))], dt=0.01)
    with pytest.raises(ValueError, match="same shape"):
        solver.replace(0, other)


def test_targets_are_moved_in_the_order_the_tasks_were_given() -> None:
    model = load("vishard10")
    low = PoseTask(None, Pose(), priority=2)
    high = PointTask(model.bodies[4].name, np.zeros(3), priority=0)
    solver = Solver(model, [low, high], dt=0.01, method="strict")
    goal = Pose(exp_rotation([0.1, 0.2, 0.3]), np.array([0.3, 0.2, 0.1]))
    solver.positions[:] = goal.translation, [0.1, 0.4, 0.2]
    solver.rotations[0] = goal.rotation
    tasks = [replace(low, target=goal), replace(high, target=np.array([0.1, 0.4, 0.2]))]
    fresh = Solver(model, tasks, dt=0.01, method="strict")
    np.testing.assert_array_equal(solver.step(model.neutral).dq, fresh.step(model.neutral).dq)


def test_one_step_is_the_solvers_step() -> None:
    model, task = load("panda"), PointTask(None, np.array([0.4, 0.1, 0.5]))
    for method in METHODS:
        one = solve_step(Posture(model, BENT), [task], dt=0.01, method=method, damping=EXACT)
        two = Solver(model, [task], dt=0.01, method=method, damping=EXACT).step(BENT)
        np.testing.assert_array_equal(one.q, two.q)
        np.testing.assert_allclose(one.q, BENT + 0.01 * one.dq, atol=1e-15)
        np.testing.assert_allclose(one.ddq, one.dq / 0.01, atol=1e-9)


# -- the same every time --------------------------------------------------------------------


def run_talos(method: Any) -> Array:
    """Walk a humanoid's hands about for a while; return all postures."""
    model = load_urdf(public_urdfs()["talos_data/robots/talos_reduced.urdf"], floating=True)
    hand = "gripper_left_base_link"
    tasks: list[Task] = [
        PoseTask("left_sole_link", Posture(model).pose("left_sole_link")),
        ComTask(Posture(model).com, "xy"),
        PointTask(hand, Posture(model).position(hand), priority=1),
        PostureTask(model.neutral, priority=2),
    ]
    solver = Solver(model, tasks, dt=0.01, method=method)
    out = []
    for i in range(60):
        solver.positions[2] += 0.01 * np.array([math.sin(i), math.cos(i), 0.5])
        assert solver.tick() == "solved"
        out.append(solver.q.copy())
    return np.array(out)


@pytest.mark.parametrize("method", METHODS)
def test_runs_are_the_same_to_the_bit_alone_and_in_threads(method: Any) -> None:
    alone = run_talos(method)
    assert not np.allclose(alone[0], alone[-1], atol=1e-3)
    with ThreadPoolExecutor(3) as pool:
        for result in pool.map(run_talos, [method] * 3):
            np.testing.assert_array_equal(result, alone)
