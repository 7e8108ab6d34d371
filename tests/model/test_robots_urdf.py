"""Library arms against the public URDF files of the same robots, read by Pinocchio."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from oracles.recursive_fk import world_poses
from support.public_robots import public_urdfs

from robotix.geometry import Array
from robotix.model import Model
from robotix.model.robots import load


def postures(model: Model, count: int) -> Array:
    return np.random.default_rng(0).uniform(model.lower, model.upper, (count, model.n_dof))


def at_zero(model: Model) -> list[Array]:
    """Centres of mass in the base frame while all joints are at zero."""
    poses = world_poses(model, np.zeros(model.n_dof))
    return [poses[body.name].apply(body.com) for body in model.bodies]


def oracle(name: str) -> tuple[pin.Model, pin.Data]:
    urdf = pin.buildModelFromUrdf(str(public_urdfs()[name]))
    return urdf, urdf.createData()


def test_panda_agrees_with_its_urdf() -> None:
    urdf, data = oracle("panda_description/urdf/panda.urdf")
    model = load("panda")
    for q in postures(model, 30):
        pin.framesForwardKinematics(urdf, data, np.concatenate([q, np.zeros(urdf.nq - 7)]))
        poses = world_poses(model, q)
        for ours, theirs in [
            ("flange", "panda_link8"),
            *[(f"panda_link{i}",) * 2 for i in range(1, 8)],
        ]:
            frame = data.oMf[urdf.getFrameId(theirs)]
            np.testing.assert_allclose(poses[ours].matrix, frame.homogeneous, atol=1e-9)
    np.testing.assert_allclose(model.lower, urdf.lowerPositionLimit[:7])
    np.testing.assert_allclose(model.upper, urdf.upperPositionLimit[:7])
    np.testing.assert_allclose(model.velocity, urdf.velocityLimit[:7])
    np.testing.assert_allclose(model.effort, urdf.effortLimit[:7])
    for i in range(1, 7):  # the seventh carries the hand there
        body, theirs = model.body(f"panda_link{i}"), urdf.inertias[i]
        assert body.mass == theirs.mass
        np.testing.assert_allclose(body.com, theirs.lever, atol=1e-15)
        np.testing.assert_allclose(body.inertia, theirs.inertia, atol=1e-15)


def test_ur5_agrees_with_its_urdf() -> None:
    urdf, data = oracle("ur_description/urdf/ur5_robot.urdf")
    model = load("ur5")
    assert model.dof_names == tuple(urdf.names[1:])
    for q in postures(model, 30):
        pin.framesForwardKinematics(urdf, data, q)
        base = data.oMf[urdf.getFrameId("base")]
        flange = base.actInv(data.oMf[urdf.getFrameId("tool0")])
        ours = world_poses(model, q)["flange"].matrix
        np.testing.assert_allclose(ours, flange.homogeneous, atol=1e-9)
    np.testing.assert_allclose(model.upper, urdf.upperPositionLimit, atol=1e-9)
    np.testing.assert_allclose(model.lower, urdf.lowerPositionLimit, atol=1e-9)
    np.testing.assert_allclose(model.velocity, urdf.velocityLimit)
    np.testing.assert_allclose(model.effort, urdf.effortLimit)
    assert [body.mass for body in model.bodies[1:]] == [i.mass for i in urdf.inertias[1:]]


def test_ur5_centres_of_mass_agree_with_the_comments_of_its_source() -> None:
    """ur5.urdf.xacro gives them twice: in DH frames, and as `cog` in its link frames."""
    heights = [com[2] for com in at_zero(load("ur5"))[1:4]]
    assert heights[0] == pytest.approx(0.089159 - 0.02561)
    assert heights[1:] == pytest.approx([0.089159, 0.089159])
    _, _, upper, fore = at_zero(load("ur5"))[:4]
    assert upper[0] == pytest.approx(-0.2125)
    assert fore[0] == pytest.approx(-0.425 - 0.39225 + 0.11993)
