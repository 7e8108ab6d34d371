"""How a person drives a task's room: modes, references, points, chair and arm, access aids."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pytest

from robotix.errors import UnknownName
from robotix.experiments.runner import make_setup, run_trial
from robotix.experiments.tasks.controls import ARM, STICK
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.room import GRIP_NODE, RoomSetup, TaskRoom, open_task_room
from robotix.experiments.trial import TrialPlan
from robotix.geometry import Array
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.events.messages import Announcement


def hand(room: TaskRoom) -> Array:
    return np.array(room.scene.graph[GRIP_NODE].world_position)


def drive(
    room: TaskRoom,
    seconds: float,
    *keys: str,
    axes: tuple[float, ...] = (0.0, 0.0, 0.0),
    device: str = STICK,
    more: Mapping[str, Reading] = MappingProxyType({}),
) -> list[str]:
    """Hold axes and keys for a while; return what was said."""
    devices = {device: Reading(axes=axes), "keyboard": Reading(buttons=frozenset(keys)), **more}
    said = []
    for _ in range(max(round(seconds / room.scene.dt), 1)):
        room.scene.step(Inputs(devices=devices))
        said += [each.text for each in room.scene.messages if isinstance(each, Announcement)]
    return said


def press(
    room: TaskRoom, key: str, more: Mapping[str, Reading] = MappingProxyType({})
) -> list[str]:
    return drive(room, 0.05, key, more=more) + drive(room, 0.05, more=more)


@pytest.fixture(scope="module")
def chess() -> TaskRoom:
    return open_task_room(load_task("chess"))


def test_one_button_switches_a_stick_between_arm_and_chair(chess: TaskRoom) -> None:
    room, graph = chess, chess.scene.graph
    drive(room, 0.6)
    press(room, "T")
    before, chair = hand(room), np.array(graph["wheelchair"].world_position)
    drive(room, 0.4, axes=(0.0, 0.0, 1.0))
    assert hand(room)[2] > before[2] + 0.05
    np.testing.assert_array_equal(graph["wheelchair"].world_position, chair)
    assert "The stick drives the chair." in press(room, "C")
    drive(room, 0.4, axes=(-1.0, 0.0, 0.0))  # backwards, from the table
    assert graph["wheelchair"].world_position[0] < chair[0] - 0.02
    drive(room, 0.5)
    in_chair = graph["wheelchair"].world_pose.inverse().apply(hand(room))
    assert "The stick drives the arm." in press(room, "C")
    drive(room, 0.3, axes=(0.0, 0.0, 1.0))
    after = graph["wheelchair"].world_pose.inverse().apply(hand(room))
    assert after[2] > in_chair[2] + 0.02


def test_two_devices_drive_chair_and_arm_at_once(chess: TaskRoom) -> None:
    room = chess
    press(room, "1")
    drive(room, 4.0)
    press(room, "T")
    before, chair = hand(room), room.scene.graph["wheelchair"].world_position[0]
    drive(room, 0.3, axes=(0.0, 0.0, 0.5), more={"wheels": Reading(axes=(-1.0, 0.0))})
    assert hand(room)[2] > before[2] + 0.01
    assert room.scene.graph["wheelchair"].world_position[0] < chair - 0.01
    drive(room, 0.5)


def test_the_stick_turns_the_hand_and_moves_it_one_after_the_other() -> None:
    room = open_task_room(load_task("tables"), RoomSetup(mode="position_then_rotation"))
    drive(room, 0.6)
    press(room, "T")
    turn = room.scene.graph[GRIP_NODE].world_pose.rotation
    before = hand(room)
    press(room, "V")
    drive(room, 0.4, axes=(0.0, 0.0, 1.0))
    moved = room.scene.graph[GRIP_NODE].world_pose.rotation
    angle = math.acos((np.trace(moved @ turn.T) - 1) / 2)
    assert angle > 0.15
    press(room, "V")
    drive(room, 0.4, axes=(0.0, 0.0, 1.0))
    assert hand(room)[2] > before[2] + 0.03
    room.close()


def test_position_and_rotation_together_by_six_axes() -> None:
    room = open_task_room(load_task("tables"), RoomSetup(mode="pose"))
    drive(room, 0.6)
    press(room, "T")
    before, turn = hand(room), room.scene.graph[GRIP_NODE].world_pose.rotation
    drive(room, 0.5, axes=(0.0, 0.0, 1.0, 0.0, 0.0, 0.5), device="mover")
    moved = room.scene.graph[GRIP_NODE].world_pose.rotation
    assert hand(room)[2] > before[2] + 0.03
    assert math.acos((np.trace(moved @ turn.T) - 1) / 2) > 0.08
    room.close()


def test_a_deflection_can_be_a_position() -> None:
    room = open_task_room(load_task("tables"), RoomSetup(reference="position"))
    drive(room, 0.6)
    press(room, "T")
    before = hand(room)
    drive(room, 3.0, axes=(0.0, 0.0, 0.5))
    np.testing.assert_allclose(hand(room) - before, [0.0, 0.0, 0.15], atol=0.01)
    drive(room, 3.0)  # back to the middle: back to where it began
    np.testing.assert_allclose(hand(room), before, atol=0.01)
    room.close()


def test_single_joints_three_at_a_time() -> None:
    room = open_task_room(load_task("tables"), RoomSetup(mode="joint"))
    drive(room, 0.6)
    press(room, "8")  # joints 4 to 6
    before = room.scene.robots[ARM].q
    drive(room, 0.5, axes=(0.0, 0.0, 0.5))
    change = room.scene.robots[ARM].q - before
    assert abs(change[5]) > 0.05
    np.testing.assert_allclose(np.delete(change, 5), 0.0, atol=1e-9)
    room.close()


def test_the_elbow_and_the_nearest_point_can_be_led() -> None:
    room = open_task_room(load_task("tables"))
    arm = room.scene.robots[ARM]
    drive(room, 0.6)
    assert any("elbow" in text for text in press(room, "J"))
    assert arm.chain.last == 4
    press(room, "T")
    wrist, elbow = arm.q[5:].copy(), arm.tip_position()
    drive(room, 0.4, axes=(0.0, 0.0, 1.0))
    assert arm.tip_position()[2] > elbow[2] + 0.02  # the elbow, not the hand
    np.testing.assert_allclose(arm.q[5:], wrist, atol=1e-9)
    assert any("nearest to a collision" in text for text in press(room, "K"))
    body = arm.chain.point.body
    gaps = {
        name: min(
            room.scene.contacts.distance(node.name, obstacle).distance
            for obstacle in ("rider", "chair_back", "chair_headrest")
        )
        for name, node in arm.links.items()
        if node.solids and name not in ("rail", "carriage", "base")
    }
    assert gaps[body] == pytest.approx(min(gaps.values()), abs=1e-6)
    press(room, "H")
    assert arm.chain.point.body == arm.model.point().body
    room.close()


def test_a_single_switch_drives_by_scanning() -> None:
    room = open_task_room(load_task("tables"), RoomSetup(access="scanning"))
    drive(room, 0.6)

    def until(word: str) -> None:
        for _ in range(3000):
            if f"Switch: {word}?" in drive(room, 0.0):
                return
        raise AssertionError(f"{word} is never offered")

    until("steer")
    press(room, "Space")
    assert room.scene.robots[ARM].tracking.is_engaged(room.scene.robots[ARM])  # type: ignore[union-attr]
    before = hand(room)
    until("up")
    press(room, "Space")
    drive(room, 0.5)
    risen = hand(room)
    assert risen[2] > before[2] + 0.04
    press(room, "Space")  # the second press stops
    at = hand(room)
    drive(room, 0.5)
    np.testing.assert_allclose(hand(room), at, atol=0.005)
    room.close()


@pytest.mark.parametrize(("access", "device"), [("pointing", "head"), ("gaze", "pointer")])
def test_a_head_or_gaze_pointer_is_a_stick(access: str, device: str) -> None:
    room = open_task_room(load_task("tables"), RoomSetup(access=access))

    def look(yaw: float, pitch: float) -> dict[str, Reading]:
        cy, sy, cp, sp = (f(a / 2) for a in (yaw, pitch) for f in (math.cos, math.sin))
        quaternion = (cy * cp, -sy * sp, cy * sp, sy * cp)  # about z, then about y
        return {device: Reading(position=(0.0, 0.0, 1.2), quaternion=quaternion)}

    drive(room, 0.6, more=look(0.0, 0.0))
    press(room, "T", more=look(0.0, 0.0))
    start = hand(room)
    drive(room, 0.5, more=look(0.03, 0.03))  # nobody holds still
    np.testing.assert_allclose(hand(room), start, atol=1e-6)
    drive(room, 0.5, more=look(0.3, 0.0))
    assert hand(room)[1] > start[1] + 0.04  # to the left
    here = hand(room)
    drive(room, 0.5, more=look(0.0, 0.3))  # down: back
    assert hand(room)[0] < here[0] - 0.04
    room.close()


def test_large_targets_forgive_more_and_are_drawn() -> None:
    normal = open_task_room(load_task("chess"))
    large = open_task_room(load_task("chess"), RoomSetup(targets="large"))
    goal = normal.task.goals[0].places[0]
    beside = goal.centre + np.array([0.015, 0.0, 0.0])
    assert not goal.holds(beside)
    assert large.task.goals[0].places[0].holds(beside)
    assert "large_target_1" in large.scene.graph
    normal.close()
    large.close()


def test_levels_of_a_study_become_these_and_operators_refuse_what_they_cannot() -> None:
    setup = make_setup(
        {"mode": "pose", "reference": "position", "access": "gaze", "targets": "large"}
    )
    assert (setup.mode, setup.reference, setup.access, setup.targets) == (
        "pose", "position", "gaze", "large",
    )  # fmt: skip
    assert make_setup({"device": "keyboard"}) == make_setup({})
    with pytest.raises(UnknownName, match="scanning"):
        run_trial(TrialPlan("P01", "chess", levels={"access": "scanning"}))
    with pytest.raises(UnknownName, match="telepathy"):
        make_setup({"access": "telepathy"})
