"""Meshes of fields, revolutions and sweeps."""

import numpy as np
import pytest

from robotix.geometry import Array
from robotix.visuals.fields import Tube
from robotix.visuals.surfaces import Faces, field_surface, swept_surface, turned_surface


def volume(vertices: Array, faces: Faces) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_a_field_becomes_its_surface() -> None:
    ball = Tube(np.zeros(3), np.zeros(3), 0.1, 0.1)
    surface = field_surface(ball, low=np.full(3, -0.13), high=np.full(3, 0.13), cell=0.02)
    np.testing.assert_allclose(np.linalg.norm(surface.vertices, axis=1), 0.1, atol=1e-6)
    np.testing.assert_allclose(surface.normals, surface.vertices / 0.1, atol=1e-3)
    assert volume(surface.vertices, surface.faces) == pytest.approx(4 / 3 * np.pi * 1e-3, rel=0.03)


def test_turned_and_swept_surfaces_look_outwards() -> None:
    axis = np.array([0.0, 1.0, 0.0])
    disc = turned_surface([(0, 0), (0.1, 0), (0.1, 0.3), (0, 0.3)], foot=np.ones(3), axis=axis)
    middle = disc.vertices - disc.vertices.mean(axis=0)
    assert volume(middle, disc.faces) == pytest.approx(np.pi * 0.01 * 0.3, rel=0.01)
    square = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * 0.1
    centres = np.stack([np.linspace(0, 1, 5), np.zeros(5), np.zeros(5)], axis=1)
    sides = np.tile([0.0, -1.0, 0.0], (5, 1))
    bar = swept_surface(centres, sides, section=square, normals=square / np.hypot(0.1, 0.1))
    assert volume(bar.vertices - [0.5, 0, 0], bar.faces) == pytest.approx(0.04)
