"""Criteria: every gradient is the slope of its value, higher is better, and the loop obeys."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.every_joint import every_joint, model_makers, planar_2r
from support.library_arms import ARMS

import robotix.kinematics
from robotix.geometry import Array, Pose, Sphere
from robotix.kinematics import Clearance, ObstacleDistance
from robotix.kinematics.criteria import (
    CriterionTerm,
    HoldingEffort,
    LimitDistance,
    PotentialEnergy,
    ReferencePosture,
    SideCriterion,
    WeightedSum,
    step_length_bounds,
    weighted_sum,
)
from robotix.kinematics.dexterity_criteria import (
    DirectionalManipulability,
    EllipsoidVolume,
    Isotropy,
    Manipulability,
)
from robotix.kinematics.obstacles.obstacle import Obstacle
from robotix.kinematics.posture import Posture
from robotix.kinematics.solver import Solver
from robotix.kinematics.tasks import PointTask
from robotix.model import Joint, Model
from robotix.model.robots import load

MODELS = {name: make for name, make in model_makers().items() if "amtec" not in name}


def draw_to_random(model: Model) -> SideCriterion:
    rng = np.random.default_rng(9)
    weights = rng.uniform(0.5, 2.0, model.n_dof)
    return ReferencePosture(rng.uniform(-1, 1, model.n_dof), weights)


def sum_of_three(model: Model) -> SideCriterion:
    return WeightedSum(
        (
            CriterionTerm(Manipulability(part="x y"), 0.5, worst=0.0, best=0.3),
            CriterionTerm(LimitDistance(), 2.0, worst=-1.0, best=0.0),
            CriterionTerm(PotentialEnergy(), 0.1, worst=-50.0, best=50.0),
        )
    )


def ball_in_sight(model: Model) -> SideCriterion:
    """Return the distance to a ball, of a model whose bodies are balls too: it has no kinks."""
    ball = Sphere(0.1, Pose(translation=np.array([2.0, -3.0, 4.0])))
    solid = Sphere(0.05, Pose(translation=np.array([0.1, 0.02, -0.05])))
    bodies = [replace(body, collision=(solid,)) for body in model.bodies]
    balls = Model(model.name, tuple(bodies), model.points, model.tip, gravity=model.gravity)
    return ObstacleDistance(Clearance(balls, {"ball": Obstacle(ball)}, influence=50.0))


def ball_at_the_elbow() -> SideCriterion:
    posture = make_posture("kuka_lwr")
    ball = Sphere(0.05, Pose(translation=posture.position("elbow") + np.array([0.2, 0.1, 0.0])))
    return ObstacleDistance(Clearance(posture.model, {"ball": Obstacle(ball)}, influence=1.0))


# A new criterion is one more line here, and is tested at once.
CRITERIA: dict[str, Callable[[Model], SideCriterion]] = {
    "manipulability": lambda model: Manipulability(),
    "manipulability of a body": lambda model: Manipulability(model.bodies[-1].name, "x y"),
    "turning manipulability": lambda model: Manipulability(part="angular"),
    "volume": lambda model: EllipsoidVolume(),
    "volume of all": lambda model: EllipsoidVolume(part="both"),
    "isotropy": lambda model: Isotropy(),
    "isotropy in the plane": lambda model: Isotropy(part="x y"),
    "directional": lambda model: DirectionalManipulability(),
    "directional turning": lambda model: DirectionalManipulability(part="rx rz"),
    "one direction": lambda model: DirectionalManipulability(part="x"),
    "limits": lambda model: LimitDistance(),
    "reference": draw_to_random,
    "effort": lambda model: HoldingEffort(),
    "energy": lambda model: PotentialEnergy(),
    "obstacles": ball_in_sight,
    "sum": sum_of_three,
}


def make_posture(name: str) -> Posture:
    model = MODELS[name]()
    return Posture(model, np.random.default_rng(3).uniform(0.1, 1.2, model.n_dof))


def slope(criterion: SideCriterion, posture: Posture) -> Array:
    """Return the gradient by central differences of fourth order."""
    h, out = 1e-3, []
    for e in np.eye(posture.model.n_dof):
        a, b, c, d = (criterion.value(posture.moved(k * h * e)) for k in (-2, -1, 1, 2))
        out.append((a - 8 * b + 8 * c - d) / (12 * h))
    return np.array(out)


def test_the_contract_covers_every_criterion_that_is_exported() -> None:
    exported = [getattr(robotix.kinematics, name) for name in robotix.kinematics.__all__]
    kinds = {
        kind for kind in exported if isinstance(kind, type) and issubclass(kind, SideCriterion)
    }
    tested = {type(make(load("panda"))) for make in CRITERIA.values()}
    assert tested == kinds - {SideCriterion} | {WeightedSum}  # which `weighted_sum` makes


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("which", CRITERIA)
def test_gradient_is_the_slope_of_the_value(which: str, name: str) -> None:
    posture = make_posture(name)
    criterion = CRITERIA[which](posture.model)
    gradient = criterion.gradient(posture)
    rounding = 1e-11 * max(1.0, abs(criterion.value(posture)))
    within = 1e-6 * float(np.linalg.norm(gradient)) + rounding
    np.testing.assert_allclose(gradient, slope(criterion, posture), rtol=0, atol=within)


@pytest.mark.parametrize("which", CRITERIA)
def test_the_velocity_is_the_gradient_times_the_gain(which: str) -> None:
    posture = make_posture("kuka_lwr")
    criterion = CRITERIA[which](posture.model)
    np.testing.assert_array_equal(criterion(posture), criterion.gradient(posture))
    strong = EllipsoidVolume(gain=2.5)
    np.testing.assert_allclose(strong(posture), 2.5 * strong.gradient(posture))


@pytest.mark.parametrize("name", ARMS)
def test_singular_postures_give_finite_velocities(name: str) -> None:
    model = load(name)
    for q in (np.zeros(model.n_dof), np.full(model.n_dof, math.pi / 2), model.lower):
        posture = Posture(model, np.where(np.isfinite(q), q, 0.0))
        for make in CRITERIA.values():
            assert math.isfinite(make(model).value(posture))
            assert np.isfinite(make(model)(posture)).all()


@given(q2=st.floats(-3.1, 3.1))
def test_two_links_in_closed_form(q2: float) -> None:
    posture = Posture(planar_2r((0.5, 0.3)), [0.4, q2])
    up = math.copysign(1.0, math.sin(q2))
    gradient = Manipulability(part="x y").gradient(posture)
    expected = 0.15 * math.cos(q2) * up
    if abs(math.sin(q2)) > 1e-6:
        np.testing.assert_allclose(gradient, [0.0, expected], atol=1e-9)
    else:  # stretched: one side or the other
        assert abs(gradient[1]) == pytest.approx(0.15)


# -- one by one -----------------------------------------------------------------------------


def test_limits_push_to_the_middle() -> None:
    model = planar_2r().with_joint(Joint("two", "revolute", lower=-1.0, upper=3.0))
    middle, end = Posture(model, [0.7, 1.0]), Posture(model, [0.7, 3.0])
    assert LimitDistance().value(middle) == 0.0
    assert LimitDistance().value(end) == -0.5  # joint one has no limits and does not count
    np.testing.assert_allclose(LimitDistance().gradient(end), [0.0, -0.5])
    free = Posture(planar_2r(), [0.1, 0.2])
    assert LimitDistance().value(free) == 0.0
    np.testing.assert_array_equal(LimitDistance()(free), 0.0)


def test_a_joint_that_cannot_move_has_no_middle() -> None:
    model = planar_2r().with_joint(Joint("two", "revolute", lower=1.0, upper=1.0))
    np.testing.assert_array_equal(LimitDistance()(Posture(model, [0.0, 2.0])), 0.0)


def test_a_floating_root_is_drawn_straight_to_its_reference() -> None:
    model = every_joint(np.random.default_rng(0))
    rng = np.random.default_rng(1)
    target = rng.uniform(-1, 1, model.n_dof)
    posture = Posture(model, rng.uniform(-1, 1, model.n_dof))
    criterion = ReferencePosture(target)
    np.testing.assert_allclose(criterion(posture), posture.velocity_to(target), atol=1e-12)
    there = posture.moved(criterion(posture))
    assert criterion.value(there) == pytest.approx(0.0, abs=1e-25)


def test_references_must_fit() -> None:
    with pytest.raises(ValueError, match="kuka_lwr has 7 joints, the reference 3"):
        ReferencePosture(np.zeros(3)).value(make_posture("kuka_lwr"))
    with pytest.raises(ValueError, match="target must be one finite number"):
        ReferencePosture(np.array([0.0, math.nan]))
    for weights in ([1.0], [1.0, -1.0], [1.0, math.inf]):
        with pytest.raises(ValueError, match="weights must be finite"):
            ReferencePosture(np.zeros(2), np.array(weights))


def test_effort_is_a_share_of_what_the_motors_can() -> None:
    flat = planar_2r(masses=(1.0, 2.0))
    upright = Model(flat.name, flat.bodies, flat.points, flat.tip, gravity=np.array([0, -9.81, 0]))
    posture = Posture(upright, [0.0, 0.0])
    torques = np.array([1.0 * 0.5 + 2.0 * 0.8, 2.0 * 0.3]) * 9.81
    assert HoldingEffort().value(posture) == pytest.approx(-0.5 * torques @ torques)
    motor = Joint("two", "revolute", effort=20.0)
    half_known = Posture(upright.with_joint(motor), [0.0, 0.0])
    assert HoldingEffort().value(half_known) == pytest.approx(-0.5 * (torques[1] / 20) ** 2)
    no_motor = Posture(upright.with_joint(Joint("two", "revolute", effort=0.0)), [0.0, 0.0])
    assert HoldingEffort().value(no_motor) == pytest.approx(-0.5 * torques[0] ** 2)


def test_arms_without_mass_have_nothing_to_hold() -> None:
    posture = Posture(planar_2r(), [0.3, 0.4])
    for criterion in (HoldingEffort(), PotentialEnergy()):
        assert criterion.value(posture) == 0.0
        np.testing.assert_array_equal(criterion(posture), 0.0)


@pytest.mark.parametrize("gain", [-1.0, math.nan, math.inf])
def test_gains_must_be_sensible(gain: float) -> None:
    with pytest.raises(ValueError, match="gain must be finite"):
        Manipulability(gain=gain)


def test_parts_are_checked_at_once() -> None:
    with pytest.raises(ValueError, match="part is 'linear'"):
        Isotropy(part="up")


def test_obstacles_beyond_the_influence_do_not_matter() -> None:
    posture = make_posture("kuka_lwr")
    far = Obstacle(Sphere(0.1, Pose(translation=np.array([9.0, 0.0, 0.0]))))
    criterion = ObstacleDistance(Clearance(posture.model, {"far": far}, influence=0.2))
    assert criterion.value(posture) == 0.2
    np.testing.assert_array_equal(criterion(posture), 0.0)


def test_the_distance_to_an_obstacle_is_what_is_left_of_the_one_to_keep() -> None:
    posture = Posture(planar_2r(), [0.0, 0.0])
    bodies = [replace(body, collision=(Sphere(0.05),)) for body in posture.model.bodies]
    model = Model("balls", tuple(bodies))
    ball = Obstacle(Sphere(0.1, Pose(translation=np.array([0.5, 0.4, 0.0]))), distance=0.2)
    criterion = ObstacleDistance(Clearance(model, {"ball": ball}))
    at = Posture(model, [0.0, 0.0])
    assert criterion.value(at) == pytest.approx(0.4 - 0.05 - 0.1 - 0.2)
    np.testing.assert_allclose(criterion.gradient(at), [-0.5, 0.0], atol=1e-12)


# -- sums -----------------------------------------------------------------------------------


def test_terms_of_a_sum_are_alike_in_size() -> None:
    model = load("kuka_lwr")
    criteria = [Manipulability(), HoldingEffort(), LimitDistance()]
    total = weighted_sum(
        model, [(criterion, 1.0) for criterion in criteria], rng=np.random.default_rng(0)
    )
    rng = np.random.default_rng(1)
    for term in total.terms:
        postures = [Posture(model, rng.uniform(model.lower, model.upper)) for _ in range(50)]
        scaled = [WeightedSum((term,)).value(posture) for posture in postures]
        assert -0.3 < min(scaled) < max(scaled) < 1.3
        assert max(scaled) - min(scaled) > 0.3
    posture = make_posture("kuka_lwr")
    parts = [
        term.weight / (term.best - term.worst) * term.criterion(posture) for term in total.terms
    ]
    np.testing.assert_allclose(total(posture), np.sum(parts, axis=0))


def test_the_same_generator_gives_the_same_sum() -> None:
    model = load("planar_3r")
    one, other = (
        weighted_sum(model, [(Isotropy(part="x y"), 2.0)], rng=np.random.default_rng(4), samples=20)
        for _ in range(2)
    )
    assert one.terms[0].best == other.terms[0].best
    assert one.terms[0].weight == 2.0


def test_what_never_changes_is_not_blown_up() -> None:
    total = weighted_sum(
        load("planar_3r"), [(Manipulability(), 1.0)], rng=np.random.default_rng(0), samples=10
    )
    assert (total.terms[0].worst, total.terms[0].best) == (0.0, 1.0)


def test_scales_must_not_be_upside_down() -> None:
    with pytest.raises(ValueError, match="best must lie above worst"):
        CriterionTerm(LimitDistance(), worst=1.0, best=1.0)
    with pytest.raises(ValueError, match="weight must be finite"):
        CriterionTerm(LimitDistance(), -1.0)


# -- in the loop ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda: Manipulability(gain=5.0),
        lambda: Isotropy(gain=5.0),
        lambda: LimitDistance(gain=5.0),
        lambda: HoldingEffort(gain=200.0),
        ball_at_the_elbow,
    ],
    ids=["manipulability", "isotropy", "limits", "effort", "obstacles"],
)
def test_a_redundant_arm_climbs_while_its_tip_stays(make: Callable[[], SideCriterion]) -> None:
    criterion = make()
    start = make_posture("kuka_lwr")
    task = PointTask(None, start.position())
    solver = Solver(start.model, [task], dt=0.01, method="strict", criterion=criterion)
    solver.q[:] = start.q
    for _ in range(150):
        assert solver.tick() == "solved"
    end = Posture(start.model, solver.q)
    before, after = criterion.value(start), criterion.value(end)
    assert after > before + 0.05 * abs(before)
    np.testing.assert_allclose(end.position(), start.position(), atol=1e-3)


# -- step length ----------------------------------------------------------------------------

RATES = arrays(float, 4, elements=st.floats(-3, 3).map(lambda x: round(x, 3)))


@given(p=RATES, h=RATES)
def test_every_step_length_inside_keeps_the_rates(p: Array, h: Array) -> None:
    low, high = step_length_bounds(p, h, lower=-np.full(4, 2.0), upper=np.full(4, 1.0))
    for alpha in np.linspace(max(low, -1e6), min(high, 1e6), 5) if low <= high else ():
        dq = p + alpha * h
        assert (dq > -2 - 1e-6).all()
        assert (dq < 1 + 1e-6).all()
    for alpha in (-1e4, -1.0, -0.1, 0.0, 0.1, 1.0, 1e4):
        is_kept = bool(((p + alpha * h >= -2) & (p + alpha * h <= 1)).all())
        assert is_kept <= (low - 1e-9 <= alpha <= high + 1e-9)


def test_step_lengths_as_in_the_formula() -> None:
    low, high = step_length_bounds([0.5, -0.5], [1.0, -2.0], lower=[-1, -1], upper=[1, 1])
    assert (low, high) == (-0.75, 0.25)  # joint one: −1.5 to 0.5, joint two: −0.75 to 0.25


def test_joints_that_the_step_leaves_alone() -> None:
    limits = {"lower": [-1.0, -1.0], "upper": [1.0, 1.0]}
    assert step_length_bounds([0.0, 0.5], [1.0, 0.0], **limits) == (-1.0, 1.0)
    assert step_length_bounds([0.0, 0.0], [0.0, -0.0], **limits) == (-math.inf, math.inf)
    low, high = step_length_bounds([0.0, 2.0], [1.0, 0.0], **limits)  # already too fast
    assert low > high


def test_limits_that_cannot_be_kept_together() -> None:
    low, high = step_length_bounds([3.0, 0.0], [1.0, 1.0], lower=[-1, -1], upper=[1, 1])
    assert (low, high) == (-1.0, -2.0)


def test_step_lengths_without_limits_or_joints() -> None:
    free = step_length_bounds([1.0], [2.0], lower=-math.inf, upper=math.inf)
    assert free == (-math.inf, math.inf)
    assert step_length_bounds([], [], lower=[], upper=[]) == (-math.inf, math.inf)
    low, high = step_length_bounds([1.0], [1e-320], lower=-2.0, upper=1.0)
    assert (low, high) == (-math.inf, 0.0)


def test_step_lengths_of_nonsense_are_refused() -> None:
    with pytest.raises(ValueError, match="velocities must be finite"):
        step_length_bounds([math.nan], [1.0], lower=-1.0, upper=1.0)
    with pytest.raises(ValueError, match="not above upper"):
        step_length_bounds([0.0], [1.0], lower=1.0, upper=-1.0)
