"""Strength along a motion: the same as joint by joint, and silent where nothing is known."""

from __future__ import annotations

import numpy as np
import pytest
from support.assessed import assessed, assessed_posture, man, stooped

from robotix.ergonomics import Job, assess_strength, joint_strength
from robotix.ergonomics.signals.strength_series import (
    JOINT_STOP_MARGIN,
    MIN_RELATIVE_STRENGTH,
    lasting_minimum,
)


def test_it_is_the_plain_function_at_every_row() -> None:
    found = assessed("lift")
    body = found.performance.manikin.anthropometry
    for course in found.strengths:
        assert course.percent is not None  # women: only what was measured with a spread
        for row in range(0, len(found.times), 97):
            if np.isnan(course.percent[row]) or course.moment[row] == 0:
                continue
            strength = joint_strength(
                course.curve.joint,
                course.curve.direction,
                sex=body.sex,
                mass=body.mass,
                stature=body.stature,
                angle=float(course.angle[row]),
            )
            exact = assess_strength(float(course.moment[row]), strength)
            assert course.demand[row] == pytest.approx(exact.demand)
            assert course.percent[row] == pytest.approx(exact.percent_capable, abs=1e-9)


def test_men_have_trunk_and_arms_women_have_legs() -> None:
    his = {course.curve.joint for course in assessed("lift", "m").strengths}
    hers = {course.curve.joint for course in assessed("lift").strengths}
    assert {"trunk", "shoulder", "elbow", "hip", "knee"} <= his
    assert hers == {"hip", "knee"}
    assert any("young men only" in note for note in assessed("lift").notes)


def test_joints_at_their_ends_or_far_from_the_measured_are_not_judged() -> None:
    found = assessed("lift", "m")
    model = man().model
    for course in found.strengths:
        known = ~np.isnan(course.demand)
        assert (course.curve.relative_strength(course.angle)[known] >= MIN_RELATIVE_STRENGTH).all()
        dof = model.dof_index(course.coordinate)
        pushing = course.moment > 0
        inside = (course.angle - model.lower[dof] > JOINT_STOP_MARGIN - 1e-9) | (
            model.upper[dof] - course.angle > JOINT_STOP_MARGIN - 1e-9
        )
        assert inside[known & pushing].all()


def test_a_heavier_load_takes_a_larger_share_of_strength() -> None:
    light, heavy = (assessed_posture(man(), stooped(man(), 60), load=m) for m in (5.0, 120.0))
    trunk = {name: found.finding("demand") for name, found in (("l", light), ("h", heavy))}
    assert trunk["l"] is not None and trunk["l"].value < 100
    assert trunk["h"] is not None and trunk["h"].value > 100
    assert {each.severity for each in trunk.values() if each is not None} == {"unverified"}


def test_older_people_are_judged_by_their_own_data() -> None:
    q = np.array(man().relaxed)
    young, old = (
        assessed_posture(man(), q, load=5, job=Job(age=age)) for age in ("18-25", "55-65")
    )
    assert {course.curve.age for course in old.strengths} == {"55-65"}
    assert {course.curve.joint for course in old.strengths} <= {"hip", "knee", "ankle"}
    assert len(old.strengths) < len(young.strengths)


def test_ankles_count_where_a_person_chose_the_pressure_under_the_feet() -> None:
    """Not in planned tasks, whose rule of balance chooses it; in a held posture they do."""
    planned = {course.curve.joint for course in assessed("lift", "m").strengths}
    upright = assessed_posture(man(), np.array(man().relaxed), load=5)
    posture = {course.curve.joint for course in upright.strengths}
    assert "ankle" not in planned and "ankle" in posture
    assert any("ankles is not judged" in note for note in assessed("lift", "m").notes)


def test_a_short_peak_does_not_count() -> None:
    times = np.arange(0, 1, 0.05)
    values = np.where((times > 0.5) & (times < 0.62), 9.0, 1.0)  # for two samples
    assert np.nanmax(lasting_minimum(values, times)) == 1.0
    long = np.where((times > 0.4) & (times < 0.72), 9.0, 1.0)
    assert np.nanmax(lasting_minimum(long, times)) == 9.0
    assert lasting_minimum(np.array([3.0]), np.array([0.0])).tolist() == [3.0]
    assert np.isnan(lasting_minimum(values[:3], times[:3])).all()  # shorter than that


def test_the_worst_row_is_one_that_lasts() -> None:
    for course in assessed("lift", "m").strengths:
        lasting = lasting_minimum(course.demand, found_times := assessed("lift", "m").times)
        if not np.isnan(lasting).all():
            assert lasting[course.row] == np.nanmax(lasting)
        assert len(found_times) == len(course.demand)
