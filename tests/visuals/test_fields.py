"""Signed distance fields."""

import numpy as np
import pytest

from robotix.geometry import Array
from robotix.visuals.fields import Carved, Drum, Tube
from robotix.visuals.surfaces import Faces, field_surface


def volume(vertices: Array, faces: Faces) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_a_drum_knows_distances() -> None:
    drum = Drum(np.zeros(3), np.array([0.0, 0.0, 1.0]), 0.2, 0.1)
    points = np.array([[0, 0, 0.1], [0.3, 0, 0.1], [0, 0, 0.5], [0.13, 0, 0.24]])
    np.testing.assert_allclose(drum(points), [-0.1, 0.2, 0.3, 0.05], atol=1e-9)


def test_what_is_cut_is_gone() -> None:
    up = np.array([0.0, 0.0, 1.0])
    half = Carved(
        [Tube(np.zeros(3), np.zeros(3), 0.1, 0.1)], [Drum(np.zeros(3), up, 1.0, 1.0)], 0.01, 0.01
    )
    surface = field_surface(half, low=np.full(3, -0.13), high=np.full(3, 0.13), cell=0.02)
    assert surface.vertices[:, 2].max() < 0.005
    assert volume(surface.vertices, surface.faces) == pytest.approx(2 / 3 * np.pi * 1e-3, rel=0.05)
