"""Delay, stiffness and damping of every joint, found from a log.

For each joint that moves in the log, the parameters minimise the squared difference between the
measured and the simulated position: Gauss-Newton steps with the derivatives of a joint's own
position only, so that an iteration takes four runs, whatever the number of joints.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from robotix.dynamics.testbed.log import RobotLog
from robotix.dynamics.testbed.playback import JointResponse, LogPlayback
from robotix.errors import BadField
from robotix.geometry import Array
from robotix.model import Model

__all__ = ["Identification", "identify_joints"]

MIN_MOTION = 0.02  # rad or m; joints that move less tell nothing
STEPS = np.array([2e-3, 0.02, 0.02])  # of differences: s, and of logarithms
LARGEST_STEP = np.array([0.02, 0.5, 0.5])
MAX_DELAY = 0.5  # s
RIDGE = 1e-3  # of the largest curvature: keeps parameters that hardly matter


@dataclass(frozen=True, eq=False)
class Identification:
    """Responses by joint, and the RMS difference before and after, rad or m."""

    responses: dict[str, JointResponse]
    rms_before: dict[str, float]
    rms: dict[str, float]


def identify_joints(model: Model, log: RobotLog, *, iterations: int = 12) -> Identification:
    """Return delay, stiffness and damping of every joint that is commanded and moves in a log."""
    if not 1 <= iterations <= 1000:
        raise BadField("iterations", "in 1..1000", iterations)
    playback = LogPlayback(model, log)
    nominal = playback.nominal()
    joints = [
        name
        for name in log.commands
        if name in nominal and name in log.signals and np.ptp(log.signals[name]) > MIN_MOTION
    ]
    if not joints:
        raise ValueError(f"no commanded joint moves by {MIN_MOTION} rad or m in this log")
    theta = {
        name: np.array([0.0, math.log(nominal[name].stiffness), math.log(nominal[name].damping)])
        for name in joints
    }
    best: dict[str, Array] = dict(theta)
    before: dict[str, float] = {}
    smallest = dict.fromkeys(joints, math.inf)
    for _ in range(iterations):
        shifted = [theta] + [
            {name: theta[name] + STEPS[i] * np.eye(3)[i] for name in joints} for i in range(3)
        ]
        runs = playback.play([{n: _response(v[n]) for n in joints} for v in shifted])
        for name in joints:
            error = log.signals[name] - runs[0][name]
            rms = float(np.sqrt((error**2).mean()))
            before.setdefault(name, rms)
            if rms < smallest[name]:
                smallest[name], best[name] = rms, theta[name]
            slopes = np.stack(
                [(runs[1 + i][name] - runs[0][name]) / STEPS[i] for i in range(3)], axis=1
            )
            theta = {**theta, name: _improved(theta[name], slopes, error)}
    responses = {name: _response(best[name]) for name in joints}
    return Identification(responses, before, smallest)


def _improved(theta: Array, slopes: Array, error: Array) -> Array:
    """Return parameters after a Gauss-Newton step, kept within bounds."""
    scaled = slopes * LARGEST_STEP
    normal = scaled.T @ scaled
    normal += RIDGE * np.trace(normal) / 3 * np.eye(3) + 1e-18 * np.eye(3)
    step = np.clip(np.linalg.solve(normal, scaled.T @ error), -1.0, 1.0) * LARGEST_STEP
    found: Array = theta + step
    found[0] = np.clip(found[0], 0.0, MAX_DELAY)
    return found


def _response(theta: Array) -> JointResponse:
    return JointResponse(float(theta[0]), math.exp(theta[1]), math.exp(theta[2]))
