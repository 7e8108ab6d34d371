"""Contact as two masses and a spring: closed forms, simulations, and monotony."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import robotix as rx
from robotix.kinematics import Posture
from robotix.safety.body_limits import body_regions, find_region
from robotix.safety.contact import (
    assess_contact,
    mass_at_contact,
    moving_mass,
    peak_force,
    permitted_speed,
    reduced_mass,
    simplified_mass,
    simulate_impact,
)

REGIONS = sorted(body_regions())
masses = st.floats(0.1, 200.0)
speeds = st.floats(0.01, 5.0)


@pytest.mark.parametrize("name", REGIONS)
def test_simulated_peak_is_the_closed_form(name: str) -> None:
    region, m_r, v = find_region(name), 9.2, 0.4
    times, forces = simulate_impact(m_r, region, speed=v)
    mu = reduced_mass(m_r, region.mass)
    assert forces.max() == pytest.approx(peak_force(v, mu, region.stiffness), rel=1e-6)
    assert times[-1] == pytest.approx(math.pi * math.sqrt(mu / region.stiffness), abs=2e-5)


def test_numbers_by_hand() -> None:
    # Hand, 20 kg robot with 1 kg of load: m_R = 11, μ = 0.569, √(μ k) = 206.6 N s/m.
    assert reduced_mass(11.0, 0.6) == pytest.approx(0.568966, rel=1e-5)
    assert permitted_speed(find_region("hand"), 11.0) == pytest.approx(280 / 206.573, rel=1e-5)
    # Face: 65 N, as contact there is not permitted at all and no transient factor is given.
    mu = 11 * 4.4 / 15.4
    assert permitted_speed(find_region("face"), 11.0) == pytest.approx(65 / math.sqrt(mu * 75e3))


def test_pressure_governs_where_the_area_is_small() -> None:
    hand = find_region("hand")
    small = permitted_speed(hand, 11.0, area=1e-5)
    assert small == pytest.approx(2 * 190e4 * 1e-5 / math.sqrt(reduced_mass(11.0, 0.6) * 75e3))
    contact = assess_contact(hand, 140.0, kind="quasi-static", area=1e-4)
    assert contact.force_ratio == pytest.approx(1.0)
    assert contact.pressure_ratio == pytest.approx(1.4e6 / 190e4)
    assert contact.is_permitted
    assert not assess_contact(find_region("face"), 1.0).is_permitted


@given(name=st.sampled_from(REGIONS), mass=masses, v=speeds, slower=st.floats(0.0, 1.0))
def test_slower_and_lighter_is_safer(name: str, mass: float, v: float, slower: float) -> None:
    region = find_region(name)
    mu = reduced_mass(mass, region.mass)
    assert peak_force(slower * v, mu, region.stiffness) <= peak_force(v, mu, region.stiffness)
    assert permitted_speed(region, mass) >= permitted_speed(region, 2 * mass)
    at_limit = peak_force(permitted_speed(region, mass), mu, region.stiffness)
    assert assess_contact(region, at_limit).ratio == pytest.approx(1.0)


def test_simplified_mass_is_half_the_moving_mass_and_the_load() -> None:
    arm = rx.load("ur5")
    assert moving_mass(arm) <= arm.mass
    assert simplified_mass(arm, payload=2.0) == pytest.approx(moving_mass(arm) / 2 + 2.0)
    with pytest.raises(ValueError, match="0 kg or more"):
        simplified_mass(arm, payload=-1.0)


def test_mass_at_contact_predicts_the_impact_of_the_whole_arm() -> None:
    """A UR5 that moves freely meets a spring: its mass matrix at the start gives the peak."""
    arm, region = rx.load("ur5"), find_region("upper_arm")
    q = np.array([0.2, -1.1, 1.4, -0.4, 0.9, 0.0])
    start = Posture(arm, q)
    n, tip = np.array([0.6, 0.64, 0.48]), start.position()
    mass = mass_at_contact(start, arm.bodies[-1].name, point=tip, normal=n)
    M, J = start.mass_matrix, start.jacobian()[:3]
    response = np.linalg.solve(M, J.T @ n)
    dq = response / (n @ J @ response) * 0.5  # 0.5 m/s along n
    depth, body, v_body, dt, peak = 0.0, 0.0, 0.0, 1e-5, 0.0
    for _ in range(4000):
        force = region.stiffness * max(depth - body, 0.0)
        peak = max(peak, force)
        dq = dq - dt * force * response
        v_body += dt * force / region.mass
        depth += dt * float(n @ J @ dq)
        body += dt * v_body
    predicted = peak_force(0.5, reduced_mass(mass, region.mass), region.stiffness)
    assert peak == pytest.approx(predicted, rel=1e-3)
    assert mass < simplified_mass(arm) * 3


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan])
def test_masses_and_areas_are_positive(wrong: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        reduced_mass(wrong, 1.0)
    with pytest.raises(ValueError, match="positive"):
        assess_contact(find_region("hand"), 10.0, area=wrong)
