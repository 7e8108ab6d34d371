"""xacro: expanded by its own package, in a process with bounds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import robotix as rx
from robotix.errors import BadFile
from robotix.model.urdf.xacro import expand_xacro

ARM = """<?xml version="1.0"?>
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="length" default="0.5"/>
  <xacro:include filename="$(find arm_description)/urdf/macros.xacro"/>
  <link name="base"/>
  <xacro:segment name="upper" parent="base" at="0"/>
  <xacro:segment name="lower" parent="upper" at="$(arg length)"/>
</robot>
"""
MACROS = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="segment" params="name parent at">
    <link name="${name}"/>
    <joint name="${name}_joint" type="continuous">
      <parent link="${parent}"/><child link="${name}"/><origin xyz="${2 * at} 0 0"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    folder = tmp_path / "arm_description" / "urdf"
    folder.mkdir(parents=True)
    (folder / "macros.xacro").write_text(MACROS)
    (folder / "arm.urdf.xacro").write_text(ARM)
    return folder / "arm.urdf.xacro"


def test_macros_packages_and_arguments_are_expanded(arm: Path) -> None:
    model = rx.load(arm)
    assert model.dof_names == ("upper_joint", "lower_joint")
    assert model.body("lower").placement.translation.tolist() == [1.0, 0.0, 0.0]
    longer = rx.load(arm, arguments={"length": "0.75"})
    assert longer.body("lower").placement.translation.tolist() == [1.5, 0.0, 0.0]


def test_a_package_that_is_nowhere_is_named(arm: Path) -> None:
    arm.write_text(ARM.replace("arm_description", "other_description"))
    with pytest.raises(BadFile, match="no package 'other_description'"):
        rx.load(arm)


def test_a_file_that_computes_for_ever_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xacro"
    path.write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" '
        'value="${9**(9**8) % 7}"/>${a}</robot>'
    )
    with pytest.raises(BadFile, match="did not finish in 1 s"):
        expand_xacro(path, timeout=1.0)


def test_without_the_package_the_message_says_what_to_do(
    arm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "xacro.py").write_text("raise ImportError('not installed')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(BadFile, match="pip install xacro"):
        rx.load(arm)


def test_a_package_may_lie_in_a_folder_of_another_name(arm: Path) -> None:
    folder = arm.parent.parent
    elsewhere = folder.rename(folder.with_name("checkout"))
    with pytest.raises(BadFile, match="no package 'arm_description'; set ROS_PACKAGE_PATH"):
        rx.load(elsewhere / "urdf" / arm.name)
    manifest = "<package><name>arm_description</name></package>"
    (elsewhere / "package.xml").write_text(manifest)
    assert rx.load(elsewhere / "urdf" / arm.name).n_dof == 2


def test_a_package_may_lie_in_a_folder_that_is_given(arm: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone" / "arm.urdf.xacro"
    alone.parent.mkdir()
    other = (tmp_path / "elsewhere") / "arm_description"
    other.parent.mkdir()
    arm.parent.parent.rename(other)
    alone.write_text(ARM)
    with pytest.raises(BadFile, match="no package"):
        rx.load(alone)
    assert rx.load(alone, packages=[other.parent]).n_dof == 2


def test_a_default_counts_before_its_argument_is_declared(tmp_path: Path) -> None:
    file = tmp_path / "arm.xacro"
    file.write_text(
        '<robot name="$(arg name)" xmlns:xacro="http://ros.org/wiki/xacro">'
        '<xacro:arg name="name" default="ur"/><link name="base"/></robot>'
    )
    assert rx.load(file).name == "ur"
    assert rx.load(file, arguments={"name": "ur5e"}).name == "ur5e"


def test_an_error_names_the_arguments(tmp_path: Path) -> None:
    file = tmp_path / "arm.xacro"
    file.write_text(
        '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="type" default="none"/>'
        '<xacro:include filename="$(arg type).xacro"/></robot>'
    )
    with pytest.raises(BadFile, match=r"none\.xacro.* \(NAME:=VALUE\); it takes type"):
        rx.load(file)
    (tmp_path / "a.xacro").write_text('<robot><link name="a"/></robot>')
    assert rx.load(file, arguments={"type": "a"}).bodies[0].name == "a"


def test_an_argument_without_a_default_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "arm.xacro"
    file.write_text(
        """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="base"/>
        <xacro:if value="$(arg DEBUG)"><link name="world"/></xacro:if></robot>"""
    )
    with pytest.raises(BadFile, match=r"expected a value for it, as by DEBUG:=VALUE"):
        rx.load(file)
    assert rx.load(file, arguments={"DEBUG": "false"}).bodies[0].name == "base"
