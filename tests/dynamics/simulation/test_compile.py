"""What a world becomes: surfaces that touch, meshes, masses."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics.simulation import (
    ContactSurface,
    Mechanism,
    RigidObject,
    Servo,
    Simulation,
    World,
)
from robotix.dynamics.simulation.bounce import LEAST_BOUNCE, contact_solref, restitution_of
from robotix.errors import BadField, BadModel
from robotix.geometry import Box, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.model import Body, Joint, Model

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
CUBE_FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def touching(one: ContactSurface, other: ContactSurface) -> Simulation:
    floor = RigidObject("floor", (Halfspace(),), mobility="static", surface=one)
    box = RigidObject(
        "box", (Box(np.full(3, 0.1)),), Pose.at(0, 0, 0.0499), mass=1.0, surface=other
    )
    simulation = Simulation(World((floor, box)))
    simulation.forward()
    return simulation


def test_the_larger_friction_and_the_smaller_restitution_hold() -> None:
    ice = ContactSurface(friction=0.1, torsion=0.02, restitution=0.9)
    rubber = ContactSurface(friction=1.2, torsion=0.01, restitution=0.4)
    for pair in ((ice, rubber), (rubber, ice)):
        simulation = touching(*pair)
        contact = simulation.data.contact[0]
        np.testing.assert_allclose(contact.friction[:3], (1.2, 1.2, 0.02))
        settings = simulation.settings
        np.testing.assert_allclose(
            contact.solref, contact_solref(0.4, settings.contact_time_constant)
        )


@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.8, 0.99])
def test_the_damping_of_a_contact_is_that_of_its_restitution(restitution: float) -> None:
    stiffness, damping = contact_solref(restitution, 0.005)
    ratio = -damping / 2 / np.sqrt(-stiffness)
    assert restitution_of(ratio) == pytest.approx(restitution, rel=1e-9)
    assert contact_solref(0.0, 0.005) == pytest.approx(contact_solref(LEAST_BOUNCE, 0.005))


def test_meshes_are_convex_parts_that_touch_and_weigh() -> None:
    shape = Mesh("cube.stl")
    asked = []

    def loader(mesh: Mesh) -> list[tuple[np.ndarray, np.ndarray]]:
        asked.append(mesh)
        return [(0.1 * CUBE, CUBE_FACES), (0.1 * CUBE + [0.1, 0, 0], CUBE_FACES)]

    floor = RigidObject("floor", (Halfspace(),), mobility="static")
    things = tuple(
        RigidObject(name, (shape,), Pose.at(x, 0, 0.02), density=500.0)
        for name, x in (("one", 0.0), ("other", 1.0))
    )
    simulation = Simulation(World((floor, *things)), meshes=loader)
    assert len(asked) == 1  # the same mesh twice
    assert simulation.model.body("one").mass[0] == pytest.approx(500 * 0.002)
    simulation.step(500)
    assert simulation.pose("other").translation[2] == pytest.approx(0.0, abs=1e-3)


def test_a_mass_is_spread_by_volume() -> None:
    shapes: tuple[Shape, ...] = (
        Sphere(0.1, pose=Pose.at(0, 0, 1)),
        Box(np.array([0.1, 0.2, 0.3])),
    )
    simulation = Simulation(World((RigidObject("thing", shapes, mass=3.0),)))
    volumes = np.array([4 / 3 * np.pi * 0.1**3, 0.006])
    assert simulation.model.body("thing").mass[0] == pytest.approx(3.0)
    height = simulation.momentum().com[2]
    assert height == pytest.approx(volumes[0] / volumes.sum(), rel=1e-6)


def test_impossible_parts_are_told() -> None:
    with pytest.raises(BadModel, match="half-space"):
        Simulation(World((RigidObject("floor", (Halfspace(),)),)))
    with pytest.raises(BadModel, match="no shape"):
        Simulation(World((RigidObject("ghost", ()),)))
    with pytest.raises(BadModel, match="name of its own"):
        World((RigidObject("a", (Sphere(1.0),)), RigidObject("a", (Sphere(1.0),))))
    with pytest.raises(BadField, match="gravity"):
        World(gravity=np.array([0.0, np.nan, 0.0]))
    fixed = Model("m", (Body("b", Joint("j"), mass=1.0),))
    with pytest.raises(BadModel, match="nothing to drive"):
        Mechanism("m", fixed, servos={"j": Servo()})
