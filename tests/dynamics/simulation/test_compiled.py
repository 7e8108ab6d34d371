"""Compiled worlds: which matrices the solver uses, and what is mounted on a mechanism."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from support.ropes import LENGTH, MASS, rope

from robotix.dynamics.simulation import (
    EXACT,
    BallJoint,
    Mechanism,
    MountedObject,
    RigidObject,
    Simulation,
    World,
)
from robotix.errors import UnknownName
from robotix.geometry import Box, Pose, Sphere

DENSE, SPARSE = mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE


def boxes(count: int) -> tuple[RigidObject, ...]:
    cube = (Box(np.array([0.1, 0.1, 0.1])),)
    return tuple(RigidObject(f"box{k}", cube, Pose.at(0.3 * k, 0, 0)) for k in range(count))


@pytest.mark.parametrize(
    ("objects", "mechanisms", "matrices"),
    [(10, 0, DENSE), (10, 2, DENSE), (40, 1, SPARSE), (40, 2, DENSE)],
)
def test_sparse_matrices_are_for_large_worlds_with_one_mechanism(
    objects: int, mechanisms: int, matrices: mujoco.mjtJacobian
) -> None:
    ropes = [
        Mechanism(f"rope{k}", rope(3, floating=True), Pose.at(0, 1 + k, 0))
        for k in range(mechanisms)
    ]
    simulation = Simulation(World(boxes(objects), tuple(ropes)))
    assert simulation.model.opt.jacobian == matrices


def test_the_solver_converges_where_two_mechanisms_are_connected() -> None:
    ropes = [Mechanism(f"rope{k}", rope(30, floating=True), Pose.at(0.1 * k, 0, 0)) for k in (0, 1)]
    simulation = Simulation(World(mechanisms=tuple(ropes)), EXACT)
    for link in ("link0", "link29"):
        simulation.connect(f"rope0/{link}", f"rope1/{link}", BallJoint(np.array([0.05, 0, 0])))
    simulation.step(5)
    assert simulation.data.solver_niter.max() < 20


def test_a_tool_weighs_and_moves_with_its_body() -> None:
    ball = RigidObject("ball", (Sphere(0.05),), Pose.at(0, 0, -LENGTH), mass=0.7)
    weightless = RigidObject("hull", (Sphere(0.1),), mobility="static")
    part = Mechanism(
        "rope",
        rope(2, floating=True),
        mounted=(MountedObject("link1", ball), MountedObject("link0", weightless)),
    )
    simulation = Simulation(World(mechanisms=(part,)), EXACT)
    assert simulation.momentum().mass == pytest.approx(2 * MASS + 0.7)
    simulation.set_state("rope", [0, 0, 0, 0, 0, 0, 0.4], np.full(7, 0.5))
    simulation.step(100)
    tool = simulation.pose("rope/link1").apply((0, 0, -LENGTH))
    np.testing.assert_allclose(simulation.pose("ball").translation, tool, atol=1e-12)
    assert simulation.link_table().row("ball").parent == "rope/link1"
    with pytest.raises(UnknownName, match="link9"):
        Mechanism("rope", rope(2), mounted=(MountedObject("link9", ball),))
