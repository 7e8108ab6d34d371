"""Speed and sway of strides."""

from __future__ import annotations

import numpy as np
from support.performed_tasks import performed

from robotix.human.evaluation.stepping import step_figures
from robotix.kinematics.batch import mass_centre_batch


def test_speed_and_sway_are_those_of_the_centre_of_mass() -> None:
    performance = performed("walk")
    found = step_figures(performance)
    com = mass_centre_batch(performance.manikin.model, performance.motion.q).com
    assert found.speed is not None and found.sway is not None and found.rise is not None
    mean = (com[-1, 0] - com[0, 0]) / performance.motion.duration
    assert mean < found.speed < np.gradient(com[:, 0], performance.motion.times).max()
    assert 0 < found.sway < np.ptp(com[:, 1])
    assert 0 < found.rise <= np.ptp(com[:, 2])


def test_who_does_not_step_has_no_speed() -> None:
    found = step_figures(performed("stand_up"))
    assert found.speed is None and found.sway is None and found.rise is None
