"""Obstacles are kept off whatever target is driven, and the end-effector does its best."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from oracles.coal_oracle import CoalRobot
from scipy.optimize import minimize
from support.random_trees import random_posture

from robotix.collision.distance import nearest
from robotix.errors import BadFile, BadModel, UnknownName
from robotix.geometry import (
    Array,
    Box,
    Capsule,
    Cylinder,
    Halfspace,
    Mesh,
    Pose,
    Shape,
    Sphere,
    exp_rotation,
)
from robotix.kinematics import (
    Clearance,
    Limits,
    Obstacle,
    PointTask,
    PoseTask,
    Posture,
    Solver,
)
from robotix.kinematics.solver import Method
from robotix.model import Body, Joint, Model
from robotix.model.robots import load

ROBOTS = ("panda", "ur5", "kuka_lwr", "scara", "planar_3r", "vishard10", "amtec_ulwr_rail")
METHODS: tuple[Method, ...] = ("qp", "dls", "strict", "nested")
DRIVES = 1000
TICKS = 45
CUT = 1e-3  # m by which a distance may be cut into
Rng = np.random.Generator


def random_solid(rng: Rng, at: Array) -> Shape:
    pose = Pose(exp_rotation(rng.normal(size=3)), at)
    a, b, c = rng.uniform(0.03, 0.2, 3).tolist()
    shapes: list[Shape] = [
        Sphere(a, pose), Capsule(a, 2 * b, pose), Cylinder(a, 2 * b, pose),
        Box(np.array([2 * a, 2 * b, 2 * c]), pose),
    ]  # fmt: skip
    return shapes[rng.integers(len(shapes))]


def random_obstacles(model: Model, start: Posture, rng: Rng) -> dict[str, Obstacle]:
    """Return one to four obstacles that the robot is clear of at the start; some move slowly."""
    obstacles: dict[str, Obstacle] = {}
    wanted = int(rng.integers(1, 5))
    reach = max(0.3, float(np.linalg.norm(start.position())))
    for i in range(200):
        if len(obstacles) == wanted:
            break
        keep = float(rng.uniform(0.0, 0.05))
        if rng.random() < 0.15:  # a wall or a floor
            turn = exp_rotation(rng.normal(size=3))
            solid: Shape = Halfspace(Pose(turn, -turn[:, 2] * rng.uniform(0.3, 1.0) * reach))
        else:
            solid = random_solid(rng, rng.uniform(-1.0, 1.0, 3) * reach)
        speed = 0.05 * rng.normal(size=3) if rng.random() < 0.3 else np.zeros(3)
        found = Obstacle(solid, keep, speed)
        if Clearance(model, {"it": found}).slack(start) > (0.15 if speed.any() else 0.02):
            obstacles[f"obstacle {i}"] = found
    return obstacles


def at_time(obstacle: Obstacle, t: float) -> Obstacle:
    """Return a moving obstacle on its way to and fro, once a second."""
    if not obstacle.velocity.any():
        return obstacle
    swing = math.sin(2 * math.pi * t) / (2 * math.pi)
    pose = obstacle.shape.pose
    moved = Pose(pose.rotation, pose.translation + obstacle.velocity * swing)
    rate = obstacle.velocity * math.cos(2 * math.pi * t)
    return replace(obstacle, shape=replace(obstacle.shape, pose=moved), velocity=rate)


@dataclass
class Drive:
    """One drive: towards places in, behind and between obstacles."""

    seed: int

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.model = load(ROBOTS[self.seed % len(ROBOTS)])
        self.method = METHODS[self.seed % len(METHODS)]
        self.q = random_posture(self.model, self.rng)
        start = Posture(self.model, self.q)
        self.obstacles = random_obstacles(self.model, start, self.rng)
        self.clearance = Clearance(self.model, self.obstacles)
        order: Any = 2 if self.seed % 5 == 4 else 1
        limits = Limits.of(self.model)
        if self.seed % 10 == 3:
            limits = replace(limits, acceleration=np.full(self.model.n_dof, 20.0))
        self.solver = Solver(
            self.model, [PointTask(None, start.position(), gain=10.0)], dt=0.02, order=order,
            method=self.method, limits=limits, max_inequalities=self.clearance.max_gaps,
        )  # fmt: skip

    def target(self) -> Array:
        """Return a place in an obstacle, behind one, or anywhere."""
        tip, kind = Posture(self.model, self.q).position(), self.rng.integers(3)
        if kind == 2 or not self.obstacles:
            return tip + 0.5 * self.rng.normal(size=3)
        names = list(self.obstacles)
        centre = self.obstacles[names[self.rng.integers(len(names))]].shape.pose.translation
        return np.array(centre if kind == 0 else tip + 1.5 * (centre - tip))

    def run(self, ticks: int) -> float:
        """Drive; return the smallest slack that Coal saw."""
        coal, least, dq = CoalRobot(self.model), math.inf, np.zeros(self.model.n_dof)
        lower, upper = self.model.lower, self.model.upper
        for i in range(ticks):
            if i % 15 == 0:
                self.solver.positions[0] = self.target()
            for name, obstacle in self.obstacles.items():
                if obstacle.velocity.any():
                    self.clearance.set_obstacle(name, at_time(obstacle, i * 0.02))
            step = self.clearance.step(self.solver, self.q, dq)
            assert step.status in ("solved", "relaxed")
            assert (step.q >= lower - 1e-9).all() and (step.q <= upper + 1e-9).all()
            assert (abs(step.dq) <= self.model.velocity + 1e-9).all()
            self.q, dq = step.q, step.dq
            after = [at_time(obstacle, (i + 1) * 0.02) for obstacle in self.obstacles.values()]
            shapes = [(obstacle.shape, obstacle.distance) for obstacle in after]
            least = min(least, coal.slack(Posture(self.model, self.q), shapes))
        return least


@pytest.mark.parametrize("part", range(20))
def test_no_drive_comes_nearer_than_the_set_distance(part: int) -> None:
    near = 0
    for seed in range(part * DRIVES // 20, (part + 1) * DRIVES // 20):
        slack = Drive(seed).run(TICKS)
        assert slack > -CUT, f"drive {seed}"
        near += slack < 5e-3
    assert near > 10  # obstacles were in the way


def test_an_obstacle_that_comes_after_the_robot_is_evaded() -> None:
    model = load("panda")
    q = np.array([0.0, 0.2, 0.0, -1.8, 0.0, 2.0, 0.0])
    start = Posture(model, q).position()
    ball = Obstacle(Sphere(0.08, Pose(translation=start + np.array([0.4, 0.05, 0.02]))), 0.02,
                    np.array([-0.3, 0.0, 0.0]))  # fmt: skip
    clearance = Clearance(model, {"ball": ball})
    solver = Solver(model, [PointTask(None, start, gain=10.0)], dt=0.01, method="qp",
                    max_inequalities=clearance.max_gaps)  # fmt: skip
    for i in range(130):
        pose = Pose(translation=ball.shape.pose.translation + 0.01 * i * ball.velocity)
        clearance.set_obstacle("ball", replace(ball, shape=replace(ball.shape, pose=pose)))
        q = clearance.step(solver, q).q
        assert clearance.slack(Posture(model, q)) > -CUT - 0.3 * 0.01
    assert np.linalg.norm(Posture(model, q).position() - start) > 0.03  # pushed aside


def test_a_robot_that_starts_too_near_is_pushed_out() -> None:
    model = load("panda")
    q = np.array([0.0, 0.2, 0.0, -1.8, 0.0, 2.0, 0.0])
    start = Posture(model, q).position()
    ball = Obstacle(Sphere(0.05, Pose(translation=start + np.array([0.0, 0.1, 0.0]))), 0.05)
    clearance = Clearance(model, {"ball": ball})
    slack = clearance.slack(Posture(model, q))
    assert slack < -0.02
    solver = Solver(model, [PointTask(None, start, gain=10.0)], dt=0.01,
                    max_inequalities=clearance.max_gaps)  # fmt: skip
    for _ in range(100):
        q = clearance.step(solver, q).q
        assert clearance.slack(Posture(model, q)) >= min(slack, -CUT) - 1e-9
        slack = clearance.slack(Posture(model, q))
    assert slack > -CUT


# -- the end-effector does its best ---------------------------------------------------------


def offline_optimum(model: Model, obstacles: list[Obstacle], target: Array, q0: Array) -> float:
    """Return the least distance to the target that SLSQP finds from a posture, kept clear."""
    solids = [(body.name, shape) for body in model.bodies[1:] for shape in body.collision]

    def slacks(q: Array) -> Array:
        at = Posture(model, q)
        return np.array([
            nearest(shape, o.shape, world_from_a=at.pose(name)).distance - o.distance
            for name, shape in solids for o in obstacles
        ])  # fmt: skip

    found = minimize(
        lambda q: float(np.sum((Posture(model, q).position() - target) ** 2)),
        q0,
        jac=lambda q: (
            -2 * (target - Posture(model, q).position()) @ Posture(model, q).jacobian()[:3]
        ),
        bounds=list(zip(model.lower, model.upper, strict=True)),
        constraints=[{"type": "ineq", "fun": slacks}],
        method="SLSQP",
        options={"maxiter": 60, "ftol": 1e-12},
    )
    return math.sqrt(found.fun) if slacks(found.x).min() > -1e-4 else math.inf


@pytest.mark.parametrize("seed", range(24))
def test_the_end_effector_comes_as_near_as_an_offline_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = load(["panda", "kuka_lwr", "ur5"][seed % 3])
    q = random_posture(model, rng)
    start = Posture(model, q)
    obstacles = {
        name: o for name, o in random_obstacles(model, start, rng).items() if not o.velocity.any()
    }
    target = start.position() + 0.3 * rng.normal(size=3)
    centre = Obstacle(Sphere(0.1, Pose(translation=target)), 0.03)
    clearance = Clearance(model, {**obstacles, "in the way": centre})
    if clearance.slack(start) < 0:
        return  # it cannot be put there
    solver = Solver(
        model, [PointTask(None, target, gain=10.0)], dt=0.02, method="qp",
        max_inequalities=clearance.max_gaps,
    )  # fmt: skip
    for _ in range(400):
        step = clearance.step(solver, q)
        q = step.q
    assert abs(step.dq).max() < 1e-2  # at rest
    ours = float(np.linalg.norm(Posture(model, q).position() - target))
    best = offline_optimum(model, list(clearance.obstacles.values()), target, q)
    assert ours <= best + 2e-3


# -- looking and changing -------------------------------------------------------------------


def test_a_step_says_whether_and_how_much_it_is_too_near() -> None:
    """A ball appears in the forearm: it is left calmly, and every step tells the truth."""
    model = load("kuka_lwr")
    q, dq = np.array([0.6, -0.6, 0.0, 1.4, 0.0, 0.8, 0.0]), np.zeros(7)
    clearance = Clearance(model)
    task = PointTask(None, Posture(model, q).position(), gain=5.0)
    solver = Solver(model, [task], dt=1 / 120, max_inequalities=clearance.max_gaps)
    assert clearance.step(solver, q, dq).shortfall == 0.0
    ball = Sphere(0.1, Pose(translation=Posture(model, q).position()))
    clearance.set_obstacle("ball", Obstacle(ball, 0.05))
    statuses = []
    for _ in range(240):
        step = clearance.step(solver, q, dq)
        slack = clearance.slack(Posture(model, step.q))
        assert step.shortfall == pytest.approx(max(-slack, 0.0))
        assert (step.status == "too near") == (slack < -5e-4)
        turned = (step.dq * dq < 0) & (abs(step.dq) > 0.3)
        assert not turned.any()  # no sudden reversal
        statuses.append(step.status)
        q, dq = step.q, step.dq
    assert statuses[0] == "too near"
    assert statuses[-1] == "solved"
    assert statuses.index("solved") < 150


def test_gaps_are_what_they_say_tightest_first() -> None:
    model, rng = load("panda"), np.random.default_rng(0)
    for _ in range(10):
        posture = Posture(model, random_posture(model, rng))
        clearance = Clearance(model, random_obstacles(model, posture, rng), influence=9.0)
        gaps = clearance.gaps(posture)
        slacks = [gap.distance - clearance.obstacles[gap.obstacle].distance for gap in gaps]
        assert slacks == sorted(slacks)
        assert slacks[0] == pytest.approx(clearance.slack(posture))
        for gap in gaps:
            np.testing.assert_allclose(gap.point - gap.facing, gap.distance * gap.normal, atol=1e-9)
            shapes = model.body(gap.body).collision
            obstacle = clearance.obstacles[gap.obstacle].shape
            pose = posture.pose(gap.body)
            all_of_them = [nearest(shape, obstacle, world_from_a=pose).distance for shape in shapes]
            assert min(abs(d - gap.distance) for d in all_of_them) < 1e-9


def test_obstacles_can_be_added_moved_and_removed() -> None:
    model = load("panda")
    posture, clearance = Posture(model), Clearance(load("panda"))
    assert clearance.slack(posture) == math.inf
    ball = Obstacle(Sphere(0.1, Pose(translation=posture.position() + np.array([0.3, 0, 0]))), 0.0)
    clearance.set_obstacle("ball", ball)
    near = clearance.slack(posture)
    clearance.set_obstacle("ball", replace(ball, distance=0.05))
    assert clearance.slack(posture) == pytest.approx(near - 0.05)
    with pytest.raises(UnknownName, match="did you mean 'ball'"):
        clearance.remove_obstacle("bal")
    clearance.remove_obstacle("ball")
    assert clearance.slack(posture) == math.inf and clearance.gaps(posture) == ()


def test_without_obstacles_the_step_is_the_solvers() -> None:
    model, clearance = load("panda"), Clearance(load("panda"))
    task = PoseTask(None, Pose(translation=np.array([0.4, 0.1, 0.5])))
    solver = Solver(model, [task], dt=0.01, max_inequalities=clearance.max_gaps)
    plain = Solver(model, [task], dt=0.01).step(model.neutral)
    np.testing.assert_array_equal(clearance.step(solver, model.neutral).q, plain.q)


def test_what_has_no_distance_is_refused_and_forgotten() -> None:
    clearance = Clearance(load("panda"))
    with pytest.raises(BadFile, match="cannot be read"):
        clearance.set_obstacle("cup", Obstacle(Mesh("cup.stl")))
    assert clearance.obstacles == {}
    clearance.set_obstacle("ball", Obstacle(Sphere(0.1, Pose(translation=np.array([9.0, 0, 0])))))
    with pytest.raises(BadModel, match="collision shapes"):
        Clearance(Model("bare", (Body("link", Joint("hinge", "revolute")),)))


@pytest.mark.parametrize(
    "wrong",
    [{"distance": -0.1}, {"distance": math.nan}, {"velocity": [1.0, 2.0]},
     {"velocity": [math.inf, 0, 0]}],
)  # fmt: skip
def test_obstacles_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Obstacle(Sphere(0.1), **wrong)


@pytest.mark.parametrize("wrong", [{"influence": 0.0}, {"influence": math.nan}, {"max_gaps": 0}])
def test_a_clearance_that_sees_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Clearance(load("panda"), **wrong)


def test_a_solver_that_does_not_fit_is_refused() -> None:
    clearance = Clearance(load("panda"))
    small = Solver(load("panda"), [], dt=0.01, max_inequalities=3)
    other = Solver(load("ur5"), [], dt=0.01, max_inequalities=clearance.max_gaps)
    for solver in (small, other):
        with pytest.raises(ValueError, match="max_inequalities"):
            clearance.step(solver, solver.model.neutral)
