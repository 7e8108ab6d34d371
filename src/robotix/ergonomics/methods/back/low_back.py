"""Compression and shear of the lumbosacral disc L5/S1, from weights and moment arms.

The muscles (`back_models`) balance the moment of upper body and load; weight and load are projected
on the plane of the disc and on its normal. These are functions of plain numbers, so that they can
be compared with published examples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from robotix.ergonomics.methods.back.back_models import (
    AbdominalPressure,
    BackModel,
    SingleMuscle,
    SpineForces,
    TenMuscles,
)
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.methods.checks import (
    check_angle,
    check_not_negative,
    check_one_of,
    check_range,
)
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge
from robotix.geometry import Array

__all__ = [
    "BackBand",
    "BackTask",
    "LowBackLoad",
    "band_verdict",
    "compression_levels",
    "compression_levels_by_sex",
    "greatest_load",
    "hand_calculated_compression",
    "low_back_band",
    "low_back_load",
    "sacral_angle",
    "sacral_angles",
    "shear_levels",
]

MAX_LOAD, LOAD_TOLERANCE = 1e5, 1e-3  # N; of the search for the greatest load
MAX_ARM = 3.0  # m; larger moment arms are implausible
TORSO_RANGE, KNEE_RANGE = (-30.0, 120.0), (30.0, 180.0)  # degrees; ranges of the regression
_N_PER_LB, _M_PER_INCH = 4.4482216152605, 0.0254


@dataclass(frozen=True, kw_only=True)
class BackTask:
    """Loads on L5/S1 from the body above it.

    Args:
        upper_weight: Weight of the body above L5/S1, N.
        upper_arm: Horizontal distance of its centre of mass in front of L5/S1, m.
        load: Weight in the hands, N.
        load_arm: Horizontal distance of the load in front of L5/S1, m.
        angle: Inclination of the plane of the disc from the horizontal, rad.
        more_moment: Flexion moment of other forces, N·m.
        side_moment: Moment that bends the trunk to the right, N·m.
        twist_moment: Moment that twists it to the left, N·m.
    """

    upper_weight: float
    upper_arm: float
    load: float = 0.0
    load_arm: float = 0.0
    angle: float
    more_moment: float = 0.0
    side_moment: float = 0.0
    twist_moment: float = 0.0

    def __post_init__(self) -> None:
        check_not_negative("weight of the upper body", self.upper_weight, unit="newtons")
        check_not_negative("load", self.load, unit="newtons")
        check_range("arm of the upper body", self.upper_arm, low=-MAX_ARM, high=MAX_ARM, unit="m")
        check_range("arm of the load", self.load_arm, low=-MAX_ARM, high=MAX_ARM, unit="m")
        check_angle("angle of the disc", self.angle, low=-90)
        for name in ("more_moment", "side_moment", "twist_moment"):
            if not math.isfinite(value := getattr(self, name)):
                raise ValueError(f"{name} must be a finite number, got {value:g}")

    @property
    def moment(self) -> float:
        """Flexion moment at L5/S1, N·m."""
        return self.upper_weight * self.upper_arm + self.load * self.load_arm + self.more_moment

    @property
    def weight(self) -> float:
        """Total weight above L5/S1, N."""
        return self.upper_weight + self.load


@dataclass(frozen=True)
class LowBackLoad:
    """Forces at L5/S1, N, and their verdicts."""

    task: BackTask
    model: BackModel
    moment: float  # N·m
    muscle_force: float
    abdominal_force: float
    compression: float
    shear: float  # absolute
    steps: tuple[ScoreStep, ...]
    compression_verdict: Verdict
    shear_verdict: Verdict
    sources: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """The worse verdict of compression and shear."""
        return max(self.compression_verdict, self.shear_verdict, key=lambda v: v.level)

    @property
    def resultant(self) -> float:
        """Magnitude of compression and shear combined, N."""
        return math.hypot(self.compression, self.shear)


@dataclass(frozen=True)
class BackBand:
    """Range of the compression over the published models."""

    low: float  # N, over the verified models
    high: float  # N
    cases: tuple[
        ScoreStep, ...
    ]  # compression of each model, N; the reason says which is unverified

    @property
    def verdict(self) -> Verdict:
        """Whether the action limit is exceeded in no, some or all models."""
        return band_verdict(self.low, self.high)


def low_back_load(task: BackTask, *, model: BackModel | None = None) -> LowBackLoad:
    """Return the forces at L5/S1; by default with one muscle 5 cm behind the disc."""
    model = SingleMuscle() if model is None else model
    balance = model.balance(task.moment, side=task.side_moment, twist=task.twist_moment)
    pressed, sheared = task.weight * math.cos(task.angle), task.weight * math.sin(task.angle)
    compression = pressed + balance.muscle_compression - balance.abdominal_force
    shear = math.hypot(sheared + balance.muscle_forward, balance.muscle_left)
    limits = load_low_back().limits
    return LowBackLoad(
        task,
        model,
        task.moment,
        balance.muscle_force,
        balance.abdominal_force,
        compression,
        shear,
        _steps(task, balance, compression, shear),
        judge(compression, compression_levels()),
        judge(shear, shear_levels()),
        (*balance.sources, limits.compression_provenance, limits.shear_provenance),
    )


def _steps(
    task: BackTask, balance: SpineForces, compression: float, shear: float
) -> tuple[ScoreStep, ...]:
    degrees, weight = math.degrees(task.angle), f"{task.weight:.4g} N"
    pressed = task.weight * math.cos(task.angle)
    pull = " and the muscles' pull" if balance.muscle_forward or balance.muscle_left else ""
    return (
        ScoreStep("moment", task.moment, _moment_in_words(task)),
        ScoreStep("muscle force", balance.muscle_force, balance.reason),
        ScoreStep("weight across the disc", pressed, f"{weight} at {degrees:.3g}°"),
        ScoreStep("abdominal force", balance.abdominal_force, "taken off the compression"),
        ScoreStep("compression", compression, "muscles and weight, less the abdominal force"),
        ScoreStep("shear", shear, f"{weight} along the disc at {degrees:.3g}°{pull}"),
    )


def greatest_load(
    task: BackTask, *, limit: float | None = None, model: BackModel | None = None
) -> float:
    """Return the greatest weight in the hands with which the compression stays below a limit, N.

    Args:
        task: Upper body and position of the load; its own load is ignored.
        limit: Compression, N; the action limit [NIOSH1981] when None.
        model: Of the muscles; one muscle 5 cm behind the disc when None.

    Returns 0 if the upper body alone exceeds the limit, and infinity if no load does.
    """
    limit = load_low_back().limits.compression_action if limit is None else limit
    check_not_negative("limit", limit, unit="newtons")

    def is_below(load: float) -> bool:
        return low_back_load(replace(task, load=load), model=model).compression <= limit

    if not is_below(0.0):
        return 0.0
    if is_below(MAX_LOAD):
        return math.inf
    low, high = 0.0, MAX_LOAD
    while high - low > LOAD_TOLERANCE:
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return low


def compression_levels() -> tuple[Level, ...]:
    """Return the bands of the compression [NIOSH1981], N."""
    limits = load_low_back().limits
    action, maximum = limits.compression_action, limits.compression_maximum
    return (
        Level(action, f"compression up to {action:g} N", "below the action limit"),
        Level(maximum, f"compression over {action:g} N", "above the action limit: act"),
        Level(math.inf, f"compression over {maximum:g} N", "above the maximum limit: not allowed"),
    )


def compression_levels_by_sex(sex: str) -> tuple[Level, ...]:
    """Return the bands of the compression for `"female"` or `"male"` people, N [DGUV2015]."""
    by_sex = load_low_back().limits.by_sex
    check_one_of("sex", sex, by_sex)
    low, high = by_sex[sex]
    who = "women" if sex == "female" else "men"
    return (
        Level(low, f"compression up to {low:g} N", f"acceptable for {who}"),
        Level(high, f"compression over {low:g} N", f"conditionally acceptable for {who}"),
        Level(math.inf, f"compression over {high:g} N", f"not acceptable for {who}"),
    )


def band_verdict(low: float, high: float) -> Verdict:
    """Return the verdict on a range of the compression over models, N.

    Level 1 is below the action limit in all models, 2 above it in some, 3 above it in all.
    """
    limits = load_low_back().limits
    action, maximum = limits.compression_action, limits.compression_maximum
    if high <= action:
        return Verdict(1, 3, f"compression up to {action:g} N", "below the action limit")
    if low <= action:
        name = f"compression over {action:g} N in some models"
        more = "" if high <= maximum else ", in some even above the maximum limit"
        return Verdict(2, 3, name, f"models disagree on the action limit{more}: look into it")
    if low <= maximum:
        more = "" if high <= maximum else ", in some above the maximum limit"
        name = f"compression over {action:g} N"
        return Verdict(3, 3, name, f"above the action limit in all models{more}: act")
    name = f"compression over {maximum:g} N"
    return Verdict(3, 3, name, "above the maximum limit in all models: not allowed")


def shear_levels() -> tuple[Level, ...]:
    """Return the bands of the shear [Gallagher2012], N."""
    limits = load_low_back().limits
    often, maximum = limits.shear_frequent, limits.shear_maximum
    return (
        Level(often, f"shear up to {often:g} N", "below the limit of frequent loading"),
        Level(maximum, f"shear over {often:g} N", "for occasional loading only"),
        Level(math.inf, f"shear over {maximum:g} N", "above the maximum limit: not allowed"),
    )


def low_back_band(task: BackTask, *, abdominal: AbdominalPressure | None = None) -> BackBand:
    """Return the compression for all published models.

    These are ten muscles, and one muscle with all published arms, with and without abdominal
    pressure. Unverified arms are listed among the cases, but do not widen the band.
    """
    pressure = AbdominalPressure() if abdominal is None else abdominal
    ten = low_back_load(task, model=TenMuscles())
    cases = [ScoreStep("ten muscles", ten.compression, load_low_back().ten_muscles.provenance)]
    values = [ten.compression]
    for each in load_low_back().muscle_arm.alternatives:
        for relief, words in ((None, "no abdominal pressure"), (pressure, "abdominal pressure")):
            model = SingleMuscle(each.arm, relief)
            compression = low_back_load(task, model=model).compression
            cases.append(ScoreStep(f"{each.arm:g} m, {words}", compression, each.words))
            if not each.unverified:
                values.append(compression)
    return BackBand(min(values), max(values), tuple(cases))


def sacral_angle(torso: float, *, knee: float = math.pi) -> float:
    """Return the angle of the plane of L5/S1 from the horizontal [Anderson1986], rad.

    Args:
        torso: Angle of the trunk from the vertical, rad.
        knee: Included angle of the knee, rad; pi is straight.
    """
    check_angle("torso", torso, low=TORSO_RANGE[0], high=TORSO_RANGE[1])
    check_angle("knee", knee, low=KNEE_RANGE[0], high=KNEE_RANGE[1])
    return float(sacral_angles(np.array(torso), knee=np.array(knee)))


def sacral_angles(torso: Array, *, knee: Array) -> Array:
    """Return `sacral_angle` of arrays (N,); inputs are clamped to the ranges of the regression."""
    t = np.clip(np.degrees(torso), *TORSO_RANGE)
    k = np.clip(np.degrees(knee), *KNEE_RANGE)
    sacrum = load_low_back().sacrum
    of = sacrum.coefficients
    turned = of["constant"] + of["torso"] * t + of["knee"] * k + of["torso_knee"] * t * k
    turned += of["torso_torso"] * t**2 + of["knee_knee"] * k**2
    return np.asarray(np.radians(sacrum.erect + turned))


def hand_calculated_compression(
    *, body_weight: float, torso: float, load: float, hand_distance: float
) -> float:
    """Return the compression by Bloswick's hand calculation, N.

    The formula is unverified: no document with its coefficients was found, and no verdict uses it.
    See the section Unverified of `docs/references.md`.

    Args:
        body_weight: Of the whole person, N.
        torso: Angle of the trunk from the vertical, rad.
        load: Weight in the hands, N.
        hand_distance: Horizontally from L5/S1 to the hands, m.
    """
    check_not_negative("body weight", body_weight, unit="newtons")
    check_not_negative("load", load, unit="newtons")
    check_angle("torso", torso, low=0, high=120)
    check_range("distance of the hands", hand_distance, low=0, high=MAX_ARM, unit="m")
    table = load_low_back().hand_calculation
    body, held = body_weight / _N_PER_LB, load / _N_PER_LB
    pounds = table.torso * body * math.sin(torso)
    pounds += table.load * held * hand_distance / _M_PER_INCH
    pounds += table.axial * (body / 2 + held)
    return pounds * _N_PER_LB


def _moment_in_words(task: BackTask) -> str:
    words = f"{task.upper_weight:.4g} N at {task.upper_arm:.3g} m"
    if task.load:
        words += f" and {task.load:.4g} N at {task.load_arm:.3g} m"
    return words + (f" and {task.more_moment:.4g} N·m" if task.more_moment else "")
