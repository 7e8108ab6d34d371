"""Touching a virtual wall with a device of one degree of freedom: run it, and see what it does.

    M ẍ + c ẋ + friction = f_hand − f,    f = k x + b ẋ inside the wall (x > 0)

f is computed from sampled, quantised positions, held for one period and may come late.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.walls import kernels

__all__ = [
    "OperatorHand",
    "PassivityControl",
    "SampledDevice",
    "VirtualWall",
    "WallHistory",
    "WallResult",
    "WallTrial",
    "run_wall",
    "run_walls",
]

MAX_SAMPLES = 10_000_000  # of one run
DISTURBANCE = 0.2  # amplitude of the oscillation, as a fraction of the penetration at rest
PASSIVE_TOLERANCE = 1e-9  # J; rounding of Σ f Δx


class PassivityControl(StrEnum):
    """What keeps the wall from giving out energy."""

    none = "none"
    observer = "observer"  # passivity observer and controller [Hannaford2002]
    bounded = "bounded"  # the force is limited before it could make the energy negative


@dataclass(frozen=True)
class VirtualWall:
    """A wall that fills x > 0."""

    stiffness: float  # k, N/m
    damping: float = 0.0  # b, N s/m
    damps_leaving: bool = False  # b acts on the way out, too, but never pulls
    pulls: bool = False  # a spring and damper on both sides of x = 0: for linear analysis
    hysteresis: float = 0.0  # m; the wall is left this far before its surface, against chatter

    def __post_init__(self) -> None:
        """Raise `BadField` unless all numbers are finite and not negative."""
        _check(self, "stiffness", "damping", "hysteresis")


@dataclass(frozen=True)
class SampledDevice:
    """A device of one degree of freedom and its sampled controller."""

    mass: float = 2.0  # kg, with the motor's inertia
    damping: float = 5.0  # N s/m
    friction: float = 0.0  # N, Coulomb
    encoder_step: float = 0.0  # m; 0: exact
    max_force: float = math.inf  # N
    force_step: float = 0.0  # N, of the digital-analogue converter; 0: exact
    rate: float = 1000.0  # Hz
    delay: float = 0.0  # s, rounded to whole samples

    def __post_init__(self) -> None:
        """Raise `BadField` unless mass and rate are positive and the others not negative."""
        _check(self, "damping", "friction", "encoder_step", "force_step", "delay")
        for name in ("mass", "rate"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise BadField(name, "a positive number", value)
        if not self.max_force > 0:
            raise BadField("max_force", "a positive force in N", self.max_force)
        if self.delay_samples > kernels.MAX_DELAY:
            most = kernels.MAX_DELAY
            raise BadField("delay", f"at most {most} samples ({most / self.rate:g} s)", self.delay)

    @property
    def period(self) -> float:
        """T, s."""
        return 1 / self.rate

    @property
    def delay_samples(self) -> int:
        """The delay in samples."""
        return round(self.delay * self.rate)


@dataclass(frozen=True)
class OperatorHand:
    """The hand that moves the device: mass, damper and spring to where it wants to be."""

    mass: float = 0.0  # kg, moves with the device
    damping: float = 0.0  # N s/m
    stiffness: float = 0.0  # N/m
    rest: float = 0.0  # m, where the spring is relaxed
    push: float = 0.0  # N, into the wall
    max_force: float = 100.0  # N

    def __post_init__(self) -> None:
        """Raise `BadField` unless all numbers are finite and, but for `rest`, not negative."""
        _check(self, "mass", "damping", "stiffness", "push", "max_force")
        if not math.isfinite(self.rest):
            raise BadField("rest", "a finite position in m", self.rest)


@dataclass(frozen=True)
class WallTrial:
    """A device meets a wall at x = 0 with some speed, and is pressed against it."""

    wall: VirtualWall
    device: SampledDevice = field(default_factory=SampledDevice)
    hand: OperatorHand = field(default_factory=lambda: OperatorHand(push=5.0))
    speed: float = 0.1  # m/s, at the start, into the wall
    start: float = 0.0  # m
    seconds: float = 2.0
    control: PassivityControl = PassivityControl.none

    def __post_init__(self) -> None:
        """Raise `BadField` for a run that is too long or cannot be controlled."""
        if not (math.isfinite(self.speed) and math.isfinite(self.start)):
            raise BadField("speed", "a finite speed and start", (self.speed, self.start))
        if not 4 <= self.samples <= MAX_SAMPLES:
            raise BadField("seconds", f"4 to {MAX_SAMPLES} samples", self.seconds)
        if self.wall.pulls and self.control is not PassivityControl.none:
            raise BadField("control", "none for a wall that pulls", self.control.value)

    @property
    def samples(self) -> int:
        """Number of samples."""
        seconds = self.seconds
        return round(seconds * self.device.rate) if 0 < seconds < math.inf else 0

    @property
    def rest_position(self) -> float:
        """Where the hand and the wall are in balance, m; not positive if that is in free space."""
        hand = self.hand
        stiffness = self.wall.stiffness + hand.stiffness
        return (hand.push + hand.stiffness * hand.rest) / stiffness if stiffness > 0 else 0.0

    def disturbed(self) -> WallTrial:
        """Return a trial that starts at rest on the wall, with a small disturbance.

        The device stays in contact, so that an oscillation grows or dies away as in linear theory;
        from an impact it may bounce endlessly without growing. Without contact at rest: itself.
        """
        rest = self.rest_position
        if rest <= 0 or self.wall.pulls:
            return self
        mass = self.device.mass + self.hand.mass
        frequency = math.sqrt((self.wall.stiffness + self.hand.stiffness) / mass)
        return replace(self, start=rest, speed=DISTURBANCE * rest * frequency)

    def row(self) -> Array:
        """Return the parameters in the order of the kernel."""
        wall, device, hand = self.wall, self.device, self.hand
        control = {
            PassivityControl.none: kernels.NO_CONTROL,
            PassivityControl.observer: kernels.OBSERVER_CONTROL,
            PassivityControl.bounded: kernels.BOUNDED_CONTROL,
        }[self.control]
        return np.array([
            wall.stiffness, wall.damping, wall.damps_leaving, wall.pulls, wall.hysteresis,
            device.mass + hand.mass, device.damping, device.friction, device.encoder_step,
            device.max_force, device.force_step, device.period, device.delay_samples,
            hand.damping, hand.stiffness, hand.rest, hand.push, hand.max_force,
            self.start, self.speed, control,
        ], dtype=float)  # fmt: skip


@dataclass(frozen=True, eq=False)
class WallHistory:
    """A run, sample by sample."""

    times: Array  # s
    positions: Array  # m; > 0 inside the wall
    velocities: Array  # m/s
    forces: Array  # N, out of the wall
    energies: Array  # J, that wall and damping have taken up


@dataclass(frozen=True, eq=False)
class WallResult:
    """What a wall did."""

    is_stable: bool  # a small disturbance of the device at rest on the wall dies away
    energy_leak: float  # J, the most that the wall gave out beyond what it and the damping took up
    wall_leak: float  # J, the same without the damping of the device
    max_penetration: float  # m
    history: WallHistory | None = None

    @property
    def is_passive(self) -> bool:
        """Whether wall and device never gave out more energy than they had taken up."""
        return self.energy_leak <= PASSIVE_TOLERANCE


def run_wall(trial: WallTrial) -> WallResult:
    """Run a trial and keep its history; `is_stable` is that of the disturbed contact."""
    out, trace = np.empty(kernels.N_RESULTS), np.empty((trial.samples, 4))
    kernels.trace_wall(trial.row(), trial.samples, out, trace)
    times = trial.device.period * np.arange(1, trial.samples + 1)
    (disturbed,) = _run_rows([trial.disturbed()], threads=1)
    return _result(out, disturbed, WallHistory(np.asarray(times, dtype=np.float64), *trace.T))


def run_walls(trials: Sequence[WallTrial], *, threads: int = 1) -> list[WallResult]:
    """Run many trials with equal numbers of samples, without their histories."""
    if len({trial.samples for trial in trials}) > 1:
        raise ValueError("all trials of a batch must have the same number of samples")
    if not trials:
        return []
    contacts = _run_rows(trials, threads=threads)
    disturbed = _run_rows([trial.disturbed() for trial in trials], threads=threads)
    return [_result(*rows) for rows in zip(contacts, disturbed, strict=True)]


def _run_rows(trials: Sequence[WallTrial], *, threads: int) -> Array:
    rows = np.array([trial.row() for trial in trials])
    out = np.empty((len(trials), kernels.N_RESULTS))
    ends = np.linspace(0, len(trials), max(threads, 1) + 1).astype(int)
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        runs = [
            pool.submit(kernels.run_walls, rows[a:b], trials[0].samples, out[a:b])
            for a, b in pairwise(ends)
        ]
        for each in runs:
            each.result()
    return out


def _result(contact: Array, disturbed: Array, history: WallHistory | None = None) -> WallResult:
    return WallResult(
        bool(disturbed[kernels.STABLE]),
        max(float(contact[kernels.LEAK]), 0.0),
        max(float(contact[kernels.WALL_LEAK]), 0.0),
        float(contact[kernels.MAX_PENETRATION]),
        history,
    )


def _check(owner: object, *names: str) -> None:
    for name in names:
        value = getattr(owner, name)
        if not 0 <= value < math.inf:
            raise BadField(name, "a finite number, not negative", value)
