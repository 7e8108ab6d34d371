"""What people change by hand: it happens, it can be undone, and it is explained when it cannot."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import robotix as rx
from robotix.geometry import Box, Pose
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.commands.basic import Together
from robotix.scene.commands.constraints import Hinge
from robotix.scene.commands.grabbing import Grab
from robotix.scene.console.console import install_console, run_command
from robotix.scene.events.events import Button
from robotix.scene.robots.drives import JointMove, Nudge
from robotix.scene.scene import Scene


def room() -> Scene:
    scene = Scene()
    box = Box(np.full(3, 0.1))
    scene.graph.add("table", solids=[box], pose=Pose.at(1, 0, 0.5, rpy=(0, 0, 1)), scale=2.0)
    scene.graph.add("cup", parent="table", solids=[box], pose=Pose.at(0.1, 0, 0.1))
    arm = scene.add_robot("arm", rx.load("planar_3r"))
    arm.set_q([0.1, 0.2, 0.3])
    scene.add_robot("other", rx.load("kuka_lwr"), pose=Pose.at(0, 3, 0))
    install_console(scene)
    return scene


def ok(scene: Scene, line: str) -> None:
    reply = run_command(scene, line)
    assert reply == "", reply


def hand(x: float, y: float = 0.0, z: float = 0.0, *, turn: float = 0.0) -> Inputs:
    quaternion = (float(np.cos(turn / 2)), 0.0, 0.0, float(np.sin(turn / 2)))
    return Inputs({"cursor": Reading(position=(x, y, z), quaternion=quaternion)})


# -- placing and looks ----------------------------------------------------------------------


def test_things_are_placed_in_the_world() -> None:
    scene = room()
    cup = scene.graph["cup"]
    ok(scene, "place cup; (1, 2, 3); (0, 0, 0, 1)")
    np.testing.assert_allclose(cup.world_position, [1, 2, 3], atol=1e-12)
    turned = cup.world_pose.rotation
    np.testing.assert_allclose(turned, np.diag([-1, -1, 1]), atol=1e-12)
    ok(scene, "place cup; (0, 0, 0)")
    np.testing.assert_allclose(cup.world_position, 0, atol=1e-12)
    np.testing.assert_allclose(cup.world_pose.rotation, turned, atol=1e-12)
    assert cup.world_scale == 2.0


def test_steps_that_follow_quickly_are_one_to_undo() -> None:
    scene = room()
    cup = scene.graph["cup"]
    before = cup.world_position
    for x in range(5):
        ok(scene, f"place cup; ({x}, 0, 0)")
        scene.step()
    for _ in range(100):
        scene.step()
    ok(scene, "place cup; (9, 9, 9)")
    ok(scene, "undo")
    np.testing.assert_allclose(cup.world_position, [4, 0, 0], atol=1e-12)
    ok(scene, "undo")
    np.testing.assert_allclose(cup.world_position, before, atol=1e-12)
    assert "nothing to take back" in run_command(scene, "undo")
    ok(scene, "redo")
    ok(scene, "redo")
    np.testing.assert_allclose(cup.world_position, [9, 9, 9], atol=1e-12)
    assert "nothing was taken back" in run_command(scene, "redo")


def test_a_step_after_an_undo_is_one_of_its_own() -> None:
    scene = room()
    cup = scene.graph["cup"]
    before = cup.world_position
    ok(scene, "place cup; (1, 0, 0)")
    ok(scene, "undo")
    ok(scene, "place cup; (2, 0, 0)")
    ok(scene, "undo")
    np.testing.assert_allclose(cup.world_position, before, atol=1e-12)


def test_things_are_shown_hidden_and_drawn_as_lines() -> None:
    scene = room()
    cup = scene.graph["cup"]
    ok(scene, "hide cup")
    assert not cup.attributes.visible
    ok(scene, "wireframe cup; on")
    assert cup.attributes.wireframe and not cup.attributes.visible
    ok(scene, "undo")
    ok(scene, "undo")
    assert cup.attributes.visible and not cup.attributes.wireframe
    ok(scene, "redo")
    ok(scene, "show cup")
    ok(scene, "wireframe cup")
    ok(scene, "wireframe cup; off")
    assert cup.attributes.visible and not cup.attributes.wireframe


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("place cup", "place takes a node, a position in the world"),
        ("place cup; (1, 2)", "place takes"),
        ("place cup; (1, 2, 3); (0, 0, 0, 0)", "place: quaternion must be other than zero"),
        ("place cup; (1, 2, 3); (1, 0, 0)", "place takes"),
        ("place cup; (1, 2, 3); (1, 0, 0, 0); 7", "place takes"),
        ("place cup; (1e9, 2, 3)", "within 10000 m"),
        ("place kup; (1, 2, 3)", "did you mean 'cup'"),
        ("place world; (1, 2, 3)", "cannot be moved"),
        ("place arm/link2; (1, 2, 3)", "link of the robot"),
        ("hide nothing at all", "no node"),
        ("hide", "hide takes the name of a node"),
        ("wireframe cup; perhaps", "wireframe takes"),
        ("grab cup; cursor", "does not say where it is"),
        ("grab cup", "grab takes"),
        ("joint elbow; 3", "no joint of 'arm' called 'elbow'"),
        ("joint joint1; fast", "joint takes"),
        ("joint 4; 1", "no joint of 'arm' called '4'"),
        ("set_method best", "set_method takes dls, nested, strict or qp"),
        ("set_weights 1, 0", "set_weights: weights must be positive numbers, got"),
        ("set_weights 1, 2", "weights must be 3 numbers, one for each joint, got"),
        ("set_damping -1", "set_damping: k must be a damping factor in 0..100, got -1"),
        ("track_init stick; twist", "track_init takes a device"),
        ("drag", "say what to drag"),
        ("drag_pose arm/link2; cursor", "does not say where it is"),
    ],
)
def test_what_is_wrong_is_said(line: str, words: str) -> None:
    scene = room()
    reply = run_command(scene, line)
    assert re.search(words, reply), reply
    assert not scene.history.can_undo


@given(st.text(st.characters(codec="utf-8"), max_size=30), st.sampled_from(
    ["place", "show", "hide", "wireframe", "grab", "let_go", "undo", "redo", "joint"]
))  # fmt: skip
def test_any_argument_is_answered(argument: str, command: str) -> None:
    scene = room()
    run_command(scene, f"{command} {argument}")
    scene.step()
    assert scene.graph["cup"].attributes.visible


# -- joints ---------------------------------------------------------------------------------


def test_a_joint_goes_where_a_slider_is() -> None:
    scene = room()
    arm = scene.robot("arm")
    ok(scene, "joint joint2; 40")
    ok(scene, "joint 3; -20")  # while the other is still on its way
    assert isinstance(arm.drive, Nudge)
    rates = arm.model.velocity * arm.dt
    for _ in range(200):
        before = arm.q
        scene.step()
        assert (abs(arm.q - before) <= rates * (1 + 1e-9)).all()
    np.testing.assert_allclose(arm.q, [0.1, np.radians(40), np.radians(-20)])
    assert arm.drive is None


def test_one_robot_or_all_can_be_stopped() -> None:
    scene = room()
    arm, other = scene.robot("arm"), scene.robot("other")
    for line, moves in (("stop", "other"), ("stop other", "arm"), ("stop all", "")):
        ok(scene, "move R 1;(9, 9, 9)")
        ok(scene, "move R 2;(9, 9, 9, 9, 9, 9, 9)")
        ok(scene, line)
        assert [each.name for each in (arm, other) if each.drive] == ([moves] if moves else [])


def test_home_is_where_the_robot_was_set_up() -> None:
    scene = room()
    arm = scene.robot("arm")
    ok(scene, "joint joint1; 50")
    for _ in range(200):
        scene.step()
    ok(scene, "home")
    assert isinstance(arm.drive, JointMove)
    for _ in range(200):
        scene.step()
    np.testing.assert_allclose(arm.q, [0.1, 0.2, 0.3])


def test_the_solver_can_be_chosen() -> None:
    scene = room()
    ok(scene, "set_robot other")
    robot = scene.robot()
    robot.set_q(np.radians([0, 30, 0, 60, 0, 30, 0]))
    target = robot.tip_position() + 0.05
    for method in ("dls", "nested", "strict", "qp"):
        ok(scene, f"set_method {method}")
        ok(scene, "set_damping 0.01")
        assert (robot.solvers.method, robot.solvers.damping.k) == (method, 0.01)
        ok(scene, f"move_xyz ({', '.join(map(str, target))})")
        for _ in range(400):
            scene.step()
        assert np.linalg.norm(robot.tip_position() - target) < 2e-3
        target = target - np.array([0.01, 0.0, 0.02])


def test_obstacles_can_be_forgotten() -> None:
    scene = room()
    ok(scene, "set_obstacle table; 0.1")
    keeping = scene.robot("arm").avoidance
    assert keeping is not None and keeping.distances == {"table": 0.1}
    ok(scene, "clear_obstacles")
    assert keeping.distances == {}


# -- hands ----------------------------------------------------------------------------------


def test_a_hand_carries_a_thing_and_that_is_one_step_to_undo() -> None:
    scene = room()
    cup = scene.graph["cup"]
    scene.step(hand(1.0))
    before = cup.world_position
    ok(scene, "grab cup; cursor")
    for step in range(20):
        scene.step(hand(1.0 + 0.01 * step))
    np.testing.assert_allclose(cup.world_position, before + np.array([0.19, 0, 0]), atol=1e-9)
    assert not scene.history.can_undo
    ok(scene, "let_go cursor")
    scene.step(hand(5.0))
    np.testing.assert_allclose(cup.world_position, before + np.array([0.19, 0, 0]), atol=1e-9)
    ok(scene, "undo")
    np.testing.assert_allclose(cup.world_position, before, atol=1e-12)
    ok(scene, "redo")
    np.testing.assert_allclose(cup.world_position, before + np.array([0.19, 0, 0]), atol=1e-9)


def test_links_are_dragged_by_the_name_of_their_node() -> None:
    """Of whichever robot it is, the active one or not."""
    scene = room()
    other = scene.robot("other")
    other.set_q(np.radians([0, 30, 0, 60, 0, 30, 0]))
    x, y, z = other.tip_position()
    scene.step(hand(x, y, z))
    ok(scene, "drag other/flange; cursor")
    for step in range(60):
        scene.step(hand(x, y, z - 0.001 * step))
    assert other.tip_position()[2] < z - 0.03
    assert scene.robot("arm").drive is None
    ok(scene, "let_go cursor")
    assert other.drive is None
    ok(scene, "drag other/flange; cursor")
    ok(scene, "drag off")
    assert other.drive is None


def test_an_end_effector_is_held_place_and_turn() -> None:
    scene = room()
    other = scene.robot("other")
    other.set_q(np.radians([0, 30, 0, 60, 0, 30, 0]))
    x, y, z = other.tip_position()
    before = other.posture.pose(other.chain.point.body).rotation
    scene.step(hand(x, y, z))
    ok(scene, "drag_pose other/flange; cursor")
    for step in range(100):
        scene.step(hand(x, y, z - 0.0005 * step, turn=0.003 * step))
    for _ in range(60):
        scene.step(hand(x, y, z - 0.0005 * 99, turn=0.003 * 99))
    np.testing.assert_allclose(other.tip_position(), [x, y, z - 0.0005 * 99], atol=2e-3)
    turned = other.posture.pose(other.chain.point.body).rotation
    c, s = np.cos(0.297), np.sin(0.297)
    np.testing.assert_allclose(
        turned, np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ before, atol=0.02
    )
    scene.step()  # the hand is gone
    assert any("is gone" in str(message) for message in scene.messages)
    for _ in range(60):
        scene.step()
    assert other.drive is None


def test_a_device_may_turn_the_end_effector_too() -> None:
    scene = room()
    scene.step(Inputs({"mover": Reading(axes=(0.0,) * 6)}))
    ok(scene, "track_init mover; turn")
    tracking = scene.robot().tracking
    assert tracking is not None and tracking.options.turn


def test_grabbing_what_a_rule_guides_moves_it_as_the_rule_lets_it() -> None:
    scene = room()
    door = scene.graph.add("door", solids=[Box(np.array([0.8, 0.04, 2.0]))], pose=Pose.at(0, 5, 1))
    scene.graph.add("handle", parent="door", pose=Pose.at(0.3, 0.05, 0))
    hinge = Hinge("door", "glove", origin=(-0.4, 0, 0), upper=1.5, reach=0.1)
    scene.on(Button("glove", "grip"), Together((hinge, Grab("cup", "glove"))), mode="reflect")
    scene.step(hand(0.4, 5, 1))
    ok(scene, "grab handle; cursor")  # what is seen and clicked hangs on what turns
    for y in np.linspace(5, 5.4, 40):
        scene.step(hand(0.4, float(y), 1))
    angle = np.arctan2(0.4, 0.8)
    np.testing.assert_allclose(door.pose.rotation[:2, 0], [np.cos(angle), np.sin(angle)], atol=1e-6)
    np.testing.assert_allclose(door.pose.apply(np.array([-0.4, 0, 0])), [-0.4, 5, 1], atol=1e-9)
    ok(scene, "let_go cursor")
    scene.step(hand(0.4, 5.4, 1))
    ok(scene, "undo")
    np.testing.assert_allclose(door.pose.translation, [0, 5, 1], atol=1e-9)


def test_grabbing_a_part_of_what_a_rule_lets_hands_carry_takes_the_whole() -> None:
    scene = room()
    scene.graph.add("lid", parent="cup", pose=Pose.at(0, 0, 0.1))
    scene.on(Button("glove", "pinch"), Grab("cup", "glove", reach=0.1), mode="reflect")
    before = scene.graph["cup"].world_position
    scene.step(hand(0, 0, 0))
    ok(scene, "grab lid; cursor")
    scene.step(hand(0, 0, 0.1))
    np.testing.assert_allclose(scene.graph["cup"].world_position - before, [0, 0, 0.1], atol=1e-9)


def test_a_joint_with_a_large_weight_moves_less() -> None:
    scene = room()
    ok(scene, "set_robot other")
    robot = scene.robot()
    start = np.radians([0, 30, 0, 60, 0, 30, 0])
    robot.set_q(start)
    target, moved = robot.tip_position() + np.array([0.0, 0.05, 0.0]), []
    for weights in ("", "500, 1, 1, 1, 1, 1, 1"):
        robot.set_q(start)
        ok(scene, f"set_weights {weights}")
        ok(scene, f"move_xyz ({', '.join(map(str, target))})")
        for _ in range(400):
            scene.step()
        assert np.linalg.norm(robot.tip_position() - target) < 2e-3
        moved.append(abs(robot.q[0] - start[0]))
    assert moved[1] < 0.5 * moved[0]
