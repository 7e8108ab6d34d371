"""What a task notices: start, errors, what is left, the end."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.experiments.tasks.controls import ARM
from robotix.experiments.tasks.geometry import raised
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.room import GRIP_NODE, TaskRoom, open_task_room
from robotix.geometry import Array, Pose
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.events.messages import Announcement


def steps(room: TaskRoom, seconds: float, inputs: Inputs | None = None) -> list[str]:
    """Run for a while; return what was said."""
    said = []
    for _ in range(round(seconds / room.scene.dt)):
        room.scene.step(inputs)
        said += [each.text for each in room.scene.messages if isinstance(each, Announcement)]
    return said


def stick(axes: tuple[float, ...], *keys: str) -> Inputs:
    keyboard = Reading(buttons=frozenset(keys))
    return Inputs(devices={"stick": Reading(axes=axes), "keyboard": keyboard})


def begin(room: TaskRoom) -> None:
    """Let the things come to rest, and move the hand away."""
    steps(room, 0.6)
    room.scene.step(stick((0.0, 0.0, 0.0), "T"))
    steps(room, 0.5, stick((0.0, 0.0, 0.6)))
    assert room.watcher.status.state == "running"


def put(room: TaskRoom, thing: str, at: Array) -> None:
    """Put a thing somewhere, as if it was carried there and let go."""
    graph = room.scene.graph
    node, grip = graph[thing], graph[GRIP_NODE]
    assert grip.parent is not None
    graph.attach(node, grip.parent)
    room.scene.step()
    graph.attach(node, graph.root)
    graph.set_world_pose(node, Pose.at(*at))


def test_the_clock_starts_with_the_hand() -> None:
    room = open_task_room(load_task("chess"))
    said = steps(room, 0.7)
    assert said[0].startswith("Bring the violet knight")
    assert room.watcher.status.state == "waiting"
    assert room.watcher.duration == 0
    begin(room)
    before = room.watcher.duration
    steps(room, 0.5)
    assert room.watcher.duration == pytest.approx(before + 0.5)
    room.close()


def test_a_piece_that_falls_is_an_error_and_is_put_back() -> None:
    room = open_task_room(load_task("chess"))
    begin(room)
    home = room.watcher.place_of("black_1")
    node = room.scene.graph["black_1"]
    room.scene.graph.set_world_pose(node, Pose.at(*raised(home, 0.01), rpy=(1.4, 0, 0)))
    said = steps(room, 3.0)
    assert any("black 1 was knocked over" in text for text in said)
    assert [each.kind for each in room.watcher.errors] == ["knocked over"]
    np.testing.assert_allclose(room.watcher.place_of("black_1"), home, atol=2e-3)
    assert not room.watcher.is_finished
    room.close()


def test_the_knight_on_the_blue_square_ends_the_task_once_it_is_let_go() -> None:
    room = open_task_room(load_task("chess"))
    begin(room)
    goal = room.task.goals[0].targets[0]
    put(room, "knight", raised(goal, 0.002))
    assert not room.watcher.is_finished
    steps(room, 1.0)
    assert room.watcher.status.state == "finished"
    assert room.watcher.status.left == 0
    assert room.watcher.errors == []
    room.close()


def test_beside_the_square_is_not_on_it() -> None:
    room = open_task_room(load_task("chess"))
    begin(room)
    put(room, "knight", room.task.goals[0].targets[0] + np.array([0.05, 0.0, 0.002]))
    steps(room, 3.0)
    assert not room.watcher.is_finished
    assert [each.kind for each in room.watcher.errors] == ["dropped"]
    room.close()


def test_books_fall_to_the_floor_and_may_be_on_the_wrong_shelf() -> None:
    room = open_task_room(load_task("books"))
    begin(room)
    goals = {goal.thing: goal for goal in room.task.goals}
    book, other = "book_red_1", "book_green_1"
    put(room, book, raised(goals[other].targets[5], 0.002))
    steps(room, 1.0)
    assert [each.kind for each in room.watcher.errors] == ["wrong place"]
    assert "green shelf" in room.watcher.status.last_error
    put(room, book, np.array([-1.0, 2.0, 0.5]))
    steps(room, 3.0)
    assert [each.kind for each in room.watcher.errors] == ["wrong place", "dropped"]
    left = room.watcher.status.left
    put(room, book, raised(goals[book].targets[5], 0.002))
    steps(room, 1.0)
    assert room.watcher.status.left == left - 1
    assert len(room.watcher.errors) == 2
    room.close()


@pytest.mark.parametrize("shelf", ["the red shelf", "the yellow shelf"])
def test_a_book_that_fell_over_is_stood_up_again(shelf: str) -> None:
    room = open_task_room(load_task("books"))
    begin(room)
    name = "book_yellow_1"  # it begins on the red shelf
    node = room.scene.graph[name]
    stood = np.array(node.world_position)
    place = next(each for each in room.task.wrong_places if each.name == shelf)
    put(room, name, stood)
    low = np.array([stood[0], stood[1], place.centre[2] - 0.089])
    room.scene.graph.set_world_pose(node, Pose.at(*low, rpy=(0.0, np.pi / 2, 0.0)))
    assert place.holds(low)
    steps(room, 0.6)
    assert [each.kind for each in room.watcher.errors if each.thing == name] == ["knocked over"]
    steps(room, 1.5)
    np.testing.assert_allclose(node.world_position, stood, atol=0.02)
    np.testing.assert_allclose(node.world_pose.rotation[2], [0, 0, 1], atol=0.1)
    assert any(goal.thing == name for goal in room.watcher.open_goals())
    room.close()


def test_markers_come_one_after_the_other() -> None:
    room = open_task_room(load_task("shelf"))
    begin(room)
    for number, phase in enumerate(room.task.phases):
        assert room.watcher.status.left == 4 - number
        assert room.watcher.status.instruction == phase.instruction
        put(room, "sphere", raised(phase.goals[0].targets[0], 0.002))
        steps(room, 1.5)
    assert room.watcher.is_finished
    assert room.watcher.errors == []
    room.close()


def test_nothing_counts_before_the_start() -> None:
    room = open_task_room(load_task("tables"))
    steps(room, 0.6)
    node = room.scene.graph["glass_1"]
    room.scene.graph.set_world_pose(node, Pose.at(0.0, 2.0, 0.3))
    steps(room, 2.5)
    assert room.watcher.errors == []
    assert room.watcher.place_of("glass_1")[2] > 0.7  # put back
    assert room.scene.robots[ARM].model.n_dof == 8
    room.close()


def test_a_hand_that_closes_on_nothing_is_an_error_that_is_shown_for_a_while() -> None:
    room = open_task_room(load_task("chess"))
    begin(room)
    display = room.scene.task_display
    assert display is not None and (display.left, display.total, display.wrong) == (1, 1, "")
    room.scene.step(stick((0.0, 0.0, 0.0), "G"))
    steps(room, 0.2)
    assert [error.kind for error in room.watcher.errors] == ["empty grip"]
    display = room.scene.task_display
    assert display is not None and display.wrong == "There was nothing between the fingers."
    steps(room, 8.2)
    display = room.scene.task_display
    assert display is not None and display.wrong == ""
    room.close()
