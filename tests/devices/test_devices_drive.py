"""From the hand to the joints: a device moves a robot, and no fault of the device does."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

import robotix as rx
from robotix.devices import Controls, Device, Program, default_device_map, fit_to_scene
from robotix.inputs.readings import Inputs
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import Tracking, TrackOptions
from robotix.scene.scene import Scene

START = [0.0, 0.5, 0.0, -1.2, 0.0, 0.8, 0.0]


class Room:
    """A robot that follows `lever`, which a mapping gives to a device."""

    def __init__(self, device: Device) -> None:
        self.scene = Scene(dt=0.01)
        self.scene.devices["lever"] = "move6"
        self.robot: Robot = self.scene.add_robot("arm", rx.load("kuka_lwr"))
        self.robot.set_q(START)
        self.scene.step()
        self.tracking = Tracking(self.robot, "lever", TrackOptions())
        self.controls = Controls(fit_to_scene(default_device_map(), self.scene.devices), [device])

    def step(self) -> float:
        """Pass a tick; return how far the end-effector went."""
        before = self.robot.tip_position().copy()
        self.scene.step(Inputs(self.controls.read(self.scene.time)))
        assert np.isfinite(self.robot.q).all()
        return float(np.linalg.norm(self.robot.tip_position() - before))


@pytest.fixture
def mouse() -> Program:
    """A program in the place of a SpaceMouse."""
    return Program(
        "space_mouse", axes=("x", "y", "z", "rx", "ry", "rz"), buttons=("button_1", "button_2")
    )


@pytest.fixture
def room(mouse: Program) -> Iterator[Room]:
    """The robot goes forwards, pushed by the mouse."""
    room = Room(mouse)
    mouse.send()
    room.step()
    push(mouse)
    room.step()
    room.tracking.engage(room.robot)
    for _ in range(20):
        push(mouse)
        room.step()
    yield room
    room.controls.close()


def push(mouse: Program, value: float = -1.0) -> None:
    mouse.send(axes=(0.0, value, 0.0, 0.0, 0.0, 0.0))


def test_the_robot_goes_where_the_hand_pushes(room: Room, mouse: Program) -> None:
    start = room.robot.tip_position().copy()
    for _ in range(20):
        push(mouse)
        room.step()
    way = room.robot.tip_position() - start
    assert way[0] > 0.02
    assert abs(way[1]) + abs(way[2]) < 0.2 * way[0]


@pytest.mark.parametrize("fault", ["silence", "nan", "unplugged"])
def test_whatever_goes_wrong_the_robot_stops_and_stays(
    room: Room, mouse: Program, fault: str
) -> None:
    if fault == "unplugged":
        room.controls.detach("space_mouse")
    steps = []
    for _ in range(100):
        if fault == "nan":
            push(mouse, math.nan)
        steps.append(room.step())
    assert max(steps) <= 0.25 * 0.01 * 1.5
    assert max(steps[30:]) < 1e-9
    if fault != "unplugged":
        for _ in range(50):  # it is back, pushed as before: nothing moves by itself
            push(mouse)
            steps.append(room.step())
        assert max(steps[30:]) < 1e-9


def test_the_hand_takes_hold_again_on_purpose(room: Room, mouse: Program) -> None:
    for _ in range(100):
        room.step()
    mouse.send()
    room.step()
    push(mouse)
    room.step()
    room.tracking.engage(room.robot)
    push(mouse)
    assert room.step() < 0.25 * 0.01 * 1.5  # from where the robot is
    for _ in range(20):
        push(mouse)
        room.step()
    push(mouse)
    assert room.step() > 1e-4


def test_a_wand_leads_the_robot_by_its_clutch() -> None:
    wand = Program(
        "right_controller",
        axes=("trigger", "grip", "pad_x", "pad_y", "stick_x", "stick_y"),
        buttons=("trigger", "grip", "pad", "stick", "a", "b"),
    )
    room = Room(wand)
    place = [0.3, 0.0, 1.2]

    def move(held: bool, by: float = 0.0) -> float:
        place[0] += by
        x, y, z = place
        wand.send(position=(x, y, z), buttons={"grip"} if held else ())
        return room.step()

    move(False)
    move(True)
    room.tracking.engage(room.robot)
    start = room.robot.tip_position()[0]
    for _ in range(50):
        move(True, -0.002)
    reached = room.robot.tip_position()[0]
    assert reached < start - 0.02
    for _ in range(100):
        move(False)
    settled = room.robot.tip_position()[0]
    for _ in range(50):  # the hand goes back with the clutch open
        assert move(False, 0.002) < 1e-4
    assert room.robot.tip_position()[0] == pytest.approx(settled, abs=1e-3)
    move(False, 2.0)  # and is then found elsewhere
    for _ in range(50):
        assert move(True) < 1e-4
