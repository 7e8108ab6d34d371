"""Trees of bodies: what they refuse, and what is made from them."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from robotix.errors import BadFile, BadModel, UnknownName
from robotix.geometry import Pose
from robotix.model import (
    Body,
    ControlPoint,
    Joint,
    Mimic,
    Model,
    PathSegment,
    PlanarPath,
    make_u_rail,
    merge_models,
)
from robotix.model.robots import load


def two_links() -> Model:
    base = Body("base", Joint("mount"), mass=2.0)
    upper = Body("upper", Joint("shoulder", "revolute", lower=-1, upper=2), "base", mass=1.0)
    lower = Body("lower", Joint("elbow", "revolute"), "upper", Pose.at(1, 0, 0), mass=0.5)
    hand = ControlPoint("lower", Pose.at(0.5, 0, 0))
    return Model("two_links", (lower, upper, base), points={"hand": hand}, tip="hand")


def test_bodies_are_listed_parents_first_whatever_the_order() -> None:
    assert [body.name for body in two_links().bodies] == ["base", "upper", "lower"]


def test_neutral_is_the_posture_nearest_to_zero_inside_the_limits() -> None:
    joint = Joint("j", "prismatic", lower=0.2, upper=0.5)
    assert Model("m", (Body("b", joint),)).neutral.tolist() == [0.2]


@pytest.mark.parametrize(
    ("bodies", "words"),
    [
        ((), "no bodies"),
        ((Body("a", Joint("j")), Body("a", Joint("k"))), "occurs twice"),
        ((Body("a", Joint("j")), Body("b", Joint("j"), "a")), "joint .j.: occurs"),
        ((Body("a", Joint("j"), "ghost"),), "unknown body 'ghost'"),
        ((Body("a", Joint("j"), "b"), Body("b", Joint("k"), "a")), "closed loop"),
        (
            (Body("a", Joint("j", "revolute")), Body("b", Joint("k", "floating"), "a")),
            "only a root may",
        ),
        ((Body("a", Joint("j", "revolute", mimic=Mimic("ghost"))),), "mimics unknown joint"),
    ],
)
def test_what_is_no_tree_is_refused(bodies: tuple[Body, ...], words: str) -> None:
    with pytest.raises(BadModel, match=words):
        Model("m", bodies)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Joint(""), "empty name"),
        (lambda: Joint("j", "revolute", np.zeros(3)), "no direction"),
        (lambda: Joint("j", "revolute", np.array([1, math.nan, 0])), "finite"),
        (lambda: Joint("j", "revolute", lower=1, upper=0), "not an interval"),
        (lambda: Joint("j", "revolute", lower=math.nan), "\\[nan, inf\\]"),
        (lambda: Joint("j", "revolute", velocity=-1), "velocity limit"),
        (lambda: Joint("j", "path"), "needs a path"),
        (lambda: Joint("j", "fixed", mimic=Mimic("k")), "cannot mimic"),
        (lambda: Joint("j", "spiral"), "unknown kind"),  # type: ignore[arg-type]
        (lambda: Body("b", Joint("j"), mass=-1), "mass"),
        (lambda: Body("b", Joint("j"), com=np.array([0, 0, math.inf])), "centre of mass"),
        (lambda: Body("b", Joint("j"), inertia=-np.eye(3)), "positive semidefinite"),
        (lambda: Body("b", Joint("j"), inertia=np.triu(np.ones((3, 3)))), "not symmetric"),
    ],
)
def test_impossible_parts_are_refused(make: object, words: str) -> None:
    with pytest.raises(BadModel, match=words):
        make()  # type: ignore[operator]


def test_an_unknown_name_suggests_the_nearest() -> None:
    model = two_links()
    for look_up in (model.body, model.point, model.dof_index):
        with pytest.raises(UnknownName, match="did you mean"):
            look_up("elbwo" if look_up == model.dof_index else "uper")


def test_errors_survive_pickle() -> None:
    for error in (
        UnknownName("robot", "kuka", ("kuka_lwr",)),
        BadModel("joint 'a'", "is odd"),
        BadFile("a.urdf", "x", "y", line=3, column=4),
    ):
        copy = pickle.loads(pickle.dumps(error))
        assert str(copy) == str(error) and type(copy) is type(error)


def test_a_payload_adds_its_mass_where_the_tip_is() -> None:
    model = two_links().with_payload("cup", 0.4)
    assert model.mass == pytest.approx(3.9)
    assert model.body("cup").placement.translation.tolist() == [0.5, 0, 0]
    assert model.without("cup").mass == pytest.approx(3.5)
    assert model.tip == "hand"


def test_what_carries_the_tip_cannot_be_taken_away() -> None:
    with pytest.raises(BadModel, match="carries the tip"):
        two_links().without("upper")


def test_a_tool_is_a_model_attached_to_another() -> None:
    finger = Body("finger", Joint("grip", "prismatic", lower=0, upper=0.1), "palm")
    gripper = Model("gripper", (Body("palm", Joint("palm_mount")), finger), tip="finger")
    arm = two_links().attached(gripper)
    assert arm.dof_names == ("shoulder", "elbow", "grip")
    assert arm.tip == "finger"
    assert [body.name for body in arm.chain()] == ["base", "upper", "lower", "palm", "finger"]


def test_several_robots_make_one_model() -> None:
    kuka = load("kuka_lwr")
    pair = merge_models("pair", {"left": (kuka, Pose.at(0, 0.5, 0)), "right": (kuka, Pose())})
    assert pair.n_dof == 14
    assert pair.mass == pytest.approx(2 * kuka.mass)
    assert pair.dof_names[0] == "left/A1"
    assert pair.chain("right/flange")[0].name == "world"


def test_a_joint_can_be_given_other_limits() -> None:
    model = two_links().with_joint(Joint("elbow", "revolute", lower=-0.1, upper=0.1))
    assert model.upper.tolist() == [2.0, 0.1]
    with pytest.raises(UnknownName):
        model.with_joint(Joint("knee"))


def test_a_mimicking_joint_adds_no_coordinate() -> None:
    left = Body("left", Joint("left", "prismatic"), "palm")
    right = Body("right", Joint("right", "prismatic", mimic=Mimic("left", -1.0)), "palm")
    model = Model("gripper", (Body("palm", Joint("mount")), left, right))
    assert model.dof_names == ("left",)
    assert model.dof_start[-1] == 0


class TestPaths:
    def test_an_arc_closes_a_circle(self) -> None:
        circle = PlanarPath((PathSegment(2 * math.pi * 0.3, 1 / 0.3),))
        x, y, angle, curvature = circle.at(circle.length)
        np.testing.assert_allclose([x, y], 0, atol=1e-15)
        assert angle == pytest.approx(2 * math.pi, abs=1e-12)
        assert curvature == pytest.approx(1 / 0.3)

    def test_beyond_its_ends_a_path_goes_straight_on(self) -> None:
        path = PlanarPath((PathSegment(1.0, 0.5),))
        x, y, angle, _ = path.at(1.0)
        ahead = path.at(1.5)
        np.testing.assert_allclose(
            ahead, [x + 0.5 * math.cos(angle), y + 0.5 * math.sin(angle), angle, 0], atol=1e-12
        )

    def test_bad_paths_are_refused(self) -> None:
        with pytest.raises(ValueError, match="at least one segment"):
            PlanarPath(())
        with pytest.raises(ValueError, match="positive length"):
            PathSegment(-1.0)
        with pytest.raises(ValueError, match="leave no straight"):
            make_u_rail(half_width=0.2, rear_x=0, front_x=1, corner_radius=0.3, blend=0.05)
        with pytest.raises(ValueError, match="too long"):
            make_u_rail(half_width=0.4, rear_x=0, front_x=1, corner_radius=0.02, blend=0.05)
