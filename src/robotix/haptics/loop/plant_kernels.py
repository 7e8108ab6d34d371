"""The simulated device and the hand that holds it, compiled: one sample, in substeps.

    (M + rotors) ddq = τ − bias + Jᵀ w_hand − viscous dq + friction

The mass matrix and the bias are those of the beginning of the sample. Viscous friction and the
brake are integrated implicitly. Dry friction is an impulse per substep within ±f h that brings the
joint to rest if it can: so a joint sticks. f falls from the static to the sliding value with speed
(Stribeck). The hand is a mass with a spring and a damper to where it wants to be, and holds the
handle by a grip, which is a spring and a damper, too.
"""

from __future__ import annotations

import math

from robotix.geometry import Array
from robotix.haptics.loop.dynamics_kernels import (
    put_efforts,
    put_inverse,
    put_mass_matrix,
    put_tip,
)
from robotix.haptics.loop.layout import (
    BRAKE_DAMPING,
    COULOMB,
    DQ,
    FASTEST,
    FRICTION,
    GRIP,
    GRIP_DAMPING,
    GRIP_STIFFNESS,
    HAND_DAMPING,
    HAND_GOAL,
    HAND_MASS,
    HAND_PUSH,
    HAND_STIFFNESS,
    HAND_STRENGTH,
    HAND_TORQUE,
    HAND_TURN,
    HAND_TURN_DAMPING,
    HAND_TURN_STIFFNESS,
    HAND_V,
    HAND_X,
    HOLDING,
    LOWEST_PORT_ENERGY,
    PERIOD,
    PORT_ENERGY,
    ROTOR,
    STATIC,
    STRIBECK_SPEED,
    SUBSTEPS,
    TIME,
    TIP_R,
    TIP_V,
    TIP_X,
    TORQUE,
    VISCOUS,
    Chain,
    LoopScratch,
    Q,
)
from robotix.kernels import part
from robotix.kinematics.kernels.rotation import log_map, multiply, rotation_of, transpose

__all__ = ["move_plant", "put_handle"]

SWEEPS = 4  # over the joints, per substep: friction impulses depend on each other


@part
def put_handle(work: LoopScratch, joints: Array, state: Array) -> None:
    """Write the true pose and twist of the handle, from `work.point` and `work.jacobian`."""
    for i in range(9):
        state[TIP_R + i] = work.point[i]
    for i in range(3):
        state[TIP_X + i] = work.point[9 + i]
    for i in range(6):
        total = 0.0
        for j in range(joints.shape[1]):
            total += work.jacobian[i, j] * joints[DQ, j]
        state[TIP_V + i] = total


@part
def dry_friction(drives: Array, joint: int, rate: float) -> float:
    """Return the largest friction torque of a joint at a rate, N m."""
    extra = drives[STATIC, joint] - drives[COULOMB, joint]
    if extra <= 0.0:
        return float(drives[COULOMB, joint])
    ratio = rate / drives[STRIBECK_SPEED, joint]
    return float(drives[COULOMB, joint] + extra * math.exp(-ratio * ratio))


@part
def move_hand(hand: Array, state: Array, h: float) -> None:
    """Write the wrench of the hand on the handle, and move the hand on by `h` seconds."""
    pushes = 0.0
    for i in range(3):
        stretch = state[HAND_X + i] - state[TIP_X + i]
        slip = state[HAND_V + i] - state[TIP_V + i]
        state[GRIP + i] = hand[GRIP_STIFFNESS] * stretch + hand[GRIP_DAMPING] * slip
        muscle = hand[HAND_PUSH + i]
        muscle += hand[HAND_STIFFNESS] * (hand[HAND_GOAL + i] - state[HAND_X + i])
        state[GRIP + 3 + i] = muscle  # for a moment: the torques follow below
        pushes += muscle * muscle
    share = 1.0
    if pushes > hand[HAND_STRENGTH] * hand[HAND_STRENGTH]:
        share = hand[HAND_STRENGTH] / math.sqrt(pushes)
    for i in range(3):
        force = share * state[GRIP + 3 + i] - state[GRIP + i]
        # damping implicitly, so that a strongly damped hand is stable
        rate = state[HAND_V + i] + h * force / hand[HAND_MASS]
        state[HAND_V + i] = rate / (1.0 + h * hand[HAND_DAMPING] / hand[HAND_MASS])
        state[HAND_X + i] += h * state[HAND_V + i]
    wanted = rotation_of(hand[HAND_TURN : HAND_TURN + 9])
    now = rotation_of(state[TIP_R : TIP_R + 9])
    turn = log_map(multiply(wanted, transpose(now)))
    for i in range(3):
        state[GRIP + 3 + i] = (
            hand[HAND_TORQUE + i]
            + hand[HAND_TURN_STIFFNESS] * turn[i]
            - hand[HAND_TURN_DAMPING] * state[TIP_V + 3 + i]
        )


@part
def rub(work: LoopScratch, drives: Array, joints: Array, h: float, is_braked: bool) -> None:
    """Apply the impulses of dry friction, and of brakes, to the rates in `work.vectors[1]`."""
    rates, n = work.vectors[1], joints.shape[1]
    for _ in range(SWEEPS):
        for i in range(n):
            limit = h * dry_friction(drives, i, joints[DQ, i])
            if is_braked:
                limit += h * drives[HOLDING, i]
            before = joints[FRICTION, i]
            after = min(max(before - rates[i] / work.inverse[i, i], -limit), limit)
            joints[FRICTION, i] = after
            change = after - before
            if change != 0.0:
                for j in range(n):
                    rates[j] += work.inverse[j, i] * change


@part
def move_plant(
    chain: Chain, work: LoopScratch, drives: Array, p: Array, hand: Array, joints: Array,
    state: Array, is_braked: bool,
) -> None:  # fmt: skip
    """Move device and hand on by one sample under the torques of `joints[TORQUE]`."""
    n = joints.shape[1]
    substeps = int(p[SUBSTEPS])
    if substeps < 1:
        return  # only the computer is run; the device is elsewhere
    h = p[PERIOD] / substeps
    bias, rates = work.vectors[0], work.vectors[1]
    q, dq, J = joints[Q], joints[DQ], work.jacobian
    put_tip(chain, work, q, J)
    put_handle(work, joints, state)
    put_mass_matrix(chain, work)
    rates[:] = 0.0
    put_efforts(chain, work, q, dq, rates, bias)
    for i in range(n):
        resistance = drives[VISCOUS, i] + (drives[BRAKE_DAMPING, i] if is_braked else 0.0)
        work.vectors[2, i] = resistance
        work.mass[i, i] += drives[ROTOR, i] + h * resistance
    put_inverse(work.mass, work.inverse)
    for _ in range(substeps):
        move_hand(hand, state, h)
        for i in range(n):
            push = 0.0 if is_braked else joints[TORQUE, i]
            push -= bias[i] + work.vectors[2, i] * dq[i]
            for k in range(6):
                push += J[k, i] * state[GRIP + k]
            work.vectors[3, i] = h * push + joints[FRICTION, i]
        for i in range(n):
            total = dq[i]
            for j in range(n):
                total += work.inverse[i, j] * work.vectors[3, j]
            rates[i] = total
        rub(work, drives, joints, h, is_braked)
        for i in range(n):
            dq[i] = rates[i]
            q[i] += h * rates[i]
        for k in range(6):
            total = 0.0
            for i in range(n):
                total += J[k, i] * dq[i]
            state[TIP_V + k] = total
            state[PORT_ENERGY] += h * state[GRIP + k] * total
        for k in range(3):
            state[TIP_X + k] += h * state[TIP_V + k]
    state[LOWEST_PORT_ENERGY] = min(state[LOWEST_PORT_ENERGY], state[PORT_ENERGY])
    speed = math.sqrt(state[TIP_V] ** 2 + state[TIP_V + 1] ** 2 + state[TIP_V + 2] ** 2)
    state[FASTEST] = max(state[FASTEST], speed)
    state[TIME] += p[PERIOD]
