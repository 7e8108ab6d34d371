"""SDF: what is read, where it ends up, what is refused and where."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from oracles.recursive_fk import world_poses

from robotix.errors import BadFile
from robotix.geometry import Box, Capsule, Halfspace, Mesh, Pose, rotation_about
from robotix.model import Model
from robotix.model.load import load_file, load_files
from robotix.model.robots import load
from robotix.model.sdf.reader import load_sdf

INERTIA = "<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia>"
ARM = f"""<?xml version="1.0"?>
<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="upper">
      <pose relative_to="base">0 0 0.5 0.1 0.2 0.3</pose>
      <inertial><pose>0.1 0.2 0.3 0 0 90</pose><mass>2.5</mass>{INERTIA}</inertial>
      <visual name="v">
        <geometry><box><size>1 2 3</size></box></geometry>
        <material><diffuse>0 0 1 0.5</diffuse></material>
      </visual>
      <visual name="w">
        <geometry><mesh><uri>a.stl</uri><scale>1 -1 0.5</scale></mesh></geometry>
        <material><script><name>Gazebo/Red</name></script></material>
      </visual>
      <collision name="c">
        <pose>0 0 1 0 0 0</pose>
        <geometry><capsule><radius>0.1</radius><length>0.5</length></capsule></geometry>
      </collision>
      <collision name="p"><geometry><plane><normal>1 0 0</normal></plane></geometry></collision>
    </link>
    <link name="lower"><pose relative_to="elbow_place"/></link>
    <frame name="elbow_place" attached_to="upper"><pose>0 0.2 0.4 0 0 0.5</pose></frame>
    <joint name="shoulder" type="revolute">
      <parent>base</parent><child>upper</child>
      <axis><xyz>0 0 2</xyz>
        <limit><lower>-1</lower><upper>2</upper><velocity>3</velocity><effort>4</effort></limit>
      </axis>
    </joint>
    <joint name="elbow" type="continuous">
      <pose>0.1 0 0 0 0 0</pose>
      <parent>upper</parent><child>lower</child>
      <axis><xyz expressed_in="upper">0 1 0</xyz></axis>
    </joint>
  </model>
</sdf>
"""


def write(folder: Path, text: str, name: str = "arm.sdf") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str) -> Model:
    (model,) = load_sdf(write(folder, text))
    return model


@pytest.fixture
def arm(tmp_path: Path) -> Model:
    return read(tmp_path, ARM.replace("0 0 90<", f"0 0 {math.pi / 2}<"))


def test_links_joints_and_points(arm: Model) -> None:
    assert arm.name == "arm"
    assert arm.dof_names == ("shoulder", "elbow")
    assert arm.tip == "lower"
    shoulder = arm.body("upper").joint
    assert (shoulder.lower, shoulder.upper, shoulder.velocity, shoulder.effort) == (-1, 2, 3, 4)
    assert arm.lower[1] == -math.inf
    assert arm.point("elbow_place").body == "upper"
    assert arm.mass == pytest.approx(2.5 + 1 + 1)  # a link without inertial has 1 kg


def test_poses_are_those_of_the_standard(arm: Model) -> None:
    """A joint turns what it holds about an axis through its own origin, not the link's."""
    q = np.array([0.4, -0.7])
    upper = Pose.at(0, 0, 0.5, rpy=(0.1, 0.2, 0.3)) @ Pose(rotation_about(np.eye(3)[2], q[0]))
    place = Pose.at(0, 0.2, 0.4, rpy=(0, 0, 0.5))
    axis = place.rotation.T @ np.array([0.0, 1, 0])
    offset = Pose.at(0.1, 0, 0)
    lower = upper @ place @ offset @ Pose(rotation_about(axis, q[1])) @ offset.inverse()
    poses = world_poses(arm, q)
    np.testing.assert_allclose(poses["upper"].matrix, upper.matrix, atol=1e-14)
    np.testing.assert_allclose(poses["lower"].matrix, lower.matrix, atol=1e-14)


def test_inertia_shapes_and_colours(arm: Model, tmp_path: Path) -> None:
    upper = arm.body("upper")
    np.testing.assert_array_equal(upper.com, [0.1, 0.2, 0.3])
    np.testing.assert_allclose(upper.inertia, np.diag([2, 1, 2.5]), atol=1e-12)
    box, mesh = upper.visuals
    assert isinstance(box.shape, Box) and box.rgba == (0, 0, 1, 0.5)
    assert isinstance(mesh.shape, Mesh) and mesh.shape.scale == (1, -1, 0.5)
    assert mesh.shape.uri == str(tmp_path / "a.stl")  # beside the file
    assert mesh.rgba[0] > 0.8 > 0.3 > mesh.rgba[1]  # red
    capsule, plane = upper.collision
    assert isinstance(capsule, Capsule) and capsule.pose.translation[2] == 1
    assert isinstance(plane, Halfspace)
    np.testing.assert_allclose(plane.pose.rotation[:, 2], [1, 0, 0], atol=1e-15)


def one_joint(kind: str, *, more: str = "", axes: str = "", version: str = "1.9") -> str:
    axes = axes or "<axis><xyz>0 0 1</xyz></axis>"
    return f"""<sdf version="{version}"><model name="m"><pose>0 0 1 0 0 0</pose>
      <link name="base"/><link name="part"><pose>0.3 0 0 0 0 1.5707963267948966</pose></link>
      <joint name="j" type="{kind}"><parent>base</parent><child>part</child>{axes}{more}</joint>
    </model></sdf>"""


def turn(axis: int, angle: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(rotation_about(np.eye(3)[axis], angle))


@pytest.mark.parametrize(
    ("text", "names", "rotation", "shift"),
    [
        (one_joint("fixed"), (), np.eye(3), (0, 0, 0)),
        (one_joint("prismatic"), ("j",), np.eye(3), (0, 0, 0.3)),
        (one_joint("ball"), ("j_x", "j_y", "j_z"), turn(0, 0.3) @ turn(1, 0.5) @ turn(2, 0.7), 0),
        (
            one_joint(
                "universal", axes="<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"
            ),
            ("j_1", "j_2"),
            turn(0, 0.3) @ turn(1, 0.5),
            0,
        ),
        (
            one_joint("screw", more="<screw_thread_pitch>0.1</screw_thread_pitch>"),
            ("j",),
            turn(2, 0.3),
            (0, 0, 0.1 * 0.3 / (2 * math.pi)),
        ),
        (
            one_joint("screw", more="<thread_pitch>-50</thread_pitch>", version="1.5"),
            ("j",),
            turn(2, 0.3),
            (0, 0, 0.3 / 50),
        ),
    ],
)  # fmt: skip
def test_kinds_of_joints(
    tmp_path: Path, text: str, names: tuple[str, ...], rotation: object, shift: object
) -> None:
    model = read(tmp_path, text)
    assert model.dof_names == names
    q = np.array([0.3, 0.5, 0.7])[: model.n_dof]
    at_zero = Pose.at(0.3, 0, 1, rpy=(0, 0, math.pi / 2))
    moved = at_zero.inverse() @ world_poses(model, q)["part"]
    np.testing.assert_allclose(moved.rotation, np.asarray(rotation), atol=1e-14)
    np.testing.assert_allclose(moved.translation, np.broadcast_to(np.asarray(shift), 3), atol=1e-14)


def test_axes_of_old_versions_are_those_of_the_model(tmp_path: Path) -> None:
    axes = "<axis><xyz>1 0 0</xyz></axis>"
    for version, axis in (("1.4", [0, -1, 0]), ("1.5", [1, 0, 0])):
        model = read(tmp_path, one_joint("prismatic", axes=axes, version=version))
        np.testing.assert_allclose(model.body("part").joint.axis, axis, atol=1e-15)
    flagged = axes.replace("</axis>", "<use_parent_model_frame>1</use_parent_model_frame></axis>")
    model = read(tmp_path, one_joint("prismatic", axes=flagged, version="1.6"))
    np.testing.assert_allclose(model.body("part").joint.axis, [0, -1, 0], atol=1e-15)


def test_a_joint_may_have_the_name_of_a_link(tmp_path: Path) -> None:
    model = read(tmp_path, one_joint("revolute").replace('joint name="j"', 'joint name="part"'))
    assert model.dof_names == ("part",)


def test_a_mimic_follows_its_leader(tmp_path: Path) -> None:
    mimic = '<mimic joint="shoulder"><multiplier>2</multiplier><offset>1</offset></mimic></axis>'
    text = ARM.replace('upper">0 1 0</xyz></axis>', f'upper">0 1 0</xyz>{mimic}')
    joint = next(j for j in read(tmp_path, text).joints if j.name == "elbow")
    assert joint.mimic is not None
    assert (joint.mimic.source, joint.mimic.ratio, joint.mimic.offset) == ("shoulder", 2, 1)


def test_models_are_nested_and_included(tmp_path: Path) -> None:
    write(tmp_path, ARM, "models/my_arm/model.sdf")
    config = '<model><sdf version="1.4">old.sdf</sdf><sdf version="1.9">model.sdf</sdf></model>'
    write(tmp_path, config, "models/my_arm/model.config")
    text = """<sdf version="1.9"><model name="cart"><link name="plate"/>
      <include><uri>model://my_arm</uri><name>left</name><pose>0 1 0 0 0 0</pose></include>
      <include><uri>model://my_arm</uri><name>right</name>
        <placement_frame>upper</placement_frame><pose>0 -1 0 0 0 0</pose></include>
      <joint name="l" type="fixed"><parent>plate</parent><child>left::base</child></joint>
      <joint name="r" type="fixed"><parent>plate</parent><child>right::base</child></joint>
    </model></sdf>"""
    path = write(tmp_path, text, "cart.sdf")
    model = load(path, packages=[tmp_path / "models"])
    assert model.dof_names == ("left::shoulder", "left::elbow", "right::shoulder", "right::elbow")
    poses = world_poses(model, np.zeros(4))
    np.testing.assert_allclose(poses["left::base"].translation, [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(poses["right::upper"].matrix, Pose.at(0, -1, 0).matrix, atol=1e-15)
    with pytest.raises(BadFile, match=r"my_arm, which was not found.*GZ_SIM_RESOURCE_PATH"):
        load(path)


def test_a_loop_is_opened_and_noted(tmp_path: Path) -> None:
    closing = """<joint name="bar" type="revolute"><parent>base</parent><child>lower</child>
      <axis><xyz>0 0 1</xyz></axis></joint></model>"""
    text = ARM.replace("</model>", closing)
    model = read(tmp_path, text)
    assert model.dof_names == ("shoulder", "elbow")
    assert "closes a loop at link 'lower'" in model.notes[0]
    with pytest.raises(BadFile, match="closes a loop"):
        load_sdf(write(tmp_path, text), strict=True)


def test_loose_links_stand_in_the_world_and_a_root_may_float(tmp_path: Path) -> None:
    model = read(tmp_path, ARM.replace("</model>", '<link name="box"/></model>'))
    assert [body.name for body in model.bodies if body.parent == "world"] == ["base", "box"]
    floating = load_file(write(tmp_path, ARM), None)
    assert floating.bodies[0].joint.kind == "fixed"
    assert load(write(tmp_path, ARM), floating=True).bodies[0].joint.kind == "floating"


def test_of_a_world_the_models_with_joints_are_read(tmp_path: Path) -> None:
    inside = ARM[ARM.index("<model") : ARM.index("</sdf>")]
    floor = '<model name="floor"><link name="ground"/></model>'
    sun = "<include><uri>model://sun</uri></include>"
    text = f'<sdf version="1.9"><world name="w">{floor}{sun}{inside}</world></sdf>'
    assert [model.name for model in load_files(write(tmp_path, text, "w.world"))] == ["arm"]


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ("<sdf version", "<sds version", "</sdf>", "mismatched tag"),
        ('"continuous"', '"hover"', '<joint name="elbow"', "joint type 'hover'"),
        ("<child>lower<", "<child>low<", '<joint name="elbow"', "unknown link 'low'"),
        ("<child>lower</child>", "", '<joint name="elbow"', "<child>"),
        ("elbow_place", "knee", '<link name="lower"', "unknown frame 'knee'"),
        ("0 0 2<", "0 0 0<", "<axis><xyz>0 0 0", "without direction"),
        ("<mass>2.5", "<mass>-1", "<inertial>", "at least 0"),
        ("<mass>2.5", "<mass>much", "<mass>", 'mass="much"'),
        ('version="1.9"', 'version="new"', "<sdf", "version 'new'"),
        ('attached_to="upper"', 'attached_to="elbow_place"', "<frame", "placed by itself"),
    ],
)  # fmt: skip
def test_refusals_say_where_and_what(
    tmp_path: Path, old: str, new: str, where: str, says: str
) -> None:
    text = ARM.replace(old, new, 1)
    with pytest.raises(BadFile) as caught:
        load_sdf(write(tmp_path, text))
    assert says in str(caught.value)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if where in line]
    assert caught.value.line in lines, str(caught.value)
