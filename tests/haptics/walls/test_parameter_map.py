"""Maps over any two parameters: cells are runs, and known limits come out."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.walls.figure import parameter_map_svg
from robotix.haptics.walls.parameter_map import (
    MAP_PARAMETERS,
    MapAxis,
    make_parameter_map,
    with_parameter,
)
from robotix.haptics.walls.wall import OperatorHand, SampledDevice, VirtualWall, WallTrial, run_wall

TRIAL = WallTrial(VirtualWall(8000.0), SampledDevice(mass=2.0, damping=5.0), seconds=1.0)


def test_faster_loops_hold_stiffer_walls_in_proportion() -> None:
    stiffness = MapAxis("stiffness", np.linspace(500, 20_000, 40))
    found = make_parameter_map(TRIAL, stiffness, MapAxis("rate", np.array([300.0, 600.0, 1000.0])))
    limits = found.stable_limits
    np.testing.assert_allclose(limits / limits[2], [0.3, 0.6, 1.0], atol=0.06)  # 2c/T
    assert limits[2] == pytest.approx(2 * 5 * 1000, rel=0.06)
    assert (found.is_stable | ~found.is_passive).all()  # passive walls are stable


def test_delay_destabilises_and_a_damped_hand_helps() -> None:
    delays = MapAxis("delay", np.array([0.0, 0.002, 0.006]))
    hands = MapAxis("hand_damping", np.array([0.0, 20.0, 60.0]))
    found = make_parameter_map(TRIAL, delays, hands)
    assert found.is_stable[0].tolist() == [True, False, False]
    assert found.is_stable.sum(axis=1).tolist() == sorted(found.is_stable.sum(axis=1))


def test_a_cell_is_the_run_of_its_parameters() -> None:
    x, y = MapAxis("hand_mass", np.array([0.5, 1.0])), MapAxis("hand_stiffness", np.array([10.0]))
    found = make_parameter_map(TRIAL, x, y, threads=2)
    for i, mass in enumerate(x.values):
        hand = OperatorHand(mass=float(mass), stiffness=10.0, push=5.0)
        alone = run_wall(WallTrial(TRIAL.wall, TRIAL.device, hand, seconds=1.0))
        assert bool(found.is_stable[0, i]) == alone.is_stable
        assert found.energy_leak[0, i] == pytest.approx(alone.energy_leak)


def test_every_parameter_has_a_usual_axis_and_is_drawn() -> None:
    for name in MAP_PARAMETERS:
        axis = MapAxis.usual(name, 3)
        assert len(axis.values) == 3
        assert with_parameter(TRIAL, name, float(axis.values[-1])) != TRIAL or name == "rate"
    axes = MapAxis.usual("delay", 3), MapAxis.usual("rate", 3)
    picture = parameter_map_svg(make_parameter_map(TRIAL, *axes))
    assert "delay, s" in picture
    assert "rate, Hz" in picture


def test_wrong_axes_are_refused() -> None:
    with pytest.raises(BadField, match="stiffness, damping"):
        MapAxis("colour", np.arange(3.0))
    with pytest.raises(BadField, match="ascending"):
        MapAxis("rate", np.array([2.0, 1.0]))
    with pytest.raises(BadField, match="stiffness, damping"):
        MapAxis.usual("colour", 3)
    with pytest.raises(BadField, match="another parameter"):
        make_parameter_map(TRIAL, MapAxis.usual("rate", 2), MapAxis.usual("rate", 2))
