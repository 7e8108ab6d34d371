"""`robotix ergo` on tasks and files: words, JSON, files, and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.assessed import performed
from support.command_line import CommandLine

from robotix.motion import save_motion

ROOT = Path(__file__).parents[1].parent.parent


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)


def test_a_task_in_words(line: CommandLine) -> None:
    text = line.text("ergo", "stand_up", "--sex", "f")
    assert text.startswith("stand_up: female, 1.626 m, 66.8 kg, natural")
    for words in ("L5/S1 compression", "RULA", "REBA", "OWAS", "Strong enough", "note:"):
        assert words in text


def test_a_task_as_json_and_options(line: CommandLine) -> None:
    plain = line.json("ergo", "stand_up")
    values = {found["method"]: found["value"] for found in plain["findings"]}
    assert plain["task"] == "stand_up" and plain["is_dynamic"] and plain["out"] is None
    still = line.json("ergo", "stand_up", "--at-rest", "--muscle-arm", 0.06)
    eased = {found["method"]: found["value"] for found in still["findings"]}
    assert not still["is_dynamic"] and eased["compression"] < values["compression"]
    tall = line.json("ergo", "stand_up", "--stature", 1.9, "--mass", 100, "--neck-deg", 30)
    assert tall["body"] == "male, 1.900 m, 100.0 kg"
    neck = next(found for found in tall["findings"] if found["method"] == "rula")["steps"]
    assert any("flexed by 30°" in step["reason"] for step in neck)


def test_a_motion_file(line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "motion.mcap"
    save_motion(path, performed("stand_up").motion)
    answer = line.json("ergo", path, "--sex", "f", "--load", 4, "--hands", "left")
    task = line.json("ergo", "stand_up", "--sex", "f")
    by_key = [{f["method"]: f["value"] for f in each["findings"]} for each in (answer, task)]
    assert by_key[0]["compression"] > by_key[1]["compression"]
    assert any("one hand" in note for note in answer["notes"])


def test_a_motion_file_says_whose_it_is(line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    save_motion(path, performed("lift").motion)
    task = line.json("ergo", "lift", "--sex", "f")
    for options in ((), ("--sex", "f"), ("--sex", "f", "--percentile", 50)):
        answer = line.json("ergo", path, *options)
        assert answer["body"] == task["body"]
        assert answer["findings"][1]["value"] == pytest.approx(task["findings"][1]["value"])
    for option in (("--sex", "m"), ("--stature", 1.9), ("--mass", 90), ("--percentile", 5)):
        status, out, err = line.run("ergo", path, *option)
        assert (status, out) == (2, "") and "is the motion of another body" in err
    lines = [row for row in path.read_text().splitlines() if "body:" not in row]
    path.write_text("\n".join(lines) + "\n")
    status, _, err = line.run("ergo", path)
    assert status == 2 and "does not say whose motion it is" in err
    assert line.json("ergo", path, "--sex", "f")["body"] == task["body"]
    path.write_text("\n".join([*lines, "# marker,0.0,body: sex=f stature=9 mass=60"]) + "\n")
    status, _, err = line.run("ergo", path)
    assert status == 1 and "stature must be from 1.2 to 2.3 m" in err


def test_a_followed_recording_is_assessed_alike_from_both_its_files(
    line: CommandLine, tmp_path: Path
) -> None:
    recording = ROOT / "examples" / "data" / "pick_up.bvh"
    assert line.run("human", "follow", recording, "--out", tmp_path)[0] == 0
    first, second = (line.json("ergo", path) for path in (recording, tmp_path / "motion.csv"))
    assert first["body"] == second["body"] and first["notes"] == second["notes"]
    assert [f["value"] for f in first["findings"]] == pytest.approx(
        [f["value"] for f in second["findings"]]
    )


def test_a_recording(line: CommandLine) -> None:
    data = ROOT / "examples" / "data"
    answer = line.json(
        "ergo", data / "box_lift.c3d", "--markers", data / "box_lift.toml", "--load", 5
    )
    assert answer["task"] == "box_lift.c3d" and answer["lifts"][0]["origin"]["li"] > 0


def test_files_are_written(line: CommandLine, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    folder = tmp_path / "a" / "b"
    said = line.text("ergo", "stand_up", "--out", folder, "--parquet")
    assert f"written: {folder}" in said
    names = {"report.html", "summary.json", "curves.csv", "curves.parquet"}
    assert {path.name for path in folder.iterdir()} == names
    assert json.loads((folder / "summary.json").read_text())["task"] == "stand_up"


def test_a_family(line: CommandLine, tmp_path: Path) -> None:
    arguments = ("ergo", "family", "stand_up", "--percentiles", "50", "--out", tmp_path / "f")
    text = line.text(*arguments)
    assert text.startswith("stand_up: 2 of 2 can do it") and "female, 1.626 m" in text
    assert {path.name for path in (tmp_path / "f").iterdir()} == {
        *("report.html", "summary.json", "family.csv")
    }
    drawn = line.json("ergo", "family", "stand_up", "--sample", 1, "--seed", 3, "--sexes", "m")
    again = line.json("ergo", "family", "stand_up", "--sample", 1, "--seed", 3, "--sexes", "m")
    assert drawn == again and drawn["of"] == 1
    far = line.text("ergo", "family", "reach", "--percentiles", 5, "--set", "distance=2")
    assert "0 of 2 can do it" in far and "falls short by" in far


def test_a_comparison(line: CommandLine, tmp_path: Path) -> None:
    arguments = ("ergo", "compare", "stand_up", "stand_up", "--set-b", "seat_height=0.6")
    text = line.text(*arguments, "--out", tmp_path / "c")
    assert text.startswith("stand up -> stand up, seat_height 0.6")
    assert "better" in text
    assert {path.name for path in (tmp_path / "c").iterdir()} == {
        *("report.html", "summary.json", "comparison.csv"),
        *("curves_before.csv", "curves_after.csv"),
    }
    answer = line.json(*arguments)
    assert answer["after"]["name"] == "stand up, seat_height 0.6"
    assert {row["change"] for row in answer["differences"]} >= {"same"}


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["lft"], 1, "no task or motion file 'lft'; did you mean 'lift'?"),
        (["none.csv"], 1, "there is no such file"),
        (["lift", "--load", "-3"], 1, "load must be from 0 to 1000 for lift"),
        (["lift", "--mass", "-3"], 1, "mass must be from 20"),
        (["lift", "--population", "mars"], 1, "no population 'mars'; known: ansur2"),
        (["lift", "--age", "30"], 1, "no age '30'"),
        (["lift", "--muscle-arm", "5"], 1, "muscle arm must be"),
        (["lift", "--ten-muscles", "--abdominal"], 2, "takes neither"),
        (["lift", "--parquet"], 2, "give --out DIR"),
        (["lift", "--set", "loud"], 2, "expected NAME=VALUE"),
        (["none.csv", "--set", "table_height=1"], 2, "a file has no parameters but --load"),
        (["none.csv", "--hands", "three"], 2, "--hands is both, right or left"),
        (["none.bvh", "--up", "w"], 2, "--up is x, y or z"),
        (["none.bvh", "--percentile", "50"], 2, "a recording says how tall"),
        (["family", "lft"], 1, "no task 'lft'"),
        (["family", "lift", "--percentiles", "a,b"], 2, "give numbers with commas"),
        (["family", "lift", "--sexes", "x"], 2, "--sexes is f, m or fm"),
        (["family", "lift", "--sample", "0"], 1, "from 1 to"),
        (["compare", "lift"], 2, "Missing argument 'B'"),
    ],
)
def test_refusals(line: CommandLine, arguments: list[str], status: int, message: str) -> None:
    found, out, err = line.run("ergo", *arguments)
    assert (found, out) == (status, "")
    assert message in err and "Traceback" not in err


def test_an_empty_motion_is_refused(line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    save_motion(path, performed("stand_up").motion)
    path.write_text(path.read_text().splitlines()[0] + "\n")
    status, _, err = line.run("ergo", path, "--sex", "f")
    assert status == 1 and "no postures" in err


def test_help_lists_the_commands(line: CommandLine) -> None:
    text = line.text("ergo", "--help")
    for name in ("assess", "family", "compare", "l5s1", "rnle", "rula", "reba", "owas"):
        assert name in text
    assert "TASK_OR_FILE" in line.text("ergo", "assess", "--help")


def test_advice_and_the_greatest_load(line: CommandLine) -> None:
    words = ("ergo", "lift", "--sex", "f", "--load", "12", "--frequency", "1", "--hours", "2")
    answer = line.json(*words, "--advice", "--limit", "4000")
    changes = [each["change"] for each in answer["recommendations"]]
    assert any(change.startswith("load of at most") for change in changes)
    assert 0 < answer["greatest_load"] < 12
    out = line.text(*words, "--limit", "4000")
    load = answer["greatest_load"]
    assert f"greatest load with at most 4000 N in all models: {load:.1f} kg" in out
    assert "advice" not in out and "recommendations" not in line.json(*words)
    status, _, err = line.run("ergo", "stand_up", "--limit", "4000")
    assert status == 1 and "nothing is carried" in err
