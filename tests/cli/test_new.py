"""`robotix new` and `robotix examples`: rooms to start from."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

SCENES = Path(__file__).parents[2] / "examples" / "scenes"


@pytest.fixture
def robotix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


def test_a_new_room_is_checked_and_runs(robotix: CommandLine) -> None:
    said = robotix.text("new", "my_first.yaml", "--robot", "ur5")
    assert said.strip().endswith("robotix run my_first.yaml")
    assert Path("scene.schema.json").is_file()
    assert robotix.text("check", "my_first.yaml").strip() == "my_first.yaml: no errors"
    run = robotix.json("run", "my_first.yaml", "--headless", "--fast", "--seconds", 0.1)
    assert list(run["robots"]) == ["arm"] and run["problems"] == {}


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("room.yaml", (), "exists already; choose another name"),
        ("room.txt", (), "a scene file ends in .yaml"),
        ("other.yaml", ("--robot", "kuka_lrw"), "did you mean 'kuka_lwr'"),
    ],
)
def test_a_room_is_not_written_over_and_a_wrong_one_not_at_all(
    robotix: CommandLine, name: str, options: tuple[str, ...], words: str
) -> None:
    Path("room.yaml").write_text("mine")
    status, _, err = robotix.run("new", name, *options)
    assert status in (1, 2) and words in " ".join(err.split())
    assert Path("room.yaml").read_text() == "mine" and not Path("other.yaml").exists()


def test_examples_are_listed_with_titles_and_copied(robotix: CommandLine) -> None:
    listed = robotix.json("examples")
    titles = {each["file"]: each["title"] for each in listed}
    assert titles["scenes/lift.yaml"] == "Lift a box"
    assert {f"scenes/{path.name}" for path in SCENES.glob("*.yaml")} <= set(titles)
    assert all(title and title != Path(file).stem for file, title in titles.items())
    assert "copied to mine" in robotix.text("examples", "--copy", "mine")
    assert robotix.json("check", "mine/scenes/lift.yaml")["ok"]
    assert robotix.json("check", "mine/rooms/flat.yaml")["ok"]
    status, _, err = robotix.run("examples", "--copy", "mine")
    assert status == 2 and "exists already" in err
