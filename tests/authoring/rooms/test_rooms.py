"""The rooms that come with the package: nothing is wrong with them, and there is much to do."""

import logging
import math

import numpy as np
import pytest
from support.room_steps import step

from robotix.authoring import check_scene, load_scene
from robotix.authoring.rooms import default_room, room_names, room_path
from robotix.errors import UnknownName
from robotix.geometry import Array, Box, Pose
from robotix.scene import Inputs, Reading, Scene
from robotix.scene.console.console import run_command
from robotix.scene.graph.content import Light, Viewpoint
from robotix.scene.recording.state import Digest

TICKS = 240
TASKS = {  # what the usability tasks need
    *(f"book_{colour}_{n}" for colour in ("red", "blue", "green", "yellow") for n in (1, 2, 3)),
    *(f"mark_{n}" for n in (1, 2, 3, 4, 5)),
    *("bookshelf", "sideboard", "ball", "chess_board", "knight", "chess_start", "chess_goal"),
    *("dining_table", "side_table", "glass_1", "glass_2", "glass_3", "cup", "bottle"),
}


@pytest.fixture
def flat() -> Scene:
    return load_scene(default_room())


@pytest.fixture(scope="module")
def new_flat() -> Scene:
    """Return one that nobody changes."""
    return load_scene(default_room())


def test_a_room_is_found_by_name() -> None:
    assert default_room() == room_path(room_names()[0])
    with pytest.raises(UnknownName, match="flat"):
        room_path("flatt")


@pytest.mark.parametrize("name", room_names())
def test_every_room_is_without_faults_and_doubts(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="robotix"):
        assert check_scene(room_path(name)) == []
    assert caplog.messages == []


def test_every_part_of_a_room_is_a_scene_of_its_own() -> None:
    parts = set(default_room().parent.glob("*.yaml")) - {default_room()}
    assert len(parts) >= 5
    for part in parts:
        assert check_scene(part) == []


def test_the_flat_has_what_people_look_for(new_flat: Scene) -> None:
    assert set(new_flat.graph.names) >= TASKS
    views = {node.name for node in new_flat.graph if isinstance(node.content, Viewpoint)}
    assert views >= {"overview", "seat", "kitchen", "door"}
    kinds = {node.content.kind for node in new_flat.graph if isinstance(node.content, Light)}
    assert kinds == {"sun", "point", "ambient"}
    assert 200 <= len(new_flat.graph) <= 400
    assert new_flat.robots["arm"].model.name == "kuka_lwr_rail"


def test_measures_are_those_of_a_flat(new_flat: Scene) -> None:
    def top(name: str) -> float:
        node = new_flat.graph[name]
        board = node.solids[0]
        assert isinstance(board, Box)
        return float(node.world_pose.apply(board.pose.translation)[2] + board.size[2] / 2)

    assert top("worktop") == pytest.approx(0.90)
    assert top("dining_table") == pytest.approx(0.74) == top("side_table")
    assert top("sideboard") == pytest.approx(1.0)
    assert top("chair_cushion") == pytest.approx(0.50, abs=0.005)
    assert new_flat.contacts.distance("dining_table", "side_table").distance == pytest.approx(0.9)


def test_nothing_collides_at_the_start(new_flat: Scene) -> None:
    """Furniture stands on floors and at walls; neither chair nor arm, nor what it takes, does."""
    own = {node.name for node in new_flat.graph["wheelchair"].branch()}
    arm = {node.name for node in new_flat.graph["arm"].branch()}
    for pair in new_flat.contacts.pairs():
        assert not set(pair) & arm, pair
        assert set(pair) <= own or not set(pair) & own, pair
        assert not set(pair) & (TASKS - {"dining_table", "side_table", "sideboard"}), pair


def test_it_runs_the_same_twice(flat: Scene) -> None:
    other = load_scene(default_room())
    first, second = Digest(flat), Digest(other)
    for _ in range(TICKS):
        step(flat, 1)
        step(other, 1)
        assert first.update() == second.update()
    assert flat.graph["toy_ball"].world_pose.translation[2] < 0.5  # it fell


def test_postures_on_keys_touch_nothing(flat: Scene) -> None:
    arm = flat.robots["arm"]
    ready = arm.q.copy()
    for key in ("2", "3", "1"):
        step(flat, 1, keys=(key,))
        step(flat, 5 * 120)
        assert arm.drive is None
        assert (key == "1") == np.allclose(arm.q, ready, atol=1e-6)
        assert not flat.contacts.touching("arm", "*")


def test_every_key_of_a_posture_gets_there(flat: Scene) -> None:
    goals = {
        "2": (0.12, -80, 0, 0, 50, 0, -30, 0),
        "3": (0.5, -90, -25, 0, 118, 0, -80, 0),
        "4": (2.17, 90.1, -9.8, 27.9, 98.5, -4.8, -72.8, 29),  # on the other side of the chair
        "1": (0.12, -90.1, -9.8, -27.9, 98.5, 4.8, -72.8, -29),
    }
    for key, (rail, *degrees) in goals.items():
        arm, goal = flat.robot("arm"), [rail, *np.radians(degrees)]
        step(flat, 1, keys=(key,))
        for _ in range(40):
            step(flat, 60)
            if np.allclose(arm.q, goal, atol=1e-3):
                break
        np.testing.assert_allclose(arm.q, goal, atol=1e-3, err_msg=key)


def lead_to(flat: Scene, goal: Array) -> None:
    """Lead the gripper to a point with the stick."""
    for _ in range(1200):
        error = goal - flat.graph["grip_point"].world_pose.translation
        if np.linalg.norm(error) < 0.01:
            return
        x, y, z = np.clip(8 * error, -1, 1).tolist()
        step(flat, 1, stick=Reading(axes=(x, y, z)))
    raise AssertionError(f"the gripper stays {error} off")


def test_the_gripper_takes_a_glass_and_lets_it_go(flat: Scene) -> None:
    assert "nothing between the fingers" in step(flat, 1, keys=("G",))[0]
    still = Reading(axes=(0.0, 0.0, 0.0))
    step(flat, 1, stick=still)
    step(flat, 1, keys=("T",), stick=still)
    glass = flat.graph["glass_1"].world_pose.translation
    for height in (0.16, 0.03):  # from above: the fingers point down, and would push it over
        lead_to(flat, glass + np.array([0.0, 0.0, height]))
    assert step(flat, 1, keys=("G",), stick=still) == ["Held: glass 1."]
    step(flat, 120, stick=Reading(axes=(0.0, 0.0, 1.0)))
    assert flat.graph["glass_1"].world_pose.translation[2] > glass[2] + 0.1
    step(flat, 120, stick=Reading(axes=(0.0, 0.0, -1.0)))  # dropped from there it would topple
    assert step(flat, 1, keys=("G",), stick=still) == ["Let go: glass 1."]
    assert step(flat, 120, stick=still) == ["Glass 1 is on the dining table."]
    there = flat.graph["glass_1"].world_pose
    assert there.translation[2] == pytest.approx(0.80, abs=0.005)  # it stands on the table
    np.testing.assert_allclose(there.rotation[:, 2], [0, 0, 1], atol=1e-3)


def test_the_wheelchair_drives_and_stops_at_what_is_in_its_way(flat: Scene) -> None:
    said = step(flat, 240, wheels=Reading(axes=(1.0, 0.0)))
    assert "The wheelchair stops: dining table is in the way." in said
    ahead = flat.graph["wheelchair"].world_pose.translation[0]
    assert 0 < ahead < 1
    step(flat, 240, wheels=Reading(axes=(-1.0, 0.0)))
    assert flat.graph["wheelchair"].world_pose.translation[0] < ahead - 0.7
    step(flat, 240, wheels=Reading(axes=(0.0, 1.0)))
    turned = flat.graph["wheelchair"].world_pose.rotation
    assert turned[1, 0] > 0.5
    np.testing.assert_allclose(turned.T @ turned, np.eye(3), atol=1e-9)


def test_a_drawer_follows_the_hand(flat: Scene) -> None:
    handle = flat.graph["drawer_handle"].world_pose.translation
    start = flat.graph["drawer"].world_pose.translation.copy()
    for way in np.linspace(0.0, 0.3, 60):
        place = (float(handle[0]), float(handle[1] - way), float(handle[2]))
        hand = Reading(buttons=frozenset({"grip"}), position=place, quaternion=(1, 0, 0, 0))
        step(flat, 1, right_glove=hand)
    moved = flat.graph["drawer"].world_pose.translation - start
    np.testing.assert_allclose(moved, [0.0, -0.3, 0.0], atol=0.01)


def test_the_mouse_opens_doors_and_drawers_of_the_flat(flat: Scene) -> None:
    for name, way in (("drawer", (0.0, -0.3, 0.0)), ("bedroom_door", (-0.3, 0.0, 0.0))):
        node = flat.graph[name]
        start, before = node.world_position, node.pose.matrix
        at = start + np.array([0.0, 0.3, 0.0]) * (name == "bedroom_door")
        for part in np.linspace(0.0, 1.0, 30):
            place = tuple((at + part * np.array(way)).tolist())
            flat.step(Inputs({"cursor": Reading(position=place)}))
            if part == 0:
                assert run_command(flat, f"grab {name}; cursor") == ""
        assert run_command(flat, "let_go cursor") == ""
        assert abs(node.pose.matrix - before).max() > 0.1
        is_drawer = name == "drawer"
        assert np.allclose(node.pose.rotation, before[:3, :3]) == is_drawer  # slides, or turns


def test_the_stick_steers_along_the_axes_of_the_chair(flat: Scene) -> None:
    scene, arm = flat, flat.robot("arm")
    scene.graph["wheelchair"].pose = Pose.at(0, 0, 0.001, rpy=(0, 0, math.pi / 2))
    still = Inputs({"stick": Reading(axes=(0.0, 0.0, 0.0))})
    scene.step(still)
    assert run_command(scene, "track_toggle") == ""
    start = arm.tip_position()
    for _ in range(30):
        scene.step(Inputs({"stick": Reading(axes=(1.0, 0.0, 0.0))}))
    x, y, z = arm.tip_position() - start
    assert y == pytest.approx(0.0625, abs=0.01)  # forwards is to the left now
    assert abs(x) < 0.01 and abs(z) < 0.01
