"""What hangs on a simulated robot: tools and things that it carries weigh and collide."""

import numpy as np
import pytest
from support.hands import hand, place_of
from support.physics_rooms import free, run
from support.ropes import LENGTH, rope

import robotix as rx
from robotix.geometry import Box, Halfspace, Pose, Sphere
from robotix.scene.commands.grabbing import Grab
from robotix.scene.events.events import Button
from robotix.scene.graph.body import BodyProperties
from robotix.scene.physics.rebuilding import LATENCY
from robotix.scene.scene import Scene

END = "robot/link1"


def pendulum() -> Scene:
    """Return a room in which two links swing above a floor."""
    scene = Scene()
    scene.graph.add("floor", solids=[Halfspace()])
    robot = scene.add_robot("robot", rope(2), pose=Pose.at(0, 0, 1))
    robot.set_q(np.array([0.8]))
    scene.physics.start()
    scene.physics.simulate_robot("robot")
    return scene


def mass(scene: Scene) -> float:
    assert scene.physics.mirror is not None
    return scene.physics.mirror.room.simulation.momentum().mass


def offset(scene: Scene, thing: str) -> rx.geometry.Array:
    return scene.graph[END].world_pose.inverse().apply(place_of(scene, thing))


def test_a_tool_moves_with_its_link_and_stops_it_at_a_wall() -> None:
    scene = pendulum()
    scene.graph.add(
        "tool", parent=END, solids=[Box(np.array([0.02, 0.02, 0.3]))],
        pose=Pose.at(0, 0, -LENGTH - 0.15), body=BodyProperties("static", mass=0.25),
    )  # fmt: skip
    scene.graph.add("wall", solids=[Box(np.array([0.1, 1, 1]))], pose=Pose.at(0.05, 0, 0.35))
    run(scene, 0.05)
    assert mass(scene) == pytest.approx(0.5 + 0.25)  # the first link is fixed
    angles = []
    for _ in range(240):
        scene.step()
        angles.append(float(scene.robots["robot"].q[0]))
    # Without the tool the link would end above the wall; with it, it stops there.
    assert min(angles) > 0.01


def test_without_the_tool_the_link_swings_through() -> None:
    scene = pendulum()
    scene.graph.add("wall", solids=[Box(np.array([0.1, 1, 1]))], pose=Pose.at(0.05, 0, 0))
    angles = []
    for _ in range(120):
        scene.step()
        angles.append(float(scene.robots["robot"].q[0]))
    assert min(angles) < -0.5


def test_a_tool_that_is_mounted_later_collides_after_a_while() -> None:
    scene = pendulum()
    scene.graph.add("tool", solids=[Sphere(0.05)], pose=Pose.at(3, 0, 1))
    run(scene, 0.1)
    scene.graph["tool"].pose = Pose.at(*place_of(scene, END))
    scene.graph.attach("tool", END)
    run(scene, LATENCY + 0.1)
    assert scene.physics.mirror is not None
    table = scene.physics.mirror.room.simulation.link_table()
    assert table.row("tool").parent == END


def test_a_free_thing_is_carried_weighs_and_falls_when_released() -> None:
    scene = pendulum()
    free(scene, "ball", Sphere(0.04), 0.3, 0.0, 0.5, mass=0.7)
    scene.physics.prepare()
    scene.graph["ball"].pose = Pose.at(*scene.graph[END].world_pose.apply((0, 0, -LENGTH)))
    scene.graph.attach("ball", END)
    scene.step()
    before = offset(scene, "ball")
    assert scene.physics.connections == ()  # the user made none
    assert scene.physics.mirror is not None
    (made,) = scene.physics.mirror.connected_joints()
    assert made[0] == "ball is carried"
    run(scene, 1.0)
    np.testing.assert_allclose(offset(scene, "ball"), before, atol=1e-3)
    scene.graph.attach("ball", scene.graph.root)
    run(scene, 2.0)
    assert place_of(scene, "ball")[2] == pytest.approx(0.04, abs=2e-3)


def test_a_hand_takes_what_a_robot_carries() -> None:
    scene = pendulum()
    free(scene, "ball", Sphere(0.04), 0.0, 0.0, 0.0)
    scene.graph["ball"].pose = Pose.at(*scene.graph[END].world_pose.apply((0, 0, -LENGTH)))
    scene.graph.attach("ball", END)
    scene.on(Button("hand", "grip"), Grab("ball", "hand"), mode="reflect")
    run(scene, 0.2)
    for k in range(60):
        scene.step(hand((0.01 * k, 0.0, 0.0), held=True))
    assert np.linalg.norm(offset(scene, "ball")) > 0.5


def test_a_moving_link_hands_its_velocity_to_what_it_lets_go() -> None:
    scene = pendulum()
    free(scene, "ball", Sphere(0.04), 0.0, 0.0, 0.0, mass=0.2)
    scene.graph["ball"].pose = Pose.at(*scene.graph[END].world_pose.apply((0, 0, -LENGTH - 0.05)))
    scene.graph.attach("ball", END)
    run(scene, 0.3)
    assert scene.physics.mirror is not None
    simulation = scene.physics.mirror.room.simulation
    before = simulation.twist("ball")[:3]
    assert np.linalg.norm(before) > 0.3
    scene.graph.attach("ball", scene.graph.root)
    scene.step()
    after = simulation.twist("ball")[:3]
    np.testing.assert_allclose(after, before - np.array([0, 0, 9.81 * scene.dt]), atol=5e-3)
