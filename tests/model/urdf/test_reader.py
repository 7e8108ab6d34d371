"""URDF: what is read, what is refused and where."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
import pytest
from oracles.recursive_fk import world_poses

from robotix.errors import BadFile
from robotix.geometry import Box, Capsule, Cylinder, Mesh, Pose, Sphere, rotation_about
from robotix.model import Model
from robotix.model.urdf.reader import parse_urdf

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


COMPOSED = {
    "planar": ("elbow_x", "elbow_y", "elbow_yaw"),
    "ball": ("elbow_x", "elbow_y", "elbow_z"),
    "spherical": ("elbow_x", "elbow_y", "elbow_z"),
    "floating": tuple(f"elbow_{part}" for part in ("x", "y", "z", "rx", "ry", "rz")),
}


@pytest.mark.parametrize("kind", COMPOSED)
def test_joints_of_several_coordinates_are_hinges_and_sliders(kind: str) -> None:
    arm = read(ARM.replace('"continuous"', f'"{kind}"'))
    names = COMPOSED[kind]
    assert arm.dof_names == ("shoulder", *names)
    q = np.linspace(0.1, 0.9, arm.n_dof)
    upper, lower = (world_poses(arm, q)[name] for name in ("upper", "lower"))
    joint = upper.inverse() @ lower  # the joint is at the origin of `upper`
    value = dict(zip(arm.dof_names, q, strict=True))
    if kind == "planar":  # in the plane across the standard's axis x
        turn = rotation_about(np.array([1.0, 0, 0]), value["elbow_yaw"])
        np.testing.assert_allclose(joint.rotation, turn, atol=1e-14)
        place = joint.translation
        assert place[0] == pytest.approx(0)
        assert np.linalg.norm(place) == pytest.approx(np.hypot(value["elbow_x"], value["elbow_y"]))
        return
    axes = names[-3:]
    turns = [rotation_about(np.eye(3)[i], value[name]) for i, name in enumerate(axes)]
    np.testing.assert_allclose(joint.rotation, turns[0] @ turns[1] @ turns[2], atol=1e-14)
    shift = [value[name] for name in names[:3]] if kind == "floating" else [0.0, 0.0, 0.0]
    np.testing.assert_allclose(joint.translation, shift, atol=1e-14)


def test_a_planar_joint_about_z_is_pinocchios() -> None:
    text = ARM.replace('"continuous">', '"planar"><axis xyz="0 0 1"/>')
    arm, theirs = read(text), pin.buildModelFromXML(text)
    data, q = theirs.createData(), np.array([0.3, 0.1, -0.2, 0.7])
    full = pin.neutral(theirs)
    full[theirs.joints[theirs.getJointId("shoulder")].idx_q] = q[0]
    at = theirs.joints[theirs.getJointId("elbow")].idx_q
    full[at : at + 4] = q[1], q[2], math.cos(q[3]), math.sin(q[3])
    pin.framesForwardKinematics(theirs, data, full)
    frame = data.oMf[theirs.getFrameId("lower")].homogeneous
    np.testing.assert_allclose(world_poses(arm, q)["lower"].matrix, frame, atol=1e-14)


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
    "unknown type": ('"continuous"', '"screw"', 'type="screw', "one of revolute"),
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
        parse_urdf(text, name="arm.urdf", strict=True)
    assert str(caught.value).startswith("arm.urdf:")
    assert word in str(caught.value)
    if snippet != "*":  # not the first of its kind
        assert (caught.value.line, caught.value.column) == place_of(text, snippet)
    assert caught.value.line > 0 and caught.value.column > 0


# Flaws that leave the kinematics clear: what is replaced, by what, and what the note says.
FLAWS: dict[str, tuple[str, str, str]] = {
    "size 0": ('size="1 2 3"', 'size="0 0 0"', "this <visual> is left out"),
    "no geometry": ('<box size="1 2 3"/>', "", "this <visual> is left out"),
    "unknown geometry": ('<box size="1 2 3"/>', "<plane/>", "this <visual> is left out"),
    "second material": (
        '<material name="blue"/>',
        '<material name="blue"/><material name="red"/>',
        "a second <material>; the first counts",
    ),
    "colour": ('rgba="0 0 1 1"', 'rgba="0 0 1"', "this colour is left out"),
    "xacro": ('<link name="base"/>', '<link name="base"/><xacro:arm/>', "<xacro:arm>; passed over"),
    "mimic of unknown": ('mimic joint="shoulder"', 'mimic joint="knee"', "'grip' moves freely"),
    "inverted limits": ('lower="-1"', 'lower="3"', "lower=3 above upper=2; the joint is read as"),
    "no limit": ("<limit lower=", "<range lower=", "without <limit>; the joint is read as unl"),
    "negative rate": ('velocity="3"', 'velocity="-1"', "velocity=-1; read as unlimited"),
    "scale": ('scale="1 -1 0.5"', 'scale="0.5"', "read as 0.5 along all axes"),
    "four numbers": ('xyz="0 0 0.5"', 'xyz="0 0 0.5 0"', "read as 0 0 0.5"),
    "commas": ('xyz="0 0 0.5"', 'xyz="0, 0, 0.5"', "read as 0 0 0.5"),
    "inertia": ('ixx="1"', 'ixx="-1"', "the nearest inertia without is used"),
    "products": ('ixy="', 'unknown="', "<inertia> without ixy=; read as 0"),
    "unknown parent": ('parent link="base"', 'parent link="world"', "a link without mass or shape"),
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_is_got_by_and_noted(flaw: str) -> None:
    old, new, note = FLAWS[flaw]
    assert old in ARM
    text = ARM.replace(old, new, 1)
    if flaw == "unknown parent":
        text = text.replace('<link name="base"/>', "")
    arm = parse_urdf(text, name="arm.urdf")
    assert any(note in line and line.startswith("arm.urdf:") for line in arm.notes), arm.notes
    with pytest.raises(BadFile):
        parse_urdf(text, name="arm.urdf", strict=True)


def test_a_file_without_flaws_has_no_notes() -> None:
    assert read(ARM).notes == ()


def test_what_is_left_out_leaves_the_rest_as_it_was() -> None:
    plain, flawed = read(ARM), read(ARM.replace('size="1 2 3"', 'size="0 0 0"', 1))
    assert [b.name for b in flawed.bodies] == [b.name for b in plain.bodies]
    assert len(flawed.body("upper").visuals) == len(plain.body("upper").visuals) - 1
    swapped = read(ARM.replace('lower="-1"', 'lower="3"', 1)).body("upper").joint
    assert (swapped.lower, swapped.upper) == (-math.inf, math.inf)


def test_a_mimic_of_a_mimic_follows_the_free_joint() -> None:
    row = "".join(f'<link name="{name}"/>' for name in "abcd")
    for child, mimic in (
        ("b", ""),
        ("c", '<mimic joint="jb" multiplier="2" offset="0.1"/>'),
        ("d", '<mimic joint="jc" multiplier="-3" offset="0.5"/>'),
    ):
        row += f'<joint name="j{child}" type="continuous"><parent link="a"/>'
        row += f'<child link="{child}"/>{mimic}</joint>'
    arm = read(f'<robot name="row">{row}</robot>')
    followed = arm.body("d").joint.mimic
    assert followed is not None
    assert (followed.source, followed.ratio) == ("jb", -6.0)
    assert math.isclose(followed.offset, 0.2)  # -3 · 0.1 + 0.5
    assert any("'jb' with the ratio -6" in note for note in arm.notes)


def test_notes_are_bounded() -> None:
    many = "".join(f"<xacro:a{i}/>" for i in range(1000))
    notes = read(f'<robot><link name="a"/>{many}</robot>').notes
    assert len(notes) == 41
    assert notes[-1] == "and 960 more flaws"


def test_a_flaw_that_comes_again_is_noted_once() -> None:
    (note,) = read(f'<robot><link name="a"/>{"<xacro:a/>" * 1000}</robot>').notes
    assert note.startswith("arm.urdf:1:")
    assert note.endswith("(1000 times in this file)")


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
