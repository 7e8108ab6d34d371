"""Rows and columns of the arrays that the compiled loop reads and writes.

Joints have one column each; what belongs to the handle stands in one vector.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robotix.geometry import Array
from robotix.kinematics.kernels.tables import Ints

__all__ = ["MAX_DELAY", "Chain", "LoopScratch", "make_scratch"]

MAX_DELAY = 64  # samples, of the force sensor

# drives: a row per property, a column per joint
(
    ROTOR, COULOMB, VISCOUS, STATIC, STRIBECK_SPEED, MAX_TORQUE, TORQUE_STEP, ENCODER_STEP,
    BRAKE_DAMPING, MAX_RATE, MAX_LAG, EFFECTIVE, HOLDING,
) = range(13)  # fmt: skip
N_DRIVE = 13

# joints: a row per quantity, a column per joint
(
    Q, DQ, TORQUE, FRICTION, Q_SEEN, DQ_SEEN, Q_WANTED, DQ_WANTED, DDQ_WANTED, Q_HOME,
    SEEN_BEFORE, PULSES_A, PULSES_B, SLIPPED, FROZEN, FROZEN_AT,
) = range(16)  # fmt: skip
N_JOINT = 16

# settings of the loop
(
    PERIOD, SUBSTEPS, MODE, SERVO, RESOLUTION, FULL_STEP, STAGE_STEP,
    VIRTUAL_MASS, VIRTUAL_INERTIA, VIRTUAL_DAMPING, VIRTUAL_TURN_DAMPING, LOCKS_ORIENTATION,
    SERVO_FREQUENCY, SERVO_DAMPING, RATE_CUTOFF, FRICTION_SHARE, FORCE_SHARE,
    FORCE_NOISE, TORQUE_NOISE, FORCE_STEP, SENSOR_DELAY, FORCE_CUTOFF, PASSIVITY,
    NULL_STIFFNESS, NULL_DAMPING, TURN_STIFFNESS, TURN_DAMPING, MAX_SPEED,
    WATCHDOG, COUNTER_WINDOW, RELAY_DELAY, MAX_FORCE, MAX_SLIP, MAX_RENDERED,
) = range(34)  # fmt: skip
N_SETTINGS = 34
ADMITTANCE, POSITION_IMPEDANCE, IMPEDANCE, DIRECT = 0.0, 1.0, 2.0, 3.0  # direct: given torques
COMPUTED_TORQUE, INDEPENDENT = 0.0, 1.0
FULL, PARTITIONED = 0.0, 1.0

# the hand: its properties, then what it wants
(
    HAND_MASS, HAND_DAMPING, HAND_STIFFNESS, GRIP_STIFFNESS, GRIP_DAMPING,
    HAND_TURN_STIFFNESS, HAND_TURN_DAMPING, HAND_STRENGTH,
) = range(8)  # fmt: skip
HAND_GOAL, HAND_PUSH, HAND_TORQUE = 8, 11, 14  # three numbers each
HAND_TURN = 17  # nine: the orientation that the hand wants
N_HAND = 26

# the handle and all else that is one number
VIRTUAL_X, VIRTUAL_R, VIRTUAL_V = 0, 3, 12  # pose and twist of the virtual handle
HAND_X, HAND_V = 18, 21
GRIP, SEEN = 24, 30  # wrench of the hand on the handle: true, and as the sensor tells it
RENDERED = 36  # wrench f_r of the environment, as it is subtracted
TIP_X, TIP_R, TIP_V = 42, 45, 54  # true pose and twist of the handle
SEEN_X, SEEN_V = 60, 63  # position and twist after the encoders
(
    TIME, SEED, STORED, PORT_ENERGY, LOWEST_PORT_ENERGY, LOWEST_STORED, AGE, WINDOW_A, WINDOW_B,
    STOP_REASON, STOP_TIME, BRAKE_TIME, REST_TIME, DEAD_MAN, EMERGENCY, SENSOR_FAULT, PENETRATION,
    DEEPEST, FASTEST, SATURATED,
) = range(69, 89)  # fmt: skip
N_STATE = 89

# why the device was stopped
(
    RUNNING, BY_WATCHDOG, BY_RATE, BY_DEAD_MAN, BY_EMERGENCY, BY_FORCE, BY_SENSOR, BY_ENCODER,
    BY_LAG, BY_COMMAND,
) = (float(i) for i in range(10))  # fmt: skip

# faults that can be put into a run
NO_FAULT, FORCE_NAN, ENCODER_FROZEN, CONTROLLER_LATE, CABLE_CUT = range(5)

# the virtual environment: a row per element
KIND, STIFFNESS, DAMPING, HYSTERESIS, BALL = range(5)
FIRST, SECOND = 5, 8  # two points, three numbers each
LENGTH = 11
MEMORY = 12  # six numbers that the element keeps
N_ELEMENT = 18
(
    FREE_DAMPING, PLANE, SPRING, RUBBER_BAND, DAMPING_ZONE, SPRING_ZONE, DRY_FRICTION, BOX,
    BALL_SOLID, COUPLED_MASS, TURN_SPRING, GIVEN_WRENCH,
) = (float(i) for i in range(12))  # fmt: skip


class Chain(NamedTuple):
    """A serial device, packed."""

    link_ints: Ints
    link_floats: Array
    pieces: Array
    column_dof: Ints
    column_ratio: Array
    column_link: Ints
    support_start: Ints
    support: Ints
    gravity: Array
    tip_link: int
    tip_offset: Array  # (12,)


class LoopScratch(NamedTuple):
    """Room for the computations of one tick, so that no tick allocates."""

    world: Array
    columns: Array
    twists: Array
    rates: Array
    accelerations: Array
    wrenches: Array
    inertias: Array
    mass: Array  # (n, n)
    inverse: Array  # (n, n)
    jacobian: Array  # (6, n), of the true posture
    wanted_jacobian: Array  # (6, n), of the desired one
    vectors: Array  # (8, n)
    small: Array  # (6, 6)
    solved: Array  # (6, n + 1)
    point: Array  # (12,)
    late: Array  # (MAX_DELAY + 1, 6), forces under way


def make_scratch(n_links: int, n: int) -> LoopScratch:
    """Return room for a device of `n` joints."""
    world = np.zeros((n_links + 1, 12))
    world[-1, 0] = world[-1, 4] = world[-1, 8] = 1.0
    return LoopScratch(
        world, np.zeros((n, 6)), np.zeros((n_links + 1, 6)), np.zeros((n, 6)),
        np.zeros((n_links + 1, 6)), np.zeros((n_links, 6)), np.zeros((n_links, 10)),
        np.zeros((n, n)), np.zeros((n, n)), np.zeros((6, n)), np.zeros((6, n)), np.zeros((8, n)),
        np.zeros((6, 6)), np.zeros((6, n + 1)), np.zeros(12), np.zeros((MAX_DELAY + 1, 6)),
    )  # fmt: skip
