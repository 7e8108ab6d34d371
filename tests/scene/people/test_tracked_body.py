"""A person follows a headset and what is in the hands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robotix.errors import RobotixError
from robotix.geometry import Array, exp_rotation, quaternion_from_rotation
from robotix.human import make_anthropometry, make_manikin
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.commands.people import TrackBody
from robotix.scene.events.events import Event, Signal
from robotix.scene.events.messages import Announcement
from robotix.scene.people.person import Person
from robotix.scene.scene import Scene

NAMES = {"head": "head", "right_glove": "right_hand", "left_glove": "left_hand"}


class Tracked:
    """A scene with a tracked person, and where the devices are."""

    def __init__(self) -> None:
        self.scene = Scene(dt=1 / 60)
        manikin = make_manikin(make_anthropometry(sex="f"))
        self.person: Person = self.scene.add_person("alex", manikin)
        self.points = {device: self.place(device) for device in NAMES}
        self.said: list[str] = []
        action = TrackBody("alex")(self.scene, Event(Signal("start"), True))
        assert action is not None
        self.scene.start(action)

    def place(self, device: str) -> Array:
        """Return where the body has what a device follows."""
        return np.array(self.person.robot.posture.pose(NAMES[device]).translation)

    def error(self) -> float:
        return max(float(np.linalg.norm(self.place(d) - at)) for d, at in self.points.items())

    def step(self, *lost: str, yaw: float = 0.0, **steps: Any) -> None:
        """Move devices by steps (m) in one tick."""
        for name, by in steps.items():
            self.points[name] = self.points[name] + by
        turn = tuple(quaternion_from_rotation(exp_rotation(np.array([0.0, 0.0, yaw]))))
        readings = {
            name: Reading(position=tuple(at), quaternion=turn)
            for name, at in self.points.items()
            if name not in lost
        }
        self.scene.step(Inputs(devices=readings))
        self.said += [m.text for m in self.scene.messages if isinstance(m, Announcement)]


def test_eyes_and_hands_are_where_the_devices_are() -> None:
    tracked = Tracked()
    feet = tracked.person.stance().translation
    worst = 0.0
    for _ in range(60):
        tracked.step(right_glove=(0.004, 0.002, 0.006), head=(0.001, 0.0, -0.001))
        worst = max(worst, tracked.error())
    for _ in range(30):
        tracked.step()
    assert worst < 0.02 and tracked.error() < 1e-3
    np.testing.assert_allclose(tracked.person.stance().translation, feet, atol=2e-3)


def test_feet_come_along_and_turn_with_the_body() -> None:
    tracked = Tracked()
    ahead: dict[str, Any] = dict.fromkeys(NAMES, (0.012, 0.005, 0.0))
    for _ in range(120):
        tracked.step(**ahead)
    for tick in range(90):
        tracked.step(yaw=min(tick / 60, 1.0))
    assert tracked.error() < 0.02
    stance = tracked.person.stance()
    eyes = tracked.points["head"]
    assert np.linalg.norm(stance.translation[:2] - eyes[:2]) < 0.25
    assert abs(stance.translation[2]) < 5e-3  # on the floor
    assert np.arctan2(stance.rotation[1, 0], stance.rotation[0, 0]) == pytest.approx(1.0, abs=0.1)


def test_what_is_lost_does_no_harm() -> None:
    tracked = Tracked()
    for _ in range(20):
        tracked.step(left_glove=(0.006, 0.0, 0.01))
    held = tracked.place("left_glove")
    for _ in range(120):
        tracked.step("left_glove")
    assert np.linalg.norm(tracked.place("left_glove") - held) > 0.03  # the arm relaxes
    assert np.linalg.norm(tracked.place("head") - tracked.points["head"]) < 5e-3
    q = tracked.person.robot.q
    for _ in range(10):
        tracked.step("head", head=(0.01, 0.0, 0.0))
    np.testing.assert_array_equal(tracked.person.robot.q, q)
    assert tracked.said == ["alex: 'head' is not tracked; the body stands still"]
    for _ in range(60):
        tracked.step()
    assert tracked.error() < 0.01


def test_the_same_readings_give_the_same_motion() -> None:
    first, second = Tracked(), Tracked()
    for tracked in (first, second):
        for tick in range(60):
            tracked.step(head=(0.01, 0.0, 0.0), right_glove=(0.01, 0.0, 0.003 * (tick % 5)))
    np.testing.assert_array_equal(first.person.robot.q, second.person.robot.q)


def test_devices_need_a_pose() -> None:
    scene = Scene()
    scene.add_person("alex", make_manikin(make_anthropometry(sex="f")))
    scene.devices["wheels"] = "drive2"
    with pytest.raises(RobotixError, match="a device with a pose"):
        TrackBody("alex", right_hand="wheels").check(scene)
    TrackBody("alex").check(scene)
