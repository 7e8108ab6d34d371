"""Markers that only the static trial has follow their segment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from support.squatting import make_plan

from robotix.capture.markers import MarkerSet
from robotix.capture.rebuilt_markers import with_rebuilt
from robotix.geometry import Pose, exp_rotation

CLUSTER = np.array([[0.0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0.02, 0.03, 0.1]])
MISSING = np.array([0.05, -0.04, 0.02])
NAMES = ("a", "b", "c", "d")
PLAN = replace(make_plan(), rebuilt={"m": NAMES})


def static() -> MarkerSet:
    return MarkerSet((*NAMES, "m"), np.zeros(1), np.vstack([CLUSTER, MISSING])[None])


def moving(count: int = 12) -> tuple[MarkerSet, np.ndarray]:
    poses = [
        Pose(exp_rotation([0.2 * k, -0.1 * k, 0.3 * k]), np.array([k, 0.5 * k, 1.0]))
        for k in range(count)
    ]
    rows = np.array([pose.apply(CLUSTER) for pose in poses])
    return MarkerSet(NAMES, np.arange(count) / 100, rows), np.array(
        [pose.apply(MISSING) for pose in poses]
    )


def test_a_marker_of_a_rigid_segment_is_found_exactly() -> None:
    markers, expected = moving()
    found = with_rebuilt(markers, PLAN, static=static())
    np.testing.assert_allclose(found["m"], expected, atol=1e-12)
    np.testing.assert_allclose(found["a"], markers["a"])


def test_noise_is_averaged() -> None:
    markers, expected = moving()
    noise = np.random.default_rng(1).normal(scale=1e-3, size=markers.positions.shape)
    noisy = replace(markers, positions=markers.positions + noise)
    found = with_rebuilt(noisy, PLAN, static=static())["m"]
    assert np.linalg.norm(found - expected, axis=1).max() < 5e-3


def test_gaps_stay_gaps() -> None:
    markers, _ = moving()
    positions = markers.positions.copy()
    positions[3, 1] = np.nan
    found = with_rebuilt(replace(markers, positions=positions), PLAN, static=static())["m"]
    assert np.isnan(found[3]).all() and np.isfinite(found[4]).all()


def test_what_is_there_or_cannot_be_known_is_left_alone() -> None:
    markers, _ = moving()
    assert with_rebuilt(markers, make_plan(), static=static()) is markers
    few = replace(PLAN, rebuilt={"m": ("a", "b", "z")})
    assert with_rebuilt(markers, few, static=static()) is markers
    whole = markers.joined({"m": np.zeros((len(markers), 3))})
    assert with_rebuilt(whole, PLAN, static=static()) is whole
