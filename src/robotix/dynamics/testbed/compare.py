"""A robot's log laid over the simulation of the same commands, with error figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robotix.dynamics.testbed.log import RobotLog
from robotix.dynamics.testbed.playback import JointResponse, LogPlayback
from robotix.geometry import Array
from robotix.model import Model

__all__ = ["LogComparison", "SignalError", "compare_log", "signal_error"]

MAX_SHIFT = 0.2  # s, within which a delay is looked for


@dataclass(frozen=True)
class SignalError:
    """How far a simulated signal is from a measured one, in the signal's unit."""

    name: str
    rms: float
    max: float
    delay: float  # s, by which the measurement lags; NaN for a signal that does not move


@dataclass(frozen=True, eq=False)
class LogComparison:
    """Measured and simulated signals at the times of the log."""

    times: Array
    simulated: dict[str, Array]
    errors: tuple[SignalError, ...]


def compare_log(
    model: Model, log: RobotLog, responses: Mapping[str, JointResponse] | None = None
) -> LogComparison:
    """Simulate the commands of a log and compare every signal.

    Joints without a response have the servos of `holding_servos` and no delay.
    """
    playback = LogPlayback(model, log)
    chosen = {} if responses is None else responses
    simulated = playback.play([chosen])[0] | playback.forces(chosen)
    errors = tuple(
        signal_error(name, log.times, log.signals[name], simulated[name])
        for name in log.signals
        if name in simulated
    )
    return LogComparison(log.times, simulated, errors)


def signal_error(name: str, times: Array, measured: Array, simulated: Array) -> SignalError:
    """Return RMS, largest difference, and the shift that brings both signals together best."""
    difference = measured - simulated
    rms, largest = float(np.sqrt((difference**2).mean())), float(abs(difference).max())
    if np.ptp(measured) < 1e-6 or np.ptp(simulated) < 1e-6:
        return SignalError(name, rms, largest, float("nan"))
    step = min(float(np.diff(times).min()), 0.005)
    shifts = np.arange(-MAX_SHIFT, MAX_SHIFT + step / 2, step)
    costs = np.array([
        ((measured - np.interp(times - shift, times, simulated)) ** 2).mean() for shift in shifts
    ])  # fmt: skip
    k = int(np.argmin(costs))
    if 0 < k < len(shifts) - 1:  # the vertex of the parabola through three points
        left, middle, right = costs[k - 1 : k + 2]
        bend = left - 2 * middle + right
        offset = 0.5 * (left - right) / bend if bend > 0 else 0.0
        return SignalError(name, rms, largest, float(shifts[k] + offset * step))
    return SignalError(name, rms, largest, float(shifts[k]))
