"""Robots are found by name or number, taken away, and read again from their files."""

import numpy as np
import pytest

import robotix as rx
from robotix.errors import BadFile, UnknownName
from robotix.human import make_anthropometry, make_manikin
from robotix.human.body.survey import Sex
from robotix.scene.commands.moves import Move
from robotix.scene.commands.robots import Init, Renew, SetRobot
from robotix.scene.commands.settings import DisplayEllipsoid
from robotix.scene.events.events import Event, Signal
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

ON = Event(Signal("go"))


def room() -> tuple[Scene, Robot]:
    scene = Scene()
    return scene, scene.add_robot("arm", rx.load("kuka_lwr"))


def test_commands_mean_the_active_robot_or_the_one_they_name() -> None:
    scene, first = room()
    second = scene.add_robot("other", rx.load("kuka_lwr"))
    SetRobot("2")(scene, ON)
    assert scene.active_robot == "other"
    Move((0.5, *[None] * 6))(scene, ON)
    assert first.drive is None and second.drive is not None
    Move((0.5, *[None] * 6), robot="1")(scene, ON)
    assert first.drive is not None
    assert scene.robot("arm") is first and scene.robot("") is second
    for wrong in ("3", "0", "arn"):
        with pytest.raises(UnknownName):
            scene.robot(wrong)


def test_a_robot_can_be_taken_away_without_what_it_holds() -> None:
    scene, robot = room()
    DisplayEllipsoid()(scene, ON)
    cup = scene.graph.add("cup", parent=robot.links[robot.model.bodies[-1].name])
    scene.graph.add("handle", parent=cup)
    at = cup.world_position
    scene.active_robot = "arm"
    scene.remove_robot("arm")
    assert not scene.robots and scene.graph.names == ("world", "cup", "handle")
    np.testing.assert_allclose(cup.world_position, at)
    scene.step()


def load_two(scene: Scene, file: str) -> None:
    if file == "broken.cfg":
        raise BadFile(file, "nothing", "a robot")
    scene.add_robot("left", rx.load("scara"))
    scene.graph.add("stand")


def test_robots_are_loaded_from_a_file_and_renewed() -> None:
    scene = Scene()
    with pytest.raises(ValueError, match="cannot read robot files"):
        Init("robot.cfg")(scene, ON)
    scene.robot_loader = load_two
    with pytest.raises(ValueError, match="no robot here"):
        Renew()(scene, ON)
    Init("robot.cfg")(scene, ON)
    before = scene.robots["left"]
    before.set_q([0.5, 0.5, 0.01, 0.0])
    before.stroke_signal = "end"
    Renew()(scene, ON)
    after = scene.robots["left"]
    assert after is not before and not after.q.any()
    assert after.stroke_signal == "end" and after.source_file == "robot.cfg"
    assert scene.graph.names.count("stand") == 1
    scene.step()


def test_a_file_that_went_bad_changes_nothing() -> None:
    scene = Scene()
    scene.robot_loader = load_two
    Init("robot.cfg")(scene, ON)
    robot = scene.robots["left"]
    robot.source_file = "broken.cfg"
    with pytest.raises(BadFile):
        Renew()(scene, ON)
    assert scene.robots["left"] is robot and "stand" in scene.graph


def test_people_of_one_room_are_dressed_differently() -> None:
    scene = Scene()
    sexes: dict[str, Sex] = {"anna": "female", "bert": "male", "carla": "female"}
    for name, sex in sexes.items():
        scene.add_person(name, make_manikin(make_anthropometry(sex=sex)))
    anna, bert, carla = scene.people.values()
    assert (anna.outfit, bert.outfit, carla.outfit) == (0, 0, 1)
    looks = [{part.name: part.colour for part in one.skin.parts} for one in (anna, carla)]
    assert looks[0]["shirt"] != looks[1]["shirt"]
