"""Before a target out of reach an arm comes to rest, as near as it gets; others feel no harm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.public_robots import public_urdfs

from robotix.geometry import Array, Pose
from robotix.kinematics import (
    ComTask,
    Damping,
    PointTask,
    PoseTask,
    Posture,
    PostureTask,
    Solver,
    Task,
    solve,
)
from robotix.kinematics.batch import forward_batch
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.model import Model
from robotix.model.robots import load
from robotix.model.urdf.reader import load_urdf

ARMS = ("panda", "kuka_lwr", "ur5", "vishard10", "amtec_ulwr", "mitsubishi_pa10", "scara")
RAILS = ("amtec_ulwr_rail", "kuka_lwr_rail", "mitsubishi_pa10_rail")
BENT = np.array([0.1, 0.2, 0.3, -1.5, 0.1, 1.2, 0.3])  # of a Panda
Rng = np.random.Generator


def some_posture(model: Model, rng: Rng) -> Array:
    return rng.uniform(np.maximum(model.lower, -2.5), np.minimum(model.upper, 2.5))


def far_target(model: Model, rng: Rng, times: float) -> Array:
    """Return a place at this multiple of the reach from the middle of the workspace."""
    samples = np.array([some_posture(model, rng) for _ in range(500)])
    places = forward_batch(model, samples)[0]
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    way = rng.normal(size=3) * (np.ptp(places, axis=0) > 1e-6)  # a planar arm stays in its plane
    reach = np.linalg.norm(places - middle, axis=1).max()
    return np.asarray(middle + times * reach * way / np.linalg.norm(way))


def run(solver: Solver, seconds: float) -> tuple[float, float]:
    """Run, and return the largest speed and its largest change a tick in the last half second."""
    ticks, last = round(seconds / solver.dt), round(0.5 / solver.dt)
    speed = jump = 0.0
    for i in range(ticks):
        before = solver.dq.copy()
        assert solver.tick() == "solved"
        if i >= ticks - last:
            speed = max(speed, float(abs(solver.dq).max()))
            jump = max(jump, float(abs(solver.dq - before).max()))
    return speed, jump


def missing(task: Task, solver: Solver) -> float:
    return float(np.linalg.norm(task.error(Posture(solver.model, solver.q))))


def make_far_task(model: Model, rng: Rng, kind: str, times: float) -> Task:
    target = far_target(model, rng, times)
    if kind == "pose":
        return PoseTask(None, Pose.at(*target, rpy=tuple(rng.uniform(-1, 1, 3))))
    return PointTask(None, target)


# -- rest -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*ARMS, *RAILS, "planar_3r"])
@pytest.mark.parametrize("method", ["dls", "strict", "qp"])
@pytest.mark.parametrize("times", [1.2, 3.0])
def test_an_arm_stops_where_it_is_nearest(name: str, method: Any, times: float) -> None:
    model, rng = load(name), np.random.default_rng(1)
    for kind, dt in (("point", 1 / 120), ("pose", 1 / 60)):
        task = make_far_task(model, rng, kind, times)
        solver = Solver(model, [task], dt=dt, method=method)
        solver.q[:] = some_posture(model, rng)
        speed, jump = run(solver, 15.0)
        assert jump < 1e-4  # rad/s: no trembling
        assert speed < 5e-2  # sliding down a valley that is all but level; most stand still
        best = solve(model, task, q0=solver.q, restarts=0).error
        assert missing(task, solver) <= 1.001 * best


@pytest.mark.parametrize("name", ["panda", "kuka_lwr", "ur5", "vishard10"])
@pytest.mark.parametrize(("dt", "seconds"), [(1 / 60, 20.0), (1 / 120, 15.0), (1 / 1000, 5.0)])
def test_it_stands_still(name: str, dt: float, seconds: float) -> None:
    model, rng = load(name), np.random.default_rng(5)
    for times in (1.2, 2.0, 3.0):
        solver = Solver(model, [PointTask(None, far_target(model, rng, times))], dt=dt)
        solver.q[:] = some_posture(model, rng)
        assert run(solver, seconds)[0] < 1e-3


@pytest.mark.parametrize("name", ["panda", "kuka_lwr", "ur5", "vishard10"])
@pytest.mark.parametrize("method", ["dls", "strict", "qp"])
def test_accelerations_bring_it_to_rest_too(name: str, method: Any) -> None:
    model, rng = load(name), np.random.default_rng(3)
    for times in (1.2, 3.0):
        task = PointTask(None, far_target(model, rng, times))
        solver = Solver(model, [task], dt=1 / 120, method=method, order=2)
        solver.q[:] = some_posture(model, rng)
        assert run(solver, 15.0)[0] < 5e-2
        best = solve(model, task, q0=solver.q, restarts=0).error
        assert missing(task, solver) <= 1.001 * best


def test_without_calm_it_trembles() -> None:
    """What all this is for: were it not so, the option could go."""
    model = load("panda")
    solver = Solver(model, [PointTask(None, np.array([2.0, 0.5, 0.5]))], dt=1 / 120)
    for reach, least, most in ((0.0, 1.0, math.inf), (0.25, 0.0, 1e-3), (0.0, 1.0, math.inf)):
        solver.set_damping(Damping(reach=reach))
        solver.q[:] = BENT
        assert least <= run(solver, 10.0)[0] <= most


@pytest.mark.parametrize("weight", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("joint_weight", [1e-2, 1.0, 1e2])
def test_neither_task_weights_nor_joint_weights_nor_size_matter(
    weight: float, joint_weight: float
) -> None:
    model = load("ur5")
    task = PointTask(None, np.array([1.5, 0.5, 0.5]), weight=weight)
    solver = Solver(
        model, [task], dt=1 / 120, weights=np.full(6, joint_weight), damping=Damping(1e-4)
    )
    solver.q[:] = [0.3, -1.0, 1.2, -0.5, 0.8, 0.1]
    assert run(solver, 10.0)[0] < 1e-3


def test_a_heavy_joint_rests_as_well() -> None:
    model = load("panda")
    task = PointTask(None, np.array([1.5, 0.5, 0.5]))
    solver = Solver(model, [task], dt=1 / 120, weights=[50, 1, 1, 0.02, 1, 1, 1])
    solver.q[:] = BENT
    assert run(solver, 20.0)[1] < 1e-4


# -- no harm --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["panda", "kuka_lwr", "ur5"])
@pytest.mark.parametrize("order", [1, 2])
def test_what_is_within_reach_is_reached_exactly_and_as_fast(name: str, order: Any) -> None:
    model, rng = load(name), np.random.default_rng(4)
    middle, half = (model.lower + model.upper) / 2, (model.upper - model.lower) / 2
    for _ in range(5):
        near = middle + rng.uniform(-0.3, 0.3, model.n_dof) * half + 0.3
        goal = Posture(model, near + rng.normal(scale=0.1, size=model.n_dof))
        task, ticks = PoseTask(None, goal.pose()), {}
        for reach in (0.0, Damping().reach):
            solver = Solver(model, [task], dt=1 / 120, order=order, damping=Damping(reach=reach))
            solver.q[:] = near
            ticks[reach] = 0
            while missing(task, solver) > 1e-4:
                solver.tick()
                ticks[reach] += 1
                assert ticks[reach] < 600
        assert ticks[Damping().reach] <= 1.15 * ticks[0.0] + 2
        run(solver, 5.0)  # accelerations leave some motion that the task does not feel at first
        assert missing(task, solver) < (1e-9 if order == 1 else 1e-8)


def test_the_last_millimetres_go_at_the_gain() -> None:
    model, gain, dt = load("panda"), 20.0, 1 / 120
    target = Posture(model, BENT).position() + 1e-4
    task = PointTask(None, target, gain=gain)
    solver = Solver(model, [task], dt=dt, damping=Damping(1e-4))
    solver.q[:] = BENT
    before = missing(task, solver)
    for _ in range(20):
        solver.tick()
        after = missing(task, solver)
        assert after / before == pytest.approx(1 - gain * dt, rel=1e-3)
        before = after


@pytest.mark.parametrize("feeds", [True, False])
def test_a_moving_target_is_followed_as_before(feeds: bool) -> None:
    model, dt, speed = load("panda"), 1 / 120, 0.5
    start, worst = Posture(model, BENT).position(), {}
    for reach in (0.0, Damping().reach):
        solver = Solver(model, [PointTask(None, start)], dt=dt, damping=Damping(reach=reach))
        solver.q[:] = BENT
        errors = []
        for i in range(300):
            turn = speed / 0.1 * i * dt
            at = start + 0.1 * np.array([0.0, math.sin(turn), math.cos(turn) - 1])
            velocity = speed * np.array([0.0, math.cos(turn), -math.sin(turn)])
            errors.append(float(np.linalg.norm(Posture(model, solver.q).position() - at)))
            task = PointTask(None, at, velocity=velocity if feeds else np.zeros(3))
            solver.replace(0, task)
            solver.tick()
        worst[reach] = max(errors[60:])
    assert worst[Damping().reach] <= 1.02 * worst[0.0]


def test_a_far_posture_needs_no_calm() -> None:
    """A posture task is straight: its Jacobian does not turn with the joints."""
    model = load("panda")
    solver = Solver(model, [PostureTask(BENT + 1.0)], dt=0.01)
    solver.step(BENT)
    assert solver.arena.flat(FloatBlock.REACH_DAMPING).max() == 0.0


# -- several tasks --------------------------------------------------------------------------

SOLES = ("left_sole_link", "right_sole_link")
HANDS = ("gripper_left_base_link", "gripper_right_base_link")


@pytest.fixture(scope="module")
def standing() -> Posture:
    """Talos, knees and elbows bent."""
    model = load_urdf(public_urdfs()["talos_data/robots/talos_reduced.urdf"], floating=True)
    q = np.zeros(model.n_dof)
    q[2] = 1.0
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for joint, angle in ((1, -0.3), (2, 0.5), (3, -0.3)):
            q[model.dof_index(f"arm_{side}_{joint}_joint")] = sign * angle
        q[model.dof_index(f"arm_{side}_4_joint")] = -1.3
        for joint, angle in ((3, -0.5), (4, 1.0), (5, -0.5)):
            q[model.dof_index(f"leg_{side}_{joint}_joint")] = angle
    return Posture(model, q)


def stand_and_reach(posture: Posture, ways: Sequence[Array]) -> list[Task]:
    """Hold feet and balance above all, lead the hands away from where they are."""
    feet = [PoseTask(name, posture.pose(name)) for name in SOLES]
    hands = [
        PointTask(name, posture.position(name) + way, priority=1)
        for name, way in zip(HANDS, ways, strict=True)
    ]
    return [*feet, ComTask(posture.com), *hands]


@pytest.mark.parametrize("method", ["strict", "qp"])
@pytest.mark.parametrize("way", [(1.0, 0.0, 0.0), (0.0, 0.8, 0.8)])
def test_feet_and_balance_stay_exact_while_a_hand_cannot_reach(
    standing: Posture, method: Any, way: tuple[float, float, float]
) -> None:
    tasks = stand_and_reach(standing, [np.array(way), np.zeros(3)])
    worst = {}
    for reach in (0.0, Damping().reach):
        solver = Solver(
            standing.model, tasks, dt=1 / 120, method=method, damping=Damping(reach=reach)
        )
        solver.q[:] = standing.q
        worst[reach] = 0.0
        for _ in range(600):
            solver.tick()
            now = Posture(standing.model, solver.q)
            errors = [float(np.linalg.norm(task.error(now))) for task in tasks]
            worst[reach] = max(worst[reach], *errors[:3])
    assert errors[3] > 0.2  # the hand does not get there
    assert max(errors[:3]) < 1e-6  # the feet stand, the balance holds
    assert worst[Damping().reach] <= worst[0.0]  # on the way too
    assert run(solver, 1.0)[1] < 1e-3


@pytest.mark.parametrize("method", ["dls", "nested", "strict", "qp"])
def test_tasks_without_rows_or_no_tasks_at_all_are_no_trouble(method: Any) -> None:
    model = load("panda")
    idle = PointTask(None, np.ones(3), "", priority=3)
    for tasks in ([], [idle], [PointTask(None, np.ones(3)), idle]):
        step = Solver(model, tasks, dt=0.01, method=method).step(BENT)
        assert step.status == "solved"


def test_the_calm_of_one_priority_is_its_own(standing: Posture) -> None:
    tasks = stand_and_reach(standing, [np.ones(3), np.zeros(3)])
    solver = Solver(standing.model, tasks, dt=1 / 120, method="strict")
    solver.step(standing.q)
    first, second = solver.arena.flat(FloatBlock.REACH_DAMPING)
    assert first < 1e-9 < 1e-2 < second
