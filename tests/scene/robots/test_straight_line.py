"""A hand that is driven along an axis stays on its line, also where it cannot go on."""

import math

import numpy as np
import pytest
from support.stick import engaged, feed, room

from robotix.inputs.readings import Reading
from robotix.scene.robots.tracking import TrackOptions


@pytest.mark.parametrize("axes", [(0, 1, 0), (0, 0, 1), (1, 0, -1), (1, 0, 0)], ids=str)
@pytest.mark.parametrize("upright", [False, True])
def test_at_the_edge_of_its_reach_the_hand_stops_on_its_line(
    axes: tuple[int, int, int], upright: bool
) -> None:
    scene, robot = room()
    engaged(scene, robot, Reading(axes=(0.0, 0.0, 0.0)), TrackOptions(upright=upright))
    start, direction = robot.tip_position(), np.array(axes) / np.linalg.norm(axes)
    said: list[str] = []
    for _ in range(800):  # 1.7 m: far beyond its reach
        said += feed(scene, Reading(axes=tuple(map(float, axes))))
        path = robot.tip_position() - start
        assert np.linalg.norm(path - (path @ direction) * direction) < 0.03
    assert path @ direction > 0.15
    assert abs(robot.dq).max() < 0.2
    assert len(said) == 1 and said[0].startswith("arm: cannot go straight on: ")


def test_each_push_starts_a_line_of_its_own() -> None:
    scene, robot = room()
    engaged(scene, robot, Reading(axes=(0.0, 0.0, 0.0)), TrackOptions(upright=True))
    assert len(feed(scene, Reading(axes=(0.0, 1.0, 0.0)), ticks=400)) == 1
    feed(scene, Reading(axes=(0.0, 0.0, 0.0)), ticks=2)
    start = robot.tip_position()
    assert feed(scene, Reading(axes=(0.0, -1.0, 0.0)), ticks=60) == []  # back, where it can
    assert robot.tip_position()[1] < start[1] - 0.05


def test_a_stick_that_wavers_is_followed_all_the_same() -> None:
    scene, robot = room()
    engaged(scene, robot, Reading(axes=(0.0, 0.0, 0.0)), TrackOptions(scale=0.2))
    start = robot.tip_position()
    for k in range(240):  # 2 s; it turns by 46 degrees, in steps smaller than a new line needs
        angle = 0.8 * k / 240
        feed(scene, Reading(axes=(0.0, -math.cos(angle), -math.sin(angle))))
    path = 0.4 * np.array([0, -math.sin(0.8) / 0.8, -(1 - math.cos(0.8)) / 0.8])
    np.testing.assert_allclose(robot.tip_position() - start, path, atol=5e-3)


def test_a_planar_arm_follows_the_part_that_it_can() -> None:
    scene, robot = room("planar_3r")
    robot.set_q([0.4, 0.6, 0.7])
    engaged(scene, robot, Reading(axes=(0.0, 0.0, 0.0)), TrackOptions(scale=0.1))
    start = robot.tip_position()
    feed(scene, Reading(axes=(-0.7, 0.0, 0.7)), ticks=120)  # it cannot go up
    path = robot.tip_position() - start
    np.testing.assert_allclose(path, [-0.07, 0, 0], atol=0.01)
