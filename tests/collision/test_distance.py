"""Laws of the signed distance, on random pairs of solids and on those that break formulas."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.solids import PAIRS, depth_in, make_pairs, slab

from robotix.collision.distance import (
    RESULT_SIZE,
    ROW_SIZE,
    distance_rows,
    nearest,
    pack_shapes,
    place_shapes,
)
from robotix.errors import BadModel
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere

every_pair = pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
near_and_far = pytest.mark.parametrize("spread", [0.3, 1.5], ids=["near", "far"])

Kinds = tuple[str, str]


def box(x: float, y: float, z: float, pose: Pose | None = None) -> Box:
    return Box(np.array([x, y, z]), pose if pose is not None else Pose())


def shifted(shape: Shape, step: Array) -> Shape:
    return replace(shape, pose=Pose(translation=step) @ shape.pose)


def distances(rows_a: Array, rows_b: Array) -> Array:
    out = np.empty((len(rows_a), RESULT_SIZE))
    distance_rows(rows_a, rows_b, np.tile(np.arange(len(rows_a)), (2, 1)).T, out)
    return out[:, 0]


@near_and_far
@every_pair
def test_points_lie_on_the_surfaces_and_differ_by_the_distance(kinds: Kinds, spread: float) -> None:
    for a, b in make_pairs(kinds, 100, spread=spread):
        found = nearest(a, b)
        step = found.distance * found.normal
        assert np.linalg.norm(found.normal) == pytest.approx(1, abs=1e-12)
        np.testing.assert_allclose(found.point_a - found.point_b, step, rtol=0, atol=1e-12)
        assert depth_in(a, found.point_a) == pytest.approx(0, abs=1e-8)
        assert depth_in(b, found.point_b) == pytest.approx(0, abs=1e-8)


@near_and_far
@every_pair
def test_the_slab_across_the_normal_is_as_wide_as_the_distance(kinds: Kinds, spread: float) -> None:
    """Proves that no points are nearer; in an overlap, that this step does free the solids."""
    for a, b in make_pairs(kinds, 100, spread=spread):
        found = nearest(a, b)
        assert slab(a, b, found.normal) == pytest.approx(found.distance, abs=1e-7)


@every_pair
def test_no_other_direction_is_a_shorter_way_out(kinds: Kinds) -> None:
    k = np.arange(2000) + 0.5
    polar, turn = np.arccos(1 - k / 1000), math.pi * (1 + math.sqrt(5)) * k
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros(2000)], axis=1)
    directions = np.sin(polar)[:, None] * ring + np.cos(polar)[:, None] * [0.0, 0.0, 1.0]
    for a, b in make_pairs(kinds, 100, spread=0.2):
        assert slab(a, b, directions).max() <= nearest(a, b).distance + 1e-9


@near_and_far
@every_pair
def test_order_does_not_matter(kinds: Kinds, spread: float) -> None:
    for a, b in make_pairs(kinds, 50, spread=spread):
        one, other = nearest(a, b), nearest(b, a)
        assert one.distance == pytest.approx(other.distance, abs=1e-9)
        if kinds[0] != kinds[1]:  # then even the points are the same, to the last bit
            np.testing.assert_array_equal(one.point_a, other.point_b)
            np.testing.assert_array_equal(one.normal, -other.normal)


@near_and_far
@every_pair
def test_the_place_of_both_does_not_matter(kinds: Kinds, spread: float) -> None:
    away = Pose.at(1000.0, -700.0, 300.0, rpy=(0.3, -1.2, 2.0))
    for a, b in make_pairs(kinds, 50, spread=spread):
        there = nearest(a, b, world_from_a=away, world_from_b=away)
        assert there.distance == pytest.approx(nearest(a, b).distance, abs=1e-9)
        assert depth_in(a, away.inverse().apply(there.point_a)) == pytest.approx(0, abs=1e-8)


@near_and_far
@every_pair
def test_moving_off_along_the_normal_adds_to_the_distance(kinds: Kinds, spread: float) -> None:
    for a, b in make_pairs(kinds, 50, spread=spread):
        found = nearest(a, b)
        off = nearest(shifted(a, 0.01 * found.normal), b)
        assert off.distance == pytest.approx(found.distance + 0.01, abs=1e-8)


@every_pair
def test_the_normal_is_the_slope_of_the_distance(kinds: Kinds) -> None:
    rng, h, off = np.random.default_rng(0), 1e-6, []
    for a, b in make_pairs(kinds, 200, spread=1.0)[::2]:
        step = h * rng.normal(size=3)
        ends = [nearest(shifted(a, s * step), b).distance for s in (-0.5, 0.5)]
        off.append(abs(ends[1] - ends[0] - step @ nearest(a, b).normal) / h)
    assert np.quantile(off, 0.95) < 1e-3  # the rest is near a ridge, where there are two slopes


@every_pair
def test_the_distance_never_jumps(kinds: Kinds) -> None:
    """Whichever way one solid goes through the other, in or out of contact."""
    rng = np.random.default_rng(1)
    for a, b in make_pairs(kinds, 20, spread=0.3):
        direction = rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        way = np.linspace(-2, 2, 1001)
        rows_a, rows_b = (np.repeat(pack_shapes([shape]), len(way), axis=0) for shape in (a, b))
        rows_a[:, -3:] += way[:, None] * direction
        assert np.abs(np.diff(distances(rows_a, rows_b))).max() <= way[1] - way[0] + 1e-8


def test_crossing_capsules_are_as_deep_as_both_radii() -> None:
    found = nearest(Capsule(0.1, 1.0), Capsule(0.2, 1.0, Pose.at(0, 0, 0, rpy=(math.pi / 2, 0, 0))))
    assert found.distance == pytest.approx(-0.3, abs=1e-15)
    assert abs(found.normal[0]) == pytest.approx(1)


@pytest.mark.parametrize("tilt", [0.0, 1e-16, 1e-12, 1e-9, 1e-6])
def test_parallel_capsules_are_nearest_in_the_middle_of_their_overlap(tilt: float) -> None:
    other = Capsule(0.1, 1.0, Pose.at(0.5, 0, 0.4, rpy=(0, tilt, 0)))
    found = nearest(Capsule(0.1, 1.0), other)
    assert found.distance == pytest.approx(0.3, abs=max(1e-15, tilt))
    if tilt < 1e-13:
        np.testing.assert_allclose(found.point_a, [0.1, 0, 0.2], atol=1e-12)
    else:
        assert -0.1 - 1e-9 <= found.point_a[2] <= 0.5 + 1e-9


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_capsules_in_line_are_as_deep_as_both_radii(shift: float) -> None:
    found = nearest(Capsule(0.1, 1.0), Capsule(0.2, 1.0, Pose.at(0, 0, shift)))
    assert found.distance == pytest.approx(-0.3, abs=1e-15)
    assert found.normal[2] == pytest.approx(0)


SAME_CENTRE = [
    (Sphere(0.1), Sphere(0.2), -0.3),
    (Sphere(0.1), Capsule(0.2, 1.0), -0.3),
    (Sphere(0.1), box(0.2, 0.4, 0.6), -0.2),
    (Sphere(0.1), Cylinder(0.2, 1.0), -0.3),
    (Sphere(0.1), Cylinder(0.2, 0.1), -0.15),
    (Capsule(0.1, 1.0), box(0.2, 0.4, 0.6), -0.2),
    (Capsule(0.1, 1.0), Cylinder(0.2, 1.0), -0.3),
    (box(0.2, 0.4, 0.6), box(0.2, 0.4, 0.6), -0.2),
    (box(0.2, 0.4, 0.6), Cylinder(0.2, 0.6), -0.3),
    (Cylinder(0.2, 1.0), Cylinder(0.1, 1.0), -0.3),
    (Sphere(0.1), Halfspace(), -0.1),
    (box(0.2, 0.4, 0.6), Halfspace(), -0.3),
]


@pytest.mark.parametrize(("a", "b", "distance"), SAME_CENTRE)
def test_solids_with_one_centre(a: Shape, b: Shape, distance: float) -> None:
    assert nearest(a, b).distance == pytest.approx(distance, abs=1e-12)


TOUCHING = [
    (box(1, 1, 1), box(1, 1, 1, pose=Pose.at(1, 0, 0))),  # face to face
    (box(1, 1, 1), box(1, 1, 1, pose=Pose.at(1, 1, 0))),  # edge to edge
    (box(1, 1, 1), box(1, 1, 1, pose=Pose.at(1, 1, 1))),  # corner to corner
    (box(1, 1, 1), box(3, 3, 1, pose=Pose.at(0.7, -0.7, 1))),
    (Cylinder(0.5, 1.0), box(1, 1, 1, pose=Pose.at(1, 0, 0))),
    (Cylinder(0.5, 1.0), Cylinder(0.5, 1.0, Pose.at(1, 0, 0))),  # side to side
    (Cylinder(0.5, 1.0), Cylinder(0.5, 1.0, Pose.at(0.2, 0, 1))),  # cap to cap
    (Cylinder(0.5, 1.0), Cylinder(0.5, 1.0, Pose.at(1, 0, 0, rpy=(math.pi / 2, 0, 0)))),
    (Cylinder(0.5, 1.0), Halfspace(Pose.at(0, 0, -0.5))),
    (Capsule(0.5, 1.0), box(1, 1, 1, pose=Pose.at(1, 0, 0))),
    (Sphere(0.5), Sphere(0.5, Pose.at(0, 1, 0))),
]


@pytest.mark.parametrize(("a", "b"), TOUCHING)
@pytest.mark.parametrize("gap", [0.0, 1e-15, 1e-12, 1e-9, 1e-6])
def test_touching_solids(a: Shape, b: Shape, gap: float) -> None:
    found = nearest(a, b)
    assert found.distance == pytest.approx(0, abs=1e-12)
    apart, deeper = (nearest(shifted(a, s * gap * found.normal), b) for s in (1, -1))
    assert apart.distance == pytest.approx(gap, abs=1e-12)
    assert -gap - 1e-12 <= deeper.distance <= 1e-12  # 0 where an edge slides over a face
    for other in (apart, deeper):
        assert slab(a, b, other.normal) == pytest.approx(0, abs=2 * gap + 1e-6)


def test_a_thin_coin_through_a_thin_plate_overlaps() -> None:
    """No edge of the plate meets the coin, no axis, no outermost point: only the slab tells."""
    coin = Cylinder(0.5, 0.01, Pose.at(0, 0, 0.2, rpy=(math.pi / 2, 0, 0)))
    plate = box(3.0, 3.0, 0.02)
    assert nearest(coin, plate).distance == pytest.approx(-0.31, abs=1e-9)


def test_a_needle_through_a_plate_overlaps() -> None:
    found = nearest(box(0.01, 0.01, 2.0), box(3.0, 3.0, 0.02, pose=Pose.at(0.1, 0, 0)))
    assert found.distance == pytest.approx(-1.01, abs=1e-12)


def test_a_box_flat_on_the_floor_stands_on_its_middle() -> None:
    found = nearest(box(1, 2, 3, pose=Pose.at(4, 5, 1.6)), Halfspace())
    assert found.distance == pytest.approx(0.1)
    np.testing.assert_allclose(found.point_a, [4, 5, 0.1], atol=1e-12)
    np.testing.assert_allclose(found.point_b, [4, 5, 0], atol=1e-12)


def test_two_halfspaces_are_never_near() -> None:
    assert nearest(Halfspace(), Halfspace(Pose.at(0, 0, 1))).distance == math.inf


def test_a_mesh_is_refused_with_advice() -> None:
    with pytest.raises(BadModel, match=r"mesh 'cup\.stl': has no exact distance; give the body"):
        nearest(Mesh("cup.stl"), Sphere(1.0))


def test_rows_follow_their_bodies() -> None:
    rng = np.random.default_rng(2)
    bodies = [Pose.from_quaternion(rng.normal(size=3), rng.normal(size=4)) for _ in range(3)]
    pairs = [pair for kinds in PAIRS for pair in make_pairs(kinds, 4, spread=0.5)]
    index = rng.integers(0, 3, size=len(pairs))
    world_from_body = np.array([[*body.rotation.flat, *body.translation] for body in bodies])
    local = pack_shapes(a for a, _ in pairs)
    rows = np.empty((len(pairs), ROW_SIZE))
    place_shapes(local, index, world_from_body, rows)
    found = distances(rows, pack_shapes(b for _, b in pairs))
    for (a, b), body, distance in zip(pairs, index, found, strict=True):
        posed = replace(a, pose=bodies[body] @ a.pose)
        assert distance == pytest.approx(nearest(posed, b).distance, abs=1e-9)
        assert distance == nearest(a, b, world_from_a=bodies[body]).distance


def test_no_solids_make_no_rows() -> None:
    assert pack_shapes([]).shape == (0, ROW_SIZE)


@st.composite
def solids(draw: st.DrawFn, *, smallest: float, largest: float) -> Shape:
    """Solids with sizes and places in wide ranges, many of them round numbers."""
    size = st.floats(smallest, largest) | st.sampled_from([smallest, 0.5, 1.0])
    place = st.floats(-largest, largest) | st.sampled_from([-1.0, 0.0, 0.5, 1.0])
    turn = st.floats(-1, 1) | st.sampled_from([-1.0, 0.0, 1e-9, 1.0])
    quaternion = np.array([draw(turn) for _ in range(4)])
    quaternion[0] += not quaternion.any()
    pose = Pose.from_quaternion([draw(place) for _ in range(3)], quaternion)
    x, y, z = draw(size), draw(size), draw(size)
    made: list[Shape] = [Sphere(x, pose), Capsule(x, y, pose), Cylinder(x, y, pose)]
    return draw(st.sampled_from([*made, box(x, y, z, pose=pose), Halfspace(pose)]))


@given(a=solids(smallest=1e-9, largest=1e3), b=solids(smallest=1e-9, largest=1e3))
def test_laws_hold_from_nanometres_to_kilometres(a: Shape, b: Shape) -> None:
    if isinstance(a, Halfspace) and isinstance(b, Halfspace):
        return
    found = nearest(a, b)
    assert np.linalg.norm(found.normal) == pytest.approx(1, abs=1e-12)
    step = found.distance * found.normal
    np.testing.assert_allclose(found.point_a - found.point_b, step, rtol=0, atol=1e-11)
    assert slab(a, b, found.normal) == pytest.approx(found.distance, abs=1e-5)
    assert nearest(b, a).distance == pytest.approx(found.distance, abs=1e-8)


@given(a=solids(smallest=5e-324, largest=1e100), b=solids(smallest=5e-324, largest=1e100))
def test_nothing_is_ever_not_a_number(a: Shape, b: Shape) -> None:
    found = nearest(a, b)
    assert not math.isnan(found.distance)
    assert np.isfinite([*found.point_a, *found.point_b]).all()
    assert np.linalg.norm(found.normal) == pytest.approx(1, abs=1e-9)
