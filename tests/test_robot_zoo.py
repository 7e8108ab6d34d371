"""The sweep over public robot files: its verdicts, and its goals on what is installed for tests."""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
SAMPLE = 5
SEED = 20
GOOD = {"fine", "rightly refused"}


@pytest.fixture
def zoo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("robot_zoo")


def examine(zoo: ModuleType, paths: list[Path]) -> list[dict[str, Any]]:
    rows = list(zoo.sweep(paths))
    assert {row["verdict"] for row in rows} <= GOOD, "\n".join(zoo.findings(rows))
    return rows


def test_installed_robots_are_loaded_seen_kept_clear_and_right(zoo: ModuleType) -> None:
    installed = zoo.installed_files()
    assert {zoo.format_of(path) for path in installed} >= {"URDF", "MJCF"}
    sample = random.Random(SEED).sample(installed, SAMPLE)
    sample += [next(path for path in installed if zoo.format_of(path) == "MJCF")]
    rows = examine(zoo, sample)
    compared = [row for row in rows if row["outcome"] == "loaded" and row["format"] != "SDF"]
    assert all("differences" in row for row in compared)  # no installed package reads SDF


@pytest.mark.soak
def test_all_installed_robots_are(zoo: ModuleType) -> None:
    rows = examine(zoo, zoo.installed_files())
    assert sum(row["outcome"] == "loaded" for row in rows) > 0.9 * len(rows)


def test_faults_of_a_file_are_found(zoo: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "no.urdf").write_text("<robot name='r'><link name='a'/><link name='b'/></robot>")
    (tmp_path / "part.xml").write_text("<mujocoinclude/>")
    (tmp_path / "notes.xml").write_text("<page/>")
    paths = zoo.files_below(tmp_path)
    assert [path.name for path in paths] == ["no.urdf", "part.xml"]
    rows = list(zoo.sweep(paths))
    assert [row["verdict"] for row in rows] == ["rightly refused"] * 2
    assert "several roots" in rows[0]["reason"]
    assert "rightly refused" in zoo.table(rows)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "fine"),
        ({"differences": {"pose": 1e-3, "mass": 0.0, "com": 0.0}}, "wrong number"),
        ({"differences": {"pose": float("nan"), "mass": 0.0, "com": 0.0}}, "wrong number"),
        ({"drawn": "nothing"}, "not visible"),
        ({"obstacle": "failed: BadModel: no solids"}, "no obstacle"),
        ({"outcome": "refused", "reference": "Pinocchio reads it"}, "wrong refusal?"),
        ({"outcome": "refused", "reference": "refuses: no root"}, "rightly refused"),
        ({"outcome": "too slow"}, "too slow"),
    ],
)
def test_verdicts(zoo: ModuleType, change: dict[str, Any], verdict: str) -> None:
    row = {"outcome": "loaded", "dof": 6, "drawn": "meshes", "obstacle": "kept clear"}
    assert zoo.verdict_of(row | change) == verdict
