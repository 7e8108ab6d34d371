"""MJCF: agreement with MuJoCo itself, what is refused and where, round trips, hostile files."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest
from oracles.recursive_fk import largest_gap, world_poses
from support.public_robots import public_mjcfs, public_urdfs
from support.random_models import random_tree

from robotix.errors import BadFile, BadModel
from robotix.geometry import Array, Box, Halfspace, Mesh, Pose, Sphere
from robotix.model import Body, ControlPoint, Joint, Model, PathSegment, PlanarPath
from robotix.model.mjcf.compiler import MjcfCompiler
from robotix.model.mjcf.reader import load_mjcf
from robotix.model.mjcf.writer import save_mjcf, to_mjcf
from robotix.model.urdf.reader import load_urdf

ROBOT = """<mujoco model="odd arm">
  <compiler angle="degree"/>
  <option gravity="0 0 -3.7"/>
  <default>
    <joint damping="1"/>
    <default class="blue"><geom rgba="0 0 1 1"/></default>
  </default>
  <asset><mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1" scale="0.1 0.2 0.3"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="base" pos="0 0 1" euler="10 20 30">
      <geom type="box" size="0.1 0.2 0.3" contype="0" conaffinity="0"/>
      <body name="upper" pos="0.1 0 0.2" euler="0 30 0">
        <joint name="yaw" axis="0 0 1" pos="0.1 0.2 0.3" range="-90 90" ref="15"/>
        <joint name="lift" type="slide" axis="1 1 0" pos="1 2 3" range="-1 2" ref="0.2"/>
        <joint name="roll" axis="1 0 1" actuatorfrcrange="-7 7"/>
        <geom class="blue" type="capsule" size="0.05" fromto="0 0 0 0 0 0.4"/>
        <frame pos="0 0 0.4" euler="0 90 0">
          <body>
            <joint axis="0 1 0" pos="0 0 0.1" ref="20"/>
            <geom type="mesh" mesh="wedge" pos="0.1 0 0"/>
            <geom type="ellipsoid" size="0.1 0.2 0.3"/>
            <site name="hand" pos="0 0 0.1" euler="0 0 45"/>
            <site/>
          </body>
        </frame>
        <body name="finger" pos="0 0.1 0">
          <joint name="finger" type="slide" axis="0 1 0" range="0 0.1"/>
          <geom type="sphere" size="0.1" group="3"/>
        </body>
      </body>
    </body>
    <body name="ball" pos="1 2 3" euler="40 50 60">
      <freejoint name="ball"/>
      <geom type="cylinder" size="0.1 0.2"/>
    </body>
  </worldbody>
  <equality>
    <joint joint1="finger" joint2="yaw" polycoef="0.1 0.5 0 0 0"/>
    <joint joint1="lift" joint2="roll" polycoef="0 1 1 0 0"/>
  </equality>
  <actuator>
    <motor joint="yaw" gear="3" forcerange="-5 5"/>
    <motor joint="lift"/>
  </actuator>
</mujoco>
"""


@pytest.fixture(scope="module", autouse=True)
def quiet() -> Iterator[None]:
    """Keep MuJoCo's warnings out of a log file in the present folder."""
    mujoco.set_mju_user_warning(lambda _: None)
    yield
    mujoco.set_mju_user_warning(None)


@pytest.fixture(scope="module")
def compiler() -> Iterator[MjcfCompiler]:
    with MjcfCompiler(timeout=30.0) as shared:
        yield shared


@pytest.fixture
def robot(tmp_path: Path, compiler: MjcfCompiler) -> Model:
    return load_text(ROBOT, tmp_path, compiler)


def load_text(text: str, folder: Path, compiler: MjcfCompiler) -> Model:
    (folder / "robot.xml").write_text(text, encoding="utf-8")
    return load_mjcf(folder / "robot.xml", compiler=compiler)


def check_poses(model: Model, oracle: mujoco.MjModel, rng: np.random.Generator) -> None:
    """Compare all bodies and sites with MuJoCo's in a random posture."""
    data = mujoco.MjData(oracle)
    q = rng.uniform(-1, 1, model.n_dof)
    ours = world_poses(model, q)
    moved = dict(zip((body.joint.name for body in model.bodies), model.dof_start, strict=True))
    for i in range(oracle.njnt):
        name = oracle.joint(i).name or f"body_{oracle.jnt_bodyid[i]}_joint"
        at, joint = oracle.jnt_qposadr[i], next(j for j in model.joints if j.name == name)
        if joint.kind == "floating":
            body = next(body.name for body in model.bodies if body.joint is joint)
            data.qpos[at : at + 7] = [*ours[body].translation, *ours[body].quaternion]
        else:
            value = q[moved[name]]
            mimic = joint.mimic
            data.qpos[at] = mimic.ratio * value + mimic.offset if mimic else value
    mujoco.mj_kinematics(oracle, data)
    for i in range(oracle.nbody):
        pose = ours[oracle.body(i).name or f"body_{i}"]
        check_pose(pose, data.xpos[i], data.xmat[i])
    for i in range(oracle.nsite):
        if oracle.site(i).name:
            check_pose(ours[oracle.site(i).name], data.site_xpos[i], data.site_xmat[i])


def check_pose(pose: Pose, position: Array, rotation: Array) -> None:
    np.testing.assert_allclose(pose.translation, position, atol=1e-12)
    np.testing.assert_allclose(pose.rotation, rotation.reshape(3, 3), atol=1e-12)


def check_masses(model: Model, oracle: mujoco.MjModel) -> None:
    assert math.isclose(model.mass, oracle.body_mass.sum(), rel_tol=1e-12)
    for i in range(oracle.nbody):
        body = model.body(oracle.body(i).name or f"body_{i}")
        R = Pose.from_quaternion(oracle.body_ipos[i], oracle.body_iquat[i])
        inertia = R.rotation @ np.diag(oracle.body_inertia[i]) @ R.rotation.T
        np.testing.assert_allclose(body.inertia, inertia, atol=1e-14)
        np.testing.assert_array_equal(body.com, R.translation)


# -- reading --------------------------------------------------------------------------------


def test_poses_and_masses_are_mujocos(robot: Model) -> None:
    oracle = mujoco.MjModel.from_xml_string(ROBOT)
    for seed in range(5):
        check_poses(robot, oracle, np.random.default_rng(seed))
    check_masses(robot, oracle)


def test_zero_of_a_free_joint_is_the_files_own_pose(robot: Model) -> None:
    data = mujoco.MjData(mujoco.MjModel.from_xml_string(ROBOT))
    mujoco.mj_kinematics(data.model, data)
    ball = world_poses(robot, robot.neutral)["ball"]
    check_pose(ball, data.body("ball").xpos, data.body("ball").xmat)


def test_joints_limits_and_names(robot: Model) -> None:
    joints = {joint.name: joint for joint in robot.joints}
    assert robot.name == "odd arm"
    names = ("yaw", "lift", "roll", "body_3_joint", "ball_x")
    assert tuple(name for name in robot.dof_names if name in names) == names
    assert joints["yaw"].upper == pytest.approx(math.pi / 2)
    assert (joints["lift"].lower, joints["lift"].upper) == (-1, 2)
    assert joints["roll"].upper == math.inf
    assert joints["yaw"].effort == 15 and joints["roll"].effort == 7
    assert joints["lift"].effort == math.inf and joints["yaw"].velocity == math.inf
    mimic = joints["finger"].mimic
    assert mimic is not None and (mimic.source, mimic.ratio) == ("yaw", 0.5)
    assert mimic.offset == pytest.approx(0.1 - 0.5 * math.radians(15))
    np.testing.assert_array_equal(robot.gravity, [0, 0, -3.7])


def test_shapes_points_and_what_is_left_out(robot: Model) -> None:
    (floor,) = robot.body("world").collision
    assert isinstance(floor, Halfspace)
    assert robot.body("base").collision == ()
    (box,) = robot.body("base").visuals
    assert isinstance(box.shape, Box)
    np.testing.assert_allclose(box.shape.size, [0.2, 0.4, 0.6])
    assert robot.body("upper").visuals[0].rgba == (0, 0, 1, 1)
    assert isinstance(robot.body("finger").collision[0], Sphere)
    assert robot.body("finger").visuals == ()
    (mesh,) = robot.body("body_3").collision
    assert isinstance(mesh, Mesh) and (mesh.uri, mesh.scale) == ("wedge", (0.1, 0.2, 0.3))
    np.testing.assert_allclose(mesh.pose.matrix, Pose.at(0.1, 0, 0).matrix, atol=1e-12)
    assert set(robot.points) == {"hand"}
    assert "1 ellipsoid geom" in robot.source and "1 equality" in robot.source


PUBLIC = public_mjcfs()


@pytest.mark.skipif(not PUBLIC, reason="needs the MJCF files of the package gymnasium")
@pytest.mark.parametrize("name", ["ant", "humanoid", "half_cheetah", "walker2d", "pusher"])
def test_public_robots_agree_with_mujoco(name: str, compiler: MjcfCompiler) -> None:
    model = load_mjcf(PUBLIC[name], compiler=compiler)
    oracle = mujoco.MjModel.from_xml_path(str(PUBLIC[name]))
    check_poses(model, oracle, np.random.default_rng(3))
    check_masses(model, oracle)


def test_a_compiler_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(ROBOT)
    assert load_mjcf(tmp_path / "robot.xml", timeout=30.0).n_dof == 10


def test_includes_are_followed(tmp_path: Path, compiler: MjcfCompiler) -> None:
    part = '<mujoco><worldbody><body name="part"><geom size="1"/></body></worldbody></mujoco>'
    (tmp_path / "part.xml").write_text(part)
    whole = '<mujoco><include file="part.xml"/></mujoco>'
    assert [body.name for body in load_text(whole, tmp_path, compiler).bodies] == ["world", "part"]


# -- refusing -------------------------------------------------------------------------------

# Each: what is replaced, by what, line of the refusal and a word of it.
FAULTS: dict[str, tuple[str, str, int, str]] = {
    "doctype": ("<mujoco ", "<!DOCTYPE a [\n]><mujoco ", 1, "DOCTYPE"),
    "a URDF": (ROBOT, "<robot/>", 1, "URDF"),
    "broken XML": ("</actuator>", "", 46, "mismatched tag"),
    "unknown attribute": ('ref="15"', 'reef="15"', 14, "unrecognized attribute: 'reef'"),
    "unknown element": ("<motor joint=\"lift\"/>", "<engine/>", 44, "unrecognized element"),
    "nan": ('pos="0 0 1"', 'pos="0 0 nan"', 11, "finite"),
    "infinity": ('pos="0 0 1"', 'pos="0 0 1e999"', 11, "finite numbers"),
    "no direction": ('euler="10 20 30"', 'quat="0 0 0 0"', 11, "MuJoCo"),
    "far away": ('pos="0 0 1"', 'pos="0 0 1e200"', 11, "up to 1e+12"),
    "zero axis": ('axis="0 0 1"', 'axis="0 0 0"', 14, "axis too small"),
    "inverted range": ('range="-1 2"', 'range="2 -1"', 15, "lower limit first"),
    "duplicate": ('name="lift"', 'name="yaw"', 15, "repeated name"),
    "nested free joint": ('<joint name="finger"', '<freejoint/><joint name="finger"', 27, "dofs"),
    "unknown joint": ('motor joint="lift"', 'motor joint="left"', 44, "left"),
    "missing mesh": ('vertex="0 0 0  1 0 0  0 1 0  0 0 1"', 'file="none.stl"', 8, "none.stl"),
    "missing include": ("<option", '<include file="none.xml"/><option', 3, "none.xml"),
    "self include": ("<option", '<include file="robot.xml"/><option', 3, "included again"),
    "no mass": ('size="0.1" group="3"', 'size="0.1" mass="0"', 27, "mass and inertia"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_refusals_say_where_and_what(fault: str, tmp_path: Path, compiler: MjcfCompiler) -> None:
    old, new, line, word = FAULTS[fault]
    assert old in ROBOT
    with pytest.raises(BadFile) as caught:
        load_text(ROBOT.replace(old, new, 1), tmp_path, compiler)
    assert word in str(caught.value)
    assert caught.value.line == line
    assert caught.value.column > 0


def test_a_fault_in_an_included_file_is_found_there(tmp_path: Path, compiler: MjcfCompiler) -> None:
    (tmp_path / "part.xml").write_text("<mujoco>\n\n  <worldbody><bodi/></worldbody></mujoco>")
    with pytest.raises(BadFile, match=r"part\.xml:3:14: .*unrecognized element"):
        load_text('<mujoco>\n<include file="part.xml"/></mujoco>', tmp_path, compiler)


def test_not_utf8_is_refused(tmp_path: Path, compiler: MjcfCompiler) -> None:
    (tmp_path / "robot.xml").write_bytes(ROBOT.replace("odd", "ödd").encode("latin-1"))
    with pytest.raises(BadFile, match="0xf6, which is not UTF-8"):
        load_mjcf(tmp_path / "robot.xml", compiler=compiler)


BOMBS = {
    "replicates": '<worldbody><replicate count="1000000"><body/></replicate></worldbody>',
    "nested replicates": "<worldbody>" + '<replicate count="999">' * 3 + "<body/>"
    "</replicate></replicate></replicate></worldbody>",
    "keyframes": '<size nkey="2000000000"/>',
    "deep": "<worldbody>" + "<body>" * 1000 + "</body>" * 1000 + "</worldbody>",
    "many": "<worldbody>" + "<body/>" * 3000 + "</worldbody>",
    "texture": '<asset><texture name="t" builtin="flat" width="60000" height="60000"/></asset>',
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_refused(bomb: str, tmp_path: Path, compiler: MjcfCompiler) -> None:
    with pytest.raises(BadFile):
        load_text(f"<mujoco>{BOMBS[bomb]}</mujoco>", tmp_path, compiler)


def test_a_crash_of_the_compiler_is_survived(tmp_path: Path) -> None:
    crash = (
        '<mujoco><asset><hfield name="h" nrow="65536" ncol="65537" size="1 1 1 1"/></asset>'
        '<worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
    )
    with MjcfCompiler(timeout=30.0) as own:
        with pytest.raises(BadFile, match="crashed"):
            load_text(crash, tmp_path, own)
        assert load_text(ROBOT, tmp_path, own).n_dof == 10


def test_patience_is_bounded(tmp_path: Path) -> None:
    with MjcfCompiler(timeout=0.0) as hasty, pytest.raises(BadFile, match="stopped after 0 s"):
        load_text(ROBOT, tmp_path, hasty)


# -- writing --------------------------------------------------------------------------------


def check_same(model: Model, again: Model) -> None:
    assert set(model.dof_names) == set(again.dof_names)
    for body in model.bodies:
        twin = again.body(body.name)
        assert twin.mass == pytest.approx(body.mass, abs=2e-9)
        np.testing.assert_allclose(twin.com, body.com, atol=1e-12)
        np.testing.assert_allclose(twin.inertia, body.inertia, atol=1e-8)
        if body.joint.kind in ("revolute", "prismatic"):
            for key in ("kind", "lower", "upper", "effort", "mimic"):
                assert getattr(twin.joint, key) == getattr(body.joint, key)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_reads_the_same(seed: int, tmp_path: Path, compiler: MjcfCompiler) -> None:
    rng = np.random.default_rng(seed)
    model = random_tree(rng, floating=seed % 3 == 0, meshes=False)
    save_mjcf(model, tmp_path / "again.xml")
    again = load_mjcf(tmp_path / "again.xml", compiler=compiler)
    assert again.name == model.name and set(again.points) == {"tool"}
    check_same(model, again)
    assert largest_gap(model, again, rng) < 1e-12
    for body in model.bodies:
        twin = again.body(body.name)
        assert [type(s) for s in twin.collision] == [type(s) for s in body.collision]
        assert [v.rgba for v in twin.visuals] == [v.rgba for v in body.visuals]


def test_the_odd_arm_survives_a_round_trip(
    robot: Model, tmp_path: Path, compiler: MjcfCompiler
) -> None:
    again = load_text(to_mjcf(robot, meshes=False), tmp_path, compiler)
    check_same(robot, again)
    assert largest_gap(robot, again, np.random.default_rng(4)) < 1e-12
    np.testing.assert_array_equal(again.gravity, robot.gravity)


@pytest.mark.parametrize(
    "key",
    ["panda_description/urdf/panda.urdf", "talos_data/robots/talos_full_v2.urdf"],
)
def test_mujoco_moves_public_robots_as_we_do(key: str) -> None:
    model = load_urdf(public_urdfs()[key], floating="talos" in key)
    oracle = mujoco.MjModel.from_xml_string(to_mjcf(model, meshes=False))
    grounded = Model("x", (Body("world", Joint("world")), *model.bodies))
    check_poses(grounded, oracle, np.random.default_rng(5))
    assert oracle.body_mass.sum() == pytest.approx(model.mass, abs=1e-7)


def test_meshes_are_listed_once() -> None:
    meshes = (Mesh("a.stl"), Mesh("a.stl", pose=Pose.at(1, 0, 0)), Mesh("b.stl"))
    text = to_mjcf(Model("m", (Body("b", Joint("j"), collision=meshes),)))
    assert text.count("<mesh ") == 2 and text.count('mesh="mesh_0"') == 2
    assert "mesh" not in to_mjcf(
        Model("m", (Body("b", Joint("j"), collision=meshes),)), meshes=False
    )


def test_impossible_inertia_becomes_possible() -> None:
    flat = Body("b", Joint("j", "revolute"), mass=1.0, inertia=np.diag([0.1, 0.1, 1.0]))
    moments = mujoco.MjModel.from_xml_string(to_mjcf(Model("m", (flat,)))).body("b").inertia
    assert sorted(moments) == pytest.approx([11 / 30, 11 / 30, 22 / 30])


def test_a_locked_joint_and_one_sided_limits_can_be_written() -> None:
    locked = Body("a", Joint("a", "revolute", lower=1, upper=1))
    open_end = Body("b", Joint("b", "prismatic", lower=0), "a")
    oracle = mujoco.MjModel.from_xml_string(to_mjcf(Model("m", (locked, open_end))))
    np.testing.assert_allclose(oracle.jnt_range, np.array([[1, 1], [0, 1e9]]), atol=2e-9)


def test_what_cannot_be_written_is_refused() -> None:
    path = PlanarPath((PathSegment(1.0),))
    rail = Model("rail", (Body("cart", Joint("slide", "path", path=path)),))
    with pytest.raises(BadModel, match="approximate=True"):
        to_mjcf(rail)
    assert 'type="slide"' in to_mjcf(rail, approximate=True)
    with pytest.raises(BadModel, match="half-space"):
        to_mjcf(Model("m", (Body("b", Joint("j"), collision=(Halfspace(),)),)))
    with pytest.raises(BadModel, match="rename"):
        to_mjcf(Model("m", (Body("world", Joint("j", "floating")),)))
    chain = [Body("0", Joint("0"))]
    for i in range(1, 500):
        chain.append(Body(str(i), Joint(str(i)), str(i - 1)))
    with pytest.raises(BadModel, match="deeper"):
        to_mjcf(Model("m", tuple(chain)))


def test_points_become_sites() -> None:
    model = Model("m", (Body("b", Joint("j")),), points={"p": ControlPoint("b", Pose.at(1, 2, 3))})
    oracle = mujoco.MjModel.from_xml_string(to_mjcf(model))
    np.testing.assert_array_equal(oracle.site("p").pos, [1, 2, 3])
