"""Robots and branches that leave the room."""

import numpy as np
from support.hands import place_of
from support.physics_rooms import run
from support.ropes import rope

from robotix.geometry import Pose
from robotix.scene.physics.rebuilding import LATENCY
from robotix.scene.scene import Scene


def test_a_robot_that_falls_out_of_the_room_is_reported_once_and_stops() -> None:
    scene = Scene()
    scene.add_robot("robot", rope(2, floating=True), pose=Pose.at(0, 0, 1))
    scene.physics.start()
    scene.physics.simulate_robot("robot")
    said = run(scene, 3.0)
    assert said == ["'robot/link0' has left the room; it is stopped there."]
    at = place_of(scene, "robot/link0")
    assert -20 < at[2] < -18.5
    run(scene, 0.5)
    np.testing.assert_allclose(place_of(scene, "robot/link0"), at, atol=1e-3)


def test_a_branch_that_falls_out_stops_and_the_rest_goes_on() -> None:
    scene = Scene()
    robot = scene.add_robot("robot", rope(4), pose=Pose.at(0, 0, 1))
    robot.set_q(np.array([0.5, 0.0, 0.0]))
    scene.physics.start()
    scene.physics.simulate_robot("robot")
    scene.step()
    scene.physics.cut("robot/j2")
    said = run(scene, LATENCY + 3.0)
    assert said == ["'robot/link2' has left the room; it is stopped there."]
    at, q = place_of(scene, "robot/link2"), robot.q[0]
    run(scene, 0.3)
    np.testing.assert_allclose(place_of(scene, "robot/link2"), at, atol=1e-3)
    assert abs(robot.q[0] - q) > 0.01  # it swings on
