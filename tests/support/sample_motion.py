"""A motion with awkward names and numbers."""

import math

import numpy as np

from robotix.motion import (
    Dof,
    Marker,
    Motion,
)

LONG_AGO = Marker(0.125, 'ünder "way", 50 %')


SAMPLE = Motion(
    (Dof("rail, left", "m"), Dof("r/ellbögen"), Dof('say "a"')),
    np.array([0.1, 0.2, 1 / 3]),
    np.array([[0.1, -0.0, 1e-300], [math.pi, 5e-324, -1e308], [1 / 3, 2 / 3, 1e16]]),
    (LONG_AGO, Marker(0.3, "")),
)
