"""Devices move robots only when engaged, alive, and never beyond what the robot allows."""

import math

import numpy as np
import pytest
from support.stick import HOME, engaged, feed, room

from robotix.errors import UnknownName
from robotix.geometry import Pose, exp_rotation, log_rotation, quaternion_from_rotation
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.robots.tracking import MAX_WAIT, HandDrag, Tracking, TrackOptions

# -- following ------------------------------------------------------------------------------


def test_three_axes_move_the_end_effector_at_the_scale_along_the_worlds_axes() -> None:
    scene, robot = room(base=Pose.at(1, 0, 0, rpy=(0, 0, 2.0)))
    engaged(scene, robot, Reading(axes=(0.0, 0.0, 0.0)), TrackOptions(scale=0.1))
    start = robot.tip_position()
    feed(scene, Reading(axes=(0.0, 1.0, -0.5)), ticks=120)
    np.testing.assert_allclose(robot.tip_position() - start, [0, 0.1, -0.05], atol=2e-3)
    still = robot.q
    feed(scene, Reading(axes=(0.0, 0.0, 0.0)), ticks=5)
    np.testing.assert_array_equal(robot.q, still)


@pytest.mark.parametrize("turn", [False, True])
def test_axes_are_those_of_what_carries_the_robot_however_it_has_turned(turn: bool) -> None:
    scene, robot = room()
    chair = scene.graph.add("chair", pose=Pose.at(2, 1, 0, rpy=(0, 0, 0.4)))
    scene.graph.attach("arm", "chair")
    still = Reading(axes=(0.0,) * 6)
    engaged(scene, robot, still, TrackOptions(scale=0.1, turn=turn))
    for angle in (0.4, 2.0):
        chair.pose = Pose.at(2, 1, 0, rpy=(0, 0, angle))
        feed(scene, still)
        start = robot.tip_position()
        feed(scene, Reading(axes=(0.5, 0.0, 0.25, 0.0, 0.0, 0.0)), ticks=120)
        forwards = [0.05 * math.cos(angle), 0.05 * math.sin(angle), 0.025]
        np.testing.assert_allclose(robot.tip_position() - start, forwards, atol=2e-3)


def test_axes_of_the_world_stay_where_they_are() -> None:
    scene, robot = room()
    scene.graph.add("chair", pose=Pose.at(2, 1, 0, rpy=(0, 0, 2.0)))
    scene.graph.attach("arm", "chair")
    still = Reading(axes=(0.0, 0.0, 0.0))
    engaged(scene, robot, still, TrackOptions(scale=0.1, axes="world"))
    start = robot.tip_position()
    feed(scene, Reading(axes=(0.0, 1.0, 0.0)), ticks=60)
    np.testing.assert_allclose(robot.tip_position() - start, [0, 0.05, 0], atol=2e-3)


def test_a_tracked_hand_is_followed_relative_to_where_it_was_engaged() -> None:
    scene, robot = room(kind="hand")
    hand = np.array([5.0, 5.0, 1.0])
    engaged(scene, robot, Reading(position=(5.0, 5.0, 1.0)), TrackOptions(scale=0.5))
    start = robot.tip_position()
    feed(scene, Reading(position=(5.0, 5.0, 1.0)), ticks=3)
    np.testing.assert_allclose(robot.tip_position(), start, atol=1e-9)  # no jump
    for _ in range(100):
        hand = hand + np.array([0.0, 0.001, 0.002])
        feed(scene, Reading(position=tuple(hand)))
    feed(scene, Reading(position=tuple(hand)), ticks=60)
    np.testing.assert_allclose(robot.tip_position() - start, [0, 0.05, 0.1], atol=2e-4)


def test_a_hand_in_place_of_a_stick_moves_as_fast_as_that_is_to_the_default() -> None:
    scene, robot = room(kind="translate3")
    hand = np.array([5.0, 5.0, 1.0])
    engaged(scene, robot, Reading(position=tuple(hand)), TrackOptions(scale=0.125, upright=True))
    start, rotation = robot.tip_position(), robot.posture.pose().rotation
    feed(scene, Reading(position=tuple(hand)))
    for _ in range(100):
        hand = hand + np.array([0.0, 0.001, 0.002])
        feed(scene, Reading(position=tuple(hand)))
    feed(scene, Reading(position=tuple(hand)), ticks=60)
    np.testing.assert_allclose(robot.tip_position() - start, [0, 0.05, 0.1], atol=2e-4)
    np.testing.assert_allclose(robot.posture.pose().rotation, rotation, atol=1e-3)  # upright


def test_a_hand_turns_the_end_effector_when_asked() -> None:
    scene, robot = room(kind="hand")
    first = Reading(position=(0.0, 0.0, 0.0))
    engaged(scene, robot, first, TrackOptions(turn=True))
    before, at = robot.posture.pose().rotation, robot.tip_position()
    turn = np.array([0.1, 0.2, -0.15])
    feed(scene, first)
    for part in np.linspace(0, 1, 100):
        q = quaternion_from_rotation(exp_rotation(part * turn))
        feed(scene, Reading(position=(0.0, 0.0, 0.0), quaternion=tuple(q)))
    feed(scene, Reading(position=(0.0, 0.0, 0.0), quaternion=tuple(q)), ticks=80)
    np.testing.assert_allclose(
        log_rotation(robot.posture.pose().rotation @ before.T), turn, atol=1e-3
    )
    np.testing.assert_allclose(robot.tip_position(), at, atol=1e-3)


def test_a_turning_device_turns_and_holds_the_place() -> None:
    scene, robot = room(kind="rotate3")
    engaged(scene, robot, Reading(axes=(0.0, 0.0, 0.0)), TrackOptions())
    before, at = robot.posture.pose().rotation, robot.tip_position()
    feed(scene, Reading(axes=(0.0, 0.0, 0.5)), ticks=48)
    turned = log_rotation(robot.posture.pose().rotation @ before.T)
    np.testing.assert_allclose(turned, [0, 0, 0.2], atol=5e-3)
    np.testing.assert_allclose(robot.tip_position(), at, atol=5e-3)


def test_axes_and_buttons_move_single_joints() -> None:
    scene, robot = room()
    engaged(scene, robot, Reading(), TrackOptions(scale=0.5, joints=(2, 5)))
    before = robot.q
    feed(scene, Reading(axes=(1.0, -0.5)), ticks=60)
    expected = before + np.array([0, 0.25, 0, 0, -0.125, 0, 0])
    np.testing.assert_allclose(robot.q, expected, atol=1e-12)
    feed(scene, Reading(axes=(), buttons=frozenset({"-2"})), ticks=60)
    assert robot.q[1] == pytest.approx(before[1], abs=1e-12)


def test_a_part_of_the_chain_is_kept_to() -> None:
    scene, robot = room()
    robot.set_chain(first=2, last=5)
    engaged(scene, robot, Reading(axes=(0.0, 0.0, 0.0)), TrackOptions(scale=0.2))
    feed(scene, Reading(axes=(0.3, 0.0, -1.0)), ticks=60)
    np.testing.assert_array_equal(robot.q[[0, 5, 6]], np.array(HOME)[[0, 5, 6]])
    assert abs(robot.q - HOME).max() > 0.05


# -- letting go -----------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [None, Reading(axes=(1.0, 1.0, 1.0), live=False)])
def test_a_silent_device_brings_the_robot_to_rest_and_must_be_engaged_anew(
    lost: Reading | None,
) -> None:
    scene, robot = room()
    push = Reading(axes=(0.0, 1.0, 0.0))
    tracking = engaged(scene, robot, push, TrackOptions(scale=0.3))
    feed(scene, push, ticks=30)
    fast = abs(robot.dq).max()
    speeds, said = [], []
    for _ in range(20):
        said += feed(scene, lost)
        speeds.append(abs(robot.dq).max())
    assert fast > speeds[0] > 0.5 * fast  # not with a jerk
    assert (np.diff(speeds) <= 1e-9).all() and speeds[-1] == 0
    assert len(said) == 1 and "stick" in said[0]
    assert not tracking.is_engaged(robot)
    still = robot.q
    feed(scene, push, ticks=10)  # it is back, but nobody asked for it
    np.testing.assert_array_equal(robot.q, still)
    tracking.engage(robot)
    feed(scene, push, ticks=10)
    assert not np.array_equal(robot.q, still)


def test_a_device_that_comes_back_while_braking_is_not_followed() -> None:
    scene, robot = room()
    push = Reading(axes=(0.0, 1.0, 0.0))
    tracking = engaged(scene, robot, push, TrackOptions(scale=0.3))
    feed(scene, push, ticks=30)
    feed(scene, None, ticks=3)
    feed(scene, push, ticks=20)
    assert not tracking.is_engaged(robot) and not robot.is_moving


def test_a_hand_that_leaps_starts_anew() -> None:
    scene, robot = room(kind="hand")
    engaged(scene, robot, Reading(position=(0.0, 0.0, 0.0)), TrackOptions())
    feed(scene, Reading(position=(0.0, 0.0, 0.0)), ticks=3)
    start = robot.tip_position()
    feed(scene, Reading(position=(0.0, 0.3, 0.0)), ticks=60)
    np.testing.assert_allclose(robot.tip_position(), start, atol=1e-9)
    for k in range(50):
        feed(scene, Reading(position=(0.0, 0.3 + 0.002 * k, 0.0)))
    feed(scene, Reading(position=(0.0, 0.4 - 0.002, 0.0)), ticks=60)
    np.testing.assert_allclose(robot.tip_position() - start, [0, 0.098, 0], atol=1e-3)


def test_a_hand_that_twists_in_no_time_starts_anew() -> None:
    scene, robot = room(kind="hand")
    first = Reading(position=(0.0, 0.0, 0.0))
    engaged(scene, robot, first, TrackOptions(turn=True))
    feed(scene, first, ticks=3)
    before = robot.q
    q = quaternion_from_rotation(exp_rotation(np.array([0.0, 0.0, 1.5])))
    feed(scene, Reading(position=(0.0, 0.0, 0.0), quaternion=tuple(q)), ticks=40)
    np.testing.assert_allclose(robot.q, before, atol=1e-9)


def test_another_command_ends_it_and_it_starts_again_from_there() -> None:
    scene, robot = room(kind="hand")
    hand = Reading(position=(0.0, 0.0, 0.0))
    tracking = engaged(scene, robot, hand, TrackOptions())
    feed(scene, hand, ticks=5)
    robot.move([0.8, *[None] * 6], ticks=60)
    assert not tracking.is_engaged(robot)
    feed(scene, hand, ticks=120)
    moved = robot.q
    assert moved[0] == pytest.approx(0.8)
    tracking.engage(robot)
    feed(scene, Reading(position=(2.0, 0.0, 0.0)), ticks=20)
    np.testing.assert_allclose(robot.q, moved, atol=1e-9)


def test_wrong_devices_are_refused() -> None:
    _, robot = room()
    with pytest.raises(UnknownName, match="stick"):
        Tracking(robot, "stik", TrackOptions())
    with pytest.raises(ValueError, match="joints 1 to 7"):
        Tracking(robot, "stick", TrackOptions(joints=(8,)))
    for scale in (math.nan, math.inf, 1e9):
        with pytest.raises(ValueError, match="scale"):
            TrackOptions(scale=scale)


def test_a_device_may_be_engaged_before_it_is_used() -> None:
    scene, robot = room()
    feed(scene, None)
    robot.tracking = Tracking(robot, "stick", TrackOptions())
    robot.tracking.engage(robot)
    said = feed(scene, None, ticks=10)
    assert robot.tracking.is_engaged(robot) and not said
    np.testing.assert_allclose(robot.q, HOME, atol=1e-12)  # it waits
    start = robot.tip_position()
    feed(scene, Reading(axes=(0.0, 0.0, 1.0)), ticks=60)
    assert robot.tip_position()[2] - start[2] > 0.1
    said = feed(scene, None, ticks=60)  # from now on silence is a loss
    assert robot.drive is None and any("is gone" in text for text in said)


def test_a_device_that_is_never_used_is_not_waited_for_without_end() -> None:
    scene, robot = room()
    robot.tracking = Tracking(robot, "stick", TrackOptions())
    robot.tracking.engage(robot)
    said = feed(scene, None, ticks=math.ceil(MAX_WAIT / scene.dt) + 2)
    assert robot.drive is None and any("engage it again" in text for text in said)
    feed(scene, Reading(axes=(1.0, 0.0, 0.0)), ticks=20)
    np.testing.assert_allclose(robot.q, HOME, atol=1e-12)


def test_a_device_of_the_default_mapping_turns_without_being_declared() -> None:
    scene, robot = room()
    scene.devices.clear()
    robot.tracking = Tracking(robot, "turner", TrackOptions())
    robot.tracking.engage(robot)
    start, rotation = robot.tip_position(), robot.tip_row()[:9].reshape(3, 3).copy()
    for _ in range(60):
        scene.step(Inputs(devices={"turner": Reading(axes=(0.0, 0.0, 1.0))}))
    np.testing.assert_allclose(robot.tip_position(), start, atol=2e-3)
    turned = log_rotation(robot.tip_row()[:9].reshape(3, 3) @ rotation.T)
    np.testing.assert_allclose(turned, [0, 0, 0.5], atol=0.02)


# -- dragging -------------------------------------------------------------------------------


def test_a_link_follows_the_hand_that_drags_it() -> None:
    scene, robot = room(kind="hand", base=Pose.at(0, 0, 1, rpy=(0, 0, 1.0)))
    wrist = robot.model.bodies[-2].name
    at = robot.node.world_pose.apply(robot.posture.position(wrist) + np.array([0, 0, 0.05]))
    feed(scene, Reading(position=tuple(at)))
    robot.drive = HandDrag(robot, wrist, "stick")
    feed(scene, Reading(position=tuple(at)), ticks=2)
    np.testing.assert_allclose(robot.q, HOME, atol=1e-6)  # taking hold moves nothing
    on_link = robot.links[wrist].world_pose.inverse().apply(at)
    for _ in range(60):
        at = at + np.array([0.0005, 0.001, 0.0])
        feed(scene, Reading(position=tuple(at)))
    feed(scene, Reading(position=tuple(at)), ticks=60)
    grip = robot.links[wrist].world_pose.apply(on_link)
    assert np.linalg.norm(grip - at) < 0.01
    feed(scene, None, ticks=30)
    assert robot.drive is None


def test_a_hand_that_is_nowhere_drags_nothing() -> None:
    scene, robot = room()
    feed(scene, Reading(axes=(0.0,)))
    with pytest.raises(ValueError, match="tracked hand"):
        HandDrag(robot, robot.model.bodies[3].name, "stick")
    with pytest.raises(UnknownName):
        HandDrag(robot, "tail", "stick")


# -- whatever devices send ------------------------------------------------------------------


def odd_number(rng: np.random.Generator) -> float:
    match rng.integers(5):
        case 0:
            return float(rng.normal() * 10.0 ** rng.uniform(-300, 300))
        case 1:
            return float(rng.choice([0.0, -0.0, 1e308, -1e308, 5e-324, 1.0, -1.0]))
        case _:
            return float(rng.normal())


def odd_reading(rng: np.random.Generator, walk: list[float]) -> Reading | None:
    """Return anything that a device might send: gaps, leaps, giants, and plain motion too."""
    if rng.random() < 0.02:
        return None
    axes = tuple(odd_number(rng) for _ in range(rng.integers(8)))
    position: tuple[float, float, float] | None = None
    if rng.random() < 0.6:
        walk[:] = [x + 0.02 * float(rng.normal()) for x in walk]
        x, y, z = walk if rng.random() < 0.9 else (odd_number(rng) for _ in range(3))
        position = x, y, z
    w, i, j, k = (odd_number(rng) for _ in range(4)) if rng.random() < 0.3 else (1.0, 0, 0, 0)
    return Reading(axes, frozenset({"+1"}), position, (w, i, j, k), live=rng.random() > 0.02)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kuka_lwr", TrackOptions()),
        ("panda", TrackOptions(scale=1000.0)),
        ("vishard10", TrackOptions(turn=True)),
        ("kuka_lwr_rail", TrackOptions(scale=-3.0, turn=True)),
        ("scara", TrackOptions(joints=(1, 2, 3, 4), scale=1000.0)),
    ],
)
def test_two_thousand_odd_readings_do_no_harm(name: str, options: TrackOptions) -> None:
    scene, robot = room(name, kind="hand")
    model, rng, walk = robot.model, np.random.default_rng(6), [0.0, 0.0, 0.0]
    tracking = Tracking(robot, "stick", options)
    rates = np.minimum(model.velocity, 0.5 / robot.dt) * robot.dt
    moved = 0
    for _ in range(2000):
        before = robot.q
        feed(scene, odd_reading(rng, walk))
        if not tracking.is_engaged(robot) and rng.random() < 0.3:
            tracking.engage(robot)
        moved += robot.is_moving
        assert np.isfinite(robot.q).all() and np.isfinite(robot.dq).all()
        assert (robot.q >= model.lower).all() and (robot.q <= model.upper).all()
        assert (abs(robot.q - before) <= rates * (1 + 1e-9) + 1e-12).all()
    assert moved > 500  # it was alive
