"""Batches say what a posture says, whatever the number of threads."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.every_joint import model_makers

from robotix.geometry import Array
from robotix.kinematics.batch import (
    forward_batch,
    jacobian_batch,
    jacobian_singular_values,
    mass_centre_batch,
    mass_matrix_batch,
    singular_values_batch,
)
from robotix.kinematics.dexterity import singular_values
from robotix.kinematics.posture import Posture
from robotix.model import Body, ControlPoint, Joint, Model
from robotix.model.robots import load

MODELS = model_makers()


def make_batch(name: str, count: int = 5) -> tuple[Model, Array, list[Posture]]:
    model = MODELS[name]()
    q = np.random.default_rng(2).uniform(-1, 1, (count, model.n_dof))
    return model, q, [Posture(model, row) for row in q]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_is_many_postures(name: str, threads: int) -> None:
    model, q, postures = make_batch(name)
    middle = model.bodies[len(model.bodies) // 2].name
    for point in (None, middle, ControlPoint(middle, model.point().pose)):
        positions, rotations = forward_batch(model, q, point=point, threads=threads)
        jacobians = jacobian_batch(model, q, point=point, threads=threads)
        for i, posture in enumerate(postures):
            pose = posture.pose(point)
            np.testing.assert_allclose(positions[i], pose.translation, atol=1e-14)
            np.testing.assert_allclose(rotations[i], pose.rotation, atol=1e-14)
            np.testing.assert_allclose(jacobians[i], posture.jacobian(point), atol=1e-14)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("threads", [1, 2])
def test_masses_of_a_batch(name: str, threads: int) -> None:
    model, q, postures = make_batch(name)
    centres = mass_centre_batch(model, q, threads=threads)
    matrices = mass_matrix_batch(model, q, threads=threads)
    for i, posture in enumerate(postures):
        np.testing.assert_allclose(centres.com[i], posture.com, atol=1e-13)
        np.testing.assert_allclose(centres.com_jacobian[i], posture.com_jacobian, atol=1e-13)
        np.testing.assert_allclose(centres.gravity_torques[i], posture.gravity_torques, atol=1e-11)
        np.testing.assert_allclose(matrices[i], posture.mass_matrix, atol=1e-11)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("normalised", [False, True])
def test_singular_values_of_a_batch(name: str, normalised: bool) -> None:
    model, q, postures = make_batch(name)
    for part in ("linear", "angular", "both", "x rz"):
        values = singular_values_batch(model, q, part=part, normalised=normalised)
        single = [singular_values(p, part=part, normalised=normalised) for p in postures]
        np.testing.assert_allclose(values, single, atol=1e-13 * max(1.0, np.max(values)))


def test_singular_values_of_any_matrix() -> None:
    rng = np.random.default_rng(0)
    shapes = rng.normal(size=(200, 6, 9))
    shapes[:50, :, 3:] = 0.0  # too few columns
    shapes[50:100, 4] = shapes[50:100, 2]  # the same row twice
    shapes[100:150] *= 10.0 ** rng.uniform(-12, 3, (50, 6, 1))  # rows of very different size
    shapes[150] = 0.0
    values = jacobian_singular_values(shapes, part="both", scales=np.ones(9))
    exact = np.linalg.svd(shapes, compute_uv=False)
    np.testing.assert_allclose(values, exact, atol=1e-13 * exact.max(axis=1).max(), rtol=0)
    relative = abs(values - exact) / np.maximum(exact[:, :1], 1e-300)
    assert relative.max() < 1e-14
    assert (values[:50, 3:] < 1e-14).all()


def test_threads_do_not_change_a_bit() -> None:
    model = load("kuka_lwr_rail")
    q = np.random.default_rng(0).uniform(-1, 1, (101, model.n_dof))
    for threads in (2, 5, 200):
        np.testing.assert_array_equal(
            jacobian_batch(model, q, threads=threads), jacobian_batch(model, q)
        )


def test_postures_are_only_read() -> None:
    model = load("planar_3r")
    q = np.asfortranarray(np.random.default_rng(0).uniform(-1, 1, (5, 3)))
    q.flags.writeable = False
    before = q.copy()
    jacobian_batch(model, q, threads=2)
    np.testing.assert_array_equal(q, before)
    np.testing.assert_array_equal(forward_batch(model, q.tolist())[0], forward_batch(model, q)[0])


def test_empty_batches_and_fixed_models() -> None:
    positions, rotations = forward_batch(load("ur5"), np.zeros((0, 6)), threads=4)
    assert positions.shape == (0, 3)
    assert rotations.shape == (0, 3, 3)
    block = Model("block", (Body("block", Joint("held")),))
    assert jacobian_batch(block, np.zeros((2, 0))).shape == (2, 6, 0)
    np.testing.assert_array_equal(singular_values_batch(block, np.zeros((2, 0))), np.zeros((2, 3)))


def test_wrong_batches_are_refused() -> None:
    model = load("ur5")
    for q in (np.zeros(6), np.zeros((2, 5)), np.zeros((1, 2, 6))):
        with pytest.raises(ValueError, match="ur5 has 6 joints"):
            forward_batch(model, q)
    q = np.zeros((4, 6))
    q[2, 3] = math.nan
    with pytest.raises(ValueError, match="row 2"):
        jacobian_batch(model, q)
    with pytest.raises(ValueError, match="threads must be at least 1"):
        forward_batch(model, np.zeros((2, 6)), threads=0)
