"""Tools: the wrench of several contacts, alone and in the loop of a device."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.geometry import Box, Halfspace, Pose, Sphere
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.environment import FreeDamping
from robotix.haptics.loop.loop import HapticLoop, StopReason
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import OperatorArm
from robotix.haptics.rendering.tool import ProxyTool


def test_one_of_two_points_in_the_floor_turns_the_tool() -> None:
    tool = ProxyTool(
        [Halfspace()], Pose.at(0, 0, 0.1), points=[(0.1, 0, 0), (-0.1, 0, 0)], stiffness=1000,
        radius=0.005,
    )  # fmt: skip
    tilted = Pose.at(0, 0, 0.0, rpy=(0, np.arcsin(0.1), 0))  # the front point is 10 mm deep
    f = tool.feel(tilted)
    assert f[2] == pytest.approx(-1000 * 0.015, rel=0.02)  # subtracted: it pushes up
    assert len(tool.contacts) == 1
    assert f[4] == pytest.approx(15 * 0.1 * np.cos(np.arcsin(0.1)), rel=0.03)
    both = tool.feel(Pose.at(0, 0, 0.0))
    assert both[2] == pytest.approx(-2 * 1000 * 0.005, rel=0.03)
    assert abs(both[3:]).max() < 1e-6


def test_a_hand_rests_on_a_ball_through_the_whole_device() -> None:
    q0 = reference_posture()
    arm = OperatorArm(stiffness=0.0, damping=20.0)
    start = HapticLoop(vishard10(), q0, arm=arm).virtual_pose
    under = Pose(translation=start.translation - np.array([0, 0, 0.115]))
    tool = ProxyTool([Sphere(0.1, under)], start, stiffness=3000, damping=100, radius=0.01)
    loop = HapticLoop(vishard10(), q0, arm=arm, elements=[tool.element(), FreeDamping(10.0)])
    loop.push((0.0, 0.0, -6.0))
    for _ in range(1000):
        tool.touch(loop)
        loop.step()
    assert loop.outcome().reason is StopReason.running
    assert tool.contacts
    assert loop.rendered[2] == pytest.approx(-6.0, abs=0.8)
    depth = start.translation[2] - 0.005 - loop.position[2]
    assert depth == pytest.approx(6.0 / 3000, abs=1e-3)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(BadField, match="stiffness"):
        ProxyTool([Box(np.array([1, 1, 1], dtype=float))], Pose.at(0, 0, 1), stiffness=-1)
    loop = HapticLoop(vishard10(), reference_posture())
    with pytest.raises(BadField, match="index"):
        loop.replace_element(0, FreeDamping(1.0))
