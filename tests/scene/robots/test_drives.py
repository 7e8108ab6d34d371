"""Moves end where they should, in the ticks they were given, and give up where they must."""

import math

import numpy as np
import pytest

import robotix as rx
from robotix.geometry import Pose
from robotix.motion import Motion
from robotix.scene.events.messages import Announcement
from robotix.scene.robots.drives import Brake, Jog, Law, ProgressTimeout
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

HOME = [0.3, -0.6, 0.1, 1.4, 0.2, 0.8, 0.5]


def room(name: str = "kuka_lwr", *, dt: float = 1 / 120) -> tuple[Scene, Robot]:
    scene = Scene(dt=dt)
    robot = scene.add_robot("arm", rx.load(name))
    if robot.model.n_dof == 7:
        robot.set_q(HOME)
    return scene, robot


def run(scene: Scene, robot: Robot, *, most: int = 2000) -> tuple[int, list[str]]:
    """Step until the drive is done; return the ticks that took, and what was said."""
    said: list[str] = []
    for tick in range(most):
        scene.step()
        said += [message.text for message in scene.messages if isinstance(message, Announcement)]
        if robot.drive is None:
            return tick, said
    raise AssertionError("the drive does not end")


# -- joint moves ----------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["minimum_jerk", "cubic", "linear"])
@pytest.mark.parametrize("steps", [60, 500])
def test_a_move_takes_the_ticks_it_was_given(steps: int, law: Law) -> None:
    scene, robot = room()
    start, goal = robot.q, [0.5, None, 0.2, None, 0.0, None, 0.4]
    robot.move(goal, ticks=steps, law=law)
    rows = []
    for _ in range(steps):
        scene.step()
        rows.append(robot.q)
    expected = [a if b is None else b for a, b in zip(start, goal, strict=True)]
    np.testing.assert_array_equal(robot.q, expected)
    assert not np.array_equal(rows[-2], rows[-1])
    assert run(scene, robot)[0] == 0
    assert all(row[1] == start[1] for row in rows)  # a joint that keeps its place keeps it


def test_a_move_takes_longer_where_rates_and_accelerations_need_it() -> None:
    scene, robot = room("panda")
    model = robot.model
    start = robot.q
    robot.move((model.lower + 0.8 * (model.upper - model.lower)).tolist(), ticks=1)
    rows = [start]
    while robot.drive is not None:
        scene.step()
        rows.append(robot.q)
    path = Motion.of(model, np.arange(len(rows) - 1) / 120, q=rows[:-1])
    path.check_limits(model)
    rate = abs(path.velocities).max(axis=0) / model.velocity
    assert 0.5 < rate.max() <= 1  # and no longer than that


def test_a_goal_beyond_a_limit_is_at_the_limit() -> None:
    scene, robot = room()
    robot.move([99.0, *[None] * 6], ticks=10)
    run(scene, robot)
    assert robot.q[0] == robot.model.upper[0]


@pytest.mark.parametrize("ticks", [-1, 10_000_000])
def test_a_move_of_no_ticks_or_of_an_hour_is_refused(ticks: int) -> None:
    _, robot = room()
    with pytest.raises(ValueError, match="ticks"):
        robot.move([0.0] * 7, ticks=ticks)
    with pytest.raises(ValueError, match="ticks"):
        robot.move_xyz([0.0] * 3, ticks=ticks)


def test_wrong_goals_are_refused_and_the_robot_goes_on() -> None:
    _, robot = room()
    drive = robot.move([0.0] * 7)
    for wrong in ([0.0] * 6, [math.nan] * 7):
        with pytest.raises(ValueError, match="goal"):
            robot.move(wrong)
    assert robot.drive is drive


# -- teach pendant --------------------------------------------------------------------------


def test_increments_add_up() -> None:
    scene, robot = room()
    before = robot.q
    for _ in range(3):
        robot.nudge([0.1, 0, 0, 0, 0, 0, 0])
    run(scene, robot)
    assert robot.q[0] == pytest.approx(before[0] + 0.3, abs=1e-12)


def test_jogging_goes_on_until_stopped() -> None:
    scene, robot = room()
    before = robot.q
    robot.drive = Jog(robot, [0.001, 0, 0, 0, 0, 0, 0])
    for _ in range(50):
        scene.step()
    assert robot.q[0] == pytest.approx(before[0] + 0.05, abs=1e-12)
    robot.stop()
    scene.step()
    assert robot.q[0] == pytest.approx(before[0] + 0.05, abs=1e-12)


# -- inverse kinematics ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuka_lwr", "panda", "ur5", "vishard10", "kuka_lwr_rail"])
def test_an_end_effector_gets_where_it_is_sent(name: str) -> None:
    scene, robot = room(name)
    model, rng = robot.model, np.random.default_rng(4)
    low, high = np.maximum(model.lower, -2.0), np.minimum(model.upper, 2.0)
    robot.set_q(low + (high - low) * rng.uniform(0.3, 0.7, model.n_dof))
    scene.graph.set_local_pose(robot.node, Pose.at(1, -2, 0.5, rpy=(0.1, 0.2, 2.0)))
    for _ in range(3):
        there = rx.Posture(model, low + (high - low) * rng.uniform(0.35, 0.65, model.n_dof))
        target = robot.node.world_pose.apply(there.position())
        robot.move_xyz(target)
        _, said = run(scene, robot)
        if not said:
            assert np.linalg.norm(robot.tip_position() - target) <= 1e-5
    assert np.linalg.norm(robot.tip_position() - target) <= 1e-5  # the last one at least


def test_out_of_reach_it_comes_to_rest_and_says_how_far() -> None:
    scene, robot = room()
    robot.move_xyz([3.0, 0.0, 0.5])
    ticks, said = run(scene, robot)
    assert "2." in said[0] and "m are missing" in said[0]
    assert ticks < 120 * 8
    before = robot.q
    scene.step()
    np.testing.assert_array_equal(robot.q, before)


def test_a_moving_base_does_not_matter() -> None:
    scene, robot = room()
    target = robot.tip_position() + np.array([0.05, 0.1, -0.1])
    robot.move_xyz(target, ticks=200)
    while robot.drive is not None:
        if scene.tick < 150:
            scene.graph.set_local_pose(robot.node, Pose.at(0, 0.001 * scene.tick, 0))
        scene.step()
        assert scene.tick < 1000
    assert np.linalg.norm(robot.tip_position() - target) <= 1e-5


def test_only_the_chosen_joints_move() -> None:
    scene, robot = room()
    robot.set_chain(first=2, last=5)
    before = robot.q
    target = robot.tip_position() + np.array([0.02, 0.0, -0.05])
    robot.move_xyz(target)
    run(scene, robot)
    np.testing.assert_array_equal(robot.q[[0, 5, 6]], before[[0, 5, 6]])
    assert not np.allclose(robot.q[1:5], before[1:5])
    assert np.linalg.norm(robot.tip_position() - target) <= 1e-5


def test_places_far_away_or_nowhere_are_refused() -> None:
    _, robot = room()
    for wrong in ([1.0, 2.0], [math.nan, 0, 0], [1e9, 0, 0]):
        with pytest.raises(ValueError, match="three numbers in m"):
            robot.move_xyz(wrong)


# -- playing --------------------------------------------------------------------------------


def path(robot: Robot, rows: list[list[float]], *, dt: float = 1.0) -> Motion:
    return Motion.of(robot.model, dt * np.arange(len(rows)), q=rows)


def test_a_path_goes_through_all_postures() -> None:
    scene, robot = room()
    robot.move_ticks = 80
    rows = [[0.1 * k, -0.5, 0.1, 1.2, 0.1 * k, 0.8, 0.5] for k in range(4)]
    robot.play(path(robot, rows))
    seen = []
    for _ in range(4 * 80):
        scene.step()
        seen.append(robot.q)
    for leg, row in enumerate(rows, start=1):
        np.testing.assert_array_equal(seen[80 * leg - 1], row)
    assert run(scene, robot)[0] == 0


def test_a_path_may_go_round_and_twice_as_fast() -> None:
    scene, robot = room()
    robot.move_ticks = 160
    rows = [[0.1, *HOME[1:]], [0.4, *HOME[1:]]]
    robot.play(path(robot, rows), loop=True, speed=2.0)
    tops = 0
    for _ in range(80 * 6):
        scene.step()
        tops += int(robot.q[0] == 0.4)
    assert tops == 3 and robot.drive is not None


def test_a_timed_path_keeps_its_times() -> None:
    scene, robot = room()
    robot.move_ticks = 30
    rows = [[0.3 + 0.001 * k, *HOME[1:]] for k in range(61)]
    robot.play(path(robot, rows, dt=1 / 60), timed=True)
    for _ in range(30 + 60):
        scene.step()
    assert robot.q[0] == pytest.approx(0.33, abs=2e-3)
    run(scene, robot)
    assert robot.q[0] == rows[-1][0]
    assert scene.time == pytest.approx(30 / 120 + 1.0, abs=0.05)


def test_a_path_of_another_robot_is_refused() -> None:
    _, robot = room()
    other = rx.load("scara")
    with pytest.raises(ValueError, match="does not fit"):
        robot.play(Motion.of(other, [0.0], q=[other.neutral]))
    with pytest.raises(ValueError, match="speed"):
        robot.play(path(robot, [HOME]), speed=0.0)


# -- coming to rest -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuka_lwr", "panda"])
def test_braking_slows_down_every_tick(name: str) -> None:
    scene, robot = room(name)
    robot.move([0.9, *[None] * (robot.model.n_dof - 1)], ticks=60)
    for _ in range(40):
        scene.step()
    robot.drive = Brake(robot)
    speeds = [abs(robot.dq).max()]
    while robot.drive is not None:
        scene.step()
        speeds.append(abs(robot.dq).max())
    assert (np.diff(speeds) <= 1e-9).all() and speeds[-1] == 0
    assert 5 <= len(speeds) <= 60
    drops = -np.diff(speeds) / robot.dt
    assert drops.max() <= robot.model.acceleration[0] * 1.05


def test_patience_ends_when_nothing_gets_nearer() -> None:
    patient = ProgressTimeout(0.1, least=1e-3)
    assert not any(patient.is_over(10 * 0.8**k) for k in range(40))
    assert any(patient.is_over(0.001) for _ in range(12))
