"""URDF: what is read, what is refused and where, agreement with Pinocchio, round trips."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from public_robots import public_urdfs
from random_models import random_tree
from recursive_fk import largest_gap, world_poses

from robotix.errors import BadFile, BadModel
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Sphere, skew
from robotix.model import Body, Joint, Model, PathSegment, PlanarPath
from robotix.model.urdf import load_urdf, parse_urdf
from robotix.model.urdf_writer import save_urdf, to_urdf

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/>
      <mass value="2.5"/>
      <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <origin xyz="0 0 1"/>
      <geometry><box size="1 2 3"/></geometry>
      <material name="blue"/>
    </visual>
    <collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
    <collision><geometry><sphere radius="0.4"/></geometry></collision>
    <collision><geometry><capsule radius="0.1" length="0.5"/></geometry></collision>
    <collision><geometry>
      <mesh filename="package://arm/a.stl" scale="1 -1 0.5"/>
    </geometry></collision>
  </link>
  <link name="lower"/>
  <link name="finger"/>
  <link name="tool0"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" velocity="3" effort="4"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/>
    <child link="lower"/>
    <limit velocity="0" effort="0"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="lower"/>
    <child link="finger"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper="1e16" velocity="1" effort="1"/>
    <mimic joint="shoulder" multiplier="0.5" offset="0.25"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="0 0 0.1"/>
    <parent link="lower"/>
    <child link="tool0"/>
    <axis xyz="0 0 0"/>
  </joint>
  <transmission name="ignored"/>
</robot>
"""


def read(text: str) -> Model:
    return parse_urdf(text, name="arm.urdf")


def test_the_tree() -> None:
    arm = read(ARM)
    assert arm.name == "arm"
    assert [body.name for body in arm.bodies] == ["base", "upper", "lower", "finger", "tool0"]
    assert arm.dof_names == ("shoulder", "elbow")
    assert arm.tip == "tool0"
    placement = arm.body("upper").placement
    np.testing.assert_allclose(placement.matrix, Pose.at(0, 0, 0.5, rpy=(0.1, 0.2, 0.3)).matrix)


def test_joints() -> None:
    shoulder, elbow, grip = (read(ARM).body(name).joint for name in ("upper", "lower", "finger"))
    np.testing.assert_array_equal(shoulder.axis, [0, 0, 1])
    np.testing.assert_array_equal(elbow.axis, [1, 0, 0])  # the standard's default
    assert (shoulder.lower, shoulder.upper) == (-1, 2)
    assert (shoulder.velocity, shoulder.effort, shoulder.acceleration) == (3, 4, math.inf)
    assert (elbow.kind, elbow.lower, elbow.upper) == ("revolute", -math.inf, math.inf)
    assert (elbow.velocity, elbow.effort) == (math.inf, math.inf)  # zero means: not known
    assert grip.upper == math.inf
    assert grip.mimic is not None
    assert (grip.mimic.source, grip.mimic.ratio, grip.mimic.offset) == ("shoulder", 0.5, 0.25)


def test_inertia_is_turned_into_body_axes() -> None:
    upper = read(ARM).body("upper")
    assert upper.mass == 2.5
    np.testing.assert_array_equal(upper.com, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(upper.inertia, np.diag([2, 1, 2.5]), atol=1e-15)


def test_shapes_and_colours() -> None:
    upper = read(ARM).body("upper")
    (visual,) = upper.visuals
    assert isinstance(visual.shape, Box)
    assert visual.rgba == (0, 0, 1, 1)
    np.testing.assert_array_equal(visual.shape.pose.translation, [0, 0, 1])
    cylinder, sphere, capsule, mesh = upper.collision
    assert isinstance(cylinder, Cylinder) and (cylinder.radius, cylinder.length) == (0.1, 2)
    assert isinstance(sphere, Sphere) and sphere.radius == 0.4
    assert isinstance(capsule, Capsule) and capsule.length == 0.5
    assert isinstance(mesh, Mesh) and mesh.uri == "package://arm/a.stl"
    assert mesh.scale == (1, -1, 0.5)


def test_floating_root() -> None:
    arm = parse_urdf(ARM, name="arm.urdf", floating=True)
    assert arm.dof_names[:3] == ("root_x", "root_y", "root_z")
    assert arm.n_dof == 8


def test_a_limit_without_range_sets_none() -> None:
    arm = read(ARM.replace('lower="-1" upper="2" ', ""))
    assert arm.body("upper").joint.upper == math.inf


def test_placeholder_inertia_is_rounded() -> None:
    tiny = ARM.replace('ixx="1" iyy="2" izz="2.5"', 'ixx="-1e-8" iyy="1e-7" izz="1e-7"')
    assert np.linalg.eigvalsh(read(tiny).body("upper").inertia)[0] >= 0


# Each: what is replaced, by what, the text that the refusal points at, and a word of it.
FAULTS: dict[str, tuple[str, str, str, str]] = {
    "doctype": ("<robot", '<!DOCTYPE r [<!ENTITY a "b">]><robot', "[<!E", "DOCTYPE"),
    "entity": ('name="arm"', 'name="&a;"', "<robot", "undefined entity"),
    "mismatch": ("<robot name=", "<sdf name=", "robot>", "mismatched tag"),
    "not a robot": (ARM, "<model/>", "<model", "<robot>"),
    "no links": (ARM, "<robot/>", "<robot", "without links"),
    "xacro": ('<link name="base"/>', "<xacro:arm/>", "<xacro", "xacro"),
    "nan": ('"0 0 0.5"', '"0 0 nan"', 'xyz="0 0 nan"', "3 finite numbers"),
    "infinity": ('"2.5"/>', '"inf"/>', 'value="inf"', "finite number"),
    "overflow": ('"2.5"/>', '"1e999"/>', 'value="1e9', "finite number"),
    "underscore": ('"2.5"/>', '"2_5"/>', 'value="2_5', "finite number"),
    "too few numbers": ('xyz="0 0 0.5"', 'xyz="0 0.5"', 'xyz="0 0.5', "3 finite numbers"),
    "too many numbers": ('"0 0 1 1"', '"0 0 1 1 1"', "rgba", "4 finite numbers"),
    "zero axis": ('xyz="0 0 2"', 'xyz="0  0 0"', 'xyz="0  0', "direction"),
    "inverted limits": ('lower="-1"', 'lower="3"', 'lower="3', "lower ≤ upper"),
    "no way to go": ('lower="0"', 'lower="1e9"', '<limit lower="1e9', "leave a position"),
    "no limit": ("<limit lower=", "<range lower=", '<joint name="shoulder', "<limit>"),
    "negative rate": ('velocity="3"', 'velocity="-3"', 'velocity="-3', "at least 0"),
    "duplicate link": ('"lower"/>', '"upper"/>', 'name="upper"/>', "line 5"),
    "duplicate joint": ('joint name="elbow"', 'joint name="grip"', 'name="grip" type="p', "second"),
    "no name": ('<link name="lower"', "<link", "<link/", 'name="…"'),
    "empty name": ('link name="lower"', 'link name=" "', 'name=" "', "empty name"),
    "two parents": ('child link="tool0"', 'child link="finger"', "*", "second parent"),
    "second root": (
        '<link name="base"/>',
        '<link name="base"/><link name="x"/>',
        '<link name="x',
        "roots",
    ),
    "loop": ('parent link="base"', 'parent link="lower"', '<joint name="shoulder', "closed loop"),
    "no root": ('child link="tool0"', 'child link="base"', '<joint name="mount', "closed loop"),
    "unknown parent": ('parent link="base"', 'parent link="bass"', 'link="bass', "unknown link"),
    "no parent": ('<parent link="base"/>', "", '<joint name="shoulder', "<parent>"),
    "no child": ('<child link="upper"/>', "", '<joint name="shoulder', "<child>"),
    "two children": ('<child link="upper"/>', '<child link="upper"/>' * 2, "*", "second <child>"),
    "planar": ('"continuous"', '"planar"', 'type="planar', "two prismatic"),
    "ball": ('"continuous"', '"ball"', 'type="ball', "three revolute"),
    "unknown type": ('"continuous"', '"screw"', 'type="screw', "one of revolute"),
    "floating inside": ('"continuous"', '"floating"', 'type="floating', "the root 'base'"),
    "negative mass": ('"2.5"/>', '"-1"/>', 'value="-1', "at least 0"),
    "bad inertia": ('ixx="1"', 'ixx="-1"', "<inertia ", "positive semidefinite"),
    "missing inertia": ('ixx="1" ', "", "<inertia ", "ixx"),
    "no mass": ('<mass value="2.5"/>', "", "<inertial", "<mass>"),
    "mimic of unknown": ('mimic joint="shoulder"', 'mimic joint="knee"', 'joint="knee', "unknown"),
    "mimic of itself": ('mimic joint="shoulder"', 'mimic joint="grip"', 'joint="grip', "freely"),
    "mimic of fixed": ('mimic joint="shoulder"', 'mimic joint="mount"', 'joint="mount', "freely"),
    "empty geometry": ('<box size="1 2 3"/>', "", "<geometry></", "empty <geometry>"),
    "unknown geometry": ('<box size="1 2 3"/>', "<cone/>", "<cone", "exactly one of"),
    "flat box": ('size="1 2 3"', 'size="1 2 0"', "<box", "positive"),
    "zero scale": ('scale="1 -1 0.5"', 'scale="1 0 1"', 'scale="1 0', "no zero"),
}


def place_of(text: str, snippet: str) -> tuple[int, int]:
    """Return line and column of the first occurrence of a snippet."""
    before = text[: text.index(snippet)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.mark.parametrize("fault", FAULTS)
def test_refusals_say_where_and_what(fault: str) -> None:
    old, new, snippet, word = FAULTS[fault]
    assert old in ARM
    text = ARM.replace(old, new, 1)
    with pytest.raises(BadFile) as caught:
        read(text)
    assert str(caught.value).startswith("arm.urdf:")
    assert word in str(caught.value)
    if snippet != "*":  # not the first of its kind
        assert (caught.value.line, caught.value.column) == place_of(text, snippet)
    assert caught.value.line > 0 and caught.value.column > 0


def test_size_depth_and_number_of_elements_are_bounded() -> None:
    deep = "<robot>" + "<link>" * 1000
    many = "<robot>" + "<link/>" * 60_000 + "</robot>"
    long = f'<robot name="{"a" * 2000}"><link name="a"/></robot>'
    chain = "".join(f'<link name="{i}"/>' for i in range(2500))
    for text in (deep, many, long, f"<robot>{chain}</robot>", "<robot>" + " " * 2**24 + "</robot>"):
        with pytest.raises(BadFile):
            read(text)


@pytest.mark.parametrize("encoding", ["foo", "hex", "utf-16", "shift_jis"])
def test_wrong_encodings_are_refused(encoding: str) -> None:
    text = ARM.replace('"1.0"?', f'"1.0" encoding="{encoding}"?').replace("arm", "ärm")
    with pytest.raises(BadFile):
        parse_urdf(text.encode("latin-1"), name="arm.urdf")


def test_other_encodings_are_read() -> None:
    text = ARM.replace('"1.0"?', '"1.0" encoding="iso-8859-1"?').replace('"arm"', '"ärm"')
    assert parse_urdf(text.encode("latin-1"), name="arm.urdf").name == "ärm"


# -- public robots --------------------------------------------------------------------------

PUBLIC = public_urdfs()
BROKEN = {
    "alex_description/urdf/alex_psyonic_hands.urdf": "mimic of unknown joint",
    "romeo_description/urdf/romeo_laas_small.urdf": "negative principal moment",
    "ur_description/urdf/ur3.urdf": "without links",
}
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
                load_urdf(path)
        else:
            assert load_urdf(path).bodies


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
