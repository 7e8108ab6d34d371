"""A robot keeps postures by name, and goes back to where it stood."""

from __future__ import annotations

import numpy as np
import pytest

import robotix as rx
from robotix.human import make_anthropometry, make_manikin
from robotix.scene.commands.postures import GoBack, GoToPosture, PreferPosture
from robotix.scene.console.console import install_console, run_command
from robotix.scene.events.events import Event, Signal
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

ON = Event(Signal("now"))


def room() -> tuple[Scene, Robot]:
    scene = Scene()
    robot = scene.add_robot("arm", rx.load("planar_3r"))
    robot.set_q([0.1, 0.2, 0.3])
    install_console(scene)
    return scene, robot


def run(scene: Scene, line: str, *, ticks: int = 150) -> str:
    reply = run_command(scene, line)
    for _ in range(ticks):
        scene.step()
    return reply


def test_a_robot_goes_back_step_by_step_to_where_it_stood() -> None:
    scene, robot = room()
    for goal in ("(10, 20, 30)", "(20, 30, 40)"):
        run(scene, f"move @20;{goal}")
    assert run(scene, "go_back", ticks=200) == ""
    np.testing.assert_allclose(np.degrees(robot.q), [10, 20, 30])
    assert run(scene, "go_back", ticks=200) == ""
    np.testing.assert_allclose(robot.q, [0.1, 0.2, 0.3])
    assert "has not moved yet" in run(scene, "go_back")


def test_a_short_halt_on_the_way_is_no_rest() -> None:
    scene, robot = room()
    run(scene, "move @10;(10, 20, 30)", ticks=15)
    run(scene, "move @10;(20, 30, 40)")
    run(scene, "go_back", ticks=200)
    np.testing.assert_allclose(robot.q, [0.1, 0.2, 0.3])


def test_after_going_back_new_motions_are_remembered_again() -> None:
    scene, robot = room()
    run(scene, "move @20;(10, 20, 30)")
    run(scene, "go_back", ticks=200)
    run(scene, "move @20;(40, 20, 30)")
    GoBack()(scene, ON)
    run(scene, "go_back", ticks=200)
    np.testing.assert_allclose(robot.q, [0.1, 0.2, 0.3])


def test_postures_are_kept_gone_to_and_forgotten() -> None:
    scene, robot = room()
    assert run(scene, "keep_posture at rest") == ""
    run(scene, "move @20;(10, 20, 30)")
    assert run(scene, "go_to at rest", ticks=200) == ""
    np.testing.assert_allclose(robot.q, [0.1, 0.2, 0.3])
    GoToPosture("at rest").check(scene)
    before = robot.postures
    assert run(scene, "forget_posture at rest") == ""
    assert before and not robot.postures  # another mapping, so that a change is seen
    assert "at rest" in run(scene, "go_to at rest")
    with pytest.raises(rx.errors.RobotixError):
        GoToPosture("at rest").check(scene)


@pytest.mark.parametrize(
    "line", ["keep_posture", "keep_posture " + "x" * 61, "forget_posture none"]
)
def test_what_cannot_be_kept_is_said(line: str) -> None:
    scene, robot = room()
    assert run(scene, line) != "" and not robot.postures


def test_people_have_tasks_and_the_number_of_postures_is_limited() -> None:
    scene, robot = room()
    scene.add_person("anna", make_manikin(make_anthropometry(sex="female")))
    run(scene, "set_robot anna", ticks=0)
    assert "is a person" in run(scene, "keep_posture here", ticks=0)
    for number in range(200):
        robot.keep_posture(f"p{number}")
    with pytest.raises(ValueError, match="200 postures"):
        robot.keep_posture("one more")
    robot.keep_posture("p1")


def test_a_preferred_posture_draws_the_joints_and_leaves_the_hand() -> None:
    scene = Scene()
    robot = scene.add_robot("arm", rx.load("kuka_lwr"))
    robot.set_q([0.3, 0.5, 0.2, -1.2, 0.1, 0.8, 0.0])
    hand = robot.tip_position()
    PreferPosture((None, None, 1.0, None, None, None, None), gain=2.0)(scene, ON)
    for _ in range(600):
        solver = robot.solver("point")
        solver.positions[0] = robot.in_base(hand)
        robot.place(robot.solve(solver).copy())
    assert robot.q[2] > 0.6
    np.testing.assert_allclose(robot.tip_position(), hand, atol=2e-3)
    PreferPosture()(scene, ON)
    assert robot.solvers.preferred is None


def test_a_preference_that_does_not_fit_is_refused() -> None:
    scene, _ = room()
    with pytest.raises(ValueError, match="3 numbers"):
        PreferPosture((0.1, 0.2))(scene, ON)
    with pytest.raises(ValueError, match="gain"):
        PreferPosture((0.1, 0.2, 0.3), gain=-1.0)
