"""The published experiments: what the paper says of single runs [Ueberle2004]."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.redundancy.experiments import (
    WORSE_BENDS,
    HeightCase,
    RadiusCase,
    height_cases,
    number_of_ticks,
    radius_cases,
    run_height_case,
    run_radius_case,
)
from robotix.haptics.redundancy.strategies import Approach, Strategy
from robotix.haptics.redundancy.tracking import CircularPath

COARSE = 0.01  # s


@pytest.mark.parametrize(
    ("radius", "time"), [(0.4, 2.44), (0.6, 3.47), (0.8, 4.24)]
)  # found by an independent simulation of the paper
def test_the_plain_solution_becomes_singular(radius: float, time: float) -> None:
    run = run_radius_case(RadiusCase(Approach.full, Strategy.plain, radius), dt=COARSE)
    assert run.rotational.min() < 0.01 * run.rotational[0]
    assert run.times[run.rotational.argmin()] == pytest.approx(time, abs=0.02)


@pytest.mark.parametrize("radius", [0.05, 0.2])
def test_small_circles_stay_away_from_singularities(radius: float) -> None:
    run = run_radius_case(RadiusCase(Approach.full, Strategy.plain, radius), dt=COARSE)
    assert run.rotational.min() > 0.99 * run.rotational[0]


def test_the_printed_theta8_never_becomes_singular() -> None:
    case = RadiusCase(Approach.full, Strategy.plain, 0.4, printed_theta8=True)
    run = run_radius_case(case, dt=COARSE)
    assert run.rotational.min() > 0.3 * run.rotational[0]


def test_a_criterion_prevents_the_singularity() -> None:
    run = run_radius_case(RadiusCase(Approach.full, Strategy.directional, 0.4), dt=COARSE)
    assert run.rotational.min() > 0.9 * run.rotational[0]


def test_the_partitioned_orientation_is_decoupled() -> None:
    run = run_radius_case(RadiusCase(Approach.partitioned, Strategy.plain, 0.8), dt=COARSE)
    assert np.ptp(run.rotational) < 1e-9
    assert run.times[run.translational.argmin()] == pytest.approx(3.62, abs=0.02)


def test_circles_are_followed() -> None:
    case = RadiusCase(Approach.full, Strategy.plain, 0.6)
    run = run_radius_case(case, dt=COARSE)
    radii = np.linalg.norm(run.tips[:, :2], axis=1)
    assert abs(radii - 0.6).max() < 1e-3
    assert run.tips[-1] == pytest.approx(run.tips[0], abs=0.02)


def test_heights_are_mirror_images() -> None:
    above, below = (
        run_height_case(HeightCase(Approach.full, Strategy.plain, z), dt=COARSE)
        for z in (0.3, -0.3)
    )
    np.testing.assert_allclose(above.translational, below.translational, atol=1e-9)


def test_every_published_case_is_run() -> None:
    assert len(radius_cases()) == 2 * 4 * 5 + 2 * len(WORSE_BENDS)
    assert len(height_cases()) == 2 * 2 * 4 + 2 * 2
    assert number_of_ticks([RadiusCase(Approach.full, Strategy.plain, 0.05)], 0.01) == 101


def test_a_circle_has_size_and_speed() -> None:
    with pytest.raises(BadField, match="radius must be a positive number"):
        CircularPath((0, 0, 0), 0.0, 1.0)
