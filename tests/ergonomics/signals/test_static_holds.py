"""Holds of a motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.assessed import assessed

from robotix.ergonomics import static_holds


def test_a_bend_that_is_held_is_found() -> None:
    """The trunk of a real assessment, replaced: 5 s upright, 10 s at 70°, then 6 s to and fro."""
    found = assessed("lift")
    times = np.arange(0, 21, 0.1)
    rows = len(times)
    trunk = np.radians(np.where((times >= 5) & (times < 15), 70.0, 0.0))
    trunk[times >= 15] = np.radians(40 + 30 * np.sin(5 * times[times >= 15]))
    zeros = np.zeros(rows)
    arm = found.angles.arms["right"]
    still = replace(arm, **{name: zeros for name in vars(arm)})
    angles = replace(
        found.angles,
        trunk=trunk,
        trunk_side=zeros,
        trunk_twist=zeros,
        arms={"right": still, "left": still},
        neck=replace(found.angles.neck, **{name: zeros for name in vars(found.angles.neck)}),
    )
    holds = static_holds(angles, times)
    trunks = [hold for hold in holds if hold.name == "trunk"]
    assert [(round(hold.start, 1), round(hold.end, 1)) for hold in trunks] == [(0, 4.9), (5, 14.9)]
    assert [hold.result.verdict.level for hold in trunks] == [1, 3]
    assert {hold.name for hold in holds} == {"trunk", "head", "right upper arm", "left upper arm"}
    twisted = static_holds(replace(angles, trunk_twist=np.full(rows, 0.3)), times)
    assert [hold.result.verdict.level for hold in twisted if hold.name == "trunk"] == [3, 3]


def test_a_real_motion() -> None:
    found = assessed("lift")
    for hold in static_holds(found.angles, found.times):
        assert hold.end - hold.start >= 4 - 1e-9
        assert hold.result.posture.seconds == pytest.approx(hold.end - hold.start)
