"""Ten of these: repeats, grids, files included several times, variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from robotix.authoring import check_scene, load_scene, save_scene
from robotix.scene.scene import Scene

DESK = """robotix: 1
variables: {height: 0.75, wood: oak}
materials: {oak: {colour: brown}, pine: {colour: white}}
objects:
  top: {box: [1, 0.6, 0.04], at: [0, 0, $height], material: $wood}
  cup: {sphere: 0.05, at: [0.2, 0, 0.07], on: top, material: {colour: red}}
rules:
  - {when: {key: c}, do: {hide: cup}}
"""


def room(folder: Path, text: str, **parts: str) -> Scene:
    return load_scene(write(folder, text, **parts))


def write(folder: Path, text: str, **parts: str) -> Path:
    for name, part in parts.items():
        (folder / f"{name}.yaml").write_text(part)
    (folder / "room.yaml").write_text("robotix: 1\n" + text)
    return folder / "room.yaml"


def place(scene: Scene, name: str) -> list[float]:
    scene.graph.update()
    return [round(float(number), 9) for number in scene.graph[name].world_pose.translation]


def problems(folder: Path, text: str, **parts: str) -> list[str]:
    return [str(problem) for problem in check_scene(write(folder, text, **parts))]


# -- repeat and grid ------------------------------------------------------------------------


def test_ten_of_these_in_a_row(tmp_path: Path) -> None:
    scene = room(
        tmp_path,
        "objects:\n  chair: {box: [0.4, 0.4, 0.9], at: [1, 0, 0.45],"
        " repeat: {count: 10, step: [0.6, 0, 0]}}\n",
    )
    names = [node.name for node in scene.graph if node.parent is not None]
    assert names == [f"chair_{number}" for number in range(1, 11)]
    assert place(scene, "chair_1") == [1.0, 0.0, 0.45]
    assert place(scene, "chair_10") == [6.4, 0.0, 0.45]


def test_a_grid_of_these_on_something(tmp_path: Path) -> None:
    scene = room(
        tmp_path,
        "objects:\n  table: {box: [2, 2, 0.1], at: [0, 0, 1]}\n"
        "  cup: {sphere: 0.05, on: table, grid: {counts: [2, 3, 1], step: [0.5, 0.25, 0]}}\n",
    )
    assert place(scene, "cup_1") == [0.0, 0.0, 1.0]
    assert place(scene, "cup_2") == [0.0, 0.25, 1.0]
    assert place(scene, "cup_6") == [0.5, 0.5, 1.0]


def test_robots_are_repeated_too(tmp_path: Path) -> None:
    scene = room(
        tmp_path, "robots:\n  arm: {model: planar_3r, repeat: {count: 3, step: [0, 2, 0]}}\n"
    )
    assert list(scene.robots) == ["arm_1", "arm_2", "arm_3"]
    assert place(scene, "arm_3") == [0.0, 4.0, 0.0]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("cup: {sphere: 1, repeat: {count: 0, step: [1, 0, 0]}}", "a number from 1 to 1000"),
        ("cup: {sphere: 1, repeat: {count: 2}}", "no 'step'"),
        ("cup: {sphere: 1, grid: {counts: [2, 2], step: [1, 1, 1]}}", "along x, y and z"),
        ("cup: {sphere: 1, grid: {counts: [99, 99, 9], step: [1, 1, 1]}}", "too many copies"),
        (
            "cup: {sphere: 1, repeat: [2, [1, 0, 0]], grid: {counts: [1, 1, 1], step: [1, 1, 1]}}",
            "'repeat' besides 'grid'",
        ),
        ("cup_1: {sphere: 1}\n  cup: {sphere: 1, repeat: [2, [1, 0, 0]]}", "'cup_1' a second time"),
        ("cup: {sphere: 1, repeat: [2, [1, 0, 0]]}\n  ball: {sphere: 1, on: cup}", "called 'cup'"),
    ],
)
def test_repeats_that_cannot_be(entry: str, fault: str, tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, f"objects:\n  {entry}\n")
    assert fault in problem
    assert "room.yaml:" in problem


def test_a_room_with_repeats_is_saved_when_it_is_as_the_file_says(tmp_path: Path) -> None:
    text = "objects:\n  cup: {sphere: 1, repeat: [3, [2, 0, 0]]}   # three\n  ball: {sphere: 1}\n"
    scene = room(tmp_path, text)
    scene.graph["ball"].pose = scene.graph["cup_2"].pose
    save_scene(scene)
    saved = (tmp_path / "room.yaml").read_text()
    assert "repeat: [3, [2, 0, 0]]}   # three" in saved
    assert place(load_scene(tmp_path / "room.yaml"), "ball") == [2.0, 0.0, 0.0]
    scene.graph["cup_2"].pose = scene.graph["cup_1"].pose
    with pytest.raises(ValueError, match="cannot say all"):
        save_scene(scene)
    assert (tmp_path / "room.yaml").read_text() == saved


# -- included files -------------------------------------------------------------------------


def test_a_file_is_included_twice_under_prefixes(tmp_path: Path) -> None:
    scene = room(
        tmp_path,
        "include:\n  - {file: desk.yaml, prefix: left_, at: [0, 1, 0]}\n"
        "  - {file: desk.yaml, prefix: right_, at: [0, -1, 0], rpy_deg: [0, 0, 90],"
        " variables: {height: 0.9, wood: pine}}\n",
        desk=DESK,
    )
    assert place(scene, "left_top") == [0.0, 1.0, 0.75]
    assert place(scene, "left_cup") == [0.2, 1.0, 0.82]
    assert place(scene, "right_top") == [0.0, -1.0, 0.9]
    assert place(scene, "right_cup") == [0.0, -0.8, 0.97]
    left, right = (scene.graph[f"{side}_top"].attributes.material for side in ("left", "right"))
    assert left is not None and right is not None
    assert (left.name, right.name) == ("left_oak", "right_pine")
    hidden = [rule.command for rule in scene.rules]
    assert "left_cup" in repr(hidden[0]) and "right_cup" in repr(hidden[1])


def test_parts_of_parts_move_along(tmp_path: Path) -> None:
    corner = 'robotix: 1\ninclude: {file: desk.yaml, prefix: "d/", at: [1, 0, 0]}\n'
    scene = room(
        tmp_path,
        "include: {file: corner.yaml, prefix: c_, at: [0, 0, 1]}\n",
        desk=DESK,
        corner=corner,
    )
    assert place(scene, "c_d/cup") == [1.2, 0.0, 1.82]


def test_a_plain_include_stays_as_it_was(tmp_path: Path) -> None:
    scene = room(tmp_path, "include: desk.yaml\n", desk=DESK)
    assert place(scene, "cup") == [0.2, 0.0, 0.82]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("include: [desk.yaml, desk.yaml]", "'desk.yaml' a second time"),
        ("include: {file: desk.yaml, prefx: a}", "unknown key 'prefx'"),
        ("include: {file: none.yaml}", "no file 'none.yaml'"),
        ("include: {file: desk.yaml, variables: {hight: 1}}", "has no variable 'hight'"),
        ("objects: {cup: {sphere: $size}}", "no variable '$size'"),
        ("variables: {a: [1, 2]}", "one number or text"),
        ("variables: {a b: 1}", "letters, digits and _"),
        ("variables: 3", "names, each with a number"),
    ],
)
def test_what_cannot_be_is_said_once(text: str, fault: str, tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, f"{text}\n", desk=DESK)
    assert fault in problem


def test_variables_stand_for_numbers_and_texts_but_not_in_quotes(tmp_path: Path) -> None:
    scene = room(
        tmp_path,
        'variables: {size: 0.25}\nname: "$size"\n'
        "objects:\n  ball: {sphere: $size, at: [$size, 0, 1]}\n",
    )
    assert scene.name == "$size"
    assert place(scene, "ball") == [0.25, 0.0, 1.0]
