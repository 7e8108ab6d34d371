"""Meshes for pages: smooth but for creases, within bounds of memory whatever the mesh."""

import tracemalloc

import numpy as np
import pytest

from robotix.meshes.shading import (
    CHUNK_CORNERS,
    MAX_CORNERS_AT_PLACE,
    _creased,
    _summed,
    _unit,
)
from robotix.server.live.mesh_data import pack_mesh


def fan(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return triangles round one vertex."""
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    rim = np.column_stack([np.cos(angles), np.sin(angles), 0.3 * np.sin(5 * angles)])
    vertices = np.vstack([[0.0, 0.0, 1.0], rim])
    first = np.arange(count)
    return vertices, np.column_stack([np.zeros(count, int), 1 + first, 1 + (first + 1) % count])


def peak_memory(count: int) -> float:
    vertices, faces = fan(count)
    tracemalloc.start()
    pack_mesh(vertices, faces)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def test_a_fan_of_triangles_costs_little_memory() -> None:
    assert peak_memory(6_000) < 50  # MB; it was 2,800
    assert peak_memory(40_000) < 150  # it wanted 11.9 GiB for one of its arrays


@pytest.mark.parametrize("count", [8, 30, CHUNK_CORNERS])
def test_corners_are_averaged_within_the_crease_angle(count: int) -> None:
    rng = np.random.default_rng(count)
    areas = rng.normal(size=(count, 3))
    places = rng.integers(0, count, size=3 * count)  # a few at each place
    found, directions = _creased(areas, places), _unit(areas)
    for corner in rng.integers(0, 3 * count, size=40):
        others = np.flatnonzero(places == places[corner])
        near = directions[others // 3] @ directions[corner // 3] > np.cos(np.radians(35))
        expected = _unit(areas[others[near] // 3].sum(axis=0)[None])[0]
        np.testing.assert_allclose(found[corner], expected, atol=1e-12)


def test_where_too_many_meet_all_are_averaged() -> None:
    count = MAX_CORNERS_AT_PLACE + 1
    areas = np.random.default_rng(1).normal(size=(count, 3))
    places = np.arange(3 * count)
    places[::3] = 0
    np.testing.assert_allclose(_creased(areas, places)[::3], _summed(areas, places)[::3])


def test_an_empty_mesh_is_packed() -> None:
    assert pack_mesh(np.zeros((3, 3)), [[0, 1, 2]])[:8] == b"\x01\0\0\0\x01\0\0\0"
