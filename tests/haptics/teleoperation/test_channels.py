"""Channels: four are transparent, two nearly so when slow, and delay spoils both."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.teleoperation.channels import (
    ChannelArchitecture,
    RemoteEnvironment,
    Teleoperator,
    simulate_contact,
    transmitted_impedance,
)

THERE = RemoteEnvironment(1000.0, 5.0)
TWO, FOUR = ChannelArchitecture.two_channel, ChannelArchitecture.four_channel


def test_four_channels_without_delay_are_transparent() -> None:
    found = transmitted_impedance(Teleoperator(), THERE, FOUR)
    np.testing.assert_allclose(found.felt, found.there, rtol=1e-9)
    assert found.error < 1e-9
    assert found.is_passive


def test_two_channels_feel_springs_in_series_when_slow() -> None:
    system = Teleoperator()
    found = transmitted_impedance(system, THERE, TWO, frequencies=[0.01])
    stiffness = float((found.felt * 2j * np.pi * 0.01).real[0])
    series = 1 / (1 / THERE.stiffness + 1 / system.coupling_stiffness)
    assert stiffness == pytest.approx(series, rel=0.01)
    assert transmitted_impedance(system, THERE, TWO).error > 0.1


def test_delay_costs_transparency_and_passivity() -> None:
    errors = {}
    for delay in (0.0, 0.05):
        for each in ChannelArchitecture:
            found = transmitted_impedance(Teleoperator(delay=delay), THERE, each)
            errors[delay, each] = found.error
            if delay:
                assert not found.is_passive
    assert errors[0.05, FOUR] > errors[0.0, FOUR] + 0.1


def test_the_formula_is_what_a_simulated_contact_shows() -> None:
    system = Teleoperator()
    way = simulate_contact(system, THERE, push=5.0)
    series = 1 / (1 / THERE.stiffness + 1 / system.coupling_stiffness)
    assert way[-1, 0] == pytest.approx(5.0 / series, rel=0.02)  # at rest: force over stiffness
    assert way[-1, 1] == pytest.approx(5.0 / THERE.stiffness, rel=0.02)
    late = simulate_contact(Teleoperator(delay=0.1), THERE, push=5.0)
    assert np.ptp(late[-4000:, 0]) > 10 * np.ptp(way[-4000:, 0])  # oscillates


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(BadField, match="positive mass"):
        Teleoperator(arm_mass=0.0)
    with pytest.raises(BadField, match="delay"):
        Teleoperator(delay=-1.0)
    with pytest.raises(BadField, match="positive numbers"):
        transmitted_impedance(Teleoperator(), THERE, TWO, frequencies=[0.0])
    with pytest.raises(BadField, match="up to 100"):
        simulate_contact(Teleoperator(), THERE, seconds=0.0)
