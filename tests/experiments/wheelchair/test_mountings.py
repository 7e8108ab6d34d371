"""Fixed arm, rail and tilting rail side by side."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.experiments.wheelchair.chair import load_with_rail
from robotix.experiments.wheelchair.mountings import MOUNTINGS, compare_mountings, mounted_models
from robotix.kinematics import Posture


@pytest.mark.parametrize("arm", ["kuka_lwr", "mitsubishi_pa10"])
def test_rail_and_tilt_widen_the_reach(arm: str) -> None:
    fixed, rail, tilting = compare_mountings(arm, samples=20_000, voxel=0.15)
    assert [each.mounting for each in (fixed, rail, tilting)] == list(MOUNTINGS)
    assert fixed.volume < rail.volume < tilting.volume
    assert fixed.dexterous_volume < rail.dexterous_volume < tilting.dexterous_volume
    assert fixed.floor_area <= rail.floor_area < tilting.floor_area


def test_the_fixed_arm_is_the_one_on_a_still_rail() -> None:
    (fixed,) = mounted_models("kuka_lwr", "fixed")
    q = np.linspace(-0.6, 0.9, 7)
    on_rail = Posture(load_with_rail("kuka_lwr"), np.concatenate([[0.12], q]))
    np.testing.assert_allclose(Posture(fixed, q).position(), on_rail.position(), atol=1e-12)
