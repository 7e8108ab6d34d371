"""Poses, Jacobians and masses: against Pinocchio, and against finite differences."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.pin_oracle import Oracle, build, read
from oracles.recursive_fk import world_poses
from support.public_robots import public_urdfs
from support.random_trees import make_random_tree, random_posture

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Pose, exp_rotation, log_rotation
from robotix.kinematics import Posture
from robotix.kinematics import random_posture as draw_posture
from robotix.model import Body, ControlPoint, Joint, Model
from robotix.model.robots import load, robot_names
from robotix.model.urdf.reader import load_urdf
from robotix.model.urdf.writer import to_urdf

PUBLIC = {  # example-robot-data; whether the root floats
    "anymal_b_simple_description/robots/anymal.urdf": True,
    "baxter_description/urdf/baxter.urdf": False,
    "icub_description/robots/icub_reduced.urdf": True,
    "kinova_description/robots/kinova.urdf": False,
    "panda_description/urdf/panda.urdf": False,
    "romeo_description/urdf/romeo.urdf": True,
    "simple_humanoid_description/urdf/simple_humanoid.urdf": True,
    "solo_description/robots/solo12.urdf": True,
    "talos_data/robots/talos_reduced.urdf": True,
    "tiago_description/robots/tiago.urdf": False,
    "ur_description/urdf/ur5_robot.urdf": False,
    "xarm_description/urdf/xarm7.urdf": False,
}
SEEDS = range(40)


@cache
def library(name: str) -> tuple[Model, Any]:
    """Return a library robot, and Pinocchio's: through URDF, or rebuilt where it runs on a rail."""
    model = load(name)
    if any(joint.kind == "path" for joint in model.joints):
        return model, build(model)
    return model, pin.buildModelFromXML(to_urdf(model))


@cache
def public(name: str) -> tuple[Model, Any]:
    """Return a public robot, read by us and read by Pinocchio."""
    path = public_urdfs()[name]
    return load_urdf(path, floating=PUBLIC[name]), read(path, floating=PUBLIC[name])


@cache
def random_pair(seed: int) -> tuple[Model, Any]:
    model = make_random_tree(np.random.default_rng(seed))
    return model, build(model)


PAIRS = [
    *[pytest.param(library, name, id=name) for name in robot_names()],
    *[pytest.param(public, name, id=name.rsplit("/", 1)[1]) for name in PUBLIC],
    *[pytest.param(random_pair, seed, id=f"random{seed}") for seed in SEEDS],
]


def assert_close(ours: Array, theirs: Array, *, within: float) -> None:
    """Compare relative to the largest number."""
    scale = max(1.0, float(abs(np.asarray(theirs)).max(initial=0.0)))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=within * scale)


# -- against Pinocchio ----------------------------------------------------------------------


@pytest.mark.parametrize(("pair", "name"), PAIRS)
def test_poses_jacobians_and_their_rates_are_pinocchios(pair: Any, name: Any) -> None:
    model, theirs = pair(name)
    rng = np.random.default_rng(1)
    for _ in range(3):
        q, dq = random_posture(model, rng), rng.normal(size=model.n_dof)
        posture, oracle = Posture(model, q), Oracle(model, theirs, q=q, dq=dq)
        for frame in [*(body.name for body in model.bodies), *model.points]:
            pose = oracle.pose(frame)
            assert_close(posture.pose(frame).matrix, pose.matrix, within=1e-10)
            assert_close(posture.position(frame), pose.translation, within=1e-10)
            assert_close(posture.jacobian(frame), oracle.jacobian(frame), within=1e-10)
            assert_close(posture.jacobian_rate(dq, frame) @ dq, oracle.bias(frame), within=1e-9)


@pytest.mark.parametrize(("pair", "name"), PAIRS)
def test_masses_are_pinocchios(pair: Any, name: Any) -> None:
    model, theirs = pair(name)
    rng = np.random.default_rng(2)
    for _ in range(3):
        q = random_posture(model, rng)
        posture, oracle = Posture(model, q), Oracle(model, theirs, q=q)
        assert_close(posture.com, oracle.com, within=1e-9)
        assert_close(posture.com_jacobian, oracle.com_jacobian, within=1e-9)
        assert_close(posture.gravity_torques, oracle.gravity_torques, within=1e-9)
        assert_close(posture.mass_matrix, oracle.mass_matrix, within=1e-9)


# -- against definitions --------------------------------------------------------------------


def rotation_rate(before: Array, after: Array, h: float) -> Array:
    return log_rotation(after @ before.T) / (2 * h)


def slopes(model: Model, q: Array, point: str, h: float = 1e-6) -> Array:
    """Return the Jacobian by central differences, (6, n_dof)."""
    posture, columns = Posture(model, q), []
    for d in h * np.eye(model.n_dof):
        a, b = posture.moved(-d).pose(point), posture.moved(d).pose(point)
        linear = (b.translation - a.translation) / (2 * h)
        columns.append([*linear, *rotation_rate(a.rotation, b.rotation, h)])
    return np.array(columns).T


@pytest.mark.parametrize(("pair", "name"), PAIRS)
def test_jacobian_is_the_slope_of_the_pose(pair: Any, name: Any) -> None:
    model, _ = pair(name)
    rng = np.random.default_rng(3)
    frames = [model.tip, model.bodies[-1].name, model.bodies[len(model.bodies) // 2].name]
    q = random_posture(model, rng)
    for frame in frames:
        assert_close(Posture(model, q).jacobian(frame), slopes(model, q, frame), within=1e-8)


@pytest.mark.parametrize(("pair", "name"), PAIRS)
def test_jacobian_rate_is_the_slope_of_the_jacobian(pair: Any, name: Any) -> None:
    model, _ = pair(name)
    rng, h = np.random.default_rng(4), 1e-6
    q, dq = random_posture(model, rng), rng.normal(size=model.n_dof)
    posture = Posture(model, q)
    for frame in [model.tip, model.bodies[-1].name]:
        after, before = posture.moved(h * dq), posture.moved(-h * dq)
        slope = (after.jacobian(frame) - before.jacobian(frame)) / (2 * h)
        assert_close(posture.jacobian_rate(dq, frame), slope, within=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_masses_follow_from_their_definitions(seed: int) -> None:
    model, rng, h = random_pair(seed)[0], np.random.default_rng(5), 1e-6
    posture = Posture(model, random_posture(model, rng))
    steps = h * np.eye(model.n_dof)
    com = np.array([(posture.moved(d).com - posture.moved(-d).com) / (2 * h) for d in steps]).T
    assert_close(posture.com_jacobian, com, within=1e-8)
    weight = model.mass * np.asarray(model.gravity)
    assert_close(posture.gravity_torques, -weight @ posture.com_jacobian, within=1e-12)
    M = np.zeros((model.n_dof, model.n_dof))
    for body in model.bodies:
        pose = posture.pose(body.name)
        J = posture.jacobian(ControlPoint(body.name, Pose(translation=body.com)))
        inertia = pose.rotation @ body.inertia @ pose.rotation.T
        M += body.mass * J[:3].T @ J[:3] + J[3:].T @ inertia @ J[3:]
    assert_close(posture.mass_matrix, M, within=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_poses_are_those_of_the_plain_recursion(seed: int) -> None:
    model, rng = random_pair(seed)[0], np.random.default_rng(6)
    for _ in range(5):
        posture = Posture(model, random_posture(model, rng))
        plain = world_poses(model, posture.q)
        for name, pose in plain.items():
            assert_close(posture.pose(name).matrix, pose.matrix, within=1e-12)
        for body, row in zip(model.bodies, posture.body_poses, strict=True):
            pose = plain[body.name]
            assert_close(
                row, np.concatenate([pose.rotation.ravel(), pose.translation]), within=1e-12
            )


@pytest.mark.parametrize("tilt", [0.0, 1e-3, 1e-6, 3e-8, 1e-9, 1e-12])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_an_axis_near_z_is_not_rounded_to_it(tilt: float, sign: float) -> None:
    joint = Joint("hinge", "revolute", np.array([tilt, 0.0, sign]))
    model = Model("tilted", (Body("link", joint),))
    posture = Posture(model, [1.0])
    J = posture.jacobian(ControlPoint("link", Pose(translation=np.array([0.0, 1.0, 0.0]))))
    np.testing.assert_allclose(J[3:, 0], joint.axis, atol=1e-15)
    np.testing.assert_allclose(posture.pose().matrix, world_poses(model, posture.q)["link"].matrix,
                               atol=1e-15)  # fmt: skip


# -- moving ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_moved_and_velocity_to_are_inverse(seed: int) -> None:
    model, rng = random_pair(seed)[0], np.random.default_rng(7)
    for _ in range(10):
        start, goal = Posture(model, random_posture(model, rng)), random_posture(model, rng)
        end = start.moved(start.velocity_to(goal))
        for body in model.bodies:
            np.testing.assert_allclose(
                end.pose(body.name).matrix, Posture(model, goal).pose(body.name).matrix, atol=1e-9
            )


UNIT = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 0.1)


@given(UNIT, UNIT, st.floats(-1e-7, 1e-7), st.floats(1e-9, math.pi))
def test_a_root_turned_by_nearly_half_a_turn_moves_exactly(
    one: tuple[float, ...], other: tuple[float, ...], miss: float, angle: float
) -> None:
    model = Model("root", (Body("base", Joint("root", "floating")),))
    turned = np.array(one) / math.hypot(*one) * (math.pi + miss)
    start = Posture(model, [0, 0, 0, *turned])
    turn = np.array(other) / math.hypot(*other) * angle
    end = start.moved([0.1, 0.2, 0.3, *turn])
    expected = exp_rotation(turn) @ exp_rotation(turned)
    np.testing.assert_allclose(end.pose().rotation, expected, atol=1e-14)
    back = start.velocity_to(end.q)
    assert np.linalg.norm(back[3:]) <= math.pi + 1e-12
    np.testing.assert_allclose(
        exp_rotation(back[3:]), exp_rotation(turn), atol=1e-8 if angle > 3.14 else 1e-12
    )


# -- refusals -------------------------------------------------------------------------------


@pytest.mark.parametrize("q", [np.zeros(6), np.zeros(8), np.zeros((7, 1)), 0.0, [math.nan] * 7])
def test_bad_joint_positions_are_refused(q: Any) -> None:
    model = load("panda")
    with pytest.raises(ValueError):
        Posture(model, q)
    posture = Posture(model)
    with pytest.raises(ValueError):
        posture.moved(q)
    with pytest.raises(ValueError):
        posture.velocity_to(q)
    with pytest.raises(ValueError):
        posture.jacobian_rate(q)


def test_a_posture_is_read_only() -> None:
    posture = Posture(load("panda"))
    with pytest.raises(ValueError):
        posture.q[0] = 1.0
    given_q = np.full(7, -0.5)
    posture = Posture(load("panda"), given_q)
    given_q[:] = 0.0
    assert (posture.q == -0.5).all()


# -- how it is asked ------------------------------------------------------------------------


def test_joints_are_given_by_name_and_the_others_are_neutral() -> None:
    model = load("kuka_lwr")
    second, fourth = model.dof_names[1], model.dof_names[3]
    posture = Posture(model, {fourth: 0.5, second: -0.25})
    assert posture.q.tolist() == [0.0, -0.25, 0.0, 0.5, 0.0, 0.0, 0.0]
    assert posture.moved({second: 0.25}).q.tolist() == [0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0]
    assert posture.velocity_to({second: 0.0}).tolist() == [0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0]
    with pytest.raises(UnknownName, match="no joint 'elbow'"):
        Posture(model, {"elbow": 0.1})


def test_the_body_jacobian_gives_velocities_along_the_points_own_axes() -> None:
    model = load("kuka_lwr")
    posture = draw_posture(model, np.random.default_rng(2))
    J, turn = posture.jacobian(frame="point"), posture.pose().rotation
    assert np.allclose(turn @ J[:3], posture.jacobian()[:3], atol=1e-14)
    assert np.allclose(turn @ J[3:], posture.jacobian()[3:], atol=1e-14)
    with pytest.raises(BadField, match="'base' or 'point'"):
        posture.jacobian(frame="world")  # type: ignore[arg-type]


def test_random_postures_stay_inside_the_limits_and_repeat() -> None:
    model = load("kuka_lwr")
    first, again = (draw_posture(model, np.random.default_rng(7)) for _ in range(2))
    assert (first.q == again.q).all()
    assert (first.q >= model.lower).all() and (first.q <= model.upper).all()
