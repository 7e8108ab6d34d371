"""Looks of robot links: smooth closed surfaces that cover the solids they stand for."""

from dataclasses import replace

import numpy as np
import pytest

from robotix.geometry import Array, Box, Capsule, Mesh, Sphere
from robotix.model import Body, Joint, Model, Visual
from robotix.model.robots import load
from robotix.visuals.looks import LinkMesh, link_looks
from robotix.visuals.surfaces import Faces

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10", "panda", "ur5", "scara", "planar_3r")


ROBOTS = (*ARMS, "vishard10", "kuka_lwr_rail")


def volume(vertices: Array, faces: Faces) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def outline(solid: Capsule | Sphere) -> Array:
    """Return points on a rod's surface, across its middle line and at its ends."""
    half = solid.length / 2 if isinstance(solid, Capsule) else 0.0
    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = solid.radius * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    rings = [ring + np.array([0, 0, z]) for z in np.linspace(-half, half, 7)]
    return solid.pose.apply(np.concatenate(rings))


@pytest.mark.parametrize("name", ROBOTS)
def test_every_link_with_solids_has_a_look(name: str) -> None:
    model = load(name)
    looks = link_looks(model)
    assert {body.name for body in model.bodies if body.visuals} <= set(looks)
    assert sum(len(part.faces) for parts in looks.values() for part in parts) < 90_000
    materials = {part.material for parts in looks.values() for part in parts}
    assert len(materials) >= 3  # shell, seams, accents


@pytest.mark.parametrize("name", ROBOTS)
def test_surfaces_are_well_formed(name: str) -> None:
    for parts in link_looks(load(name)).values():
        for part in parts:
            assert np.isfinite(part.vertices).all()
            np.testing.assert_allclose(np.linalg.norm(part.normals, axis=1), 1.0, atol=1e-6)
            assert 0 <= part.faces.min() and part.faces.max() < len(part.vertices)
            assert volume(part.vertices, part.faces) > 0  # faces look outwards
            a, b, c = (part.vertices[part.faces[:, k]] for k in range(3))
            flat = np.cross(b - a, c - a)
            mean = part.normals[part.faces].mean(axis=1)
            areas = np.linalg.norm(flat, axis=1)
            facing = np.einsum("ij,ij->i", flat, mean) > 0
            assert areas[facing].sum() > 0.97 * areas.sum()


@pytest.mark.parametrize("name", ROBOTS)
def test_shells_are_closed(name: str) -> None:
    """Every edge of a shell has a face on either side."""
    looks = link_looks(load(name))
    paint = looks["base"][0].material
    shells = [part for parts in looks.values() for part in parts if part.material == paint]
    assert len(shells) >= 3
    for shell in shells:
        edges = np.concatenate([shell.faces[:, [k, (k + 1) % 3]] for k in range(3)])
        there, back = (
            np.unique(each @ [len(shell.vertices), 1]) for each in (edges, edges[:, ::-1])
        )
        np.testing.assert_array_equal(there, back)


@pytest.mark.parametrize("name", ["kuka_lwr", "amtec_ulwr", "ur5", "vishard10"])
def test_looks_cover_the_solids_that_collide(name: str) -> None:
    """Nothing of a look is far from the solids, and next to every solid there is some look."""
    model = load(name)
    looks = link_looks(model)
    for body in model.bodies:
        solids = [s for s in body.collision if isinstance(s, Capsule | Sphere)]
        if not solids:
            continue
        drawn = np.concatenate([part.vertices for part in looks[body.name]])
        r = max(solid.radius for solid in solids)
        for point in np.concatenate([outline(solid) for solid in solids]):
            assert np.linalg.norm(drawn - point, axis=1).min() < 1.2 * r
    far = {"base": 0.16, "link1": 0.12}  # feet, and what joins links that lie apart
    for body in model.bodies[1:]:
        rods = [s for s in body.collision if isinstance(s, Capsule | Sphere)]
        drawn = np.concatenate([part.vertices for part in looks[body.name]])
        gaps = np.min([_gap(rod, drawn) for rod in rods], axis=0)
        assert gaps.max() < far.get(body.name, 0.12), body.name


def _gap(rod: Capsule | Sphere, points: Array) -> Array:
    local = rod.pose.inverse().apply(points)
    half = rod.length / 2 if isinstance(rod, Capsule) else 0.0
    local[:, 2] -= np.clip(local[:, 2], -half, half)
    return np.asarray(np.linalg.norm(local, axis=1) - rod.radius)


def test_looks_are_the_same_every_time() -> None:
    first, second = load("ur5"), replace(load("ur5"))
    looks, again = link_looks(first), link_looks(second)
    assert looks is link_looks(first) and looks is not again
    for body in looks:
        for a, b in zip(looks[body], again[body], strict=True):
            assert isinstance(a, LinkMesh)
            np.testing.assert_array_equal(a.vertices, b.vertices)
            np.testing.assert_array_equal(a.faces, b.faces)


@pytest.mark.parametrize("shape", [Mesh("hand.stl"), Box(np.full(3, 0.1))], ids=["mesh", "box"])
def test_a_robot_that_somebody_designed_keeps_its_shapes(shape: Mesh | Box) -> None:
    arm = load("planar_3r")
    hand = Body("hand", Joint("wrist"), arm.bodies[-1].name, visuals=(Visual(shape),))
    assert link_looks(arm.with_body(hand)) == {}


def test_who_walks_about_gets_no_shell() -> None:
    root = Body("pelvis", Joint("root", "floating"), visuals=(Visual(Capsule(0.1, 0.2)),))
    assert link_looks(Model("somebody", (root,))) == {}


def test_strong_colours_become_accents() -> None:
    accents = {part.material.colour for part in link_looks(load("kuka_lwr"))["link1"]}
    assert (1.0, 0.49, 0.0) in accents


def test_a_base_without_solids_becomes_a_column() -> None:
    drawn = np.concatenate([part.vertices for part in link_looks(load("vishard10"))["base"]])
    assert drawn[:, 2].min() == pytest.approx(0.0, abs=1e-6)
    assert drawn[:, 2].max() == pytest.approx(0.71, abs=0.08)


def test_the_rail_follows_its_path() -> None:
    model = load("kuka_lwr_rail")
    path = model.body("carriage").joint.path
    assert path is not None
    drawn = link_looks(model)["rail"][0].vertices
    for s in np.linspace(0, path.length, 9):
        x, y, *_ = path.at(float(s))
        assert np.linalg.norm(drawn - [x, y, 0.0], axis=1).min() < 0.05
