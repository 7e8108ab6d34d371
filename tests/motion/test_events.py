"""Events of joints between two postures."""

import numpy as np
import pytest

from robotix.model import Model
from robotix.motion import (
    JointMoved,
    LimitReached,
    joint_events,
)


def test_joints_tell_when_they_move_and_when_they_arrive(arm: Model) -> None:
    before, after = np.array([1.0, 0.0, -1.0]), np.array([2.0, 0.0, -2.5])
    assert joint_events(arm, before=before, after=after) == (
        JointMoved("rail"),
        LimitReached("rail", "upper"),
        JointMoved("elbow"),
        LimitReached("elbow", "lower"),
    )
    assert joint_events(arm, before=after, after=after) == ()  # told once, on arrival
    away = joint_events(arm, before=after, after=before)
    assert away == (JointMoved("rail"), JointMoved("elbow"))


def test_a_floating_root_moves_as_one_joint(walker: Model) -> None:
    after = np.array([0, 0.1, 0, 0, 0.2, 0, 0])
    assert joint_events(walker, before=np.zeros(7), after=after) == (JointMoved("root"),)
    with pytest.raises(ValueError, match="7 joints"):
        joint_events(walker, before=np.zeros(3), after=after)
