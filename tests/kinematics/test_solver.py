"""What the methods claim, against the textbook's formulas in NumPy."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.random_trees import make_random_tree, random_posture

from robotix.geometry import Array, Pose
from robotix.kinematics import (
    ComTask,
    Damping,
    Limits,
    OrientationTask,
    PointTask,
    PoseTask,
    Posture,
    PostureTask,
    Solver,
    Task,
)
from robotix.kinematics.kernels import tick
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.model import Model
from robotix.model.robots import load

ROBOTS = ("panda", "kuka_lwr_rail", "vishard10", "scara")
DT = 1e-4  # so short that no rate bound is met
TINY = Damping(0.0, "constant", reach=0.0)  # the least that keeps a matrix factorisable
Rng = np.random.Generator


def solver_for(model: Model, tasks: Sequence[Task], **options: Any) -> Solver:
    return Solver(model, tasks, dt=DT, limits=Limits.none(model), **options)


def some_tasks(model: Model, rng: Rng, priorities: Sequence[int]) -> list[Task]:
    """Return a point, an orientation about an axis and a partial point on a link half-way, …"""
    middle = model.bodies[len(model.bodies) // 2 + 1].name
    w1, w2, w3 = rng.uniform(0.5, 2.0, 3).tolist()
    p1, p2, p3 = priorities
    target = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    target *= np.linalg.det(target)
    return [
        PointTask(None, rng.normal(size=3), "xy", gain=2.0, weight=w1, priority=p1),
        OrientationTask(None, target, "z", gain=2.0, weight=w2, priority=p2),
        PointTask(middle, rng.normal(size=3), "xy", gain=2.0, weight=w3, priority=p3),
    ]


def stack(tasks: Sequence[Task], posture: Posture) -> tuple[Array, Array]:
    """Return the augmented Jacobian and velocity, scaled by the task weights."""
    roots = [np.sqrt(task.weight) for task in tasks]
    J = [r * task.jacobian(posture) for r, task in zip(roots, tasks, strict=True)]
    v = [r * task.gain * task.error(posture) for r, task in zip(roots, tasks, strict=True)]
    return np.concatenate(J), np.concatenate(v)


def regular_posture(model: Model, tasks: Sequence[Task], rng: Rng) -> Posture:
    """Return a posture in which the stacked tasks are well away from singular."""
    for _ in range(1000):
        posture = Posture(model, random_posture(model, rng))
        if np.linalg.svd(stack(tasks, posture)[0])[1][-1] > 0.03:
            return posture
    raise AssertionError("no regular posture found")


# -- dls ------------------------------------------------------------------------------------


def damped(J: Array, v: Array, square: float, weights: Array) -> Array:
    """K5 and K6: W⁻¹ Jᵀ (J W⁻¹ Jᵀ + λ² I)⁻¹ v."""
    eased = J / weights
    return np.asarray(eased.T @ np.linalg.solve(J @ eased.T + square * np.eye(len(J)), v))


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("law", ["adaptive", "constant", "smallest"])
def test_dls_is_the_weighted_damped_inverse_of_the_augmented_jacobian(name: str, law: Any) -> None:
    model, rng = load(name), np.random.default_rng(0)
    damping = Damping(0.3, law, threshold=0.5, reach=0.0)
    for _ in range(30):
        tasks = some_tasks(model, rng, (0, 0, 0))
        weights = rng.uniform(0.2, 5.0, model.n_dof)
        posture = Posture(model, random_posture(model, rng))
        J, v = stack(tasks, posture)
        gram = (J / weights) @ J.T
        smallest = np.linalg.eigvalsh(gram)[0]
        square = {
            "adaptive": (0.3 / (1 + np.linalg.norm(gram))) ** 2,
            "constant": 0.3**2,
            "smallest": 0.3**2 * max(1 - smallest / 0.5**2, 0.0),
        }[law]
        square = max(square, 1e-12 * np.trace(gram) / len(gram))
        step = solver_for(model, tasks, damping=damping, weights=weights).step(posture.q)
        expected = damped(J, v, square, weights)
        near = 1e-2 if law == "smallest" else 1e-8  # its singular value is found by iteration
        np.testing.assert_allclose(step.dq, expected, atol=near * float(np.linalg.norm(expected)))
        assert step.status == "solved"
        error = np.concatenate([np.sqrt(t.weight) * t.error(posture) for t in tasks])
        assert step.residual == pytest.approx(np.linalg.norm(error))


@pytest.mark.parametrize("seed", range(20))
def test_dls_on_trees_with_a_floating_root_and_coupled_joints(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng, floating=True)
    body = model.bodies[-1].name
    tasks: list[Task] = [
        PoseTask("tool", Pose(), gain=1.0),
        PointTask(body, rng.normal(size=3), gain=1.0, weight=2.0),
        ComTask(rng.normal(size=3), "xy", gain=1.0),
        PostureTask(np.zeros(model.n_dof), gain=1.0, weight=0.1),
    ]
    posture = Posture(model, random_posture(model, rng))
    J, v = stack(tasks, posture)
    step = solver_for(model, tasks, damping=Damping(0.05, "constant", reach=0.0)).step(posture.q)
    expected = damped(J, v, 0.05**2, np.ones(model.n_dof))
    np.testing.assert_allclose(step.dq, expected, atol=1e-8 * float(np.linalg.norm(expected)))


def test_heavy_joints_leave_the_motion_to_light_ones() -> None:
    model = load("panda")
    task = PointTask(None, np.array([0.5, 0.2, 0.5]))
    q = np.array([0.1, 0.2, 0.3, -1.5, 0.1, 1.2, 0.3])
    solver = solver_for(model, [task], damping=TINY)
    even = solver.step(q).dq
    solver.set_weights([1e4, 1, 1, 1e4, 1, 1, 1])
    shy = solver.step(q).dq
    assert (abs(shy[[0, 3]]) < 1e-2 * abs(even[[0, 3]])).all()
    J = Posture(model, q).jacobian()[:3]
    np.testing.assert_allclose(J @ shy, J @ even, atol=1e-6 * float(np.linalg.norm(J @ even)))


def test_damping_can_change_while_running() -> None:
    model = load("panda")
    task = PointTask(None, np.array([0.5, 0.2, 0.5]))
    solver = solver_for(model, [task], damping=Damping(1e-6))
    q = np.array([0.1, 0.2, 0.3, -1.5, 0.1, 1.2, 0.3])
    speeds = []
    for k in (1e-6, 0.1, 1.0, 10.0, 1e-6):
        solver.set_damping(Damping(k, "constant"))
        speeds.append(float(np.linalg.norm(solver.step(q).dq)))
    assert speeds[:4] == sorted(speeds[:4], reverse=True)
    assert speeds[4] == speeds[0]
    assert speeds[3] < 0.01 * speeds[0]


# -- criteria -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["panda", "kuka_lwr_rail", "vishard10"])
@pytest.mark.parametrize("method", ["dls", "nested", "strict", "qp"])
def test_a_criterion_never_moves_the_tip_and_gets_all_that_is_left(name: str, method: Any) -> None:
    model, rng = load(name), np.random.default_rng(1)
    for _ in range(20):
        task = PoseTask(None, Pose(translation=rng.normal(size=3)), gain=1.0)
        posture = regular_posture(model, [task], rng)
        desired = rng.normal(size=model.n_dof)
        plain = solver_for(model, [task], method=method).step(posture.q)
        tasty = solver_for(model, [task], method=method, criterion=lambda _, w=desired: w)
        J = posture.jacobian()
        moved = tasty.step(posture.q).dq - plain.dq
        np.testing.assert_allclose(J @ moved, 0, atol=1e-9)
        np.testing.assert_allclose(moved, desired - np.linalg.pinv(J) @ J @ desired, atol=1e-8)


# -- priorities -----------------------------------------------------------------------------


def inverse(J: Array, square: float) -> Array:
    """Return J†, damped unless the square is zero."""
    if square == 0:
        return np.asarray(np.linalg.pinv(J), dtype=float)
    return np.asarray(J.T @ np.linalg.inv(J @ J.T + square * np.eye(len(J))))


def nested_formula(levels: Sequence[tuple[Array, Array]], desired: Array, square: float) -> Array:
    """Equation 3.16: J₁†v₁ + N₁(J₂†v₂ + N₂(J₃†v₃ + N₃ q̇))."""
    out = desired
    for J, v in reversed(levels):
        out = inverse(J, square) @ v + out - np.linalg.pinv(J) @ (J @ out)
    return out


def strict_formula(levels: Sequence[tuple[Array, Array]], desired: Array, square: float) -> Array:
    """Each level in the null space of all above (Siciliano and Slotine 1991)."""
    n = len(desired)
    out, N = np.zeros(n), np.eye(n)
    for J, v in levels:
        out = out + inverse(J @ N, square) @ (v - J @ out)
        N = N - np.linalg.pinv(J @ N) @ (J @ N)
    return out + N @ desired


@pytest.mark.parametrize("name", ["panda", "vishard10", "mitsubishi_pa10_rail"])
@pytest.mark.parametrize(
    ("method", "k"),
    [("nested", 0.0), ("nested", 0.03), ("strict", 0.0), ("strict", 0.03), ("qp", 0.03)],
)
@pytest.mark.parametrize("has_desired", [False, True])
def test_three_levels_are_the_textbooks(
    name: str, method: Any, k: float, has_desired: bool
) -> None:
    model, rng = load(name), np.random.default_rng(2)
    formula = nested_formula if method == "nested" else strict_formula
    for _ in range(20):
        tasks = some_tasks(model, rng, (0, 1, 2))
        posture = regular_posture(model, tasks, rng)
        desired = rng.normal(size=model.n_dof) if has_desired else np.zeros(model.n_dof)
        solver = solver_for(
            model, tasks, method=method, damping=Damping(k, "constant", reach=0.0),
            criterion=(lambda _, w=desired: w) if has_desired else None,
        )  # fmt: skip
        expected = formula([stack([task], posture) for task in tasks], desired, k**2)
        dq = solver.step(posture.q).dq
        np.testing.assert_allclose(dq, expected, atol=1e-8 * float(np.linalg.norm(expected)))


@pytest.mark.parametrize("method", ["nested", "strict", "qp"])
def test_levels_go_by_priority_not_by_order(method: Any) -> None:
    model, rng = load("vishard10"), np.random.default_rng(3)
    tasks = some_tasks(model, rng, (5, 0, 3))
    posture = regular_posture(model, tasks, rng)
    one = solver_for(model, tasks, method=method).step(posture.q).dq
    two = solver_for(model, [tasks[1], tasks[2], tasks[0]], method=method).step(posture.q).dq
    np.testing.assert_allclose(one, two, atol=1e-12 * float(np.linalg.norm(one)))


@pytest.mark.parametrize("name", ["panda", "vishard10", "scara", "planar_3r"])
@pytest.mark.parametrize("method", ["strict", "qp"])
@pytest.mark.parametrize("k", [0.0, 0.02, 0.5])
def test_a_lower_level_never_disturbs_a_higher_one(name: str, method: Any, k: float) -> None:
    model, rng = load(name), np.random.default_rng(4)
    damping = Damping(k)
    for _ in range(20):
        tasks = some_tasks(model, rng, (0, 1, 2))
        clash = PointTask(None, rng.normal(size=3), gain=50.0, priority=3)  # against the first
        posture = regular_posture(model, tasks[:1], rng)
        all_of_them = solver_for(model, [*tasks, clash], method=method, damping=damping)
        dq = all_of_them.step(posture.q).dq
        for count in (1, 2, 3):
            J = stack(tasks[:count], posture)[0]
            if np.linalg.svd(J)[1][-1] < 0.03:
                break  # near a singularity of the levels above
            upper = solver_for(model, tasks[:count], method=method, damping=damping)
            alone = upper.step(posture.q).dq
            np.testing.assert_allclose(J @ dq, J @ alone, atol=1e-9 * max(1, abs(J @ alone).max()))


@pytest.mark.parametrize("method", ["strict", "qp"])
def test_a_level_that_adds_nothing_takes_nothing_from_those_below(method: Any) -> None:
    """What is left of dependent rows is rounding, not a direction."""
    model, rng = load("vishard10"), np.random.default_rng(8)
    for _ in range(20):
        first, last = (
            PointTask(None, rng.normal(size=3)),
            PostureTask(rng.normal(size=10), priority=2),
        )
        fixed = PointTask(model.bodies[0].name, rng.normal(size=3), priority=1)
        again = PointTask(None, rng.normal(size=3), "xz", priority=1)
        q = regular_posture(model, [first], rng).q
        expected = solver_for(model, [first, last], method=method).step(q).dq
        for idle in (fixed, again):
            dq = solver_for(model, [first, idle, last], method=method).step(q).dq
            np.testing.assert_allclose(dq, expected, atol=1e-9 * float(np.linalg.norm(expected)))


def test_nested_protects_the_first_level_only() -> None:
    """As in the nested formula, the third level may disturb the second."""
    model, rng = load("vishard10"), np.random.default_rng(5)
    worst = 0.0
    for _ in range(10):
        tasks = some_tasks(model, rng, (0, 1, 2))
        posture = regular_posture(model, tasks, rng)
        dq = solver_for(model, tasks, method="nested", damping=TINY).step(posture.q).dq
        J, v = stack(tasks[:1], posture)
        np.testing.assert_allclose(J @ dq, v, atol=1e-9 * float(np.linalg.norm(v)))
        J, v = stack(tasks[1:2], posture)
        worst = max(worst, float(np.linalg.norm(J @ dq - v)))
    assert worst > 1e-3


@pytest.mark.parametrize("name", ["kuka_lwr_rail", "kuka_lwr", "panda", "vishard10"])
def test_at_limits_too_nothing_below_disturbs_the_first_level(name: str) -> None:
    """Narrow limits of rates and positions, met in most of these steps."""
    model, rng, active = load(name), np.random.default_rng(11), 0
    for _ in range(60):
        tasks = some_tasks(model, rng, (0, 1, 2))
        below: list[Any] = [dataclasses.replace(task, gain=50.0) for task in tasks[1:]]  # type: ignore[type-var]
        posture = regular_posture(model, tasks[:1], rng)
        options: dict[str, Any] = {"dt": 0.01, "damping": TINY, "method": "nested"}
        step = Solver(model, [tasks[0], *below], **options).step(posture.q)
        alone = Solver(model, tasks[:1], **options).step(posture.q)
        active += step.n_active > 0
        J = tasks[0].jacobian(posture)
        size = max(1.0, float(np.linalg.norm(alone.dq)))
        np.testing.assert_allclose(J @ step.dq, J @ alone.dq, atol=1e-7 * size)
    assert active > 20


def test_nested_is_continuous_where_a_limit_becomes_active() -> None:
    model, rng = load("kuka_lwr"), np.random.default_rng(12)
    tasks = some_tasks(model, rng, (0, 1, 2))
    posture = regular_posture(model, tasks, rng)
    free = solver_for(model, tasks, method="nested", damping=TINY).step(posture.q).dq
    fastest = int(np.argmax(abs(free)))
    for ease, nearly in ((1.0 + 1e-6, 1e-9), (1.0 - 1e-6, 1e-4)):
        rates = np.full(model.n_dof, 1e6)
        rates[fastest] = ease * abs(free[fastest])
        limits = dataclasses.replace(Limits.none(model), velocity=rates)
        bound = Solver(model, tasks, dt=DT, limits=limits, method="nested", damping=TINY)
        np.testing.assert_allclose(
            bound.step(posture.q).dq, free, atol=nearly * float(np.linalg.norm(free))
        )


def test_the_default_law_grows_towards_a_singularity_and_the_original_one_does_not() -> None:
    """K5: ‖JJᵀ‖ is that of the largest singular value, which does not vanish there."""
    model = load("planar_3r")
    elbows = np.radians([90.0, 30.0, 10.0, 3.0, 1.0, 0.0])
    factors: dict[Any, list[float]] = {"adaptive": [], "smallest": []}
    for law, found in factors.items():
        solver = solver_for(
            model, [PointTask(None, np.zeros(3), "xy")], damping=Damping(0.01, law, reach=0.0)
        )
        for elbow in elbows:
            solver.step([0.3, elbow, elbow])
            square = solver.arena.flat(FloatBlock.REPORT)[tick.DAMPING_SQUARED]
            found.append(float(np.sqrt(square)))
    assert max(factors["adaptive"]) < 2.5 * min(factors["adaptive"])
    assert factors["adaptive"][-1] == min(factors["adaptive"])  # least where most is needed
    assert factors["smallest"][0] < 1e-5
    assert factors["smallest"][-1] == pytest.approx(0.01, rel=1e-6)
    assert np.all(np.diff(factors["smallest"]) >= -1e-12)


@pytest.mark.parametrize("method", ["dls", "nested", "strict", "qp"])
def test_in_second_order_what_no_task_controls_comes_to_rest(method: Any) -> None:
    model = load("kuka_lwr")
    q, rest = np.array([0.3, -0.6, 0.1, 1.2, 0.0, 0.8, 0.0]), {}
    target = Posture(model, q).position()
    for decay in (0.0, 2.0):
        solver = Solver(
            model, [PointTask(None, target)], dt=0.005, order=2, method=method,
            damping=Damping(null_space=decay),
        )  # fmt: skip
        J = Posture(model, q).jacobian()[:3]
        solver.q[:] = q
        solver.dq[:] = 0.3 * np.linalg.svd(J)[2][-1]  # along the null space
        for _ in range(400):
            assert solver.tick() == "solved"
        assert np.linalg.norm(Posture(model, solver.q).position() - target) < 2e-3
        rest[decay] = float(np.linalg.norm(solver.dq))
    assert rest[0.0] > 0.1
    assert rest[2.0] < 0.01  # e⁻⁴ of 0.3, and a little for the curvature


def test_dls_puts_priorities_aside() -> None:
    model, rng = load("panda"), np.random.default_rng(6)
    tasks = some_tasks(model, rng, (0, 1, 2))
    q = random_posture(model, rng)
    same = some_tasks(model, np.random.default_rng(6), (0, 0, 0))
    np.testing.assert_allclose(
        solver_for(model, tasks).step(q).dq, solver_for(model, same).step(q).dq, atol=1e-12
    )


@pytest.mark.parametrize("method", ["nested", "strict", "qp"])
def test_one_level_is_dls(method: Any) -> None:
    rng = np.random.default_rng(7)
    for name in ROBOTS:
        model = load(name)
        tasks = some_tasks(model, rng, (0, 0, 0))
        q = random_posture(model, rng)
        expected = solver_for(model, tasks).step(q).dq
        dq = solver_for(model, tasks, method=method).step(q).dq
        np.testing.assert_allclose(dq, expected, atol=1e-7 * float(np.linalg.norm(expected)))
