"""The coordinates of a posture, and steps between postures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array, exp_rotation, log_rotation
from robotix.model import Model
from robotix.motion import (
    Dof,
    Motion,
    model_dofs,
)
from robotix.motion.coordinates import blended, moved, step_between

postures = arrays(float, 7, elements=st.floats(-6, 6))


def turned(q: Array) -> Array:
    """Rotation of the walker's root."""
    return exp_rotation(q[3:6])


def test_a_model_names_its_coordinates(arm: Model, walker: Model) -> None:
    assert model_dofs(arm) == (("rail", "m"), ("shoulder", "rad"), ("elbow", "rad"))
    assert [dof.unit for dof in model_dofs(walker)] == ["m"] * 3 + ["rotvec"] * 3 + ["rad"]


@given(a=postures, b=postures)
def test_a_step_leads_from_one_posture_to_the_other(walker: Model, a: Array, b: Array) -> None:
    dofs = model_dofs(walker)
    there = moved(dofs, a, step=step_between(dofs, a, end=b))
    np.testing.assert_allclose(turned(there), turned(b), atol=1e-7)
    np.testing.assert_allclose(there[[0, 1, 2, 6]], b[[0, 1, 2, 6]], atol=1e-12)


@given(a=postures, b=postures, part=st.floats(0, 1))
def test_a_blend_turns_evenly_the_short_way(walker: Model, a: Array, b: Array, part: float) -> None:
    dofs = model_dofs(walker)
    whole = log_rotation(turned(b) @ turned(a).T)
    some = turned(blended(dofs, a, end=b, part=part)) @ turned(a).T
    np.testing.assert_allclose(some, exp_rotation(part * whole), atol=1e-7)
    assert np.linalg.norm(step_between(dofs, a, end=b)[3:6]) <= math.pi + 1e-9


@given(a=postures, turn=arrays(float, 3, elements=st.floats(-0.1, 0.1)))
def test_rotation_vectors_run_on(walker: Model, a: Array, turn: Array) -> None:
    """A small turn changes the numbers little, also beyond π and except near full turns."""
    a[3:6] *= 1.5 * math.pi / max(float(np.linalg.norm(a[3:6])), 1e-3) if a[3:6].any() else 1
    step = np.array([0, 0, 0, *turn, 0])
    after = moved(model_dofs(walker), a, step=step)
    assert np.linalg.norm(after[3:6] - a[3:6]) < 20 * np.linalg.norm(turn) + 1e-6


@pytest.mark.parametrize(
    ("dofs", "message"),
    [
        ((), "no joints"),
        ((Dof("a"), Dof("a")), "occurs twice"),
        ((Dof("a\nb"),), "plain text"),
        ((Dof(""),), "plain text"),
        ((Dof("a", "deg"),), "unknown unit"),  # type: ignore[arg-type]
        ((Dof("a", "rotvec"), Dof("b", "rotvec")), "three coordinates"),
        ((Dof("a", "rotvec"), Dof("b", "rotvec"), Dof("c"), Dof("d", "rotvec")), "three"),
    ],
    ids=["none", "twice", "two lines", "empty", "degrees", "two of three", "torn"],
)
def test_refuses_broken_coordinates(dofs: tuple[Dof, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Motion(dofs, np.zeros(1), np.zeros((1, len(dofs))))
