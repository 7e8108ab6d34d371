"""Every whole-body task, for every body of the family: in balance, still feet, whole, clear."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.people import SIDES, manikin

from robotix.errors import UnknownName
from robotix.human import GROUPS, mirrored
from robotix.human.evaluation.report import Report, measure
from robotix.human.motion.performance import Performance
from robotix.human.tasks.tasks import TASKS, perform, task_parameters
from robotix.kinematics.batch import forward_batch

BODIES = [(sex, percentile) for sex in "fm" for percentile in (5.0, 50.0, 95.0)]


@cache
def performed(task: str, sex: str = "m", percentile: float = 50.0) -> Performance:
    return perform(task, manikin(sex, percentile=percentile))


def check_kept(report: Report) -> None:
    """What every performance keeps, whether it succeeds or not."""
    assert report.com_margin > 0, report
    assert report.foot_slip < 1e-3, report
    assert report.limit_violation == 0, report
    assert report.penetration < 1e-3, report


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
@pytest.mark.parametrize("task", TASKS)
def test_every_body_can_do_every_task(task: str, sex: str, percentile: float) -> None:
    performance = performed(task, sex, percentile)
    report = measure(performance)
    check_kept(report)
    assert report.success, report.problems
    assert report.com_margin > 0.01
    model = performance.manikin.model
    breaches = performance.motion.limit_breaches(model)
    assert not [breach for breach in breaches if breach.what == "velocity"]


@pytest.mark.parametrize("task", TASKS)
def test_knees_are_never_locked(task: str) -> None:
    performance = performed(task)
    for side in SIDES:
        knee = performance.manikin.model.dof_index(f"{side}_knee_flexion")
        assert np.degrees(performance.motion.q[:, knee].min()) > 3.9


@pytest.mark.parametrize("task", ["stand_up", "sit_down", "stand_up_at_table", "lift"])
def test_what_is_symmetric_is_done_symmetrically(task: str) -> None:
    performance = performed(task)
    end = performance.row_at(2.0)
    for q in performance.motion.q[:end]:
        np.testing.assert_allclose(mirrored(q), q, atol=1e-4)


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
@pytest.mark.parametrize(
    ("task", "most"), [("stand_up", 45), ("sit_down", 45), ("stand_up_at_table", 52)]
)
def test_who_rises_or_sits_down_leans_as_people_do(
    task: str, most: float, sex: str, percentile: float
) -> None:
    performance = performed(task, sex, percentile)
    model, q, centres = performance.manikin.model, performance.motion.q, performance.manikin.centres
    trunk = forward_batch(model, q, point=centres["neck"])[0]
    trunk -= forward_batch(model, q, point=centres["l5s1"])[0]
    assert 30 < np.degrees(np.arctan2(trunk[:, 0], trunk[:, 2])).max() < most


@pytest.mark.parametrize(("load", "is_on_toes"), [(8.0, True), (25.0, False)])
def test_who_squats_raises_the_heels_unless_the_load_is_too_heavy(
    load: float, is_on_toes: bool
) -> None:
    performance = perform("lift", manikin(), style="squat", parameters={"load": load})
    report = measure(performance)
    check_kept(report)
    assert report.success, report.problems
    (held,) = performance.loads
    bearing = {contact.name for contact in performance.span_at(held.start).contacts}
    assert bearing == {f"{side}_{'toes' if is_on_toes else 'foot'}" for side in SIDES}
    end = {contact.name for contact in performance.span_at(performance.motion.duration).contacts}
    assert end == {f"{side}_foot" for side in SIDES}


def test_a_walk_repeats_itself_mirrored() -> None:
    performance = performed("walk")
    landings = [p.start for p in performance.contacts if p.contact.name.endswith("foot")]
    first, second = sorted(landings)[4:6]  # the steps in the middle
    period = performance.row_at(second) - performance.row_at(first)
    row = performance.row_at(first)
    joints = slice(GROUPS["right_leg"].start, None)
    for k in range(period):
        here, there = performance.motion.q[[row + k, row + k + period]]
        np.testing.assert_allclose(mirrored(here)[joints], there[joints], atol=0.03)


def test_arms_swing_against_the_legs() -> None:
    performance = performed("walk")
    model, q = performance.manikin.model, performance.motion.q
    left = forward_batch(model, q, point="left_foot")[0][:, 0]
    right = forward_batch(model, q, point="right_foot")[0][:, 0]
    arm = q[:, model.dof_index("right_shoulder_flexion")]
    assert np.corrcoef(left - right, arm)[0, 1] > 0.8
    assert np.degrees(np.ptp(arm)) > 20


def test_a_walk_gets_there_with_a_steady_pelvis() -> None:
    performance = performed("walk")
    pelvis = forward_batch(performance.manikin.model, performance.motion.q, point="pelvis")[0]
    assert pelvis[-1, 0] - pelvis[0, 0] == pytest.approx(2.0, abs=0.02)
    assert np.ptp(pelvis[:, 2]) < 0.05


def test_the_hole_is_walked_around() -> None:
    performance = performed("walk_around_hole")
    (hole,) = performance.environment.holes
    feet = [forward_batch(performance.manikin.model, performance.motion.q, point=f"{side}_foot")[0]
            for side in SIDES]  # fmt: skip
    assert hole.gap(np.vstack(feet)) > 0.02
    assert max(abs(foot[:, 1]).max() for foot in feet) > hole.radius


def test_the_box_ends_on_the_table() -> None:
    performance = performed("lift")
    (phase,) = performance.loads
    positions, rotations = performance.load_poses("box")
    table = performance.environment.solids["table"]
    top = table.pose.translation[2] + 0.015  # half of its thickness
    assert positions[-1, 2] - phase.load.box.size[2] / 2 == pytest.approx(top, abs=2e-3)
    assert positions[0, 2] == pytest.approx(phase.load.box.size[2] / 2, abs=5e-3)
    np.testing.assert_allclose(rotations[-1], np.eye(3), atol=0.05)
    taken, put = performance.row_at(phase.start), performance.row_at(phase.end)
    assert (positions[:taken] == positions[0]).all() and (positions[put:] == positions[-1]).all()


def test_contacts_are_told_in_time() -> None:
    performance = performed("climb_stairs")
    labels = [marker.label for marker in performance.motion.markers]
    assert "right_foot leaves" in labels and "left_toes touches" in labels
    for span in performance.spans():
        assert span.contacts
    assert performance.spans()[-1].last == len(performance.motion.times) - 1


def test_the_same_call_gives_the_same_motion() -> None:
    again = perform("stand_up", manikin())
    np.testing.assert_array_equal(again.motion.q, performed("stand_up").motion.q)


# -- parameters ---------------------------------------------------------------------------------


def test_parameters_are_known_and_checked() -> None:
    assert task_parameters("lift")["load"] == 10.0
    assert task_parameters("stand_up") == {"seat_height": None}
    with pytest.raises(UnknownName, match="seat_height"):
        perform("stand_up", manikin(), parameters={"seat_heigt": 0.4})
    with pytest.raises(UnknownName, match="walk"):
        perform("wlk", manikin())
    with pytest.raises(ValueError, match="from 0 to 1000"):
        perform("lift", manikin(), parameters={"load": -3.0})
    with pytest.raises(ValueError, match="walk at least 5 m"):
        perform("walk_around_hole", manikin(), parameters={"hole_radius": 1.0})
    with pytest.raises(ValueError, match="load must be from 0 to 1000 for lift"):
        perform("lift", manikin(), parameters={"load": float("nan")})


INFEASIBLE = [
    ("stand_up", "seat_height", 1.2, "seat"),
    ("sit_down", "seat_height", 0.95, "seat"),
    ("reach", "distance", 2.0, "right_hand"),
    ("walk", "step_length", 1.2, "balance"),
    ("lift", "load", 200.0, "balance"),
    ("lift", "box_distance", 1.5, "hand"),
    ("climb_stairs", "riser", 0.6, ""),
]


@pytest.mark.parametrize(("task", "name", "value", "what"), INFEASIBLE)
def test_what_cannot_be_done_is_told(task: str, name: str, value: float, what: str) -> None:
    performance = perform(task, manikin(), parameters={name: value})
    report = measure(performance)
    assert not report.success
    assert any(what in problem for problem in report.problems)
    assert report.com_margin > 0 and report.limit_violation == 0
    shortfall = performance.shortfalls[0]
    assert shortfall.missing > 1e-3 and f"{100 * shortfall.missing:.1f} cm" in report.problems[0]


@settings(max_examples=6)
@given(
    sex=st.sampled_from(["f", "m"]),
    stature=st.floats(1.5, 1.95),
    build=st.floats(19.0, 32.0),
    load=st.floats(0.0, 15.0),
    style=st.sampled_from(["natural", "stoop", "squat"]),
    task=st.sampled_from(["lift", "reach"]),
)
def test_random_bodies_loads_and_styles(
    sex: str, stature: float, build: float, load: float, style: str, task: str
) -> None:
    body = manikin(sex, stature=stature, mass=build * stature**2)
    report = measure(perform(task, body, style=style, parameters={"load": load}))
    check_kept(report)
    assert report.success, report.problems
