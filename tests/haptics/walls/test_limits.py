"""Closed forms of a sampled wall against the simulated loop."""

from __future__ import annotations

import math

import pytest

from robotix.errors import BadField
from robotix.haptics.walls.limits import (
    is_passive_wall,
    linear_stability_limit,
    optimal_stiffness,
    passivity_limit,
    spectral_radius,
    undamped_stability_limit,
)
from robotix.haptics.walls.wall import (
    OperatorHand,
    SampledDevice,
    VirtualWall,
    WallTrial,
    run_wall,
)

DEVICES = (
    SampledDevice(1.0, 10.0),
    SampledDevice(0.5, 3.0, rate=500.0),
    SampledDevice(2.0, 20.0, rate=300.0),
    SampledDevice(1.0, 400.0, rate=200.0),
)


def simulated_limit(device: SampledDevice, damping: float) -> float:
    """Largest stiffness at which a spring's oscillation dies away, by bisection of runs."""
    low, high = 10.0, 1e6
    for _ in range(16):
        middle = math.sqrt(low * high)
        wall = VirtualWall(middle, damping, pulls=True)
        trial = WallTrial(wall, device, OperatorHand(), speed=0.01, seconds=3.0)
        low, high = (middle, high) if run_wall(trial).is_stable else (low, middle)
    return low


@pytest.mark.parametrize("device", DEVICES, ids=str)
@pytest.mark.parametrize("damping", [0.0, 5.0, 20.0])
def test_simulation_finds_the_analytic_stability_limit(
    device: SampledDevice, damping: float
) -> None:
    expected = linear_stability_limit(device, damping)
    assert simulated_limit(device, damping) == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("delay", [1, 2, 5])
def test_delay_lowers_the_limit(delay: int) -> None:
    device = SampledDevice(1.0, 10.0, delay=delay * 1e-3)
    expected = linear_stability_limit(device)
    assert expected < linear_stability_limit(SampledDevice(1.0, 10.0))
    assert simulated_limit(device, 0.0) == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("device", DEVICES, ids=str)
def test_the_closed_form_is_the_root_on_the_unit_circle(device: SampledDevice) -> None:
    limit = undamped_stability_limit(device)
    assert limit == pytest.approx(linear_stability_limit(device), rel=1e-9)
    assert spectral_radius(device, 0.999 * limit) < 1 < spectral_radius(device, 1.001 * limit)


def test_for_short_periods_the_limit_of_stability_is_that_of_passivity() -> None:
    device = SampledDevice(1.0, 10.0, rate=100_000.0)
    assert undamped_stability_limit(device) == pytest.approx(passivity_limit(device), rel=1e-4)


def test_passivity_needs_more_damping_than_wall_and_sampling() -> None:
    device = SampledDevice(1.0, 10.0)
    assert passivity_limit(device, 4.0) == pytest.approx(12_000.0)
    assert is_passive_wall(device, 11_999.0, 4.0)
    assert not is_passive_wall(device, 12_001.0, 4.0)
    assert passivity_limit(device, 20.0) == 0


def test_a_device_without_damping_has_no_stable_spring() -> None:
    device = SampledDevice(1.0, 0.0)
    assert undamped_stability_limit(device) == linear_stability_limit(device) == 0
    assert spectral_radius(device, 100.0) > 1


def test_optimal_stiffness_gives_the_damping_ratio_of_the_paper() -> None:
    k, b, m = optimal_stiffness(30.0, 2.0), 30.0, 2.0
    assert b / (2 * m * math.sqrt(k / m)) == pytest.approx(math.sqrt(0.5))
    with pytest.raises(BadField, match="mass"):
        optimal_stiffness(1.0, 0.0)
