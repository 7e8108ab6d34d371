"""Robots of a scene: their meshes and includes lie in its folder, too."""

from pathlib import Path

import pytest
from support.hands import problems

from robotix.authoring import check_scene, load_scene
from robotix.scene.console.console import run_command

URDF = """<robot name="r"><link name="base"/><link name="a">
<visual><geometry><mesh filename="{mesh}"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>
"""
MJCF = """<mujoco><worldbody><body name="a"><joint/><geom size="0.1"/></body></worldbody>
<include file="{file}"/></mujoco>
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "robots").mkdir(parents=True)
    for folder in (tmp_path, home):
        (folder / "part.xml").write_text("<mujoco><option/></mujoco>")
        (folder / "part.stl").write_text("solid\nendsolid\n")
    return home


def scene_with(home: Path, name: str, text: str) -> Path:
    (home / "robots" / name).write_text(text)
    (home / "room.yaml").write_text(f"robotix: 1\nrobots: {{arm: {{model: robots/{name}}}}}\n")
    return home / "room.yaml"


@pytest.mark.parametrize("kind", ["urdf", "xml"])
@pytest.mark.parametrize("name", ["{outside}/part", "../../part"])
def test_files_outside_are_refused(home: Path, kind: str, name: str) -> None:
    base = name.format(outside=home.parent)
    text = URDF.format(mesh=f"{base}.stl") if kind == "urdf" else MJCF.format(file=f"{base}.xml")
    (problem,) = check_scene(scene_with(home, f"arm.{kind}", text))
    assert "outside of the scene's folder" in str(problem) and problem.line == 2


def test_an_include_outside_is_not_even_opened(home: Path) -> None:
    (home.parent / "part.xml").write_text("secret")
    (problem,) = check_scene(scene_with(home, "arm.xml", MJCF.format(file="../../part.xml")))
    assert "outside of the scene's folder" in str(problem) and "XML" not in str(problem)


@pytest.mark.parametrize("kind", ["urdf", "xml"])
@pytest.mark.parametrize("name", ["{outside}/part", "../../part"])
def test_files_outside_are_refused_by_commands(home: Path, kind: str, name: str) -> None:
    base = name.format(outside=home.parent)
    text = URDF.format(mesh=f"{base}.stl") if kind == "urdf" else MJCF.format(file=f"{base}.xml")
    scene_with(home, f"arm.{kind}", text)
    (home / "room.yaml").write_text("robotix: 1\n")
    scene = load_scene(home / "room.yaml")
    run_command(scene, f"init robots/arm.{kind}")
    assert "outside of the scene's folder" in problems(scene)[0] and not scene.robots


@pytest.mark.parametrize("kind", ["urdf", "xml"])
def test_files_inside_are_fine(home: Path, kind: str) -> None:
    text = URDF.format(mesh="../part.stl") if kind == "urdf" else MJCF.format(file="../part.xml")
    path = scene_with(home, f"arm.{kind}", text)
    assert len(load_scene(path).robots) == 1
