"""The compiled resolution: it moves the tip as asked, and its self-motion follows the gradient."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.geometry import Array
from robotix.haptics.devices.resolution_kernels import time_resolutions
from robotix.haptics.devices.vishard10 import device_angles, height_joints, vishard10
from robotix.haptics.redundancy.resolution import PartitionedResolution, resolve
from robotix.kinematics import Posture
from robotix.model.robots import load


def volumes(model_name: str, q: Array) -> float:
    J = Posture(load(model_name), q).jacobian()
    return float(sum(np.sqrt(np.linalg.det(part @ part.T)) for part in (J[:3], J[3:])))


def rates(q: Array, J: Array, twist: Array, *, step: float, is_partitioned: bool) -> Array:
    dq = np.zeros(J.shape[1])
    time_resolutions(J, q, twist, step, is_partitioned, 1, dq)
    return dq


@pytest.mark.parametrize("name", ["vishard10", "panda", "ur5"])
def test_the_full_resolution_is_pseudoinverse_and_projected_gradient(name: str) -> None:
    rng, model = np.random.default_rng(1), load(name)
    q = rng.uniform(-1.0, 1.0, model.n_dof)
    J, twist, h = np.array(Posture(model, q).jacobian()), rng.normal(size=6), 1e-6
    gradient = np.array([
        (volumes(name, q + h * axis) - volumes(name, q - h * axis)) / (2 * h)
        for axis in np.eye(model.n_dof)
    ])  # fmt: skip
    found = rates(q, J, twist, step=0.7, is_partitioned=False)
    expected = resolve(J, twist, gradient=gradient, step_length=0.7)
    np.testing.assert_allclose(found, expected, atol=2e-3 * abs(expected).max())
    np.testing.assert_allclose(J @ found, twist, atol=2e-3)


def test_the_stages_are_those_of_the_plain_formula() -> None:
    rng, model = np.random.default_rng(2), vishard10()
    for _ in range(20):
        q = device_angles(
            rng.uniform(-1, 1, 4), height_joints(float(rng.uniform(-0.35, 0.35))),
            rng.uniform(-1, 1, 4) + np.array([0, 0, -2.3, 0]),
        )  # fmt: skip
        posture, twist = Posture(model, q), rng.normal(size=6)
        J = np.array(posture.jacobian())
        found = rates(q, J, twist, step=0.0, is_partitioned=True)
        expected = PartitionedResolution().velocity(posture, twist)
        np.testing.assert_allclose(found, expected, atol=1e-3 * abs(expected).max())
        moved = rates(q, J, twist, step=0.5, is_partitioned=True)
        np.testing.assert_allclose(J @ moved, twist, atol=1e-3 * abs(moved).max())
        assert abs(moved - found).max() > 1e-3
