"""Frames hold what changed, and rotations survive them; meshes get the normals they should have."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.served_room import Frame

from robotix.geometry import Array, exp_rotation, rotation_from_quaternion
from robotix.server.live.frames import Frames, pack_poses
from robotix.server.live.mesh_data import DataStore, pack_mesh

turns = st.tuples(*[st.floats(-4, 4)] * 3)


def rows(*vectors: tuple[float, float, float]) -> Array:
    world = np.zeros((len(vectors), 13))
    for row, vector in zip(world, vectors, strict=True):
        row[:9], row[9:12], row[12] = exp_rotation(vector).ravel(), vector, 2.0
    return world


@given(st.lists(turns, min_size=1, max_size=5))
def test_rotations_come_through(vectors: list[tuple[float, float, float]]) -> None:
    places = pack_poses(rows(*vectors)).astype(float)
    for place, vector in zip(places, vectors, strict=True):
        x, y, z, w = place[3:7]
        rotation = rotation_from_quaternion([w, x, y, z])
        np.testing.assert_allclose(rotation, exp_rotation(vector), atol=2e-6)
        np.testing.assert_allclose(place[:3], vector, rtol=1e-6, atol=1e-30)
        assert place[7] == 2.0


@pytest.mark.parametrize("axis", [(np.pi, 0, 0), (0, np.pi, 0), (0, 0, np.pi), (0, 0, 0)])
def test_half_turns_come_through(axis: tuple[float, float, float]) -> None:
    x, y, z, w = pack_poses(rows(axis))[0, 3:7].astype(float)
    np.testing.assert_allclose(
        rotation_from_quaternion([w, x, y, z]), exp_rotation(axis), atol=1e-6
    )


def test_a_frame_holds_what_the_page_has_not_seen() -> None:
    frames = Frames()
    world = rows((0, 0, 0), (1, 0, 0), (2, 0, 0))
    frames.update(world, structure=4, tick=1, time=0.1)
    first = Frame.decode(frames.encode())
    assert (first.structure, first.tick, first.time, set(first.places)) == (4, 1, 0.1, {0, 1, 2})
    seen = frames.number
    for tick, row in ((2, 1), (3, 2)):
        world = world.copy()
        world[row, 9] += 1
        frames.update(world, structure=4, tick=tick, time=0.2)
    assert set(Frame.decode(frames.encode(seen)).places) == {1, 2}  # both, though one was missed
    assert set(Frame.decode(frames.encode(seen + 1)).places) == {2}
    assert not frames.has_changes(frames.number) and frames.has_changes(seen)
    assert frames.encode(seen) is frames.encode(seen)  # pages in step share the bytes
    frames.update(world[:2], structure=5, tick=4, time=0.3)
    assert set(Frame.decode(frames.encode(seen)).places) == {0, 1}  # others: all is new


# -- meshes ---------------------------------------------------------------------------------

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def unpacked(data: bytes) -> tuple[Array, Array, Array]:
    n, m = struct.unpack_from("<II", data)
    floats = np.frombuffer(data, "<f4", 6 * n, 8).reshape(2, n, 3).astype(float)
    return floats[0], floats[1], np.frombuffer(data, "<u4", 3 * m, 8 + 24 * n).reshape(m, 3)


def test_a_cube_has_sharp_edges() -> None:
    positions, normals, faces = unpacked(pack_mesh(CORNERS, FACES))
    assert len(positions) == 24 and len(faces) == 12
    for face in faces:
        a, b, c = positions[face]
        flat = np.cross(b - a, c - a)
        for normal in normals[face]:
            np.testing.assert_allclose(normal, flat / np.linalg.norm(flat), atol=1e-6)


def test_a_ball_is_smooth_even_if_its_triangles_share_nothing() -> None:
    angles = np.linspace(0, 2 * np.pi, 33)[:-1]
    ring = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    top = ring + np.array([0.0, 0.0, 1.0])
    soup: list[Array] = []
    faces: list[list[int]] = []
    for i in range(32):
        j = (i + 1) % 32
        for triangle in ((ring[i], ring[j], top[j]), (ring[i], top[j], top[i])):
            faces.append([len(soup), len(soup) + 1, len(soup) + 2])
            soup += triangle
    positions, normals, packed = unpacked(pack_mesh(soup, faces))
    assert len(packed) == 64 and len(positions) == 64  # each corner once
    outward = positions * [1.0, 1.0, 0.0]
    assert ((normals * outward).sum(axis=1) > 0.99).all()


def test_triangles_without_area_do_no_harm() -> None:
    _, normals, _ = unpacked(pack_mesh(np.zeros((3, 3)), [[0, 1, 2]]))
    assert np.isfinite(normals).all()


def test_the_same_bytes_have_the_same_key() -> None:
    store = DataStore()
    key = store.add_mesh(CORNERS, FACES)
    assert store.add_mesh(CORNERS, FACES) == key
    assert store.add_mesh(CORNERS * 2, FACES) != key
    found = store.get(key)
    assert found is not None and found == pack_mesh(CORNERS, FACES)
    assert store.get("none") is None
