"""Solids: only those that exist can be made, and none can be changed."""

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere

GOOD: list[Shape] = [
    Sphere(0.1),
    Capsule(0.1, 0.2),
    Cylinder(0.1, 0.2),
    Box(np.array([0.1, 0.2, 0.3])),
    Halfspace(),
    Mesh("cup.stl", (1.0, -1.0, 0.001)),
]
every_kind = pytest.mark.parametrize("solid", GOOD, ids=lambda solid: type(solid).__name__)


@every_kind
def test_a_solid_is_at_the_origin_unless_said(solid: Shape) -> None:
    np.testing.assert_array_equal(solid.pose.matrix, np.eye(4))


@every_kind
def test_a_solid_cannot_be_changed(solid: Shape) -> None:
    with pytest.raises(FrozenInstanceError):
        solid.pose = Pose.at(1, 0, 0)  # type: ignore[misc]


def test_a_box_keeps_its_own_size() -> None:
    size = np.array([0.1, 0.2, 0.3])
    box = Box(size)
    size[0] = 9.0
    assert box.size[0] == 0.1
    with pytest.raises(ValueError, match="read-only"):
        box.size[0] = 1.0


@pytest.mark.parametrize("bad", [0.0, -0.1, math.nan, math.inf])
def test_sizes_must_be_positive_and_finite(bad: float) -> None:
    makers: list[Callable[[], Shape]] = [
        lambda: Sphere(bad),
        lambda: Capsule(bad, 1.0),
        lambda: Capsule(1.0, bad),
        lambda: Cylinder(bad, 1.0),
        lambda: Cylinder(1.0, bad),
        lambda: Box(np.array([1.0, bad, 1.0])),
    ]
    for make in makers:
        with pytest.raises(ValueError, match="must be positive and finite"):
            make()


def test_a_box_has_three_edges() -> None:
    with pytest.raises(ValueError, match="three lengths"):
        Box(np.array([1.0, 2.0]))


@pytest.mark.parametrize("scale", [(1, 1, 0), (1, math.nan, 1), (math.inf, 1, 1), (1, 1)])
def test_a_mesh_has_a_scale_in_every_direction(scale: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="scale must be"):
        Mesh("cup.stl", scale)


def test_a_mesh_has_a_file() -> None:
    with pytest.raises(ValueError, match="name of a file"):
        Mesh("")
