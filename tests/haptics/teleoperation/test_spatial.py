"""Two and four channels with six degrees of freedom, in closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.teleoperation.channels import (
    ChannelArchitecture,
    RemoteEnvironment,
    Teleoperator,
    transmitted_impedance,
)
from robotix.haptics.teleoperation.spatial import (
    SpatialEnvironment,
    SpatialTeleoperator,
    spatial_impedance,
)

FREQUENCIES = np.array([0.5, 2.0, 10.0])
ONES = np.ones(6)
SINGLE = Teleoperator(delay=0.01)
SIX = SpatialTeleoperator(
    SINGLE.handle_mass * ONES, SINGLE.handle_damping * ONES, SINGLE.arm_mass * ONES,
    SINGLE.arm_damping * ONES, SINGLE.coupling_stiffness * ONES, SINGLE.coupling_damping * ONES,
    delay=0.01, inertia_share=1.0,
)  # fmt: skip
SPRINGS = SpatialEnvironment(1000.0 * ONES, 5.0 * ONES)
COUPLED = np.diag([3.0, 4, 8, 0.1, 0.1, 0.1]) + 0.05


@pytest.mark.parametrize("architecture", ChannelArchitecture)
def test_six_equal_axes_are_six_times_one(architecture: ChannelArchitecture) -> None:
    one = transmitted_impedance(SINGLE, RemoteEnvironment(), architecture, frequencies=FREQUENCIES)
    six = spatial_impedance(SIX, SPRINGS, architecture, frequencies=FREQUENCIES)
    for k in range(3):
        np.testing.assert_allclose(six.felt[k], one.felt[k] * np.eye(6), atol=1e-9)
    np.testing.assert_allclose(six.errors, abs(np.log(abs(one.felt / one.there))).mean())
    assert six.cross_talk.max() < 1e-12


def test_four_channels_without_delay_are_transparent_also_for_a_coupled_arm() -> None:
    system = replace(SIX, arm_inertia=COUPLED, delay=0.0)
    four = spatial_impedance(
        system, SPRINGS, ChannelArchitecture.four_channel, frequencies=FREQUENCIES
    )
    np.testing.assert_allclose(four.felt, four.there, atol=1e-9)
    two = spatial_impedance(
        system, SPRINGS, ChannelArchitecture.two_channel, frequencies=FREQUENCIES
    )
    assert two.errors.min() > 0.1
    assert two.cross_talk.max() > 0.001  # the arm's coupling is felt


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(BadField, match="arm_inertia"):
        replace(SIX, arm_inertia=np.ones(5))
    with pytest.raises(BadField, match="inertia_share"):
        replace(SIX, inertia_share=1.5)
    with pytest.raises(BadField, match="delay"):
        replace(SIX, delay=-1.0)
    with pytest.raises(BadField, match="frequencies"):
        spatial_impedance(SIX, SPRINGS, ChannelArchitecture.two_channel, frequencies=[0.0])
