"""A mass before a sampled virtual wall, compiled: one run, and many side by side.

The wall fills x > 0. Between two instants of its clock the controller holds its force f; device and
hand move on in substeps, in which

    M a = F − c v

is integrated exactly for a constant force F. So the energy that the wall takes up, Σ f Δx, is exact
and the sampling effects are those of the loop, not of the integration.

The energy E is what the wall has taken up, Σ f Δx, and what the device has dissipated. Device and
wall are passive if it never becomes negative. The control `BOUNDED` sees to that: the force that is
chosen now acts `DELAY` samples later, and until the end of its interval the device leaves the wall
by at most

    Δ = Σ (u T + ½ a T²),  a = (f + F_max)/M,  u ← u + a T,

where u bounds its velocity, f are the forces that were chosen before and F_max bounds the force of
the hand. The new force is the largest one, up to that of the wall, for which E − Σ f Δ ≥ 0.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel, part

__all__ = [
    "BOUNDED_CONTROL",
    "LEAK",
    "MAX_DELAY",
    "NO_CONTROL",
    "N_PARAMETERS",
    "N_RESULTS",
    "OBSERVER_CONTROL",
    "STABLE",
    "run_walls",
    "trace_wall",
]

# columns of a row of parameters
(
    STIFFNESS, WALL_DAMPING, DAMPS_LEAVING, PULLS, HYSTERESIS,
    MASS, DAMPING, FRICTION, ENCODER_STEP, MAX_FORCE, FORCE_STEP, PERIOD, DELAY,
    HAND_DAMPING, HAND_STIFFNESS, HAND_REST, HAND_PUSH, MAX_HAND_FORCE,
    START_POSITION, START_VELOCITY, CONTROL,
) = range(21)  # fmt: skip
N_PARAMETERS = 21

# columns of a row of results
STABLE, LEAK, WALL_LEAK, MAX_PENETRATION = range(4)
N_RESULTS = 4

NO_CONTROL, OBSERVER_CONTROL, BOUNDED_CONTROL = 0.0, 1.0, 2.0
MAX_DELAY = 32  # samples
SUBSTEPS = 8  # per sample
STEADY = 0.999  # an amplitude that shrinks less than this in a quarter of a run does not shrink
AMPLITUDE_FLOOR = 1e-3  # of the largest penetration; smaller oscillations are not felt


@part
def quantised(value: float, step: float) -> float:
    """Return a value rounded down to a multiple of `step`; step 0 leaves it."""
    return value if step <= 0.0 else math.floor(value / step) * step


@part
def wall_force(p: Array, x: float, v: float, is_inside: bool) -> float:
    """Return the force that the wall asks for, N; positive forces push the device out."""
    if not is_inside and p[PULLS] == 0.0:
        return 0.0
    f = p[STIFFNESS] * x
    if v > 0.0 or p[DAMPS_LEAVING] != 0.0 or p[PULLS] != 0.0:
        f += p[WALL_DAMPING] * v
    return float(f if p[PULLS] != 0.0 else max(f, 0.0))


@part
def largest_safe_force(
    p: Array, wanted: float, energy: float, speed: float, chosen: Array, count: int
) -> float:
    """Return the force up to `wanted` that cannot make the energy negative; see the module.

    `chosen` are the forces that still act, oldest first, before the new one; `speed` bounds the
    velocity out of the wall.
    """
    T, mass, hand = p[PERIOD], p[MASS], p[MAX_HAND_FORCE]
    u = speed
    for j in range(count):
        a = (chosen[j] + hand) / mass
        energy -= chosen[j] * (u * T + 0.5 * a * T * T)
        u += a * T
    # f (u T + ½ T² (f + F)/M) = energy, solved for f
    square = 0.5 * T * T / mass
    linear = u * T + square * hand
    root = linear * linear + 4.0 * square * energy
    if root < 0.0 or (energy <= 0.0 and linear >= 0.0):
        return 0.0
    return float(min(wanted, (math.sqrt(root) - linear) / (2.0 * square)))


@part
def hand_force(p: Array, x: float, v: float) -> float:
    """Return the force of the hand on the device, N, as far as it is strong enough."""
    f = p[HAND_PUSH] - p[HAND_STIFFNESS] * (x - p[HAND_REST]) - p[HAND_DAMPING] * v
    return float(min(max(f, -p[MAX_HAND_FORCE]), p[MAX_HAND_FORCE]))


@part
def moved(p: Array, x: float, v: float, force: float, h: float) -> tuple[float, float]:
    """Return position and velocity after `h` seconds under a constant force and friction."""
    friction = p[FRICTION]
    if friction > 0.0:
        if v == 0.0 and abs(force) <= friction:
            return x, 0.0
        force -= math.copysign(friction, v if v != 0.0 else force)
    mass, c = p[MASS], p[DAMPING]
    if c * h > 1e-9 * mass:
        decay = math.exp(-c * h / mass)
        v_end = force / c + (v - force / c) * decay
        x_end = x + force / c * h + (v - force / c) * (1.0 - decay) * mass / c
    else:
        v_end = v + force / mass * h
        x_end = x + v * h + 0.5 * force / mass * h * h
    if friction > 0.0 and v * v_end < 0.0:  # friction stops a motion, and does not reverse it
        return x + 0.5 * v * min(abs(v) * mass / abs(force), h), 0.0
    return x_end, v_end


@part
def controlled(
    p: Array, wanted: float, energy: float, x_rate: float, speed: float, chosen: Array, count: int
) -> float:
    """Return the force after passivity control."""
    if p[CONTROL] == OBSERVER_CONTROL and energy < 0.0 and x_rate != 0.0:
        extra = -energy / (p[PERIOD] * x_rate * x_rate)  # dissipates the deficit in one sample
        # more damping than this is itself unstable when sampled
        most = p[MASS] / (2.0 * p[PERIOD] * (1.0 + p[DELAY]))
        return float(wanted + min(extra, most) * x_rate)
    if p[CONTROL] == BOUNDED_CONTROL:
        return largest_safe_force(p, wanted, energy, speed, chosen, count)
    return wanted


@part
def run_wall(p: Array, n: int, out: Array, trace: Array) -> None:
    """Run `n` samples; write results to `out` and, unless it is empty, the history to `trace`."""
    T, delay, step = p[PERIOD], int(p[DELAY]), p[ENCODER_STEP]
    h = T / SUBSTEPS
    x, v = p[START_POSITION], p[START_VELOCITY]
    seen_before, chosen = quantised(x, step), np.zeros(MAX_DELAY + 1)
    acting = acting_before = 0.0
    total = observed = lowest = wall = wall_lowest = deepest = 0.0
    speed, is_inside = -v, False
    low, high = np.full(4, np.inf), np.full(4, -np.inf)  # positions in each quarter of the run
    for k in range(n):
        seen = quantised(x, step)
        rate = (seen - seen_before) / T
        # the observed energy is never above the true one, nor the speed below
        observed += acting * (seen - seen_before) - step * abs(acting - acting_before)
        observed += p[DAMPING] * max(abs(rate) - step / T, 0.0) ** 2 * T
        if k > 0:
            gain = (max(acting, 0.0) + p[MAX_HAND_FORCE]) / p[MASS] * T
            speed = min(step / T - rate + gain, speed + gain)
        seen_before, acting_before = seen, acting
        is_inside = seen > (-p[HYSTERESIS] if is_inside else 0.0)
        wanted = wall_force(p, seen, rate, is_inside)
        force = controlled(p, wanted, observed, rate, speed, chosen, delay)
        force = min(max(quantised(force, p[FORCE_STEP]), -p[MAX_FORCE]), p[MAX_FORCE])
        chosen[delay] = force
        acting = chosen[0]
        for _ in range(SUBSTEPS):
            x_before, v_before, pull = x, v, hand_force(p, x, v)
            x, v = moved(p, x, v, pull - acting, h)
            wall += acting * (x - x_before)
            # all work but that of the hand and the change of kinetic energy
            total += pull * (x - x_before) - 0.5 * p[MASS] * (v - v_before) * (v + v_before)
        lowest, wall_lowest, deepest = min(lowest, total), min(wall_lowest, wall), max(deepest, x)
        for j in range(delay):
            chosen[j] = chosen[j + 1]
        quarter = 4 * k // n
        low[quarter], high[quarter] = min(low[quarter], x), max(high[quarter], x)
        if len(trace):
            trace[k, 0], trace[k, 1], trace[k, 2], trace[k, 3] = x, v, acting, total
    put_stability(p, low, high, deepest, out)
    out[LEAK], out[WALL_LEAK], out[MAX_PENETRATION] = 0.0 - lowest, 0.0 - wall_lowest, deepest


@part
def put_stability(p: Array, low: Array, high: Array, deepest: float, out: Array) -> None:
    """Write whether the last quarter of a run oscillates less than the third."""
    before, after = high[2] - low[2], high[3] - low[3]
    floor = max(AMPLITUDE_FLOOR * deepest, 2.0 * p[ENCODER_STEP], 1e-9)
    out[STABLE] = 1.0 if after <= floor or after < STEADY * before else 0.0


@kernel
def trace_wall(p: Array, n: int, out: Array, trace: Array) -> None:
    """Run one wall; `trace` (n, 4) gets position, velocity, force and energy after each sample."""
    run_wall(p, n, out, trace)


@kernel
def run_walls(parameters: Array, n: int, out: Array) -> None:
    """Run many walls, (N, N_PARAMETERS) to (N, N_RESULTS)."""
    nothing = np.empty((0, 4))
    for i in range(parameters.shape[0]):
        run_wall(parameters[i], n, out[i], nothing)
