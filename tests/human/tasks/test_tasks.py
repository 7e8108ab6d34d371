"""All whole-body tasks for all bodies of a family: balance, slip, limits, penetration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.people import SIDES, manikin
from support.performed_tasks import BODIES, check_kept, performed

from robotix.errors import UnknownName
from robotix.human import mirrored
from robotix.human.evaluation.dynamic_report import measure_dynamics
from robotix.human.evaluation.report import measure
from robotix.human.tasks.tasks import TASKS, perform, task_parameters


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
@pytest.mark.parametrize("task", TASKS)
def test_every_body_can_do_every_task(task: str, sex: str, percentile: float) -> None:
    performance = performed(task, sex, percentile)
    report = measure(performance)
    check_kept(report)
    assert report.success, report.problems
    assert report.zmp_outside <= 0.01
    assert report.cop_margin is None or report.cop_margin > -0.02
    model = performance.manikin.model
    breaches = performance.motion.limit_breaches(model)
    assert not [breach for breach in breaches if breach.what == "velocity"]


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
@pytest.mark.parametrize("task", TASKS)
def test_physics_allows_it(task: str, sex: str, percentile: float) -> None:
    report = measure_dynamics(performed(task, sex, percentile))
    assert report.zmp_outside <= 0.01
    assert report.infeasible <= 0.01
    assert report.acceleration_ratio <= 1.0
    assert report.self_penetration <= 0.005, report.self_pair


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
    assert report.limit_violation == 0
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
    performance = perform(task, body, style=style, parameters={"load": load})
    check_kept(measure(performance))  # thick bodies may still overlap with themselves
    assert not performance.shortfalls
