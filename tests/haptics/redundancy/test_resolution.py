"""Resolutions move the tip as asked, and use the null space for the rest."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import device_angles, height_joints, vishard10
from robotix.haptics.redundancy.resolution import resolve
from robotix.haptics.redundancy.strategies import (
    Approach,
    ResolutionSettings,
    Strategy,
    make_resolution,
    mean_maximum,
)
from robotix.kinematics import Posture
from robotix.kinematics.criteria import CriterionTerm
from robotix.kinematics.dexterity_criteria import EllipsoidVolume
from robotix.model.robots import load


def lifting_posture(seed: int) -> Array:
    """A posture in which joints 6 and 7 mimic a prismatic joint."""
    rng = np.random.default_rng(seed)
    height = height_joints(rng.uniform(-0.35, 0.35))
    scara = np.array([0.0, 0.6, 0.6, 0.6]) + rng.uniform(-1, 1, 4)
    return device_angles(scara, height, rng.uniform(-1, 1, 4))


@pytest.mark.parametrize("approach", Approach)
@pytest.mark.parametrize("strategy", Strategy)
def test_the_tip_moves_as_asked(approach: Approach, strategy: Strategy) -> None:
    resolution = make_resolution(vishard10(), ResolutionSettings(approach, strategy))
    for seed in range(5):
        posture = Posture(vishard10(), lifting_posture(seed))
        twist = np.random.default_rng(seed).normal(size=6)
        dq = resolution.velocity(posture, twist)
        np.testing.assert_allclose(posture.jacobian() @ dq, twist, atol=1e-9)


def test_self_motion_raises_the_criterion() -> None:
    criterion = EllipsoidVolume(part="angular")
    q, model = lifting_posture(3), vishard10()
    before = criterion.value(Posture(model, q))
    posture = Posture(model, q)
    step = resolve(posture.jacobian(), np.zeros(6), gradient=criterion.gradient(posture))
    assert criterion.value(Posture(model, q + 1e-4 * step)) > before


def test_step_length_keeps_the_rate_limit() -> None:
    J, v, gradient = np.array([[1.0, 0.0, 0.0]]), np.array([0.5]), np.array([0.0, 3.0, -4.0])
    free = resolve(J, v, gradient=gradient, step_length=1.0)
    np.testing.assert_allclose(free, [0.5, 3.0, -4.0])
    limited = resolve(J, v, gradient=gradient, step_length=1.0, max_rate=1.0)
    np.testing.assert_allclose(limited, [0.5, 0.75, -1.0])
    too_fast = resolve(J, 4 * v, gradient=gradient, max_rate=1.0)
    np.testing.assert_allclose(too_fast, [2.0, 0.0, 0.0])  # no self-motion on top of that


def test_any_device_is_resolved_in_full_and_only_vishard10_in_stages() -> None:
    panda = load("panda")
    settings = ResolutionSettings(strategy=Strategy.condition)
    posture = Posture(panda, np.full(7, 0.4))
    dq = make_resolution(panda, settings).velocity(posture, np.eye(6)[0])
    np.testing.assert_allclose(posture.jacobian() @ dq, np.eye(6)[0], atol=1e-9)
    with pytest.raises(ValueError, match="only vishard10 can be partitioned"):
        make_resolution(panda, ResolutionSettings(Approach.partitioned))


def test_normalised_indices_have_a_mean_maximum_of_one() -> None:
    model, criterion = load("panda"), EllipsoidVolume(part="linear")
    scale = mean_maximum(model, criterion, part="linear", poses=2)
    again = mean_maximum(model, criterion, part="linear", poses=2)
    assert scale == again > 0
    assert CriterionTerm(criterion, best=scale).best == scale
