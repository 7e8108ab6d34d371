"""Where meshes are found: packages, folders, addresses; and what is said when they are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.mesh_files import STL
from support.public_robots import public_urdfs

import robotix as rx
from robotix.errors import BadFile
from robotix.geometry import Mesh
from robotix.model.mesh_files import MeshFinder
from robotix.model.urdf.reader import load_urdf


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(STL)
    return path


@pytest.fixture(autouse=True)
def no_ros(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)


@pytest.fixture
def finder(tmp_path: Path) -> MeshFinder:
    folder = tmp_path / "ws" / "src" / "arm_description" / "urdf"
    folder.mkdir(parents=True)
    return MeshFinder(folder)


@pytest.mark.parametrize(
    ("uri", "file"),
    [
        ("link.stl", "ws/src/arm_description/urdf/link.stl"),
        ("../meshes/link.STL", "ws/src/arm_description/meshes/link.STL"),
        ("..\\meshes\\link.stl", "ws/src/arm_description/meshes/link.stl"),
        ("package://arm_description/meshes/link.stl", "ws/src/arm_description/meshes/link.stl"),
        ("package:///arm_description/meshes/link.stl", "ws/src/arm_description/meshes/link.stl"),
        ("model://arm_description/meshes/a%20b.stl", "ws/src/arm_description/meshes/a b.stl"),
        ("$(find arm_description)/meshes/link.stl", "ws/src/arm_description/meshes/link.stl"),
        ("file://$(find arm_description)/link.stl", "ws/src/arm_description/link.stl"),
        ("package://gripper/link.dae", "ws/src/gripper/link.dae"),
        ("package://renamed/meshes/link.obj", "ws/src/arm_description/meshes/link.obj"),
    ],
)
def test_addresses_around_a_file(finder: MeshFinder, tmp_path: Path, uri: str, file: str) -> None:
    assert finder.find(uri) == ""
    path = put(tmp_path / file)
    again = MeshFinder(finder.folder)
    assert Path(again.find(uri)).samefile(path)


def test_a_manifest_names_a_package(tmp_path: Path) -> None:
    folder = tmp_path / "Maker_ROS2_Description"
    mesh = put(folder / "meshes" / "link.stl")
    (folder / "package.xml").write_text("<package><name>maker_description</name></package>")
    uri = "package://maker_description/meshes/link.stl"
    assert MeshFinder(folder / "urdf" / "deep" / "down" / "here" / "below").find(uri) == str(mesh)


def test_folders_of_packages(
    finder: MeshFinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = "package://far/link.stl"
    ament = put(tmp_path / "install" / "share" / "far" / "link.stl")
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"/nowhere:{tmp_path / 'install'}")
    assert MeshFinder(finder.folder).find(uri) == str(ament)
    ros = put(tmp_path / "ros" / "far" / "link.stl")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "ros"))
    assert MeshFinder(finder.folder).find(uri) == str(ros)
    given = put(tmp_path / "own" / "far" / "link.stl")
    for packages in (tmp_path / "own", tmp_path / "own" / "far"):
        assert MeshFinder(finder.folder, (packages,)).find(uri) == str(given)


def test_an_absolute_address(finder: MeshFinder, tmp_path: Path) -> None:
    mesh = put(tmp_path / "there" / "link.stl")
    for uri in (f"file://{mesh}", f"file:{mesh}", str(mesh)):
        assert finder.find(uri) == str(mesh), uri


@pytest.mark.parametrize(
    "uri", ["http://x/link.stl", "file:///etc/passwd", "package://", "a\0.stl", "x" * 5000 + ".stl"]
)
def test_what_is_never_found(finder: MeshFinder, uri: str) -> None:
    assert finder.find(uri) == ""


URDF = """<robot name="r"><link name="a">
  <visual><geometry><mesh filename="package://gone/a.stl"/></geometry></visual>
  <collision><geometry><mesh filename="a.stl"/></geometry></collision>
</link></robot>"""


def test_a_model_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(URDF)
    mesh = put(tmp_path / "a.stl")
    model = load_urdf(tmp_path / "r.urdf")
    (shape,) = model.bodies[0].collision
    assert isinstance(shape, Mesh)
    assert (shape.uri, shape.file, shape.path) == ("a.stl", str(mesh), str(mesh))
    # "gone" is the name of no folder, but the mesh lies beside the file
    assert model.notes == ()
    mesh.unlink()
    (note,) = load_urdf(tmp_path / "r.urdf").notes
    assert note.startswith("2 mesh files were not found: a.stl, package://gone/a.stl.")
    assert "ROS_PACKAGE_PATH" in note


def test_packages_are_an_argument_of_load(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(URDF.replace('"a.stl"', '"package://gone/a.stl"'))
    put(tmp_path / "away" / "gone" / "a.stl")
    assert len(rx.load(tmp_path / "r.urdf").notes) == 1
    assert rx.load(tmp_path / "r.urdf", packages=[tmp_path / "away"]).notes == ()


def test_meshes_of_public_robots_are_found() -> None:
    """All but 20, which one file names by a path on the computer of its author."""
    found, missing, robots = 0, [], 0
    for path in public_urdfs().values():
        try:
            model = rx.load(path)
        except BadFile:
            continue
        robots += 1
        for body in model.bodies:
            for shape in (*body.collision, *(visual.shape for visual in body.visuals)):
                if isinstance(shape, Mesh) and shape.file:
                    found += 1
                elif isinstance(shape, Mesh):
                    missing.append(shape.uri)
    assert robots >= 66
    assert found >= 2239
    assert len(missing) <= 20
    assert all(uri.startswith("file:///usr/Romeo/") for uri in missing)
