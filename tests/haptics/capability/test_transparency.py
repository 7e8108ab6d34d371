"""What a hand feels of a remote arm through the whole device."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.haptics.capability.transparency import (
    DeviceTeleoperation,
    UnstableTeleoperator,
    default_environment,
    make_teleoperator,
    measure_impedance,
)
from robotix.haptics.teleoperation.channels import ChannelArchitecture
from robotix.haptics.teleoperation.spatial import spatial_impedance
from robotix.model.robots import load

SPRINGS = default_environment()


@pytest.mark.parametrize("architecture", ChannelArchitecture)
def test_the_device_shows_the_closed_form_on_every_axis(architecture: ChannelArchitecture) -> None:
    system = make_teleoperator(load("kuka_lwr"))
    measured = measure_impedance(system, SPRINGS, architecture, frequencies=[1.0])
    theory = spatial_impedance(system, SPRINGS, architecture, frequencies=[1.0])
    np.testing.assert_allclose(measured.ratios, theory.ratios, rtol=0.06)
    if architecture is ChannelArchitecture.four_channel:
        np.testing.assert_allclose(measured.ratios, 1.0, atol=0.12)  # nearly transparent
    else:
        assert measured.ratios.max() < 0.8  # the coupling gives way


def test_at_rest_the_hand_holds_what_the_arm_presses() -> None:
    rig = DeviceTeleoperation(
        make_teleoperator(load("kuka_lwr")), SPRINGS, ChannelArchitecture.four_channel
    )
    rig.loop.push((0.0, 0.0, -5.0))
    for _ in range(3000):
        rig.step()
    np.testing.assert_allclose(rig.force[:3], rig.loop.hand_wrench[:3], atol=0.3)
    assert rig.arm_position[2] == pytest.approx(rig.force[2] / 1000.0, rel=0.05)


def test_delay_makes_four_channels_unstable() -> None:
    system = make_teleoperator(load("kuka_lwr"), delay=0.01)
    with pytest.raises(UnstableTeleoperator, match="unstable"):
        measure_impedance(system, SPRINGS, ChannelArchitecture.four_channel, frequencies=[1.0])


def test_an_arm_of_few_joints_is_refused() -> None:
    with pytest.raises(ValueError, match="all axes"):
        make_teleoperator(load("scara"))
