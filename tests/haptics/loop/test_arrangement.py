"""Two devices side by side, a planned device emulated, and a grip behind the wrist's point."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.haptics.devices.vishard10 import vishard10, vishard10_gripped_behind
from robotix.haptics.loop.arrangement import (
    DevicePair,
    emulated_settings,
    run_pair,
    workspace_walls,
)
from robotix.haptics.loop.loop import HapticLoop, StopReason
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import LoopSettings, OperatorArm
from robotix.kinematics import Posture

ARM = OperatorArm(stiffness=0.0, damping=20.0)


def test_hands_that_push_together_are_kept_apart() -> None:
    loops = [
        HapticLoop(vishard10(), reference_posture(), arm=ARM, elements=[DevicePair.spare_element()])
        for _ in range(2)
    ]
    pair = DevicePair(loops[0], loops[1], offset=(0.0, 0.3, 0.0), distance=0.15)
    assert pair.distance == pytest.approx(0.3)
    least = run_pair(pair, 1.0, pushes=[(0.0, 10.0, 0.0), (0.0, -10.0, 0.0)])
    assert 0.12 < least < 0.155  # it gives way while they are fast
    assert pair.distance == pytest.approx(0.15 - 10 / 3000, abs=6e-3)
    assert all(loop.outcome().reason is StopReason.running for loop in loops)
    with pytest.raises(BadField, match="three finite"):
        DevicePair(loops[0], loops[1], offset=(0.0, np.nan, 0.0))
    slow = HapticLoop(vishard10(), reference_posture(), settings=LoopSettings(rate=500.0))
    with pytest.raises(BadField, match="rate"):
        DevicePair(loops[0], slow, offset=(0.0, 1.0, 0.0))


def test_a_planned_device_is_as_small_and_as_weak_as_planned() -> None:
    start = HapticLoop(vishard10(), reference_posture()).position
    low = (start[0] - 0.05, start[1] - 0.05, start[2] - 0.05)
    high = (start[0] + 0.05, start[1] + 0.05, start[2] + 0.05)
    walls = workspace_walls(low, high)
    loop = HapticLoop(vishard10(), reference_posture(), arm=ARM, elements=walls)
    loop.push((12.0, 0.0, 0.0))
    loop.run(1.0)
    assert loop.position[0] == pytest.approx(high[0] + 12 / 4000, abs=2e-3)
    weak = HapticLoop(
        vishard10(), reference_posture(), arm=ARM, elements=walls,
        settings=emulated_settings(LoopSettings(), max_force=5.0),
    )  # fmt: skip
    weak.push((12.0, 0.0, 0.0))
    _, history = weak.run(1.0)
    assert np.linalg.norm(history.rendered, axis=1).max() == pytest.approx(5.0)
    assert weak.position[0] > high[0] + 0.02  # and is pushed through, as the planned one would be
    with pytest.raises(BadField, match="low below high"):
        workspace_walls(high, low)
    with pytest.raises(BadField, match="positive force"):
        LoopSettings(max_rendered=0.0)


def test_a_grip_behind_couples_rotation_and_translation() -> None:
    q = reference_posture()
    behind = vishard10_gripped_behind(0.1)
    columns = [4, 7, 8, 9]
    at_point = np.array(Posture(vishard10(), q).jacobian())[:3, columns]
    held_behind = np.array(Posture(behind, q).jacobian())[:3, columns]
    assert abs(at_point).max() < 1e-12  # the axes meet there
    assert np.linalg.norm(held_behind, axis=0).max() == pytest.approx(0.1, rel=0.3)
    loop = HapticLoop(behind, q, arm=ARM)
    loop.push((0.0, 6.0, 0.0))
    outcome, history = loop.run(0.3)
    assert outcome.reason is StopReason.running
    assert history.positions[-1, 1] > history.positions[0, 1]
    with pytest.raises(BadField, match="is_partitioned"):
        HapticLoop(behind, q, settings=LoopSettings(is_partitioned=True))
    with pytest.raises(BadField, match="between 0 and"):
        vishard10_gripped_behind(2.0)
