"""A robot in the room keeps its limits and rates, says what happened, and never moves by itself."""

import numpy as np
import pytest
from support.every_joint import every_joint

import robotix as rx
from robotix.geometry import Array, Pose, log_rotation
from robotix.inputs.problem import Problem
from robotix.model import ControlPoint, Model
from robotix.scene.events.events import EndOfStroke, Event, RobotMoves, Signal
from robotix.scene.graph.content import EllipsoidSurface
from robotix.scene.robots.driven import DrivenRobot
from robotix.scene.robots.drives import Jog
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.sub_chain import make_sub_chain
from robotix.scene.scene import Scene


def room(model: str | Model = "kuka_lwr", *, dt: float = 1 / 120) -> tuple[Scene, Robot]:
    scene = Scene(dt=dt)
    return scene, scene.add_robot("arm", rx.load(model) if isinstance(model, str) else model)


class Wish:
    """Asks for the same posture again and again, or raises."""

    def __init__(self, wish: Array | Exception) -> None:
        self.wish = wish

    def next(self, robot: DrivenRobot) -> Array | None:
        if isinstance(self.wish, Exception):
            raise self.wish
        return self.wish


def problems(scene: Scene) -> list[str]:
    return [message.what for message in scene.messages if isinstance(message, Problem)]


# -- its nodes ------------------------------------------------------------------------------


def test_control_points_are_nodes_that_move_along() -> None:
    scene, robot = room()
    robot.node.pose = Pose.at(1, 2, 0.5, rpy=(0, 0, 1))
    robot.set_q([0.3, -0.6, 0.1, 1.4, 0.2, 0.8, 0.5])
    robot.move([0.8, *[None] * 6], ticks=20)
    for _ in range(10):
        scene.step()
    assert robot.model.points and robot.is_moving
    for name in robot.model.points:
        node = scene.graph[f"arm/{name}"]
        assert node.robot == "arm" and not node.children
        expected = robot.node.world_pose @ robot.posture.pose(name)
        np.testing.assert_allclose(node.world_pose.matrix, expected.matrix, atol=1e-12)


def test_a_point_called_like_a_body_has_the_bodys_node() -> None:
    model = rx.load("planar_3r")
    body = model.bodies[-1].name
    _, robot = room(model.with_point(body, ControlPoint(body)))
    assert robot.links[body].name == f"arm/{body}"


@pytest.mark.parametrize("taken", ["arm/flange", "arm/link2"])
def test_it_comes_whole_or_not_at_all(taken: str) -> None:
    scene = Scene()
    scene.graph.add(taken)
    with pytest.raises(ValueError, match=f"there is a node '{taken}' already"):
        scene.add_robot("arm", rx.load("planar_3r"))
    assert scene.graph.names == ("world", taken) and not scene.robots


def test_it_stands_on_nothing_that_is_scaled() -> None:
    scene = Scene()
    scene.graph.add("small", scale=0.001)
    scene.graph.add("large", parent="small", scale=1000.0)
    scene.graph.add("shelf", parent="small")
    with pytest.raises(ValueError, match=r"scale 1, .* got 'shelf' of scale 0\.001"):
        scene.add_robot("arm", rx.load("planar_3r"), parent="shelf")
    assert "arm" not in scene.graph
    scene.add_robot("arm", rx.load("planar_3r"), parent="large")
    scene.graph.attach("arm", "small")  # it keeps its place and size
    assert scene.robot().node.world_scale == pytest.approx(1.0)


# -- the guard ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuka_lwr", "vishard10", "scara", "kuka_lwr_rail"])
def test_whatever_is_asked_for_limits_and_rates_are_kept(name: str) -> None:
    scene, robot = room(name)
    rng = np.random.default_rng(1)
    model = robot.model
    rates = np.minimum(model.velocity, 0.5 / robot.dt)
    for _ in range(300):
        scale = 10.0 ** rng.uniform(-6, 300)
        robot.drive = Wish(np.clip(rng.normal(size=model.n_dof) * scale, -1e300, 1e300))
        before = robot.q
        scene.step()
        assert np.isfinite(robot.q).all()
        assert (robot.q >= model.lower).all() and (robot.q <= model.upper).all()
        assert (abs(robot.q - before) <= rates * robot.dt * (1 + 1e-12) + 1e-15).all()
        np.testing.assert_allclose(robot.dq, (robot.q - before) / robot.dt, atol=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_stops_the_robot_and_is_reported(bad: float) -> None:
    scene, robot = room()
    robot.move([0.5, *[None] * 6])
    scene.step()
    wish = robot.q.copy()
    wish[3] = bad
    robot.drive = Wish(wish)
    before = robot.q
    scene.step()
    np.testing.assert_array_equal(robot.q, before)
    assert robot.drive is None
    assert "not finite" in problems(scene)[0]


def test_a_drive_that_raises_is_stopped_and_reported() -> None:
    scene, robot = room()
    robot.drive = Wish(RuntimeError("worn out"))
    scene.step()
    assert robot.drive is None
    assert problems(scene) == ["RuntimeError: worn out"]
    robot.drive = Wish(np.zeros(3))  # of another robot
    scene.step()
    assert robot.drive is None and "7 joints" in problems(scene)[0]


def test_a_floating_root_keeps_its_rates_in_every_direction() -> None:
    model = every_joint(np.random.default_rng(3))
    scene, robot = room(model)
    rng = np.random.default_rng(2)
    turn = model.dof_names.index(next(n for n in model.dof_names if n.endswith("_rx")))
    for _ in range(200):
        before = robot.q
        robot.drive = Wish(rng.normal(size=model.n_dof) * 3)
        scene.step()
        step = rx.Posture(model, before).velocity_to(robot.q)
        rates = np.minimum(model.velocity, 0.5 / robot.dt) * robot.dt
        inside = (robot.q > model.lower + 1e-9) & (robot.q < model.upper - 1e-9)
        assert (abs(step)[inside] <= rates[inside] * (1 + 1e-6) + 1e-9).all()
    assert np.linalg.norm(robot.q[turn : turn + 3]) > 0


def test_without_a_drive_nothing_moves() -> None:
    scene, robot = room()
    robot.set_q([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    before, moves = robot.q, scene.graph.moves
    for _ in range(10):
        scene.step()
        assert not scene.events
    assert robot.q is before and scene.graph.moves == moves


def test_stop_is_at_once() -> None:
    scene, robot = room()
    robot.move([1.0, *[None] * 6], ticks=50)
    for _ in range(20):
        scene.step()
    robot.stop()
    before = robot.q
    scene.step()
    np.testing.assert_array_equal(robot.q, before)
    assert not robot.dq.any() and not robot.is_moving


def test_setting_up_refuses_nonsense_and_clips() -> None:
    _, robot = room()
    robot.set_q([9.0] * 7)
    np.testing.assert_array_equal(robot.q, robot.model.upper)
    for wrong in ([0.0] * 6, [np.nan] * 7):
        with pytest.raises(ValueError, match="7 finite numbers"):
            robot.set_q(wrong)


# -- where the bodies are -------------------------------------------------------------------


def test_nodes_follow_the_joints() -> None:
    scene, robot = room()
    scene.graph.set_local_pose(robot.node, Pose.at(1, 2, 0.5, rpy=(0.1, 0.2, 0.3)))
    robot.move([0.3, -0.6, 0.1, 1.4, 0.2, 0.8, 0.5], ticks=30)
    for _ in range(40):
        scene.step()
    world_from_base = robot.node.world_pose
    for body in robot.model.bodies:
        expected = world_from_base @ robot.posture.pose(body.name)
        found = robot.links[body.name].world_pose
        np.testing.assert_allclose(found.translation, expected.translation, atol=1e-12)
        np.testing.assert_allclose(found.rotation, expected.rotation, atol=1e-12)
    tip = world_from_base @ robot.posture.pose()
    np.testing.assert_allclose(robot.tip_position(), tip.translation, atol=1e-12)
    np.testing.assert_allclose(robot.in_base(tip.translation), robot.posture.position(), atol=1e-12)
    np.testing.assert_allclose(robot.tip_jacobian(), robot.posture.jacobian(), atol=1e-12)


def test_nodes_may_come_and_go_while_it_moves() -> None:
    scene, robot = room()
    robot.move([1.0, *[None] * 6], ticks=100)
    for tick in range(50):
        scene.graph.add(f"box{tick}")
        if tick % 3 == 0:
            scene.graph.remove(f"box{tick // 2}")
        scene.step()
    last = robot.model.bodies[-1].name
    expected = robot.posture.position(last)
    np.testing.assert_allclose(robot.links[last].world_position, expected, atol=1e-12)


# -- what it tells --------------------------------------------------------------------------


def told(scene: Scene, ticks: int) -> list[Event]:
    """Return the events of so many ticks; those of robots are heard one tick later."""
    events: list[Event] = []
    for _ in range(ticks):
        scene.step()
        events += scene.events
    return events


def test_end_of_stroke_is_told_when_reached_and_when_left() -> None:
    scene, robot = room()
    robot.stroke_signal = "end"
    robot.move([9.0, *[None] * 6], ticks=5)  # beyond the limit
    events = told(scene, 400)
    assert robot.q[0] == robot.model.upper[0]
    strokes = [event for event in events if isinstance(event.source, EndOfStroke | Signal)]
    joint, anyone, signal = EndOfStroke("arm", "A1"), EndOfStroke("arm"), Signal("end")
    assert strokes == [Event(joint), Event(anyone), Event(signal)]
    robot.move([0.0, *[None] * 6], ticks=5)
    events = told(scene, 400)
    strokes = [event for event in events if isinstance(event.source, EndOfStroke | Signal)]
    assert strokes == [Event(joint, False), Event(anyone, False), Event(signal, False)]


def test_two_joints_at_their_ends_are_one_end_of_stroke_of_the_robot() -> None:
    scene, robot = room()
    robot.move([9.0, 9.0, *[None] * 5], ticks=5)
    both = told(scene, 400)
    robot.move([0.0, *[None] * 6], ticks=5)
    one = told(scene, 400)
    anyone = EndOfStroke("arm")
    assert [e.state for e in both + one if e.source == anyone] == [True]
    assert Event(EndOfStroke("arm", "A1"), False) in one


def test_motion_is_told_when_it_starts_and_when_it_ends() -> None:
    scene, robot = room()
    robot.motion_signal = "humming"
    robot.move([0.2, *[None] * 6], ticks=30)
    events = told(scene, 60)
    assert [e for e in events if e.source == RobotMoves("arm")] == [
        Event(RobotMoves("arm")),
        Event(RobotMoves("arm"), False),
    ]
    assert [e.state for e in events if e.source == Signal("humming")] == [True, False]


def test_an_empty_move_is_no_motion() -> None:
    scene, robot = room()
    robot.move([None] * 7)
    assert not told(scene, 150)
    assert robot.drive is None


# -- the part of the chain ------------------------------------------------------------------


def test_the_part_says_which_joints_move_and_which_point() -> None:
    model = rx.load("kuka_lwr")
    whole = make_sub_chain(model)
    assert (whole.first, whole.last) == (1, 7) and whole.moves.all()
    part = make_sub_chain(model, first=2, last=4)
    np.testing.assert_array_equal(part.moves, [False, True, True, True, False, False, False])
    bent = rx.Posture(model, [0.1, 0.5, 0.2, 1.0, 0.3, 0.4, 0.2])
    np.testing.assert_allclose(
        bent.position(part.point), bent.position(model.bodies[5].name), atol=1e-12
    )
    assert np.linalg.norm(bent.jacobian(part.point)[:3, 3]) > 0.1  # the last joint does move it


@pytest.mark.parametrize(("first", "last"), [(0, None), (None, 8), (5, 3), (None, 0)])
def test_a_part_that_does_not_exist_is_refused(first: int | None, last: int | None) -> None:
    with pytest.raises(ValueError, match="joint"):
        make_sub_chain(rx.load("kuka_lwr"), first=first, last=last)


# -- the ellipsoid --------------------------------------------------------------------------


def test_the_ellipsoid_follows() -> None:
    scene, robot = room()
    robot.set_q([0.3, -0.6, 0.1, 1.4, 0.2, 0.8, 0.5])
    robot.ellipsoid.show()
    robot.move([0.8, *[None] * 6], ticks=20)
    for _ in range(30):
        scene.step()
    node = scene.graph["arm/ellipsoid"]
    expected = rx.kinematics.velocity_ellipsoid(robot.posture)
    assert isinstance(node.content, EllipsoidSurface)
    np.testing.assert_allclose(
        np.array(node.content.half_lengths)[::-1], 0.25 * expected.half_lengths, atol=1e-6
    )
    np.testing.assert_allclose(node.world_position, expected.centre, atol=1e-12)
    same = abs(node.world_pose.rotation.T @ expected.axes[:, ::-1])
    np.testing.assert_allclose(same, np.eye(3), atol=1e-6)
    robot.ellipsoid.hide()
    assert "arm/ellipsoid" not in scene.graph


def test_a_thousand_ticks_are_the_same_again() -> None:
    ends = []
    for _ in range(2):
        scene, robot = room()
        robot.move([0.5, -0.5, *[None] * 5])
        for _ in range(200):
            scene.step()
        robot.move_xyz([0.4, 0.3, 0.5])
        for _ in range(200):
            scene.step()
        robot.drive = Jog(robot, [0.001] * 7)
        for _ in range(100):
            scene.step()
        ends.append(robot.q.tobytes())
    assert ends[0] == ends[1]


def test_rotation_helpers_agree() -> None:
    scene, robot = room()
    scene.graph.set_local_pose(robot.node, Pose.at(0, 0, 0, rpy=(0.3, 0.1, -2.0)))
    turn = robot.base_rotation() @ robot.node.world_pose.rotation.T
    assert np.linalg.norm(log_rotation(turn)) < 1e-12
