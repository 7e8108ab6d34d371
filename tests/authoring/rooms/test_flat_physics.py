"""The flat with physics: nothing passes through furniture, and what is knocked over falls."""

import math

import numpy as np
import pytest
from support.room_steps import step

from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.geometry import Array, Box, Pose
from robotix.scene import BodyProperties, Reading, Scene

STILL = Reading(axes=(0.0, 0.0, 0.0))


@pytest.fixture
def flat() -> Scene:
    return load_scene(default_room())


def steer(scene: Scene, point: Array, *, ticks: int = 1200, within: float = 0.01) -> None:
    """Steer the grip point there by the stick, along straight lines."""
    for _ in range(ticks):
        error = point - scene.graph["grip_point"].world_position
        if np.linalg.norm(error) < within:
            return
        x, y, z = np.clip(8 * error, -1, 1).tolist()
        step(scene, 1, stick=Reading(axes=(x, y, z)))


def engage(scene: Scene) -> None:
    step(scene, 1, stick=STILL)
    step(scene, 1, keys=("T",), stick=STILL)


def tilt(scene: Scene, name: str) -> float:
    """Return the angle of a node's z axis to the vertical, in degrees."""
    return math.degrees(math.acos(np.clip(scene.graph[name].world_pose.rotation[2, 2], -1, 1)))


def deepest(scene: Scene, name: str, *, without: str = "") -> float:
    """Return by how much a branch overlaps anything that is not free, m."""
    own = {node.name for node in scene.graph[name].branch()}
    if without:
        own -= {node.name for node in scene.graph[without].branch()}
    depths = scene.contacts.depths(own)
    return max(
        (
            depth
            for (_, other), depth in depths.items()
            if scene.graph[other].body is None and scene.graph[other].robot != without
        ),
        default=0.0,
    )


def free_places(scene: Scene) -> dict[str, Array]:
    return {node.name: node.world_position for node in scene.graph if node.body is not None}


def test_everything_stays_where_it_stands(flat: Scene) -> None:
    before = free_places(flat)
    assert len(before) > 40
    step(flat, 3 * 120)
    for name, place in free_places(flat).items():
        if name != "toy_ball":
            np.testing.assert_allclose(place, before[name], atol=4e-4, err_msg=name)
    step(flat, 5 * 120)
    moves = flat.graph.moves
    step(flat, 60)
    assert flat.graph.moves == moves  # all sleeps


def test_the_wheelchair_stops_at_furniture_whatever_the_arm_touches(flat: Scene) -> None:
    engage(flat)
    down = Reading(axes=(0.0, 0.0, -1.0))
    said: list[str] = []
    for _ in range(1200):
        said += step(flat, 1, stick=down)
        if "The arm touches the table." in said:
            break
    assert flat.contacts.touching("arm", "dining_table")
    ahead = Reading(axes=(1.0, 0.0))
    step(flat, 5 * 120, stick=STILL, wheels=ahead)
    x = flat.graph["wheelchair"].world_position[0]
    assert x < 0.35  # before the table
    assert deepest(flat, "wheelchair", without="arm") < 0.0015


def test_the_arm_stops_at_the_table_and_leaves_it_again(flat: Scene) -> None:
    engage(flat)
    down, up = Reading(axes=(0.0, 0.0, -1.0)), Reading(axes=(0.0, 0.0, 1.0))
    said = step(flat, 5 * 120, stick=down)
    assert deepest(flat, "arm") < 0.0015
    assert any("stops" in text for text in said)
    low = flat.graph["grip_point"].world_position[2]
    step(flat, 60, stick=up)
    assert flat.graph["grip_point"].world_position[2] > low + 0.08


def test_the_arm_slides_along_the_table(flat: Scene) -> None:
    engage(flat)
    step(flat, 5 * 120, stick=Reading(axes=(0.0, 0.0, -1.0)))
    start = flat.graph["grip_point"].world_position
    step(flat, 120, stick=Reading(axes=(0.0, 0.5, -0.5)))  # to the side, and still down
    slid = flat.graph["grip_point"].world_position - start
    assert slid[1] > 0.05  # m
    assert deepest(flat, "arm") < 0.0015


def test_a_held_glass_stays_upright_and_stops_at_the_table(flat: Scene) -> None:
    engage(flat)
    glass = flat.graph["glass_1"].world_position
    steer(flat, glass + np.array([0.0, 0.0, 0.2]))  # above it, then down
    steer(flat, glass + np.array([0.0, 0.0, 0.03]))
    assert step(flat, 1, keys=("G",), stick=STILL) == ["Held: glass 1."]
    step(flat, 120, stick=Reading(axes=(0.0, 0.0, 1.0)))
    step(flat, 60, stick=Reading(axes=(-0.5, -1.0, 0.0)))
    assert tilt(flat, "glass_1") < 2
    step(flat, 3 * 120, stick=Reading(axes=(0.0, 0.0, -1.0)))
    assert deepest(flat, "arm") < 0.0015
    assert tilt(flat, "glass_1") < 2
    step(flat, 1, keys=("G",), stick=STILL)
    step(flat, 120, stick=STILL)
    assert tilt(flat, "glass_1") < 2
    assert flat.graph["glass_1"].world_position[2] == pytest.approx(0.80, abs=0.005)


def test_a_careless_gripper_knocks_the_knight_over(flat: Scene) -> None:
    flat.graph["wheelchair"].pose = Pose.at(0.05, -0.3, 0.001)  # nearer to the board
    engage(flat)
    knight = flat.graph["knight"].world_position
    steer(flat, knight + np.array([0.0, 0.12, 0.12]), within=0.03)
    steer(flat, knight + np.array([0.0, 0.12, 0.03]), ticks=400)
    assert tilt(flat, "knight") < 2
    step(flat, 120, stick=Reading(axes=(0.0, -1.0, 0.0)))
    step(flat, 120, stick=STILL)
    assert tilt(flat, "knight") > 60


def test_a_glass_pushed_off_the_table_falls_to_the_floor(flat: Scene) -> None:
    engage(flat)
    glass = flat.graph["glass_3"].world_position
    assert glass[0] < 0.75
    beside = glass + np.array([0.15, 0.06, 0.02])  # a finger behind the glass
    steer(flat, beside + np.array([0.0, 0.0, 0.2]), within=0.03)
    steer(flat, beside, ticks=400)
    for _ in range(400):
        step(flat, 1, stick=Reading(axes=(-1.0, 0.0, 0.0)))
        if flat.graph["glass_3"].world_position[2] < 0.6:
            break
    step(flat, 2 * 120, stick=STILL)
    assert flat.graph["glass_3"].world_position[2] < 0.15
    assert flat.graph["glass_1"].world_position[2] > 0.7


def test_ten_blocks_stand_on_the_table_for_a_minute(flat: Scene) -> None:
    """Takes some seconds: the whole minute is simulated, with everything else in the flat."""
    height, top = 0.05, 0.74
    for k in range(10):
        flat.graph.add(
            f"block {k}",
            solids=[Box(np.array([0.08, 0.08, height]))],
            pose=Pose.at(1.0, 0.35, top + (k + 0.5) * height),
            body=BodyProperties(mass=0.2),
        )
    step(flat, 60 * 120)
    for k in range(10):
        at = [1.0, 0.35, top + (k + 0.5) * height]
        np.testing.assert_allclose(flat.graph[f"block {k}"].world_position, at, atol=2e-3)
        assert tilt(flat, f"block {k}") < 0.5
    flat.physics.push("block 2", (0.0, -20.0, 0.0))
    step(flat, 15)
    flat.physics.push("block 2", (0.0, 0.0, 0.0))
    step(flat, 2 * 120)
    assert flat.graph["block 9"].world_position[2] < top + 5 * height  # it tumbled


def test_the_chair_pushes_what_is_free(flat: Scene) -> None:
    flat.graph["toy_ball"].pose = Pose.at(-0.9, 0.0, 0.11)
    step(flat, 120)
    before = flat.graph["toy_ball"].world_position
    step(flat, 2 * 120, wheels=Reading(axes=(-1.0, 0.0)))
    assert flat.graph["toy_ball"].world_position[0] < before[0] - 0.1


def test_the_thrown_ball_bounces_and_comes_to_rest(flat: Scene) -> None:
    step(flat, 1, keys=("B",))
    heights = []
    for _ in range(4 * 120):
        step(flat, 1)
        heights.append(flat.graph["toy_ball"].world_position[2])
    assert max(heights) > 1.5 and min(heights) > 0.07
    assert heights[-1] == pytest.approx(0.11, abs=0.02)
