"""Where a room comes from: found, kept, and put together again."""

from pathlib import Path

import pytest

from robotix.errors import BadFile
from robotix.scene.recording import origin as origins
from robotix.scene.recording.origin import Origin, read_origin, rebuild


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A scene that speaks of others, of which some speak of others again."""
    folder = tmp_path / "scenes"
    (folder / "parts").mkdir(parents=True)
    texts = {
        "room.yaml": "include: [parts/more.yaml]\nplugins: {b: {module: blink}}\n",
        "parts/more.yaml": 'mesh: "my cup.glb"  # not: nobody.glb\nmodel: arm.urdf\n',
        "parts/my cup.glb": "glass",
        "parts/arm.urdf": "<mesh filename='../link.stl'/> <mesh filename='../../secret.stl'/>",
        "parts/arm.nodes.toml": "",
        "parts/arm.png": "a picture of it",
        "link.stl": "steel",
        "blink.py": "import numpy",
        "other.yaml": "none of my business",
        "../secret.stl": "",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


def test_an_origin_holds_all_that_the_scene_speaks_of(folder: Path, tmp_path: Path) -> None:
    origin = read_origin(folder / "room.yaml", tmp_path / "out" / "x.mcap", seed=3)
    assert origin.name == "room.yaml"
    assert origin.text == (folder / "room.yaml").read_text()
    assert origin.folder == "../scenes"
    assert origin.includes == {"parts/more.yaml": (folder / "parts" / "more.yaml").read_text()}
    parts = {"parts/my cup.glb", "parts/arm.urdf", "parts/arm.nodes.toml"}
    assert set(origin.files) == parts | {"link.stl", "blink.py"}
    assert set(origin.contents) == set(origin.files)
    assert origin.contents["link.stl"] == b"steel"
    assert (origin.rate, origin.seed) == (None, 3)


def test_motions_are_kept_even_when_only_the_console_may_name_them(
    folder: Path, tmp_path: Path
) -> None:
    for name in ("spoken_of.csv", "unnamed.csv", "parts/too_deep.csv"):
        (folder / name).write_text(name)
    (folder / "room.yaml").write_text("start: [{save: spoken_of}]")
    origin = read_origin(folder / "room.yaml", tmp_path / "x.mcap")
    assert set(origin.files) == {"spoken_of.csv"}
    assert set(origin.contents) == {"spoken_of.csv", "unnamed.csv"}


def test_files_are_kept_as_far_as_there_is_room(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "MAX_TOTAL_BYTES", 10)
    origin = read_origin(folder / "room.yaml", tmp_path / "x.mcap")
    assert set(origin.contents) == {"parts/arm.nodes.toml", "link.stl", "parts/my cup.glb"}
    assert len(origin.files) == 5
    monkeypatch.setattr(origins, "MAX_FILE_BYTES", 4)
    origin = read_origin(folder / "room.yaml", tmp_path / "x.mcap")
    assert set(origin.contents) == {"parts/arm.nodes.toml"}


def test_a_scene_is_rebuilt_as_it_was(folder: Path, tmp_path: Path) -> None:
    origin = read_origin(folder / "room.yaml", tmp_path / "x.mcap")
    (folder / "room.yaml").write_text("something new")
    (folder / "parts" / "more.yaml").unlink()
    (folder / "parts" / "arm.urdf").unlink()
    (folder / "link.stl").write_text("rubber")
    scene, changed = rebuild(origin, folder, tmp_path / "new")
    assert changed == []
    assert read_origin(scene, tmp_path / "x.mcap").files == origin.files
    assert read_origin(scene, tmp_path / "x.mcap").includes == origin.includes
    assert scene.read_text() == origin.text


def test_large_files_that_changed_are_named(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "MAX_FILE_BYTES", 0)
    origin = read_origin(folder / "room.yaml", tmp_path / "x.mcap")
    (folder / "link.stl").write_text("rubber")
    assert rebuild(origin, folder, tmp_path / "new")[1] == ["link.stl"]
    (folder / "link.stl").unlink()
    with pytest.raises(BadFile, match=r"link\.stl: no file; expected the one that was there"):
        rebuild(origin, folder, tmp_path / "newer")


@pytest.mark.parametrize("name", ["../evil.yaml", "/evil.yaml", "a/../../evil.yaml", "", "a\0b"])
def test_a_recording_writes_nowhere_else(tmp_path: Path, name: str) -> None:
    for origin in (
        Origin(name, ""),
        Origin("a.yaml", "", includes={name: ""}),
        Origin("a.yaml", "", contents={name: b""}),
    ):
        with pytest.raises(BadFile, match="a file elsewhere"):
            rebuild(origin, tmp_path, tmp_path / "new" / "deep")
    assert not list(tmp_path.rglob("evil*"))
