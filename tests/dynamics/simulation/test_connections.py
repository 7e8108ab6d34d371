"""Connections and cuts: continuous state, physical impulses, closed gaps, clear errors."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from robotix.dynamics.simulation import (
    EXACT,
    BallJoint,
    HingeJoint,
    LoopJoint,
    Mechanism,
    NoFreeSlot,
    RigidObject,
    Servo,
    Settings,
    Simulation,
    SliderJoint,
    WeldJoint,
    World,
)
from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Box, Halfspace, Pose, exp_rotation
from robotix.model.robots import load

AT, AXIS = np.array([0.2, 0.1, 0.1]), np.array([0.0, 0.6, 0.8])
JOINTS: list[LoopJoint] = [WeldJoint(), BallJoint(AT), HingeJoint(AT, AXIS), SliderJoint(AXIS)]
FREEDOMS = {"weld": 0, "ball": 3, "hinge": 1, "slider": 1}
SPREAD = np.array([1.0, 1.0, 1.0, 3.0, 3.0, 3.0])  # of twists


def kind_of(joint: LoopJoint) -> str:
    return joint.kind


def two_boxes(settings: Settings = EXACT) -> Simulation:
    a = RigidObject("a", (Box(np.array([0.3, 0.2, 0.1])),), mass=2.0)
    b = RigidObject("b", (Box(np.array([0.1, 0.2, 0.3])),), Pose.at(0.5, 0.1, 0.2), mass=1.0)
    simulation = Simulation(World((a, b), gravity=np.zeros(3)), settings)
    rng = np.random.default_rng(1)
    for name in ("a", "b"):
        twist = SPREAD * rng.normal(size=6)
        simulation.set_pose(name, simulation.pose(name), twist=twist)
    return simulation


def momenta(simulation: Simulation) -> Array:
    m = simulation.momentum()
    return np.array([*m.linear, *m.angular])


def relative_twist(simulation: Simulation, at: Array) -> Array:
    """Return the twist of b relative to a, linear at a point."""
    twists = []
    for name in ("a", "b"):
        v = simulation.twist(name)
        arm = at - simulation.pose(name).translation
        twists.append(np.array([*(v[:3] + np.cross(v[3:], arm)), *v[3:]]))
    return np.asarray(twists[1] - twists[0])


def test_only_the_motion_that_a_joint_allows_is_left() -> None:
    for joint in JOINTS:
        simulation = two_boxes()
        simulation.connect("a", "b", joint)
        v = relative_twist(simulation, AT)
        linear, angular = v[:3], v[3:]
        if joint.kind == "slider":
            linear = linear - AXIS * (AXIS @ linear)
        if joint.kind == "hinge":
            angular = angular - AXIS * (AXIS @ angular)
        np.testing.assert_allclose(linear, 0.0, atol=1e-9)
        if joint.kind != "ball":
            np.testing.assert_allclose(angular, 0.0, atol=1e-9)
        assert (abs(v).max() < 1e-9) == (FREEDOMS[joint.kind] == 0)


@pytest.mark.parametrize("joint", JOINTS, ids=kind_of)
def test_connecting_and_opening_keep_poses_and_momentum(joint: LoopJoint) -> None:
    simulation = two_boxes()
    poses, before = [simulation.pose(name) for name in "ab"], momenta(simulation)
    kinetic = simulation.energy().kinetic
    made = simulation.connect("a", "b", joint)
    for name, pose in zip("ab", poses, strict=True):
        np.testing.assert_array_equal(simulation.pose(name).matrix, pose.matrix)
    np.testing.assert_allclose(momenta(simulation), before, atol=1e-10)
    assert simulation.energy().kinetic < kinetic
    simulation.step(1000)
    np.testing.assert_allclose(momenta(simulation), before, atol=2e-6)
    v = [simulation.twist(name) for name in "ab"]
    simulation.cut(made)
    for name, twist in zip("ab", v, strict=True):
        np.testing.assert_array_equal(simulation.twist(name), twist)
    assert simulation.connections == ()


@pytest.mark.parametrize("joint", JOINTS, ids=kind_of)
def test_gaps_stay_closed(joint: LoopJoint) -> None:
    simulation = two_boxes()
    start = simulation.pose("a").inverse() @ simulation.pose("b")
    axis = simulation.pose("a").rotation.T @ AXIS
    at = [simulation.pose(name).inverse().apply(AT) for name in "ab"]
    simulation.connect("a", "b", joint)
    simulation.step(1000)
    now = simulation.pose("a").inverse() @ simulation.pose("b")
    moved = now.translation - start.translation
    if joint.kind in ("weld", "slider"):
        along = axis @ moved
        np.testing.assert_allclose(moved - (joint.kind == "slider") * along * axis, 0.0, atol=1e-6)
        np.testing.assert_allclose(now.rotation, start.rotation, atol=1e-6)
        assert (abs(along) > 0.1) == (joint.kind == "slider")
    else:
        one, other = (simulation.pose(n).apply(p) for n, p in zip("ab", at, strict=True))
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_a_hinge_keeps_its_axis() -> None:
    simulation = two_boxes()
    simulation.connect("a", "b", HingeJoint(AT, AXIS))
    own = [simulation.pose(name).rotation.T @ AXIS for name in "ab"]
    simulation.step(1000)
    one, other = (simulation.pose(n).rotation @ axis for n, axis in zip("ab", own, strict=True))
    np.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("joint", JOINTS, ids=kind_of)
def test_the_world_can_be_connected(joint: LoopJoint) -> None:
    simulation = two_boxes()
    simulation.connect("world", "b", joint)
    simulation.step(500)
    simulation.cut(simulation.connections[0])
    simulation.step(10)
    assert np.isfinite(simulation.twist("b")).all()


def overlapping() -> Simulation:
    """Return three boxes in a row, each of which overlaps the next, and an arm elsewhere."""
    boxes = tuple(
        RigidObject(name, (Box(np.full(3, 0.2)),), Pose.at(x, 0, 0), mass=1.0)
        for name, x in (("left", -0.19), ("middle", 0.0), ("right", 0.19))
    )
    return Simulation(World(boxes, (arm("arm", Pose.at(5, 0, 0)),), gravity=np.zeros(3)), EXACT)


def touching(simulation: Simulation) -> set[frozenset[str]]:
    simulation.forward()
    return {frozenset((each.first, each.second)) for each in simulation.contacts()}


def test_connected_bodies_do_not_touch_each_other() -> None:
    simulation = overlapping()
    left, right = frozenset(("left", "middle")), frozenset(("middle", "right"))
    assert touching(simulation) == {left, right}
    one = simulation.connect("left", "middle", WeldJoint())
    two = simulation.connect("middle", "left", BallJoint(np.zeros(3)))
    assert touching(simulation) == {right}
    simulation.cut(simulation.joint_names[3])  # another model goes on like this
    assert touching(simulation) == {right}
    simulation.cut(one)
    assert touching(simulation) == {right}
    simulation.cut(two)
    assert touching(simulation) == {left, right}


def arm(name: str, pose: Pose, **more: object) -> Mechanism:
    return Mechanism(name, load("panda"), pose, **more)  # type: ignore[arg-type]


def test_two_robots_hold_hands_and_let_go() -> None:
    servos = {name: Servo(500.0, 50.0) for name in load("panda").dof_names}
    pair = (
        arm("one", Pose(), servos=servos),
        arm("other", Pose(exp_rotation((0, 0, np.pi)), np.array([1.2, 0, 0])), servos=servos),
    )
    simulation = Simulation(World(mechanisms=pair, gravity=np.zeros(3)))
    hands = [part.body(part.model.bodies[-1].name) for part in pair]
    simulation.connect(hands[0], hands[1], WeldJoint(), name="grip")
    start = simulation.pose(hands[0]).inverse() @ simulation.pose(hands[1])
    simulation.command("one", q=simulation.q("one") + 0.2)
    simulation.step(1500)
    now = simulation.pose(hands[0]).inverse() @ simulation.pose(hands[1])
    np.testing.assert_allclose(now.matrix, start.matrix, atol=1e-3)
    assert abs(simulation.q("other") - load("panda").neutral).max() > 0.01  # it is led
    simulation.cut("grip")
    simulation.step(500)
    np.testing.assert_allclose(simulation.q("other"), load("panda").neutral, atol=1e-3)


# -- cuts -------------------------------------------------------------------------------------


def moving_arm() -> Simulation:
    simulation = Simulation(World((RigidObject("c", (Box(np.ones(3)),), mass=1.0),), (
        arm("arm", Pose.at(3, 2, 1)),)), EXACT)  # fmt: skip
    rng = np.random.default_rng(3)
    model = load("panda")
    q = 0.5 * (model.lower + model.upper)
    simulation.set_state("arm", q, rng.normal(size=model.n_dof))
    simulation.set_pose("c", Pose.at(0, 0, 9), twist=rng.normal(size=6))
    return simulation


def states(simulation: Simulation) -> dict[str, Array]:
    table = simulation.link_table().rows[1:]
    return {
        row.name: np.concatenate(
            [simulation.pose(row.name).matrix.ravel(), simulation.twist(row.name)]
        )
        for row in table
        if not row.real
    }


def test_a_branch_flies_free_with_the_momentum_it_had() -> None:
    simulation = moving_arm()
    simulation.step(100)
    before, there = momenta(simulation), states(simulation)
    time, joint = simulation.time, simulation.joint_names[4]
    simulation.cut(joint)
    assert simulation.time == time
    for name, state in states(simulation).items():
        np.testing.assert_allclose(state, there[name], atol=1e-13)
    np.testing.assert_allclose(momenta(simulation), before, atol=1e-13)
    q = simulation.q("arm")
    assert np.isnan(q).sum() == 1
    simulation.set_state("arm", q, simulation.dq("arm"))  # what was cut has no coordinate
    free = [row.name for row in simulation.link_table().rows if row.joint == "free"]
    cut = next(name for name in free if "/" in name)
    height, speed = simulation.pose(cut).translation[2], simulation.twist(cut)[2]
    simulation.step(200)
    fallen = simulation.pose(cut).translation[2] - (height + speed * 0.2)
    assert fallen < -0.05
    with pytest.raises(BadField, match="not cut yet"):
        simulation.cut(joint)


def test_a_cut_is_prepared_in_a_thread_while_things_happen() -> None:
    simulation = moving_arm()
    joint, prepared = simulation.joint_names[3], []
    worker = threading.Thread(target=lambda: prepared.append(simulation.prepare_cut(joint)))
    worker.start()
    simulation.step(50)
    hand = simulation.world.mechanisms[0].body("panda_link5")
    made = simulation.connect("c", hand, BallJoint(simulation.pose(hand).translation))
    simulation.push("c", (1.0, 2.0, 3.0))
    worker.join()
    before = momenta(simulation)
    simulation.swap(prepared[0])
    np.testing.assert_allclose(momenta(simulation), before, atol=1e-13)
    assert simulation.connections == (made,)
    np.testing.assert_array_equal(
        simulation.data.xfrc_applied[simulation.model.body("c").id][:3], (1.0, 2.0, 3.0)
    )
    at = [simulation.pose(name).inverse().apply(made.joint.at) for name in ("c", hand)]  # type: ignore[union-attr]
    simulation.step(200)
    one, other = (simulation.pose(n).apply(p) for n, p in zip(("c", hand), at, strict=True))
    np.testing.assert_allclose(one, other, atol=1e-5)  # the connection went over
    with pytest.raises(BadField, match="prepared after"):
        simulation.swap(prepared[0])


def test_commands_go_on_after_a_cut() -> None:
    servos = {name: Servo(500.0, 50.0) for name in load("panda").dof_names}
    simulation = Simulation(World(mechanisms=(arm("arm", Pose(), servos=servos),)))
    goal = simulation.q("arm") - 0.1
    simulation.command("arm", q=goal)
    simulation.cut(simulation.joint_names[6])
    simulation.step(1000)
    left = simulation.q("arm") - goal
    assert np.nanmax(abs(left[:4])) < 0.05
    simulation.command("arm", q=simulation.q("arm"))


# -- errors -----------------------------------------------------------------------------------


def test_what_cannot_be_connected_is_told() -> None:
    floor = RigidObject("floor", (Halfspace(),), mobility="static")
    tray = RigidObject("tray", (Box(np.ones(3)),), mobility="driven")
    cup = RigidObject("cup", (Box(np.ones(3)),), mass=1.0)
    simulation = Simulation(World((floor, tray, cup)), Settings(slots=2, sliders=1))
    with pytest.raises(BadField, match="another body"):
        simulation.connect("cup", "cup", WeldJoint())
    with pytest.raises(BadField, match="forces move"):
        simulation.connect("floor", "tray", WeldJoint())
    with pytest.raises(UnknownName, match="body"):
        simulation.connect("cup", "cop", WeldJoint())
    with pytest.raises(BadField, match="axis"):
        SliderJoint(np.zeros(3))
    simulation.connect("cup", "tray", SliderJoint(AXIS), name="rail")
    with pytest.raises(NoFreeSlot, match="slots"):
        simulation.connect("cup", "floor", WeldJoint())
    with pytest.raises(BadField, match="new name"):
        simulation.connect("cup", "floor", WeldJoint(), name="rail")
    with pytest.raises(UnknownName, match="joint or connection"):
        simulation.cut("rial")
    simulation.cut("rail")
    few = Simulation(World((tray, cup)), Settings(sliders=0))
    with pytest.raises(NoFreeSlot, match="sliders"):
        few.connect("cup", "tray", SliderJoint(AXIS))


def test_a_snapshot_is_of_one_structure() -> None:
    simulation = two_boxes()
    before = simulation.snapshot()
    made = simulation.connect("a", "b", WeldJoint())
    with pytest.raises(ValueError, match="another structure"):
        simulation.set_snapshot(before)
    with pytest.raises(BadField, match="not cut yet"):
        simulation.cut(made)
        simulation.cut(made)


def test_many_bodies_are_connected_as_few_are() -> None:
    # with more than sixty coordinates MuJoCo stores its Jacobians as sparse matrices
    crowd = tuple(
        RigidObject(f"other{k}", (Box(np.full(3, 0.1)),), Pose.at(k, 5, 0)) for k in range(12)
    )
    few = two_boxes()
    boxes = few.world.objects
    many = Simulation(World((*crowd, *boxes), gravity=np.zeros(3)), EXACT)
    for name in ("a", "b"):
        many.set_pose(name, few.pose(name), twist=few.twist(name))
    for simulation in (few, many):
        simulation.connect("a", "b", HingeJoint(AT, AXIS))
    for name in ("a", "b"):
        np.testing.assert_allclose(many.twist(name), few.twist(name), atol=1e-12)
