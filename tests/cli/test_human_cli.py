"""`robotix human`: what it tells, what it writes, how it refuses."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from robotix.cli import main
from robotix.motion import load_motion

DATA = Path(__file__).parents[2] / "examples" / "data"
PICK_UP, BOX_LIFT = DATA / "pick_up.bvh", DATA / "box_lift.c3d"
KEYS = ("com_margin", "foot_slip", "limit_violation", "penetration", "duration", "success")


class Robotix:
    """The command line, called in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """Return exit status, stdout and stderr."""
        self.monkeypatch.setattr(sys, "argv", ["robotix", "human", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main.main()
        out, err = self.capsys.readouterr()
        return int(stop.value.code or 0), out, err


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Robotix:
    monkeypatch.setenv("COLUMNS", "120")
    return Robotix(monkeypatch, capsys)


def test_json_holds_the_figures(robotix: Robotix) -> None:
    status, out, _ = robotix.run("stand_up", "--sex", "f", "--percentile", 5, "--json")
    document: dict[str, Any] = json.loads(out)
    assert status == 0 and set(KEYS) <= set(document)
    assert document["success"] is True and document["com_margin"] > 0
    assert document["foot_slip"] < 1e-3 and document["limit_violation"] == 0
    assert document["body"].startswith("female, 1.5")


def test_words_tell_the_same(robotix: Robotix) -> None:
    status, out, _ = robotix.run("sit_down", "--stature", 1.8, "--mass", 80)
    assert status == 0
    for word in ("CoP margin", "slip", "penetration", "duration", "success          yes"):
        assert word in out


def test_the_last_line_names_the_command_that_assesses_the_back(robotix: Robotix) -> None:
    options = ("--sex", "f", "--percentile", 5.0, "--load", 8.0, "--style", "squat")
    _, out, _ = robotix.run("lift", *options, "--set", "table_height=0.8")
    last = out.splitlines()[-1]
    command = "robotix ergo lift --sex f --percentile 5.0 --load 8.0 --style squat"
    assert last == f"next, for the load on the back: {command} --set table_height=0.8"
    robotix.monkeypatch.setattr(sys, "argv", last.partition(": ")[2].split())
    with pytest.raises(SystemExit) as stop:
        main.main()
    assert not stop.value.code and "L5/S1 compression" in robotix.capsys.readouterr().out


def test_a_style_a_load_and_a_setting(robotix: Robotix) -> None:
    arguments = ("lift", "--load", 12, "--style", "squat", "--set", "table_height=0.8", "--json")
    document = json.loads(robotix.run(*arguments)[1])
    assert document["success"] and document["style"] == "squat"


def test_what_cannot_be_done_is_told(robotix: Robotix) -> None:
    status, out, _ = robotix.run("reach", "--set", "distance=3")
    assert status == 0 and "right_hand falls short by" in out and "success          no" in out


def test_out_takes_motion_and_report(robotix: Robotix, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    status, out, _ = robotix.run("stand_up", "--out", folder)
    assert status == 0 and str(folder) in out
    motion = load_motion(folder / "motion.csv")
    with (folder / "curves.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(motion.times) and not (folder / "curves.parquet").exists()
    assert min(float(row["balance margin [m]"]) for row in rows) > 0
    assert float(rows[-1]["pelvis z [m]"]) > float(rows[0]["pelvis z [m]"]) + 0.3
    assert len(motion.names) == 39
    assert load_motion(folder / "motion.mcap").duration == pytest.approx(motion.duration)
    assert json.loads((folder / "report.json").read_text())["success"] is True


def test_parquet_holds_the_curves(robotix: Robotix, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert robotix.run("lift", "--load", 4, "--out", tmp_path, "--parquet")[0] == 0
    table = parquet.read_table(tmp_path / "curves.parquet")
    assert max(table["load [kg]"].to_pylist()) == 4
    assert {"time [s]", "root_z [m]", "right_knee_flexion [rad]", "centre of mass x [m]"} <= set(
        table.column_names
    )


def test_other_programs_get_the_motion(robotix: Robotix, tmp_path: Path) -> None:
    assert robotix.run("stand_up", "--out", tmp_path, "--bvh", "--glb")[0] == 0
    assert (tmp_path / "motion.bvh").read_text().startswith("HIERARCHY")
    assert (tmp_path / "motion.glb").read_bytes()[:4] == b"glTF"


def test_options_may_stand_before_the_task(robotix: Robotix) -> None:
    assert "female" in robotix.run("--sex", "f", "sit_down")[1]


def test_help_lists_the_tasks(robotix: Robotix) -> None:
    from robotix.human.tasks.tasks import TASKS

    out = robotix.run("--help")[1]
    assert all(f"  {task} " in out for task in (*TASKS, "follow", "compare"))


def test_follow_tells_and_writes(robotix: Robotix, tmp_path: Path) -> None:
    status, out, _ = robotix.run("follow", PICK_UP, "--out", tmp_path)
    assert status == 0 and "not used" in out and str(tmp_path) in out
    assert load_motion(tmp_path / "motion.csv").duration == pytest.approx(3.9, abs=0.1)
    report = json.loads((tmp_path / "report.json").read_text())
    document = json.loads(robotix.run("follow", PICK_UP, "--unit", "cmu", "--json")[1])
    assert document["rms_driven"] == report["rms_driven"] < 0.06
    assert document["foot_slip"] < 1e-3


def test_compare_tells_angle_by_angle(robotix: Robotix) -> None:
    out = robotix.run("compare", PICK_UP, "--unit", 0.0254 / 0.45, "--style", "squat")[1]
    assert "trunk_lean" in out and "all angles" in out
    document = json.loads(robotix.run("compare", PICK_UP, "--unit", "cmu", "--json")[1])
    assert {angle["angle"] for angle in document["angles"]} >= {"right_knee", "trunk_lean"}
    assert 0 < document["rms"] < 1.2 and document["style"] == "natural"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["fly"], 1, "no task 'fly'"),
        (["lfit"], 1, "did you mean 'lift'"),
        (["follow", "nowhere.bvh"], 1, "no such file"),
        (["follow", PICK_UP, "--markers", "cum"], 1, "did you mean 'cmu'"),
        (["follow", PICK_UP, "--unit", "cm"], 1, "Give the file's unit"),
        (["follow", PICK_UP, "--up", "w"], 2, "one of x, y, z"),
        (["follow"], 2, "FILE"),
        (
            ["compare", BOX_LIFT, "--markers", BOX_LIFT.with_suffix(".toml")],
            1,
            "picks something up",
        ),
        (["compare", PICK_UP, "--unit", "cmu", "--style", "hop"], 1, "no style 'hop'"),
        (["lift", "--parquet"], 2, "--out"),
        (["lift", "--glb"], 2, "--out"),
        (["lift", "--percentile", "100"], 1, "from 1 to 99"),
        (["lift", "--stature", "nan"], 1, "stature must be"),
        (["walk", "--load", "3"], 1, "distance"),
        (["lift", "--style", "stop"], 1, "stoop"),
        (["lift", "--sex", "x"], 1, "sex must be"),
        (["lift", "--set", "load"], 2, "NAME=VALUE"),
        (["lift", "--set", "load=heavy"], 2, "NAME=VALUE"),
        (["lift", "--load", "-1"], 1, "from 0 to 1000"),
        ([], 2, "TASK"),
    ],
)
def test_refusals(robotix: Robotix, arguments: list[object], status: int, message: str) -> None:
    found, out, err = robotix.run(*arguments)
    assert (found, out) == (status, "")
    assert message in err and "Traceback" not in err
