"""People and their tasks in scene files: read, refused with the place, warned of, and saved."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest
from support.people import manikin

from robotix.authoring import check_scene, load_scene, save_scene
from robotix.authoring.load.build import START
from robotix.scene import Scene
from robotix.scene.commands.people import Perform
from robotix.scene.people.task_steps import MoveHandStep, StandStep, TogetherStep, WaitStep

ROOM = """\
robotix: 1
objects:
  floor: {plane: true}
  lamp: {sphere: 0.1, at: [0.5, -0.3, 1.2]}
people:
  anna: {sex: f, percentile: 50, at: [1, 2, 0], rpy_deg: [0, 0, 90]}  # mine
  bert: {stature: 1.8, mass: 80, at: [3, 0, 0], pose_deg: {hip_flexion: 9, left_elbow_flexion: 90}}
tasks:
  wave:
    - {look: lamp}
    - {together: [stand, {move_hand: {to: [0.3, -0.4, 1.4]}}]}
rules:
  - {when: {collision: [anna/lift/box, floor]}, do: {say: touched}}
start:
  - in_turn:
      - {perform: {person: anna, task: lift, load: 6, with: {table_height: 0.75}}}
      - {perform: [bert, wave]}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "room.yaml"
    file.write_text(ROOM)
    return file


def faults(path: Path, old: str = "", new: str = "") -> list[str]:
    assert old in ROOM
    path.write_text(ROOM.replace(old, new))
    return [str(problem).partition("room.yaml:")[2] for problem in check_scene(path)]


def test_people_stand_where_the_file_says(path: Path) -> None:
    assert faults(path) == []
    scene = load_scene(path)
    anna, bert = scene.people["anna"], scene.people["bert"]
    assert list(scene.robots) == ["anna", "bert"]
    assert anna.manikin.anthropometry.sex == "female"
    assert bert.manikin.anthropometry.stature == 1.8
    names = bert.manikin.model.dof_names
    angles = dict(zip(names, np.degrees(bert.robot.q), strict=True))
    assert angles["right_hip_flexion"] == angles["left_hip_flexion"] == pytest.approx(9)
    assert angles["left_elbow_flexion"] == pytest.approx(90)
    assert angles["right_elbow_flexion"] < 40  # at ease
    feet = [scene.graph[f"anna/{side}_foot"].world_position for side in ("right", "left")]
    assert np.mean(feet, axis=0) == pytest.approx([1, 2, 0], abs=1e-3)
    assert scene.graph["anna/lift/table"].world_position[2] == pytest.approx(0.75 - 0.015)
    assert isinstance(scene.assets.tasks["wave"][1], TogetherStep)
    for _ in range(30):
        scene.step()


def test_a_sole_of_who_is_posed_is_on_the_floor(path: Path) -> None:
    bent = "{hip_flexion: 9, left_elbow_flexion: 90}"
    faults(path, bent, "{knee_flexion: 60, hip_flexion: 30, ankle_dorsiflexion: 15}")
    bert = load_scene(path).people["bert"]
    posture = bert.robot.posture
    soles = [posture.position(point)[2] for point in bert.manikin.support_points("right")]
    assert min(soles) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("percentile: 50", "percentile: 500", "6:30: people.anna.percentile: 500"),
        ("sex: f", "sex: q", "6:15: people.anna.sex: 'q'; expected one of these (f, m)"),
        ("stature: 1.8", "stature: 18", "7:19: people.bert.stature: 18"),
        ("stature: 1.8", "height: 1.8", "unknown key 'height'"),
        ("left_elbow_flexion: 90", "left_elbow: 90", "no joint 'left_elbow'"),
        ("left_elbow_flexion: 90", "left_elbow_flexion: 190", "'left_elbow_flexion' at 190°"),
        ("person: anna", "person: ann", "no person 'ann'; expected the name of a person; did you"),
        ("person: anna", "person: lamp", "'lamp', which is a node"),
        ("task: lift", "task: lfit", "no task 'lfit'"),
        ("load: 6", "load: -6", "from 0 to 1000"),
        ("table_height: 0.75", "table: 0.75", "no parameter of lift 'table'"),
        ("task: lift, load: 6", "task: lift, style: hop, load: 6", "'hop'"),
        ("[bert, wave]", "{person: bert, task: wave, load: 2}", "'load'; expected nothing here"),
        ("look: lamp", "look: lump", "no node 'lump'"),
        ("stand,", "stend,", "no step 'stend'"),
        ("  wave:\\n", "  walk:\\n", "'walk', a task of the library"),
        ("anna/lift/box", "anna/lift/bux", "no node 'anna/lift/bux'"),
        ("  bert:", "  lamp:", "'lamp' a second time"),
    ],
)
def test_wrong_words_are_refused_where_they_stand(
    path: Path, old: str, new: str, fault: str
) -> None:
    found = faults(path, old.replace("\\n", "\n"), new.replace("\\n", "\n"))
    assert any(fault in each for each in found), found


def test_what_a_body_cannot_do_is_warned_of(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        far = "{person: bert, task: reach, with: {distance: 2}}"
        assert faults(path, "[bert, wave]", far) == []
    assert "'bert' cannot 'reach' as asked: right_hand falls short by" in caplog.text
    assert "room.yaml:17" in caplog.text


def test_saving_keeps_words_and_writes_where_people_are(path: Path) -> None:
    scene = load_scene(path)
    save_scene(scene)
    assert path.read_text() == ROOM
    scene.people["anna"].robot.node.pose = scene.graph["lamp"].pose
    scene.graph["lamp"].set(visible=False)
    save_scene(scene)
    assert "at: [0.5, -0.3, 1.2], rpy_deg: [0, 0, 0]}  # mine" in path.read_text()
    scene.remove_robot("bert")
    for rule in list(scene.rules):
        scene.off(rule)
    save_scene(scene)
    assert "bert" not in path.read_text()


def test_who_has_walked_is_saved_where_the_feet_are(path: Path) -> None:
    perform = "{perform: {person: anna, task: lift, load: 6, with: {table_height: 0.75}}}"
    text = ROOM.replace(perform, "{perform: {person: anna, task: walk, with: {distance: 0.5}}}")
    path.write_text(text.replace("anna/lift/box", "anna"))
    scene = load_scene(path)
    for _ in range(round(6 / scene.dt)):
        scene.step()
    save_scene(scene)
    assert load_scene(path).graph["anna"].world_position == pytest.approx([1, 2.5, 0], abs=2e-3)


def test_a_room_made_by_a_program_becomes_a_file(tmp_path: Path) -> None:
    scene = Scene()
    scene.add_person("eve", manikin("f", stature=1.6, mass=55))
    scene.assets.tasks["hello"] = (
        MoveHandStep((0.3, -0.3, 1.3), seconds=0.5),
        StandStep(),
        WaitStep(0.5),
    )
    scene.on(START, Perform("eve", "hello"), name="start")
    save_scene(scene, tmp_path / "new.yaml")
    again = load_scene(tmp_path / "new.yaml")
    assert again.assets.tasks == scene.assets.tasks
    assert again.people["eve"].manikin.anthropometry.mass == 55
