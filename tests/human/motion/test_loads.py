"""Loads in the hands count in the centre of mass."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES
from support.standing_people import person_of

from robotix.geometry import Box
from robotix.human.motion.loads import Load, model_with_loads
from robotix.human.motion.performer import Performer


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


def test_weightless_loads_leave_the_model_alone(stander: Performer) -> None:
    model = stander.manikin.model
    assert model_with_loads(model, [Load("air", 0.0, ("right",), Box(np.ones(3)))]) is model
