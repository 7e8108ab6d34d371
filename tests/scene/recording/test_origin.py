"""Where a room comes from: found, kept, and put together again."""

from pathlib import Path

import pytest

from robotix.app.recorded_scene import rebuilt_scene
from robotix.errors import BadFile
from robotix.scene.recording import origin as origins
from robotix.scene.recording.origin import Origin, read_origin, rebuild
from robotix.scene.recording.recorder import Header


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
        "participants.csv": "name,diagnosis",
        "more.csv": "none of my business",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


def read(path: Path, recording: Path, *, seed: int | None = None) -> Origin:
    """Read the origin; loading the scene tells which files it names."""
    named = ("parts/more.yaml", "parts/my cup.glb", "parts/arm.urdf", "blink.py")
    return read_origin(path, recording, used=[path.parent / each for each in named], seed=seed)


def test_an_origin_holds_all_that_the_scene_speaks_of(folder: Path, tmp_path: Path) -> None:
    origin = read(folder / "room.yaml", tmp_path / "out" / "x.mcap", seed=3)
    assert origin.name == "room.yaml"
    assert origin.text == (folder / "room.yaml").read_text()
    assert origin.folder == "../scenes"
    assert origin.includes == {"parts/more.yaml": (folder / "parts" / "more.yaml").read_text()}
    parts = {"parts/my cup.glb", "parts/arm.urdf", "parts/arm.nodes.toml"}
    assert set(origin.files) == parts | {"link.stl", "blink.py"}
    assert set(origin.contents) == set(origin.files)
    assert origin.contents["link.stl"] == b"steel"
    assert (origin.rate, origin.seed) == (None, 3)


def test_files_that_nobody_named_stay_at_home(folder: Path, tmp_path: Path) -> None:
    (folder / "spoken_of.csv").write_text("time [s]")
    used = [folder / "spoken_of", folder / "parts" / "arm.urdf"]
    (folder / "parts" / "arm.urdf").write_text("<!-- participants.csv --> <link name='more'/>")
    (folder / "parts" / "more.csv").write_text("none of my business")
    (folder / "room.yaml").write_text("start: [{save: spoken_of}]  # not participants.csv")
    origin = read_origin(folder / "room.yaml", tmp_path / "x.mcap", used=used)
    named = {"spoken_of.csv", "parts/arm.urdf", "parts/arm.nodes.toml"}
    assert set(origin.files) == set(origin.contents) == named


def test_a_link_is_kept_by_its_name_if_it_stays_inside(folder: Path, tmp_path: Path) -> None:
    (folder / "inside.stl").symlink_to(folder / "link.stl")
    (folder / "outside.stl").symlink_to(tmp_path / "secret.stl")
    used = [folder / "inside.stl", folder / "outside.stl"]
    origin = read_origin(folder / "room.yaml", tmp_path / "x.mcap", used=used)
    assert origin.contents == {"inside.stl": b"steel"}


def test_a_script_names_its_files_itself(folder: Path, tmp_path: Path) -> None:
    (folder / "room.vd2").write_text(
        'appl init robotix.so:init "parts/arm.urdf"  # participants.csv\n'
        'appl callback blink.so:ring "a" key x\nappl callback robotix.so:play "more" key y\n'
    )
    origin = read_origin(folder / "room.vd2", tmp_path / "x.mcap")
    named = {"parts/arm.urdf", "parts/arm.nodes.toml", "link.stl", "blink.py", "more.csv"}
    assert set(origin.files) == named


def test_files_are_kept_as_far_as_there_is_room(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "MAX_TOTAL_BYTES", 10)
    origin = read(folder / "room.yaml", tmp_path / "x.mcap")
    assert set(origin.contents) == {"parts/arm.nodes.toml", "link.stl", "parts/my cup.glb"}
    assert len(origin.files) == 5
    monkeypatch.setattr(origins, "MAX_FILE_BYTES", 4)
    origin = read(folder / "room.yaml", tmp_path / "x.mcap")
    assert set(origin.contents) == {"parts/arm.nodes.toml"}


def test_a_scene_is_rebuilt_as_it_was(folder: Path, tmp_path: Path) -> None:
    origin = read(folder / "room.yaml", tmp_path / "x.mcap")
    (folder / "room.yaml").write_text("something new")
    (folder / "parts" / "more.yaml").unlink()
    (folder / "parts" / "arm.urdf").unlink()
    (folder / "link.stl").write_text("rubber")
    scene, changed = rebuild(origin, folder, tmp_path / "new", accept_changed=False)
    assert changed == []
    assert read(scene, tmp_path / "x.mcap").files == origin.files
    assert read(scene, tmp_path / "x.mcap").includes == origin.includes
    assert scene.read_text() == origin.text


def test_large_files_that_changed_are_named(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "MAX_FILE_BYTES", 0)
    origin = read(folder / "room.yaml", tmp_path / "x.mcap")
    (folder / "link.stl").write_text("rubber")
    assert rebuild(origin, folder, tmp_path / "new", accept_changed=True)[1] == ["link.stl"]
    (folder / "link.stl").unlink()
    with pytest.raises(BadFile, match=r"link\.stl: no file; expected the one that was there"):
        rebuild(origin, folder, tmp_path / "newer", accept_changed=True)


@pytest.mark.parametrize("is_absolute", [True, False])
def test_a_recording_gets_no_file_of_the_machine_that_it_does_not_know(
    tmp_path: Path, is_absolute: bool
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("private")
    (tmp_path / "inbox").mkdir()
    there = str(tmp_path / "secret") if is_absolute else "../secret"
    forged = Origin("a.yaml", "robotix: 1", folder=there, files={"key": "0" * 64})
    header = Header(1, 0.01, 0, 0, forged, "robotix")
    take = tmp_path / "inbox" / "take.mcap"
    with pytest.raises(BadFile, match=r"key: another file; expected the one that was recorded"):
        with rebuilt_scene(take, header, None):
            pass
    with rebuilt_scene(take, header, tmp_path / "secret") as (_, changed):  # named by the user
        assert changed == ["key"]


@pytest.mark.parametrize("name", ["../evil.yaml", "/evil.yaml", "a/../../evil.yaml", "", "a\0b"])
def test_a_recording_writes_nowhere_else(tmp_path: Path, name: str) -> None:
    for origin in (
        Origin(name, ""),
        Origin("a.yaml", "", includes={name: ""}),
        Origin("a.yaml", "", contents={name: b""}),
    ):
        with pytest.raises(BadFile, match="a file elsewhere"):
            rebuild(origin, tmp_path, tmp_path / "new" / "deep", accept_changed=False)
    assert not list(tmp_path.rglob("evil*"))
