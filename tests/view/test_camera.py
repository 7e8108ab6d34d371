"""Cameras: framing, and pixels of points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.seen_things import SIZE, seen

from robotix.geometry import Pose, Sphere
from robotix.view import (
    Camera,
    framed,
    orbit,
    solid_mesh,
)


def test_pixels_agree_with_the_picture() -> None:
    camera = orbit((0.0, 0.0, 0.5), distance=4.0, azimuth=0.7, elevation=0.4)
    places = np.array([[0.5, 0.2, 0.9], [-0.4, 0.6, 0.3], [0.1, -0.8, 0.2]])
    view = seen([solid_mesh(Sphere(0.05, Pose(translation=p))) for p in places], camera)
    for number, (column, row, depth) in enumerate(camera.pixels(places, SIZE)):
        rows, columns = np.nonzero(view.ids == number)
        assert columns.mean() + 0.5 == pytest.approx(column, abs=0.5)
        assert rows.mean() + 0.5 == pytest.approx(row, abs=0.5)
        assert view.depth[int(row), int(column)] == pytest.approx(depth - 0.05, abs=0.01)


@given(seed=st.integers(0, 1000), yaw=st.floats(-3, 3), rise=st.floats(-0.3, 1.2))
@settings(max_examples=30)
def test_a_framed_picture_shows_everything_and_wastes_nothing(
    seed: int, yaw: float, rise: float
) -> None:
    points = np.random.default_rng(seed).uniform(-1, 1, (20, 3)) * (2.0, 1.0, 0.7) + 3.0
    camera = framed(points, size=SIZE, azimuth=yaw, elevation=rise, margin=0.1)
    seen = camera.pixels(points, SIZE)[:, :2] / SIZE
    assert 0.08 < seen.min() and seen.max() < 0.92
    assert np.ptp(seen, axis=0).max() == pytest.approx(0.8, abs=0.02)


def test_a_camera_that_looks_along_its_up_is_refused() -> None:
    with pytest.raises(ValueError, match="up direction"):
        Camera(np.zeros(3), np.array([0.0, 0.0, 1.0]))
