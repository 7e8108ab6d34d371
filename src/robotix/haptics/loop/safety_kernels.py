"""The safety circuit of a device, compiled. It belongs to the device, not to the computer.

It stops the device for good when one of these happens: no fresh torques within the watchdog's time;
a joint's pulses exceed the count of a reference counter within its window, in either of two
channels, which read different encoders and whose windows begin at different times; the channels
disagree; the dead-man button is let go; an emergency stop is pressed; the hand's force exceeds its
limit; the computer reports a sensor without numbers; the joints lag behind.

Stopped, a relay parts the motors from their amplifiers after its delay and shorts them: they brake.
"""

from __future__ import annotations

import math

from robotix.geometry import Array
from robotix.haptics.loop.layout import (
    AGE,
    BRAKE_TIME,
    BY_COMMAND,
    BY_DEAD_MAN,
    BY_EMERGENCY,
    BY_ENCODER,
    BY_FORCE,
    BY_LAG,
    BY_RATE,
    BY_SENSOR,
    BY_WATCHDOG,
    COUNTER_WINDOW,
    DEAD_MAN,
    DIRECT,
    DQ,
    EMERGENCY,
    GRIP,
    MAX_FORCE,
    MAX_LAG,
    MAX_RATE,
    MAX_SLIP,
    MODE,
    PERIOD,
    PULSES_A,
    PULSES_B,
    Q_SEEN,
    Q_WANTED,
    RELAY_DELAY,
    REST_TIME,
    RUNNING,
    SEEN_BEFORE,
    SLIPPED,
    STOP_REASON,
    STOP_TIME,
    TIME,
    WATCHDOG,
    WINDOW_A,
    WINDOW_B,
)
from robotix.kernels import part

__all__ = ["stop", "supervise"]

REST_RATE = 0.02  # rad/s; slower joints are at rest


@part
def stop(state: Array, reason: float) -> None:
    """Stop the device; the first reason is kept."""
    if state[STOP_REASON] == RUNNING:
        state[STOP_REASON] = reason
        state[STOP_TIME] = state[TIME]


@part
def count_pulses(drives: Array, p: Array, joints: Array, state: Array) -> None:
    """Compare the pulses of every joint with the reference counters of both channels."""
    T = p[PERIOD]
    state[WINDOW_A] += T
    state[WINDOW_B] += T
    for i in range(joints.shape[1]):
        moved = joints[Q_SEEN, i] - joints[SEEN_BEFORE, i]  # channel A: the servo's encoder
        own = joints[DQ, i] * T  # channel B: its own pick-up
        joints[PULSES_A, i] += abs(moved)
        joints[PULSES_B, i] += abs(own)
        joints[SLIPPED, i] += moved - own
        most = drives[MAX_RATE, i] * p[COUNTER_WINDOW]
        if joints[PULSES_A, i] > most or joints[PULSES_B, i] > most:
            stop(state, BY_RATE)
        if abs(joints[SLIPPED, i]) > p[MAX_SLIP]:
            stop(state, BY_ENCODER)
    if state[WINDOW_A] >= p[COUNTER_WINDOW]:
        state[WINDOW_A] = 0.0
        joints[PULSES_A] = 0.0
    if state[WINDOW_B] >= p[COUNTER_WINDOW]:
        state[WINDOW_B] = 0.0
        joints[PULSES_B] = 0.0


@part
def supervise(
    drives: Array, p: Array, joints: Array, state: Array, is_fresh: bool, is_good: bool
) -> bool:
    """Watch one sample; return whether the motors are shorted.

    `is_fresh`: torques came; `is_good`: and they, and the force sensor, are numbers.
    """
    T = p[PERIOD]
    state[AGE] = 0.0 if is_fresh else state[AGE] + T
    if is_fresh and not is_good:
        stop(state, BY_SENSOR)
    if state[AGE] > p[WATCHDOG]:
        stop(state, BY_WATCHDOG)
    if state[DEAD_MAN] == 0.0:
        stop(state, BY_DEAD_MAN)
    if state[EMERGENCY] > 0.0:
        stop(state, BY_EMERGENCY)
    push = math.sqrt(state[GRIP] ** 2 + state[GRIP + 1] ** 2 + state[GRIP + 2] ** 2)
    if push > p[MAX_FORCE]:
        stop(state, BY_FORCE)
    count_pulses(drives, p, joints, state)
    fastest = 0.0
    for i in range(joints.shape[1]):
        lag = 0.0 if p[MODE] == DIRECT else abs(joints[Q_WANTED, i] - joints[Q_SEEN, i])
        if lag > drives[MAX_LAG, i]:
            stop(state, BY_LAG)
        if not math.isfinite(joints[DQ, i]):
            stop(state, BY_COMMAND)
        fastest = max(fastest, abs(joints[DQ, i]))
    if state[STOP_REASON] == RUNNING:
        return False
    if state[TIME] - state[STOP_TIME] < p[RELAY_DELAY] - 0.5 * T:
        return False
    if state[BRAKE_TIME] < 0.0:
        state[BRAKE_TIME] = state[TIME]
    if state[REST_TIME] < 0.0 and fastest < REST_RATE:
        state[REST_TIME] = state[TIME]
    return True
