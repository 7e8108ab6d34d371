"""Every example ends, and what it returns is what its docstring promises."""

import importlib.util
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import robotix as rx

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def priorities_hold(found: dict[str, tuple[float, float]]) -> bool:
    """The flange reaches its target wherever it has priority; the elbow cannot reach its own."""
    exact = all(found[method][0] < 1e-6 for method in ("nested", "strict", "qp"))
    return exact and found["dls"][0] > 1e-3 and all(elbow > 0.1 for _, elbow in found.values())


def bounces_lose_energy(heights: list[float]) -> bool:
    """With a restitution of 0.8 every bounce keeps 0.64 of the height."""
    ratios = [after / before for before, after in pairwise(heights) if before > 0.01]
    return len(ratios) > 5 and all(abs(ratio - 0.64) < 0.01 for ratio in ratios)


EXPECTED: Mapping[str, Callable[[Any], bool]] = {
    "01_move_an_arm": lambda error: error < 1e-6,
    "02_redundancy_and_priorities": priorities_hold,
    "03_avoid_an_obstacle": lambda distance: 0.0499 < distance < 0.06,  # 50 mm asked for
    "04_build_a_robot": lambda difference: difference < 1e-12,
    "05_record_and_play": lambda markers: markers == ["picked"],
    "06_workspace_map": lambda volumes: all(5.0 < volume < 8.0 for volume in volumes.values()),
    "07_drag_by_hand": lambda error: error < 2e-3,
    "08_door": lambda angle: abs(angle - 90.0) < 1e-9,
    "09_falling_ball": bounces_lose_energy,
    "10_teach_and_play": lambda said: len(said) > 2 and said[0].startswith("at 1.5 s, arm:"),
    "11_obstacle_in_a_room": lambda distance: 0.0499 < distance < 0.06,
    "12_motion_capture": lambda errors: all(error < 0.15 for error in errors.values()),
    "13_assess_a_lift": lambda newtons: (
        3000 < newtons["6 kg"] < 4200 and 1000 < newtons["15 kg"] - newtons["6 kg"] < 2000
    ),
    "14_cup_past_a_lamp": lambda found: found["left alone"] < 0 < found["keeping clear"],
    "15_show_and_move": lambda angle: angle == 0.4,
    "16_connect_and_cut": lambda found: (
        found["gap"] < 1e-5 and found["letting go"] == 0 and found["losing the legs"] < 1e-12
    ),
    "17_balance": lambda found: (
        found["pushed"] < 0.03
        and found["kicking"] < 0.045
        and found["kicking, printed sign"] > 0.15
    ),
    "18_faults_on_purpose": lambda found: (
        found["stop"]["fault_time_to_react"] < 0.5
        and found["stop"]["fault_travel"] < 0.5 * found["none"]["fault_travel"]
    ),
    "19_share_a_bench": lambda found: (
        max(found["both"]["duration"], found["pfl"]["duration"]) < found["ssm"]["duration"]
        and found["ssm"]["waiting_time"] > 1.0
    ),
    "20_design_a_mounting": lambda ratings: 0.2 < ratings[0] < ratings[1] - 0.1,
}


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_ends_well(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert EXPECTED[path.stem](load(path).main())


def test_the_elbow_ducks_under_the_lamp_and_the_cup_stays_on_its_line(tmp_path: Path) -> None:
    (path,) = (path for path in EXAMPLES if path.stem == "14_cup_past_a_lamp")
    found = load(path).main(tmp_path / "cup.csv")
    assert found["left alone"] < 0
    assert found["keeping clear"] >= 0.049  # 50 mm asked for
    assert found["cup off its line"] < 1e-3
    model = rx.load("kuka_lwr_rail")
    rx.load_motion(tmp_path / "cup.csv", model=model).check_limits(model)


@pytest.mark.parametrize(
    "path",
    sorted((Path(__file__).parent.parent / "examples" / "scenes").glob("*.yaml")),
    ids=lambda path: path.stem,
)
def test_every_example_room_has_a_view_a_purpose_and_a_first_thing_to_do(path: Path) -> None:
    room = yaml.safe_load(path.read_text("utf-8"))
    assert any("viewpoint" in thing for thing in room["objects"].values())
    greetings = [rule["do"] for rule in room["rules"] if rule["when"] == {"client": "any"}]
    words = str(greetings).upper()
    assert "SAY" in words, "nothing tells who comes what this is"
    keys = [
        rule["when"]["key"] for rule in room["rules"] if "name" in rule and "key" in rule["when"]
    ]
    names = [str(key).upper() for key in keys if key != "Escape"]
    first_to_do = any(f"{key}:" in words or f" {key} " in words for key in names)
    assert first_to_do or "DRAG" in words, f"none of {names} is said in: {words}"
