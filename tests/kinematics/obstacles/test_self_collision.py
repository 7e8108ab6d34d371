"""The bodies of a robot: which can collide, how far apart they are, and that they stay apart."""

from __future__ import annotations

import math
from pathlib import Path

import coal
import numpy as np
import pytest
from oracles.coal_oracle import placed, to_coal
from support.public_robots import public_urdfs
from support.random_trees import random_posture

from robotix.errors import BadFile, BadModel, UnknownName
from robotix.geometry import Array, Box, Pose, Sphere
from robotix.kinematics import (
    Clearance,
    Obstacle,
    Posture,
    PostureTask,
    SelfCollision,
    Solver,
    collision_pairs,
)
from robotix.model import Body, Joint, Model
from robotix.model.robots import load

UP = np.array([0.0, 0.0, 1.0])
UR5 = public_urdfs()["ur_description/urdf/ur5_robot.urdf"]


def coal_distances(own: SelfCollision, posture: Posture) -> Array:
    model = own.model
    poses = [coal.Transform3s(r[:9].reshape(3, 3), r[9:]) for r in posture.body_poses]
    least = np.full(len(own.pairs), math.inf)
    for k, pair in enumerate(own.pairs):
        one, other = (model.body_index(name) for name in pair)
        for a in model.bodies[one].collision:
            for b in model.bodies[other].collision:
                result = coal.DistanceResult()
                coal.distance(
                    to_coal(a), poses[one] * placed(a.pose), to_coal(b),
                    poses[other] * placed(b.pose), coal.DistanceRequest(), result,
                )  # fmt: skip
                least[k] = min(least[k], result.min_distance)
    return least


@pytest.mark.parametrize("robot", ["panda", "vishard10", UR5], ids=["panda", "vishard10", "ur5"])
def test_distances_are_those_of_coal(robot: str | Path) -> None:
    model = load(robot)
    own = SelfCollision(model, collision_pairs(model, samples=0))
    assert len(own.pairs) > 10
    rng, compared = np.random.default_rng(3), 0
    for _ in range(4):
        posture = Posture(model, random_posture(model, rng))
        ours, theirs = own.pair_distances(posture), coal_distances(own, posture)
        apart = theirs > 1e-6
        np.testing.assert_allclose(ours[apart], theirs[apart], atol=2e-6)
        assert (ours[~apart] <= 2e-6).all()
        assert own.slack(posture) == pytest.approx(ours.min() - own.distance)
        compared += int(apart.sum())
    assert compared > 40


def test_neighbours_are_left_out() -> None:
    model = load("panda")
    pairs = {frozenset(pair) for pair in collision_pairs(model, samples=0)}
    for body in model.bodies:
        assert frozenset((body.name, str(body.parent))) not in pairs
    names = [body.name for body in model.bodies if body.collision]
    assert frozenset((names[0], names[-1])) in pairs
    assert {frozenset(pair) for pair in collision_pairs(model)} < pairs


def test_what_always_touches_or_never_meets_is_dropped() -> None:
    def ball(name: str, parent: str | None, x: float, radius: float = 0.05) -> Body:
        joint = Joint(f"{name}_joint", "revolute", axis=UP, lower=-3.0, upper=3.0)
        return Body(name, joint, parent, Pose.at(x, 0, 0), collision=(Sphere(radius),))

    model = Model("row", (
        ball("a", None, 0.0), ball("b", "a", 0.2), ball("c", "b", 0.2),
        ball("fat", "c", 0.01, 0.3), ball("far", "c", 5.0),
    ))  # fmt: skip
    kept = {frozenset(pair) for pair in collision_pairs(model)}
    assert frozenset(("a", "c")) in kept  # folds onto it
    assert frozenset(("b", "fat")) not in kept  # always touches
    assert not any("far" in pair and "a" in pair for pair in kept)  # never meets


def test_srdf(tmp_path: Path) -> None:
    model = load("panda")
    every = collision_pairs(model, samples=0)
    first, second = every[3]
    file = tmp_path / "panda.srdf"
    text = f'<disable_collisions link1="{second}" link2="{first}" reason="Never"/>'
    file.write_text(f'<robot name="panda"><group name="arm"/>{text}</robot>')
    assert collision_pairs(model, srdf=file) == (*every[:3], *every[4:])
    file.write_text("<robot><disable_collisions link1='a'/></robot>")
    with pytest.raises(BadFile, match="link2"):
        collision_pairs(model, srdf=file)


def folding_arm() -> Model:
    """Return two links of 0.4 m and a hand that can be folded onto the base."""
    rod = Box(np.array([0.36, 0.05, 0.05]), Pose.at(0.2, 0, 0))
    hinges = [Joint(f"j{k}", "revolute", axis=UP, lower=-3.1, upper=3.1, velocity=2.0)
              for k in range(3)]  # fmt: skip
    return Model("folding", (
        Body("one", hinges[0], None, collision=(rod,)),
        Body("two", hinges[1], "one", Pose.at(0.4, 0, 0), collision=(rod,)),
        Body("three", hinges[2], "two", Pose.at(0.4, 0, 0), collision=(rod,)),
    ))  # fmt: skip


def test_an_arm_does_not_fold_into_itself() -> None:
    model = folding_arm()
    own = SelfCollision(model, distance=0.02)
    assert own.pairs == (("one", "three"),)
    goal = np.array([0.0, 2.4, 2.0])  # the hand in the first link
    assert own.slack(Posture(model, goal)) < -0.02
    clearance = Clearance(model, own=own)
    solver = Solver(
        model, [PostureTask(goal, gain=5.0)], dt=0.01, max_inequalities=clearance.max_gaps
    )
    q, dq, least = np.zeros(3), np.zeros(3), math.inf
    for _ in range(400):
        step = clearance.step(solver, q, dq)
        q, dq = step.q, step.dq
        least = min(least, own.slack(Posture(model, q)))
        assert step.shortfall == pytest.approx(max(-own.slack(Posture(model, q)), 0.0))
    assert -5e-4 < least < 1e-3  # touched, never crossed
    assert abs(dq).max() < 1e-3
    (gap,) = clearance.gaps(Posture(model, q))
    assert {gap.body, gap.obstacle} == {"one", "three"}
    assert gap.distance == pytest.approx(0.02, abs=1e-3)


def test_own_bodies_and_obstacles_together() -> None:
    model = folding_arm()
    own = SelfCollision(model, distance=0.02)
    wall = Obstacle(Box(np.array([2.0, 0.1, 1.0]), Pose.at(0, 0.6, 0)), 0.03)
    clearance = Clearance(model, {"wall": wall}, own=own, max_gaps=4)
    goal = np.array([1.2, 2.4, 2.0])
    solver = Solver(model, [PostureTask(goal, gain=5.0)], dt=0.01, max_inequalities=4)
    alone = Clearance(model, {"wall": wall})
    q, dq = np.zeros(3), np.zeros(3)
    for _ in range(300):
        step = clearance.step(solver, q, dq)
        q, dq = step.q, step.dq
        assert alone.slack(Posture(model, q)) > -5e-4
        assert own.slack(Posture(model, q)) > -5e-4


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_is_that_of_the_slack(seed: int) -> None:
    model, rng = load("panda"), np.random.default_rng(seed)
    clearance = Clearance(model, own=SelfCollision(model), influence=1.0)
    q, h = random_posture(model, rng), 1e-6
    expected = [
        (clearance.slack(Posture(model, q + e)) - clearance.slack(Posture(model, q - e))) / (2 * h)
        for e in h * np.eye(model.n_dof)
    ]
    found = clearance.slack_gradient(Posture(model, q))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_what_makes_no_sense_is_refused() -> None:
    model = load("panda")
    with pytest.raises(UnknownName):
        SelfCollision(model, [("link1", "nobody")])
    with pytest.raises(ValueError, match="distance"):
        SelfCollision(model, distance=-1.0)
    bare = Model("bare", (Body("a", Joint("j")), Body("b", Joint("k"), "a")))
    with pytest.raises(BadModel, match="no collision shapes"):
        SelfCollision(bare, [("a", "b")])
    with pytest.raises(ValueError, match="own"):
        Clearance(load("ur5"), own=SelfCollision(model))
