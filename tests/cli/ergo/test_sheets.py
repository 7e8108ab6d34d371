"""The sheets `kim`, `ocra`, `variable`, `static`, `holds`, and limits of `l5s1`."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

LIFT = ("--load", 15, "--horizontal", 0.3, "--vertical", 0.25, "--distance", 0.5)
BACK = ("--upper-weight", 450, "--upper-arm", 0.1, "--load", 100, "--load-arm", 0.3)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)


def test_kim(line: CommandLine) -> None:
    words = ("ergo", "kim", "--load", 10, "--per-day", 320, "--sex", "f", "--start", "bent")
    answer = line.json(*words)
    assert answer["score"] == 80 and answer["points"]["posture"] == 7
    assert line.json(*words, "--interpolated")["score"] == pytest.approx(4.1 * 16)
    assert "KIM-LHC 80 points" in line.text(*words)


def test_ocra(line: CommandLine) -> None:
    words = ("ergo", "ocra", "--actions", 40, "--minutes", 420, "--no-short-pauses")
    answer = line.json(*words, "--recovery", "two_breaks", "--hand", "all")
    assert answer["score"] == pytest.approx(0.95 * 16) and answer["verdict"]["level"] == 5
    assert "no published worked example" in line.text(*words)


def test_variable(line: CommandLine, tmp_path: Path) -> None:
    rows = [f"{load},0.3,0.75,0.25,0.2" for load in (3, 4, 5, 8, 12, 18)]
    table = tmp_path / "lifts.csv"
    table.write_text("\n".join(["load,horizontal,vertical,distance,frequency", *rows]))
    answer = line.json("ergo", "variable", "--table", table, "--hours", 8)
    assert sum(each["lifts"] for each in answer["categories"]) == 6
    assert answer["vli"] >= 18 / 23 * 0.3 / 0.25 / 0.85
    assert "of 6 lifts in 4 categories" in line.text("ergo", "variable", "--table", table)


def test_static(line: CommandLine) -> None:
    answer = line.json("ergo", "static", "trunk", "--angle-deg", 40, "--seconds", 160)
    assert answer["longest"] == pytest.approx(150) and answer["verdict"]["level"] == 3
    free = line.json("ergo", "static", "head", "--angle-deg", 10, "--seconds", 9999)
    assert free["longest"] is None
    words = line.text("ergo", "static", "trunk", "--angle-deg", 70, "--seconds", 5)
    assert "trunk at 70°: not at all" in words


def test_holds(line: CommandLine) -> None:
    answer = line.json("ergo", "holds", "overhead")
    arms = [each for each in answer["holds"] if "upper arm" in each["part"]]
    assert {each["part"] for each in arms} == {"right upper arm", "left upper arm"}
    raised = [each for each in arms if each["angle_deg"] > 90]
    assert raised and all(each["verdict"]["level"] == 3 for each in raised)
    assert "not recommended" in line.text("ergo", "holds", "overhead")


def test_arm(line: CommandLine) -> None:
    words = ("ergo", "arm", "--hand", "0.4,0.1,-0.2", "--direction", "0,0,1", "--force", 50)
    free = line.json(*words)
    assert free["assist"] == 0 and free["for_90_percent"] < free["for_75_percent"] < free["mean"]
    held = line.json(*words, "--elbow", "0.1,0.05,-0.25", "--wrist", "0.33,0.1,-0.22")
    assert held["assist"] < 0 and held["percent_capable"] < free["percent_capable"]
    assert "% of women can exert 50 N; 75 % can exert" in line.text(*words)


def test_limits_of_the_back(line: CommandLine) -> None:
    words = ("ergo", "l5s1", *BACK, "--angle-deg", 35)
    usual = line.json(*words)
    assert "sex_verdict" not in usual
    less = line.json(*words, "--limit", 2500)
    assert 0 < less["greatest_load"] < usual["greatest_load"]
    women, men = (line.json(*words, "--sex", sex) for sex in "fm")
    assert women["sex_verdict"].endswith("conditionally acceptable for women")
    assert men["sex_verdict"].endswith("acceptable for men") and men["compression"] < 2300
    out = line.text(*words, "--sex", "f", "--limit", 2500)
    assert "greatest load below 2500 N" in out and "DGUV Information 208-033" in out
    assert "compression up to 3400 N: below the action limit" in out


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("kim", "--load", 2, "--per-day", 5, "--sex", "f"), 1, "3 kg and more"),
        (("ocra", "--actions", 5, "--minutes", 60, "--pace", "fast"), 1, "no pace 'fast'"),
        (("variable",), 2, "give lifts by --lift or by --table"),
        (("static", "knee", "--angle-deg", 5, "--seconds", 5), 1, "no part of the body 'knee'"),
        (("arm", "--hand", "1,2", "--direction", "0,0,1", "--force", 5), 2, "three numbers"),
        (("arm", "--hand", "1,0,0", "--direction", "0,0,1", "--force", 5), 1, "from 0 to 0.52 m"),
        (("holds", "jumping"), 1, "no task or motion file 'jumping'"),
    ],
)
def test_wrong_use(line: CommandLine, words: tuple[object, ...], status: int, message: str) -> None:
    found, _, err = line.run("ergo", *map(str, words))
    assert found == status and message in err
