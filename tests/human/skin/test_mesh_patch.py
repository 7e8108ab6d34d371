"""Patches of triangle meshes: clipping, subdivision, smoothing, offset."""

import numpy as np
import pytest

from robotix.geometry import Array
from robotix.human.skin.mesh_patch import MeshPatch, join_patches


def square(cells: int = 4) -> MeshPatch:
    """The unit square in z = 0, with x + y as a fourth value."""
    side = np.linspace(0.0, 1.0, cells + 1)
    x, y = (each.ravel() for each in np.meshgrid(side, side, indexing="ij"))
    at = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]
    faces = np.concatenate([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])
    return MeshPatch(np.stack([x, y, 0 * x, x + y], axis=1), faces.reshape(-1, 3))


def areas(patch: MeshPatch) -> Array:
    a, b, c = (patch.positions[patch.faces[:, k]] for k in range(3))
    return np.asarray(np.cross(b - a, c - a)[:, 2] / 2)


@pytest.mark.parametrize("edge", [0.1, 0.37, 0.5, 0.99])
def test_clipping_keeps_the_positive_part_and_interpolates_all_values(edge: float) -> None:
    whole = square()
    part = whole.clipped(whole.values[:, 0] - edge)
    assert areas(part).sum() == pytest.approx(1 - edge)
    assert (areas(part) >= -1e-12).all()  # no triangle is turned over
    assert part.positions[:, 0].min() == pytest.approx(edge)
    np.testing.assert_allclose(part.values[:, 3], part.values[:, :2].sum(axis=1), atol=1e-12)


def test_subdivision_makes_four_triangles_of_one_and_stays_in_the_plane() -> None:
    whole = square()
    fine = whole.subdivided()
    assert len(fine.faces) == 4 * len(whole.faces)
    np.testing.assert_array_equal(fine.positions[:, 2], 0.0)
    assert (areas(fine) > 0).all()


def test_smoothing_moves_only_where_its_weight_is() -> None:
    whole = square()
    bumped = MeshPatch(whole.values.copy(), whole.faces)
    middle = int(np.argmin(np.abs(whole.positions[:, :2] - 0.5).sum(axis=1)))
    bumped.values[middle, 2] = 1.0
    weight = np.zeros(len(whole.values))
    weight[middle] = 0.5
    smooth = bumped.smoothed(weight, times=1)
    assert smooth.values[middle, 2] == pytest.approx(0.5)
    np.testing.assert_array_equal(
        np.delete(smooth.values, middle, 0), np.delete(bumped.values, middle, 0)
    )


def test_an_offset_plane_is_a_parallel_plane() -> None:
    np.testing.assert_allclose(square().offset(0.02).positions[:, 2], 0.02)


def test_joining_and_selecting_keep_triangles() -> None:
    one = square(2)
    both = join_patches(one, one)
    assert (len(both.values), len(both.faces)) == (2 * len(one.values), 2 * len(one.faces))
    few = both.only(both.faces[:1])
    np.testing.assert_allclose(areas(few), areas(both)[:1])
    assert len(few.values) == 3
