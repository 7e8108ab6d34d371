"""Robots that are simulated in a room: they float, come apart, and hold on to things."""

from pathlib import Path

import numpy as np
import pytest
from support.hands import place_of, problems
from support.physics_rooms import run
from support.ropes import LENGTH, MASS, rope

import robotix as rx
from robotix.dynamics.simulation import Simulation
from robotix.errors import UnknownName
from robotix.geometry import Box, Halfspace, Pose
from robotix.inputs.readings import Inputs
from robotix.scene.console.console import install_console
from robotix.scene.physics.rebuilding import LATENCY
from robotix.scene.physics.settings import PhysicsSettings
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

WEIGHTLESS = PhysicsSettings(gravity=(0.0, 0.0, 0.0), exact=True)


def simulated(
    model: rx.Model, *, z: float = 2.0, settings: PhysicsSettings | None = None
) -> tuple[Scene, Robot]:
    """Return a room with a floor and a simulated robot above it."""
    scene = Scene()
    install_console(scene)
    scene.graph.add("floor", solids=[Halfspace()])
    robot = scene.add_robot("robot", model, pose=Pose.at(0, 0, z))
    scene.physics.start(settings)
    scene.physics.simulate_robot("robot")
    return scene, robot


def simulation_of(scene: Scene) -> Simulation:
    assert scene.physics.mirror is not None
    return scene.physics.mirror.room.simulation


# -- floating -------------------------------------------------------------------------------


def test_a_humanoid_falls_lands_on_its_feet_and_stands() -> None:
    scene, robot = simulated(rx.load("vhrp26"), z=0.1)
    start = place_of(scene, "robot/pelvis")
    run(scene, 0.1)
    fallen = start[2] - place_of(scene, "robot/pelvis")[2]
    assert fallen == pytest.approx(9.81 * 0.1**2 / 2, rel=0.05)
    run(scene, 1.9)
    np.testing.assert_allclose(place_of(scene, "robot/pelvis"), start - (0, 0, 0.1), atol=2e-3)
    assert abs(robot.q[3:6]).max() < 0.01  # upright


def test_a_drive_moves_the_joints_and_not_the_root() -> None:
    adrift = PhysicsSettings(gravity=(0.0, 0.0, 0.0))
    scene, robot = simulated(rx.load("vhrp26"), z=0.5, settings=adrift)
    goal = robot.q.copy()
    goal[:3] = 5.0  # of the root, which nothing drives
    elbow = list(robot.model.dof_names).index("left_elbow")
    goal[elbow] = -0.8
    robot.move(goal.tolist(), ticks=60)
    run(scene, 1.0)
    assert robot.q[elbow] == pytest.approx(-0.8, abs=0.02)
    assert abs(robot.q[:3]).max() < 0.05
    momentum = simulation_of(scene).momentum()
    assert abs(momentum.linear).max() < 1e-3


def test_the_base_of_a_simulated_robot_can_be_moved() -> None:
    scene, _ = simulated(rope())
    run(scene, 0.2)
    scene.graph["robot"].pose = Pose.at(1, 0, 3)
    run(scene, LATENCY + 0.1)
    np.testing.assert_allclose(simulation_of(scene).pose("robot/link0").translation, (1, 0, 3))
    np.testing.assert_allclose(place_of(scene, "robot/link5"), (1, 0, 3 - 5 * LENGTH), atol=1e-3)


# -- cutting and connecting -----------------------------------------------------------------


def cut_rope(scene: Scene, joint: str = "robot/j3") -> int:
    """Cut a joint; return how many ticks later its branch was free."""
    scene.physics.cut(joint)
    joints, ticks = len(simulation_of(scene).joint_names), 0
    while len(simulation_of(scene).joint_names) == joints:
        scene.step()
        assert not problems(scene)
        ticks += 1
    return ticks


def test_a_branch_flies_free_after_a_fixed_time() -> None:
    scene, robot = simulated(rope())
    robot.set_q(np.array([0.6, 0.1, 0.0, 0.0, 0.0]))
    run(scene, 0.4)
    before = simulation_of(scene)
    assert cut_rope(scene) == round(LATENCY / scene.dt) + 1  # at the beginning of that tick
    after = simulation_of(scene)
    assert after is not before
    speed = after.twist("robot/link3")[2]
    height = place_of(scene, "robot/link3")[2]
    run(scene, 0.2)
    com = np.mean([place_of(scene, f"robot/link{k}") for k in (3, 4, 5)], axis=0)
    assert com[2] < height + speed * 0.2 - 0.1  # it falls
    assert place_of(scene, "robot/link1")[2] == pytest.approx(2 - LENGTH)  # this holds
    row = after.link_table().row("robot/link3")
    assert (row.joint, row.parent) == ("free", "world")
    run(scene, 2.0)
    for k in (3, 4, 5):  # on the floor
        node = scene.graph[f"robot/link{k}"]
        np.testing.assert_allclose(node.world_pose.matrix, after.pose(node.name).matrix, atol=1e-12)
        assert place_of(scene, node.name)[2] < 0.3


def test_momentum_stays_when_a_floating_chain_is_cut_and_connected_again() -> None:
    scene, robot = simulated(rope(floating=True), settings=WEIGHTLESS)
    robot.set_q(np.array([0, 0, 0, 0, 0, 0, 0.4, 0.2, -0.3, 0.1, 0.2]))
    run(scene, 0.1)
    scene.physics.push("robot/link0", (20.0, 0.0, 0.0))
    run(scene, 0.1)
    scene.physics.push("robot/link0", (0.0, 0.0, 0.0))
    totals = [simulation_of(scene).momentum()]
    cut_rope(scene)
    totals.append(simulation_of(scene).momentum())
    run(scene, 0.05)
    at = place_of(scene, "robot/link3")
    scene.physics.connect("robot/link3", "robot/link2", "ball", at=at)
    totals.append(simulation_of(scene).momentum())
    run(scene, 0.5)
    totals.append(simulation_of(scene).momentum())
    for each in totals:
        assert each.mass == pytest.approx(6 * MASS)
        np.testing.assert_allclose(each.linear, totals[0].linear, atol=5e-6)
    assert totals[0].linear[0] == pytest.approx(20 * 0.1, rel=1e-6)
    gap = simulation_of(scene).pose("robot/link3").translation - place_of(scene, "robot/link3")
    assert abs(gap).max() < 1e-12  # drawn where it is


def test_a_push_goes_on_while_the_room_changes() -> None:
    scene, _ = simulated(rope(1, floating=True), settings=WEIGHTLESS)
    run(scene, 0.1)
    scene.physics.push("robot/link0", (1.0, 0.0, 0.0))
    scene.graph.add("post", solids=[Box(np.array([0.1, 0.1, 0.1]))], pose=Pose.at(5, 0, 0.05))
    run(scene, 0.4)
    linear = simulation_of(scene).momentum().linear
    assert linear[0] == pytest.approx(0.4, rel=0.02)


def test_two_robots_are_connected_and_stay_so_when_the_room_changes() -> None:
    scene, _ = simulated(rope(3))
    other = scene.add_robot("other", rope(3), pose=Pose.at(0.5, 0, 2))
    other.set_q(np.array([0.5, 0.3]))
    scene.physics.simulate_robot("other")
    scene.step()
    ends = [scene.graph[f"{name}/link2"].world_pose for name in ("robot", "other")]
    between = np.mean([end.apply((0, 0, -LENGTH)) for end in ends], axis=0)
    name = scene.physics.connect("robot/link2", "other/link2", "ball", at=between)

    def distance() -> float:
        poses = [scene.graph[f"{each}/link2"].world_pose for each in ("robot", "other")]
        points = [
            now.apply(then.inverse().apply(between)) for now, then in zip(poses, ends, strict=True)
        ]
        return float(np.linalg.norm(points[0] - points[1]))

    run(scene, 0.5)
    assert distance() < 1e-3
    scene.graph.add("post", solids=[Box(np.array([0.1, 0.1, 0.1]))], pose=Pose.at(5, 0, 0.05))
    run(scene, 0.5)
    assert distance() < 1e-3
    scene.physics.cut(name)
    run(scene, 0.5)
    assert distance() > 0.05


def test_joints_that_cannot_be_cut_are_refused() -> None:
    scene, _ = simulated(rope(3, floating=True))
    scene.step()
    with pytest.raises(UnknownName, match="did you mean"):
        scene.physics.cut("robot/j9")
    with pytest.raises(UnknownName):
        scene.physics.cut("robot/root")
    scene.physics.cut("robot/j1")
    with pytest.raises(UnknownName):
        scene.physics.cut("robot/j1")  # cut already


# -- reproducible, and faults ---------------------------------------------------------------


def swinging(seed: int = 0, dt: float = 1 / 120) -> Scene:
    scene = Scene(seed=seed, dt=dt)
    install_console(scene)
    scene.graph.add("floor", solids=[Halfspace()])
    for k, name in enumerate(("one", "two")):
        each = scene.add_robot(name, rope(4, floating=bool(k)), pose=Pose.at(0.3 * k, 0, 1.5))
        root = [0, 0, 0, 0.1, 0.2, 0.3] if k else []
        each.set_q(np.array([*root, 0.5, -0.2, 0.1]))
    scene.physics.start()
    scene.physics.simulate_robot("one")
    scene.physics.simulate_robot("two")
    return scene


LINES = {
    20: "connect one/link3; two/link0; ball",
    40: "cut one/j2",
    44: "cut two/j1",
    80: "connect one/link2; one/link1; hinge",
    100: "cut one/link3 to two/link0",
}


def test_cuts_replay_to_the_last_bit(tmp_path: Path) -> None:
    scene = swinging()
    with Recorder(tmp_path / "room.mcap", scene) as recorder:
        for tick in range(1, 181):
            line = LINES.get(tick)
            scene.step(Inputs(commands=() if line is None else (line,)))
            assert not problems(scene)
            recorder(scene)
    assert len(simulation_of(scene).joint_names) == 4 + 4 - 2
    report = replay(tmp_path / "room.mcap", load=lambda head: swinging(head.seed, head.dt))
    assert report.digest_ok and report.ticks == 180


def test_a_robot_that_diverges_follows_its_drive_from_then_on() -> None:
    scene, robot = simulated(rope(3, floating=True))
    run(scene, 0.1)
    simulation_of(scene).set_state("robot", robot.q, np.full(8, 1e9))
    scene.step()
    assert "diverged" in problems(scene)[0]
    for _ in range(60):
        scene.step()
        assert not problems(scene)
        assert np.isfinite(scene.graph.world).all()
    assert not scene.physics.simulated
    robot.move(np.zeros(8).tolist(), ticks=30)
    run(scene, 0.5)
    np.testing.assert_allclose(robot.q, 0.0, atol=1e-9)
