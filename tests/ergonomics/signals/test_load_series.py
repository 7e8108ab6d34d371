"""Joint loads with feasible contact forces."""

from __future__ import annotations

import numpy as np
from support.assessed import assessed, performed, woman

from robotix.ergonomics import assess
from robotix.ergonomics.signals.load_series import load_series
from robotix.human.evaluation.joint_loads import joint_loads
from robotix.human.tasks.tasks import perform

G = 9.81


def test_the_floor_bears_weight_and_load() -> None:
    performance = perform("lift", woman(), style="slow")
    course = load_series(performance)
    weight = G * (woman().model.mass + assess(performance).facts.load)
    assert course.is_supported.all()
    np.testing.assert_allclose(course.resting.total_force[:, 2], weight, atol=1e-6)
    assert abs(course.resting.residual).max() < 1e-6


def test_where_the_contacts_cannot_give_the_motion_legs_count_as_at_rest() -> None:
    course = load_series(perform("walk", woman(), style="slow"))
    rows = course.is_quasi_static
    assert 0.1 < rows.mean() < 0.9
    np.testing.assert_array_equal(course.loads.tau[rows, 6:20], course.resting.tau[rows, 6:20])
    moving = ~rows
    assert abs(course.loads.tau[moving, 6:20] - course.resting.tau[moving, 6:20]).max() > 1
    climbing = load_series(performed("climb_ladder"))
    assert abs(climbing.loads.transmitted("L5S1_flexion").moment).max() < 500


def test_what_the_contacts_cannot_give_counts_as_done_slower() -> None:
    performance = perform("walk", woman(), style="slow")
    course = load_series(performance)
    assert (course.acceleration_scale[~course.is_quasi_static] == 1).all()
    slowed = course.acceleration_scale[course.is_quasi_static]
    assert (slowed < 1).all() and slowed.max() > 0.5
    played, borne = (
        joint_loads(
            performance.manikin,
            performance.motion,
            contacts=performance.contacts,
            dynamic=True,
            acceleration_scale=acceleration_scale,
        )
        for acceleration_scale in (1.0, course.acceleration_scale)
    )
    assert abs(borne.residual[course.is_supported]).max() < 1e-6
    fast, slow = (
        abs(loads.transmitted("L5S1_flexion").moment).max() for loads in (played, course.loads)
    )
    assert slow < 0.5 * fast


def test_no_more_of_the_accelerations_could_be_given() -> None:
    """Against the whole computation with a factor one step of the bisection higher."""
    performance = perform("lift", woman(), style="slow")
    course = load_series(performance)
    slowed = course.is_quasi_static & course.is_supported & (course.acceleration_scale < 0.95)
    assert slowed.any()
    more = np.where(slowed, course.acceleration_scale + 1.01 / 32, course.acceleration_scale)
    loads = joint_loads(
        performance.manikin,
        performance.motion,
        contacts=performance.contacts,
        loads=performance.loads,
        dynamic=True,
        acceleration_scale=more,
    )
    assert not loads.is_balanced[slowed].any()


def test_at_rest_inertia_is_left_out() -> None:
    still = assess(performed("lift"), dynamic=False)
    assert not still.back.is_dynamic and still.back is still.resting_back
    assert still.back.compression.max() < assessed("lift").back.compression.max()
