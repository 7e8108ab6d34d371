"""Distances with meshes: exact where they are apart, and a way out where they overlap."""

from __future__ import annotations

from pathlib import Path

import coal
import numpy as np
import pytest
import trimesh
from oracles.coal_oracle import placed, to_coal
from support.solids import KINDS, make_solid

from robotix.collision.distance import RESULT_SIZE
from robotix.geometry import Array, Box, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.meshes.solids import PackedSolids, solid_distance

FAR = 10.0  # m


@pytest.fixture(scope="module")
def torus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("meshes") / "torus.obj"
    trimesh.creation.torus(0.4, 0.15, major_sections=16, minor_sections=8).export(path)
    return path


def measure(a: Shape, b: Shape, limit: float = FAR) -> Array:
    solids = PackedSolids.of([a, b])
    out = np.empty(RESULT_SIZE)
    distance = solid_distance(
        solids, 0, solids.rows[0], solids, 1, solids.rows[1], limit=limit, out=out
    )
    if np.isfinite(distance):
        assert out[0] == distance
        np.testing.assert_allclose(out[1:4] - out[4:7], distance * out[7:10], atol=1e-9)
    else:
        out[0] = distance
    return out


def coal_distance(a: Shape, b: Shape) -> float:
    result = coal.DistanceResult()
    coal.distance(
        to_coal(a), placed(a.pose), to_coal(b), placed(b.pose), coal.DistanceRequest(), result
    )
    return float(result.min_distance)


@pytest.mark.parametrize("kind", [*KINDS, "mesh"])
def test_apart_they_are_as_far_as_coal_says(torus: Path, kind: str) -> None:
    rng, apart = np.random.default_rng(7), 0
    for _ in range(60):
        ring = Mesh(str(torus), (0.5, 0.7, 0.9), Pose.from_quaternion(
            rng.uniform(-1, 1, 3), rng.normal(size=4)))  # fmt: skip
        if kind == "mesh":
            pose = Pose.from_quaternion(rng.uniform(-1, 1, 3), rng.normal(size=4))
            other: Shape = Mesh(str(torus), pose=pose)
        else:
            other = make_solid(kind, rng, spread=1.0, aligned=False)
        expected = coal_distance(ring, other)
        if expected <= 1e-6:
            continue
        apart += 1
        for pair in ((ring, other), (other, ring)):
            assert measure(*pair)[0] == pytest.approx(expected, abs=1e-6)
        assert measure(ring, other, limit=0.9 * expected)[0] == np.inf or kind == "halfspace"
    assert apart > 8


def test_concave_is_concave(torus: Path) -> None:
    ball = Sphere(0.1)  # in the hole of the ring
    assert measure(ball, Mesh(str(torus)))[0] == pytest.approx(0.15, abs=0.02)


def test_the_rounding_of_a_ball_may_enter_a_mesh(tmp_path: Path) -> None:
    """Signed and exact, as long as the centre is outside."""
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "box.stl")
    for height in (0.1, 0.02, 1e-6):
        found = measure(Sphere(0.1, Pose.at(0, 0, 0.5 + height)), Mesh(str(tmp_path / "box.stl")))
        assert found[0] == pytest.approx(height - 0.1)
        np.testing.assert_allclose(found[7:10], [0, 0, 1], atol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_what_overlaps_is_parted_by_the_way_out(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    trimesh.creation.box((0.4, 0.6, 0.2)).export(tmp_path / "box.stl")
    trimesh.creation.icosphere(2, 0.1).export(tmp_path / "ball.stl")
    solid = Mesh(
        str(tmp_path / "box.stl"), pose=Pose.from_quaternion([0, 0, 0], rng.normal(size=4))
    )
    at = Pose.from_quaternion(rng.uniform(-0.15, 0.15, 3), rng.normal(size=4))
    for inner in (
        Sphere(0.1, at),
        Box(np.full(3, 0.15), at),
        Mesh(str(tmp_path / "ball.stl"), pose=at),
    ):
        found = measure(inner, solid)
        if found[0] > 0:
            continue
        moved = Pose(at.rotation, at.translation + (1e-6 - found[0]) * found[7:10])
        assert coal_distance(type(inner)(**{**vars(inner), "pose": moved}), solid) >= 0.0
        assert -found[0] < 0.6  # it does not ask for more than it takes to be out


def test_the_floor_is_signed(torus: Path) -> None:
    found = measure(Mesh(str(torus), pose=Pose.at(0, 0, 0.05)), Halfspace())
    assert found[0] == pytest.approx(-0.1, abs=0.01)
