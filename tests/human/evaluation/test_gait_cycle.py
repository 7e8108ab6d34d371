"""Angles over the gait cycle have the shape that people's have."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin
from support.performed_tasks import performed

from robotix.human.evaluation.gait_cycle import gait_cycle
from robotix.human.tasks.tasks import perform


def test_hip_knee_and_ankle_have_their_peaks_when_people_have() -> None:
    walk = perform("walk", manikin(), parameters={"distance": 6.0})
    cycle = {joint: np.degrees(angle) for joint, angle in gait_cycle(walk, count=101).items()}
    knee, hip, ankle = cycle["knee_flexion"], cycle["hip_flexion"], cycle["ankle_dorsiflexion"]
    assert 65 <= int(knee.argmax()) <= 80 and 42 < knee.max() < 70  # in the swing
    assert 45 <= int(hip.argmin()) <= 65 and np.ptp(hip) > 35  # about toe off
    assert 35 <= int(ankle.argmax()) <= 55 and np.ptp(ankle) > 15  # before it
    for angle in cycle.values():
        assert abs(angle[-1] - angle[0]) < 5  # strides repeat themselves


def test_a_short_walk_has_no_steady_stride() -> None:
    with pytest.raises(ValueError, match="farther"):
        gait_cycle(performed("reach"))
