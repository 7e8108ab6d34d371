"""Signed distances against Coal, the collision library of Pinocchio."""

import sys

import coal
import numpy as np
import pytest
from support.solids import PAIRS, make_pairs

from robotix.collision.distance import nearest
from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Shape, Sphere

ROUND = "cylinder"  # Coal searches these by iteration, and at times gives up


def coal_distance(a: Shape, b: Shape) -> tuple[float, np.ndarray]:
    """Return Coal's signed distance, and its normal from b to a."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = 1e-9
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    places = [coal.Transform3s(s.pose.rotation, s.pose.translation) for s in (a, b)]
    found = coal.distance(coal_solid(a), places[0], coal_solid(b), places[1], request, result)
    return float(found), -np.asarray(result.normal)


def coal_solid(solid: Shape) -> object:
    match solid:
        case Sphere():
            return coal.Sphere(solid.radius)
        case Capsule():
            return coal.Capsule(solid.radius, solid.length)
        case Cylinder():
            return coal.Cylinder(solid.radius, solid.length)
        case Box():
            return coal.Box(*solid.size)
        case Halfspace():
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    raise AssertionError(solid)


near_and_far = pytest.mark.parametrize("spread", [0.3, 1.0], ids=["near", "far"])


@near_and_far
@pytest.mark.parametrize("kinds", [pair for pair in PAIRS if ROUND not in pair], ids="-".join)
def test_agrees_with_coal(kinds: tuple[str, str], spread: float) -> None:
    for k, (a, b) in enumerate(make_pairs(kinds, 250, spread=spread)):
        ours, (theirs, normal) = nearest(a, b), coal_distance(a, b)
        aligned = bool(k % 2)  # then there may be several normals, and Coal is less exact
        assert ours.distance == pytest.approx(theirs, abs=1e-6 if aligned else 1e-12)
        if not aligned:
            np.testing.assert_allclose(ours.normal, normal, atol=1e-7)


@near_and_far
@pytest.mark.parametrize("kinds", [pair for pair in PAIRS if ROUND in pair], ids="-".join)
def test_agrees_with_coal_where_coal_converges(kinds: tuple[str, str], spread: float) -> None:
    """Coal's depth is too large for a sphere's centre in a cylinder, and sometimes infinite."""
    excess = []
    for a, b in make_pairs(kinds, 500, spread=spread)[::2]:
        ours, theirs = nearest(a, b).distance, coal_distance(a, b)[0]
        if abs(theirs) < sys.float_info.max:
            excess.append(ours - theirs)
    assert min(excess) > -1e-7  # never deeper, never nearer
    assert np.mean(np.abs(excess) < 1e-7) > 0.9
