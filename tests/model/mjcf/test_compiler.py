"""MJCF read as MuJoCo reads it: includes, names, gravity, armature, ball joints, bounds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest

from robotix.errors import BadField, BadFile
from robotix.geometry import Array, Pose, rotation_about
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.model.mjcf.compiler import MjcfCompiler
from robotix.model.mjcf.reader import load_mjcf
from robotix.model.mjcf.writer import to_mjcf


@pytest.fixture(scope="module")
def compiler() -> Iterator[MjcfCompiler]:
    with MjcfCompiler(timeout=30.0) as shared:
        yield shared


def load_text(text: str, folder: Path, compiler: MjcfCompiler) -> Model:
    (folder / "robot.xml").write_text(text, encoding="utf-8")
    return load_mjcf(folder / "robot.xml", compiler=compiler)


def check_pose(pose: Pose, position: Array, rotation: Array) -> None:
    np.testing.assert_allclose(pose.translation, position, atol=1e-12)
    np.testing.assert_allclose(pose.rotation, rotation.reshape(3, 3), atol=1e-12)


def test_nested_includes_are_looked_for_as_mujoco_does(
    tmp_path: Path, compiler: MjcfCompiler
) -> None:
    """Relative to the main file first, then to the including one."""
    (tmp_path / "parts").mkdir()
    whole = '<mujoco><include file="parts/arm.xml"/></mujoco>'
    inner = '<mujoco><body name="{}"><geom size="1"/></body></mujoco>'
    (tmp_path / "parts" / "arm.xml").write_text(
        '<mujoco><worldbody><include file="hand.xml"/></worldbody></mujoco>'
    )
    (tmp_path / "parts" / "hand.xml").write_text(inner.format("beside"))
    assert load_text(whole, tmp_path, compiler).bodies[-1].name == "beside"
    (tmp_path / "hand.xml").write_text(inner.format("main"))
    model = load_text(whole, tmp_path, compiler)
    oracle = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    assert [body.name for body in model.bodies] == [oracle.body(i).name for i in range(2)]


def test_a_site_does_not_hide_the_body_of_its_name(tmp_path: Path, compiler: MjcfCompiler) -> None:
    text = """<mujoco><worldbody><body name="cup" pos="0 0 1"><geom size="0.1"/>
    <site name="cup" pos="0.5 0 0"/><site name="rim"/></body></worldbody></mujoco>"""
    model = load_text(text, tmp_path, compiler)
    assert Posture(model).position("cup").tolist() == [0.0, 0.0, 1.0]
    assert Posture(model).position("cup_site").tolist() == [0.5, 0.0, 1.0]
    assert set(model.points) == {"cup_site", "rim"}
    assert any("'cup_site'" in note for note in model.notes)


def test_gravity_that_is_switched_off_is_off(tmp_path: Path, compiler: MjcfCompiler) -> None:
    text = '<mujoco><option gravity="0 0 -5"><flag gravity="{}"/></option></mujoco>'
    assert not load_text(text.format("disable"), tmp_path, compiler).gravity.any()
    assert load_text(text.format("enable"), tmp_path, compiler).gravity.tolist() == [0, 0, -5]


def test_the_armature_is_kept_and_written(tmp_path: Path, compiler: MjcfCompiler) -> None:
    text = """<mujoco><worldbody><body name="a"><joint name="j" armature="0.25"/>
    <geom size="0.1"/></body></worldbody></mujoco>"""
    model = load_text(text, tmp_path, compiler)
    assert model.body("a").joint.armature == 0.25
    assert load_text(to_mjcf(model), tmp_path, compiler).body("a").joint.armature == 0.25


def test_a_missing_mesh_says_to_copy_the_whole_folder(
    tmp_path: Path, compiler: MjcfCompiler
) -> None:
    text = """<mujoco><asset><mesh file="away.stl"/></asset><worldbody><body><geom type="mesh"
    mesh="away"/></body></worldbody></mujoco>"""
    with pytest.raises(BadFile, match=r"'away.stl'; expected that file; copy the whole folder"):
        load_text(text, tmp_path, compiler)


CHAIN = [("b", "a", 2.0, 0.1), ("c", "b", -3.0, 0.2), ("d", "c", 1.0, 0.0)]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)])
def test_a_joint_tied_to_a_tied_one_follows_the_first(
    order: tuple[int, ...], tmp_path: Path, compiler: MjcfCompiler
) -> None:
    bodies = "".join(
        f'<body name="{name}"><joint name="{name}" ref="{ref}"/><geom size="0.1"/></body>'
        for name, ref in (("a", 0), ("b", 10), ("c", 0), ("d", 0))
    )
    ties = "".join(
        '<joint joint1="{0}" joint2="{1}" polycoef="{3} {2} 0 0 0"/>'.format(*CHAIN[i])
        for i in order
    )
    back = '<joint joint1="a" joint2="d"/>'  # closes a loop: left out
    text = f"<mujoco><worldbody>{bodies}</worldbody><equality>{ties}{back}</equality></mujoco>"
    model = load_text(text, tmp_path, compiler)
    assert model.dof_names == ("a",)
    zero, at = np.radians(10.0), 0.7
    b = zero + 0.1 + 2.0 * at
    c = 0.2 - 3.0 * (b - zero)
    laws = {joint.name: joint.mimic for joint in model.joints if joint.mimic}
    for name, value in (("b", b), ("c", c), ("d", c)):
        law = laws[name]
        assert law.source == "a"
        assert law.ratio * at + law.offset == pytest.approx(value)
    assert any("1 equality" in note for note in model.notes)


def test_a_ball_joint_is_three_hinges(tmp_path: Path, compiler: MjcfCompiler) -> None:
    text = """<mujoco><worldbody><body name="a" pos="1 0 0"><joint name="j" type="ball"
    pos="0 0 0.5" range="0 1.5" limited="true"/><geom size="0.1"/></body></worldbody></mujoco>"""
    text = text.replace("<worldbody>", '<compiler angle="radian"/><worldbody>')
    model = load_text(text, tmp_path, compiler)
    assert model.dof_names == ("j_x", "j_y", "j_z")
    assert model.upper.tolist() == [1.5] * 3
    assert any("j_x, j_y, j_z" in note for note in model.notes)
    q = np.array([0.3, -0.4, 0.5])
    turn = Pose.from_matrix(np.eye(4))
    for axis, angle in zip(np.eye(3), q, strict=True):
        turn = turn @ Pose(rotation_about(axis, angle))
    oracle = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    data = mujoco.MjData(oracle)
    data.qpos[:] = turn.quaternion
    mujoco.mj_kinematics(oracle, data)
    check_pose(Posture(model, q).pose("a"), data.xpos[1], data.xmat[1])


def test_the_bound_is_processor_time_and_a_minute() -> None:
    with MjcfCompiler() as own:
        assert own.timeout == 60.0
    with pytest.raises(BadField, match="timeout"):
        MjcfCompiler(timeout=-1.0)


def test_a_machine_may_limit_the_processor_time_itself(tmp_path: Path) -> None:
    """As `ulimit -t` does on clusters: a hard limit cannot be raised again."""
    file = tmp_path / "robot.xml"
    file.write_text(
        "<mujoco><worldbody><body name='a'><joint/><geom size='0.1'/></body></worldbody></mujoco>"
    )
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_CPU, (40, 40));"
        "from robotix.model.load import load_file; print(load_file(sys.argv[1]).n_dof)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "1", done.stderr
