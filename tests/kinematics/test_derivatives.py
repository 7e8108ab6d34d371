"""Derivatives of Jacobians and gravity torques, against their rate and finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from support.every_joint import model_makers

from robotix.geometry import Array
from robotix.kinematics.derivatives import gravity_slopes, jacobian_slopes
from robotix.kinematics.posture import Posture

MODELS = model_makers()
STEP = 1e-5


def make_posture(name: str) -> Posture:
    model = MODELS[name]()
    return Posture(model, np.random.default_rng(5).uniform(0.1, 1.2, model.n_dof))


def central(posture: Posture, direction: Array, read: Callable[[Posture], Array]) -> Array:
    """Return the slope of what is read, by central differences."""
    ahead, behind = (read(posture.moved(h * direction)) for h in (STEP, -STEP))
    return np.asarray((ahead - behind) / (2 * STEP))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("place", ["tip", "half-way"])
def test_slopes_of_the_jacobian(name: str, place: str) -> None:
    posture = make_posture(name)
    bodies = posture.model.bodies
    point = None if place == "tip" else bodies[len(bodies) // 2].name
    slopes = jacobian_slopes(posture, point)
    for slope, e in zip(slopes, np.eye(posture.model.n_dof), strict=True):
        np.testing.assert_allclose(slope, posture.jacobian_rate(e, point), atol=1e-13)
        finite = central(posture, e, lambda p: p.jacobian(point))
        np.testing.assert_allclose(slope, finite, atol=1e-8)


@pytest.mark.parametrize("name", MODELS)
def test_slopes_of_the_gravity_torques(name: str) -> None:
    posture = make_posture(name)
    slopes = gravity_slopes(posture)
    for slope, e in zip(slopes, np.eye(posture.model.n_dof), strict=True):
        finite = central(posture, e, lambda p: p.gravity_torques)
        np.testing.assert_allclose(slope, finite, atol=1e-6)
    if all(joint.kind != "floating" for joint in posture.model.joints):
        np.testing.assert_allclose(slopes, slopes.T, atol=1e-11)  # they come from one potential
