"""Shared work as trials with people: a scripted wearer of a headset does all five tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import pytest

from robotix.experiments.participant_words import how_to_drive, task_title
from robotix.experiments.sharing.live import PARTS, SharedRoom, open_shared_live
from robotix.experiments.sharing.rooms import SHARED_TASKS
from robotix.experiments.trial import TrialPlan
from robotix.geometry import Array
from robotix.inputs.readings import Inputs, Reading

SPEED = 0.8  # m/s of head and hand
Point: TypeAlias = tuple[float, float, float]
PART, CUP = (0.5, -0.3, 0.95), (0.5, -0.35, 0.95)


class Wearer:
    """Who wears the headset, and has a controller in each hand."""

    def __init__(self, room: SharedRoom, x: float = 0.0) -> None:
        self.room, self.scene = room, room.scene
        self.head = np.array([x + 0.06, 0.0, 1.5])
        self.hand = np.array([x + 0.2, -0.3, 1.0])
        self.is_closed = False

    def tick(self) -> None:
        buttons = frozenset({"grip"}) if self.is_closed else frozenset[str]()
        devices = {
            "head": Reading(position=tuple(self.head)),
            "right_glove": Reading((0.0, 0.0), buttons, tuple(self.hand)),
            "left_glove": Reading((0.0, 0.0), position=(self.head[0], 0.3, 1.0)),
        }
        self.scene.step(Inputs(devices))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / self.scene.dt)):
            self.tick()

    def go(self, what: Array, *target: float) -> None:
        """Move head or hand to a point."""
        step = SPEED * self.scene.dt
        while (away := float(np.linalg.norm(np.array(target) - what))) > 1e-9:
            what += (np.array(target) - what) * min(1.0, step / away)
            self.tick()

    def close(self, is_closed: bool) -> None:
        self.is_closed = is_closed
        self.wait(0.2)

    def until(self, words: str, seconds: float = 40.0) -> None:
        """Wait until the page says something."""
        for _ in range(round(seconds / self.scene.dt)):
            if words in self.room.watcher.status.instruction:
                return
            self.tick()
        raise AssertionError(f"not {words!r}: {self.room.watcher.status}")


def opened(task: str, **levels: str) -> SharedRoom:
    levels = {"strategy": "pfl", "speed": "fast", "device": "headset", **levels}
    return open_shared_live(TrialPlan("P001", task, levels=levels))


@pytest.fixture(params=sorted(SHARED_TASKS))
def task(request: pytest.FixtureRequest) -> Iterator[str]:
    yield str(request.param)


def carry(wearer: Wearer, start: Point, *way: Point) -> None:
    """Take what lies at a point, bring it along a way, and leave it at its end."""
    wearer.go(wearer.hand, *start)
    wearer.close(True)
    for point in way:
        wearer.go(wearer.hand, *point)
    wearer.close(False)
    wearer.go(wearer.hand, 0.2, -0.3, 1.0)


def one_bench(wearer: Wearer) -> None:
    wearer.until("Take the orange part")
    carry(wearer, PART, (0.5, -0.1, 1.1), (0.52, 0.05, 0.97))


def walk_past(wearer: Wearer) -> None:
    wearer.until("Walk past")
    wearer.hand = wearer.head  # it comes along
    wearer.go(wearer.head, 2.3, 0.0, 1.5)


def handover_to_person(wearer: Wearer) -> None:
    wearer.until("Take the cup")
    cup = wearer.scene.graph["cup"]
    wearer.go(wearer.hand, *cup.world_position)
    wearer.close(True)
    wearer.go(wearer.hand, 0.2, -0.3, 1.1)
    assert np.linalg.norm(cup.world_position - wearer.hand) < 0.1
    assert cup.parent is wearer.scene.graph["world"]


def handover_to_robot(wearer: Wearer) -> None:
    wearer.until("Put the orange cup")
    carry(wearer, CUP, (0.5, -0.1, 1.3), (0.6, 0.0, 1.11))


def carry_together(wearer: Wearer) -> None:
    wearer.until("lift it up")
    wearer.go(wearer.hand, 0.45, 0.0, 0.95)
    wearer.close(True)
    wearer.go(wearer.hand, 0.45, 0.0, 1.32)
    wearer.until("Bring the board down")
    wearer.go(wearer.hand, 0.45, 0.0, 0.95)
    wearer.close(False)


PLAYED = {each.__name__: each for each in (
    one_bench, walk_past, handover_to_person, handover_to_robot, carry_together,
)}  # fmt: skip


def test_somebody_in_a_headset_does_the_work(task: str) -> None:
    room = opened(task)
    wearer = Wearer(room, -2.2 if task == "walk_past" else 0.0)
    watcher = room.watcher
    room.scene.step()
    assert watcher.status.state == "waiting" and "headset" in watcher.status.instruction
    arm = room.scene.robots["arm"]
    before = arm.q.copy()
    for _ in range(30):
        room.scene.step()
    np.testing.assert_allclose(arm.q, before, atol=1e-6)  # nobody is there: the arm waits
    PLAYED[task](wearer)
    wearer.until("Done.", 60.0)
    wearer.tick()
    status = watcher.status
    assert status.state == "finished" and status.left == 0 and status.total == len(PARTS[task])
    measures = room.measures()
    assert {"min_distance", "waiting_time", "max_compression", "mean_rula"} <= set(measures)
    assert 2.0 < status.duration < 60.0


def test_without_a_headset_one_watches() -> None:
    room = opened("handover_to_robot", device="keyboard")
    room.scene.step()
    assert "Watch" not in room.watcher.status.instruction
    room.scene.emit("here")  # a page shows the room
    for _ in range(60 * 40):
        room.scene.step()
        if room.watcher.status.state == "finished":
            break
    assert room.watcher.status.state == "finished" and room.watcher.status.total == 1
    assert "min_distance" in room.measures()


def test_participants_read_what_to_do(task: str) -> None:
    assert "take it" in how_to_drive(task, "headset")
    assert "You watch" in how_to_drive(task, "joystick")
    assert "_" not in task_title(task)
