"""Dragging by hand: the grabbed point follows, joint by joint."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.library_arms import ARMS
from support.random_trees import make_random_tree, random_posture

from robotix.errors import UnknownName
from robotix.geometry import Pose
from robotix.kinematics import Posture, drag
from robotix.model import Body, ControlPoint, Joint, Mimic, Model, PathSegment, PlanarPath
from robotix.model.robots import load


def distance(posture: Posture, hand: Any, point: Any = None) -> float:
    return float(np.linalg.norm(posture.position(point) - hand))


@pytest.mark.parametrize("name", ARMS)
def test_the_point_nears_the_hand_in_every_sweep_inside_the_limits(name: str) -> None:
    model, rng = load(name), np.random.default_rng(0)
    for _ in range(10):
        posture = Posture(model, random_posture(model, rng))
        hand = posture.position() + 0.5 * rng.normal(size=3)
        gap = distance(posture, hand)
        for _ in range(8):
            posture = drag(posture, hand)
            assert distance(posture, hand) <= gap + 1e-9
            assert (posture.q >= model.lower).all() and (posture.q <= model.upper).all()
            gap = distance(posture, hand)


@pytest.mark.parametrize("seed", range(60))
def test_any_tree_follows_by_any_of_its_bodies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng, most=8)
    body = model.bodies[rng.integers(len(model.bodies))].name
    point = ControlPoint(body, Pose(translation=0.3 * rng.normal(size=3)))
    posture = Posture(model, random_posture(model, rng))
    hand = posture.position(point) + rng.normal(size=3)
    for _ in range(5):
        after = drag(posture, hand, point=point)
        assert distance(after, hand, point) <= distance(posture, hand, point) + 1e-9
        assert (after.q >= model.lower).all() and (after.q <= model.upper).all()
        posture = after


def test_some_sweeps_bring_the_point_to_a_hand_within_reach() -> None:
    model, rng, reached = load("panda"), np.random.default_rng(1), 0
    for _ in range(20):
        hand = Posture(model, random_posture(model, rng)).position()
        posture = drag(Posture(model, random_posture(model, rng)), hand, sweeps=40)
        reached += distance(posture, hand) < 1e-2
    assert reached >= 17


def test_sweeps_at_once_are_sweeps_one_by_one() -> None:
    posture, hand = Posture(load("panda")), np.array([0.3, 0.3, 0.6])
    one_by_one = posture
    for _ in range(4):
        one_by_one = drag(one_by_one, hand)
    np.testing.assert_array_equal(drag(posture, hand, sweeps=4).q, one_by_one.q)


def test_only_the_chosen_joints_move() -> None:
    model = load("panda")
    chosen = {"panda_joint2", "panda_joint4"}
    start = Posture(model, random_posture(model, np.random.default_rng(2)))
    end = drag(start, start.position() + np.array([0.2, 0.1, -0.3]), joints=chosen, sweeps=5)
    moved = {name for name, a, b in zip(model.dof_names, start.q, end.q, strict=True) if a != b}
    assert moved == chosen


def test_grabbing_a_link_half_way_leaves_the_joints_beyond_it_alone() -> None:
    model = load("panda")
    start = Posture(model, random_posture(model, np.random.default_rng(3)))
    hand = start.position("panda_link4") + np.array([0.1, 0.1, 0.1])
    end = drag(start, hand, point="panda_link4", sweeps=3)
    np.testing.assert_array_equal(end.q[4:], start.q[4:])
    assert distance(end, hand, "panda_link4") < distance(start, hand, "panda_link4")


@pytest.mark.parametrize("sweeps", [1, 10])
def test_no_joint_moves_faster_than_its_rate(sweeps: int) -> None:
    for name in ("panda", "scara", "kuka_lwr_rail"):
        model, dt = load(name), 0.02
        start = Posture(model, random_posture(model, np.random.default_rng(4)))
        end = drag(start, start.position() + np.array([1.0, -1.0, 0.5]), dt=dt, sweeps=sweeps)
        assert (abs(end.q - start.q) <= model.velocity * dt + 1e-12).all()
        assert not np.array_equal(end.q, start.q)


def test_a_joint_outside_its_limits_does_not_go_farther_out() -> None:
    model = load("panda")
    q = np.array(model.upper) + 0.2
    end = drag(Posture(model, q), [0.3, 0.3, 0.5], sweeps=3)
    assert (end.q <= q).all()


def test_a_hinge_turns_to_face_the_hand() -> None:
    model = Model(
        "hinge",
        (Body("arm", Joint("hinge", "revolute")),),
        points={"tip": ControlPoint("arm", Pose(translation=np.array([1.0, 0.0, 0.0])))},
        tip="tip",
    )
    for angle in (0.5, -2.0, 3.1):
        hand = [3 * math.cos(angle), 3 * math.sin(angle), 0.7]
        assert drag(Posture(model), hand).q[0] == pytest.approx(angle)
    at_axis = drag(Posture(model, [0.4]), [0.0, 0.0, 1.0])
    assert at_axis.q[0] == 0.4


def test_a_slider_goes_as_far_as_the_hand() -> None:
    joint = Joint("slider", "prismatic", np.array([0.0, 1.0, 0.0]), lower=-1.0, upper=0.5)
    model = Model("slider", (Body("cart", joint),))
    assert drag(Posture(model), [5.0, 0.3, 1.0]).q[0] == pytest.approx(0.3)
    assert drag(Posture(model), [5.0, 0.9, 1.0]).q[0] == pytest.approx(0.5)


def test_a_base_on_a_bend_does_not_overshoot() -> None:
    """The tangent points far past the hand."""
    path = PlanarPath((PathSegment(3.0, 1.0),))
    model = Model("rail", (Body("cart", Joint("rail", "path", lower=0.0, upper=3.0, path=path)),))
    posture, hand = Posture(model, [0.1]), np.array([4.0, 1.0, 0.0])
    gap = distance(posture, hand)
    for _ in range(30):
        posture = drag(posture, hand)
        assert distance(posture, hand) <= gap
        gap = distance(posture, hand)
    assert posture.q[0] == pytest.approx(math.pi / 2, abs=0.02)


def test_a_coupled_joint_is_taken_along() -> None:
    """The second hinge turns twice as far back: alone, the first would turn the wrong way."""
    x = Pose(translation=np.array([1.0, 0.0, 0.0]))
    model = Model(
        "pair",
        (
            Body("one", Joint("first", "revolute")),
            Body("two", Joint("second", "revolute", mimic=Mimic("first", -2.0)), "one", x),
        ),
        points={"tip": ControlPoint("two", Pose(translation=np.array([2.0, 0.0, 0.0])))},
        tip="tip",
    )
    posture, hand = Posture(model, [0.3]), np.array([2.8, -0.6, 0.0])
    for _ in range(20):
        after = drag(posture, hand)
        assert distance(after, hand) <= distance(posture, hand)
        posture = after
    best = min(distance(Posture(model, [q]), hand) for q in np.linspace(-1.5, 1.5, 3001))
    assert distance(posture, hand) == pytest.approx(best, abs=1e-4)


@pytest.mark.parametrize("hand", [[0.0, 1.0], [math.nan, 0.0, 0.0], [math.inf, 0, 0], 1.0])
def test_a_hand_that_is_nowhere_is_refused(hand: Any) -> None:
    with pytest.raises(ValueError, match="hand"):
        drag(Posture(load("panda")), hand)


@pytest.mark.parametrize("wrong", [{"dt": 0.0}, {"dt": -0.1}, {"dt": math.nan}, {"sweeps": -1}])
def test_wrong_times_and_counts_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        drag(Posture(load("panda")), [0.4, 0.0, 0.4], **wrong)


def test_unknown_names_are_refused() -> None:
    posture = Posture(load("panda"))
    with pytest.raises(UnknownName, match="did you mean 'panda_joint3'"):
        drag(posture, [0.4, 0.0, 0.4], joints={"panda_joint33"})
    with pytest.raises(UnknownName):
        drag(posture, [0.4, 0.0, 0.4], point="panda_link2", joints={"panda_joint6"})
    with pytest.raises(UnknownName):
        drag(posture, [0.4, 0.0, 0.4], point="nose")
