"""The contract of a task, kept by every kind, in Python and in the compiled rows alike."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from support.task_kinds import TASKS, Case, setting, weights

import robotix.kinematics
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
    SlidingPointTask,
    Solver,
    Task,
    TaskOptions,
    point_along,
)
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.model import Body, ControlPoint, Joint, Model
from robotix.model.robots import load

SEEDS = range(25)


cases = pytest.mark.parametrize("case", TASKS.values(), ids=TASKS.keys())


def sliding(task: Task, posture: Posture) -> Array:
    """Return how fast the controlled point moves by itself: J_d ḋ."""
    if not isinstance(task, SlidingPointTask):
        return np.zeros(len(task.error(posture)))
    point, along = point_along(posture.model, task.distance, tip=task.tip)
    return np.asarray(posture.pose(point).rotation @ along * task.rate)


def later(task: Task, t: float) -> Task:
    """Return the task as it will be: a sliding point has slid on."""
    if isinstance(task, SlidingPointTask):
        return dataclasses.replace(task, distance=task.distance + t * task.rate)
    return task


def rows_of(task: Task, at: Posture, dq: Array, *, order: Any) -> tuple[Array, Array, Array]:
    """Return Jacobian, error and reference as the kernel makes them, the weights taken off."""
    model = at.model
    damping = Damping(reach=0.0, null_space=0.0)
    solver = Solver(model, [task], dt=0.01, order=order, damping=damping, limits=Limits.none(model))
    solver.step(at.q, dq)
    blocks = (
        solver.arena[FloatBlock.A],
        solver.arena.flat(FloatBlock.ERROR),
        solver.arena.flat(FloatBlock.VELOCITY),
    )
    A, e, v = (block.copy() for block in blocks)
    return A / weights(task)[:, None], e / weights(task), v / weights(task)


# -- the contract ---------------------------------------------------------------------------


@cases
@pytest.mark.parametrize("seed", SEEDS)
def test_jacobian_is_minus_the_slope_of_the_error_at_the_target(case: Case, seed: int) -> None:
    posture, rng = setting(seed)
    task, h = case.make(posture, rng, 0.0), 1e-6
    np.testing.assert_allclose(task.error(posture), 0, atol=1e-12)
    slope = [
        (task.error(posture.moved(-d)) - task.error(posture.moved(d))) / (2 * h)
        for d in h * np.eye(posture.model.n_dof)
    ]
    np.testing.assert_allclose(task.jacobian(posture), np.stack(slope, axis=1), atol=2e-8)


@cases
@pytest.mark.parametrize("seed", SEEDS)
def test_first_order_rows_are_those_of_the_task(case: Case, seed: int) -> None:
    posture, rng = setting(seed)
    for away in (0.0, 0.3, 2.0):
        task = case.make(posture, rng, away)
        J, e, v = rows_of(task, posture, rng.normal(size=posture.model.n_dof), order=1)
        error, feed = task.error(posture), case.feed(task)[0]
        np.testing.assert_allclose(J, task.jacobian(posture), atol=1e-11)
        np.testing.assert_allclose(e, error, atol=1e-11)
        expected = task.gain * error + feed - sliding(task, posture)
        np.testing.assert_allclose(v, expected, atol=1e-10)


@cases
@pytest.mark.parametrize("seed", SEEDS)
def test_second_order_rows_know_what_moves_by_itself(case: Case, seed: int) -> None:
    posture, rng = setting(seed)
    task, dq, h = case.make(posture, rng, 0.3), rng.normal(size=posture.model.n_dof), 1e-6

    def velocity(t: float) -> Array:
        at, then = posture.moved(t * dq), later(task, t)
        return then.jacobian(at) @ dq + sliding(then, at)

    J, e, v = rows_of(task, posture, dq, order=2)
    bias = (velocity(h) - velocity(-h)) / (2 * h)
    feed, push = case.feed(task)
    damping = 2 * task.damping_ratio * task.gain
    expected = push + damping * (feed - velocity(0)) + task.gain**2 * task.error(posture) - bias
    np.testing.assert_allclose(J, task.jacobian(posture), atol=1e-11)
    np.testing.assert_allclose(e, task.error(posture), atol=1e-11)
    scale = max(1.0, float(abs(expected).max()))
    np.testing.assert_allclose(v, expected, atol=3e-8 * scale)


def test_the_contract_covers_every_task_that_is_exported() -> None:
    exported = [getattr(robotix.kinematics, name) for name in robotix.kinematics.__all__]
    kinds = {kind for kind in exported if isinstance(kind, type) and issubclass(kind, TaskOptions)}
    posture, rng = setting(0)
    assert {type(case.make(posture, rng, 0.1)) for case in TASKS.values()} == kinds - {TaskOptions}


def parts_of(task: Any, rows: Array) -> list[Array]:
    """Split rows into those that share one largest speed."""
    if isinstance(task, PostureTask):
        return [rows[i : i + 1] for i in range(len(rows))]
    if isinstance(task, PoseTask):
        n = len(task.axes()[0])
        return [rows[:n], rows[n:]]
    if isinstance(task, RelativeTask):
        return [rows[: len(task.axes)], rows[len(task.axes) :]]
    return [rows]


@cases
@pytest.mark.parametrize("seed", SEEDS)
def test_largest_speed_shortens_the_correction(case: Case, seed: int) -> None:
    posture, rng = setting(seed)
    task = dataclasses.replace(case.make(posture, rng, 2.0), max_speed=0.1)
    _, e, v = rows_of(task, posture, np.zeros(posture.model.n_dof), order=1)
    correction = v - (case.feed(task)[0] - sliding(task, posture))
    for part, error in zip(parts_of(task, correction), parts_of(task, e), strict=True):
        desired = task.gain * error
        share = min(1.0, 0.1 / max(float(np.linalg.norm(desired)), 1e-300))
        np.testing.assert_allclose(part, share * desired, atol=1e-12)


@pytest.mark.parametrize("kind", ["point", "posture"])
@pytest.mark.parametrize("order", [1, 2])
def test_the_largest_speed_is_reached_and_kept(kind: str, order: Any) -> None:
    slider = Joint("slider", "prismatic", np.array([1.0, 0, 0]))
    model, most = Model("slider", (Body("cart", slider),)), 0.5
    tasks: dict[str, Task] = {
        "point": PointTask(None, np.array([1.0, 9.0, 9.0]), "x", max_speed=most),
        "posture": PostureTask(np.ones(1), max_speed=most),
    }
    solver = Solver(model, [tasks[kind]], dt=0.001, order=order)
    speeds = []
    for _ in range(3000):
        solver.tick()
        speeds.append(solver.dq[0])
    assert max(speeds) == pytest.approx(most, rel=1e-3)
    assert max(speeds) <= most * (1 + 1e-9)
    assert solver.q[0] == pytest.approx(1.0, abs=1e-6)


# -- what single kinds promise --------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("angle", [1e-9, 0.3, 3.0, math.pi - 1e-6, math.pi])
def test_orientation_error_leads_to_the_target(seed: int, angle: float) -> None:
    posture, rng = setting(seed)
    axis = rng.normal(size=3)
    R = posture.pose().rotation
    target = exp_rotation(angle * axis / np.linalg.norm(axis)) @ R
    task = OrientationTask(None, target)
    e = task.error(posture)
    assert np.linalg.norm(e) == pytest.approx(angle, abs=1e-7)
    np.testing.assert_allclose(exp_rotation(e) @ R, target, atol=1e-12)
    rows = rows_of(task, posture, np.zeros(posture.model.n_dof), order=1)[1]
    np.testing.assert_allclose(exp_rotation(rows) @ R, target, atol=1e-12)


def test_leaving_out_axes_frees_a_line_or_a_plane() -> None:
    posture = Posture(load("panda"), [0.1, 0.2, 0.3, -1.5, 0.1, 1.2, 0.3])
    frame = exp_rotation([0.3, 0.4, 0.5])
    on_line = posture.position() + 0.3 * frame[:, 2]
    np.testing.assert_allclose(PointTask(None, on_line, "xy", frame).error(posture), 0, atol=1e-14)
    on_plane = posture.position() + frame @ [0.3, 0.4, 0]
    np.testing.assert_allclose(PointTask(None, on_plane, "z", frame).error(posture), 0, atol=1e-14)


def test_a_point_slides_along_the_structure() -> None:
    bodies = [Body("base", Joint("fixed"))]
    for i, length in enumerate((0.5, 0.0, 0.25)):
        placement = Pose(translation=np.array([length, 0.0, 0.0]))
        bodies.append(Body(f"link{i}", Joint(f"j{i}", "revolute"), bodies[-1].name, placement))
    tip = ControlPoint("link2", Pose(translation=np.array([0.0, 0.3, 0.0])))
    model = Model("arm", tuple(bodies), points={"tip": tip}, tip="tip")
    for distance, where in [
        (-1.0, [0.0, 0, 0]), (0.0, [0.0, 0, 0]), (0.2, [0.2, 0, 0]), (0.5, [0.5, 0, 0]),
        (0.6, [0.6, 0, 0]), (0.8, [0.75, 0.05, 0]), (1.04, [0.75, 0.29, 0]), (9.0, [0.75, 0.3, 0]),
    ]:  # fmt: skip
        point, along = point_along(model, distance)
        np.testing.assert_allclose(Posture(model).position(point), where, atol=1e-15)
        assert np.linalg.norm(along) == pytest.approx(1.0 if 0 <= distance <= 1.04 else 0.0)


@pytest.mark.parametrize("order", [1, 2])
def test_a_sliding_point_stays_on_its_target_while_it_slides(order: Any) -> None:
    """K3: the point's own motion is taken off the reference."""
    model, dt, rate = load("planar_3r"), 1e-3, 0.2
    q = np.array([0.4, 0.9, -0.7])
    distance = 0.8
    target = Posture(model, q).position(point_along(model, distance)[0])
    task = SlidingPointTask(None, distance, target, rate, gain=20)
    solver = Solver(model, [task], dt=dt, order=order, limits=Limits.none(model))
    solver.q[:] = q
    if order == 2:  # start on the move, or the point is carried off first
        J = task.jacobian(Posture(model, q))
        solver.dq[:] = -np.linalg.pinv(J) @ sliding(task, Posture(model, q))
    for i in range(300):
        solver.replace(0, dataclasses.replace(task, distance=distance + i * dt * rate))
        assert solver.tick() == "solved"
    final = dataclasses.replace(task, distance=distance + 300 * dt * rate)
    assert np.linalg.norm(final.error(Posture(model, solver.q))) < 1e-3 * rate


# -- refusals -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"gain": -1.0}, {"gain": math.nan}, {"gain": math.inf}, {"weight": 0.0}, {"weight": math.nan},
     {"max_speed": 0.0}, {"max_speed": math.nan}, {"damping_ratio": -1.0}, {"priority": -1}],
)  # fmt: skip
def test_options_that_would_blow_up_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        PointTask(None, np.zeros(3), **options)


@pytest.mark.parametrize("axes", ["w", "xx", "xyzx"])
def test_unknown_axes_are_refused(axes: str) -> None:
    model = load("panda")
    for task in (PointTask(None, np.zeros(3), axes), ComTask(np.zeros(3), axes)):
        with pytest.raises(ValueError, match="axes"):
            Solver(model, [task], dt=0.01)


def test_a_posture_of_another_robot_is_refused() -> None:
    with pytest.raises(ValueError, match="7 joints"):
        Solver(load("panda"), [PostureTask(np.zeros(6))], dt=0.01)


@pytest.mark.parametrize("wrong", [[1.0] * 5, [1, 1, 1, 1, 1, -1], [0] * 6, [np.nan] * 6])
def test_wrong_axis_weights_are_refused(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="axis_weights"):
        PoseTask(None, Pose(), axis_weights=wrong)


def test_where_not_all_axes_can_be_met_the_heavy_ones_are() -> None:
    """A point out of reach: the arm gives up most along the axis that counts least."""
    model = load("panda")
    goal = Pose.at(0.8, 0.8, 0.8)
    missing = {}
    for heavy in range(3):
        axis_weights = np.array([0.01, 0.01, 0.01, 0, 0, 0])
        axis_weights[heavy] = 1.0
        task = PoseTask(None, goal, axis_weights=axis_weights)
        solver = Solver(model, [task], dt=0.01)
        for _ in range(2000):
            solver.tick()
        missing[heavy] = abs(task.error(Posture(model, solver.q)))
    for heavy, error in missing.items():
        assert error[heavy] < 0.02 < 0.1 < max(error)
