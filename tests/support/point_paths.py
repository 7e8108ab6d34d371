"""Paths in space."""

import numpy as np

from robotix.motion import Arc, Line, PointPath, Spline

WAYPOINTS = np.array(
    [[0, 0, 0], [0.3, 0.4, 0.1], [0.8, 0.2, 0.5], [1.0, -0.5, 0.2], [1.1, -0.5, 0]]
)


PATHS: list[PointPath] = [
    Line(np.array([0.1, 0.2, 0.3]), np.array([-1.0, 0.5, 2.0])),
    Arc(np.array([1.0, 0, 0]), np.zeros(3), np.array([0, 0, 2.0]), 2.5),
    Arc(np.array([0.5, 0.1, 0.4]), np.array([1.0, 0, 0]), np.array([1.0, 1, 1]), -5.0),
    Arc.through([0, 0, 0], [1, 1, 0], [2, 0, 1]),
    Spline(WAYPOINTS),
    Spline(WAYPOINTS[:2]),
    Spline(1e-3 * WAYPOINTS[:3]),
]
