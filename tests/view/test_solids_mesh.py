"""Solids as triangle meshes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robotix.geometry import Box, Capsule, Cylinder, Shape, Sphere
from robotix.view import (
    solid_mesh,
)


@pytest.mark.parametrize(
    "shape",
    [Sphere(0.4), Capsule(0.2, 0.6), Cylinder(0.3, 0.7), Box(np.array([0.5, 0.6, 0.7]))],
    ids=lambda shape: type(shape).__name__,
)
def test_solids_are_closed_and_face_outwards(shape: Shape) -> None:
    mesh = solid_mesh(shape, around=96)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    match shape:
        case Sphere():
            expected = 4 / 3 * math.pi * 0.4**3
        case Capsule():
            expected = math.pi * 0.2**2 * (0.6 + 4 / 3 * 0.2)
        case Cylinder():
            expected = math.pi * 0.3**2 * 0.7
        case _:
            expected = 0.21
    assert volume == pytest.approx(expected, rel=5e-3)
    flat = np.cross(b - a, c - a)
    sized = np.linalg.norm(flat, axis=1) > 1e-12
    assert mesh.normals is not None
    facing = np.einsum("ij,ij->i", flat, mesh.normals[mesh.faces].mean(axis=1))
    assert (facing[sized] > 0).all()
