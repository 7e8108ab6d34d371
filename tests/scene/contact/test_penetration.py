"""Meshes: exact distances, and what is inside of them."""

from itertools import product
from pathlib import Path

import coal
import numpy as np
import pytest
import trimesh
from oracles.coal_oracle import placed, to_coal
from support.contact_rooms import cuboid, random_pose, room
from support.solids import KINDS, depth_in, make_solid

from robotix.collision.distance import Nearest, nearest
from robotix.errors import BadFile
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere

SIZE = np.array([0.4, 0.6, 0.2])
BALL = Sphere(0.5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of small meshes."""
    folder = tmp_path_factory.mktemp("meshes")
    box = trimesh.creation.box(SIZE)
    torus = trimesh.creation.torus(0.4, 0.15, major_sections=16, minor_sections=8)
    ring = torus.copy().apply_translation((3, 0, 0))
    two = trimesh.util.concatenate([trimesh.creation.box((1, 1, 1)), ring])
    inverted = box.copy()
    inverted.invert()
    opened = trimesh.Trimesh(box.vertices, box.faces[:-1])
    meshes = {"box": box, "torus": torus, "two": two, "inverted": inverted, "opened": opened}
    for name, mesh in meshes.items():
        mesh.export(folder / f"{name}.obj")
    return folder


def mesh(folder: Path, name: str, **arguments: object) -> Mesh:
    return Mesh(str(folder / f"{name}.obj"), **arguments)  # type: ignore[arg-type]


def check_shape_of(found: Nearest) -> None:
    """What holds for every answer."""
    np.testing.assert_allclose(
        found.point_a - found.point_b, found.distance * found.normal, atol=1e-9
    )
    assert np.linalg.norm(found.normal) == pytest.approx(1.0)


# -- exactness --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_mesh_of_a_box_is_as_far_as_the_box(folder: Path, kind: str) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    for k in range(120):
        solid = make_solid(kind, rng, spread=0.8, aligned=bool(k % 2))
        scale = float(np.exp(rng.uniform(-1, 1)))
        graph, contacts = room(mesh=mesh(folder, "box", pose=random_pose(rng, 0.3)), solid=solid)
        graph["mesh"].pose = random_pose(rng, 0.5)
        graph.local[graph["mesh"].row, 12] = scale
        graph.mark_moved()
        turn, own = graph["mesh"].world_pose, graph["mesh"].solids[0].pose
        box = Box(
            scale * SIZE,
            Pose(
                turn.rotation @ own.rotation,
                turn.rotation @ (scale * own.translation) + turn.translation,
            ),
        )
        expected, found = nearest(box, solid), contacts.distance("mesh", "solid")
        exact = expected.distance if kind == "halfspace" else max(expected.distance, 0.0)
        assert found.distance == pytest.approx(exact, abs=1e-9)
        assert contacts.touching("mesh", "solid") == (expected.distance <= 1e-9)
        check_shape_of(found)
        for point, body in ((found.point_a, box), (found.point_b, solid)):
            assert depth_in(body, point) > -1e-9
        back = contacts.distance("solid", "mesh")
        assert back.distance == pytest.approx(found.distance, abs=1e-12)
        np.testing.assert_allclose(back.point_a, found.point_b, atol=1e-9)


def test_meshes_of_boxes_are_as_far_as_the_boxes(folder: Path) -> None:
    rng = np.random.default_rng(1)
    graph, contacts = room(a=mesh(folder, "box"), b=mesh(folder, "box"))
    for _ in range(200):
        poses = random_pose(rng, 0.5), random_pose(rng, 0.5)
        graph["a"].pose, graph["b"].pose = poses
        expected = nearest(Box(SIZE, poses[0]), Box(SIZE, poses[1]))
        found = contacts.distance("a", "b")
        assert found.distance == pytest.approx(max(expected.distance, 0.0), abs=1e-9)
        assert contacts.touching("a", "b") == (expected.distance <= 1e-9)
        check_shape_of(found)


def coal_mesh(folder: Path, name: str) -> object:
    triangles = trimesh.load_mesh(folder / f"{name}.obj", process=False).triangles
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(triangles), 3 * len(triangles))
    for triangle in np.array(triangles, dtype=float):
        model.addTriangle(*map(np.array, triangle))
    model.endModel()
    return model


@pytest.mark.parametrize("kind", ["sphere", "capsule", "box", "cylinder", "torus"])
def test_a_hollow_mesh_agrees_with_coal(folder: Path, kind: str) -> None:
    rng, theirs = np.random.default_rng(5), coal_mesh(folder, "torus")
    request = coal.DistanceRequest()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-10, 1000
    solid = make_solid(kind, rng, spread=0.0, aligned=False) if kind != "torus" else None
    ours = solid if solid is not None else mesh(folder, "torus")
    graph, contacts = room(ring=mesh(folder, "torus"), other=ours)
    apart = 0
    for _ in range(80):
        graph["ring"].pose, graph["other"].pose = random_pose(rng, 0.4), random_pose(rng, 0.9)
        other = graph["other"].pose @ ours.pose
        result = coal.DistanceResult()
        least = coal.distance(
            theirs,
            placed(graph["ring"].pose),
            theirs if solid is None else to_coal(solid),
            placed(other),
            request,
            result,
        )
        found = contacts.distance("ring", "other")
        assert found.distance == pytest.approx(
            max(least, 0.0), abs=2e-6 if kind == "cylinder" else 1e-8
        )
        apart += least > 0
    assert 10 < apart < 80


def test_a_ball_in_the_hole_of_a_ring_does_not_touch_it(folder: Path) -> None:
    _, contacts = room(ring=mesh(folder, "torus"), ball=Sphere(0.2))
    assert not contacts.touching("ring", "ball")
    assert contacts.distance("ring", "ball").distance == pytest.approx(0.05, abs=0.02)


# -- meshes with and without an inside --------------------------------------------------------


@pytest.mark.parametrize(("name", "solid"), [("box", True), ("opened", False), ("inverted", False)])
def test_only_closed_meshes_have_an_inside(folder: Path, name: str, solid: bool) -> None:
    _, contacts = room(shell=mesh(folder, name), ball=Sphere(0.01))
    assert contacts.touching("shell", "ball") is solid
    assert (contacts.distance("ball", "shell").distance == 0.0) is solid


def test_a_mirrored_mesh_keeps_its_inside(folder: Path) -> None:
    _, contacts = room(shell=mesh(folder, "box", scale=(-2.0, 1.0, 1.0)), ball=Sphere(0.01))
    assert contacts.touching("shell", "ball")


def test_a_mesh_inside_a_solid_touches_it(folder: Path) -> None:
    _, contacts = room(shell=mesh(folder, "box"), ball=Sphere(5.0))
    assert contacts.touching("shell", "ball")


def test_a_mesh_inside_a_mesh_touches_it_by_any_of_its_pieces(folder: Path) -> None:
    graph, contacts = room(
        large=mesh(folder, "box", scale=(20.0, 20.0, 20.0)), two=mesh(folder, "two")
    )
    assert contacts.touching("large", "two") and contacts.touching("two", "large")
    graph["two"].pose = Pose.at(-6.0, 0.0, 0.0)  # the torus, the second piece, is inside
    assert contacts.touching("large", "two")
    assert contacts.distance("two", "large").distance == 0.0
    graph["two"].pose = Pose.at(-16.0, 0.0, 0.0)
    assert not contacts.touching("large", "two")


def test_a_file_that_is_bad_says_so_when_the_room_is_prepared() -> None:
    _, contacts = room(a=Mesh("nothing.obj"), b=BALL)
    for ask in (contacts.prepare, lambda: contacts.touching("a", "b")):
        with pytest.raises(BadFile):
            ask()


def test_a_mesh_is_a_region_too(folder: Path) -> None:
    rng = np.random.default_rng(4)
    ring = trimesh.load_mesh(folder / "torus.obj")
    graph, contacts = room(zone=mesh(folder, "torus"))
    graph.add("thing")
    place = graph["zone"].pose = random_pose(rng, 1.0)
    points = rng.uniform(-0.5, 0.5, (300, 3)) * (1, 1, 0.3)
    inside = _in_torus(ring, points)
    for point, expected in zip(points, inside, strict=True):
        graph["thing"].pose = Pose(translation=place.apply(point))
        assert contacts.is_inside("zone", "thing") == expected
    assert 30 < inside.sum() < 270


def _in_torus(ring: trimesh.Trimesh, points: Array) -> Array:
    """Solid angle of the whole surface, seen from each point: 4π inside (van Oosterom 1983)."""
    a, b, c = (ring.triangles[None, :, k] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=-1) for v in (a, b, c))
    ab, bc, ca = ((u * v).sum(axis=-1) for u, v in ((a, b), (b, c), (c, a)))
    volume = (a * np.cross(b, c)).sum(axis=-1)
    angle = 2 * np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb)
    return np.asarray(angle.sum(axis=1) > 2 * np.pi)


def test_every_pair_of_kinds_can_be_asked_for(folder: Path) -> None:
    solids: dict[str, Shape] = {
        "sphere": Sphere(1),
        "capsule": Capsule(1, 1),
        "cylinder": Cylinder(1, 1),
        "box": cuboid(1, 1, 1),
        "halfspace": Halfspace(),
        "mesh": mesh(folder, "torus"),
    }
    graph, contacts = room(**solids)
    twins = {f"{name}2": graph.add(f"{name}2", solids=[solid]) for name, solid in solids.items()}
    for first, second in product(solids, twins):
        two_floors = first == "halfspace" and second == "halfspace2"
        assert contacts.touching(first, second) is not two_floors
        assert (contacts.distance(first, second).distance <= 0) is not two_floors
