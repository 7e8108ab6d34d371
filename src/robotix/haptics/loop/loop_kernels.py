"""The whole loop, compiled: one sample, a run, and many runs."""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.haptics.loop.controller_kernels import control, read_encoders
from robotix.haptics.loop.layout import (
    CABLE_CUT,
    CONTROLLER_LATE,
    DIRECT,
    ENCODER_FROZEN,
    ENCODER_STEP,
    FORCE_NAN,
    FROZEN,
    FROZEN_AT,
    GRIP,
    HAND_GOAL,
    HAND_PUSH,
    MAX_TORQUE,
    MODE,
    PORT_ENERGY,
    Q_SEEN,
    RENDERED,
    RUNNING,
    SENSOR_FAULT,
    STOP_REASON,
    STORED,
    TIME,
    TIP_V,
    TIP_X,
    TORQUE,
    VIRTUAL_X,
    Chain,
    LoopScratch,
)
from robotix.haptics.loop.plant_kernels import move_plant
from robotix.haptics.loop.safety_kernels import supervise
from robotix.kernels import kernel, part

__all__ = ["N_TRACE", "run_loop"]

N_TRACE = 20
STEADY, FLOOR = 0.98, 2e-5  # as in walls: shrinking less than this is not shrinking; m


@part
def tick(
    chain: Chain, work: LoopScratch, drives: Array, p: Array, hand: Array, elements: Array,
    joints: Array, state: Array, is_fresh: bool,
) -> None:  # fmt: skip
    """One sample: the computer, the safety circuit, the device and the hand."""
    read_encoders(drives, p, joints)
    is_good = True
    if is_fresh and state[STOP_REASON] == RUNNING and p[MODE] != DIRECT:
        is_good = control(chain, work, drives, p, elements, joints, state)
    is_braked = supervise(drives, p, joints, state, is_fresh, is_good)
    move_plant(chain, work, drives, p, hand, joints, state, is_braked)


@part
def freeze(drives: Array, joints: Array) -> None:
    """Freeze all encoders at what they show."""
    for i in range(joints.shape[1]):
        if joints[FROZEN, i] == 0.0:
            joints[FROZEN, i] = 1.0
            joints[FROZEN_AT, i] = joints[Q_SEEN, i] + 0.5 * drives[ENCODER_STEP, i]


@part
def put_trace(drives: Array, joints: Array, state: Array, row: Array) -> None:
    """Write one row of a history."""
    row[0] = state[TIME]
    for i in range(3):
        row[1 + i] = state[TIP_X + i]
        row[4 + i] = state[TIP_V + i]
        row[7 + i] = state[GRIP + i]
        row[10 + i] = state[RENDERED + i]
        row[13 + i] = state[VIRTUAL_X + i]
    row[16] = state[STOP_REASON]
    load = 0.0
    for i in range(joints.shape[1]):
        load = max(load, abs(joints[TORQUE, i]) / drives[MAX_TORQUE, i])
    row[17], row[18], row[19] = load, state[PORT_ENERGY], state[STORED]


@kernel
def run_loop(
    chain: Chain, work: LoopScratch, drives: Array, p: Array, hand: Array, elements: Array,
    joints: Array, state: Array, inputs: Array, fault: int, fault_tick: int, late: int, n: int,
    trace: Array,
) -> bool:  # fmt: skip
    """Run `n` samples; return whether the motion of the last quarter is smaller than before.

    `inputs` (n or 0, 6) are the hand's voluntary force and goal of every sample; a fault begins at
    `fault_tick`, and a late computer is late by `late` samples. `trace` is (n or 0, N_TRACE).
    """
    low, high = np.full((4, 3), np.inf), np.full((4, 3), -np.inf)
    for k in range(n):
        if len(inputs):
            for i in range(3):
                hand[HAND_PUSH + i] = inputs[k, i]
                hand[HAND_GOAL + i] = inputs[k, 3 + i]
        is_fresh = True
        if fault != 0 and k >= fault_tick:
            if fault == FORCE_NAN:
                state[SENSOR_FAULT] = 1.0
            elif fault == ENCODER_FROZEN:
                freeze(drives, joints)
            elif fault == CABLE_CUT or (fault == CONTROLLER_LATE and k < fault_tick + late):
                is_fresh = False
        tick(chain, work, drives, p, hand, elements, joints, state, is_fresh)
        quarter = 4 * k // n if n >= 4 else 3
        for i in range(3):
            low[quarter, i] = min(low[quarter, i], state[TIP_X + i])
            high[quarter, i] = max(high[quarter, i], state[TIP_X + i])
        if len(trace):
            put_trace(drives, joints, state, trace[k])
    before = after = 0.0
    for i in range(3):
        before += (high[2, i] - low[2, i]) ** 2
        after += (high[3, i] - low[3, i]) ** 2
    return math.sqrt(after) <= FLOOR or math.sqrt(after) < STEADY * math.sqrt(before)
