"""The performer: balance, still feet, limits, loads, styles, and giving up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.people import SIDES, manikin

from robotix.errors import UnknownName
from robotix.geometry import Array, Box, Capsule, Pose
from robotix.human.evaluation.report import MAX_SLIP, measure
from robotix.human.motion.actions import (
    SIDEWAYS,
    adopt,
    after,
    grasp,
    move_goal,
    reach,
    shift_weight,
    together,
    wait,
)
from robotix.human.motion.balance import braced, margin_inside, polygon_of, stance_centre
from robotix.human.motion.curves import translated
from robotix.human.motion.goals import FOOT_TOLERANCE, hold_hand, loosen
from robotix.human.motion.loads import Load, model_with_loads
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import Infeasible, Performer, Shortfall
from robotix.human.motion.scenario import Scenario, run_scenario, standing
from robotix.human.motion.styles import NATURAL, STYLES, posture_of, style_named
from robotix.kinematics import Posture


def person_of(sex: str = "m", **options: float) -> Performer:
    return standing(manikin(sex, **options), style=NATURAL)


@pytest.fixture(scope="module")
def stander() -> Performer:
    return person_of()


# -- standing -----------------------------------------------------------------------------------


def test_a_stander_is_in_balance_with_unlocked_knees(stander: Performer) -> None:
    feet = polygon_of(stander, "right_foot", "left_foot")
    assert margin_inside(stander, feet) > 0.05
    np.testing.assert_allclose(stander.posture().com[:2], stance_centre(stander), atol=1e-4)
    q, model = stander.q, stander.model
    for side in SIDES:
        assert np.degrees(q[model.dof_index(f"{side}_knee_flexion")]) > 4.0 - 1e-9
        np.testing.assert_allclose(stander.posture().position(f"{side}_foot")[2], 0, atol=1e-6)
    assert not stander.shortfalls


def test_waiting_changes_nothing(stander: Performer) -> None:
    person = person_of()
    performance = run_scenario(Scenario(person, wait(person, 0.5), Environment()), task="wait")
    motion = performance.motion
    assert abs(np.diff(motion.q, axis=0)).max() < 1e-3
    assert measure(performance).success


def test_unknown_goals_are_named(stander: Performer) -> None:
    with pytest.raises(UnknownName, match="right_foot"):
        stander.goal("rigt_foot")
    assert stander.has_goal("balance") and not stander.has_goal("right_hand")


# -- loads --------------------------------------------------------------------------------------


def test_a_load_counts_from_the_moment_it_is_taken() -> None:
    person = person_of()
    before = person.posture().com
    box = Load("box", 20.0, ("right", "left"), Box(np.array([0.3, 0.3, 0.3])))
    hands = np.mean([person.posture().position(f"{side}_hand") for side in SIDES], axis=0)
    person.take_load(box)
    mass = person.manikin.model.mass
    expected = (mass * before + 20.0 * hands) / (mass + 20.0)
    np.testing.assert_allclose(person.posture().com, expected, atol=1e-12)
    assert person.model.mass == pytest.approx(mass + 20.0)
    np.testing.assert_allclose(person.goal("balance").position[:2], expected[:2], atol=1e-12)
    person.release_load("box")
    np.testing.assert_allclose(person.posture().com, before, atol=1e-12)
    assert person.load_phases[0].load is box


def test_bracing_puts_both_mass_centres_evenly_about_the_stance(stander: Performer) -> None:
    box = Load("box", 20.0, ("right", "left"), Box(np.array([0.3, 0.3, 0.3])))
    place, mass = np.array([0.4, 0.05, 0.2]), stander.manikin.model.mass
    without = braced(stander, box, place)
    laden = (mass * without + 20.0 * place[:2]) / (mass + 20.0)
    np.testing.assert_allclose((without + laden) / 2, stance_centre(stander), atol=1e-9)


def test_weightless_loads_leave_the_model_alone(stander: Performer) -> None:
    model = stander.manikin.model
    assert model_with_loads(model, [Load("air", 0.0, ("right",), Box(np.ones(3)))]) is model


# -- giving up ----------------------------------------------------------------------------------


def test_what_is_out_of_reach_ends_in_a_report() -> None:
    person = person_of()
    loosen(person)
    target = np.array([1.8, 0.0, 1.2])
    script = reach(person, "right", to=target, seconds=1.2)
    performance = run_scenario(Scenario(person, script, Environment()), task="reach")
    (shortfall,) = performance.shortfalls
    assert shortfall.what == "right_hand" and 0.2 < shortfall.missing < 1.2
    report = measure(performance)
    assert not report.success and "right_hand falls short by" in report.problems[0]
    assert report.com_margin > 0 and report.limit_violation == 0 and report.foot_slip < 1e-3
    assert "cm" in str(Shortfall("x", 1.0, 0.5))


def test_a_load_that_would_throw_one_over_is_not_taken() -> None:
    person = person_of("f", percentile=5.0)
    box = Load("anvil", 300.0, ("right", "left"), Box(np.array([0.3, 0.3, 0.3])))
    hands = np.mean([person.posture().position(f"{side}_hand") for side in SIDES], axis=0)
    ahead = translated(hands, x=0.15)
    moving = [
        reach(person, side, to=translated(person.posture().position(f"{side}_hand"), x=0.15))
        for side in SIDES
    ]

    def script() -> object:
        yield from together(*moving)
        yield from grasp(person, box, at=ahead)

    performance = run_scenario(Scenario(person, script(), Environment()), task="take")  # type: ignore[arg-type]
    assert "balance with anvil" in performance.shortfalls[0].what
    assert not performance.loads


def test_goals_are_checked_while_ticking() -> None:
    person = person_of()
    person.goal("balance").position[0] += 0.6
    with pytest.raises(Infeasible):
        for _ in range(100):
            person.tick()
    model = person.manikin.model
    assert ((person.q >= model.lower) & (person.q <= model.upper)).all()


# -- random bodies and goals --------------------------------------------------------------------


@settings(max_examples=12)
@given(
    sex=st.sampled_from(["f", "m"]),
    stature=st.floats(1.45, 2.0),
    build=st.floats(18.5, 38.0),
    place=st.tuples(st.floats(-0.1, 0.5), st.floats(-0.5, 0.3), st.floats(0.25, 1.1)),
)
def test_any_body_reaching_anywhere_stays_whole(
    sex: str, stature: float, build: float, place: tuple[float, float, float]
) -> None:
    person = person_of(sex, stature=stature, mass=build * stature**2)
    loosen(person)
    target = np.array(place) * stature
    script = together(
        reach(person, "right", to=target, seconds=1.2, palm=SIDEWAYS),
        after(person, 0.2, shift_weight(person, seconds=0.5)),
        wait(person, 1.6),
    )
    performance = run_scenario(Scenario(person, script, Environment()), task="reach")
    report = measure(performance)
    assert report.com_margin > 0
    assert report.foot_slip < FOOT_TOLERANCE  # beyond, the performer gives up
    assert report.foot_slip < MAX_SLIP or any("a contact slips" in p for p in report.problems)
    assert report.limit_violation == 0
    if not performance.shortfalls:
        end = Posture(person.manikin.model, performance.motion.q[-1]).position("right_hand")
        assert np.linalg.norm(end - target) < 0.025  # else it would have given up


# -- styles -------------------------------------------------------------------------------------


def bent(name: str) -> tuple[Array, Array]:
    """Return the posture with both hands at one place near the floor, and where the hands are."""
    person = standing(manikin(), style=style_named(name))
    loosen(person)
    for side in SIDES:
        hold_hand(person, side, person.posture().position(f"{side}_hand"))
    for _ in together(
        move_goal(person, "right_hand", through=[(0.42, -0.2, 0.2)], seconds=1.6),
        move_goal(person, "left_hand", through=[(0.42, 0.2, 0.2)], seconds=1.6),
        adopt(person, person.style.bent, seconds=1.6),
        wait(person, 2.2),
    ):
        person.tick()
    posture = person.posture()
    return person.q.copy(), np.array([posture.position(f"{side}_hand") for side in SIDES])


def test_styles_bend_differently_for_the_same_hand_path() -> None:
    model = manikin().model
    knee, spine = model.dof_index("right_knee_flexion"), model.dof_index("L5S1_flexion")
    postures = {name: bent(name) for name in STYLES}
    hands = np.array([places for _, places in postures.values()])
    assert abs(hands - hands[0]).max() < 2e-3
    knees = {name: np.degrees(q[knee]) for name, (q, _) in postures.items()}
    backs = {name: np.degrees(q[spine]) for name, (q, _) in postures.items()}
    assert knees["stoop"] < 25 < 50 < knees["natural"] < knees["squat"]
    assert backs["squat"] < backs["natural"] < backs["stoop"]


def test_an_unknown_style_is_named() -> None:
    with pytest.raises(UnknownName, match="stoop"):
        style_named("stop")
    with pytest.raises(UnknownName):
        posture_of(manikin(), {"kne_flexion": 10})


# -- obstacles ----------------------------------------------------------------------------------


def test_what_is_to_be_avoided_is_not_touched() -> None:
    person = person_of()
    loosen(person)
    post = Capsule(0.05, 1.0, Pose.at(0.3, -0.25, 1.0))
    person.avoid({"post": post}, distance=0.01)
    start = person.posture().position("right_hand")
    script = reach(person, "right", to=translated(start, x=0.35, z=0.2), seconds=1.2)
    performance = run_scenario(Scenario(person, script, Environment({"post": post})), task="reach")
    assert measure(performance).penetration < 1e-3
