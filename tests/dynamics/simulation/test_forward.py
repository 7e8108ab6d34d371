"""Accelerations of robots and of random trees, against Pinocchio."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from oracles.pin_dynamics import EffortOracle
from oracles.pin_oracle import build
from support.public_robots import public_urdfs
from support.random_trees import make_random_tree, random_posture

from robotix.dynamics.simulation import EXACT, Mechanism, Simulation, World
from robotix.geometry import Pose, exp_rotation
from robotix.model import Body, Model
from robotix.model.robots import load
from robotix.model.urdf.reader import load_urdf

LIBRARY = [
    "amtec_ulwr", "human", "kuka_lwr", "mitsubishi_pa10", "panda", "planar_3r", "scara", "ur5",
    "vhrp26", "vishard10",
]  # fmt: skip
FIXED = {
    key: False
    for key in (
        "xarm_description/urdf/xarm7.urdf",
        "ur_description/urdf/ur10_robot.urdf",
        "ur_description/urdf/ur3_gripper.urdf",
        "kinova_description/robots/kinova.urdf",
    )
}
FLOATING = {
    key: True
    for key in (
        "go2_description/urdf/go2.urdf",
        "solo_description/robots/solo12.urdf",
        "talos_data/robots/talos_reduced.urdf",
        "icub_description/robots/icub_reduced.urdf",
        "romeo_description/urdf/romeo.urdf",
        "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    )
}
# Public robots that differ, and why; see the validation page.
IMPOSSIBLE_INERTIAS = {
    "alex_psyonic_hands", "allegro_left_hand", "allegro_right_hand", "hyq_no_sensors",
    "romeo_laas_small", "romeo_small",
}  # fmt: skip
MIMICS = {
    "baxter", "panda", "panda_collision", "pr2", "talos_full_v2", "talos_full_v2_box", "tiago_pro"
}  # fmt: skip
LIGHT_PARTS = {"TwoDofs", "borinot_flying_arm_2", "bolt"}  # inertia without mass, or 1e-9 at most
UNREADABLE = {"ur3"}
TREES = 50
JOINTS = ("revolute", "revolute", "prismatic", "fixed")
TOLERANCE = 1e-9  # of the efforts without acceleration


def check_accelerations(
    model: Model, rng: np.random.Generator, *, states: int = 2, tolerance: float = TOLERANCE
) -> None:
    """Nothing drives the joints, so Pinocchio must find no efforts for the accelerations."""
    base = Pose.at(1.0, -2.0, 0.5)
    world = World(mechanisms=(Mechanism("robot", model, base),), gravity=model.gravity)
    simulation, theirs = Simulation(world, EXACT), build(model)
    for _ in range(states):
        q, dq = random_posture(model, rng), rng.normal(size=model.n_dof)
        simulation.set_state("robot", q, dq)
        simulation.forward()
        oracle = EffortOracle(model, theirs, q=q, dq=dq)
        weight = max(abs(oracle.efforts(0 * dq)).max(), 1e-3)
        left = oracle.efforts(simulation.accelerations("robot"))
        np.testing.assert_allclose(left, 0.0, atol=tolerance * weight)


@pytest.mark.parametrize("name", LIBRARY)
def test_library_robots_accelerate_as_in_pinocchio(name: str) -> None:
    check_accelerations(load(name), np.random.default_rng(1))


@pytest.mark.parametrize(("key", "floating"), (FIXED | FLOATING).items())
def test_public_robots_accelerate_as_in_pinocchio(key: str, floating: bool) -> None:
    model = load_urdf(public_urdfs()[key], floating=floating)
    check_accelerations(model, np.random.default_rng(2))


@pytest.mark.parametrize("seed", range(TREES))
def test_random_trees_accelerate_as_in_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = make_random_tree(rng, kinds=JOINTS)
    check_accelerations(replace(tree, bodies=tuple(map(with_mass, tree.bodies))), rng)


def with_mass(body: Body) -> Body:
    """Return a body that weighs something: what moves without mass has no acceleration."""
    return body if body.mass else replace(body, mass=1.0, inertia=0.01 * np.eye(3))


def test_the_pose_of_the_base_turns_gravity() -> None:
    model = load("panda")
    turned = Pose(exp_rotation((np.pi / 2, 0, 0)), np.zeros(3))
    upright = Simulation(World(mechanisms=(Mechanism("robot", model),)), EXACT)
    lying = Simulation(World(mechanisms=(Mechanism("robot", model, turned),)), EXACT)
    pulled = Simulation(
        World(mechanisms=(Mechanism("robot", model),), gravity=turned.rotation.T @ model.gravity),
        EXACT,
    )
    for simulation in (upright, lying, pulled):
        simulation.forward()
    ours = lying.accelerations("robot")
    np.testing.assert_allclose(ours, pulled.accelerations("robot"), rtol=1e-9)
    assert abs(ours - upright.accelerations("robot")).max() > 1.0


@pytest.mark.soak
def test_all_public_robots_with_a_fixed_root_accelerate_as_in_pinocchio() -> None:
    """Those that differ are known; they do so by less than a hundredth."""
    agree = 0
    for path in public_urdfs().values():
        if path.stem in UNREADABLE:
            continue
        model = load_urdf(path)
        if not model.n_dof:
            continue
        differs = path.stem in IMPOSSIBLE_INERTIAS | MIMICS | LIGHT_PARTS
        agree += not differs
        tolerance = 0.01 if differs else TOLERANCE
        check_accelerations(model, np.random.default_rng(0), states=1, tolerance=tolerance)
    assert agree == 50
