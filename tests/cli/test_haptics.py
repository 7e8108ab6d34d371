"""`robotix haptics`: what it prints and writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine


def test_a_wall_is_judged(robotix: CommandLine) -> None:
    document = robotix.json("haptics", "wall", "--k", 9000)
    assert document["stable"]
    assert document["passive"]
    assert document["energy_leak"] == 0
    assert document["limits"]["passive"] == pytest.approx(10_000)
    stiff = robotix.json("haptics", "wall", "--k", 30_000)
    assert not stiff["stable"]
    assert stiff["energy_leak"] > 1e-3
    safe = robotix.text("haptics", "wall", "--k", 30_000, "--passivity")
    assert "gives out no energy" in safe


def test_a_map_is_drawn_and_not_replaced(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "map.svg"
    assert "cells are stable" in robotix.text("haptics", "map", "--cells", 4, "--out", out)
    assert out.read_text().startswith("<svg")
    status, _, error = robotix.run("haptics", "map", "--cells", 4, "--out", out)
    assert status == 1
    assert "is there already" in error
    status, _, error = robotix.run("haptics", "map", "--out", tmp_path / "none" / "map.svg")
    assert status == 1
    assert "there is no folder" in error


def test_a_whole_device_is_mapped(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "device.svg"
    document = robotix.json(
        "haptics", "map", "--device", "vishard10", "--cells", 2, "--delay", 0.005, "--out", out
    )
    assert document["stable"] == [[True, False], [True, True]]  # damping helps
    assert document["single"]["mass"] == 2
    assert out.read_text().startswith("<svg")
    for option, value in (("--device", "phantom"), ("--y", "hand_mass"), ("--x", "rate")):
        words = ["haptics", "map", "--device", "vishard10", option, value]
        status, _, error = robotix.run(*words)
        assert status == 2
        assert value in error


def test_the_experiments_are_reported(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    document = robotix.json("haptics", "experiments", "--dt", 0.02, "--out", out)
    found = {each["number"]: each for each in document["findings"]}
    assert list(found) == list(range(1, 21))
    assert set(found[1]) == {"number", "name", "published", "ours", "reproduced"}
    for number in (1, 2, 4, 5, 6, 11, 12, 13, 15, 16, 17, 18):
        assert found[number]["reproduced"], found[number]
    assert found[9]["reproduced"] is False  # said in the docs
    assert found[10]["reproduced"] is None
    page = out.read_text()
    assert page.count("<svg") == 16
    assert "not reproduced" in page


def test_a_whole_device_is_pressed_against_a_wall(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "run.html"
    document = robotix.json("haptics", "device", "--seconds", 1.5, "--partitioned", "--out", out)
    assert document["stable"]
    assert document["hand_force"] == pytest.approx(15, abs=1)
    assert out.read_text().count("<svg") == 4
    assert robotix.run("haptics", "device", "--out", out)[0] == 1
    status, _, error = robotix.run("haptics", "device", "--mode", "telepathy")
    assert status == 2
    assert "position_impedance" in error
    assert "gives out" in robotix.text("haptics", "device", "--mode", "impedance", "--seconds", 0.2)


def test_faults_are_timed(robotix: CommandLine) -> None:
    document = robotix.json("haptics", "faults", "--trials", 4)
    assert document["safe"]
    assert {each["fault"] for each in document["faults"]} == {
        "force_nan", "encoder_frozen", "controller_late", "cable_cut",
    }  # fmt: skip
    assert all(each["worst_brake"] <= each["stated_time"] for each in document["faults"])


def test_the_labyrinth_runs_without_a_page(robotix: CommandLine) -> None:
    document = robotix.json("haptics", "play", "--headless", "--seconds", 0.1)
    assert document["ticks"] == 12
    assert "device" in document["robots"]


def test_maps_over_other_parameters(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "rate.svg"
    text = robotix.text("haptics", "map", "--y", "rate", "--cells", 3, "--out", out)
    assert "of 9 cells are stable" in text
    document = robotix.json("haptics", "map", "--x", "delay", "--y", "hand_mass", "--cells", 2)
    assert document["x"]["name"] == "delay"
    assert len(document["stable"]) == 2
    status, _, error = robotix.run("haptics", "map", "--x", "colour")
    assert status == 2
    assert "hand_stiffness" in error


def test_claims_are_checked_and_designs_compared(robotix: CommandLine) -> None:
    document = robotix.json("haptics", "claims", "--radii", 2, "--heights", 2)
    met = {each["name"]: each["is_met"] for each in document["claims"]}
    assert met["mass of moving parts"] is True
    assert met["peak force"] is None
    assert [each["name"] for each in document["designs"]][:3] == ["2R", "3R", "4R"]
    assert "NOT met" in robotix.text("haptics", "claims", "--radii", 2, "--heights", 2)


def test_channels_are_compared(robotix: CommandLine) -> None:
    document = robotix.json("haptics", "teleoperation", "--delay", 0.02)
    assert not document["four_channel"]["passive"]
    assert document["two_channel"]["error"] > 0
    assert "passive" in robotix.text("haptics", "teleoperation")


def test_teleoperation_through_a_device_is_measured(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robotix.cli.haptics.teleoperation.FREQUENCIES", (2.0,))
    words = ("haptics", "teleoperation", "--device", "vishard10")
    document = robotix.json(*words)
    for name in ("two_channel", "four_channel"):
        row = document[name]
        assert row["measured"][0] == pytest.approx(row["theory"][0], rel=0.1)
    status, _, error = robotix.run("haptics", "teleoperation", "--device", "phantom")
    assert status == 2
    assert "phantom" in error
    status, _, error = robotix.run(*words, "--arm", "scara")
    assert status == 1
    assert "all axes" in error
