"""The published experiments on ViSHARD10 [Ueberle2004], with the parameters of the paper.

Experiment 1: circles of radius 0.05 to 0.8 m about joint axis 1 at 1 m/s. Experiment 2: a circle of
radius 0.4 m from x = 0.8 m at several heights and speeds.

The paper prints θ8 = π/2 for the start of experiment 1. With this value no reading of the geometry
becomes singular, against the text; with θ8 = θ6 (θ8* = 0, the rule of experiment 2) and a clockwise
circle the singularities of the text come out. So θ8 = θ6 is used; `printed_theta8=True` gives the
other. The step length α = 1 of experiment 1 belongs to a normalisation whose poses are not printed.
With ours the device takes about the 0.3 s of the text to a dexterous posture for α = 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import (
    HEIGHT_LINK,
    height_joints,
    posture_above,
    vishard10,
)
from robotix.haptics.redundancy.strategies import (
    Approach,
    ResolutionSettings,
    Strategy,
    make_resolution,
)
from robotix.haptics.redundancy.tracking import CircularPath, TrackedPath, follow

__all__ = [
    "EXPERIMENT_1_RADII",
    "EXPERIMENT_2_HEIGHTS",
    "WORSE_BENDS",
    "HeightCase",
    "RadiusCase",
    "height_cases",
    "number_of_ticks",
    "radius_cases",
    "run_height_case",
    "run_radius_case",
]

EXPERIMENT_1_RADII = (0.05, 0.2, 0.4, 0.6, 0.8)  # m
EXPERIMENT_2_HEIGHTS = (-0.3, -0.15, 0.0)  # m
SHORTEST_RUN = 1.0  # s; the smallest circle takes only 0.3 s, and is repeated
EXPERIMENT_1_STEP = 5.0  # α; see above
FULL_STEP, STAGE_STEP = 2.1, 0.53  # α of experiment 2
# θ2 and θ4, rad, of starts at 0.6 m with 0.48 to 0.9 of the planar index of the paper's start
WORSE_BENDS = ((1.6, 1.6), (-1.6, -1.6), (-1.5, -0.1), (-0.1, -1.5), (0.8, 0.8), (2.0, -0.5))
_LIFT = 5 * math.pi / 6  # θ6 of experiment 1
_WRIST_TILT = -0.75 * math.pi  # θ9 of both experiments


@dataclass(frozen=True)
class RadiusCase:
    """One run of experiment 1."""

    approach: Approach
    strategy: Strategy
    radius: float  # m
    printed_theta8: bool = False  # start from θ8 = π/2 as printed, not from θ8 = θ6
    is_clockwise: bool = True
    bends: tuple[float, float] = (-math.pi / 4, -math.pi / 4)  # θ2 and θ4 at the start, rad

    @property
    def path(self) -> CircularPath:
        """The circle; its height is that of the start posture."""
        height = 2 * HEIGHT_LINK * math.cos(_LIFT)
        return CircularPath((0.0, 0.0, height), self.radius, 1.0, self.is_clockwise)

    @property
    def duration(self) -> float:
        """Seconds."""
        return max(self.path.duration, SHORTEST_RUN)


@dataclass(frozen=True)
class HeightCase:
    """One run of experiment 2."""

    approach: Approach
    strategy: Strategy  # plain or directional
    height: float  # m
    speed: float = 1.0  # m/s

    @property
    def path(self) -> CircularPath:
        """The circle through the middle of the workspace."""
        return CircularPath((0.4, 0.0, self.height), 0.4, self.speed)

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.path.duration


def radius_cases() -> list[RadiusCase]:
    """Return all runs of experiment 1, some also from postures far from the optimum."""
    cases = [RadiusCase(a, s, r) for a in Approach for s in Strategy for r in EXPERIMENT_1_RADII]
    return cases + [
        RadiusCase(Approach.partitioned, s, 0.6, bends=bends)
        for s in (Strategy.plain, Strategy.directional)
        for bends in WORSE_BENDS
    ]


def height_cases() -> list[HeightCase]:
    """Return all runs of experiment 2: three heights, one mirrored, and a slow circle."""
    strategies = (Strategy.plain, Strategy.directional)
    at_heights = [HeightCase(a, s, z) for a in Approach for s in strategies
                  for z in (*EXPERIMENT_2_HEIGHTS, 0.3)]  # fmt: skip
    slow = [HeightCase(a, s, 0.3, 0.1) for a in Approach for s in strategies]
    return at_heights + slow


def number_of_ticks(cases: Iterable[RadiusCase | HeightCase], dt: float) -> int:
    """Return how many ticks the runs take together."""
    return sum(round(case.duration / dt) + 1 for case in cases)


def run_radius_case(
    case: RadiusCase, *, dt: float = 1e-3, advance: Callable[[], None] | None = None
) -> TrackedPath:
    """Run one case of experiment 1: w₁ = w₂ = 1."""
    settings = ResolutionSettings(case.approach, case.strategy, EXPERIMENT_1_STEP)
    theta8_star = -math.pi / 3 if case.printed_theta8 else 0.0
    q0 = posture_above(
        case.radius,
        bends=case.bends,
        wrist=(math.pi / 2, theta8_star, _WRIST_TILT, 0.0),
        height=(_LIFT, -2 * _LIFT),
    )
    return _follow(case, settings, q0, dt, advance)


def run_height_case(
    case: HeightCase, *, dt: float = 1e-3, advance: Callable[[], None] | None = None
) -> TrackedPath:
    """Run one case of experiment 2: weights 1 and 2, α = 2.1 or, partitioned, 0.53."""
    is_full = case.approach is Approach.full
    settings = ResolutionSettings(
        case.approach,
        case.strategy,
        step_length=FULL_STEP if is_full else STAGE_STEP,
        rotational_weight=2.0,
    )
    # θ5 = π/2 + θ1 makes θ5* = π/2 + 2 θ1 + θ3 = π/2, for θ3 = −2 θ1 with straight bars.
    q0 = posture_above(
        0.8,
        bends=(0.0, 0.0),
        wrist=(math.pi / 2, 0.0, _WRIST_TILT, 0.0),
        height=height_joints(case.height),
    )
    return _follow(case, settings, q0, dt, advance)


def _follow(
    case: RadiusCase | HeightCase,
    settings: ResolutionSettings,
    q0: Array,
    dt: float,
    advance: Callable[[], None] | None,
) -> TrackedPath:
    model = vishard10()
    resolution = make_resolution(model, settings)
    return follow(model, q0, case.path, resolution, dt=dt, duration=case.duration, advance=advance)
