"""Neck and fingers during a performance."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin

from robotix.human import perform
from robotix.human.motion.gestures import make_gestures


def test_gestures_are_those_of_the_rows_and_hold_beyond_the_ends() -> None:
    reach = perform("reach", manikin("m"))
    gestures, times = make_gestures(reach), reach.motion.times
    row = reach.row_at(reach.loads[0].start)
    now = gestures.at(float(times[row]))
    assert now.neck_flexion == pytest.approx(gestures.neck.flexion[row])
    assert now.fingers["right"] == pytest.approx(gestures.fingers["right"][row])
    assert gestures.at(float(times[-1]) + 5.0) == gestures.at(float(times[-1]))
    assert np.isfinite(gestures.neck.rotation).all()
