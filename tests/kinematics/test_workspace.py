"""Workspace: closed forms of planar arms, agreement with single postures, and repeatability."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.every_joint import every_joint, planar_2r
from support.library_arms import ARMS

from robotix.kinematics.dexterity import isotropy, manipulability
from robotix.kinematics.posture import Posture
from robotix.kinematics.sampling import joint_ranges, sample_postures
from robotix.kinematics.workspace import (
    CHUNK_SAMPLES,
    movable_part,
    reachability_map,
    sample_workspace,
)
from robotix.model import Body, Joint, Model, PathSegment, PlanarPath
from robotix.model.robots import load


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# -- samples --------------------------------------------------------------------------------


def test_ranges_of_joints_without_limits() -> None:
    path = PlanarPath((PathSegment(3.0),))
    joints = [
        Joint("hinge", "revolute"),
        Joint("slider", "prismatic"),
        Joint("from", "revolute", lower=1.0),
        Joint("to", "prismatic", upper=0.5),
        Joint("rail", "path", path=path),
        Joint("part", "path", lower=1.0, upper=9.0, path=path),
        Joint("beyond", "path", lower=5.0, path=path),
        Joint("both", "revolute", lower=-0.1, upper=0.2),
    ]
    lower, upper = joint_ranges(Model("row", tuple(Body(j.name, j) for j in joints)))
    np.testing.assert_allclose(lower, [-math.pi, -1, 1, -1.5, 0, 1, 5, -0.1])
    np.testing.assert_allclose(upper, [math.pi, 1, 1 + 2 * math.pi, 0.5, 3, 3, 5, 0.2])


@pytest.mark.parametrize("name", ARMS)
def test_samples_fill_the_limits_and_keep_them(name: str) -> None:
    model = load(name)
    q = sample_postures(model, 2000, rng=generator())
    assert (q >= model.lower).all()
    assert (q <= model.upper).all()
    lower, upper = joint_ranges(model)
    share = (q - lower) / (upper - lower)
    np.testing.assert_allclose(share.mean(axis=0), 0.5, atol=0.03)
    np.testing.assert_allclose(share.std(axis=0), 1 / math.sqrt(12), atol=0.02)


def test_what_does_not_move_the_point_stays() -> None:
    model = every_joint(generator())
    q = sample_postures(model, 50, rng=generator(), point="slider body")
    still = ["branch", "wrist", "elbow", *(name for name in model.dof_names if "root" in name)]
    for name in model.dof_names:
        spread = np.ptp(q[:, model.dof_index(name)])
        assert (spread == 0) == (name in still), name


# -- workspace ------------------------------------------------------------------------------


def test_a_sample_is_a_posture() -> None:
    model = load("kuka_lwr_rail")
    space = sample_workspace(model, 20, rng=generator())
    for i, q in enumerate(space.q):
        posture = Posture(model, q)
        np.testing.assert_allclose(space.points[i], posture.position(), atol=1e-14)
        assert space.manipulability[i] == pytest.approx(manipulability(posture))
        assert space.isotropy[i] == pytest.approx(isotropy(posture))


def test_two_links_reach_a_ring() -> None:
    space = sample_workspace(planar_2r((0.5, 0.3)), 20_000, rng=generator())
    radius = np.linalg.norm(space.points, axis=1)
    assert space.reach == radius.max() == pytest.approx(0.8, abs=1e-5)
    assert radius.min() == pytest.approx(0.2, abs=1e-5)
    box = [[-0.8, -0.8, 0], [0.8, 0.8, 0]]
    np.testing.assert_allclose(space.box, box, atol=0.005)
    w = 0.15 * abs(np.sin(space.q[:, 1]))
    np.testing.assert_allclose(space.manipulability, w, atol=1e-14)


def test_dexterity_looks_where_the_arm_can_move() -> None:
    assert movable_part(planar_2r()) == "x y"
    assert movable_part(load("kuka_lwr")) == "linear"
    up = Model("lift", (Body("lift", Joint("up", "prismatic", np.array([0, 0, 1.0]))),))
    assert movable_part(up) == "z"
    assert movable_part(Model("block", (Body("block", Joint("held")),))) == "linear"
    flat = sample_workspace(planar_2r(), 10, rng=generator(), part="linear")
    np.testing.assert_array_equal(flat.isotropy, 0.0)


def test_every_kind_of_joint_can_be_sampled() -> None:
    space = sample_workspace(every_joint(generator()), 100, rng=generator())
    assert np.isfinite(space.points).all()
    assert (space.isotropy > 0).all()


def test_a_workspace_of_nothing() -> None:
    block = Model("block", (Body("block", Joint("held")),))
    space = sample_workspace(block, 3, rng=generator())
    assert space.reach == 0.0
    grid = reachability_map(block, voxel=0.1, samples=3, rng=generator())
    assert (len(grid.cells), grid.count.tolist(), grid.best.tolist()) == (1, [3], [0.0])


# -- map ------------------------------------------------------------------------------------


def test_the_map_of_two_links_is_a_ring() -> None:
    grid = reachability_map(planar_2r((0.5, 0.3)), voxel=0.02, samples=120_000, rng=generator())
    area = grid.volume / grid.voxel
    assert area == pytest.approx(math.pi * (0.8**2 - 0.2**2), rel=0.06)  # faces cut the rim
    assert set(grid.cells[:, 2]) == {0}
    assert grid.count.sum() == 120_000
    radius = np.linalg.norm(grid.centres[:, :2], axis=1)
    assert (radius < 0.8 + 0.02).all()
    assert (radius > 0.2 - 0.02).all()


def test_the_map_knows_the_best_of_every_voxel() -> None:
    model, voxel = load("scara"), 0.1
    space = sample_workspace(model, 3000, rng=generator(1))
    grid = reachability_map(
        model, voxel=voxel, samples=3000, rng=generator(1), dexterity="manipulability"
    )
    np.testing.assert_array_equal(grid.box, space.box)
    assert grid.reach == space.reach
    assert len(np.unique(grid.cells, axis=0)) == len(grid.cells)
    for cell, count, best in zip(grid.cells, grid.count, grid.best, strict=True):
        inside = (np.floor(space.points / voxel + 1e-9) == cell).all(axis=1)
        assert inside.sum() == count
        assert space.manipulability[inside].max() == best
    np.testing.assert_array_equal(grid.best_at(grid.centres), grid.best)
    assert (grid.best_at(space.points) >= space.manipulability).all()


def test_outside_the_map_there_is_nothing() -> None:
    grid = reachability_map(load("ur5"), voxel=0.1, samples=500, rng=generator())
    far = [[9.0, 0, 0], [0, -1.7e308, 0], [math.inf, 0, 0], [math.nan, 0, 0]]
    np.testing.assert_array_equal(grid.best_at(far), 0.0)
    assert grid.best_at(grid.centres[3]) == grid.best[3]
    assert grid.best_at(np.zeros((2, 5, 3))).shape == (2, 5)


def test_the_same_generator_gives_the_same_map() -> None:
    model, samples = load("planar_3r"), CHUNK_SAMPLES + 17  # more than is held at once
    one, other, threaded = (
        reachability_map(model, voxel=0.05, samples=samples, rng=generator(5), threads=threads)
        for threads in (1, 1, 2)
    )
    for grid in (other, threaded):
        np.testing.assert_array_equal(grid.cells, one.cells)
        np.testing.assert_array_equal(grid.count, one.count)
        np.testing.assert_array_equal(grid.best, one.best)
    whole = sample_workspace(model, samples, rng=generator(5))
    assert one.reach == whole.reach
    different = reachability_map(model, voxel=0.05, samples=samples, rng=generator(6))
    assert different.reach != one.reach


def test_wrong_arguments_are_refused() -> None:
    arm = load("planar_3r")
    for samples in (0, -3):
        with pytest.raises(ValueError, match="samples must be at least 1"):
            sample_workspace(arm, samples, rng=generator())
        with pytest.raises(ValueError, match="samples must be at least 1"):
            reachability_map(arm, voxel=0.1, samples=samples, rng=generator())
    for voxel in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="voxel must be a positive length"):
            reachability_map(arm, voxel=voxel, samples=10, rng=generator())
    for voxel in (1e-9, 1e-320):
        with pytest.raises(ValueError, match="too small for this arm"):
            reachability_map(arm, voxel=voxel, samples=10, rng=generator())
    with pytest.raises(ValueError, match="dexterity is one of"):
        reachability_map(arm, voxel=0.1, samples=10, rng=generator(), dexterity="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="part is 'linear'"):
        sample_workspace(arm, 10, rng=generator(), part="up")
