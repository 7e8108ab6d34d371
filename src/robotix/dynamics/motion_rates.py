"""Velocities and accelerations of a motion, smooth enough for inverse dynamics.

Second differences of neighbouring rows amplify rounding and the noise of recordings. Instead, a
cubic is fitted by least squares to the rows around each row [Savitzky1964], for rotations in
the tangent space of that row: there, the second derivative of the rotation vector is the angular
acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.dynamics import inverse_kernels
from robotix.geometry import Array
from robotix.kinematics.kernels.tables import tables_of
from robotix.model import Model
from robotix.motion import Motion

__all__ = ["SMOOTHING_WINDOW", "MotionRates", "motion_rates"]

SMOOTHING_WINDOW = 0.1  # s; at 100 Hz it passes human motion (below about 8 Hz) and little else
POLYNOMIAL_DEGREE = 3


@dataclass(frozen=True, eq=False)
class MotionRates:
    """Velocities and accelerations of the coordinates at every row of a motion."""

    dq: Array  # (k, n_dof), rad/s and m/s
    ddq: Array  # (k, n_dof), rad/s² and m/s²


def motion_rates(model: Model, motion: Motion, *, window: float = SMOOTHING_WINDOW) -> MotionRates:
    """Return the rates of a motion, from the rows within about `window` seconds around each.

    Exact for cubics. A window has at least five rows, if the motion has; at the ends it is moved
    inwards.
    """
    if not window >= 0:
        raise ValueError(f"the window must be 0 s or more, got {window}")
    motion.check_model(model)
    times, count = motion.times, len(motion.times)
    if count == 1:
        return MotionRates(np.zeros_like(motion.q), np.zeros_like(motion.q))
    half = max(round(window / (2 * float(np.median(np.diff(times))))), 2)
    width = min(2 * half + 1, count)
    starts = np.clip(np.arange(count) - half, 0, count - width)
    steps = np.empty((count, width, model.n_dof))
    inverse_kernels.put_steps(tables_of(model).link_ints, np.array(motion.q), starts, steps)
    first, second = _slope_weights(times[starts[:, None] + np.arange(width)] - times[:, None])
    return MotionRates(
        np.einsum("kw,kwn->kn", first, steps), np.einsum("kw,kwn->kn", second, steps)
    )


def _slope_weights(offsets: Array) -> tuple[Array, Array]:
    """Return the weights of a window's rows in the first and second derivative at zero.

    `offsets` (k, w) are the times of the rows, counted from the middle one.
    """
    degree = min(POLYNOMIAL_DEGREE, offsets.shape[1] - 1)
    scale = abs(offsets).max(axis=1)[:, None]
    V = (offsets / scale)[:, :, None] ** np.arange(degree + 1)
    Vt = V.transpose(0, 2, 1)
    fit = np.linalg.solve(Vt @ V, Vt)  # (k, degree + 1, w)
    bend = fit[:, 2] if degree > 1 else np.zeros_like(offsets)
    return fit[:, 1] / scale, 2 * bend / scale**2
