"""A campaign of faults: while a hand pushes a device into a stiff wall, something breaks.

Every trial draws its posture, wall, hand and instant from its own seed, and tells how long it took
until the motors were shorted. From then on the device must be passive: shorted motors brake, but a
hand that goes on pushing, and the weight of the links, can still move it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import device_angles, height_joints, vishard10
from robotix.haptics.loop.environment import PlaneWall
from robotix.haptics.loop.loop import HapticLoop, InjectedFault, LoopFault, StopReason
from robotix.haptics.loop.settings import (
    ForceSensor,
    LoopSettings,
    OperatorArm,
    VirtualHandle,
)

__all__ = [
    "STATED_TIMES",
    "FaultSummary",
    "FaultTrial",
    "run_fault_campaign",
    "run_fault_trial",
    "summarise_faults",
]  # fmt: skip

# s, from the fault until the motors are shorted: the watchdog's or sensor's time, the relay's, and
# two samples. A frozen encoder shows only when the joint has moved by `max_slip`.
STATED_TIMES = {
    LoopFault.force_nan: 0.005,
    LoopFault.controller_late: 0.009,
    LoopFault.cable_cut: 0.009,
    LoopFault.encoder_frozen: 0.1,
}
ENERGY_TOLERANCE = 1e-3  # J; of the integration
SECONDS, LATEST_FAULT = 1.6, 0.9
LATE = 8  # samples that a late computer misses


@dataclass(frozen=True)
class FaultTrial:
    """What happened in one trial; times from the fault on, s."""

    fault: LoopFault
    seed: int
    reason: StopReason
    time_to_brake: float  # inf: never
    energy_given: float  # J that came out of the shorted device beyond what was in it; < 0: none
    max_speed_after: float  # m/s, of the handle, with shorted motors and the hand still pushing

    @property
    def is_safe(self) -> bool:
        """Whether the motors were shorted in time, and the device was passive from then on."""
        is_passive = self.energy_given <= ENERGY_TOLERANCE
        return self.time_to_brake <= STATED_TIMES[self.fault] and is_passive


@dataclass(frozen=True)
class FaultSummary:
    """All trials of one fault."""

    fault: LoopFault
    trials: int
    safe: int
    worst_brake: float  # s
    worst_energy: float  # J
    worst_speed: float  # m/s
    reasons: dict[str, int]


def run_fault_trial(fault: LoopFault, seed: int) -> FaultTrial:
    """Push into a stiff wall with a seeded hand, break something, and watch."""
    rng = np.random.default_rng([list(LoopFault).index(fault), seed])
    loop, inputs = _pushing(rng)
    rate = loop.settings.rate
    at = round(float(rng.uniform(0.3, LATEST_FAULT)) * rate)
    loop.run(at / rate, inputs=inputs[:at], is_traced=False)
    k = at
    while loop.outcome().brake_time is None and k < len(inputs) - 4:
        loop.run(1 / rate, inputs=inputs[k : k + 1], is_traced=False,
                 fault=InjectedFault(fault, late=max(LATE - (k - at), 0)))  # fmt: skip
        k += 1
    outcome = loop.outcome()
    if outcome.brake_time is None:
        return FaultTrial(fault, seed, outcome.reason, math.inf, math.inf, math.inf)
    inside, given = loop.mechanical_energy(), loop.port_energy
    _, history = loop.run((len(inputs) - k) / rate, inputs=inputs[k:])
    excess = loop.mechanical_energy() - inside - (loop.port_energy - given)
    speeds = np.linalg.norm(history.velocities, axis=1)
    brake = outcome.brake_time - at / rate
    return FaultTrial(fault, seed, outcome.reason, brake, float(excess), float(speeds.max()))


def _pushing(rng: np.random.Generator) -> tuple[HapticLoop, Array]:
    """Return a loop and the inputs of a hand that pushes into a wall and sways."""
    angles = rng.uniform(-0.8, 0.8, 4) + np.array([0.6, -0.7, -0.7, -0.4])
    wrist = np.array([math.pi / 2, 0.0, -0.75 * math.pi, 0.0]) + rng.uniform(-0.2, 0.2, 4)
    q0 = device_angles(angles, height_joints(float(rng.uniform(-0.3, 0.3))), wrist)
    settings = LoopSettings(
        handle=VirtualHandle(mass=float(rng.uniform(6, 15)), damping=float(rng.uniform(0, 20))),
        sensor=ForceSensor(
            force_noise=float(rng.uniform(0, 0.2)), delay=float(rng.integers(0, 2)) / 1000
        ),
        is_partitioned=bool(rng.integers(0, 2)),
        step_length=float(rng.uniform(0, 0.5)),
    )
    arm = OperatorArm(
        mass=float(rng.uniform(1, 3)), damping=float(rng.uniform(5, 30)),
        stiffness=float(rng.uniform(50, 400)), grip_stiffness=float(rng.uniform(2000, 8000)),
    )  # fmt: skip
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    probe = HapticLoop(vishard10(), q0, settings=settings, arm=arm)
    start = probe.position
    normal = -direction
    wall = PlaneWall(
        (float(normal[0]), float(normal[1]), float(normal[2])), float(normal @ start) - 0.005,
        stiffness=float(rng.uniform(2000, 8000)), damping=float(rng.uniform(50, 200)),
    )  # fmt: skip
    loop = HapticLoop(
        vishard10(), q0, settings=settings, arm=arm, elements=[wall],
        seed=int(rng.integers(1, 2**31)),
    )  # fmt: skip
    n = round(SECONDS * settings.rate)
    t = np.arange(n) / settings.rate
    strength, sway = float(rng.uniform(10, 40)), float(rng.uniform(15, 30))
    across = np.cross(direction, np.eye(3)[int(abs(direction).argmin())])
    across /= np.linalg.norm(across)
    wave = np.sin(2 * np.pi * float(rng.uniform(1, 3)) * t + float(rng.uniform(0, 6)))
    force = strength * np.minimum(t / 0.1, 1)[:, None] * direction + sway * wave[:, None] * across
    return loop, np.hstack([force, np.broadcast_to(start, (n, 3))])


def run_fault_campaign(
    trials: int,
    *,
    seed: int = 0,
    threads: int = 1,
    advance: Callable[[], None] | None = None,
) -> list[FaultTrial]:
    """Run trials, the kinds of fault in turn; `advance` is called after each."""
    kinds = list(LoopFault)

    def one(k: int) -> FaultTrial:
        done = run_fault_trial(kinds[k % len(kinds)], seed + k)
        if advance is not None:
            advance()
        return done

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        return list(pool.map(one, range(trials)))


def summarise_faults(trials: Sequence[FaultTrial]) -> list[FaultSummary]:
    """Return one summary per kind of fault."""
    out = []
    for fault in LoopFault:
        mine = [each for each in trials if each.fault is fault]
        if not mine:
            continue
        reasons: dict[str, int] = defaultdict(int)
        for each in mine:
            reasons[each.reason.value] += 1
        out.append(
            FaultSummary(
                fault,
                len(mine),
                sum(each.is_safe for each in mine),
                max(each.time_to_brake for each in mine),
                max(each.energy_given for each in mine),
                max(each.max_speed_after for each in mine),
                dict(reasons),
            )
        )
    return out
