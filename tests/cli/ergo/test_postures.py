"""`robotix ergo`: what the calculators say, in words and in JSON, and how they refuse."""

from __future__ import annotations

import math
from typing import Any

import pytest
from support.command_line import CommandLine

from robotix.ergonomics import Lift, lifting_index

BACK: dict[str, Any] = {
    "--upper-weight": 450,
    "--upper-arm": 0.25,
    "--load": 200,
    "--load-arm": 0.4,
    "--angle-deg": 35,
}
LIFT: dict[str, Any] = {
    "--load": 20,
    "--horizontal": 0.4,
    "--vertical": 0.5,
    "--distance": 0.6,
}


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)


def flat(options: dict[str, Any]) -> list[Any]:
    return [part for pair in options.items() for part in pair]


def test_l5s1_gives_the_published_example(line: CommandLine) -> None:
    answer = line.json("ergo", "l5s1", *flat(BACK))
    assert answer["muscle_force"] == pytest.approx(3850)
    assert answer["compression"] == pytest.approx(4382, abs=1)
    assert answer["shear"] == pytest.approx(373, abs=1)
    assert answer["verdict"]["level"] == 2
    low, high = answer["compression_band"]
    assert low < answer["compression"] < high
    assert any("Chaffin" in source for source in answer["sources"])


def test_l5s1_options(line: CommandLine) -> None:
    usual = line.json("ergo", "l5s1", *flat(BACK))
    wide = line.json("ergo", "l5s1", *flat(BACK), "--muscle-arm", 0.06)
    assert wide["muscle_force"] == pytest.approx(192.5 / 0.06)
    eased = line.json("ergo", "l5s1", *flat(BACK), "--abdominal")
    assert eased["abdominal_force"] > 0
    assert eased["compression"] < usual["compression"]
    many = line.json("ergo", "l5s1", *flat(BACK), "--ten-muscles")
    assert many["compression"] > usual["compression"]


def test_l5s1_in_words(line: CommandLine) -> None:
    out = line.text("ergo", "l5s1", *flat(BACK))
    assert "compression 4382 N, shear 373 N" in out
    assert "above the action limit" in out
    assert "450 N at 0.25 m and 200 N at 0.4 m" in out


def test_rnle(line: CommandLine) -> None:
    answer = line.json("ergo", "rnle", *flat(LIFT), "--asymmetry-deg", 45, "--coupling", "poor")
    found = lifting_index(
        Lift(
            load=20,
            horizontal=0.4,
            vertical=0.5,
            distance=0.6,
            asymmetry=math.radians(45),
            coupling="poor",
        )
    )
    assert answer["rwl"] == pytest.approx(found.weight_limit)
    assert answer["li"] == pytest.approx(found.index)
    assert list(answer["multipliers"]) == ["HM", "VM", "DM", "AM", "FM", "CM"]
    assert "lifting index" in line.text("ergo", "rnle", *flat(LIFT))


def test_an_infinite_index_is_null(line: CommandLine) -> None:
    answer = line.json("ergo", "rnle", *flat({**LIFT, "--horizontal": 0.7}))
    assert answer["li"] is None
    assert answer["verdict"]["name"] == "high risk"


def test_rula(line: CommandLine) -> None:
    assert line.json("ergo", "rula")["score"] == 1
    options = ["--upper-arm-deg", 50, "--trunk-deg", 30, "--load", 5, "--load-kind", "static"]
    answer = line.json("ergo", "rula", *options, "--neck-twisted", "--legs-unsupported")
    assert (answer["posture_a"], answer["posture_b"]) == (3, 5)
    assert (answer["score_c"], answer["score_d"]) == (5, 7)
    assert answer["score"] == 7
    assert "RULA 7 of 7" in line.text(
        "ergo", "rula", *options, "--neck-twisted", "--legs-unsupported"
    )


def test_reba(line: CommandLine) -> None:
    answer = line.json(
        "ergo", "reba", "--trunk-deg", 70, "--knee-deg", 70, "--load", 12, "--static"
    )
    assert (answer["score_a"], answer["score_b"], answer["score_c"]) == (8, 1, 8)
    assert answer["score"] == 9
    assert "REBA 1 of 15" in line.text("ergo", "reba")


def test_owas(line: CommandLine) -> None:
    answer = line.json("ergo", "owas", "--back", 2, "--arms", 2, "--legs", 4, "--load", 15)
    assert (answer["code"], answer["category"]) == ("2242", 4)
    assert "category 1 of 4" in line.text("ergo", "owas")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["l5s1", *flat({**BACK, "--load": -1})], "load must be"),
        (["l5s1", *flat({**BACK, "--upper-weight": "nan"})], "weight of the upper body"),
        (["l5s1", *flat({**BACK, "--angle-deg": 400})], "angle of the disc must be"),
        (["l5s1", *flat(BACK), "--muscle-arm", 0], "muscle arm must be"),
        (["rnle", *flat({**LIFT, "--coupling": "bad"})], "no coupling 'bad'"),
        (["rnle", *flat({**LIFT, "--horizontal": 40})], "horizontal must be"),
        (["rula", "--trunk-deg", 200], "trunk must be"),
        (["rula", "--load-kind", "heavy"], "no kind of load 'heavy'"),
        (["reba", "--load", -3], "load must be"),
        (["owas", "--load", "inf"], "load must be"),
    ],
)
def test_refused_input_exits_with_one(line: CommandLine, arguments: list[Any], words: str) -> None:
    status, out, err = line.run("ergo", *arguments)
    assert (status, out) == (1, "")
    assert err.startswith("Error: ") and words in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["l5s1"],
        ["l5s1", *flat(BACK), "--ten-muscles", "--abdominal"],
        ["rnle", "--load", "heavy"],
        ["owas", "--back", 5],
        ["rula", "--no-such-option"],
    ],
)
def test_wrong_use_exits_with_two(line: CommandLine, arguments: list[Any]) -> None:
    status, out, err = line.run("ergo", *arguments)
    assert (status, out) == (2, "")
    assert "Error" in err and "Traceback" not in err
