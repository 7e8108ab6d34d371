"""Arms on the wheelchair's rail: places, smoothness, tilt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from oracles.recursive_fk import world_poses

from robotix.model import Model, PlanarPath, make_u_rail
from robotix.model.robots import describe_robot, load

ON_RAIL = ("amtec_ulwr_rail", "kuka_lwr_rail", "mitsubishi_pa10_rail")


def rail_of(model: Model) -> PlanarPath:
    path = model.body("carriage").joint.path
    assert path is not None
    return path


@pytest.mark.parametrize("name", ON_RAIL)
def test_rail_is_one_more_joint(name: str) -> None:
    model, arm = load(name), load(name.removesuffix("_rail"))
    assert model.dof_names == ("rail", *arm.dof_names)
    length = rail_of(model).length
    assert (model.lower[0], model.upper[0]) == (0.0, length)
    np.testing.assert_array_equal(model.lower[1:], arm.lower)
    np.testing.assert_array_equal(model.upper[1:], arm.upper)
    assert 0 < model.velocity[0] < 1
    assert model.mass == pytest.approx(arm.mass + 12.0)
    com = world_poses(model, np.zeros(8))["rail"].apply(model.body("rail").com)
    np.testing.assert_allclose(com, [-0.076, 0, 0.62], atol=1e-15)
    assert describe_robot(name).confidence == "low"


def test_rail_places() -> None:
    """Frame of the wheelchair: left front, middle of the rear, right front; arm outwards, z up."""
    model = load("kuka_lwr_rail")
    length = rail_of(model).length
    for s, place, outward in (
        (0.0, [0.45, 0.40, 0.62], [0, 1, 0]),
        (length / 2, [-0.38, 0.0, 0.62], [-1, 0, 0]),
        (length, [0.45, -0.40, 0.62], [0, -1, 0]),
    ):
        base = world_poses(model, np.array([s, *np.zeros(7)]))["base"]
        np.testing.assert_allclose(base.translation, place, atol=1e-12)
        np.testing.assert_allclose(base.rotation[:, 0], outward, atol=1e-12)
        np.testing.assert_allclose(base.rotation[:, 2], [0, 0, 1], atol=1e-15)


def test_rail_corners_are_symmetric_and_face_outwards() -> None:
    path = rail_of(load("kuka_lwr_rail"))
    side, rear = path.segments[0].length, path.segments[4].length
    corner = (path.length - 2 * side - rear) / 2
    for s, sign in ((side + corner / 2, 1.0), (path.length - side - corner / 2, -1.0)):
        x, y, tangent, curvature = path.at(s)
        assert x + 0.38 == pytest.approx(0.40 - abs(y), abs=1e-12)  # on the diagonal
        assert sign * y > 0
        outward = tangent + path.heading
        np.testing.assert_allclose(
            [math.cos(outward), math.sin(outward)], np.array([-1, sign]) / math.sqrt(2), atol=1e-12
        )
        assert curvature == pytest.approx(1 / 0.20)


def test_rail_without_blends_is_as_long_as_its_parts() -> None:
    sharp = make_u_rail(half_width=0.40, rear_x=-0.38, front_x=0.45, corner_radius=0.20, blend=0.0)
    parts = [segment.length for segment in sharp.segments]
    np.testing.assert_allclose(parts, [0.630, 0.3142, 0.400, 0.3142, 0.630], atol=5e-5)
    assert sharp.length == pytest.approx(2.288, abs=5e-4)
    assert rail_of(load("kuka_lwr_rail")).length == pytest.approx(sharp.length, abs=0.03)


def test_rail_is_smooth() -> None:
    """Unit speed, tangent along the motion, curvature the slope of the tangent, without jumps."""
    path = rail_of(load("kuka_lwr_rail"))
    h = 1e-5
    s = np.linspace(2 * h, path.length - 2 * h, 4001)
    here = np.array([path.at(float(value)) for value in s])
    ahead = np.array([path.at(float(value + h)) for value in s])
    behind = np.array([path.at(float(value - h)) for value in s])
    slope = (ahead - behind) / (2 * h)
    tangent = np.column_stack([np.cos(here[:, 2]), np.sin(here[:, 2])])
    np.testing.assert_allclose(slope[:, :2], tangent, atol=1e-8)
    np.testing.assert_allclose(slope[:, 2], here[:, 3], atol=1e-3)
    step = s[1] - s[0]
    assert abs(np.diff(here[:, 3])).max() <= 5.0 / 0.05 * step * (1 + 1e-9)  # 5 1/m over 0.05 m
    assert here[:, 3].min() >= 0 and here[:, 3].max() == pytest.approx(5.0)
    assert here[-1, 2] - here[0, 2] == pytest.approx(math.pi)  # a U


def test_rail_tilts_about_its_axis() -> None:
    flat, tilted = load("kuka_lwr_rail"), load("kuka_lwr_rail", tilt=math.radians(30))
    q = np.zeros(8)
    drop = world_poses(tilted, q)["base"].translation - world_poses(flat, q)["base"].translation
    assert drop[2] == pytest.approx(-0.20)  # (0.45 - 0.05) sin 30°
    rail = world_poses(tilted, q)["rail"]
    np.testing.assert_allclose(rail.apply([0.05, 0.3, 0.0]), [0.05, 0.3, 0.62], atol=1e-15)
    up = world_poses(tilted, q)["base"].rotation[:, 2]
    np.testing.assert_allclose(up, [0.5, 0, math.sqrt(0.75)], atol=1e-12)
    assert rail_of(tilted).length == rail_of(flat).length
