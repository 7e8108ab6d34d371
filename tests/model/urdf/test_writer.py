"""URDF of public robots against Pinocchio, and what is written read again."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from oracles.recursive_fk import largest_gap, world_poses
from support.public_robots import public_urdfs
from support.random_models import random_tree

from robotix.errors import BadFile, BadModel
from robotix.geometry import Array, Box, Halfspace, Pose, skew
from robotix.model import Body, Joint, Model, PathSegment, PlanarPath
from robotix.model.urdf.reader import load_urdf, parse_urdf
from robotix.model.urdf.writer import save_urdf, to_urdf

# -- public robots --------------------------------------------------------------------------

PUBLIC = public_urdfs()
BROKEN = {
    "alex_description/urdf/alex_psyonic_hands.urdf": "mimic of unknown joint",
    "romeo_description/urdf/romeo_laas_small.urdf": "negative principal moment",
    "ur_description/urdf/ur3.urdf": "without links",
}
EMPTY = "ur_description/urdf/ur3.urdf"
COMPARED = [
    "panda_description/urdf/panda.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "talos_data/robots/talos_full_v2.urdf",
    "tiago_description/robots/tiago.urdf",
    "solo_description/robots/solo12.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "icub_description/robots/icub.urdf",
    "pr2_description/urdf/pr2.urdf",
    "kinova_description/robots/kinova.urdf",
]


@pytest.mark.parametrize(
    ("key", "tip"),
    [
        ("panda_description/urdf/panda.urdf", "panda_hand_tcp"),
        ("ur_description/urdf/ur5_robot.urdf", "tool0"),
        ("kinova_description/robots/kinova.urdf", "j2s6s200_end_effector"),
        ("double_pendulum_description/urdf/double_pendulum.urdf", "link2"),  # the outermost
    ],
)
def test_tip_of_public_robots(key: str, tip: str) -> None:
    assert load_urdf(PUBLIC[key]).tip == tip


def test_public_robots_load_or_are_refused_for_good_reason() -> None:
    assert len(PUBLIC) >= 60
    for key, path in PUBLIC.items():
        if key in BROKEN:
            with pytest.raises(BadFile, match=BROKEN[key]):
                load_urdf(path, strict=True)
        if key != EMPTY:
            model = load_urdf(path)
            assert model.bodies
            assert model.notes or key not in BROKEN
    with pytest.raises(BadFile, match="without links"):
        load_urdf(PUBLIC[EMPTY])


def pinocchio_q(model: Model, oracle: pin.Model, q: Array) -> Array:
    """Return our coordinates as Pinocchio wants them: it knows neither mimics nor our root."""
    values = {}
    for body, start in zip(model.bodies, model.dof_start, strict=True):
        mimic = body.joint.mimic
        if body.joint.kind in ("revolute", "prismatic"):
            value = q[start]
            values[body.joint.name] = mimic.ratio * value + mimic.offset if mimic else value
    root = world_poses(model, q)[model.bodies[0].name]
    w, x, y, z = root.quaternion
    theirs = np.zeros(oracle.nq)
    theirs[:7] = [*root.translation, x, y, z, w]
    for i, name in enumerate(oracle.names):
        if name in values:
            at, value = oracle.idx_qs[i], values[name]
            theirs[at : at + oracle.nqs[i]] = (
                [value] if oracle.nqs[i] == 1 else [math.cos(value), math.sin(value)]
            )
    return theirs


@pytest.mark.parametrize("key", COMPARED)
def test_poses_agree_with_pinocchio(key: str) -> None:
    model = load_urdf(PUBLIC[key], floating=True)
    oracle = pin.buildModelFromUrdf(str(PUBLIC[key]), pin.JointModelFreeFlyer())
    data = oracle.createData()
    q = np.random.default_rng(1).uniform(-1.5, 1.5, model.n_dof)
    pin.framesForwardKinematics(oracle, data, pinocchio_q(model, oracle, q))
    for name, pose in world_poses(model, q).items():
        theirs = data.oMf[oracle.getFrameId(name, pin.FrameType.BODY)]
        np.testing.assert_allclose(pose.matrix, theirs.homogeneous, atol=1e-12)


def about_origin(body: Body) -> Array:
    """Return the 6×6 inertia of a body in its own frame, linear before angular."""
    c = skew(body.com)
    turning = body.inertia - body.mass * c @ c
    return np.block([[body.mass * np.eye(3), -body.mass * c], [body.mass * c, turning]])


def rigid_parts(model: Model) -> dict[str, Array]:
    """Return, by moving joint, the inertia of all bodies that it moves as one."""
    carrier: dict[str, tuple[str, Pose]] = {}
    parts: dict[str, Array] = {}
    for body in model.bodies:
        if body.joint.kind != "fixed":
            carrier[body.name] = (body.joint.name, Pose())
            parts[body.joint.name] = np.zeros((6, 6))
        else:
            assert body.parent is not None
            joint, pose = carrier[body.parent]
            carrier[body.name] = (joint, pose @ body.placement)
        joint, pose = carrier[body.name]
        R, p = pose.rotation, skew(pose.translation)
        X = np.block([[R, np.zeros((3, 3))], [p @ R, R]])  # moves wrenches into the joint's frame
        parts[joint] += X @ about_origin(body) @ X.T
    return parts


@pytest.mark.parametrize("key", COMPARED)
def test_masses_agree_with_pinocchio(key: str) -> None:
    model = load_urdf(PUBLIC[key], floating=True)
    oracle = pin.buildModelFromUrdf(str(PUBLIC[key]), pin.JointModelFreeFlyer())
    atol = 1e-7 if "tiago" in key else 1e-10  # its antennas' inertia is rounded
    parts = rigid_parts(model)
    assert len(parts) == oracle.njoints - 1
    for i, name in enumerate(oracle.names[1:], start=1):
        ours = parts["root" if i == 1 else name]
        np.testing.assert_allclose(ours, oracle.inertias[i].matrix(), atol=atol)


@pytest.mark.parametrize("key", ["panda_description/urdf/panda.urdf", COMPARED[1], COMPARED[2]])
def test_limits_agree_with_pinocchio(key: str) -> None:
    model = load_urdf(PUBLIC[key])
    oracle = pin.buildModelFromUrdf(str(PUBLIC[key]))
    for joint in model.joints:
        if joint.kind != "fixed":
            i = oracle.getJointId(joint.name)
            q, v = oracle.idx_qs[i], oracle.idx_vs[i]
            assert joint.lower == oracle.lowerPositionLimit[q]
            assert joint.upper == oracle.upperPositionLimit[q]
            assert joint.velocity == oracle.upperVelocityLimit[v]
            assert joint.effort == oracle.upperEffortLimit[v]


# -- writing --------------------------------------------------------------------------------


def check_same(one: Model, other: Model) -> None:
    """Compare two models body by body and joint by joint."""
    assert set(one.dof_names) == set(other.dof_names)
    for body in one.bodies:
        twin = other.body(body.name)
        assert twin.mass == body.mass
        np.testing.assert_array_equal(twin.com, body.com)
        np.testing.assert_allclose(twin.inertia, body.inertia, atol=1e-15)
        assert [type(s) for s in twin.collision] == [type(s) for s in body.collision]
        assert [v.rgba for v in twin.visuals] == [v.rgba for v in body.visuals]
        if body.parent is None:
            continue
        for key in ("kind", "lower", "upper", "velocity", "acceleration", "effort", "mimic"):
            assert getattr(twin.joint, key) == getattr(body.joint, key)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_reads_the_same(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    model = random_tree(rng, floating=seed % 3 == 0)
    save_urdf(model, tmp_path / "robot.urdf")
    again = load_urdf(tmp_path / "robot.urdf")
    assert again.name == model.name
    check_same(model, again)
    assert largest_gap(model, again, rng) < 1e-12
    np.testing.assert_allclose(
        world_poses(again, again.neutral)["tool"].matrix,
        world_poses(model, model.neutral)["tool"].matrix,
        atol=1e-12,
    )


@pytest.mark.parametrize("key", COMPARED)
def test_public_robots_survive_a_round_trip(key: str) -> None:
    model = load_urdf(PUBLIC[key])
    again = parse_urdf(to_urdf(model), name="again")
    check_same(model, again)
    assert largest_gap(model, again, np.random.default_rng(2)) < 1e-8


def test_pinocchio_reads_what_is_written(tmp_path: Path) -> None:
    model = load_urdf(PUBLIC[COMPARED[0]])
    save_urdf(model, tmp_path / "robot.urdf")
    assert pin.buildModelFromUrdf(str(tmp_path / "robot.urdf")).nv == 9  # it ignores the mimic


def rail() -> Model:
    path = PlanarPath((PathSegment(1.0), PathSegment(2.0, 0.5)), heading=-0.3)
    return Model("rail", (Body("cart", Joint("slide", "path", lower=0, upper=3, path=path)),))


def test_paths_are_refused_or_straightened() -> None:
    with pytest.raises(BadModel, match="approximate=True"):
        to_urdf(rail())
    straight = parse_urdf(to_urdf(rail(), approximate=True), name="rail")
    h, middle = 1e-4, np.array([1.5])
    for s in (middle - h, middle, middle + h):  # second order about the middle of the stroke
        gap = world_poses(straight, s)["cart"].matrix - world_poses(rail(), s)["cart"].matrix
        assert abs(gap[:3, 3]).max() < h**2 + 1e-12
    assert straight.joints[-1].upper == 3


def test_half_spaces_are_refused_or_boxed() -> None:
    floor = Model("floor", (Body("ground", Joint("still"), collision=(Halfspace(),)),))
    with pytest.raises(BadModel, match="half-space"):
        to_urdf(floor)
    (box,) = parse_urdf(to_urdf(floor, approximate=True), name="floor").body("ground").collision
    assert isinstance(box, Box)
    assert box.pose.translation[2] + box.size[2] / 2 == 0


def test_names_that_xml_cannot_hold_are_refused() -> None:
    with pytest.raises(BadModel, match="rename"):
        to_urdf(Model("r", (Body("bell\x07", Joint("still")),)))
