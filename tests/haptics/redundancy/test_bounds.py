"""The largest dexterity at a place."""

from __future__ import annotations

import numpy as np

from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.redundancy.bounds import largest_index
from robotix.kinematics import Posture


def test_no_posture_at_a_place_is_better() -> None:
    here = reference_posture(0.05, -0.367)
    J = np.array(Posture(vishard10(), here).jacobian())[:3]
    start = float(np.sqrt(np.linalg.det(J @ J.T)))
    bound = largest_index(vishard10(), here)
    assert bound > 2 * start
    assert bound < 0.055  # near the axis; at 0.4 m it is twice as large
    assert largest_index(vishard10(), reference_posture(0.4, -0.367)) > 1.8 * bound
