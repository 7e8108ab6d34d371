"""The computer of a haptic device, compiled: sensors, virtual environment, resolution, servo.

Admittance display: the rendered wrench f_r is subtracted from the measured one; the rest divided by
the virtual mass is an acceleration, which is integrated to the desired motion. Position-based
impedance evaluates the environment where the handle is, not where it should be. Impedance display
gives f_r to the motors and measures no force.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.haptics.devices.resolution_kernels import (
    put_cholesky,
    put_full_rates,
    put_gram,
    put_stage_rates,
    solve_cholesky,
)
from robotix.haptics.loop.dynamics_kernels import put_efforts, put_tip
from robotix.haptics.loop.environment_kernels import put_rendered
from robotix.haptics.loop.layout import (
    COULOMB,
    DDQ_WANTED,
    DEEPEST,
    DQ_SEEN,
    DQ_WANTED,
    EFFECTIVE,
    ENCODER_STEP,
    FORCE_CUTOFF,
    FORCE_NOISE,
    FORCE_SHARE,
    FORCE_STEP,
    FRICTION_SHARE,
    FROZEN,
    FROZEN_AT,
    FULL_STEP,
    GRIP,
    IMPEDANCE,
    INDEPENDENT,
    LOCKS_ORIENTATION,
    LOWEST_STORED,
    MAX_RATE,
    MAX_RENDERED,
    MAX_SPEED,
    MAX_TORQUE,
    MODE,
    NULL_DAMPING,
    NULL_STIFFNESS,
    PARTITIONED,
    PASSIVITY,
    PENETRATION,
    PERIOD,
    POSITION_IMPEDANCE,
    Q_HOME,
    Q_SEEN,
    Q_WANTED,
    RATE_CUTOFF,
    RENDERED,
    RESOLUTION,
    ROTOR,
    SATURATED,
    SEED,
    SEEN,
    SEEN_BEFORE,
    SEEN_V,
    SEEN_X,
    SENSOR_DELAY,
    SENSOR_FAULT,
    SERVO,
    SERVO_DAMPING,
    SERVO_FREQUENCY,
    STAGE_STEP,
    STORED,
    TORQUE,
    TORQUE_NOISE,
    TORQUE_STEP,
    TURN_DAMPING,
    TURN_STIFFNESS,
    VIRTUAL_DAMPING,
    VIRTUAL_INERTIA,
    VIRTUAL_MASS,
    VIRTUAL_R,
    VIRTUAL_TURN_DAMPING,
    VIRTUAL_V,
    VIRTUAL_X,
    VISCOUS,
    Chain,
    LoopScratch,
    Q,
)
from robotix.kernels import part
from robotix.kinematics.kernels.rotation import (
    exp_map,
    log_map,
    multiply,
    put_rotation,
    rotation_of,
    transpose,
)

__all__ = ["control", "read_encoders"]

DRIFT_GAIN = 20.0  # 1/s; leads the desired joints back to the desired pose
SLIDING = 0.02  # rad/s, above which friction is compensated in full
MODULUS, MULTIPLIER = 2147483647, 16807  # of the random numbers of the sensor's noise


@part
def uniform(state: Array) -> float:
    """Return the next random number between 0 and 1."""
    state[SEED] = (MULTIPLIER * int(state[SEED])) % MODULUS
    return float(state[SEED] / MODULUS)


@part
def noise(state: Array) -> float:
    """Return the next normally distributed number."""
    a, b = uniform(state), uniform(state)
    return math.sqrt(-2.0 * math.log(max(a, 1e-12))) * math.cos(2.0 * math.pi * b)


@part
def read_encoders(drives: Array, p: Array, joints: Array) -> None:
    """Count the joints' angles, and filter their rates."""
    T = p[PERIOD]
    share = 1.0 - math.exp(-2.0 * math.pi * p[RATE_CUTOFF] * T)
    for i in range(joints.shape[1]):
        step = drives[ENCODER_STEP, i]
        angle = joints[FROZEN_AT, i] if joints[FROZEN, i] > 0.0 else joints[Q, i]
        if step > 0.0:
            angle = math.floor(angle / step) * step
        joints[SEEN_BEFORE, i] = joints[Q_SEEN, i]
        joints[DQ_SEEN, i] += share * ((angle - joints[Q_SEEN, i]) / T - joints[DQ_SEEN, i])
        joints[Q_SEEN, i] = angle


@part
def read_force(work: LoopScratch, p: Array, state: Array) -> bool:
    """Read the force sensor: noise, steps, delay, filter; return whether it tells numbers."""
    delay = int(p[SENSOR_DELAY])
    share = 1.0
    if p[FORCE_CUTOFF] > 0.0:
        share = 1.0 - math.exp(-2.0 * math.pi * p[FORCE_CUTOFF] * p[PERIOD])
    is_good = True
    for i in range(6):
        value = state[GRIP + i]
        spread = p[FORCE_NOISE] if i < 3 else p[TORQUE_NOISE]
        if spread > 0.0:
            value += spread * noise(state)
        if p[FORCE_STEP] > 0.0:
            value = math.floor(value / p[FORCE_STEP] + 0.5) * p[FORCE_STEP]
        if state[SENSOR_FAULT] > 0.0:
            value = math.nan
        work.late[delay, i] = value
        if not math.isfinite(work.late[0, i]):
            is_good = False
    if is_good:
        for i in range(6):
            state[SEEN + i] += share * (work.late[0, i] - state[SEEN + i])
    for k in range(delay):
        for i in range(6):
            work.late[k, i] = work.late[k + 1, i]
    return is_good


@part
def render(p: Array, elements: Array, state: Array, x: Array, R: Array, v: Array) -> None:
    """Write f_r at a pose and twist, with a passivity observer and controller [Hannaford2002]."""
    T, f = p[PERIOD], state[RENDERED : RENDERED + 6]
    for i in range(6):
        state[STORED] += T * f[i] * v[i]  # what the last wrench took up until now
    state[LOWEST_STORED] = min(state[LOWEST_STORED], state[STORED])
    state[PENETRATION] = put_rendered(elements, x, R, v, T, f)
    state[DEEPEST] = max(state[DEEPEST], state[PENETRATION])
    if p[PASSIVITY] > 0.0 and state[STORED] < 0.0:
        square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        if square > 0.0:
            extra = min(-state[STORED] / (T * square), p[VIRTUAL_MASS] / (2.0 * T))
            for i in range(3):
                f[i] += extra * v[i]
    size = math.sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2])
    if size > p[MAX_RENDERED]:  # as weak as the device that is emulated
        for i in range(3):
            f[i] *= p[MAX_RENDERED] / size


@part
def move_virtual(p: Array, state: Array) -> None:
    """Accelerate the virtual mass by the measured less the rendered wrench, and move it on."""
    T, v = p[PERIOD], state[VIRTUAL_V : VIRTUAL_V + 6]
    square = 0.0
    for i in range(3):
        force = state[SEEN + i] - state[RENDERED + i] - p[VIRTUAL_DAMPING] * v[i]
        v[i] += T * force / p[VIRTUAL_MASS]
        square += v[i] * v[i]
        if p[LOCKS_ORIENTATION] > 0.0:
            v[3 + i] = 0.0
        else:
            torque = state[SEEN + 3 + i] - state[RENDERED + 3 + i]
            torque -= p[VIRTUAL_TURN_DAMPING] * v[3 + i]
            v[3 + i] += T * torque / p[VIRTUAL_INERTIA]
    if square > p[MAX_SPEED] * p[MAX_SPEED]:
        share = p[MAX_SPEED] / math.sqrt(square)
        for i in range(3):
            v[i] *= share
    for i in range(3):
        state[VIRTUAL_X + i] += T * v[i]
    turned = exp_map(T * v[3], T * v[4], T * v[5])
    row = state[VIRTUAL_R : VIRTUAL_R + 9]
    put_rotation(row, multiply(turned, rotation_of(row)))


@part
def resolve_twist(
    chain: Chain, work: LoopScratch, drives: Array, p: Array, joints: Array, state: Array
) -> None:
    """Move the desired joints so that the device follows the virtual handle."""
    T, n = p[PERIOD], joints.shape[1]
    J, twist = work.wanted_jacobian, work.point
    put_tip(chain, work, joints[Q_WANTED], J)
    at = rotation_of(twist)
    turn = log_map(multiply(rotation_of(state[VIRTUAL_R : VIRTUAL_R + 9]), transpose(at)))
    for i in range(3):
        drift = state[VIRTUAL_X + i] - work.point[9 + i]
        work.solved[i, 0] = state[VIRTUAL_V + i] + DRIFT_GAIN * drift
        work.solved[3 + i, 0] = state[VIRTUAL_V + 3 + i] + DRIFT_GAIN * turn[i]
    for i in range(6):
        twist[i] = work.solved[i, 0]
    wanted, gradient, plain = work.vectors[4], work.vectors[5], work.vectors[6]
    if p[RESOLUTION] == PARTITIONED:
        q = joints[Q_WANTED]
        put_stage_rates(J, q, twist, 0.0, gradient, work.small, work.solved, plain)
        wanted[:] = plain
        if p[STAGE_STEP] != 0.0:
            put_stage_rates(J, q, twist, p[STAGE_STEP], gradient, work.small, work.solved, wanted)
    else:
        put_full_rates(J, twist, 0.0, gradient, work.small, work.solved, plain)
        wanted[:] = plain
        if p[FULL_STEP] != 0.0:
            put_full_rates(J, twist, p[FULL_STEP], gradient, work.small, work.solved, wanted)
    share = 1.0  # of the self-motion, so that no joint exceeds its rate
    for i in range(n):
        own, limit = wanted[i] - plain[i], drives[MAX_RATE, i]
        if abs(plain[i] + share * own) > limit and own != 0.0:
            room = (limit if own > 0.0 else -limit) - plain[i]
            share = min(share, max(room / own, 0.0))
    for i in range(n):
        rate = plain[i] + share * (wanted[i] - plain[i])
        joints[DDQ_WANTED, i] = (rate - joints[DQ_WANTED, i]) / T
        joints[DQ_WANTED, i] = rate
        joints[Q_WANTED, i] += T * rate


@part
def put_servo_torques(
    chain: Chain, work: LoopScratch, drives: Array, p: Array, joints: Array, state: Array, J: Array
) -> None:
    """Write the torques that lead the joints to the desired motion; poses are those seen."""
    n, w = joints.shape[1], p[SERVO_FREQUENCY]
    acceleration, tau = work.vectors[4], work.vectors[5]
    for i in range(n):
        lag = joints[Q_WANTED, i] - joints[Q_SEEN, i]
        slip = joints[DQ_WANTED, i] - joints[DQ_SEEN, i]
        acceleration[i] = joints[DDQ_WANTED, i] + w * w * lag + 2.0 * p[SERVO_DAMPING] * w * slip
    if p[SERVO] == INDEPENDENT:
        work.vectors[6] = 0.0
        put_efforts(chain, work, joints[Q_SEEN], work.vectors[6], work.vectors[6], tau)
        for i in range(n):
            tau[i] += drives[EFFECTIVE, i] * acceleration[i]
    else:
        put_efforts(chain, work, joints[Q_SEEN], joints[DQ_SEEN], acceleration, tau)
        for i in range(n):
            tau[i] += drives[ROTOR, i] * acceleration[i]
    for i in range(n):
        rate = joints[DQ_WANTED, i]
        tau[i] += drives[VISCOUS, i] * rate
        tau[i] += p[FRICTION_SHARE] * drives[COULOMB, i] * math.tanh(rate / SLIDING)
        for k in range(6):
            tau[i] -= p[FORCE_SHARE] * J[k, i] * state[SEEN + k]


@part
def put_display_torques(
    chain: Chain, work: LoopScratch, drives: Array, p: Array, joints: Array, state: Array, J: Array
) -> None:
    """Write the torques of impedance display: −Jᵀ f_r, gravity, a calm null space."""
    n = joints.shape[1]
    tau, calm, zero = work.vectors[5], work.vectors[4], work.vectors[6]
    zero[:] = 0.0
    put_efforts(chain, work, joints[Q_SEEN], zero, zero, tau)
    turn = log_map(
        multiply(rotation_of(state[VIRTUAL_R : VIRTUAL_R + 9]), transpose(rotation_of(work.point)))
    )
    for i in range(n):
        calm[i] = p[NULL_STIFFNESS] * (joints[Q_HOME, i] - joints[Q_SEEN, i])
        calm[i] -= p[NULL_DAMPING] * joints[DQ_SEEN, i]
    put_gram(J, 0, 6, np.arange(n), 1e-6, work.small)
    put_cholesky(work.small, 6)
    for k in range(6):
        work.solved[k, n] = 0.0
        for i in range(n):
            work.solved[k, n] += J[k, i] * calm[i]
    solve_cholesky(work.small, 6, work.solved, n)
    for i in range(n):
        tau[i] += calm[i]
        for k in range(6):
            wrench = -state[RENDERED + k]
            if k >= 3:
                wrench += p[TURN_STIFFNESS] * turn[k - 3] - p[TURN_DAMPING] * state[SEEN_V + k]
            tau[i] += J[k, i] * (wrench - work.solved[k, n])


@part
def control(
    chain: Chain, work: LoopScratch, drives: Array, p: Array, elements: Array, joints: Array,
    state: Array,
) -> bool:  # fmt: skip
    """Compute the torques of one sample; return False if the sensors tell nonsense."""
    n, J = joints.shape[1], work.jacobian
    if not read_force(work, p, state):
        return False
    if p[MODE] != IMPEDANCE and p[MODE] != POSITION_IMPEDANCE:
        x, v = state[VIRTUAL_X : VIRTUAL_X + 3], state[VIRTUAL_V : VIRTUAL_V + 6]
        render(p, elements, state, x, state[VIRTUAL_R : VIRTUAL_R + 9], v)
    put_seen(chain, work, joints, state)
    if p[MODE] == IMPEDANCE or p[MODE] == POSITION_IMPEDANCE:
        x, v = state[SEEN_X : SEEN_X + 3], state[SEEN_V : SEEN_V + 6]
        render(p, elements, state, x, work.point[:9], v)
    if p[MODE] == IMPEDANCE:
        for i in range(n):
            joints[Q_WANTED, i], joints[DQ_WANTED, i] = joints[Q_SEEN, i], 0.0
        put_display_torques(chain, work, drives, p, joints, state, J)
    else:
        move_virtual(p, state)
        resolve_twist(chain, work, drives, p, joints, state)
        put_tip(chain, work, joints[Q_SEEN], J)
        put_servo_torques(chain, work, drives, p, joints, state, J)
    return command(work, drives, joints, state)


@part
def put_seen(chain: Chain, work: LoopScratch, joints: Array, state: Array) -> None:
    """Write position and twist of the handle after the encoders, and its Jacobian."""
    J = work.jacobian
    put_tip(chain, work, joints[Q_SEEN], J)
    for i in range(3):
        state[SEEN_X + i] = work.point[9 + i]
    for k in range(6):
        total = 0.0
        for i in range(joints.shape[1]):
            total += J[k, i] * joints[DQ_SEEN, i]
        state[SEEN_V + k] = total


@part
def command(work: LoopScratch, drives: Array, joints: Array, state: Array) -> bool:
    """Limit, quantise and give the torques to the motors; return whether all are finite."""
    n, tau = joints.shape[1], work.vectors[5]
    for i in range(n):
        if not math.isfinite(tau[i]):
            return False
    for i in range(n):
        limit, step = drives[MAX_TORQUE, i], drives[TORQUE_STEP, i]
        torque = min(max(tau[i], -limit), limit)
        if torque != tau[i]:
            state[SATURATED] += 1.0
        if step > 0.0:
            torque = math.floor(torque / step + 0.5) * step
        joints[TORQUE, i] = torque
    return True
