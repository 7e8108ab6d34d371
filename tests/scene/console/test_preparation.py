"""What a console line needs from disk is read before its tick."""

from __future__ import annotations

from pathlib import Path

import pytest

from robotix.authoring import load_scene
from robotix.model import Model
from robotix.model.load import ReadOptions, load_files
from robotix.scene.console.preparation import preparation_of
from robotix.scene.scene import Scene

URDF = """<robot name="more"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="{upper}" velocity="1" effort="1"/></joint></robot>"""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    (tmp_path / "more.urdf").write_text(URDF.format(upper=1))
    (tmp_path / "room.yaml").write_text("robotix: 1\n")
    return load_scene(tmp_path / "room.yaml")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files of robots that were read."""
    found = list[str]()

    def note(path: Path, options: ReadOptions | None = None) -> tuple[Model, ...]:
        found.append(path.name)
        return load_files(path, options)

    monkeypatch.setattr("robotix.authoring.load.models.load_files", note)
    return found


def prepare(scene: Scene, line: str) -> None:
    preparation = preparation_of(scene, line)
    assert preparation is not None
    preparation()


def test_robots_are_read_before_the_tick_of_init_and_renew(
    scene: Scene, reads: list[str], tmp_path: Path
) -> None:
    prepare(scene, "init more.urdf")
    assert reads == ["more.urdf"] and not scene.robots
    scene.run_line("init more.urdf")
    assert reads == ["more.urdf"] and list(scene.robots) == ["more"]
    (tmp_path / "more.urdf").write_text(URDF.format(upper=2))
    prepare(scene, "renew")
    reads.clear()
    scene.run_line("renew")
    assert reads == [] and scene.robots["more"].model.upper.tolist() == [2.0]


def test_a_file_that_changed_after_it_was_read_is_read_again(
    scene: Scene, reads: list[str], tmp_path: Path
) -> None:
    prepare(scene, "init more.urdf")
    (tmp_path / "more.urdf").write_text(URDF.format(upper=0.25))
    scene.run_line("init more.urdf")
    assert len(reads) == 2 and scene.robots["more"].model.upper.tolist() == [0.25]
    scene.run_line("init more.urdf")  # nothing was prepared
    assert len(reads) == 3 and list(scene.robots) == ["more", "more_2"]


def test_an_unprepared_renew_reads_every_file_once(scene: Scene, reads: list[str]) -> None:
    scene.run_line("init more.urdf")
    reads.clear()
    scene.run_line("renew")
    assert reads == ["more.urdf"] and list(scene.robots) == ["more"]


@pytest.mark.parametrize("line", ["init ../more.urdf", "init", "stop", "play nothing", "nonsense"])
def test_what_cannot_be_prepared_is_left_to_the_line(scene: Scene, line: str) -> None:
    assert preparation_of(scene, line) is None
