"""What a participant may do in the room of a trial."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from robotix.experiments.runner import make_setup
from robotix.experiments.tasks.controls import ARM
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.room import TaskRoom, open_task_room
from robotix.experiments.trial_console import engage_when_used, guard_console
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading

STILL, UP = Reading(axes=(0.0, 0.0, 0.0)), Reading(axes=(0.0, 0.0, 1.0))


@pytest.fixture
def room() -> Iterator[TaskRoom]:
    room = open_task_room(load_task("chess"), make_setup({"speed": "slow"}))
    room.scene.step()  # the commands of its start
    guard_console(room.scene)
    engage_when_used(room.scene, room.scene.robots[ARM])
    yield room
    room.close()


def run(room: TaskRoom, reading: Reading = STILL, *lines: str, ticks: int = 1) -> list[str]:
    """Run some ticks, lines in the first one; return problems."""
    problems = []
    for tick in range(ticks):
        commands = lines if tick == 0 else ()
        room.scene.step(Inputs(devices={"stick": reading}, commands=commands))
        problems += [each.what for each in room.scene.messages if isinstance(each, Problem)]
    return problems


@pytest.mark.parametrize(
    "line",
    [
        "grab knight; cursor",
        "attach knight; gripper",
        "setq (0, 0, 0)",
        "move xyz (0.5, 0, 0.9)",
        "set_method qp",
        "undo",
        "resetroom",
        "delete white_1",
        "place knight; (0, 0, 1)",
    ],
)
def test_nothing_is_done_past_the_arm(room: TaskRoom, line: str) -> None:
    before = room.scene.graph["knight"].world_position.copy()
    assert run(room, STILL, line, ticks=3)
    assert room.scene.robots[ARM].drive is None
    assert np.linalg.norm(room.scene.graph["knight"].world_position - before) < 0.01


def test_the_study_says_how_the_arm_is_led(room: TaskRoom) -> None:
    arm = room.scene.robots[ARM]
    bound = arm.tracking
    assert run(room, STILL, "track_init mover; turn", "track_toggle") == []
    assert arm.tracking is bound and bound is not None and bound.is_engaged(arm)
    assert bound.device == "stick" and bound.options.scale == 0.12  # slow
    run(room, STILL, "track_toggle")  # of a page that does not know
    assert bound.is_engaged(arm)
    run(room, STILL, "track_exit")
    assert not bound.is_engaged(arm) and arm.tracking is bound


def test_who_deflects_the_stick_takes_the_hand(room: TaskRoom) -> None:
    arm = room.scene.robots[ARM]
    run(room, STILL)
    run(room, UP, ticks=5)
    assert arm.tracking is not None and arm.tracking.is_engaged(arm)
    assert run(room, UP, "stop arm") == []
    run(room, UP, ticks=10)
    assert not arm.tracking.is_engaged(arm)  # it has to come back to the middle first
    run(room, STILL)
    run(room, UP, ticks=2)
    assert arm.tracking.is_engaged(arm)


def test_a_stick_that_drives_the_chair_does_not_lead_the_arm(room: TaskRoom) -> None:
    arm, keys = room.scene.robots[ARM], Reading(buttons=frozenset({"C"}))
    room.scene.step(Inputs(devices={"stick": STILL, "keyboard": keys}))
    run(room, UP, "track_toggle", ticks=10)
    assert arm.tracking is not None and not arm.tracking.is_engaged(arm)
    room.scene.step(Inputs(devices={"stick": STILL, "keyboard": keys}))
    run(room, UP, ticks=2)
    assert arm.tracking.is_engaged(arm)
