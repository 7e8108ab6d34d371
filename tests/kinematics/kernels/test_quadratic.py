"""Methods under inequalities: every answer is the optimum, checked against independent solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear, nnls
from support.random_trees import make_random_tree, random_posture

from robotix.geometry import Array
from robotix.kinematics import (
    ComTask,
    Damping,
    Limits,
    PointTask,
    Posture,
    PostureTask,
    Solver,
    Task,
)
from robotix.model import Model
from robotix.model.robots import load

K = 0.03
CONSTANT = Damping(K, "constant", reach=0.0)
Rng = np.random.Generator


def stack(tasks: Sequence[Task], posture: Posture) -> tuple[Array, Array]:
    """Return Jacobian and velocity of tasks, scaled by their weights."""
    roots = [np.sqrt(task.weight) for task in tasks]
    J = [r * task.jacobian(posture) for r, task in zip(roots, tasks, strict=True)]
    v = [r * task.gain * task.error(posture) for r, task in zip(roots, tasks, strict=True)]
    return np.concatenate(J), np.concatenate(v)


def box_of(limits: Limits, q: Array, dt: float) -> tuple[Array, Array]:
    """Velocities that keep position and rate limits for one tick."""
    rate = np.minimum(limits.velocity, 0.5 / dt)
    low = np.maximum((limits.lower - q) / dt, -rate)
    return np.minimum(low, rate), np.maximum(np.minimum((limits.upper - q) / dt, rate), -rate)


def some_tasks(model: Model, rng: Rng, priorities: tuple[int, int, int] = (0, 0, 0)) -> list[Task]:
    body = model.bodies[rng.integers(len(model.bodies))].name
    a, b, c = priorities
    gain = float(np.exp(rng.uniform(0, 4)))
    return [
        PointTask(None, 2 * rng.normal(size=3), gain=gain, priority=a),
        PointTask(body, 2 * rng.normal(size=3), "xz", gain=gain, weight=0.5, priority=b),
        PostureTask(rng.normal(size=model.n_dof), gain=gain, weight=0.05, priority=c),
    ]


def some_model(seed: int, rng: Rng) -> Model:
    if seed % 2:
        return make_random_tree(rng, most=10)
    return load(["panda", "vishard10", "scara", "kuka_lwr_rail"][seed // 2 % 4])


def assert_optimal(
    u: Array,
    A: Array,
    v: Array,
    *,
    box: tuple[Array, Array],
    normals: Array,
    bounds: Array,
    above: Array | None = None,
) -> None:
    """Check the conditions of Karush, Kuhn and Tucker for min ‖Au − v‖² + K²‖u‖².

    The slope must be a sum of active normals with positive factors, and of rows `above` with any.
    """
    low, high = box
    size = max(1.0, float(abs(u).max()))
    assert (u >= low - 1e-9 * size).all() and (u <= high + 1e-9 * size).all()
    assert (normals @ u >= bounds - 1e-8 * size).all()
    slope = A.T @ (A @ u - v) + K**2 * u
    near = 1e-7 * size
    pushes = [np.eye(len(u))[u <= low + near], -np.eye(len(u))[u >= high - near]]
    pushes.append(normals[normals @ u <= bounds + near])
    cone = np.concatenate(pushes).T
    if above is not None:
        free = np.eye(len(u)) - np.linalg.pinv(above, rcond=1e-6) @ above
        cone, slope = free @ cone, free @ slope
    left = nnls(cone, slope)[1] if cone.size else float(np.linalg.norm(slope))
    assert left < 1e-6 * max(1.0, float(np.linalg.norm(A.T @ v)))


def nothing(n: int) -> tuple[Array, Array]:
    return np.zeros((0, n)), np.zeros(0)


# -- bounds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dls", "qp"])
@pytest.mark.parametrize("seed", range(60))
def test_one_level_under_joint_limits_is_the_bounded_least_squares(method: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = some_model(seed, rng)
    limits, dt = Limits.of(model), 0.02
    solver = Solver(model, tasks := some_tasks(model, rng), dt=dt, method=method,
                    damping=CONSTANT)  # fmt: skip
    for _ in range(5):
        q = random_posture(model, rng)
        at = rng.random(model.n_dof) < 0.3  # some joints start at a limit
        q = np.where(at & np.isfinite(limits.upper), limits.upper, q)
        step = solver.step(q)
        A, v = stack(tasks, Posture(model, q))
        low, high = box_of(limits, q, dt)
        moves = high > low  # lsq_linear wants room between its bounds
        held = v - A[:, ~moves] @ low[~moves]
        n = int(moves.sum())
        padded = np.concatenate([A[:, moves], K * np.eye(n)])
        best = lsq_linear(
            padded, np.concatenate([held, np.zeros(n)]), (low[moves], high[moves]), method="bvls",
            tol=1e-14, max_iter=500,
        ).x  # fmt: skip
        scale = max(1.0, float(abs(best).max(initial=0.0)))
        np.testing.assert_allclose(step.dq[moves], best, atol=1e-7 * scale)
        assert step.status == "solved"
        touched = (step.dq <= low + 1e-12) | (step.dq >= high - 1e-12)
        assert step.n_active == pytest.approx(touched.sum(), abs=1)


# -- inequalities ---------------------------------------------------------------------------


def some_inequalities(rng: Rng, n: int, inside: Array) -> tuple[Array, Array]:
    """Return half-spaces that all hold at one point inside the box."""
    count = int(rng.integers(1, 2 * n + 2))
    normals = rng.normal(size=(count, n))
    normals[rng.random(count) < 0.2] *= 1e-3
    return normals, normals @ inside - rng.exponential(0.5, count) * (rng.random(count) < 0.8)


@pytest.mark.parametrize("method", ["dls", "strict", "qp"])
@pytest.mark.parametrize("seed", range(60))
def test_one_level_under_inequalities_is_optimal(method: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = some_model(seed, rng)
    n, dt = model.n_dof, 0.02
    solver = Solver(model, tasks := some_tasks(model, rng), dt=dt, method=method,
                    damping=CONSTANT, max_inequalities=2 * n + 2)  # fmt: skip
    for _ in range(5):
        q = random_posture(model, rng)
        box = box_of(Limits.of(model), q, dt)
        normals, bounds = some_inequalities(rng, n, rng.uniform(*box))
        solver.set_inequalities(normals, bounds)
        step = solver.step(q)
        assert step.status == "solved"
        A, v = stack(tasks, Posture(model, q))
        assert_optimal(step.dq, A, v, box=box, normals=normals, bounds=bounds)


@pytest.mark.parametrize("method", ["strict", "qp"])
@pytest.mark.parametrize("seed", range(60))
def test_levels_under_inequalities_are_optimal_one_after_the_other(method: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = some_model(seed, rng)
    n, dt = model.n_dof, 0.02
    tasks = some_tasks(model, rng, (0, 1, 2))
    options: dict[str, Any] = {
        "dt": dt, "method": method, "damping": CONSTANT,
        "max_inequalities": 2 * n + 2,
    }  # fmt: skip
    for _ in range(3):
        q = random_posture(model, rng)
        posture = Posture(model, q)
        box = box_of(Limits.of(model), q, dt)
        normals, bounds = some_inequalities(rng, n, rng.uniform(*box)) if seed % 3 else nothing(n)
        before: Array | None = None
        for count in (1, 2, 3):
            solver = Solver(model, tasks[:count], **options)
            solver.set_inequalities(normals, bounds)
            step = solver.step(q)
            assert step.status == "solved"
            A, v = stack(tasks[count - 1 : count], posture)
            above = stack(tasks[: count - 1], posture)[0] if count > 1 else None
            assert_optimal(step.dq, A, v, box=box, normals=normals, bounds=bounds, above=above)
            if above is not None and before is not None:  # what the levels above reached
                kept = above @ before
                np.testing.assert_allclose(
                    above @ step.dq, kept, atol=2e-6 * max(1.0, float(abs(kept).max()))
                )
            before = step.dq


@pytest.mark.parametrize("method", ["dls", "nested", "strict", "qp"])
@pytest.mark.parametrize("seed", range(40))
def test_inequalities_and_limits_are_kept_with_a_wish(method: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = some_model(seed, rng)
    n, dt = model.n_dof, 0.02
    desired = 10 * rng.normal(size=n)
    solver = Solver(model, some_tasks(model, rng, (0, 1, 2)), dt=dt, method=method,
                    max_inequalities=3, criterion=lambda _: desired)  # fmt: skip
    for _ in range(5):
        q = random_posture(model, rng)
        low, high = box_of(Limits.of(model), q, dt)
        normals = rng.normal(size=(2, n))
        bounds = normals @ rng.uniform(low, high) - rng.exponential(1.0, 2)
        solver.set_inequalities(normals, bounds)
        step = solver.step(q)
        assert (step.dq >= low - 1e-9).all() and (step.dq <= high + 1e-9).all()
        assert (normals @ step.dq >= bounds - 1e-8).all()
        assert step.status == "solved"


# -- what cannot hold -----------------------------------------------------------------------


def gantry() -> Model:
    from robotix.model import Body, Joint

    axes = np.eye(3)
    bodies: list[Body] = []
    for name, axis in zip("xyz", axes, strict=True):
        parent = bodies[-1].name if bodies else None
        bodies.append(Body(name, Joint(f"slide {name}", "prismatic", axis, velocity=10.0), parent))
    return Model("gantry", tuple(bodies))


@pytest.mark.parametrize("method", ["dls", "strict", "qp"])
def test_inequalities_that_exclude_each_other_are_met_half_way(method: Any) -> None:
    model = gantry()
    solver = Solver(model, [PointTask(None, np.array([1.0, 1.0, 1.0]), gain=1.0)], dt=0.01,
                    method=method, max_inequalities=4)  # fmt: skip
    squeeze = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    solver.set_inequalities(squeeze, [1.0, 1.0])
    step = solver.step(np.zeros(3))
    assert step.status == "relaxed"
    np.testing.assert_allclose(step.dq, [0.0, 1.0, 1.0], atol=1e-2)
    # one that is far from being broken must not spoil the compromise
    solver.set_inequalities([*squeeze, [1.0, 0, 0], [0, -1.0, 0]], [1.0, 1.0, -9.0, -0.5])
    step = solver.step(np.zeros(3))
    assert step.status == "relaxed"
    np.testing.assert_allclose(step.dq, [0.0, 0.5, 1.0], atol=1e-2)


@pytest.mark.parametrize("method", ["dls", "nested", "strict", "qp"])
def test_an_inequality_beyond_the_joint_limits_is_met_as_far_as_they_allow(method: Any) -> None:
    model = gantry()
    solver = Solver(model, [PointTask(None, np.zeros(3), gain=1.0)], dt=0.01, method=method,
                    max_inequalities=1)  # fmt: skip
    solver.set_inequalities([[1.0, 0, 0]], [25.0])
    step = solver.step(np.zeros(3))
    assert step.status == "relaxed"
    np.testing.assert_allclose(step.dq, [10.0, 0.0, 0.0], atol=1e-6)


def test_too_many_inequalities_are_refused() -> None:
    model = gantry()
    solver = Solver(model, [ComTask(np.zeros(3))], dt=0.01, max_inequalities=1)
    with pytest.raises(ValueError, match="max_inequalities"):
        solver.set_inequalities(np.eye(3), np.zeros(3))


@pytest.mark.parametrize("method", ["dls", "nested", "strict", "qp"])
def test_inequalities_that_are_not_finite_are_bad_input_until_replaced(method: Any) -> None:
    model = gantry()
    solver = Solver(model, [PointTask(None, np.ones(3), gain=1.0)], dt=0.01, method=method,
                    max_inequalities=3)  # fmt: skip
    solver.set_inequalities(np.full((2, 3), np.nan), [0.0, np.nan])
    assert solver.step(np.zeros(3)).status == "bad input"
    solver.set_inequalities(np.zeros((0, 3)), np.zeros(0))
    step = solver.step(np.zeros(3))
    assert step.status == "solved"
    np.testing.assert_allclose(step.dq, 1.0, atol=1e-2)
