"""The zero-moment point, contact forces, accelerations and overlap of the body with itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.assessed import man, performed, turned

from robotix.ergonomics import held
from robotix.human.evaluation.dynamic_report import measure_dynamics
from robotix.human.evaluation.report import com_margins
from robotix.human.motion.performance import Performance
from robotix.human.motion.zero_moment import zero_moment, zmp_margins
from robotix.kinematics import Posture
from robotix.kinematics.batch import mass_centre_batch
from robotix.motion import Motion


def standing(count: int = 60, *, load: float = 0.0) -> Performance:
    """Return a man who stands still for some rows, with a load in the hands."""
    q = man().relaxed + turned(man(), elbow_flexion=60)
    one = held(Posture(man().model, q), man(), load=load)
    times = np.arange(count) / 100
    motion = Motion(one.motion.dofs, times, np.tile(one.motion.q, (count, 1)))
    end = float(times[-1])
    return replace(
        one,
        motion=motion,
        contacts=tuple(replace(phase, end=end) for phase in one.contacts),
        loads=tuple(replace(phase, end=end) for phase in one.loads),
    )


def shaken(person: Performance, *, acceleration: float) -> Performance:
    """Return the same body accelerated forward as a whole."""
    q, times = person.motion.q.copy(), person.motion.times
    q[:, 0] += acceleration / 2 * (times - times[len(times) // 2]) ** 2
    return replace(person, motion=replace(person.motion, q=q))


@pytest.mark.parametrize("load", [0.0, 12.0])
def test_at_rest_it_is_below_the_centre_of_mass(load: float) -> None:
    person = standing(load=load)
    margins = zmp_margins(person)
    np.testing.assert_allclose(margins, com_margins(person)[0], atol=1e-6)
    found = measure_dynamics(person)
    assert found.is_feasible and found.zmp_outside == 0 and found.infeasible == 0


@pytest.mark.parametrize("acceleration", [0.5, 4.0])
def test_a_cart_on_a_table(acceleration: float) -> None:
    """The zero-moment point lags the centre of mass by height over gravity times acceleration."""
    person = shaken(standing(), acceleration=acceleration)
    com = mass_centre_batch(man().model, person.motion.q).com
    expected = com[:, 0] - com[:, 2] / 9.81 * acceleration
    found = zero_moment(person).points
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-5)
    np.testing.assert_allclose(found[:, 1], com[:, 1], atol=1e-6)
    report = measure_dynamics(person)
    assert report.is_feasible == (acceleration < 1)
    if not report.is_feasible:
        assert report.zmp_outside == 1 and "zero-moment point" in report.problems[0]


def test_accelerations_beyond_their_limit_are_told() -> None:
    person = standing()
    q = person.motion.q.copy()
    elbow = man().model.dof_index("right_elbow_flexion")
    q[:, elbow] += 0.2 * np.sin(60 * person.motion.times)
    report = measure_dynamics(replace(person, motion=replace(person.motion, q=q)))
    assert report.acceleration_joint == "right_elbow_flexion"
    assert report.acceleration_ratio > 1
    assert any("times its limit" in problem for problem in report.problems)


def test_a_forearm_in_the_trunk_is_told() -> None:
    across = turned(man(), shoulder_internal_rotation=90, elbow_flexion=120)
    person = held(Posture(man().model, across), man())
    times = np.arange(10) / 100
    motion = Motion(person.motion.dofs, times, np.tile(across, (10, 1)))
    contacts = tuple(replace(phase, end=0.09) for phase in person.contacts)
    report = measure_dynamics(replace(person, motion=motion, contacts=contacts))
    assert report.self_penetration > 0.02
    assert "forearm" in report.self_pair or "hand" in report.self_pair


def test_a_chair_and_its_person() -> None:
    """Rising is nearly possible: the zero-moment point leaves the feet for an instant."""
    report = measure_dynamics(performed("stand_up"))
    assert report.zmp_outside < 0.12 and report.cop_margin > -0.05
    assert report.as_dict()["is_feasible"] == report.is_feasible
