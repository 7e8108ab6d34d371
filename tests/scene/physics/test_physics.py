"""Physics of a room: what is free falls, bounces, stands, and is pushed by all that moves."""

import numpy as np
import pytest
from support.hands import place_of, problems
from support.people import manikin
from support.physics_rooms import TABLE_TOP, free, glass, room, run

import robotix as rx
from robotix.geometry import Box, Halfspace, Pose, Sphere
from robotix.scene.commands.falling import Fall
from robotix.scene.events.events import Event, Signal
from robotix.scene.graph.body import BodyProperties
from robotix.scene.physics.settings import PhysicsSettings
from robotix.scene.scene import Scene

ON = Event(Signal("test"))


# -- falling and pushing --------------------------------------------------------------------


def test_without_physics_nothing_falls() -> None:
    scene = room()
    scene.physics.stop()
    glass(scene)
    before = place_of(scene, "glass")
    run(scene, 0.2)
    np.testing.assert_array_equal(place_of(scene, "glass"), before)
    assert scene.physics.state() == b""


def test_physics_can_be_switched_off_and_on_again() -> None:
    scene = room()
    free(scene, "ball", Sphere(0.05), 2.0, 0.0, 2.0)
    run(scene, 0.1)
    scene.physics.stop()
    height = place_of(scene, "ball")[2]
    run(scene, 0.1)
    assert place_of(scene, "ball")[2] == height
    scene.physics.start()
    run(scene, 0.1)
    assert place_of(scene, "ball")[2] < height


def test_free_fall_is_that_of_galileo() -> None:
    scene = room()
    free(scene, "ball", Sphere(0.05), 2.0, 0.0, 3.0)
    run(scene, 0.5)
    fallen = 3.0 - place_of(scene, "ball")[2]
    assert fallen == pytest.approx(9.81 * 0.5**2 / 2, rel=0.01)


def test_gravity_of_the_moon() -> None:
    scene = room()
    scene.physics.start(PhysicsSettings(gravity=(0.0, 0.0, -1.62)))
    free(scene, "ball", Sphere(0.05), 2.0, 0.0, 3.0)
    run(scene, 1.0)
    assert 3.0 - place_of(scene, "ball")[2] == pytest.approx(0.81, rel=0.01)


def push_glass(scene: Scene, *, ticks: int) -> None:
    """Move a block along the table, at 0.3 m/s, against the glass."""
    for k in range(ticks):
        scene.graph["block"].pose = Pose.at(0.1 + 0.3 * k * scene.dt, 0, TABLE_TOP + 0.03)
        scene.step()
        assert not problems(scene)


def test_a_glass_pushed_off_the_table_falls_to_the_floor_and_stays() -> None:
    scene = room()
    glass(scene)
    scene.graph.add("block", solids=[Box(np.array([0.05, 0.05, 0.05]))], pose=Pose.at(0.1, 0, 0.77))
    scene.graph["block"].set_body(BodyProperties("moved"))
    run(scene, 0.5)
    assert place_of(scene, "glass")[2] == pytest.approx(0.80, abs=2e-3)
    push_glass(scene, ticks=200)
    run(scene, 3.0)
    lying = place_of(scene, "glass")
    assert lying[2] == pytest.approx(0.035, abs=2e-3)  # on its side, on the floor
    assert lying[0] > 0.5
    run(scene, 2.0)
    np.testing.assert_allclose(place_of(scene, "glass"), lying, atol=0.02)


def test_what_moves_for_the_first_time_pushes_too() -> None:
    """Nobody said that the block moves: it becomes a driven part once it does."""
    scene = room()
    glass(scene)
    scene.graph.add("block", solids=[Box(np.array([0.05, 0.05, 0.05]))], pose=Pose.at(0.1, 0, 0.77))
    run(scene, 0.1)
    push_glass(scene, ticks=200)
    assert place_of(scene, "glass")[0] > 0.4


def test_ten_blocks_stand_for_a_minute() -> None:
    scene = room()
    for k in range(10):
        free(
            scene,
            f"block_{k}",
            Box(np.array([0.05, 0.05, 0.05])),
            0,
            0,
            TABLE_TOP + 0.025 + 0.05 * k,
        )
    run(scene, 60.0)
    for k in range(10):
        at = place_of(scene, f"block_{k}")
        np.testing.assert_allclose(at, (0, 0, TABLE_TOP + 0.025 + 0.05 * k), atol=2e-3)


def test_a_ball_bounces_by_its_restitution() -> None:
    scene = room()
    scene.graph.add(
        "ball", solids=[Sphere(0.05)], pose=Pose.at(2, 0, 1.05),
        body=BodyProperties(mass=0.1, restitution=1.0),
    )  # fmt: skip
    scene.graph["floor"].set_body(BodyProperties("static", restitution=1.0))
    heights = []
    for _ in range(180):
        scene.step()
        heights.append(place_of(scene, "ball")[2])
    bottom = int(np.argmin(heights[:80]))
    assert max(heights[bottom:]) > 0.7  # of 1.05 m


def test_a_thing_that_rests_costs_nothing() -> None:
    scene = room()
    glass(scene)
    scene.graph.add(
        "ball", solids=[Sphere(0.05)], pose=Pose.at(2, 0, 0.3),
        body=BodyProperties(mass=0.1, restitution=0.7),
    )  # fmt: skip
    run(scene, 4.0)
    moves = scene.graph.moves
    run(scene, 1.0)
    assert scene.graph.moves == moves


def test_what_leaves_the_room_is_reported_once_and_stays_there() -> None:
    scene = Scene()
    scene.physics.start()
    free(scene, "ball", Sphere(0.05), 0, 0, 0)
    said = run(scene, 4.0)
    assert said == ["'ball' has left the room; it is stopped there."]
    at = place_of(scene, "ball")
    assert at[2] < -20
    run(scene, 1.0)
    np.testing.assert_array_equal(place_of(scene, "ball"), at)
    scene.graph["ball"].pose = Pose.at(0, 0, 0)  # brought back, it falls again
    run(scene, 0.3)
    assert -1 < place_of(scene, "ball")[2] < -0.3


def test_fall_is_refused_for_what_is_free() -> None:
    scene = room()
    glass(scene)
    with pytest.raises(ValueError, match="needs no `fall`"):
        Fall("glass", ("floor",))(scene, ON)
    scene.graph.add("feather", solids=[Sphere(0.01)], pose=Pose.at(2, 0, 1))
    assert Fall("feather", ("floor",))(scene, ON) is not None


def test_parents_may_be_groups() -> None:
    scene = room()
    scene.graph.add("group", pose=Pose.at(1, 0, 0.5, rpy=(0, 0, 1)), scale=2.0)
    scene.graph.add(
        "ball", parent="group", solids=[Sphere(0.05)], pose=Pose.at(0.5, 0, 1),
        body=BodyProperties(mass=1.0),
    )  # fmt: skip
    x, y, _ = place_of(scene, "ball")
    run(scene, 2.0)
    np.testing.assert_allclose(place_of(scene, "ball"), (x, y, 0.1), atol=2e-3)


# -- robots and people ----------------------------------------------------------------------


def test_a_robot_pushes_and_is_not_pushed() -> None:
    scene = Scene()
    scene.graph.add("floor", solids=[Halfspace()])
    arm = scene.add_robot("arm", rx.load("scara"))
    tip = arm.tip_position()
    free(scene, "box", Box(np.array([0.1, 0.1, 2.0])), tip[0] - 0.05, tip[1] + 0.25, 1.0, mass=5.0)
    scene.physics.start()
    alone = Scene()
    twin = alone.add_robot("arm", rx.load("scara"))
    before = place_of(scene, "box")
    for each in (arm, twin):
        each.move([1.2, *each.q[1:].tolist()], ticks=240)
    for _ in range(240):
        scene.step()
        alone.step()
        np.testing.assert_array_equal(arm.q, twin.q)
    assert np.linalg.norm(place_of(scene, "box") - before) > 0.05


def test_the_moving_hand_of_a_person_pushes_a_thing() -> None:
    scene = Scene()
    scene.graph.add("floor", solids=[Halfspace()])
    person = scene.add_person("ann", manikin())
    fingers = scene.graph["ann/right_hand_segment"].world_position
    free(scene, "balloon", Sphere(0.1), fingers[0] + 0.2, fingers[1], fingers[2], mass=0.05)
    scene.physics.start(PhysicsSettings(gravity=(0.0, 0.0, 0.0)))
    run(scene, 0.2)
    before = place_of(scene, "balloon")
    names = list(person.robot.model.dof_names)
    goal: list[float | None] = [None] * len(names)
    goal[names.index("right_shoulder_flexion")] = 0.9
    person.robot.move(goal, ticks=120)
    run(scene, 1.5)
    assert np.linalg.norm(place_of(scene, "balloon") - before) > 0.05


def test_a_simulated_robot_sags_and_stops_at_things() -> None:
    scene = Scene()
    arm = scene.add_robot("arm", rx.load("panda"))
    start = arm.q.copy()
    scene.physics.start()
    scene.physics.simulate_robot("arm")
    run(scene, 1.0)
    assert 0 < np.abs(arm.q - start).max() < 0.02  # held by its servos
    goal = start.copy()
    goal[0] += 0.5
    arm.move(goal.tolist(), ticks=120)
    run(scene, 2.0)
    np.testing.assert_allclose(arm.q, goal, atol=0.02)
    with pytest.raises(KeyError):
        scene.physics.simulate_robot("leg")
