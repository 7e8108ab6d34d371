"""Grabbing: objects follow the hand, stay where they are let go, and never jump."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hands import hand, place_of, problems, thing

import robotix as rx
from robotix.geometry import Pose, Sphere
from robotix.inputs.readings import Inputs
from robotix.scene.commands.attaching import Attach, Detach
from robotix.scene.commands.grabbing import Grab
from robotix.scene.events.events import Button
from robotix.scene.scene import Scene

GRIP = Button("hand", "grip")
QUARTER = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # about z


def room(*, reach: float = 0.0) -> Scene:
    scene = Scene()
    thing(scene, "cup", at=(1.0, 0.0, 0.0))
    scene.on(GRIP, Grab("cup", "hand", reach), mode="reflect")
    return scene


@given(
    way=st.lists(st.tuples(*[st.floats(-0.2, 0.2)] * 3), min_size=1, max_size=8),
    turns=st.lists(st.floats(-0.5, 0.5), min_size=8, max_size=8),
)
def test_the_object_is_fixed_in_the_hand(
    way: list[tuple[float, float, float]], turns: list[float]
) -> None:
    scene = room()
    pose = Pose.at(0.9, 0.1, 0.0)
    scene.step(hand(pose.translation, held=True))
    hand_from_cup = pose.inverse() @ scene.graph["cup"].world_pose
    for (x, y, z), turn in zip(way, turns, strict=False):
        pose = pose @ Pose.at(x, y, z, rpy=(turn, 0.0, turn / 2))
        scene.step(hand(pose.translation, turn=pose.quaternion, held=True))
        np.testing.assert_allclose(
            scene.graph["cup"].world_pose.matrix, (pose @ hand_from_cup).matrix, atol=1e-9
        )


def test_it_swings_with_the_hand() -> None:
    scene = room()
    scene.step(hand((0, 0, 0), held=True))
    for angle in np.linspace(0, np.pi / 2, 10):
        scene.step(hand((0, 0, 0), turn=(np.cos(angle / 2), 0, 0, np.sin(angle / 2)), held=True))
    np.testing.assert_allclose(place_of(scene, "cup"), (0, 1, 0), atol=1e-12)


def test_it_stays_where_it_is_let_go() -> None:
    scene = room()
    scene.step(hand((0, 0, 0), held=True))
    scene.step(hand((0, 0, 0.2), held=True))
    scene.step(hand((0, 0, 0.3)))
    scene.step(hand((0, 0, 0.4)))
    np.testing.assert_allclose(place_of(scene, "cup"), (1, 0, 0.2), atol=1e-12)
    assert len(scene.actions) == 0


@pytest.mark.parametrize(
    "lost",
    [
        hand((0, 0, 0.2), live=False, held=True),
        hand(None, held=True),
        hand((0, 0, 0.9), held=True),
        hand((0, 0, 0.2), turn=QUARTER, held=True),
        hand((0, 0, 0.2), turn=(0, 0, 0, 0), held=True),
        hand((0, 0, 1e300), held=True),
        Inputs(),
    ],
    ids=["silent", "no place", "jumps", "flips", "no turn", "far away", "gone"],
)
def test_a_hand_that_is_lost_lets_go_for_good(lost: Inputs) -> None:
    scene = room()
    scene.step(hand((0, 0, 0), held=True))
    scene.step(hand((0, 0, 0.2), held=True))
    scene.step(lost)
    np.testing.assert_allclose(place_of(scene, "cup"), (1, 0, 0.2), atol=1e-12)
    if "hand" in lost.devices and lost.devices["hand"].live:  # the button is still down
        scene.step(hand((0, 0, 0.3), held=True))
        scene.step(hand((0, 0, 0.4), held=True))
        np.testing.assert_allclose(place_of(scene, "cup"), (1, 0, 0.2), atol=1e-12)
    scene.step(hand((0, 0, 0.4)))
    scene.step(hand((0, 0, 0.4), held=True))
    scene.step(hand((0, 0, 0.5), held=True))
    np.testing.assert_allclose(place_of(scene, "cup"), (1, 0, 0.3), atol=1e-12)
    assert not problems(scene)


@pytest.mark.parametrize(("x", "taken"), [(0.9, True), (0.76, True), (0.74, False), (-3.0, False)])
def test_only_what_is_within_reach_is_taken(x: float, taken: bool) -> None:
    scene = room(reach=0.2)
    scene.step(hand((x, 0, 0), held=True))
    scene.step(hand((x, 0, 0.1), held=True))
    np.testing.assert_allclose(place_of(scene, "cup"), (1, 0, 0.1 if taken else 0), atol=1e-12)


def test_it_can_be_taken_in_a_moving_and_scaled_parent() -> None:
    scene = Scene()
    cart = scene.graph.add("cart", pose=Pose.at(1, 2, 3, rpy=(0.3, 0, 1)), scale=2.0)
    scene.graph.add("cup", parent=cart, pose=Pose.at(0.5, 0, 0))
    before = scene.graph["cup"].world_pose
    scene.on(GRIP, Grab("cup", "hand"), mode="reflect")
    scene.step(hand((0, 0, 0), held=True))
    cart.pose = Pose.at(4, 4, 4, rpy=(0, 1, 0))
    scene.step(hand((0.1, 0, 0), held=True))
    after = scene.graph["cup"].world_pose
    np.testing.assert_allclose(after.rotation, before.rotation, atol=1e-12)
    np.testing.assert_allclose(
        after.translation, np.add(before.translation, (0.1, 0, 0)), atol=1e-12
    )


def test_the_other_hand_takes_over() -> None:
    scene = room()
    scene.on(Button("left", "grip"), Grab("cup", "left"), mode="reflect")
    right = hand((0, 0, 0), held=True).devices["hand"]
    scene.step(Inputs(devices={"hand": right}))
    scene.step(Inputs(devices={"hand": right, "left": right}))
    moved = hand((0.1, 0, 0), held=True).devices["hand"]
    scene.step(Inputs(devices={"hand": right, "left": moved}))
    np.testing.assert_allclose(place_of(scene, "cup"), (1.1, 0, 0), atol=1e-12)
    assert len(scene.actions) == 1
    scene.step(Inputs(devices={"hand": moved}))
    np.testing.assert_allclose(place_of(scene, "cup"), (1.1, 0, 0), atol=1e-12)


def test_a_node_that_is_removed_in_the_hand_is_a_problem_and_no_more() -> None:
    scene = room()
    thing(scene, "plate", at=(0, 0, 0))
    scene.step(hand((0, 0, 0), held=True))
    scene.graph.remove("cup")
    scene.step(hand((0, 0, 0.1), held=True))
    assert "cup" in problems(scene)[0] and "removed" in problems(scene)[0]
    scene.step(hand((0, 0, 0.2), held=True))
    assert not problems(scene)
    np.testing.assert_array_equal(place_of(scene, "plate"), (0, 0, 0))


def test_a_node_of_the_same_name_is_another_node() -> None:
    scene = room()
    scene.step(hand((0, 0, 0), held=True))
    scene.graph.remove("cup")
    thing(scene, "cup", at=(5, 0, 0))
    scene.step(hand((0, 0, 0.1), held=True))
    np.testing.assert_array_equal(place_of(scene, "cup"), (5, 0, 0))


def test_a_robot_can_be_carried_but_not_pulled_apart() -> None:
    scene = Scene()
    scene.add_robot("arm", rx.load("scara"))
    link = list(scene.robots["arm"].links.values())[-1].name
    scene.on(GRIP, Grab("arm", "hand"), mode="reflect")
    rule = scene.on(GRIP, Grab(link, "hand"), mode="reflect")
    scene.step(hand((0, 0, 0), held=True))
    assert "joints" in problems(scene)[0]
    scene.rules.remove(rule)
    scene.step(hand((0.1, 0, 0), held=True))
    np.testing.assert_allclose(place_of(scene, "arm"), (0.1, 0, 0), atol=1e-12)


@pytest.mark.parametrize("reach", [-1.0, float("nan"), float("inf")])
def test_a_reach_that_is_none_is_refused(reach: float) -> None:
    with pytest.raises(ValueError, match="reach"):
        Grab("cup", "hand", reach)


# -- hanging one node on another ------------------------------------------------------------


def test_what_is_attached_moves_along_and_goes_back_to_its_parent() -> None:
    scene = room()
    table = scene.graph.add("table", pose=Pose.at(1, 1, 1))
    gripper = scene.graph.add("gripper", pose=Pose.at(0, 0, 1, rpy=(0, 0, 1)))
    ball = scene.graph.add("ball", parent=table, solids=[Sphere(0.1)])
    scene.on(GRIP, Attach("ball", "gripper"), mode="reflect")
    scene.step(hand(held=True))
    np.testing.assert_allclose(ball.world_position, (1, 1, 1), atol=1e-12)
    gripper.pose = Pose.at(0, 0, 2, rpy=(0, 0, 1))
    np.testing.assert_allclose(ball.world_position, (1, 1, 2), atol=1e-12)
    scene.step(hand())
    assert ball.parent is table
    np.testing.assert_allclose(ball.world_position, (1, 1, 2), atol=1e-12)


def test_detach_undoes_all_attaching() -> None:
    scene = Scene()
    for name in ("table", "left", "right"):
        scene.graph.add(name)
    ball = scene.graph.add("ball", parent="table")
    scene.on(Button("hand", "grip"), Attach("ball", "left"))
    scene.on(Button("hand", "grip"), Attach("ball", "right"))
    scene.step(hand(held=True))
    assert ball.parent is scene.graph["right"]
    scene.on(Button("hand", "grip"), Detach("ball"), mode="change")
    scene.step(hand())
    assert ball.parent is scene.graph["right"]
    scene.rules.remove(scene.rules.of(GRIP)[0])
    scene.rules.remove(scene.rules.of(GRIP)[0])
    scene.step(hand(held=True))
    assert ball.parent is scene.graph["table"]
    scene.step(hand())
    scene.step(hand(held=True))
    assert ball.parent is scene.graph.root


def test_a_former_parent_that_is_gone_leaves_the_world() -> None:
    scene = Scene()
    for name in ("table", "gripper"):
        scene.graph.add(name, pose=Pose.at(0, 0, 1))
    ball = scene.graph.add("ball", parent="table")
    scene.on(GRIP, Attach("ball", "gripper"), mode="reflect")
    scene.step(hand(held=True))
    scene.graph.remove("table")
    scene.step(hand())
    assert ball.parent is scene.graph.root
    np.testing.assert_allclose(ball.world_position, (0, 0, 1), atol=1e-12)


def test_nothing_hangs_on_itself() -> None:
    scene = room()
    scene.graph.add("handle", parent="cup")
    scene.on(GRIP, Attach("cup", "handle"), mode="reflect")
    scene.step(hand(held=True))
    assert "hangs on it" in problems(scene)[0]
    scene.step(hand())
    assert not problems(scene)
    assert scene.graph["cup"].parent is scene.graph.root
