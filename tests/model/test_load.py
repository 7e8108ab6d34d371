"""Choosing the reader by the name of the file, and refusing what is not a readable file."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from robotix.errors import BadField, BadFile
from robotix.files.source_file import MAX_BYTES
from robotix.model import Body, Joint, Model
from robotix.model.legacy.writer import save_robotix
from robotix.model.load import load_file, load_files
from robotix.model.robots import load

URDF = '<robot name="r"><link name="a"/></robot>'
MJCF = '<mujoco model="m"><worldbody><body name="a"/></worldbody></mujoco>'
DH = 'name = "d"\n[[joint]]\nname = "a"\na = 0.5\n'
ARM = Model("arm", (Body("link", Joint("turn", "revolute", lower=-1, upper=1)),))


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("robot.urdf", URDF, "r"),
        ("robot.URDF", URDF, "r"),
        ("robot.xml", URDF, "r"),
        ("robot.xml", MJCF, "m"),
        ("robot.mjcf", MJCF, "m"),
        ("robot.toml", DH, "d"),
    ],
)
def test_the_suffix_chooses_the_reader(file: str, text: str, name: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text)
    assert load_file(tmp_path / file).name == name
    assert load_file(str(tmp_path / file)).name == name


def test_robotix_files_may_hold_several_robots(tmp_path: Path) -> None:
    save_robotix([ARM], tmp_path / "one.cfg")
    assert load_file(tmp_path / "one.cfg").dof_names == ("turn",)
    save_robotix([ARM, ARM.prefixed("b/")], tmp_path / "two.cfg")
    assert [model.name for model in load_files(tmp_path / "two.cfg")] == ["two_1", "two_2"]
    with pytest.raises(BadFile, match="load_files reads several"):
        load_file(tmp_path / "two.cfg")


@pytest.mark.parametrize("suffix", [".urdf", ".xml", ".mjcf", ".cfg", ".toml", ".txt"])
def test_missing_and_empty_files_and_folders(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        load_file(tmp_path / f"none{suffix}")
    (tmp_path / f"empty{suffix}").touch()
    with pytest.raises(BadFile):
        load_file(tmp_path / f"empty{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(BadFile):
        load_file(tmp_path / f"folder{suffix}")


def test_the_words_are_plain(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        load_file(tmp_path / "none.urdf")
    with pytest.raises(BadFile, match="this is a folder"):
        load_file(tmp_path)
    (tmp_path / "robot.dwg").write_text("AC1032")
    with pytest.raises(BadFile, match=r"'\.dwg'; expected one of \.urdf, \.xacro"):
        load_file(tmp_path / "robot.dwg")
    (tmp_path / "robot").write_text("?")
    with pytest.raises(BadFile, match=r"expected one of"):
        load_file(tmp_path / "robot")
    with pytest.raises(BadFile, match="not a file name"):
        load_file("nul\0.urdf")


def test_giants_and_pipes_are_refused(tmp_path: Path) -> None:
    with (tmp_path / "giant.urdf").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(BadFile, match="more than"):
        load_file(tmp_path / "giant.urdf")
    os.mkfifo(tmp_path / "pipe.urdf")
    with pytest.raises(BadFile, match="not an ordinary file"):
        load_file(tmp_path / "pipe.urdf")


def test_unreadable_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:  # the superuser may read everything, whatever its mode
        raise PermissionError(13, "Permission denied")

    (tmp_path / "secret.urdf").write_text(URDF)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadFile, match="cannot be read"):
        load_file(tmp_path / "secret.urdf")


def test_refusals_survive_pickling(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        load_file(tmp_path / "none.urdf")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_loading_a_urdf_needs_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(URDF)
    code = (
        "import sys; from robotix.model.load import load_file; load_file(sys.argv[1]);"
        "print({'mujoco', 'numba', 'scipy', 'lxml', 'PIL'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "robot.urdf")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert result.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("suffix", "hint"),
    [(".usd", "Isaac Sim"), (".step", "no joints"), (".srdf", "the URDF beside")],
)
def test_formats_that_people_bring_get_a_hint(suffix: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / f"robot{suffix}").write_text("text")
    with pytest.raises(BadFile, match=hint):
        load_file(tmp_path / f"robot{suffix}")


def test_the_root_of_a_file_floats_on_request(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(URDF)
    (tmp_path / "robot.toml").write_text(DH)
    (tmp_path / "robot.xml").write_text(MJCF)
    for file, n_dof in (("robot.urdf", 6), ("robot.toml", 7)):
        model = load(tmp_path / file, floating=True)
        assert model.n_dof == n_dof
        assert model.dof_names[:3] == ("root_x", "root_y", "root_z")
    with pytest.raises(BadFile, match="<freejoint/>"):
        load(tmp_path / "robot.xml", floating=True)
    with pytest.raises(BadField, match="floating"):
        load("kuka_lwr", floating=True)


def test_strict_and_timeout_reach_the_readers(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(URDF.replace("<link", "<xacro:a/><link"))
    assert load(tmp_path / "robot.urdf").notes
    with pytest.raises(BadFile, match="xacro"):
        load(tmp_path / "robot.urdf", strict=True)
    (tmp_path / "robot.xml").write_text(MJCF)
    with pytest.raises(BadFile, match="stopped after 0 s"):
        load(tmp_path / "robot.xml", timeout=0.0)


def test_a_file_without_a_suffix_is_refused_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text("free")
    with pytest.raises(BadFile, match=r"a name without a suffix; expected one of \.urdf"):
        load(tmp_path / "LICENSE")
