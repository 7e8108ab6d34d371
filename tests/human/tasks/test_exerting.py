"""Pushing and pulling."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin
from support.performed_tasks import performed

from robotix.ergonomics import assess
from robotix.human.evaluation.joint_loads import joint_loads
from robotix.human.evaluation.report import com_margins, measure
from robotix.human.tasks.tasks import perform
from robotix.kinematics.batch import mass_centre_batch


@pytest.mark.parametrize(("task", "sign"), [("push", -1.0), ("pull", 1.0)])
def test_the_floor_gives_the_force(task: str, sign: float) -> None:
    performance = performed(task)
    loads = joint_loads(
        performance.manikin,
        performance.motion,
        contacts=performance.contacts,
        loads=performance.hand_forces,
    )
    row = performance.row_at(3.5)
    assert loads.is_balanced.all()
    on_hands = sum(each.at(performance.motion.times)[row] for each in performance.hand_forces)
    np.testing.assert_allclose(on_hands, [sign * 100.0, 0, 0])
    np.testing.assert_allclose(loads.total_force[row][0], -sign * 100.0, atol=1e-6)
    assert loads.total_force[row][2] == pytest.approx(9.81 * performance.manikin.model.mass)


def test_the_margin_is_that_of_the_pressure_under_the_feet() -> None:
    """The centre of pressure found by the contact forces, against the one of the report."""
    performance = performed("push")
    loads = joint_loads(
        performance.manikin,
        performance.motion,
        contacts=performance.contacts,
        loads=performance.hand_forces,
    )
    row = performance.row_at(3.5)
    mass_centre = mass_centre_batch(performance.manikin.model, performance.motion.q).com[row]
    pressure = loads.ground().centre[row]
    height = 0.58 * performance.manikin.anthropometry.stature
    shift = 100.0 * height / (9.81 * performance.manikin.model.mass)
    assert mass_centre[0] - pressure[0] == pytest.approx(shift, abs=0.003)
    assert min(margins.min() for margins in com_margins(performance)) > 0.01


def test_a_stronger_push_is_a_greater_load_of_the_hands() -> None:
    performance = perform("push", manikin(), parameters={"force": 150.0})
    at = performance.row_at(3.5)
    assert assess(performance).facts.load[at] == pytest.approx(150.0 / 9.81, rel=1e-3)
    centres = [
        mass_centre_batch(each.manikin.model, each.motion.q[at : at + 1]).com[0, 0]
        for each in (performed("push"), performance)
    ]
    assert centres[1] > centres[0] + 0.01


def test_nobody_pushes_more_than_the_stance_holds() -> None:
    report = measure(perform("push", manikin(), parameters={"force": 900.0}))
    assert not report.success
