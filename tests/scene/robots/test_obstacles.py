"""Whatever drives a robot, it keeps its distance from what it was told of."""

from pathlib import Path

import numpy as np
import pytest
from pytest import MonkeyPatch
from support.mesh_files import write_boxes

import robotix as rx
from robotix.collision.distance import nearest
from robotix.errors import BadFile, BadModel, UnknownName
from robotix.geometry import Box, Capsule, Mesh, Pose, Sphere
from robotix.inputs.readings import Inputs, Reading
from robotix.kinematics import Posture, SelfCollision
from robotix.kinematics.obstacles.self_collision import known_pairs
from robotix.model import Body, Joint, Model
from robotix.motion import Motion
from robotix.scene.commands.checking import check_command
from robotix.scene.commands.settings import SetObstacle
from robotix.scene.events.events import Event, Signal
from robotix.scene.graph.graph import Node
from robotix.scene.robots.drives import Jog
from robotix.scene.robots.obstacles import scaled_shape
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import Tracking, TrackOptions
from robotix.scene.scene import Scene

KEEP = 0.04
HOME = [0.6, -0.6, 0.0, 1.4, 0.0, 0.8, 0.0]


def room(*, base: Pose | None = None) -> tuple[Scene, Robot, Node]:
    scene = Scene()
    robot = scene.add_robot("arm", rx.load("kuka_lwr"), pose=base)
    robot.set_q(HOME)
    at = robot.node.world_pose @ Pose.at(0.5, 0.0, 0.5)
    thing = scene.graph.add("thing", pose=at, solids=[Sphere(0.06)])
    scene.graph.add(
        "handle",
        parent=thing,
        pose=Pose.at(0.0, 0.0, 0.1),
        scale=0.5,
        solids=[Box(np.array([0.1, 0.1, 0.1])), Capsule(0.04, 0.2, Pose.at(0, 0, 0.1))],
    )
    return scene, robot, thing


def gap(robot: Robot, thing: Node) -> float:
    """Return the true distance between robot and thing, from the places of their nodes."""
    least = np.inf
    for link in robot.links.values():
        if link is robot.links[robot.model.bodies[0].name]:
            continue  # the base does not move
        for node in thing.branch():
            for solid in node.solids:
                for own in link.solids:
                    pair = nearest(
                        own,
                        scaled_shape(solid, node.world_scale),
                        world_from_a=link.world_pose,
                        world_from_b=node.world_pose,
                    )
                    least = min(least, pair.distance)
    return least


def make_drive(robot: Robot, kind: str, rng: np.random.Generator) -> None:
    model = robot.model
    goal = rng.uniform(np.maximum(model.lower, -1.5), np.minimum(model.upper, 1.8))
    match kind:
        case "move":
            robot.move(goal.tolist(), ticks=60)
        case "jog":
            robot.drive = Jog(robot, 0.02 * rng.normal(size=7))
        case "reach":
            robot.move_xyz(
                robot.node.world_pose.apply(rng.uniform([0.2, -0.4, 0.2], 0.7)), ticks=60
            )
        case "play":
            robot.move_ticks = 60
            robot.play(Motion.of(model, [0.0, 1.0], q=[goal, rng.uniform(-1, 1, 7)]))
        case "track":
            robot.tracking = Tracking(robot, "stick", TrackOptions(scale=0.8))
            robot.tracking.engage(robot)


@pytest.mark.parametrize("kind", ["move", "jog", "reach", "play", "track"])
@pytest.mark.parametrize("base", [None, Pose.at(2, -1, 0.3, rpy=(0.2, -0.1, 2.0))])
def test_the_distance_is_kept_under_every_drive(kind: str, base: Pose | None) -> None:
    scene, robot, thing = room(base=base)
    robot.add_obstacle(thing, KEEP)
    rng = np.random.default_rng(5)
    least = np.inf
    for tick in range(180):
        if tick % 60 == 0:
            axes = tuple(rng.uniform(-1, 1, 3).tolist())
            inputs = Inputs(devices={"stick": Reading(axes=axes)})
            scene.inputs = inputs
            make_drive(robot, kind, rng)
        scene.step(inputs)
        if tick % 3 == 0:
            least = min(least, gap(robot, thing))
    assert least >= KEEP - 1e-3


def test_an_obstacle_in_the_way_is_reached_without_it() -> None:
    """The test above means something: without the obstacle, the robot does hit the thing."""
    scene, robot, thing = room()
    robot.move_xyz(thing.world_position, ticks=100)
    for _ in range(150):
        scene.step()
    assert gap(robot, thing) < 0
    robot.set_q(HOME)
    robot.add_obstacle("thing", KEEP)
    robot.move_xyz(thing.world_position, ticks=100)
    for _ in range(400):
        scene.step()
    assert gap(robot, thing) >= KEEP - 1e-3 and robot.drive is None


@pytest.mark.parametrize("direction", [-1, 1])
def test_a_moving_obstacle_is_given_way(direction: int) -> None:
    scene, robot, thing = room()
    robot.add_obstacle(thing, KEEP)
    hold = robot.tip_position()
    at = hold + np.array([0.0, -0.3 * direction, 0.0])
    robot.hold()
    for tick in range(200):
        shift = min(tick, 150) * 0.15 * direction / 120  # 0.15 m/s, then it stands
        thing.pose = Pose(translation=at + np.array([0.0, shift, 0.0]))
        scene.step()
        if tick % 2:
            assert gap(robot, thing) >= KEEP - 1e-3


def test_a_turning_obstacle_is_given_way_and_the_robot_returns() -> None:
    scene, robot, _ = room()
    hub = robot.tip_position() + np.array([0.15, 0.4, 0.0])
    bar = scene.graph.add(
        "bar", solids=[Capsule(0.03, 0.4, Pose.at(0, 0, 0, rpy=(np.pi / 2, 0, 0)))]
    )
    robot.add_obstacle(bar, KEEP)
    robot.hold()
    farthest = 0.0
    for tick in range(300):
        door = Pose.at(0, -0.25, 0)  # its far side comes to where the flange is
        swing = Pose.at(*hub, rpy=(0.0, 0.0, 0.3 - 0.004 * tick)) @ door
        bar.pose = swing if tick < 150 else Pose.at(9, 9, 9)
        scene.step()
        farthest = max(farthest, float(abs(robot.q - HOME).max()))
        if tick % 3 == 0:
            assert gap(robot, bar) >= KEEP - 1e-3
    assert farthest > 0.02
    np.testing.assert_allclose(robot.q, HOME, atol=1e-6)


def test_the_robot_is_no_obstacle_to_itself() -> None:
    scene = Scene()
    table = scene.graph.add("table", solids=[Box(np.array([1, 1, 0.02]), Pose.at(0, 0, -0.2))])
    robot = scene.add_robot("arm", rx.load("kuka_lwr"), parent=table)
    robot.set_q(HOME)
    scene.graph.add("tool", parent=robot.links[robot.model.bodies[-1].name], solids=[Sphere(0.1)])
    robot.add_obstacle("table", 0.05)
    robot.move([0.3, *HOME[1:]], ticks=60)
    for _ in range(80):
        scene.step()
    assert robot.q[0] == pytest.approx(0.3, abs=1e-9) and robot.drive is None


def test_an_obstacle_can_be_forgotten_or_vanish() -> None:
    scene, robot, thing = room()
    robot.add_obstacle(thing, KEEP)
    target = thing.world_position
    assert robot.avoidance is not None
    robot.avoidance.remove("thing")
    robot.move_xyz(target, ticks=100)
    for _ in range(300):
        scene.step()
    assert gap(robot, thing) < 0
    robot.add_obstacle(thing, KEEP)
    scene.graph.remove(thing)
    robot.move(HOME, ticks=100)
    for _ in range(300):
        scene.step()
    np.testing.assert_allclose(robot.q, HOME, atol=1e-9)
    assert not robot.avoidance.distances


def test_what_does_not_collide_does_not_count() -> None:
    scene, robot, thing = room()
    robot.add_obstacle(thing, KEEP)
    for node in thing.branch():
        node.set(collidable=False)
    robot.move_xyz(thing.world_position, ticks=100)
    for _ in range(300):
        scene.step()
    assert gap(robot, thing) < 0


def test_a_concave_mesh_is_reached_into_as_if_it_were_made_of_boxes(tmp_path: Path) -> None:
    """The flange goes through a frame of four bars, whose upper one is nearly touched."""
    bars = [((0, y, 0), (40, 40, 440)) for y in (-200, 200)]
    bars += [((0, 0, z), (40, 360, 40)) for z in (-200, 200)]
    write_boxes(tmp_path / "frame.obj", bars)  # in millimetres
    boxes = [Box(np.array(size) / 1000, Pose.at(*np.array(at) / 1000)) for at, size in bars]
    ends, least = [], np.inf
    for solids in (boxes, [Mesh("frame.obj", (0.001, 0.001, 0.001))]):
        scene, robot, thing = room()
        scene.graph.remove(thing)
        scene.files.source = tmp_path / "room.yaml"
        robot.set_q([0.0, *HOME[1:]])
        at = Pose(translation=robot.tip_position() + np.array([0.1, 0.0, 0.1]))
        scene.graph.add("frame", pose=at, solids=solids)
        judge = scene.graph.add("bars", pose=at, solids=boxes)
        robot.add_obstacle("frame", KEEP)
        robot.move_xyz(at.translation + np.array([0.08, 0.0, 0.0]), ticks=120)
        for tick in range(260):
            scene.step()
            if tick % 5 == 0:
                least = min(least, gap(robot, judge))
        assert robot.tip_position()[0] > at.translation[0] + 0.05  # through it
        ends.append(robot.q)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-6)
    assert KEEP - 1e-3 < least < KEEP + 1e-3


def test_a_broken_mesh_is_no_obstacle(tmp_path: Path) -> None:
    scene, robot, _ = room()
    scene.graph.add("part", solids=[Mesh(str(tmp_path / "none.stl"))])
    with pytest.raises(BadFile, match="cannot be read"):
        robot.add_obstacle("part", 0.1)
    assert robot.avoidance is None


def test_a_command_that_fails_stops_the_robot_and_is_found_by_a_check(tmp_path: Path) -> None:
    scene, robot, _ = room()
    scene.graph.add("part", solids=[Mesh(str(tmp_path / "none.stl"))])
    scene.graph.add("idea")
    robot.move([0.0] * 7, ticks=60)
    for node, error in (("part", BadFile), ("idea", ValueError)):
        robot.move([0.0] * 7, ticks=60)
        command = SetObstacle(node, 0.1)
        with pytest.raises(error):
            check_command(command, scene)
        with pytest.raises(error):
            command(scene, Event(Signal("now")))
        assert robot.drive is None
    check_command(SetObstacle("thing", 0.1), scene)
    assert robot.avoidance is None


def test_a_robot_does_not_move_into_itself(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOTIX_CACHE", str(tmp_path))
    known_pairs.cache_clear()
    goal = [0.0, 1.0, 0.0, -2.9, 0.0, 0.3, 0.0]
    for own in (False, True):
        scene = Scene()
        robot = scene.add_robot("arm", rx.load("panda"))
        robot.set_q([0.0, 0.0, 0.0, -1.5, 0.0, 1.5, 0.0])
        judge = SelfCollision(robot.model)
        if own:
            robot.avoid_self(0.02)
        robot.move(goal, ticks=60)
        least = np.inf
        for _ in range(120):
            scene.step()
            least = min(least, judge.slack(Posture(robot.model, robot.q)) + judge.distance)
        assert least > 0.019 if own else least < 0.01
    assert any(tmp_path.rglob("*"))  # the pairs are kept for the next start
    known_pairs.cache_clear()
    assert known_pairs(robot.model) == judge.pairs


def test_wrong_obstacles_are_refused() -> None:
    scene, robot, _ = room()
    with pytest.raises(UnknownName, match="thing"):
        robot.add_obstacle("thin", 0.1)
    for distance in (-0.1, np.nan, 1e9):
        with pytest.raises(ValueError, match="distance"):
            robot.add_obstacle("thing", distance)
    scene.graph.add("idea")
    with pytest.raises(ValueError, match="no solids"):
        robot.add_obstacle("idea", 0.1)
    assert robot.avoidance is None
    bare = scene.add_robot("bare", Model("bare", (Body("b", Joint("j")),)))
    with pytest.raises(BadModel, match="no solids"):
        bare.add_obstacle("thing", 0.1)


def test_a_robot_without_shapes_takes_an_obstacle() -> None:
    scene, _, _ = room()
    bare = scene.add_robot("bare", Model("bare", (Body("b", Joint("j", "revolute")),)))
    bare.add_obstacle("thing", 0.1)
    assert bare.avoidance is not None


def test_two_robots_keep_clear_of_each_other() -> None:
    scene = Scene()
    first = scene.add_robot("first", rx.load("kuka_lwr"))
    second = scene.add_robot(
        "second", rx.load("kuka_lwr"), pose=Pose.at(0.9, 0, 0, rpy=(0, 0, 3.1))
    )
    first.set_q([0.9, -0.9, 0.0, 1.2, 0.0, 0.6, 0.0])
    second.set_q([0.9, -0.9, 0.0, 1.2, 0.0, 0.6, 0.0])
    first.add_obstacle("second", 0.05)
    second.add_obstacle("first", 0.05)
    first.move([-0.6, *[None] * 6], ticks=200)
    second.move([-0.6, *[None] * 6], ticks=200)
    least = np.inf
    for tick in range(300):
        scene.step()
        if tick % 8 == 0:
            least = min(least, gap(first, second.node))
    assert least >= 0.05 - 1e-3
