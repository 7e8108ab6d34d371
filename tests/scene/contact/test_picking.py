"""Rays: what they hit first, from outside, from inside, at any size."""

import gc
import math
import weakref
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from support.solids import KINDS, depth_in, make_solid

from robotix.geometry import Array, Box, Cylinder, Halfspace, Mesh, Pose, Sphere
from robotix.model import Visual
from robotix.scene.contact.picking import pick
from robotix.scene.graph.content import Region
from robotix.scene.graph.graph import Graph

DOWN = (0.0, 0.0, -1.0)
CUBE = Box(np.ones(3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("meshes")
    trimesh.creation.torus(0.4, 0.15, major_sections=16, minor_sections=8).export(
        folder / "torus.obj"
    )
    trimesh.creation.box((1, 1, 1)).export(folder / "box.obj")
    return folder


def brute_force(triangles: Array, origin: Array, direction: Array) -> float:
    """Solve for every triangle three linear equations: where the ray meets its plane."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    matrices = np.stack([b - a, c - a, np.broadcast_to(-direction, a.shape)], axis=2)
    kept = np.abs(np.linalg.det(matrices)) > 1e-14
    u, v, far = np.linalg.solve(matrices[kept], (origin - a[kept])[..., None])[..., 0].T
    met = (u >= 0) & (v >= 0) & (u + v <= 1) & (far >= 0)
    return float(far[met].min(initial=math.inf))


# -- exactness --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), exponent=st.sampled_from([-6, -2, 0, 2, 6]))
def test_a_ray_ends_on_the_first_surface(kind: str, seed: int, exponent: int) -> None:
    rng, scale = np.random.default_rng(seed), 10.0**exponent
    solid = make_solid(kind, rng, spread=0.3, aligned=bool(seed % 2))
    graph = Graph()
    graph.add("thing", scale=scale, solids=[solid])
    origin, direction = rng.uniform(-1, 1, 3), rng.normal(size=3)
    if seed % 3 == 0:
        direction = -origin  # likely to hit
    direction = direction / np.linalg.norm(direction)
    hit = pick(graph, scale * origin, direction)
    inside = depth_in(solid, origin) >= 0
    steps = np.linspace(0, 4, 80) if hit is None else np.linspace(0, hit.distance / scale, 20)[1:-1]
    depths = np.array([depth_in(solid, origin + step * direction) for step in steps])
    if hit is None:
        assert not inside or kind == "halfspace"
        assert (depths < 1e-9).all() or kind == "halfspace"
        return
    assert hit.node is graph["thing"]
    assert abs(depth_in(solid, hit.point / scale)) < 1e-9
    assert ((depths > -1e-9) if inside else (depths < 1e-9)).all()
    np.testing.assert_allclose(
        hit.point, scale * origin + hit.distance * direction, atol=1e-12 * scale
    )
    beyond = depth_in(solid, hit.point / scale - 1e-5 * hit.normal)
    before = depth_in(solid, hit.point / scale + 1e-5 * hit.normal)
    assert (beyond < before) if inside else (before < beyond)
    assert np.linalg.norm(hit.normal) == pytest.approx(1.0)
    assert hit.normal @ direction <= 1e-12


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), exponent=st.sampled_from([-6, 0, 6]))
def test_a_mesh_is_hit_where_brute_force_says(folder: Path, seed: int, exponent: int) -> None:
    rng, scale = np.random.default_rng(seed), 10.0**exponent
    graph = Graph()
    pose = Pose.from_quaternion(scale * rng.uniform(-1, 1, 3), rng.normal(size=4))
    graph.add("ring", pose=pose, scale=scale, solids=[Mesh(str(folder / "torus.obj"))])
    origin = scale * rng.uniform(-0.6, 0.6, 3) + pose.translation
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    ring = trimesh.load_mesh(folder / "torus.obj", process=False)
    triangles = pose.apply(scale * np.array(ring.triangles))
    expected = brute_force(triangles / scale, origin / scale, direction) * scale
    hit = pick(graph, origin, direction)
    assert (math.inf if hit is None else hit.distance) == pytest.approx(expected, rel=1e-6)
    if hit is not None:
        assert hit.normal @ direction <= 0


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("shape", ["box", "mesh"])
def test_rays_along_the_axes_hit_faces_edges_and_corners(
    folder: Path, shape: str, axis: int, side: float
) -> None:
    graph = Graph()
    graph.add("cube", solids=[CUBE if shape == "box" else Mesh(str(folder / "box.obj"))])
    for across in ((0.0, 0.0), (0.2, 0.2), (0.5, 0.0), (0.5, -0.5), (0.3, -0.3)):
        origin = np.insert(np.array(across), axis, -2.0 * side)
        direction = np.eye(3)[axis] * side
        hit = pick(graph, origin, direction)
        assert hit is not None and hit.distance == pytest.approx(1.5)
        if max(map(abs, across)) < 0.5:
            np.testing.assert_allclose(hit.normal, -direction, atol=1e-12)
        inner = pick(graph, np.insert(0.9 * np.array(across), axis, 0.0), direction)
        assert inner is not None and inner.distance == pytest.approx(0.5)


def test_a_ray_parallel_to_a_face_beside_it_misses(folder: Path) -> None:
    graph = Graph()
    graph.add("cube", solids=[CUBE, Cylinder(0.5, 1.0), Mesh(str(folder / "box.obj"))])
    graph.add("floor", pose=Pose.at(0, 0, -0.6), solids=[Halfspace()])
    assert pick(graph, (-2, 0, 0.5 + 1e-6), (1, 0, 0)) is None
    assert pick(graph, (0.5 + 1e-6, 0, 2), DOWN) is not None  # the floor
    assert pick(graph, (-2, 0, 0.5 - 1e-6), (1, 0, 0)) is not None


def test_far_away_things_are_hit_to_the_last_digits() -> None:
    graph = Graph()
    graph.add("ball", pose=Pose.at(1e6, 0, 0), solids=[Sphere(1e-3)])
    hit = pick(graph, (0, 0, 0), (1, 0, 0))
    assert hit is not None and hit.distance == pytest.approx(1e6 - 1e-3, abs=1e-9)


# -- what is looked at ------------------------------------------------------------------------


def tower() -> Graph:
    graph = Graph()
    graph.add("low", solids=[CUBE])
    graph.add("group", pose=Pose.at(0, 0, 2))
    graph.add("high", parent="group", solids=[CUBE])
    return graph


def picked(graph: Graph, **options: float) -> str | None:
    hit = pick(graph, (0.1, 0.2, 9), DOWN, **options)
    return hit.node.name if hit is not None else None


def test_the_nearest_node_is_picked() -> None:
    assert picked(tower()) == "high"


def test_hidden_and_unpickable_nodes_are_looked_through() -> None:
    graph = tower()
    graph["group"].set(visible=False)
    assert picked(graph) == "low"
    graph["group"].set(visible=True, pickable=False)  # which is its own matter
    assert picked(graph) == "high"
    graph["high"].set(pickable=False)
    assert picked(graph) == "low"
    graph["low"].set(visible=False)
    assert picked(graph) is None


def test_regions_are_air() -> None:
    graph = tower()
    graph.add("zone", solids=[Box(np.full(3, 10.0))], content=Region())
    assert picked(graph) == "high"


def test_visuals_count_before_solids() -> None:
    graph = tower()
    graph.add("thin", pose=Pose.at(0, 0, 4), solids=[CUBE], visuals=[Visual(Sphere(0.1))])
    assert picked(graph) == "high"
    graph["thin"].visuals = (Visual(Sphere(0.4)),)
    graph["thin"].touch()
    assert picked(graph) == "thin"


def test_what_cannot_be_read_is_picked_by_its_solids_or_not_at_all() -> None:
    graph = tower()
    lost = [Visual(Mesh("nothing.dae"))]
    graph.add("top", pose=Pose.at(0, 0, 6), visuals=lost)
    assert picked(graph) == "high"
    graph.add("lid", pose=Pose.at(0, 0, 4), visuals=lost, solids=[CUBE])
    assert picked(graph) == "lid"


def test_picking_does_not_keep_a_room_alive() -> None:
    graph = tower()
    assert picked(graph) == "high"
    gone = weakref.ref(graph)
    del graph
    gc.collect()
    assert gone() is None


def test_reach_is_a_limit() -> None:
    assert picked(tower(), reach=6.4) is None
    assert picked(tower(), reach=6.6) == "high"


@pytest.mark.parametrize("direction", [(0, 0, -1e-200), (0, 0, -1e200)])
def test_directions_may_have_any_length(direction: tuple[float, float, float]) -> None:
    hit = pick(tower(), (0, 0, 9), direction)
    assert hit is not None and hit.distance == pytest.approx(6.5)


@pytest.mark.parametrize("direction", [(0, 0, 0), (0, 0, math.nan), (1, 0)])
def test_a_ray_needs_a_direction(direction: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="direction of a ray"):
        pick(tower(), (0, 0, 9), direction)
