"""The folder of a scene is not left, whatever links lie in it."""

from pathlib import Path

import pytest
from support.hands import problems

from robotix.authoring import load_scene
from robotix.scene.scene import Scene

ROOM = "robotix: 1\nrobots: {arm: {model: planar_3r}}\n"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A scene in a folder with links that lead out of it."""
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (home / "room.yaml").write_text(ROOM)
    (home / "folder").symlink_to(outside)
    (home / "circle.csv").symlink_to(home / "circle.csv")
    scene = load_scene(home / "room.yaml")
    run(scene, "save wave")
    for name in ("wave.csv", "arm.urdf"):
        (outside / name).write_bytes((home / "wave.csv").read_bytes())
    return scene


def run(scene: Scene, line: str) -> list[str]:
    scene.run_line(line)
    found = problems(scene)
    scene.messages.clear()
    return found


@pytest.mark.parametrize(
    "line",
    ["save folder/new", "save folder/wave", "save circle", "play folder/wave", "play circle"],
)
def test_lines_of_the_console_follow_no_link_out(scene: Scene, tmp_path: Path, line: str) -> None:
    before = (tmp_path / "outside" / "wave.csv").read_bytes()
    (problem,) = run(scene, line)
    assert "also when links are followed" in problem
    assert (tmp_path / "outside" / "wave.csv").read_bytes() == before
    assert not (tmp_path / "outside" / "new.csv").exists()


def test_robots_come_through_no_link(scene: Scene) -> None:
    (problem,) = run(scene, "init folder/arm.urdf")
    assert "also when links are followed" in problem


def test_a_link_that_stays_inside_is_followed(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "home" / "again.csv").symlink_to(tmp_path / "home" / "wave.csv")
    assert run(scene, "play again") == []
