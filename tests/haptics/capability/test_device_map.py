"""Stability of the whole device over walls, beside one degree of freedom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.capability.device_map import (
    DeviceStabilityMap,
    default_trial,
    equivalent_device,
    make_device_map,
    run_device_cell,
)
from robotix.haptics.capability.map_figure import device_map_svg
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.loop import StopReason
from robotix.haptics.loop.settings import DisplayMode
from robotix.haptics.walls.parameter_map import MapAxis


@pytest.fixture(scope="module")
def late() -> DeviceStabilityMap:
    trial = replace(default_trial(), seconds=1.0)
    axis = MapAxis("delay", np.array([0.0, 0.005]))
    return make_device_map(trial, np.array([1e3, 1e4, 3e5]), axis, threads=2)


def test_a_late_force_sensor_makes_stiff_walls_unstable(late: DeviceStabilityMap) -> None:
    assert late.device.is_stable.tolist() == [[True, True, True], [True, True, False]]
    assert late.reasons[1, 2] is not StopReason.running  # the safety circuit has stopped it
    assert late.device.energy_leak[1, 2] > 0.1  # J, given to the hand
    assert late.device.energy_leak[:, 0].tolist() == [0, 0]


def test_one_degree_of_freedom_is_unstable_sooner(late: DeviceStabilityMap) -> None:
    whole, single = late.stable_limits
    assert (whole >= single).all()
    assert not late.single.is_stable[0, 2]  # 2c/T is 10 kN/m
    assert late.single.is_passive[0].tolist() == [True, False, False]


def test_the_map_does_not_depend_on_threads(late: DeviceStabilityMap) -> None:
    trial = replace(default_trial(), seconds=1.0)
    axis = MapAxis("delay", np.array([0.0, 0.005]))
    again = make_device_map(trial, np.array([1e3, 1e4, 3e5]), axis, threads=1)
    np.testing.assert_array_equal(again.device.energy_leak, late.device.energy_leak)


def test_impedance_display_shows_the_masses_of_the_device() -> None:
    trial = default_trial()
    assert equivalent_device(trial, DisplayMode.admittance, vishard10()) == trial.device
    own = equivalent_device(trial, DisplayMode.impedance, vishard10())
    assert 5 < own.mass < 60  # kg, links and rotors
    assert own.damping > 1


def test_both_maps_are_drawn(late: DeviceStabilityMap) -> None:
    drawn = device_map_svg(late)
    assert drawn.startswith("<svg")
    assert drawn.count("<rect") == 1 + 2 * 6  # the ground, and all cells of both
    assert drawn.count("<polyline") == 2


def test_wrong_axes_and_hands_are_refused() -> None:
    trial = default_trial()
    with pytest.raises(BadField, match="y"):
        make_device_map(trial, np.array([1e3]), MapAxis("hand_mass", np.array([1.0])))
    with pytest.raises(BadField, match="hand_mass"):
        run_device_cell(
            replace(trial, hand=replace(trial.hand, mass=0.0)), DisplayMode.admittance, vishard10()
        )
